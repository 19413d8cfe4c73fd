#include "generate/computations.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace refrain::proxy {
namespace {

constexpr double counts_alike = 0.02;     // modelled counts and times that differ by less are one,
constexpr double counts_floor = 4;        // or by less than this,
constexpr double seconds_floor = 0.3e-6;  // or this
/// What an event has less of than this share of what its rank has on average, by instructions, is rare there.
constexpr double rare_share = 0.3;

Quantities quantities_of(const Recording::RankWork& work) {
    Quantities all{};
    for (std::size_t i = 0; i < metric_count; ++i) all[i] = static_cast<double>(work.counts[i]);
    all[seconds_row] = work.seconds;
    return all;
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
            add(typical[rank.rank], quantities_of(rank));
    for (Quantities& each : typical) each = divided(each, std::max(1.0, each[instructions]));
    for (std::size_t i = 0; i < recording.work.size(); ++i) {
        const Recording::MergedWork& work = recording.work[i];
        const std::size_t first = computations_.size();
        for (std::size_t k = 0; k < work.ranks.size(); ++k) {
            const Recording::RankWork& rank = work.ranks[k];
            if (rank.count == 0) continue;
            const Quantities all = quantities_of(rank);
            const Quantities mean = divided(all, static_cast<double>(rank.count));
            auto found = std::find_if(
                computations_.begin() + static_cast<std::ptrdiff_t>(first), computations_.end(),
                [&](const Computation& other) { return alike(other.mean, mean); });
            if (found == computations_.end()) {
                found = computations_.insert(found, Computation());
                found->mean = mean;
                found->goal.executions = 0;
                found->goal.with_time = has_time(recording.source);
            }
            add(found->goal.total, all);
            for (std::size_t row = 0; row < metric_count; ++row)
                found->goal.rare[row] += rare_share * all[instructions] * typical[rank.rank][row];
            found->goal.executions += rank.count;
            found->members.push_back({i, k});
            at_[{work.before, work.after}][rank.rank] =
                static_cast<std::size_t>(found - computations_.begin());
        }
    }
    for (Computation& each : computations_) each.shares = fit(machine_, each.goal);
    make_events();
}

int Computations::event_of(std::uint32_t before, std::uint32_t after, std::uint32_t rank) const {
    const auto work = at_.find({before, after});
    if (work == at_.end()) return -1;
    const auto found = work->second.find(rank);
    return found == work->second.end() ? -1 : computations_[found->second].event;
}

void Computations::make_events() {
    events_.clear();
    for (Computation& each : computations_) {
        each.event = each.shares.empty() ? -1 : static_cast<int>(events_.size());
        if (each.event < 0) continue;
        BlockEvent& event = events_.emplace_back();
        for (const Share& share : each.shares)
            event.rates.emplace_back(
                block_named(machine_.blocks[share.block].name),
                static_cast<double>(share.repetitions) / static_cast<double>(each.goal.executions));
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
            done[i] += static_cast<double>(measured[member.work][member.rank][i]);
    done[seconds_row] = computation.goal.total[seconds_row];  // not measured under the tool
    return done;
}

std::vector<Quantities> Computations::left_over(const Measured& measured) const {
    std::vector<Quantities> left(recording_.size());
    std::vector<double> computed(recording_.size(), 0);
    for (const Computation& each : computations_)
        for (const Member& member : each.members) {
            const Recording::RankWork& rank = recording_.work[member.work].ranks[member.rank];
            const Counts& done = measured[member.work][member.rank];
            if (each.event >= 0)
                computed[rank.rank] += static_cast<double>(rank.counts[instructions]);
            else
                for (std::size_t i = 0; i < metric_count; ++i)
                    left[rank.rank][i] +=
                        static_cast<double>(rank.counts[i]) - static_cast<double>(done[i]);
        }
    for (std::size_t rank = 0; rank < left.size(); ++rank)
        left[rank] = divided(left[rank], std::max(1.0, computed[rank]));
    return left;
}

void Computations::learn(const Measured& measured, double error) {
    if (!settled_ || error < least_error_) {
        settled_ = shares_of_all();
        least_error_ = error;
    }
    const std::vector<Quantities> left = left_over(measured);
    for (Computation& each : computations_) {
        const Quantities done = done_by(each, measured);
        const Quantities planned = predicted(machine_, each.shares, each.goal.executions);
        ++each.rounds;
        for (std::size_t row = 0; row < metric_count; ++row) {
            const double around = done[row] - planned[row];
            // Blocks change each other's misses: a mean of all rounds, of late ones more, swings less.
            const double taken = is_modelled(row) ? 2.0 / (each.rounds + 1) : 1;
            each.around[row] += taken * (around - each.around[row]);
            each.goal.more[row] = -each.around[row];
        }
        // What is left over elsewhere is done here, so that totals are kept.
        if (each.event >= 0)
            for (const Member& member : each.members) {
                const Recording::RankWork& rank = recording_.work[member.work].ranks[member.rank];
                for (std::size_t row = 0; row < metric_count; ++row)
                    each.goal.more[row] +=
                        left[rank.rank][row] * static_cast<double>(rank.counts[instructions]);
            }
        each.shares = fit(machine_, each.goal);
    }
    make_events();
}

void Computations::settle() {
    if (!settled_) return;
    for (std::size_t i = 0; i < computations_.size(); ++i) computations_[i].shares = (*settled_)[i];
    make_events();
}

std::vector<std::vector<Share>> Computations::shares_of_all() const {
    std::vector<std::vector<Share>> all;
    for (const Computation& each : computations_) all.push_back(each.shares);
    return all;
}

}  // namespace refrain::proxy
