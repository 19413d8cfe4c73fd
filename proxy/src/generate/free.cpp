#include "generate/free.hpp"

#include "generate/call_text.hpp"
#include "generate/polls.hpp"
#include "merge/step.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace refrain::proxy {
namespace {

using strings::Run;

constexpr std::int64_t world = 0;  // the number of MPI_COMM_WORLD

bool in_world(const Event& event) {
    const auto comm = values_of(event, Kind::comm_);
    return !comm.empty() && comm[0] == world;
}

bool receives_from_any(const Event& event) {
    if (event.function != Function::Recv_ && event.function != Function::Irecv_) return false;
    const auto source = values_of(event, Kind::rank_);
    return value_of(source[0]) == rank_any;
}

// ---- polls

/// Polls that are told no, and the next call asks for the same, until one is told yes.
void find_folded(const Recording& recording, FreePlan& plan) {
    std::set<std::uint32_t> refused, never;
    for (std::uint32_t i = 0; i < recording.events.size(); ++i)
        if (is_live_poll(recording.events[i].function) && told_no(recording.events[i]))
            refused.insert(i);
    for (std::uint32_t rank = 0; rank < recording.size() && !refused.empty(); ++rank) {
        const strings::Grammar grammar = recording.grammar_of(rank);
        std::vector<std::uint32_t> open;  // polls that ask for the same, and were told no
        for (strings::GrammarCursor at(grammar); !at.done(); at.next()) {
            const Event& event = recording.events[at.terminal()];
            const bool same = !open.empty() && asks_the_same(recording.events[open.front()], event);
            if (!same) never.insert(open.begin(), open.end());
            if (!same || !refused.contains(at.terminal())) open.clear();
            if (refused.contains(at.terminal())) open.push_back(at.terminal());
        }
        never.insert(open.begin(), open.end());
    }
    for (const std::uint32_t event : refused)
        if (!never.contains(event)) plan.folded.insert(event);
    plan.polls_kept = never.size();
}

// ---- receives from any source

using Channel = std::tuple<std::int64_t, std::int64_t, std::int64_t>;  // from, to, tag

/// Whether a collective call of all ranks cannot return before others have come to it.
bool carries_data(const Event& event) {
    for (const std::int64_t count : values_of(event, Kind::int_))
        if (count <= 0) return false;
    for (const std::int64_t type : values_of(event, Kind::type_))
        if (type < 0 || type >= derived_type) return false;
    return true;
}

/// The most that all ranks can have done while one waits: sends wait for nobody, receives from any source neither.
///
/// Only messages and collective calls in MPI_COMM_WORLD hold a rank back; whatever else could is left out, so that ranks get at
/// least as far as they really can, whichever messages they receive.
class Furthest {
  public:
    explicit Furthest(const Recording& recording)
        : recording_(recording), moves_(recording.size()), calls_(recording.size()) {
        for (std::uint32_t rank = 0; rank < recording.size(); ++rank) {
            for (const Event& event : recording.events) moves_[rank].push_back(move(event, rank));
            const strings::Grammar grammar = recording.grammar_of(rank);
            for (strings::GrammarCursor at(grammar); !at.done(); at.next())
                calls_[rank].insert(calls_[rank].end(), at.count(), at.terminal());
        }
    }
    [[nodiscard]] const std::vector<std::uint32_t>& calls(std::uint32_t rank) const {
        return calls_[rank];
    }
    /// What an event says to others; nothing if that is not in MPI_COMM_WORLD.
    [[nodiscard]] const RankStep& step(std::uint32_t rank, std::uint32_t event) const {
        return moves_[rank][event].step;
    }
    /// All ranks begin anew; one will go no further than it is told to.
    void restart(std::uint32_t held) {
        states_.assign(recording_.size(), {});
        sent_.clear();
        held_ = held;
    }
    void go_on(std::size_t limit) {
        for (bool moved = true; moved;) {
            moved = false;
            for (std::uint32_t rank = 0; rank < states_.size(); ++rank)
                while (states_[rank].at < (rank == held_ ? limit : calls_[rank].size()) &&
                       execute(rank))
                    moved = true;
        }
    }
    /// Messages that a rank was sent with this tag (or any), by sender.
    [[nodiscard]] std::map<std::int64_t, std::uint64_t> sent_to(std::int64_t to,
                                                                std::int64_t tag) const {
        std::map<std::int64_t, std::uint64_t> found;
        for (const auto& [channel, count] : sent_)
            if (std::get<1>(channel) == to && (tag == tag_any || std::get<2>(channel) == tag))
                found[std::get<0>(channel)] += count;
        return found;
    }

