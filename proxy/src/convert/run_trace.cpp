#include "convert/run_trace.hpp"

#include "generate/call_text.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "convert/completions.hpp"
#include "convert/expansion.hpp"
#include "convert/type_sizes.hpp"

namespace refrain::proxy {
namespace {

using Record = TraceRecord;
constexpr std::uint32_t not_listed = ~std::uint32_t{0};

std::uint64_t not_negative(std::int64_t value) {
    return value < 0 ? 0 : static_cast<std::uint64_t>(value);
}

/// The arguments of a call by name.
class Arguments {
  public:
    explicit Arguments(const Event& event) : event_(event), all_(arguments_of(event)) {}

    [[nodiscard]] bool has(std::string_view name) const { return find(name) != nullptr; }
    [[nodiscard]] std::int64_t number(std::string_view name) const {
        const Argument* const found = find(name);
        return found == nullptr ? 0 : event_.values[found->begin];
    }
    /// Without the length.
    [[nodiscard]] std::vector<std::int64_t> list(std::string_view name) const {
        const Argument* const found = find(name);
        if (found == nullptr || found->count == 0) return {};
        const auto begin = event_.values.begin() + static_cast<std::ptrdiff_t>(found->begin);
        return {begin + 1, begin + static_cast<std::ptrdiff_t>(found->count)};
    }

  private:
    [[nodiscard]] const Argument* find(std::string_view name) const {
        for (const Argument& each : all_)
            if (each.parameter != nullptr && each.parameter->name == name) return &each;
        return nullptr;
    }
    const Event& event_;
    std::vector<Argument> all_;
};

/// "Iallreduce" -> Allreduce: the function that does the same and waits.
Function waiting_form(Function function) {
    std::string name = info(function).name;
    if (name[0] != 'I' || name.size() < 2) return function;
    name.erase(0, 1);
    name[0] = static_cast<char>(name[0] - 'a' + 'A');
    const Function found = function_named(name);
    return found == Function::by_name ? function : found;
}

/// Follows the calls of one rank.
class RankTracer {
  public:
    RankTracer(std::uint32_t rank, const Communicators& communicators, std::uint32_t ranks)
        : rank_(rank), ranks_(ranks), communicators_(communicators) {}

    /// Of an event whose ranks are absolute. False if it speaks to others, and there is no record for it.
    [[nodiscard]] bool follow(const Event& event, std::vector<Record>& records) {
        records_ = &records;
        event_ = &event;
        told_ = true;
        sizes_.follow(event);
        const Arguments arguments(event);
        arguments_ = &arguments;
        find_communicator();
        const std::string_view name = info(event.function).name;
        if (name == "Start" || name == "Startall")
            start();
        else if (arguments.has("requests") || name == "Wait" || name == "Test" ||
                 name == "Request_get_status")
            complete();
        else if (name == "Request_free")
            requests_.erase(arguments.number("request"));
        else if (name == "Mprobe" || name == "Improbe")
            note_match();
        else if (name == "Probe" || name == "Iprobe")
            ;  // asks only
        else if (name == "Comm_free" || name == "Comm_disconnect")
            free_communicator();
        else if (const auto made = values_of(event, Kind::newcomm_); !made.empty())
            make_communicator(made[0]);
        else if (name.starts_with("Sendrecv"))
            exchange(name == "Sendrecv_replace");
        else if (name.ends_with("mrecv") || name == "Mrecv")
            receive_matched();
        else if (arguments.has("win") || arguments.has("target_rank"))
            told_ = false;
        else if (arguments.has("dest") && arguments.has("comm"))
            send();
        else if (arguments.has("source") && arguments.has("comm"))
            receive();
        else if (info(event.function).collective && !name.starts_with("File_"))
            collective();
        return told_;
    }

  private:
    struct Request {
        std::optional<Record> begin;  // nothing: no message
        bool persistent = false, active = true;
        std::uint64_t number = 0;
    };

    void add(Record record) { records_->push_back(record); }

    void find_communicator() {
        const auto comm = values_of(*event_, Kind::comm_);
        communicator_ = not_listed;
        members_ = 0, me_ = 0;
        if (comm.empty()) return;
        communicator_ = listed(comm[0]);
        me_ = comm[1], members_ = comm[2];
    }
    /// The number in the trace's list of the communicator with this number in the rank.
    [[nodiscard]] std::uint32_t listed(std::int64_t comm) const {
        if (comm == 0 || comm == 1) return static_cast<std::uint32_t>(comm);
        const auto found = groups_.find(comm);
        if (found == groups_.end() || found->second == no_group) return not_listed;
        // MPI_COMM_SELF is one for all ranks.
        return static_cast<std::uint32_t>(found->second) - ranks_ + 1;
    }

