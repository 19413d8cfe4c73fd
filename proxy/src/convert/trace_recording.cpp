#include "convert/trace_recording.hpp"

#include "recorder/recorder.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "convert/call_values.hpp"
#include "convert/invented.hpp"
#include "convert/trace_content.hpp"

namespace refrain::proxy {
namespace {

using Record = TraceRecord;
using Values = CallValues::Values;

constexpr std::int64_t no_color = -32766;  // MPI_UNDEFINED
constexpr std::int64_t unmatched_tag = 0;

/// Whether a buffer of an operation whose members all give the same has room for each of them.
bool has_a_part_per_member(Function operation) {
    switch (operation) {
        case Function::Bcast_:
        case Function::Reduce_:
        case Function::Allreduce_:
        case Function::Scan_:
        case Function::Exscan_:
            return false;
        default:
            return true;
    }
}

/// Makes the recording of one rank.
class RankImport {
  public:
    RankImport(const TraceContent& content, std::uint32_t rank, Invented& invented)
        : content_(content),
          rank_(rank),
          places_(content.places[rank]),
          ends_(content.ends[rank]),
          operations_(places_.size(), 0),
          invented_(invented) {}

    [[nodiscard]] RankRecording import() {
        const std::vector<TraceCall>& calls = content_.trace.ranks[rank_];
        const bool told = !calls.empty() && calls.front().function.starts_with("MPI_Init");
        begin_call(told ? calls.front() : TraceCall{});
        append(Event{Function::Init_, {0}, 0});
        for (std::size_t i = 0; i < places_.size(); ++i)
            if (content_.is_made(i)) make_communicator(i);
        for (const TraceCall& call : calls) {
            begin_call(call);
            if (call.function.starts_with("MPI_Init") || call.function == "MPI_Finalize") continue;
            import(call);
        }
        if (calls.empty() || calls.back().function != "MPI_Finalize") begin_call(TraceCall{});
        complete_rest();
        append(Event{Function::Finalize_, {0}, 0});
        RankRecording result = recorder_.recording();
        result.rank = rank_;
        result.size = static_cast<std::uint32_t>(content_.trace.ranks.size());
        result.ending = Ending::complete;
        result.library = "OTF2 archive";
        result.wall_seconds = calls.empty() ? 0 : calls.back().end - calls.front().begin;
        result.cpu_seconds = result.wall_seconds;
        return result;
    }

  private:
    /// A request that is being waited for.
    struct Live {
        std::int64_t number = 0;
        std::int64_t slot_read = -1, slot_written = -1;
        bool sends = false;
    };
    struct Done {
        std::int64_t number = 0;
        std::int64_t bytes = 0;
    };

    // ---- time

    void begin_call(const TraceCall& call) {
        compute_ = std::max(0.0, call.begin - free_since_);
        within_ = call.end - call.begin;
        if (call.end > 0) free_since_ = call.end;
    }
    /// The first event of a call has its times.
    void append(const Event& event) {
        recorder_.append(event, std::exchange(compute_, 0), std::exchange(within_, 0));
    }

    // ---- memory

    [[nodiscard]] std::int64_t memory(std::int64_t bytes) {
        return recorder_.slot(SlotExtent::lines * ++latest_address_, 0, bytes);
    }
    void release(std::int64_t slot) {
        if (slot >= 0) recorder_.slots.release(slot);
    }
    [[nodiscard]] std::int64_t count_of(std::uint64_t bytes) const {
        if (bytes > static_cast<std::uint64_t>(std::numeric_limits<int>::max()))
            throw std::runtime_error("rank " + std::to_string(rank_) + " has a message of " +
                                     std::to_string(bytes) +
                                     " bytes; a count of bytes has room for " +
                                     std::to_string(std::numeric_limits<int>::max()));
        return static_cast<std::int64_t>(bytes);
    }

    // ---- calls

    void make_communicator(std::size_t communicator) {
        const Place& made = places_[communicator];
        const Place& world = world_place();
        const bool inside = made.number != null_handle;
        append(CallValues(Function::Comm_split_, world)
                   .with("color", inside ? 0 : no_color)
                   .with("key", made.me)
                   .with("newcomm", inside ? Values{made.number, made.me, made.size}
                                           : Values{null_handle, rank_none, 0})
                   .event());
    }
    [[nodiscard]] Place world_place() const {
        return {0, std::int64_t{rank_}, static_cast<std::int64_t>(content_.trace.ranks.size())};
    }

