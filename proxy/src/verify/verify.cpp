#include "verify/verify.hpp"

#include "generate/call_text.hpp"
#include "generate/free.hpp"
#include "generate/generate.hpp"
#include "generate/polls.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <sstream>
#include <utility>

namespace refrain::proxy {
namespace {

/// One side: the events of a rank, in order, with absolute ranks.
class Side {
  public:
    Side(const Recording& recording, std::uint32_t rank, std::uint32_t thread)
        : recording_(recording),
          grammar_(recording.grammar_of(rank, thread)),
          at_(grammar_),
          book_(communicators_before(recording, rank, thread)) {
        load();
    }
    [[nodiscard]] bool done() const { return at_.done(); }
    [[nodiscard]] const Event& merged() const { return recording_.events[at_.terminal()]; }
    [[nodiscard]] std::uint32_t symbol() const { return at_.terminal(); }
    [[nodiscard]] const Event& event() const { return event_; }
    [[nodiscard]] Event resolved(const Event& merged) {
        CommunicatorBook book = before_;
        Event event = book.resolve(merged);
        event.site = 0;
        return event;
    }
    [[nodiscard]] std::uint64_t left() const { return at_.count() - taken_; }
    void take(std::uint64_t count = 1) {
        taken_ += count;
        if (taken_ == at_.count()) {
            at_.next();
            taken_ = 0;
        }
        load();
    }
    [[nodiscard]] std::string path() const {
        std::string text;
        for (const auto& place : at_.path())
            text +=
                (text.empty() ? "main" : " > rule " + std::to_string(place.rule)) + ", run " +
                std::to_string(place.index + 1) +
                (place.iteration != 0 ? ", iteration " + std::to_string(place.iteration + 1) : "");
        return text;
    }
    [[nodiscard]] std::string place() const {
        return done() ? std::string() : recording_.place_of(merged());
    }
    [[nodiscard]] std::string words() const {
        return done() ? std::string() : describe(event_, recording_.texts, false);
    }

  private:
    void load() {
        if (done()) return;
        if (loaded_ && taken_ != 0 && !makes_communicator_) return;
        makes_communicator_ = !values_of(merged(), Kind::newcomm_).empty() ||
                              !values_of(merged(), Kind::newwin_).empty();
        if (makes_communicator_) before_ = book_;
        event_ = book_.resolve(merged());
        event_.site = 0;
        // How large a file is found depends on how far other ranks are.
        if (event_.function == Function::File_open_) event_.values[event_.values.size() - 2] = 0;
        if (!makes_communicator_ && !same_book_) before_ = book_;
        same_book_ = !makes_communicator_;
        loaded_ = true;
    }