  private:
    struct Move {
        RankStep step;
        bool any = false;      // receives or probes from any source
        bool of_all = false;   // returns on no rank before all have called it,
        bool of_root = false;  // or before the root has
        std::int64_t root = 0;
    };
    struct State {
        std::size_t at = 0;
        bool has_sent = false;  // what the next call sends
        std::uint64_t collectives = 0, entered = 0;
        std::map<Channel, std::uint64_t> received;  // by receives that name their source
        std::map<std::int64_t, std::pair<Channel, std::uint64_t>> requests;
    };

    [[nodiscard]] Move move(const Event& event, std::uint32_t rank) const {
        Move result;
        const bool completes =
            !values_of(event, Kind::wait_).empty() || !values_of(event, Kind::waits_).empty();
        if (!in_world(event) && !completes) return result;
        CommunicatorBook book(rank, recording_.size());
        const Event resolved = book.resolve(event);
        result.step = read_step(resolved);
        const auto ranks = values_of(event, Kind::rank_);
        result.any = std::any_of(ranks.begin(), ranks.end(),
                                 [](std::int64_t one) { return value_of(one) == rank_any; });
        if (completes) return result;
        result.of_all =
            event.function == Function::Barrier_ ||
            ((event.function == Function::Allreduce_ || event.function == Function::Allgather_ ||
              event.function == Function::Alltoall_) &&
             carries_data(event));
        result.of_root = event.function == Function::Bcast_ && carries_data(event);
        if (const auto root = values_of(resolved, Kind::root_); !root.empty())
            result.root = root[0];
        return result;
    }
    [[nodiscard]] bool there(const Channel& channel, std::uint64_t count) const {
        const auto found = sent_.find(channel);
        return found != sent_.end() && found->second >= count;
    }
    /// False if the next call waits; what it sends is on its way all the same.
    bool execute(std::uint32_t rank) {
        State& state = states_[rank];
        const Move& move = moves_[rank][calls_[rank][state.at]];
        const RankStep& step = move.step;
        if (step.to.exists() && !state.has_sent) ++sent_[{rank, step.to.rank, step.to.tag}];
        state.has_sent = true;
        if (step.collective) state.entered = state.collectives + 1;
        if (rank != held_ && waits(rank, state, move)) return false;
        if (step.ends_requests)
            for (const std::int64_t request : step.requests) state.requests.erase(request);
        if (step.request >= 0) state.requests.erase(step.request);
        if (step.from.exists() && !move.any && !step.probes) {
            const Channel channel{step.from.rank, rank, step.from.tag};
            const std::uint64_t number = ++state.received[channel];
            if (step.request >= 0 && !step.persistent)
                state.requests[step.request] = {channel, number};
        }
        state.collectives += step.collective ? 1 : 0;
        state.has_sent = false;
        ++state.at;
        return true;
    }
    [[nodiscard]] bool waits(std::uint32_t rank, const State& state, const Move& move) const {
        const RankStep& step = move.step;
        if (step.ends_requests)
            for (const std::int64_t request : step.requests)
                if (const auto open = state.requests.find(request);
                    open != state.requests.end() && !there(open->second.first, open->second.second))
                    return true;
        if (step.from.exists() && !move.any && step.request < 0) {
            const Channel channel{step.from.rank, rank, step.from.tag};
            const auto before = state.received.find(channel);
            if (!there(channel, (before == state.received.end() ? 0 : before->second) + 1))
                return true;
        }
        for (std::uint32_t other = 0; other < states_.size(); ++other)
            if ((move.of_all || (move.of_root && other == move.root)) &&
                states_[other].entered < state.entered)
                return true;
        return false;
    }

