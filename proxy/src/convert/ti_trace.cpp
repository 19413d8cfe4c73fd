#include "convert/ti_trace.hpp"

#include "generate/call_text.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <string_view>
#include <utility>

#include "convert/completions.hpp"
#include "convert/expansion.hpp"
#include "convert/type_sizes.hpp"

namespace refrain::proxy {
namespace {

constexpr const char* byte_type = " 6";  // what SMPI calls MPI_BYTE

/// A message that has been begun and not been waited for.
struct Pending {
    std::int64_t from = 0, to = 0, tag = 0;
    std::string begin;  // "isend 2 7 800 6"; empty: to nobody
    bool persistent = false, active = true;
};

/// The trace of one rank: follows its calls and spells them.
class Speller {
  public:
    Speller(std::uint32_t rank, std::uint32_t ranks, const std::vector<std::string>& texts)
        : rank_(rank), ranks_(ranks), texts_(texts) {}

    /// Lines of an event, whose ranks are absolute; what stands in the way is added to `problems`.
    [[nodiscard]] std::vector<std::string> spell(const Event& recorded) {
        lines_.clear();
        if (recorded.function == Function::by_name) {
            problem(recorded, "is recorded by name only");
            return {};
        }
        const Event event = pinned_absolute(recorded);
        event_ = &event;
        arguments_ = arguments_of(event);
        sizes_.follow(event);
        const std::string_view name = info(event.function).name;
        if (event.function == Function::Init_ || event.function == Function::Init_thread_)
            lines_ = {"init"};
        else if (event.function == Function::Finalize_)
            lines_ = {"finalize"};
        else if (name == "Start" || name == "Startall")
            start();
        else if (has("requests") || (name == "Wait" || name == "Test"))
            complete();
        else if (name == "Request_free" && !is_active(value("request")))
            pending_.erase(value("request"));
        else if (name == "Request_free" || name == "Cancel")
            problem(event, "leaves a message that nobody waits for");
        else if (name.find("robe") != std::string_view::npos && name[0] != 'M' &&
                 !name.starts_with("Im"))
            ;  // asks only
        else if (has("win") || has("target_rank"))
            problem(event, "accesses memory of another process, for which the format has no word");
        else if (name.starts_with("File_"))
            problem(event, "uses a file, for which the format has no word");
        else if (has("dest") || has("source") || has("message"))
            message(name);
        else if (has_buffer() || name == "Barrier" || name == "Ibarrier")
            collective(name);
        event_ = nullptr;
        return lines_;
    }

    std::vector<std::string> problems;

  private:
    /// Receives name their match. Ranks are absolute.
    [[nodiscard]] static Event pinned_absolute(const Event& event) {
        auto match = values_of(event, Kind::newreceive_);
        if (!match.empty())
            match.erase(match.begin());
        else
            match = values_of(event, Kind::status_);
        if (match.size() < 2) return event;
        Event result = event;
        for (const Argument& each : arguments_of(event)) {
            if (each.parameter == nullptr || comes_out(each.parameter->kind)) continue;
            std::int64_t& value = result.values[each.begin];
            if (each.parameter->kind == Kind::rank_ && value == rank_any) value = match[0];
            if (each.parameter->kind == Kind::tag_ && value == tag_any) value = match[1];
        }
        return result;
    }

    void problem(const Event& event, const std::string& why) {
        const std::string text = describe(event, texts_, false) + " " + why;
        if (std::find(problems.begin(), problems.end(), text) == problems.end())
            problems.push_back(text);
    }

    [[nodiscard]] const Argument* find(std::string_view name) const {
        for (const Argument& each : arguments_)
            if (each.parameter != nullptr && each.parameter->name == name) return &each;
        return nullptr;
    }
    [[nodiscard]] bool has(std::string_view name) const { return find(name) != nullptr; }
    [[nodiscard]] std::int64_t value(std::string_view name) const {
        const Argument* const found = find(name);
        return found == nullptr ? 0 : event_->values[found->begin];
    }
    [[nodiscard]] bool has_buffer() const {
        const auto& all = info(event_->function).parameters;
        return std::any_of(all.begin(), all.end(),
                           [](const Parameter& each) { return is_buffer(each.kind); });
    }

    /// A number of elements as bytes.
    [[nodiscard]] std::string bytes(std::int64_t count, std::string_view type) {
        const auto each = sizes_.bytes(value(type));
        if (!each) problem(*event_, "has a datatype whose size is not known");
        return std::to_string(std::max<std::int64_t>(count, 0) * each.value_or(0));
    }
    [[nodiscard]] std::string bytes(std::string_view count, std::string_view type) {
        return bytes(value(count), type);
    }

