#include "fit/fit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fit/nnls.hpp"

namespace refrain::proxy {
namespace {

/// Of the instructions: less of an exact count, or of a modelled one, is rare.
constexpr double floor_counted = 5e-3;
constexpr double floor_modelled = 3e-4;
constexpr double floor_each = 2;        // per execution: what calls around it change by chance
constexpr double floor_seconds = 1e-9;  // per execution
/// Exact counts come first, then modelled ones: time decides between blocks that count alike.
constexpr double seconds_weight = 0.1;
constexpr double modelled_weight = 0.5;
constexpr int turns_max = 4;

struct Problem {
    std::vector<std::size_t> rows;
    Quantities weight{};
    Quantities aim{};
    std::uint64_t executions = 1;
};

Problem weigh(const Goal& goal) {
    Problem problem;
    problem.executions = goal.executions;
    const double times = static_cast<double>(goal.executions);
    for (std::size_t row = 0; row < quantity_count; ++row) {
        // What blocks cannot take back is not held against them.
        problem.aim[row] = std::max(0.0, goal.total[row] + goal.more[row]);
        if (row == seconds_row && !goal.with_time) continue;
        problem.rows.push_back(row);
        const double instructions = goal.total[static_cast<std::size_t>(Metric::instructions)];
        const double least =
            row == seconds_row
                ? floor_seconds * times
                : std::max(floor_each * times,
                           instructions * (is_modelled(row) ? floor_modelled : floor_counted));
        const double weight = row == seconds_row ? seconds_weight
                              : is_modelled(row) ? modelled_weight
                                                 : 1.0;
        problem.weight[row] = weight / std::max({goal.total[row], goal.rare[row], least});
    }
    return problem;
}

double distance(const Problem& problem, const Quantities& a, const Quantities& b) {
    double sum = 0;
    for (const std::size_t row : problem.rows) {
        const double off = (a[row] - b[row]) * problem.weight[row];
        sum += off * off;
    }
    return sum;
}

double distance(const Machine& machine, const Problem& problem, const std::vector<Share>& shares) {
    return distance(problem, predicted(machine, shares, problem.executions), problem.aim);
}

/// Steps of one repetition that bring the sum nearer, until there is none.
void refine(const Machine& machine, const Problem& problem, std::vector<Share>& shares) {
    double best = distance(machine, problem, shares);
    for (bool better = true; better;) {
        better = false;
        for (Share& share : shares) {
            for (const int step : {1, -1}) {
                if (step < 0 && share.repetitions == 0) continue;
                share.repetitions += static_cast<std::uint64_t>(step);
                const double now = distance(machine, problem, shares);
                if (now < best * (1 - 1e-9)) {
                    best = now;
                    better = true;
                } else {
                    share.repetitions -= static_cast<std::uint64_t>(step);
                }
            }
        }
    }
}

}  // namespace

Quantities predicted(const Machine& machine, const std::vector<Share>& shares,
                     std::uint64_t executions) {
    Quantities sum{};
    if (shares.empty()) return sum;
    const double times = static_cast<double>(executions);
    for (std::size_t row = 0; row < quantity_count; ++row) {
        sum[row] =
            times * (machine.entry[row] + static_cast<double>(shares.size()) * machine.share[row]);
        for (const Share& share : shares)
            sum[row] +=
                static_cast<double>(share.repetitions) * machine.blocks[share.block].each[row];
    }
    return sum;
}

namespace {

struct Candidate {
    std::vector<Share> shares;
    double distance = 0;
};

/// The best repetitions of these blocks. `shares_assumed`: how many of the blocks it will use, since
/// each that is used has a cost of its own.
Candidate solve(const Machine& machine, const Problem& problem,
                const std::vector<std::size_t>& blocks, std::size_t shares_assumed) {
    const double times = static_cast<double>(problem.executions);
    Matrix matrix;
    matrix.rows = problem.rows.size();
    std::vector<double> right;
    for (const std::size_t block : blocks)
        for (const std::size_t row : problem.rows)
            matrix.values.push_back(machine.blocks[block].each[row] * problem.weight[row]);
    for (const std::size_t row : problem.rows)
        right.push_back(
            problem.weight[row] *
            (problem.aim[row] - times * (machine.entry[row] + static_cast<double>(shares_assumed) *
                                                                  machine.share[row])));
    const std::vector<double> repetitions = nnls(matrix, right);
    Candidate found;
    for (std::size_t i = 0; i < repetitions.size(); ++i)
        if (repetitions[i] >= 0.5)
            found.shares.push_back(
                {blocks[i], static_cast<std::uint64_t>(std::llround(repetitions[i]))});
    refine(machine, problem, found.shares);
    std::erase_if(found.shares, [](const Share& share) { return share.repetitions == 0; });
    found.distance = distance(machine, problem, found.shares);
    return found;
}

/// The same without the block that costs more than it brings, one after the other.
Candidate thinned(const Machine& machine, const Problem& problem, Candidate best) {
    for (bool better = true; better && best.shares.size() > 1;) {
        better = false;
        const std::vector<Share> shares = best.shares;
        for (std::size_t left_out = 0; left_out < shares.size(); ++left_out) {
            std::vector<std::size_t> blocks;
            for (std::size_t i = 0; i < shares.size(); ++i)
                if (i != left_out) blocks.push_back(shares[i].block);
            Candidate fewer = solve(machine, problem, blocks, blocks.size());
            if (fewer.shares.empty() || fewer.distance >= best.distance) continue;
            best = std::move(fewer);
            better = true;
        }
    }
    return best;
}

}  // namespace

double distance(const Goal& goal, const Quantities& done) {
    return distance(weigh(goal), done, goal.total);
}

std::vector<Share> fit(const Machine& machine, const Goal& goal) {
    const Problem problem = weigh(goal);
    std::vector<std::size_t> blocks;
    for (std::size_t i = 0; i < machine.blocks.size(); ++i) blocks.push_back(i);
    Candidate best;
    best.distance = distance(machine, problem, {});
    // What shares cost depends on how many there are, which the fit decides: again with what it said.
    std::size_t assumed = 1;
    for (int turn = 0; turn < turns_max; ++turn) {
        Candidate found = solve(machine, problem, blocks, assumed);
        if (found.shares.empty()) break;
        const std::size_t used = found.shares.size();
        found = thinned(machine, problem, std::move(found));
        if (found.distance < best.distance) best = std::move(found);
        if (used == assumed) break;
        assumed = used;
    }
    return best.shares;
}

}  // namespace refrain::proxy