    void import(const TraceCall& call) {
        call_ = &call;
        done_.clear();
        const Record* sent = nullptr;
        const Record* received = nullptr;
        std::size_t messages = 0;
        for (const Record& record : call.records) {
            messages += record.kind == Record::Kind::send || record.kind == Record::Kind::receive;
            if (record.kind == Record::Kind::send) sent = &record;
            if (record.kind == Record::Kind::receive) received = &record;
        }
        const bool exchanges = messages == 2 && sent != nullptr && received != nullptr &&
                               sent->communicator == received->communicator;
        if (exchanges) exchange(*sent, *received);
        bool any = exchanges;
        for (const Record& record : call.records) {
            if (exchanges && (&record == sent || &record == received)) continue;
            any = import(record) || any;
        }
        complete(done_);
        if (!any) ++invented_.skipped[call.function];
    }
    /// Whether something became of it.
    [[nodiscard]] bool import(const Record& record) {
        switch (record.kind) {
            case Record::Kind::send:
                send(record);
                return true;
            case Record::Kind::receive:
                receive(record);
                return true;
            case Record::Kind::begin_send:
            case Record::Kind::begin_receive:
            case Record::Kind::begin_collective:
                begin(record);
                return true;
            case Record::Kind::end_send:
            case Record::Kind::end_receive:
            case Record::Kind::end_collective:
                end(record);
                return true;
            case Record::Kind::collective:
                if (record.operation == Function::by_name) return false;
                collective(record, nullptr);
                return true;
            default:
                return false;
        }
    }

    /// The function of that kind that the trace names, or `plain`.
    [[nodiscard]] Function named(std::initializer_list<Function> known, Function plain) {
        const Function found = function_named(std::string_view(call_->function).substr(4));
        if (std::find(known.begin(), known.end(), found) != known.end()) return found;
        if (found != plain) invented_.sends.insert(call_->function);
        return plain;
    }

    void send(const Record& record) {
        const std::int64_t bytes = count_of(record.bytes), slot = memory(bytes);
        append(CallValues(named({Function::Ssend_}, Function::Send_), places_[record.communicator])
                   .with_buffers(slot, buffer_unused)
                   .with("count", bytes)
                   .with("dest", record.peer)
                   .with("tag", record.tag)
                   .event());
        release(slot);
    }
    void receive(const Record& record) {
        const std::int64_t bytes = count_of(record.bytes), slot = memory(bytes);
        append(CallValues(Function::Recv_, places_[record.communicator])
                   .with_buffers(buffer_unused, slot)
                   .with("count", bytes)
                   .with("source", record.peer)
                   .with("tag", record.tag)
                   .with("status", Values{record.peer, record.tag, bytes, 0})
                   .event());
        release(slot);
    }
    void exchange(const Record& sent, const Record& received) {
        if (call_->function != "MPI_Sendrecv") invented_.exchanges.insert(call_->function);
        const std::int64_t out = count_of(sent.bytes), in = count_of(received.bytes);
        const std::int64_t slot_out = memory(out), slot_in = memory(in);
        append(CallValues(Function::Sendrecv_, places_[sent.communicator])
                   .with_buffers(slot_out, slot_in)
                   .with("sendcount", out)
                   .with("dest", sent.peer)
                   .with("sendtag", sent.tag)
                   .with("recvcount", in)
                   .with("source", received.peer)
                   .with("recvtag", received.tag)
                   .with("status", Values{received.peer, received.tag, in, 0})
                   .event());
        release(slot_out), release(slot_in);
    }

    // ---- requests

    void begin(const Record& record) {
        const std::optional<Record>& ending = ends_[begun_++];
        // What makes a communicator.
        if (ending && ending->kind == Record::Kind::end_collective &&
            ending->operation == Function::by_name)
            return;
        if (ending && ending->kind == Record::Kind::cancelled) {
            ++invented_.cancelled;
            return;
        }
        // Whom it is from is told at its end only.
        if (!ending) ++invented_.unfinished;
        if (!ending && record.kind != Record::Kind::begin_send) return;
        Live& live = live_[record.request];
        live.number = request_numbers_.take();
        if (record.kind == Record::Kind::begin_collective) return collective(*ending, &live);
        live.sends = record.kind == Record::Kind::begin_send;
        const Record& message = live.sends ? record : *ending;
        const std::int64_t bytes = count_of(message.bytes);
        (live.sends ? live.slot_read : live.slot_written) = memory(bytes);
        const Function function =
            live.sends ? named({Function::Issend_}, Function::Isend_) : Function::Irecv_;
        append(CallValues(function, places_[message.communicator])
                   .with_buffers(live.slot_read, live.slot_written)
                   .with("count", bytes)
                   .with(live.sends ? "dest" : "source", message.peer)
                   .with("tag", message.tag)
                   .with("request", live.sends ? Values{live.number}
                                               : Values{live.number, rank_none, unmatched_tag})
                   .event());
    }
    void end(const Record& record) {
        const auto found = live_.find(record.request);
        if (found == live_.end()) return;
        const bool receives = record.kind == Record::Kind::end_receive;
        done_.push_back({found->second.number, receives ? count_of(record.bytes) : 0});
        give_up(found->second);
        live_.erase(found);
    }
    void give_up(const Live& live) {
        given_up_.push_back(live.number);
        release(live.slot_read);
        release(live.slot_written);
    }
    void complete(const std::vector<Done>& done) {
        if (done.empty()) return;
        const bool one = done.size() == 1;
        if (call_->function != (one ? "MPI_Wait" : "MPI_Waitall"))
            invented_.waits.insert(call_->function);
        Values requests, statuses{static_cast<std::int64_t>(done.size())};
        for (const Done& each : done) {
            requests.push_back(each.number);
            statuses.push_back(each.bytes), statuses.push_back(0);
        }
        CallValues values(one ? Function::Wait_ : Function::Waitall_, world_);
        if (one)
            values.with("request", requests[0]).with("status", Values{done[0].bytes, 0});
        else
            values.with("count", static_cast<std::int64_t>(done.size()))
                .with_array("requests", requests)
                .with("statuses", statuses);
        append(values.event());
        for (const std::int64_t number : std::exchange(given_up_, {}))
            request_numbers_.give_back(number);
    }
    /// Sends that nobody was seen to wait for.
    void complete_rest() {
        std::vector<Done> rest;
        for (const auto& [number, live] : live_) {
            rest.push_back({live.number, 0});
            give_up(live);
        }
        live_.clear();
        static const TraceCall none{"MPI_Waitall", 0, 0, {}};
        call_ = &none;
        complete(rest);
    }