    /// The rank in MPI_COMM_WORLD of a rank of the event's communicator.
    [[nodiscard]] std::int64_t world(std::int64_t rank) {
        const auto comm = values_of(*event_, Kind::comm_);
        if (rank < 0 || comm.empty() || comm[0] == 0) return rank;
        if (comm[2] == 1) return rank_;
        if (comm[1] != rank_ || comm[2] != ranks_)
            problem(
                *event_,
                "names ranks of a communicator that is not all of MPI_COMM_WORLD, in its order");
        return rank;
    }

    [[nodiscard]] Pending pending(bool sends, std::string_view peer, const std::string& amount,
                                  std::string_view tag) {
        const std::int64_t who = value(peer), other = world(who);
        const std::int64_t number = value(tag);
        Pending made{sends ? rank_ : other, sends ? other : rank_, number, "", false, true};
        if (who != rank_null)
            made.begin = (sends ? "isend " : "irecv ") + std::to_string(other) + " " +
                         std::to_string(number) + " " + amount + byte_type;
        if (who == rank_none || who == rank_any)
            problem(*event_, "was cancelled, or never matched");
        return made;
    }

    void begin(const Pending& made) {
        if (!made.begin.empty()) lines_.push_back(made.begin);
    }
    void wait(const Pending& made) {
        if (!made.begin.empty())
            lines_.push_back("wait " + std::to_string(made.from) + " " + std::to_string(made.to) +
                             " " + std::to_string(made.tag));
    }

    [[nodiscard]] bool is_active(std::int64_t request) const {
        const auto found = pending_.find(request);
        return found != pending_.end() && found->second.active;
    }

    void message(std::string_view name) {
        if (name.find("Sendrecv") == 0) {
            const bool replace = name == "Sendrecv_replace";
            const Pending in = pending(
                false, "source",
                replace ? bytes("count", "datatype") : bytes("recvcount", "recvtype"), "recvtag");
            const Pending out = pending(
                true, "dest", replace ? bytes("count", "datatype") : bytes("sendcount", "sendtype"),
                "sendtag");
            begin(in), begin(out), wait(out), wait(in);
            return;
        }
        if (name.find("robe") != std::string_view::npos || name.ends_with("mrecv") ||
            name == "Mrecv")
            return problem(*event_, "receives a message by a handle");
        const bool sends = has("dest");
        Pending made = pending(sends, sends ? "dest" : "source", bytes("count", "datatype"), "tag");
        const Argument* request = find("request");
        if (request == nullptr) {
            if (!made.begin.empty()) lines_.push_back(made.begin.substr(1));
            return;
        }
        const std::int64_t number = event_->values[request->begin];
        made.persistent = name.ends_with("_init");
        made.active = !made.persistent;
        if (!made.persistent) begin(made);
        if (number >= 0) pending_[number] = std::move(made);
    }

    void start() {
        auto numbers = values_of(*event_, Kind::starts_);
        if (!numbers.empty()) numbers.erase(numbers.begin());
        for (const std::int64_t number : values_of(*event_, Kind::start_))
            numbers.push_back(number);
        for (const std::int64_t number : numbers) {
            const auto found = pending_.find(number);
            if (found == pending_.end()) continue;
            found->second.active = true;
            begin(found->second);
        }
    }

    void complete() {
        std::vector<std::int64_t> numbers;
        for (const Completion& each : completions(*event_)) numbers.push_back(each.request);
        finish(numbers);
    }

    void finish(const std::vector<std::int64_t>& numbers) {
        std::size_t active = 0, named = 0;
        for (const auto& [number, each] : pending_) active += each.active && !each.begin.empty();
        for (const std::int64_t number : numbers) {
            const auto found = pending_.find(number);
            if (found == pending_.end()) continue;
            named += found->second.active && !found->second.begin.empty();
        }
        // The format's word for all waits for everything that the rank has begun.
        const bool all = event_->function == Function::Waitall_ && named == active && named > 1;
        if (all) lines_.push_back("waitall " + std::to_string(named));
        for (const std::int64_t number : numbers) {
            const auto found = pending_.find(number);
            if (found == pending_.end()) continue;
            if (!all && found->second.active) wait(found->second);
            found->second.active = false;
            if (!found->second.persistent) pending_.erase(found);
        }
    }

    /// " 8 16 24": counts of all ranks as bytes; zeros where they do not count.
    [[nodiscard]] std::string list(std::string_view counts, std::string_view type,
                                   std::int64_t* sum = nullptr) {
        const Argument* const found = find(counts);
        std::string text;
        const std::size_t begin = found == nullptr ? 0 : found->begin;
        for (std::size_t i = 0; i < static_cast<std::size_t>(ranks_); ++i) {
            const bool known = found != nullptr && i + 1 < found->count;
            const std::int64_t count = known ? event_->values[begin + 1 + i] : 0;
            const std::string one = bytes(count, type);
            if (sum != nullptr) *sum += std::stoll(one);
            text += " " + one;
        }
        return text;
    }