    const Recording& recording_;
    strings::Grammar grammar_;
    strings::GrammarCursor at_;
    CommunicatorBook book_, before_{0, 1};
    Event event_;
    std::uint64_t taken_ = 0;
    bool loaded_ = false, makes_communicator_ = false, same_book_ = false;
};

bool is_any(Function function, std::initializer_list<Function> all) {
    return std::find(all.begin(), all.end(), function) != all.end();
}

bool is_test(Function function) {
    return is_any(function, {Function::Test_, Function::Testall_, Function::Testany_,
                             Function::Testsome_, Function::Win_test_});
}

/// Whether an event asks whether this request is done, and leaves it as it is.
bool asks_about(const Event& event, std::int64_t request) {
    return event.function == Function::Request_get_status_ &&
           values_of(event, Kind::request_)[0] == request;
}

bool tests_in_vain(const Event& event, std::int64_t request) {
    return event.function == Function::Test_ && told_no(event) && first_active(event) == request;
}

/// Whether `event` is what is asked for, but told no; it may ask about some of the requests only.
bool tests_too_early(const Event& event, const Event& asked) {
    if (!is_test(event.function) || event.function != asked.function || !told_no(event))
        return false;
    const auto mine = requests_of(event), all = requests_of(asked);
    return std::equal(mine.begin(), mine.end(), all.begin(), all.end(),
                      [](std::int64_t a, std::int64_t b) { return a < 0 || a == b; });
}

/// Wait and Test of some of several requests: a proxy hides those that were not completed.
Event without_hidden(Event event) {
    if (!is_any(event.function,
                {Function::Waitany_, Function::Testany_, Function::Waitsome_, Function::Testsome_}))
        return event;
    std::vector<std::int64_t> done = values_of(event, Kind::oindices_);
    if (!done.empty()) done.erase(done.begin());
    const auto index = values_of(event, Kind::oindex_);
    if (!index.empty()) done = index;
    for (const Argument& each : arguments_of(event)) {
        if (each.parameter == nullptr || each.parameter->kind != Kind::waits_) continue;
        for (std::size_t i = 1; i < each.count; ++i)
            if (std::find(done.begin(), done.end(), static_cast<std::int64_t>(i) - 1) == done.end())
                event.values[each.begin + i] = null_handle;
    }
    return event;
}

/// What Waitsome or Testsome found.
struct Found {
    using Row = std::array<std::int64_t, 3>;  // the index of a request, and its status
    std::vector<Row> rows;
    std::size_t requests = 0, indices = 0, statuses = 0;  // where the values of these begin
    std::int64_t count = 0;                               // of the requests
};

Found found_by(const Event& event) {
    Found found;
    std::size_t count = 0;
    for (const Argument& each : arguments_of(event)) {
        if (each.parameter == nullptr) continue;
        if (each.parameter->kind == Kind::waits_)
            found.requests = each.begin + 1, found.count = event.values[each.begin];
        if (each.parameter->kind == Kind::statuses_) found.statuses = each.begin + 1;
        if (each.parameter->kind == Kind::oindices_)
            found.indices = each.begin + 1, count = each.count - 1;
    }
    for (std::size_t i = 0; i < count; ++i)
        found.rows.push_back({event.values[found.indices + i], event.values[found.statuses + 2 * i],
                              event.values[found.statuses + 2 * i + 1]});
    return found;
}

/// Order does not matter for what Waitsome and Testsome found.
Event sorted_indices(Event event) {
    if (!is_any(event.function, {Function::Waitsome_, Function::Testsome_})) return event;
    Found found = found_by(event);
    std::sort(found.rows.begin(), found.rows.end());
    for (std::size_t i = 0; i < found.rows.size(); ++i) {
        event.values[found.indices + i] = found.rows[i][0];
        event.values[found.statuses + 2 * i] = found.rows[i][1];
        event.values[found.statuses + 2 * i + 1] = found.rows[i][2];
    }
    return event;
}

/// An exact receive does not say what it matched.
Event without_match(Event event) {
    for (const Argument& each : arguments_of(event))
        if (each.parameter != nullptr && each.parameter->kind == Kind::newreceive_) {
            event.values[each.begin + 1] = rank_none;
            event.values[each.begin + 2] = 0;
        }
    return event;
}

/// What a receive got: source, tag and bytes, as far as the call says. Takes it out of the event.
std::vector<std::int64_t> take_match(Event& event) {
    std::vector<std::int64_t> match;
    for (const Argument& each : arguments_of(event)) {
        if (each.parameter == nullptr) continue;
        const bool made = each.parameter->kind == Kind::newreceive_;
        if (!made && each.parameter->kind != Kind::status_) continue;
        for (std::size_t i = made ? 1 : 0; i < each.count; ++i)
            match.push_back(std::exchange(event.values[each.begin + i], 0));
    }
    return match;
}

/// Compares one thread of a rank, up to the first difference.
class RankComparison {
  public:
    RankComparison(const Recording& first, const Recording& second, std::uint32_t rank,
                   std::uint32_t thread, Equality equality, std::int64_t tag, const FreePlan& plan,
                   Comparison& result)
        : first_(first, rank, thread),
          second_(second, rank, thread),
          rank_(rank),
          equality_(equality),
          simulated_(second.library.starts_with("SMPI")),
          tag_(tag),
          plan_(plan),
          result_(result) {}

    void run() {
        while (!first_.done() && !result_.difference) {
            const std::uint64_t count = step();
            event_ += count;
            result_.events += count;
        }
        if (!result_.difference && !second_.done()) differ();
        if (!result_.difference) compare_matches();
    }

  private:
    void differ() {
        result_.difference =
            Difference{rank_, event_ + 1, first_.words(), second_.words(), {}, first_.place()};
        if (!first_.done()) result_.difference->path = first_.path();
    }