    // ---- collective operations

    void collective(const Record& record, Live* live) {
        const Place& place = places_[record.communicator];
        const auto me = static_cast<std::size_t>(place.me);
        TraceCollectives::Operation alone{record.operation, {{record.bytes, record.received}}};
        const TraceCollectives::Operation& operation =
            content_.trace.communicators[record.communicator].self
                ? alone
                : content_.collectives.at(record.communicator, operations_[record.communicator]++);
        std::string name = info(record.operation).name;
        if (live != nullptr) {
            name[0] = static_cast<char>(name[0] - 'A' + 'a');
            name.insert(0, "I");
        }
        CallValues values(function_named(name), place);
        values.at_root(record.peer < 0 || record.peer == place.me).with("root", record.peer);
        const std::int64_t reach = fill(values, operation, me);
        std::int64_t read = -1, written = -1;
        if (values.reads()) read = memory(reach);
        if (values.writes()) written = memory(reach);
        values.with_buffers(read, written);
        if (live != nullptr) values.with("request", live->number);
        append(values.event());
        if (live != nullptr) {
            live->slot_read = read, live->slot_written = written;
            return;
        }
        release(read), release(written);
    }
    /// Counts and displacements. Returns how many bytes its buffers have at most.
    [[nodiscard]] std::int64_t fill(CallValues& values,
                                    const TraceCollectives::Operation& operation,
                                    std::size_t me) const {
        const auto members = static_cast<std::int64_t>(operation.shares.size());
        const auto spread = [&](const char* counts, const char* displacements, const Values& all) {
            Values places;
            std::int64_t sum = 0;
            for (const std::int64_t each : all) {
                places.push_back(sum);
                sum += count_of(static_cast<std::uint64_t>(each));
            }
            (void)count_of(static_cast<std::uint64_t>(sum));
            values.with_array(counts, all).with_array(displacements, places);
            return sum;
        };
        switch (operation.function) {
            case Function::Barrier_:
                return 0;
            case Function::Gatherv_:
            case Function::Allgatherv_: {
                const Values all = gathered_counts(operation);
                values.with("sendcount", all[me]);
                return spread("recvcounts", "displs", all);
            }
            case Function::Scatterv_: {
                const Values all = scattered_counts(operation);
                values.with("recvcount", all[me]);
                return spread("sendcounts", "displs", all);
            }
            case Function::Reduce_scatter_:
                return spread("recvcounts", "", scattered_counts(operation));
            case Function::Alltoallv_:
            case Function::Alltoallw_: {
                const Values types(operation.shares.size(), CallValues::type);
                values.with_array("sendtypes", types).with_array("recvtypes", types);
                return std::max(spread("sendcounts", "sdispls", sent_counts(operation, me)),
                                spread("recvcounts", "rdispls", received_counts(operation, me)));
            }
            default: {
                const std::int64_t count =
                    count_of(static_cast<std::uint64_t>(even_count(operation, me)));
                for (const char* name : {"count", "sendcount", "recvcount"})
                    values.with(name, count);
                return has_a_part_per_member(operation.function) ? count * members : count;
            }
        }
    }

    const TraceContent& content_;
    std::uint32_t rank_;
    const std::vector<Place>& places_;
    const std::vector<std::optional<Record>>& ends_;
    std::vector<std::size_t> operations_;  // how many there were, by communicator
    Invented& invented_;
    Recorder recorder_;
    const TraceCall* call_ = nullptr;
    double compute_ = 0, within_ = 0, free_since_ = 0;
    std::uintptr_t latest_address_ = 0;
    std::size_t begun_ = 0;
    std::map<std::uint64_t, Live> live_;  // by the trace's number
    Numbers request_numbers_;
    std::vector<Done> done_;
    std::vector<std::int64_t> given_up_;
    const Place world_;
};

}  // namespace

Recording recording_of(const Trace& trace) {
    const TraceContent content(trace);
    Invented invented;
    std::vector<RankRecording> ranks;
    for (std::uint32_t rank = 0; rank < trace.ranks.size(); ++rank)
        ranks.push_back(RankImport(content, rank, invented).import());
    Recording recording = merge(std::move(ranks), {});
    recording.notes.push_back("read from an OTF2 archive, which tells sizes only");
    recording.invented = in_words(content, invented);
    return recording;
}

}  // namespace refrain::proxy
