#include "fit/fit.hpp"

#include <algorithm>
#include <cmath>

#include "fit/nnls.hpp"

namespace refrain::proxy {
namespace {

constexpr double floor_counted = 5e-3;   // of the instructions
constexpr double floor_modelled = 2e-4;  // of the instructions
constexpr double floor_seconds = 1e-9;   // per execution
constexpr double seconds_weight =
    0.1;  // counts come first: time is what their blocks leave to choose
constexpr int turns_max = 4;

struct Problem {
    std::vector<std::size_t> rows;
    Quantities weight{};
};

Problem weigh(const Quantities& total, std::uint64_t executions, bool with_time) {
    Problem problem;
    const double instructions = total[static_cast<std::size_t>(Metric::instructions)];
    for (std::size_t row = 0; row < quantity_count; ++row) {
        if (row == seconds_row && !with_time) continue;
        problem.rows.push_back(row);
        const double least =
            row == seconds_row ? floor_seconds * static_cast<double>(executions)
                               : instructions * (is_modelled(row) ? floor_modelled : floor_counted);
        problem.weight[row] =
            (row == seconds_row ? seconds_weight : 1.0) / std::max({total[row], least, 1e-12});
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

/// Steps of one repetition that bring the sum nearer, until there is none.
void refine(const Machine& machine, const Problem& problem, const Quantities& total,
            std::uint64_t executions, std::vector<Share>& shares) {
    double best = distance(problem, predicted(machine, shares, executions), total);
    for (bool better = true; better;) {
        better = false;
        for (Share& share : shares) {
            for (const int step : {1, -1}) {
                if (step < 0 && share.repetitions == 0) continue;
                share.repetitions += static_cast<std::uint64_t>(step);
                const double now = distance(problem, predicted(machine, shares, executions), total);
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

std::vector<Share> fit(const Machine& machine, const Quantities& total, std::uint64_t executions,
                       bool with_time) {
    const Problem problem = weigh(total, executions, with_time);
    const double times = static_cast<double>(executions);
    std::vector<Share> best;
    double best_distance = distance(problem, Quantities{}, total);
    // What shares cost depends on how many there are, which the fit decides: again with what it said.
    double shares_assumed = 1;
    for (int turn = 0; turn < turns_max; ++turn) {
        Matrix matrix;
        matrix.rows = problem.rows.size();
        std::vector<double> right;
        for (const MeasuredBlock& block : machine.blocks)
            for (const std::size_t row : problem.rows)
                matrix.values.push_back(block.each[row] * problem.weight[row]);
        for (const std::size_t row : problem.rows)
            right.push_back(
                problem.weight[row] *
                (total[row] - times * (machine.entry[row] + shares_assumed * machine.share[row])));
        const std::vector<double> repetitions = nnls(matrix, right);
        std::vector<Share> shares;
        for (std::size_t i = 0; i < repetitions.size(); ++i)
            if (repetitions[i] >= 0.5)
                shares.push_back({i, static_cast<std::uint64_t>(std::llround(repetitions[i]))});
        if (shares.empty()) break;
        refine(machine, problem, total, executions, shares);
        std::erase_if(shares, [](const Share& share) { return share.repetitions == 0; });
        const double found = distance(problem, predicted(machine, shares, executions), total);
        if (found < best_distance) {
            best_distance = found;
            best = shares;
        }
        if (static_cast<double>(shares.size()) == shares_assumed) break;
        shares_assumed = static_cast<double>(shares.size());
    }
    return best;
}

}  // namespace refrain::proxy