    /// What receives from any source got, whichever of them did.
    void compare_matches() {
        for (const auto& [call, matches] : matches_)
            for (const auto& [match, more] : matches) {
                if (more == 0) continue;
                std::string got = "a message";
                const char* const names[] = {" from rank ", ", tag ", ", bytes "};
                for (std::size_t i = 0; i < match.size() && i < 3; ++i)
                    got += names[i] + std::to_string(match[i]);
                const std::string times = std::to_string(std::abs(more)) + " more such in ";
                result_.difference =
                    Difference{rank_,
                               event_,
                               call_words_[call] + " got " + got,
                               times + (more > 0 ? "the first recording" : "the second recording"),
                               "all live receives of this call",
                               {}};
                return;
            }
    }

    /// A receive from any source that a free proxy leaves to the network.
    std::uint64_t live_receive() {
        Event a = first_.event(), b = second_.event();
        const std::vector<std::int64_t> got = take_match(a), gets = take_match(b);
        if (!(a == b)) {
            differ();
            return 0;
        }
        const std::uint64_t count = std::min(first_.left(), second_.left());
        const auto call = std::pair(first_.merged().site, values_of(a, Kind::tag_)[0]);
        call_words_.try_emplace(call, "MPI_" + std::string(info(a.function).name));
        matches_[call][got] += static_cast<std::int64_t>(count);
        matches_[call][gets] -= static_cast<std::int64_t>(count);
        result_.live += count;
        first_.take(count);
        second_.take(count);
        return count;
    }

    /// Polls of the first that were told no, and yes later, and those of the second before it is told yes.
    std::uint64_t fold_first() {
        const std::uint64_t count = first_.left();
        result_.refused_polls += count;
        first_.take(count);
        return count;
    }
    void fold_second() {
        const Event expected =
            without_site(without_hidden(first_.resolved(pinned(first_.merged(), tag_))));
        while (!second_.done() && told_no(second_.event()) &&
               asks_the_same(expected, without_site(second_.event())))
            second_.take();
    }
    /// Tests of the same window by the second that were told no.
    void skip_vain_tests(const Event& event) {
        const auto asked = values_of(event, Kind::win_);
        while (!second_.done() && second_.event().function == Function::Win_test_ &&
               told_no(second_.event()) && values_of(second_.event(), Kind::win_) == asked)
            second_.take();
    }
    static Event without_site(Event event) {
        event.site = 0;
        return event;
    }

    /// Returns how many events of the first are done with.
    std::uint64_t step() {
        if (equality_ == Equality::free) {
            if (plan_.folded.contains(first_.symbol())) return fold_first();
            if (is_live_poll(first_.event().function) && !told_no(first_.event())) fold_second();
            if (plan_.live.contains(first_.symbol()) && !second_.done()) return live_receive();
        }
        const Event& event = first_.event();
        const bool live_poll =
            equality_ == Equality::free && is_live_poll(event.function) && !told_no(event);
        if (equality_ != Equality::same && !live_poll) {
            const bool no = told_no(event);
            if (event.function == Function::Request_get_status_) return question();
            if (is_test(event.function) && no) return refused_test();
            if (is_any(event.function, {Function::Iprobe_, Function::Improbe_}) && no)
                return refused_probe();
            // A window cannot be asked without completing it: a proxy asks about nothing, or asks again.
            if (event.function == Function::Win_test_) skip_vain_tests(event);
            if (is_test(event.function) || event.function == Function::Waitsome_)
                while (!second_.done() && second_.event().function == Function::Request_get_status_)
                    second_.take();
            // A simulated proxy that tested too early tests again.
            while (simulated_ && !second_.done() && tests_too_early(second_.event(), event))
                second_.take();
            if (is_any(event.function, {Function::Iprobe_, Function::Improbe_}) && !probed_first())
                return 0;
        }
        if (second_.done()) {
            differ();
            return 0;
        }
        const bool matched = equality_ != Equality::same && gets_recorded_match(first_.merged());
        const Event expected =
            matched ? without_match(first_.resolved(pinned(first_.merged(), tag_))) : event;
        const bool same = equality_ == Equality::same ? event == second_.event()
                          : waits_again(expected)
                              ? finds_by_and_by(expected)
                              : sorted_indices(without_hidden(expected)) ==
                                    sorted_indices(without_hidden(second_.event()));
        if (!same) {
            differ();
            return 0;
        }
        const std::uint64_t count = std::min(first_.left(), second_.left());
        const bool alone = equality_ != Equality::same &&
                           (is_test(event.function) || event.function == Function::Waitsome_ ||
                            is_any(event.function, {Function::Iprobe_, Function::Improbe_}));
        const std::uint64_t taken = alone ? 1 : count;
        if (matched) result_.pinned += taken;
        first_.take(taken);
        second_.take(taken);
        return taken;
    }