    const Recording& recording_;
    std::vector<std::vector<Move>> moves_;           // by rank and event
    std::vector<std::vector<std::uint32_t>> calls_;  // by rank: events
    std::vector<State> states_;
    std::map<Channel, std::uint64_t> sent_;
    std::uint32_t held_ = 0;
};

/// Receives from any source one behind the other, until all are complete.
struct Window {
    std::set<std::uint32_t> events;
    std::set<std::int64_t> sources;  // of their messages
    std::string reason;              // why its receives name their match; empty: it is sealed
};

/// Finds the windows of one rank, and which of them are sealed.
class RankWindows {
  public:
    RankWindows(const Recording& recording, Furthest& furthest, std::uint32_t rank)
        : recording_(recording), furthest_(furthest), rank_(rank) {}

    void find(std::vector<Window>& found) {
        const std::vector<std::uint32_t>& calls = furthest_.calls(rank_);
        furthest_.restart(rank_);
        bool cancels = false;
        for (const std::uint32_t call : calls)
            cancels |= recording_.events[call].function == Function::Cancel_;
        std::size_t counted = 0;
        for (std::size_t i = 0; i < calls.size();) {
            if (!receives_from_any(recording_.events[calls[i]])) {
                ++i;
                continue;
            }
            Window window;
            const std::size_t end = extent(i, window);
            for (; counted < end; ++counted) count(calls[counted]);
            if (cancels) window.reason = "this rank cancels requests";
            if (window.reason.empty()) {
                furthest_.go_on(end);
                seal(recording_.events[calls[i]], window);
            }
            found.push_back(std::move(window));
            i = end;
        }
    }

  private:
    /// Where the window that begins here ends: behind its last receive or completion.
    std::size_t extent(std::size_t begin, Window& window) const {
        const std::vector<std::uint32_t>& calls = furthest_.calls(rank_);
        const Event& first = recording_.events[calls[begin]];
        std::set<std::int64_t> open;
        std::set<std::int64_t> bytes_seen;
        std::size_t end = begin;
        for (std::size_t i = begin; i < calls.size(); ++i) {
            const Event& event = recording_.events[calls[i]];
            const RankStep& step = furthest_.step(rank_, calls[i]);
            if (receives_from_any(event)) {
                if (!alike(first, event)) break;
                window.events.insert(calls[i]);
                window.sources.insert(step.from.rank);
                if (step.request >= 0) open.insert(step.request);
            } else if (step.ends_requests) {
                bool all_ours = true;
                for (const std::int64_t request : step.requests)
                    all_ours = all_ours && (request < 0 || open.contains(request));
                if (!all_ours) break;
                for (const std::int64_t request : step.requests) open.erase(request);
                add_sizes(event, bytes_seen);
            } else if (is_live_poll(event.function) && told_no(event)) {
                continue;
            } else if (event.function == Function::Isend_ || event.function == Function::Issend_ ||
                       event.function == Function::Ibsend_) {
                continue;
            } else {
                break;
            }
            end = i + 1;
        }
        if (!in_world(first))
            window.reason = "only receives in MPI_COMM_WORLD are followed";
        else if (!open.empty())
            window.reason = "it is completed behind other calls, which others may wait for";
        else if (bytes_seen.size() > 1)
            window.reason = "messages that it could receive have different sizes";
        return end;
    }
    static bool alike(const Event& a, const Event& b) {
        return a.function == b.function && in_world(b) &&
               values_of(a, Kind::tag_) == values_of(b, Kind::tag_) &&
               values_of(a, Kind::int_) == values_of(b, Kind::int_) &&
               values_of(a, Kind::type_) == values_of(b, Kind::type_);
    }
    static void add_sizes(const Event& event, std::set<std::int64_t>& bytes_seen) {
        const auto one = values_of(event, Kind::status_);
        if (!one.empty()) bytes_seen.insert(one[0]);
        const auto many = values_of(event, Kind::statuses_);
        for (std::size_t i = 1; i + 1 < many.size(); i += 2) bytes_seen.insert(many[i]);
    }
    /// A message that this rank has received, or has posted a receive for.
    void count(std::uint32_t call) {
        const RankStep& step = furthest_.step(rank_, call);
        if (step.from.exists() && !step.probes && !step.persistent)
            ++received_[{step.from.rank, step.from.tag}];
    }
    /// Messages of one sender come in its order, whatever is there before they are received.
    void seal(const Event& receive, Window& window) const {
        const std::int64_t tag = values_of(receive, Kind::tag_)[0];
        for (const auto& [sender, sent] : furthest_.sent_to(rank_, tag)) {
            std::uint64_t taken = 0;
            for (const auto& [from, messages] : received_)
                if (from.first == sender && (tag == tag_any || from.second == tag))
                    taken += messages;
            const bool alone = window.sources == std::set<std::int64_t>{sender};
            if (sent > taken && !alone)
                window.reason = "rank " + std::to_string(sender) +
                                " could have sent a message that is received later";
        }
    }