    void make_communicator(std::int64_t number) {
        collective_of(Function::by_name, 0, 0);
        if (number < 0) return;
        groups_[number] = communicators_.group(rank_, made_++);
        if (const std::uint32_t made = listed(number); made != not_listed)
            add({Record::Kind::make_communicator, made});
    }
    void free_communicator() {
        const std::int64_t number = values_of(*event_, Kind::freecomm_)[0];
        if (const std::uint32_t freed = listed(number); freed != not_listed)
            add({Record::Kind::free_communicator, freed});
        groups_.erase(number);
    }

    [[nodiscard]] std::uint64_t bytes(std::int64_t count, std::string_view type) {
        return bytes_of(count, arguments_->number(type));
    }
    [[nodiscard]] std::uint64_t bytes_of(std::int64_t count, std::int64_t type) {
        const auto each = sizes_.bytes(type);
        told_ = told_ && each.has_value();
        return not_negative(count) * not_negative(each.value_or(0));
    }
    [[nodiscard]] std::uint64_t bytes(std::string_view count, std::string_view type) {
        return bytes(arguments_->number(count), type);
    }
    [[nodiscard]] std::uint64_t sum(std::string_view counts, std::string_view type) {
        std::uint64_t all = 0;
        for (const std::int64_t each : arguments_->list(counts)) all += bytes(each, type);
        return all;
    }

    // ---- messages

    /// Nothing if it goes to nobody, or to somebody of whom nothing tells who it is.
    [[nodiscard]] std::optional<Record> message(Record::Kind kind, std::int64_t peer,
                                                std::int64_t tag, std::uint64_t size) {
        if (communicator_ == not_listed) told_ = false;
        if (peer < 0 || communicator_ == not_listed) return std::nullopt;
        return Record{kind, communicator_, peer, tag, size};
    }
    void add(const std::optional<Record>& record) {
        if (record) records_->push_back(*record);
    }
    [[nodiscard]] std::optional<Record> sent(std::string_view count, std::string_view type,
                                             std::string_view tag) {
        return message(Record::Kind::send, arguments_->number("dest"), arguments_->number(tag),
                       bytes(count, type));
    }
    /// By what the status says.
    void add_received() {
        const auto status = values_of(*event_, Kind::status_);
        if (status.size() == 4)
            add(message(Record::Kind::receive, status[0], status[1], not_negative(status[2])));
    }
    void exchange(bool replaces) {
        add(sent(replaces ? "count" : "sendcount", replaces ? "datatype" : "sendtype", "sendtag"));
        add_received();
    }
    void send() {
        auto record = sent("count", "datatype", "tag");
        if (!makes_request()) return add(record);
        if (record) record->kind = Record::Kind::begin_send;
        begin(record);
    }
    void receive() {
        if (!makes_request()) return add_received();
        auto match = values_of(*event_, Kind::newreceive_);
        std::int64_t source = arguments_->number("source"), tag = arguments_->number("tag");
        if (match.size() == 3 && (source == rank_any || tag == tag_any))
            source = match[1], tag = match[2];
        // One that is never matched is begun all the same, and cancelled.
        auto record =
            message(Record::Kind::begin_receive, std::max<std::int64_t>(source, 0), tag, 0);
        if (source == rank_null) record.reset();
        // Which messages a persistent receive from any source takes is not recorded.
        if (source == rank_any) record.reset(), told_ = false;
        begin(record);
    }
    [[nodiscard]] bool makes_request() const { return arguments_->has("request"); }

    struct Match {
        std::uint32_t communicator = not_listed;
        std::int64_t source = 0, tag = 0;
    };
    void note_match() {
        const auto status = values_of(*event_, Kind::status_);
        const auto handle = values_of(*event_, Kind::newmessage_);
        if (!handle.empty() && handle[0] >= 0 && status.size() == 4)
            matches_[handle[0]] = {communicator_, status[0], status[1]};
    }
    void receive_matched() {
        const auto handle = values_of(*event_, Kind::message_);
        const Match match = handle.empty() ? Match{} : matches_[handle[0]];
        communicator_ = match.communicator;
        if (makes_request())
            return begin(message(Record::Kind::begin_receive, match.source, match.tag, 0));
        const auto status = values_of(*event_, Kind::status_);
        if (!status.empty())
            add(message(Record::Kind::receive, match.source, match.tag, not_negative(status[0])));
    }

