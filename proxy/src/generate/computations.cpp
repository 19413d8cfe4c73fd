#include "generate/computations.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace refrain::proxy {
namespace {

constexpr double counts_alike = 0.02;     // modelled counts and times that differ by less are one,
constexpr double counts_floor = 4;        // or by less than this,
constexpr double seconds_floor = 0.3e-6;  // or this

Quantities quantities_of(const Counts& counts, double seconds) {
    Quantities all{};
    for (std::size_t i = 0; i < metric_count; ++i) all[i] = static_cast<double>(counts[i]);
    all[seconds_row] = seconds;
    return all;
}

/// Nobody knows how long each thread of a team was at work; without a clock that means something, nobody knows anything.
double seconds_of(const Recording::RankWork& work, std::size_t part, Source source) {
    if (part != 0 || !has_time(source)) return 0;
    return work.team_counts.empty() ? work.seconds : work.seconds - work.team.seconds;
}

void add(Quantities& sum, const Quantities& more) {
    for (std::size_t row = 0; row < quantity_count; ++row) sum[row] += more[row];
}

Quantities divided(Quantities all, double by) {
    for (double& each : all) each /= by;
    return all;
}

/// What is exact is equal, what is modelled or timed nearly so.
bool alike(const Quantities& a, const Quantities& b) {
    for (std::size_t row = 0; row < quantity_count; ++row) {
        const bool near = row == seconds_row || is_modelled(row);
        const double floor = row == seconds_row ? seconds_floor : counts_floor;
        const double most = std::max(a[row], b[row]);
        if (std::abs(a[row] - b[row]) > (near ? std::max(floor, counts_alike * most) : 0.0))
            return false;
    }
    return true;
}

constexpr std::size_t instructions = static_cast<std::size_t>(Metric::instructions);

}  // namespace

Computations::Computations(const Recording& recording, const Machine& machine)
    : recording_(recording), machine_(machine) {
    std::vector<Quantities> typical(recording.size());
    for (const Recording::MergedWork& work : recording.work)
        for (const Recording::RankWork& rank : work.ranks)
            add(typical[rank.rank], quantities_of(rank.counts, rank.seconds));
    for (Quantities& each : typical) each = divided(each, std::max(1.0, each[instructions]));
    for (std::size_t i = 0; i < recording.work.size(); ++i) {
        const Recording::MergedWork& work = recording.work[i];
        const std::size_t first = computations_.size();
        for (std::size_t k = 0; k < work.ranks.size(); ++k) {
            if (work.ranks[k].count == 0) continue;
            for (std::size_t part = 0; part <= work.ranks[k].team_counts.size(); ++part)
                add_member({i, k, part}, first, typical);
        }
    }
    for (Computation& each : computations_) each.plan = fit(machine_, each.goal);
    make_events();
}

/// `first`: of the computations of this work. `typical`: what each rank does per instruction.
void Computations::add_member(const Member& member, std::size_t first,
                              std::vector<Quantities>& typical) {
    const Recording::MergedWork& work = recording_.work[member.work];
    const Recording::RankWork& rank = work.ranks[member.rank];
    const Quantities all =
        quantities_of(counts_of(member), seconds_of(rank, member.part, recording_.source));
    const Quantities mean = divided(all, static_cast<double>(rank.count));
    auto found = std::find_if(computations_.begin() + static_cast<std::ptrdiff_t>(first),
                              computations_.end(), [&](const Computation& other) {
                                  return other.members.front().part == member.part &&
                                         alike(other.mean, mean);
                              });
    if (found == computations_.end()) {
        found = computations_.insert(found, Computation());
        found->mean = mean;
        found->goal.executions = 0;
        found->goal.with_time = has_time(recording_.source) && member.part == 0;
    }
    // What blocks are to do is less by what a team costs, if that is known.
    const bool knows_teams = machine_.team_part[instructions] > 0;
    for (std::size_t row = 0; row < metric_count && knows_teams && !rank.team_counts.empty(); ++row)
        found->goal.more[row] -= static_cast<double>(rank.count) *
                                 (member.part == 0 ? machine_.team_begin[row]
                                                   : machine_.team_part[row] - machine_.entry[row]);
    add(found->goal.total, all);
    for (std::size_t row = 0; row < metric_count; ++row)
        found->goal.usual[row] += all[instructions] * typical[rank.rank][row];
    found->goal.executions += rank.count;
    found->goal.by_rank.push_back(rank.count);
    found->members.push_back(member);
    at_[{work.before, work.after}][rank.rank].push_back(
        static_cast<std::size_t>(found - computations_.begin()));
}

