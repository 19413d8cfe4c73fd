#include "generate/threads.hpp"

#include "generate/thread_uses.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

namespace refrain::proxy {
namespace {

using strings::Run;

constexpr std::size_t conflicts_told_max = 4;  // each with how many are like it

/// How a thread uses a thing in all: the first call that uses it alone, and the first that uses it at all.
struct Total {
    std::optional<std::uint32_t> alone;
    std::uint32_t first = 0;  // the number of its event
};
using Totals = std::map<Thing, Total>;

void add(Totals& totals, const ThingUse& use, std::uint32_t event) {
    Total& total = totals.try_emplace(use.thing, Total{{}, event}).first->second;
    if (use.alone && !total.alone) total.alone = event;
}

/// Says of each call of a stream what it uses. Calls that are equal are looked at once, until a communicator is made: then
/// its number may be another's.
class StreamUses {
  public:
    StreamUses(const Recording& recording, std::uint32_t rank, std::uint32_t thread)
        : recording_(recording), book_(communicators_before(recording, rank, thread)) {
        known_.resize(recording.events.size());
    }
    const std::vector<ThingUse>& of(std::uint32_t number) {
        std::optional<std::vector<ThingUse>>& known = known_[number];
        if (known) return *known;
        const Event event = book_.resolve(recording_.events[number]);
        const std::vector<Role> all = roles(event);
        const bool makes = std::any_of(all.begin(), all.end(), [](Role role) {
            return role == Role::made_size || role == Role::made_window;
        });
        if (makes) known_.assign(recording_.events.size(), std::nullopt);
        known_[number] = uses_.of(event);
        return *known_[number];
    }

  private:
    const Recording& recording_;
    CommunicatorBook book_;
    ThingUses uses_;
    std::vector<std::optional<std::vector<ThingUse>>> known_;
};

/// Two calls of two threads whose order nobody knows.
struct Conflict {
    std::string text;
    std::string like;  // the same of all that differ in threads and numbers only
};

/// The threads of one rank, beside its first one.
class RankThreads {
  public:
    struct Place {
        bool exists = false;
        ThreadLife life;
        Totals totals;
        /// How many calls of the first thread come before it begins, and the call before which it must end.
        std::uint64_t start_min = 1, join_max = 0;
        std::uint64_t start = 0, join = 0;
    };

    RankThreads(const Recording& recording, std::uint32_t rank)
        : recording_(recording), rank_(rank), places_(recording.threads.size() + 1) {
        const strings::Grammar main = recording.grammar_of(rank);
        const auto lengths = strings::expanded_lengths(main);
        std::uint64_t at = 0;
        for (const Run& run : main[0])
            bounds_.push_back(at += run.count * (run.is_rule ? lengths[run.symbol] : 1));
        calls_ = at;
        for (std::uint32_t thread = 1; thread < places_.size(); ++thread) read_thread(thread);
        meet_main(main);
        for (std::uint32_t a = 1; a < places_.size(); ++a)
            for (std::uint32_t b = a + 1; b < places_.size(); ++b) meet(a, b);
    }

    [[nodiscard]] const std::vector<Conflict>& conflicts() const { return conflicts_; }

    /// Where threads begin and end, in order, by the number of calls of the first thread that come before.
    [[nodiscard]] std::vector<std::pair<std::uint64_t, ThreadPoint>> points() {
        for (Place& place : places_)
            if (place.exists) place.join = first_bound(place.life.before, place.join_max);
        for (const auto& [early, late] : ordered_)
            places_[late].start_min = std::max(places_[late].start_min, places_[early].join);
        for (Place& place : places_)
            if (place.exists) place.start = last_bound(place.start_min, place.life.behind);
        std::vector<std::pair<std::uint64_t, ThreadPoint>> points;
        std::vector<bool> joined(places_.size(), false);
        const auto join = [&](std::uint32_t thread) {
            points.push_back({places_[thread].join, {ThreadPoint::What::join, thread}});
            joined[thread] = true;
        };
        // By where they begin; of those at one place, the one first that called first.
        std::vector<std::uint32_t> order;
        for (std::uint32_t thread = 1; thread < places_.size(); ++thread)
            if (places_[thread].exists) order.push_back(thread);
        std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return std::pair(places_[a].start, places_[a].life.began) <
                   std::pair(places_[b].start, places_[b].life.began);
        });
        for (std::size_t i = 0; i < order.size(); ++i) {
            const Place& next = places_[order[i]];
            for (std::size_t k = 0; k < i; ++k) {
                const Place& early = places_[order[k]];
                if (!joined[order[k]] && early.join <= next.start &&
                    early.life.ended <= next.life.began)
                    join(order[k]);
            }
            points.push_back({next.start, {ThreadPoint::What::start, order[i]}});
        }
        for (const std::uint32_t thread : order)
            if (!joined[thread]) join(thread);
        std::stable_sort(points.begin(), points.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        return points;
    }