    const Recording& recording_;
    Furthest& furthest_;
    std::uint32_t rank_;
    std::map<std::pair<std::int64_t, std::int64_t>, std::uint64_t> received_;  // by source and tag
};

/// Sorted, each once: what a free proxy does as a strict one.
void add_probes(const Recording& recording, std::set<std::string>& told) {
    for (const Event& event : recording.events) {
        const auto ranks = values_of(event, Kind::rank_);
        const bool any = std::any_of(ranks.begin(), ranks.end(),
                                     [](std::int64_t one) { return value_of(one) == rank_any; });
        if (any && !receives_from_any(event) && !told_no(event))
            told.insert("MPI_" + std::string(info(event.function).name) +
                        " from any source: calls behind it may depend on what it found");
    }
}

void find_live(const Recording& recording, FreePlan& plan) {
    std::set<std::string> told;
    add_probes(recording, told);
    plan.kept.assign(told.begin(), told.end());
    std::set<std::uint32_t> candidates;
    for (std::uint32_t i = 0; i < recording.events.size(); ++i)
        if (receives_from_any(recording.events[i])) candidates.insert(i);
    if (candidates.empty()) return;
    for (const Event& event : recording.events)
        if (!values_of(event, Kind::newpersistent_).empty()) {
            plan.kept.emplace_back(
                "receives from any source: persistent requests are not followed");
            return;
        }
    Furthest furthest(recording);
    std::vector<Window> windows;
    for (std::uint32_t rank = 0; rank < recording.size(); ++rank)
        RankWindows(recording, furthest, rank).find(windows);
    // Of a window all receives are live, or none: an event that is kept keeps others.
    for (bool changed = true; changed;) {
        changed = false;
        for (const Window& window : windows) {
            const bool keeps =
                !window.reason.empty() ||
                std::any_of(window.events.begin(), window.events.end(),
                            [&](std::uint32_t event) { return !candidates.contains(event); });
            for (const std::uint32_t event : window.events)
                if (keeps && candidates.erase(event) != 0) {
                    changed = true;
                    if (!window.reason.empty())
                        told.insert(describe(recording.events[event], recording.texts, true) +
                                    ": " + window.reason);
                }
        }
    }
    plan.live = candidates;
    plan.kept.assign(told.begin(), told.end());
}

/// Removes runs of folded events, of rules that have become empty, and joins neighbours that have become equal.
std::vector<Run> without(const std::vector<Run>& runs, const std::set<std::uint32_t>& folded,
                         const std::vector<std::vector<Run>>& rules) {
    std::vector<Run> kept;
    for (const Run& run : runs) {
        const bool gone = run.is_rule ? rules[run.symbol].empty() : folded.contains(run.symbol);
        if (gone) continue;
        if (!kept.empty() && kept.back().symbol == run.symbol && kept.back().is_rule == run.is_rule)
            kept.back().count += run.count;
        else
            kept.push_back(run);
    }
    return kept;
}

void add_work(std::vector<Recording::RankWork>& to, const std::vector<Recording::RankWork>& from) {
    for (const Recording::RankWork& one : from) {
        const auto there = std::find_if(to.begin(), to.end(), [&](const Recording::RankWork& each) {
            return each.rank == one.rank;
        });
        if (there == to.end()) {
            to.push_back(one);
        } else {
            there->count += one.count;
            there->seconds += one.seconds;
            there->team.add(one.team);
        }
    }
}

}  // namespace