    // ---- requests

    void begin(std::optional<Record> record) {
        const std::int64_t handle = arguments_->number("request");
        if (handle < 0) return;
        const bool persistent = std::string_view(info(event_->function).name).ends_with("_init");
        Request& request = requests_[handle] = {record, persistent, !persistent};
        if (!persistent) activate(request);
    }
    void activate(Request& request) {
        request.active = true;
        request.number = next_request_++;
        if (!request.begin) return;
        request.begin->request = request.number;
        Record record = *request.begin;
        // The rest is told at its end.
        if (record.kind != Record::Kind::begin_send)
            record = {record.kind, 0, 0, 0, 0, 0, request.number};
        add(record);
    }
    void start() {
        std::vector<std::int64_t> handles = values_of(*event_, Kind::start_);
        const auto several = values_of(*event_, Kind::starts_);
        if (!several.empty()) handles.insert(handles.end(), several.begin() + 1, several.end());
        for (const std::int64_t handle : handles)
            if (const auto found = requests_.find(handle); found != requests_.end())
                activate(found->second);
    }
    void complete() {
        if (const auto flag = values_of(*event_, Kind::oflag_); !flag.empty() && flag[0] == 0)
            return test(requests_asked(*event_));
        for (const Completion& each : completions(*event_))
            finish(each.request, each.bytes, each.cancelled);
    }
    void test(const std::vector<std::int64_t>& handles) {
        for (const std::int64_t handle : handles)
            if (const auto found = requests_.find(handle);
                found != requests_.end() && found->second.active && found->second.begin)
                add({Record::Kind::test, 0, 0, 0, 0, 0, found->second.number});
    }
    void finish(std::int64_t handle, std::int64_t size, bool cancelled) {
        const auto found = requests_.find(handle);
        if (found == requests_.end()) return;
        Request& request = found->second;
        if (request.active && request.begin) add(ended(*request.begin, size, cancelled));
        request.active = false;
        if (!request.persistent) requests_.erase(found);
    }
    [[nodiscard]] static Record ended(const Record& begin, std::int64_t size, bool cancelled) {
        Record record = begin;
        if (cancelled) return {Record::Kind::cancelled, 0, 0, 0, 0, 0, begin.request};
        if (begin.kind == Record::Kind::begin_send)
            return {Record::Kind::end_send, 0, 0, 0, 0, 0, begin.request};
        if (begin.kind == Record::Kind::begin_collective) {
            record.kind = Record::Kind::end_collective;
            return record;
        }
        record.kind = Record::Kind::end_receive;
        record.bytes = not_negative(size);
        return record;
    }

    // ---- collective operations

    void collective_of(Function operation, std::uint64_t sends, std::uint64_t receives) {
        if (event_->function == Function::Finalize_) return;
        if (communicator_ == not_listed || !info(event_->function).collective) {
            told_ = false;
            return;
        }
        Record record{
            Record::Kind::collective, communicator_, -1, 0, sends, receives, 0, operation};
        if (arguments_->has("root")) record.peer = arguments_->number("root");
        if (!makes_request()) return add(record);
        record.kind = Record::Kind::begin_collective;
        begin(record);
    }
    void collective() {
        const Function operation = waiting_form(event_->function);
        const auto members = not_negative(members_);
        const auto me = not_negative(me_);
        const bool at_root = arguments_->has("root") && arguments_->number("root") == me_;
        const auto one = [&] { return bytes("count", "datatype"); };
        const auto out = [&] { return bytes("sendcount", "sendtype"); };
        const auto in = [&] { return bytes("recvcount", "recvtype"); };
        switch (operation) {
            case Function::Barrier_:
                return collective_of(operation, 0, 0);
            case Function::Bcast_:
                return collective_of(operation, at_root ? members * one() : 0, one());
            case Function::Reduce_:
                return collective_of(operation, one(), at_root ? members * one() : 0);
            case Function::Allreduce_:
                return collective_of(operation, members * one(), members * one());
            case Function::Scan_:
                return collective_of(operation, (members - me) * one(), (me + 1) * one());
            case Function::Exscan_:
                return collective_of(operation, (members - me - 1) * one(), me * one());
            case Function::Gather_:
                return collective_of(operation, out(), at_root ? members * in() : 0);
            case Function::Gatherv_:
                return collective_of(operation, out(), at_root ? sum("recvcounts", "recvtype") : 0);
            case Function::Scatter_:
                return collective_of(operation, at_root ? members * out() : 0, in());
            case Function::Scatterv_:
                return collective_of(operation, at_root ? sum("sendcounts", "sendtype") : 0, in());
            case Function::Allgather_:
                return collective_of(operation, members * out(), members * in());
            case Function::Allgatherv_:
                return collective_of(operation, members * out(), sum("recvcounts", "recvtype"));
            case Function::Alltoall_:
                return collective_of(operation, members * out(), members * in());
            case Function::Alltoallv_:
                return collective_of(operation, sum("sendcounts", "sendtype"),
                                     sum("recvcounts", "recvtype"));
            case Function::Alltoallw_:
                return collective_of(operation, sum_by_type("sendcounts", "sendtypes"),
                                     sum_by_type("recvcounts", "recvtypes"));
            case Function::Reduce_scatter_: {
                const auto counts = arguments_->list("recvcounts");
                const std::int64_t mine = me < counts.size() ? counts[me] : 0;
                return collective_of(operation, sum("recvcounts", "datatype"),
                                     members * bytes(mine, "datatype"));
            }
            case Function::Reduce_scatter_block_: {
                const std::uint64_t all = members * bytes("recvcount", "datatype");
                return collective_of(operation, all, all);
            }
            default:
                told_ = told_ && (event_->function == Function::Finalize_ ||
                                  event_->function == Function::Comm_set_info_);
        }
    }
    [[nodiscard]] std::uint64_t sum_by_type(std::string_view counts, std::string_view types) {
        const auto all = arguments_->list(counts), each = arguments_->list(types);
        std::uint64_t result = 0;
        for (std::size_t i = 0; i < all.size() && i < each.size(); ++i)
            result += bytes_of(all[i], each[i]);
        return result;
    }