  private:
    void read_thread(std::uint32_t thread) {
        Place& place = places_[thread];
        const strings::Grammar grammar = recording_.grammar_of(rank_, thread);
        place.exists = !grammar[0].empty();
        if (!place.exists) return;
        place.life = recording_.threads[thread - 1].lives[rank_];
        // Finalize is the last call of the first thread, and behind all.
        place.life.before = std::min(place.life.before, calls_ - 1);
        place.life.behind = std::min(place.life.behind, place.life.before);
        place.join_max = calls_ - 1;
        StreamUses uses(recording_, rank_, thread);
        for (strings::GrammarCursor at(grammar); !at.done(); at.next())
            for (const ThingUse& use : uses.of(at.terminal()))
                add(place.totals, use, at.terminal());
    }

    /// The first thread's calls, in their order, beside those of the others.
    void meet_main(const strings::Grammar& main) {
        std::map<Thing, std::vector<std::pair<std::uint32_t, const Total*>>> users;
        for (std::uint32_t thread = 1; thread < places_.size(); ++thread)
            for (const auto& [thing, total] : places_[thread].totals)
                users[thing].emplace_back(thread, &total);
        if (users.empty()) return;
        StreamUses uses(recording_, rank_, 0);
        std::uint64_t first = 0;
        for (strings::GrammarCursor at(main); !at.done(); at.next()) {
            const std::uint64_t end = first + at.count();
            for (const ThingUse& use : uses.of(at.terminal())) {
                const auto found = users.find(use.thing);
                if (found == users.end()) continue;
                for (const auto& [thread, total] : found->second)
                    if (use.alone || total->alone)
                        meet_call(thread, use, *total, at.terminal(), first, end);
            }
            first = end;
        }
    }

    /// Calls `first` to `end` of the first thread are ordered with all of another one.
    void meet_call(std::uint32_t thread, const ThingUse& use, const Total& total,
                   std::uint32_t event, std::uint64_t first, std::uint64_t end) {
        Place& place = places_[thread];
        if (first < place.life.before && end > place.life.behind)
            add_conflict(0, event, thread, use.alone ? total.first : *total.alone, use.thing);
        if (first < place.life.behind)
            place.start_min = std::max(place.start_min, std::min(end, place.life.behind));
        if (end > place.life.before)
            place.join_max = std::min(place.join_max, std::max(first, place.life.before));
    }

    void meet(std::uint32_t a, std::uint32_t b) {
        if (!places_[a].exists || !places_[b].exists) return;
        const bool a_first = places_[a].life.is_before(places_[b].life);
        const bool ordered = a_first || places_[b].life.is_before(places_[a].life);
        for (const auto& [thing, one] : places_[a].totals) {
            const auto found = places_[b].totals.find(thing);
            if (found == places_[b].totals.end()) continue;
            const Total& other = found->second;
            if (!one.alone && !other.alone) continue;
            if (!ordered)
                add_conflict(a, one.alone.value_or(one.first), b,
                             one.alone ? other.first : *other.alone, thing);
            const auto [early, late] = a_first ? std::pair(a, b) : std::pair(b, a);
            ordered_.emplace(early, late);
            places_[early].join_max = std::min(places_[early].join_max, places_[late].life.behind);
        }
    }