    void collective(std::string_view name) {
        const auto comm = values_of(*event_, Kind::comm_);
        if (comm.empty() || comm[2] == 1 || has("position")) return;  // says nothing to others
        (void)world(0);
        if (has("request")) return problem(*event_, "is a collective call that does not wait");
        const std::string root = has("root") ? " " + std::to_string(world(value("root"))) : "";
        const std::string two = std::string(byte_type) + byte_type;
        const std::string count = has("count") ? bytes("count", "datatype") : "";
        const auto both = [&] {
            return bytes("sendcount", "sendtype") + " " + bytes("recvcount", "recvtype");
        };
        std::int64_t sent = 0, received = 0;
        if (name == "Barrier")
            lines_ = {"barrier"};
        else if (name == "Bcast")
            lines_ = {"bcast " + count + root + byte_type};
        else if (name == "Reduce")
            lines_ = {"reduce " + count + " 0" + root + byte_type};
        else if (name == "Allreduce" || name == "Scan" || name == "Exscan")
            lines_ = {(name == "Allreduce" ? "allreduce "
                       : name == "Scan"    ? "scan "
                                           : "exscan ") +
                      count + " 0" + byte_type};
        else if (name == "Alltoall" || name == "Allgather")
            lines_ = {(name == "Alltoall" ? "alltoall " : "allgather ") + both() + two};
        else if (name == "Gather" || name == "Scatter")
            lines_ = {(name == "Gather" ? "gather " : "scatter ") + both() + root + two};
        else if (name == "Gatherv")
            lines_ = {"gatherv " + bytes("sendcount", "sendtype") + list("recvcounts", "recvtype") +
                      root + two};
        else if (name == "Scatterv")
            lines_ = {"scatterv" + list("sendcounts", "sendtype") + " " +
                      bytes("recvcount", "recvtype") + root + two};
        else if (name == "Allgatherv")
            lines_ = {"allgatherv " + bytes("sendcount", "sendtype") +
                      list("recvcounts", "recvtype") + two};
        else if (name == "Alltoallv") {
            const std::string out = list("sendcounts", "sendtype", &sent);
            const std::string in = list("recvcounts", "recvtype", &received);
            lines_ = {"alltoallv " + std::to_string(sent) + out + " " + std::to_string(received) +
                      in + two};
        } else if (name == "Reduce_scatter")
            lines_ = {"reducescatter" + list("recvcounts", "datatype") + " 0" + byte_type};
        else if (name == "Reduce_scatter_block") {
            lines_ = {"reducescatter"};
            for (std::uint32_t i = 0; i < ranks_; ++i)
                lines_[0] += " " + bytes("recvcount", "datatype");
            lines_[0] += std::string(" 0") + byte_type;
        } else
            problem(*event_, "is a call that the format has no word for");
    }

    std::int64_t rank_;
    std::int64_t ranks_;
    const std::vector<std::string>& texts_;
    TypeSizes sizes_;
    std::map<std::int64_t, Pending> pending_;
    const Event* event_ = nullptr;
    std::vector<Argument> arguments_;
    std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> TiTrace::obstacles() const {
    for (std::uint32_t rank = 0; rank < recording_.size(); ++rank) {
        Speller speller(rank, recording_.size(), recording_.texts);
        CommunicatorBook book(rank, recording_.size());
        const strings::Grammar grammar = recording_.grammar_of(rank);
        if (const std::uint64_t calls = strings::expanded_lengths(grammar)[0];
            calls > expanded_calls_max)
            return {"rank " + std::to_string(rank) + " made " + std::to_string(calls) +
                    " calls, each of which would be a line"};
        for (strings::GrammarCursor at(grammar); !at.done(); at.next())
            for (std::uint64_t i = 0; i < std::min<std::uint64_t>(at.count(), 2); ++i)
                (void)speller.spell(book.resolve(recording_.events[at.terminal()]));
        if (!speller.problems.empty()) return speller.problems;
    }
    return {};
}

void TiTrace::write(std::uint32_t rank, const std::function<void(const std::string&)>& use) const {
    const WorkTimes work(recording_, rank);
    Speller speller(rank, recording_.size(), recording_.texts);
    CommunicatorBook book(rank, recording_.size());
    const strings::Grammar grammar = recording_.grammar_of(rank);
    const std::string me = std::to_string(rank) + " ";
    std::uint32_t latest = Work::start;
    for (strings::GrammarCursor at(grammar); !at.done(); at.next())
        for (std::uint64_t i = 0; i < at.count(); ++i) {
            const double operations =
                latest == Work::start ? 0 : work.seconds(latest, at.terminal()) * speed_;
            if (operations >= 1) {
                char text[48];
                std::snprintf(text, sizeof text, "compute %.0f", operations);
                use(me + text);
            }
            latest = at.terminal();
            for (const std::string& line : speller.spell(book.resolve(recording_.events[latest])))
                use(me + line);
        }
}

}  // namespace refrain::proxy
