#include "proxy_page/phases.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <utility>

namespace refrain::proxy {
namespace {

using strings::Run;

constexpr std::size_t lane_loops_max = 64;  // of a main rule, the longest: what is aligned
// A row of one call is a loop of its own if it takes this share of what lies between MPI_Init and MPI_Finalize.
constexpr double call_share_min = 0.01;

/// Ranks with one main rule.
struct Lane {
    RankSet ranks;
    std::vector<Run> runs;
    /// Runs that are loops, in their order, and which loop of all lanes each is.
    struct Loop {
        std::size_t run = 0;
        double seconds = 0;  // of all ranks
        std::size_t number = 0;
    };
    std::vector<Loop> loops;
};

/// A loop of several lanes.
struct Shared {
    std::uint64_t turns = 0;
    double seconds = 0;
};

std::vector<Lane> lanes_of(const Recording& recording) {
    std::vector<std::vector<std::uint32_t>> own(recording.size());
    for (std::uint32_t i = 0; i < recording.main.size(); ++i)
        for (const std::uint32_t rank : recording.main[i].ranks.members()) own[rank].push_back(i);
    std::map<std::vector<std::uint32_t>, std::size_t> known;
    std::vector<Lane> lanes;
    for (std::uint32_t rank = 0; rank < recording.size(); ++rank) {
        const auto [at, is_new] = known.try_emplace(std::move(own[rank]), lanes.size());
        if (is_new) {
            Lane& lane = lanes.emplace_back();
            for (const std::uint32_t i : at->first) lane.runs.push_back(recording.main[i].run);
        }
        lanes[at->second].ranks.add(rank);
    }
    return lanes;
}

void keep_longest(std::vector<Lane::Loop>& loops, std::size_t most) {
    if (loops.size() <= most) return;
    std::vector<double> seconds;
    for (const Lane::Loop& loop : loops) seconds.push_back(loop.seconds);
    std::nth_element(seconds.begin(), seconds.begin() + static_cast<std::ptrdiff_t>(most - 1),
                     seconds.end(), std::greater<>());
    const double least = seconds[most - 1];
    std::erase_if(loops, [&](const Lane::Loop& loop) { return loop.seconds < least; });
    if (loops.size() > most) loops.resize(most);
}

/// By the times of the first of its ranks.
void find_loops(const Recording& recording, const RuleBook& book, const RuleTimes& times,
                Lane& lane) {
    double whole = 0;
    std::vector<double> seconds;
    std::uint32_t before = Work::start;
    for (const Run& run : lane.runs) {
        seconds.push_back(times.of(run, before));
        before = book.last_of(run);
        const Function function = recording.events[book.first_of(run)].function;
        if (function != Function::Init_ && function != Function::Init_thread_ &&
            function != Function::Finalize_)
            whole += seconds.back();
    }
    for (std::size_t i = 0; i < lane.runs.size(); ++i)
        if (lane.runs[i].count > 1 &&
            (lane.runs[i].is_rule || seconds[i] >= call_share_min * whole))
            lane.loops.push_back({i, seconds[i] * static_cast<double>(lane.ranks.size()), 0});
    keep_longest(lane.loops, lane_loops_max);
}

/// Pairs of loops in order, as many of equal turns as there are, and then as many others: a longest common subsequence, where
/// an equal pair is worth more than two others.
std::vector<std::optional<std::size_t>> partners(const Lane& lane,
                                                 const std::vector<Shared>& shared) {
    const std::size_t rows = lane.loops.size(), columns = shared.size();
    std::vector<std::size_t> length((rows + 1) * (columns + 1), 0);
    const auto at = [&](std::size_t i, std::size_t j) -> std::size_t& {
        return length[i * (columns + 1) + j];
    };
    const auto pair = [&](std::size_t i, std::size_t j) {
        const bool equal = lane.runs[lane.loops[i].run].count == shared[j].turns;
        return at(i + 1, j + 1) + (equal ? 3 : 1);
    };
    for (std::size_t i = rows; i-- > 0;)
        for (std::size_t j = columns; j-- > 0;)
            at(i, j) = std::max({pair(i, j), at(i + 1, j), at(i, j + 1)});
    std::vector<std::optional<std::size_t>> found(rows);
    for (std::size_t i = 0, j = 0; i < rows && j < columns;) {
        if (at(i, j) == pair(i, j))
            found[i++] = j++;
        else if (at(i + 1, j) >= at(i, j + 1))
            ++i;
        else
            ++j;
    }
    return found;
}

/// Adds the loops of a lane to those of the lanes before it, whose numbers change.
void align(std::vector<Lane>& lanes, std::size_t latest, std::vector<Shared>& shared) {
    Lane& lane = lanes[latest];
    const auto found = partners(lane, shared);
    std::vector<Shared> all;
    std::vector<std::size_t> moved(shared.size());
    std::size_t next = 0;
    const auto copy_to = [&](std::size_t end) {
        for (; next < end; ++next) moved[next] = all.size(), all.push_back(shared[next]);
    };
    for (std::size_t i = 0; i < lane.loops.size(); ++i) {
        if (found[i]) copy_to(*found[i] + 1);
        if (!found[i]) all.push_back({lane.runs[lane.loops[i].run].count, 0});
        all.back().seconds += lane.loops[i].seconds;
        lane.loops[i].number = all.size() - 1;
    }
    copy_to(shared.size());
    for (std::size_t i = 0; i < latest; ++i)
        for (Lane::Loop& loop : lanes[i].loops) loop.number = moved[loop.number];
    shared = std::move(all);
}

/// Leaves the longest loops; numbers are those of what is left.
void choose(std::vector<Lane>& lanes, std::vector<Shared>& shared, std::size_t most) {
    std::vector<Lane::Loop> order;
    for (std::size_t i = 0; i < shared.size(); ++i) order.push_back({i, shared[i].seconds, 0});
    keep_longest(order, most);
    std::vector<std::optional<std::size_t>> number(shared.size());
    std::vector<Shared> kept;
    for (const Lane::Loop& loop : order) {
        number[loop.run] = kept.size();
        kept.push_back(shared[loop.run]);
    }
    for (Lane& lane : lanes) {
        std::erase_if(lane.loops, [&](const Lane::Loop& loop) { return !number[loop.number]; });
        for (Lane::Loop& loop : lane.loops) loop.number = *number[loop.number];
    }
    shared = std::move(kept);
}

/// Loop i is phase 2 i + 1; what lies before it is phase 2 i, but what begins a run is always in the first phase, and what ends
/// it in the last one.
void add_to_phases(const Lane& lane, const RuleBook& book, std::vector<PhaseRuns>& phases) {
    std::size_t from = 0;
    std::uint32_t before = Work::start;
    const auto between = [&](std::size_t phase, std::size_t end) {
        if (from == end) return;
        const auto begin = lane.runs.begin();
        phases[phase].parts.push_back(
            {lane.ranks,
             before,
             {begin + static_cast<std::ptrdiff_t>(from), begin + static_cast<std::ptrdiff_t>(end)},
             1});
        before = book.last_of(lane.runs[end - 1]);
    };
    for (const Lane::Loop& loop : lane.loops) {
        between(from == 0 ? 0 : 2 * loop.number, loop.run);
        Run once = lane.runs[loop.run];
        before = book.last_of(once);
        const std::uint64_t turns = std::exchange(once.count, 1);
        phases[2 * loop.number + 1].parts.push_back({lane.ranks, before, {once}, turns});
        from = loop.run + 1;
    }
    between(phases.size() - 1, lane.runs.size());
}

}  // namespace

std::vector<PhaseRuns> phases_of(const Recording& recording, const RuleBook& book,
                                 std::span<const RuleTimes> times, std::size_t loops_max) {
    std::vector<Lane> lanes = lanes_of(recording);
    std::vector<Shared> shared;
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        find_loops(recording, book, times[lanes[i].ranks.ranges().front().first], lanes[i]);
        align(lanes, i, shared);
        // Of lanes that have nothing in common: what takes little is not compared with all others.
        if (shared.size() > 4 * lane_loops_max) choose(lanes, shared, lane_loops_max);
    }
    choose(lanes, shared, loops_max);
    std::vector<PhaseRuns> phases(2 * shared.size() + 1);
    for (std::size_t i = 0; i < shared.size(); ++i) phases[2 * i + 1].is_loop = true;
    for (const Lane& lane : lanes) add_to_phases(lane, book, phases);
    std::erase_if(phases, [](const PhaseRuns& phase) { return phase.parts.empty(); });
    return phases;
}

}  // namespace refrain::proxy