    /// "MPI_Send in main.c:7"
    [[nodiscard]] std::string words(std::uint32_t number) const {
        const Event& event = recording_.events[number];
        const std::string place = recording_.place_of(event);
        return "MPI_" + std::string(info(event.function).name) +
               (place.empty() ? "" : " in " + place);
    }
    void add_conflict(std::uint32_t a, std::uint32_t a_event, std::uint32_t b,
                      std::uint32_t b_event, const Thing& thing) {
        const std::string first = words(a_event), second = words(b_event);
        const bool is_handle = thing.kind == Thing::Kind::handle;
        conflicts_.push_back(
            {"thread " + std::to_string(a) + " (" + first + ") and thread " + std::to_string(b) +
                 " (" + second + ") both use " + describe(thing) +
                 " while both call MPI: nothing that MPI sees decides their order",
             first + '\n' + second + '\n' + std::to_string(static_cast<int>(thing.kind)) +
                 (is_handle ? '\n' + std::to_string(thing.which[0]) : std::string())});
    }

    /// The first end of a run of the main rule from `least` on; if that lies behind `most`, `most`.
    [[nodiscard]] std::uint64_t first_bound(std::uint64_t least, std::uint64_t most) const {
        const auto found = std::lower_bound(bounds_.begin(), bounds_.end(), least);
        return found == bounds_.end() ? most : std::min(*found, most);
    }
    /// The last one up to `most`; if that lies before `least`, `most`.
    [[nodiscard]] std::uint64_t last_bound(std::uint64_t least, std::uint64_t most) const {
        const auto found = std::upper_bound(bounds_.begin(), bounds_.end(), most);
        return found == bounds_.begin() || *(found - 1) < least ? most : *(found - 1);
    }

    const Recording& recording_;
    std::uint32_t rank_;
    std::vector<Place> places_;          // by thread; of the first one nothing
    std::vector<std::uint64_t> bounds_;  // of the runs of the first thread's main rule, by calls
    std::uint64_t calls_ = 0;            // of the first thread
    std::set<std::pair<std::uint32_t, std::uint32_t>>
        ordered_;  // the first one ends before the second begins
    std::vector<Conflict> conflicts_;
};

/// Parts of a main rule, cut where threads begin and end.
class Cut {
  public:
    explicit Cut(const std::vector<std::vector<Run>>& rules)
        : rules_(rules), lengths_(strings::expanded_lengths(rules)) {}

    /// Appends calls `begin` to `end` of what runs expand to.
    void append(const std::vector<Run>& runs, std::uint64_t begin, std::uint64_t end,
                std::vector<Run>& out) const {
        std::uint64_t at = 0;
        for (const Run& run : runs) {
            const std::uint64_t each = run.is_rule ? lengths_[run.symbol] : 1;
            const std::uint64_t first = std::max(begin, at),
                                last = std::min(end, at + each * run.count);
            if (first < last) append(run, each, first - at, last - at, out);
            at += each * run.count;
        }
    }

  private:
    void append(const Run& run, std::uint64_t each, std::uint64_t begin, std::uint64_t end,
                std::vector<Run>& out) const {
        const std::uint64_t whole_begin = (begin + each - 1) / each, whole_end = end / each;
        if (whole_begin > whole_end) {  // within one iteration
            append(rules_[run.symbol], begin % each, end - begin / each * each, out);
            return;
        }
        if (begin % each != 0) append(rules_[run.symbol], begin % each, each, out);
        if (whole_begin < whole_end)
            out.push_back({whole_end - whole_begin, run.symbol, run.is_rule});
        if (end % each != 0) append(rules_[run.symbol], 0, end % each, out);
    }

    const std::vector<std::vector<Run>>& rules_;
    std::vector<std::uint64_t> lengths_;
};

/// Gives what threads made numbers behind those that the first thread gave out.
class DenseNumbers {
  public:
    explicit DenseNumbers(Recording& recording) {
        add_slots(recording);
        for (const Event& event : recording.events)
            each(event, [&](Role role, std::int64_t number) {
                if (thread_of(number) == 0)
                    next_[role] = std::max(next_[role], number + 1);
                else
                    numbers_[role][number];
            });
        for (auto& [role, numbers] : numbers_) {
            std::int64_t next = std::max(next_[role], floor_of(role));
            for (auto& [number, dense] : numbers) dense = next++;
        }
        for (Event& event : recording.events) renumber(event);
    }