std::vector<int> Computations::events_of(std::uint32_t before, std::uint32_t after,
                                         std::uint32_t rank) const {
    std::vector<int> events;
    const auto work = at_.find({before, after});
    if (work == at_.end()) return events;
    const auto found = work->second.find(rank);
    if (found == work->second.end()) return events;
    for (const std::size_t computation : found->second)
        events.push_back(computations_[computation].event);
    return events;
}

Counts Computations::counts_of(const Member& member) const {
    const Recording::RankWork& rank = recording_.work[member.work].ranks[member.rank];
    return parts_of(rank.counts, rank.team_counts)[member.part];
}

/// What is done alone is the first thread's.
Computations::Thread Computations::thread_of(const Member& member) const {
    const Recording::RankWork& rank = recording_.work[member.work].ranks[member.rank];
    return {rank.rank, std::max<std::size_t>(member.part, 1) - 1};
}

void Computations::make_events() {
    events_.clear();
    for (Computation& each : computations_) {
        each.event = each.plan.shares.empty() ? -1 : static_cast<int>(events_.size());
        if (each.event < 0) continue;
        BlockEvent& event = events_.emplace_back();
        event.every = each.plan.every;
        const std::uint64_t runs = event.every == 1 ? each.goal.executions : each.plan.runs;
        for (const Share& share : each.plan.shares)
            event.rates.emplace_back(
                block_named(machine_.block_kind, machine_.blocks[share.block].name).value(),
                static_cast<double>(share.repetitions) / static_cast<double>(runs));
        char comment[120];
        std::snprintf(comment, sizeof comment,
                      "%.0f instructions, %.0f loads and stores, %.0f operations on numbers",
                      each.mean[0], each.mean[1] + each.mean[2],
                      each.mean[static_cast<std::size_t>(Metric::flops)]);
        event.comment = comment;
    }
}

Quantities Computations::done_by(const Computation& computation, const Measured& measured) {
    Quantities done{};
    for (const Member& member : computation.members)
        for (std::size_t i = 0; i < metric_count; ++i)
            done[i] += static_cast<double>(measured[member.work][member.rank][member.part][i]);
    done[seconds_row] = computation.goal.total[seconds_row];  // not measured under the tool
    return done;
}

std::map<Computations::Thread, Quantities> Computations::residues() const {
    std::map<Thread, Quantities> left;
    std::map<Thread, double> computed;
    for (const Computation& each : computations_) {
        const Quantities planned = predicted(machine_, each.plan, each.goal.executions);
        for (const Member& member : each.members) {
            const auto mine = static_cast<double>(counts_of(member)[instructions]);
            const double part = mine / std::max(1.0, each.goal.total[instructions]);
            Quantities& sum = left[thread_of(member)];
            for (std::size_t row = 0; row < metric_count; ++row)
                sum[row] += part * (each.goal.total[row] + each.goal.more[row] - planned[row]);
            if (!each.plan.shares.empty()) computed[thread_of(member)] += mine;
        }
    }
    for (auto& [thread, all] : left) all = divided(all, std::max(1.0, computed[thread]));
    return left;
}

void Computations::learn(const Measured& measured, double error) {
    if (!settled_ || error < least_error_) {
        settled_ = plans();
        least_error_ = error;
    }
    for (Computation& each : computations_) {
        const Quantities done = done_by(each, measured);
        const Quantities planned = predicted(machine_, each.plan, each.goal.executions);
        ++each.rounds;
        for (std::size_t row = 0; row < metric_count; ++row) {
            const double around = done[row] - planned[row];
            // Blocks change each other's misses: a mean of all rounds, of late ones more, swings less.
            const double taken = is_modelled(row) ? 2.0 / (each.rounds + 1) : 1;
            each.around[row] += taken * (around - each.around[row]);
            each.goal.more[row] = -each.around[row];
        }
        each.plan = fit(machine_, each.goal, each.plan);
    }
    // What is left over is done elsewhere, so that totals are kept.
    const std::map<Thread, Quantities> left = residues();
    for (Computation& each : computations_) {
        if (each.plan.shares.empty()) continue;
        for (const Member& member : each.members) {
            const auto mine = static_cast<double>(counts_of(member)[instructions]);
            for (std::size_t row = 0; row < metric_count; ++row)
                each.goal.more[row] += left.at(thread_of(member))[row] * mine;
        }
        each.plan = fit(machine_, each.goal, each.plan);
    }
    make_events();
}

void Computations::settle() {
    if (!settled_) return;
    for (std::size_t i = 0; i < computations_.size(); ++i) computations_[i].plan = (*settled_)[i];
    make_events();
}

std::vector<Plan> Computations::plans() const {
    std::vector<Plan> all;
    for (const Computation& each : computations_) all.push_back(each.plan);
    return all;
}

}  // namespace refrain::proxy