bool is_live_poll(Function function) {
    return function == Function::Test_ || function == Function::Testall_ ||
           function == Function::Testany_ || function == Function::Iprobe_ ||
           function == Function::Improbe_;
}

bool asks_the_same(const Event& a, const Event& b) {
    return a.function == b.function && a.site == b.site && a.thread == b.thread &&
           values_of(a, Kind::wait_) == values_of(b, Kind::wait_) &&
           values_of(a, Kind::waits_) == values_of(b, Kind::waits_) &&
           values_of(a, Kind::comm_) == values_of(b, Kind::comm_) &&
           values_of(a, Kind::rank_) == values_of(b, Kind::rank_) &&
           values_of(a, Kind::tag_) == values_of(b, Kind::tag_);
}

FreePlan plan_free(const Recording& recording) {
    FreePlan plan;
    find_folded(recording, plan);
    find_live(recording, plan);
    return plan;
}

Recording fold_polls(const Recording& recording, const FreePlan& plan,
                     std::map<std::uint32_t, double>& pauses) {
    Recording result = recording;
    for (bool changed = true; changed;) {
        changed = false;
        for (std::vector<Run>& rule : result.rules) {
            std::vector<Run> kept = without(rule, plan.folded, result.rules);
            if (kept == rule) continue;
            rule = std::move(kept);
            changed = true;
        }
    }
    std::vector<MergedRun> main;
    for (const MergedRun& run : result.main) {
        const bool gone = run.run.is_rule ? result.rules[run.run.symbol].empty()
                                          : plan.folded.contains(run.run.symbol);
        if (!gone) main.push_back(run);
    }
    result.main = std::move(main);
    // What was computed before a poll that was told no is computed before the one that was told yes; what was computed
    // behind it becomes a pause.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Recording::RankWork>> work;
    std::map<std::uint32_t, std::pair<double, double>> between;  // seconds, times
    const auto told_yes = [&](std::uint32_t no) {
        std::vector<std::uint32_t> found;
        for (std::uint32_t i = 0; i < recording.events.size(); ++i)
            if (!told_no(recording.events[i]) &&
                asks_the_same(recording.events[no], recording.events[i]))
                found.push_back(i);
        return found;
    };
    std::map<std::uint32_t, std::vector<std::uint32_t>> yes;
    for (const std::uint32_t no : plan.folded) yes[no] = told_yes(no);
    for (const Recording::MergedWork& each : recording.work) {
        if (yes.contains(each.before)) {
            for (const std::uint32_t event : yes[each.before])
                for (const Recording::RankWork& rank : each.ranks) {
                    between[event].first += rank.seconds;
                    between[event].second += static_cast<double>(rank.count);
                }
        } else if (yes.contains(each.after)) {
            for (const std::uint32_t event : yes[each.after])
                add_work(work[{each.before, event}], each.ranks);
        } else {
            add_work(work[{each.before, each.after}], each.ranks);
        }
    }
    result.work.clear();
    for (auto& [place, ranks] : work) result.work.push_back({place.first, place.second, ranks});
    for (const auto& [event, sum] : between)
        if (sum.second > 0) pauses[event] = sum.first / sum.second;
    return result;
}

}  // namespace refrain::proxy