  private:
    static Role role_of(Role role) { return role == Role::made_window ? Role::window : role; }
    static std::int64_t floor_of(Role role) {
        return role == Role::type    ? derived_type
               : role == Role::op    ? user_op
               : role == Role::comm  ? 2
               : role == Role::group ? 1
                                     : 0;
    }
    template <class Visit>
    static void each(const Event& event, const Visit& visit) {
        const std::vector<Role> all = roles(event);
        for (std::size_t i = 0; i < all.size(); ++i)
            if (is_handle(all[i])) visit(role_of(all[i]), event.values[i]);
    }
    void add_slots(Recording& recording) {
        slot_bases_.push_back(0);
        for (Recording::Thread& thread : recording.threads) {
            slot_bases_.push_back(static_cast<std::int64_t>(recording.slots.size()));
            recording.slots.insert(recording.slots.end(), thread.slots.begin(), thread.slots.end());
        }
    }
    void renumber(Event& event) const {
        const std::vector<Role> all = roles(event);
        for (std::size_t i = 0; i < all.size(); ++i) {
            std::int64_t& value = event.values[i];
            if (thread_of(value) == 0) continue;
            if (is_handle(all[i])) value = numbers_.at(role_of(all[i])).at(value);
            if (all[i] == Role::buffer && thread_of(value) < slot_bases_.size())
                value += slot_bases_[thread_of(value)] - first_number_of(thread_of(value));
        }
    }

    std::map<Role, std::int64_t> next_;
    std::map<Role, std::map<std::int64_t, std::int64_t>> numbers_;
    std::vector<std::int64_t> slot_bases_;  // by thread
};

}  // namespace

std::vector<std::string> thread_obstacles(const Recording& recording) {
    if (recording.threads.empty() || !recording.complete()) return {};
    std::vector<std::pair<std::string, std::uint64_t>> kinds;  // the first, and how many more
    std::map<std::string, std::size_t> known;                  // by what is alike
    std::set<std::string> all;
    for (std::uint32_t rank = 0; rank < recording.size(); ++rank) {
        const RankThreads threads(recording, rank);
        for (const Conflict& each : threads.conflicts()) {
            const std::string text = "rank " + std::to_string(rank) + ": " + each.text;
            if (!all.insert(text).second) continue;
            const auto [kind, is_new] = known.try_emplace(each.like, kinds.size());
            if (is_new)
                kinds.emplace_back(text, 0);
            else
                ++kinds[kind->second].second;
        }
    }
    std::vector<std::string> told;
    std::uint64_t others = 0;
    for (const auto& [text, more] : kinds)
        if (told.size() < conflicts_told_max)
            told.push_back(text + (more == 0 ? "" : "; " + std::to_string(more) + " more like it"));
        else
            others += 1 + more;
    if (others != 0)
        told.push_back(std::to_string(others) + " more " +
                       (others == 1 ? "conflict" : "conflicts") +
                       " of threads, between other calls");
    return told;
}

ThreadedRecording place_threads(const Recording& recording) {
    ThreadedRecording result{recording, {}};
    std::map<std::pair<int, std::uint32_t>, std::uint32_t> numbers;
    const auto event_of = [&](const ThreadPoint& point) {
        const auto [known, is_new] = numbers.try_emplace(
            {static_cast<int>(point.what), point.thread},
            static_cast<std::uint32_t>(result.recording.events.size() + numbers.size()));
        if (is_new) result.points[known->second] = point;
        return known->second;
    };
    const Cut cut(recording.rules);
    std::vector<std::vector<Run>> mains;
    for (std::uint32_t rank = 0; rank < recording.size(); ++rank) {
        std::vector<Run> whole;
        for (const MergedRun& run : recording.main)
            if (run.ranks.contains(rank)) whole.push_back(run.run);
        std::vector<Run>& main = mains.emplace_back();
        std::uint64_t at = 0;
        RankThreads threads(recording, rank);
        for (const auto& [place, point] : threads.points()) {
            cut.append(whole, at, place, main);
            main.push_back({1, event_of(point), false});
            at = place;
        }
        cut.append(whole, at, ~std::uint64_t{0}, main);
    }
    DenseNumbers dense(result.recording);
    result.recording.main = merge_mains(mains);
    Event nothing;
    nothing.values = {0, 0};
    result.recording.events.resize(result.recording.events.size() + numbers.size(), nothing);
    result.recording.times.resize(result.recording.events.size());
    return result;
}

}  // namespace refrain::proxy