    std::uint32_t rank_, ranks_;
    const Communicators& communicators_;
    TypeSizes sizes_;
    std::map<std::int64_t, int> groups_;  // of the communicators that were made, by number
    std::size_t made_ = 0;
    std::map<std::int64_t, Request> requests_;
    std::map<std::int64_t, Match> matches_;
    std::uint64_t next_request_ = 0;
    // Of the call that is followed:
    const Event* event_ = nullptr;
    const Arguments* arguments_ = nullptr;
    std::vector<Record>* records_ = nullptr;
    std::uint32_t communicator_ = not_listed;
    std::int64_t me_ = 0, members_ = 0;
    bool told_ = true;
};

/// A recording that may be expanded.
const Recording& checked(const Recording& recording) {
    for (std::uint32_t rank = 0; rank < recording.size(); ++rank)
        if (const std::uint64_t calls = strings::expanded_lengths(recording.grammar_of(rank))[0];
            calls > expanded_calls_max)
            throw std::runtime_error("rank " + std::to_string(rank) + " made " +
                                     std::to_string(calls) +
                                     " calls, each of which would be in the trace");
    return recording;
}

}  // namespace

RunTrace::RunTrace(const Recording& recording)
    : recording_(checked(recording)), communicators_(recording) {
    listed_.push_back({"MPI_COMM_WORLD", communicators_.members(0), false});
    listed_.push_back({"MPI_COMM_SELF", {0}, true});
    for (int group = 1 + static_cast<int>(recording.size()); group < communicators_.size(); ++group)
        listed_.push_back({"communicator " + std::to_string(listed_.size()),
                           communicators_.members(group), false});
}

void RunTrace::write(std::uint32_t rank, const std::function<void(const TraceCall&)>& use) {
    const WorkTimes work(recording_, rank);
    RankTracer tracer(rank, communicators_, recording_.size());
    CommunicatorBook book(rank, recording_.size());
    const strings::Grammar grammar = recording_.grammar_of(rank);
    std::uint32_t latest = Work::start;
    TraceCall call;
    for (strings::GrammarCursor at(grammar); !at.done(); at.next())
        for (std::uint64_t i = 0; i < at.count(); ++i) {
            const std::uint32_t symbol = at.terminal();
            const Event& event = recording_.events[symbol];
            const CallTime& time = recording_.times[symbol];
            const bool by_name = event.function == Function::by_name;
            call.function = by_name ? recording_.texts[static_cast<std::size_t>(event.values[0])]
                                    : std::string("MPI_") + info(event.function).name;
            call.begin = call.end + work.seconds(latest, symbol);
            call.end =
                call.begin + (time.count == 0 ? 0 : time.seconds / static_cast<double>(time.count));
            call.records.clear();
            latest = symbol;
            if (by_name || !tracer.follow(book.resolve(event), call.records))
                without_record.insert(call.function);
            use(call);
        }
}

}  // namespace refrain::proxy