    /// Where it is simulated a proxy cannot wait for what Waitsome or Testsome found before it calls it: it calls again until it
    /// has all.
    [[nodiscard]] bool waits_again(const Event& expected) const {
        return simulated_ &&
               is_any(expected.function, {Function::Waitsome_, Function::Testsome_}) &&
               second_.event().function == expected.function &&
               found_by(second_.event()).rows.size() < found_by(expected).rows.size();
    }
    /// Whether these calls find the same together; all but the last of them are done with.
    bool finds_by_and_by(const Event& expected) {
        Found wanted = found_by(expected);
        std::vector<Found::Row> rows;
        while (!second_.done() && second_.event().function == expected.function &&
               second_.event().values.back() == expected.values.back()) {
            const Event& call = second_.event();
            const Found found = found_by(call);
            if (call.values[0] != expected.values[0] || found.count != wanted.count) return false;
            for (const Found::Row& row : found.rows) {
                if (row[0] < 0 || row[0] >= found.count) return false;
                const auto index = static_cast<std::size_t>(row[0]);
                if (call.values[found.requests + index] != expected.values[wanted.requests + index])
                    return false;
                rows.push_back(row);
            }
            const bool in_vain = found.rows.empty() && !tests_too_early(call, expected);
            if (in_vain || rows.size() >= wanted.rows.size()) break;
            second_.take(1);
        }
        std::sort(rows.begin(), rows.end());
        std::sort(wanted.rows.begin(), wanted.rows.end());
        return rows == wanted.rows;
    }

    /// A test that said no: the proxy asks about the same request without completing it, or tests it where it is simulated.
    std::uint64_t refused_test() {
        const std::int64_t request = first_active(first_.event());
        const bool asks = !second_.done() && (simulated_ ? tests_in_vain(second_.event(), request)
                                                         : asks_about(second_.event(), request));
        if (!asks) {
            differ();
            return 0;
        }
        const std::uint64_t count = std::min(first_.left(), second_.left());
        result_.refused_polls += count;
        first_.take(count);
        second_.take(count);
        return count;
    }

    /// The program asked whether a request is done, and left it as it is. The proxy asks as often where the answer was no, whatever
    /// it is told, and else until it is told yes.
    std::uint64_t question() {
        const std::int64_t request = values_of(first_.event(), Kind::request_)[0];
        const bool no = told_no(first_.event());
        while (!no && !second_.done() && asks_about(second_.event(), request) &&
               told_no(second_.event()))
            second_.take();
        if (second_.done() || !asks_about(second_.event(), request)) {
            differ();
            return 0;
        }
        const std::uint64_t count = std::min(first_.left(), second_.left());
        if (no) result_.refused_polls += count;
        first_.take(count);
        second_.take(count);
        return count;
    }

    /// A probe that said no: the proxy probes the same communicator, and is told no.
    std::uint64_t refused_probe() {
        const bool asks =
            !second_.done() && second_.event().function == first_.event().function &&
            told_no(second_.event()) &&
            values_of(second_.event(), Kind::comm_) == values_of(first_.event(), Kind::comm_);
        if (!asks) {
            differ();
            return 0;
        }
        const std::uint64_t count = std::min(first_.left(), second_.left());
        result_.refused_polls += count;
        first_.take(count);
        second_.take(count);
        return count;
    }

    /// A probe that found something: the proxy waits for it with MPI_Probe first, or, where it is simulated, probes until it is
    /// there.
    bool probed_first() {
        const Event expected = first_.resolved(pinned(first_.merged(), tag_));
        const auto probes = [&](const Event& event) {
            return event.function == expected.function &&
                   values_of(event, Kind::comm_) == values_of(expected, Kind::comm_) &&
                   values_of(event, Kind::rank_) == values_of(expected, Kind::rank_) &&
                   values_of(event, Kind::tag_) == values_of(expected, Kind::tag_);
        };
        if (simulated_ && !second_.done() && second_.event().function == first_.event().function) {
            while (!second_.done() && probes(second_.event()) && told_no(second_.event()))
                second_.take();
            return true;
        }
        const bool waits =
            !second_.done() && second_.event().function == Function::Probe_ &&
            values_of(second_.event(), Kind::comm_) == values_of(expected, Kind::comm_) &&
            values_of(second_.event(), Kind::rank_) == values_of(expected, Kind::rank_) &&
            values_of(second_.event(), Kind::tag_) == values_of(expected, Kind::tag_);
        if (waits)
            second_.take();
        else
            differ();
        return waits;
    }

    Side first_, second_;
    std::uint32_t rank_;
    Equality equality_;
    bool simulated_;  // the second: where polls are asked as the program asked them
    std::int64_t tag_;
    const FreePlan& plan_;  // empty unless the second is a free proxy
    using LiveCall = std::pair<std::uint32_t, std::int64_t>;  // its place and the tag it asks for
    std::map<LiveCall, std::map<std::vector<std::int64_t>, std::int64_t>>
        matches_;  // first less second
    std::map<LiveCall, std::string> call_words_;
    Comparison& result_;
    std::uint64_t event_ = 0;
};

std::map<std::string, std::string> lines_of(const std::string& counts) {
    std::map<std::string, std::string> lines;
    std::istringstream in(counts);
    for (std::string line; std::getline(in, line);) {
        const std::size_t end = line.starts_with("to ") ? line.find(':') : line.find(' ');
        if (end != std::string::npos) lines[line.substr(0, end)] = line.substr(end + 1);
    }
    return lines;
}

}  // namespace

Comparison compare(const Recording& first, const Recording& second, Equality equality) {
    Comparison result;
    if (first.size() != second.size()) {
        result.difference = Difference{0,
                                       0,
                                       std::to_string(first.size()) + " ranks",
                                       std::to_string(second.size()) + " ranks",
                                       "",
                                       ""};
        return result;
    }
    const std::int64_t tag = unused_tag(first);
    const FreePlan plan = equality == Equality::free ? plan_free(first) : FreePlan{};
    const std::size_t threads = 1 + std::max(first.threads.size(), second.threads.size());
    for (std::uint32_t rank = 0; rank < first.size(); ++rank)
        for (std::uint32_t thread = 0; thread < threads && !result.difference; ++thread)
            RankComparison(first, second, rank, thread, equality, tag, plan, result).run();
    return result;
}

std::vector<std::string> check_counts(const Recording& recording) {
    std::vector<std::string> complaints;
    for (std::uint32_t rank = 0; rank < recording.counts.size(); ++rank) {
        std::map<std::string, std::uint64_t> recorded;
        const auto counts = recording.event_counts(rank);
        for (std::size_t i = 0; i < counts.size(); ++i)
            recorded[info(recording.events[i].function).name] += counts[i];
        for (const auto& [name, line] : lines_of(recording.counts[rank])) {
            if (name.starts_with("to ")) continue;
            const std::uint64_t counted = std::strtoull(line.c_str(), nullptr, 10);
            if (counted != recorded[name])
                complaints.push_back("rank " + std::to_string(rank) + " called MPI_" + name + " " +
                                     std::to_string(counted) + " times by the counter, " +
                                     std::to_string(recorded[name]) + " times by the recording");
        }
    }
    return complaints;
}

std::vector<std::string> compare_counts(const Recording& first, const Recording& second,
                                        Counted what) {
    const auto counted = [&](const std::string& line) {
        return what == Counted::bytes ? line
                                      : line.substr(0, line.find(' ', line.find_first_not_of(' ')));
    };
    std::vector<std::string> complaints;
    if (first.counts.size() != first.size() || second.counts.size() != second.size())
        return {"a run has no counts of the separate counter"};
    for (std::uint32_t rank = 0; rank < first.size(); ++rank) {
        auto a = lines_of(first.counts[rank]), b = lines_of(second.counts[rank]);
        // Counters of older versions leave out what was not called, and say no more of a pair without messages.
        for (const auto& [name, line] : b) a.try_emplace(name, "0 0");
        for (const auto& [name, line] : a) {
            const std::string other = b.contains(name) ? b[name] : "0 0";
            if (counted(line) != counted(other))
                complaints.push_back("rank " + std::to_string(rank) + ", " + name +
                                     " (calls, bytes): " + line + " in the first, " + other +
                                     " in the second");
        }
    }
    return complaints;
}

}  // namespace refrain::proxy
