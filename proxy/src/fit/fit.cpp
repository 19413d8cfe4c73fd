#include "fit/fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "fit/nnls.hpp"

namespace refrain::proxy {
namespace {

/// Per execution: what calls around it change by chance. Models do not heed calls.
constexpr double floor_each = 2;
constexpr double floor_seconds = 1e-9;  // per execution
/// Time only decides between blocks that count alike: off by all of itself it moves a count by the square of its weight, which is
/// 0.01 %, as near as `near_enough`.
constexpr double seconds_weight = 0.01;
constexpr double near_enough = 1e-8;  // the distance of 0.01 %
/// What waiting longer has to bring, as an error of one exact count; and by how much of its share a rank may run more or less.
constexpr double alike = 0.02;

struct Problem {
    std::vector<std::size_t> rows;
    Quantities weight{};
    Quantities aim{};
    double executions = 1;
    double runs = 1;  // of the shares
};

Problem weigh(const Goal& goal) {
    Problem problem;
    const double times = problem.executions = static_cast<double>(goal.executions);
    const double instructions = goal.total[static_cast<std::size_t>(Metric::instructions)];
    for (std::size_t row = 0; row < quantity_count; ++row) {
        // What blocks cannot take back is not held against them.
        problem.aim[row] = std::max(0.0, goal.total[row] + goal.more[row]);
        if (row == seconds_row && !goal.with_time) continue;
        problem.rows.push_back(row);
        if (row == seconds_row) {
            problem.weight[row] = seconds_weight / std::max(goal.total[row], floor_seconds * times);
            continue;
        }
        const double judged_by = goal.usual[row] > 0 ? goal.usual[row] : goal.total[row];
        double least = instructions * rare_share_of_instructions(row);
        if (!is_modelled(row) || goal.usual[row] == 0) least = std::max(least, floor_each * times);
        problem.weight[row] = 1 / std::max(judged_by, least);
    }
    return problem;
}

/// What a plan of `shares` shares costs beside the work of its blocks.
double beside(const Machine& machine, std::size_t row, std::size_t shares, double executions,
              double runs) {
    if (shares == 0) return 0;
    return executions * (machine.entry[row] + (runs < executions ? machine.wait[row] : 0)) +
           runs * static_cast<double>(shares) * machine.share[row];
}

}  // namespace

Quantities predicted(const Machine& machine, const Plan& plan, std::uint64_t executions) {
    const auto times = static_cast<double>(executions);
    Quantities sum{};
    for (std::size_t row = 0; row < quantity_count; ++row) {
        sum[row] = beside(machine, row, plan.shares.size(), times,
                          plan.every == 1 ? times : static_cast<double>(plan.runs));
        for (const Share& share : plan.shares)
            sum[row] +=
                static_cast<double>(share.repetitions) * machine.blocks[share.block].each[row];
    }
    return sum;
}

namespace {

/// Whole repetitions, made better step by step.
///
/// Rounding alone loses much: of a block of 512 misses half a repetition is none, where 32 of a block of 8 are right.
class Refinement {
  public:
    Refinement(const Machine& machine, const Problem& problem, Plan plan)
        : machine_(machine), problem_(problem), plan_(std::move(plan)) {
        measure();
    }

    /// The best of all single steps, as long as one brings something: another number of repetitions, another block in the
    /// place of one, one more, one less. Of much work there is nearly always a smaller one, of which nobody sees what it brings.
    void run() {
        double before = 0;
        do {
            before = distance_;
            take_best_step();
            measure();
        } while (before - distance_ > near_enough);
    }
    [[nodiscard]] const Plan& plan() const { return plan_; }
    [[nodiscard]] double distance() const { return distance_; }

  private:
    struct Step {
        std::size_t place = 0;  // in the shares; their number: one more
        Share share;            // no repetitions: none
        double distance = 0;
    };

    void measure() {
        const Quantities done =
            predicted(machine_, plan_, static_cast<std::uint64_t>(problem_.executions));
        for (const std::size_t row : problem_.rows) missing_[row] = problem_.aim[row] - done[row];
        distance_ = squares(missing_);
    }

    [[nodiscard]] double squares(const Quantities& off) const {
        double sum = 0;
        for (const std::size_t row : problem_.rows)
            sum += off[row] * off[row] * problem_.weight[row] * problem_.weight[row];
        return sum;
    }

    void take_best_step() {
        std::vector<Share>& shares = plan_.shares;
        Step best;
        best.distance = distance_;
        for (std::size_t place = 0; place <= shares.size(); ++place) try_place(place, best);
        if (best.distance >= distance_) return;
        if (best.place == shares.size())
            shares.push_back(best.share);
        else if (best.share.repetitions == 0)
            shares.erase(shares.begin() + static_cast<std::ptrdiff_t>(best.place));
        else
            shares[best.place] = best.share;
    }

    void try_place(std::size_t place, Step& best) const {
        const std::vector<Share>& shares = plan_.shares;
        const bool more = place == shares.size();
        const auto besides = [&](std::size_t row, std::size_t count) {
            return beside(machine_, row, count, problem_.executions, problem_.runs);
        };
        Quantities missing = missing_;  // without what stands in this place, but with its cost
        for (const std::size_t row : problem_.rows)
            missing[row] += more ? besides(row, place) - besides(row, place + 1)
                                 : static_cast<double>(shares[place].repetitions) *
                                       machine_.blocks[shares[place].block].each[row];
        for (std::size_t block = 0; block < machine_.blocks.size(); ++block)
            if (!stands_elsewhere(block, place)) try_block(place, block, missing, best);
        if (more) return;
        for (const std::size_t row : problem_.rows)
            missing[row] += besides(row, shares.size()) - besides(row, shares.size() - 1);
        if (const double without = squares(missing); without < best.distance)
            best = {place, {}, without};
    }

    void try_block(std::size_t place, std::size_t block, const Quantities& missing,
                   Step& best) const {
        const Quantities& each = machine_.blocks[block].each;
        double along = 0, length = 0;
        for (const std::size_t row : problem_.rows) {
            const double squared = problem_.weight[row] * problem_.weight[row];
            along += missing[row] * each[row] * squared;
            length += each[row] * each[row] * squared;
        }
        const double repetitions = length == 0 ? 0 : std::round(along / length);
        if (!(repetitions >= 1)) return;
        Quantities rest = missing;
        for (const std::size_t row : problem_.rows) rest[row] -= repetitions * each[row];
        if (const double now = squares(rest); now < best.distance)
            best = {place, {block, static_cast<std::uint64_t>(repetitions)}, now};
    }

    [[nodiscard]] bool stands_elsewhere(std::size_t block, std::size_t place) const {
        for (std::size_t i = 0; i < plan_.shares.size(); ++i)
            if (i != place && plan_.shares[i].block == block) return true;
        return false;
    }

    const Machine& machine_;
    const Problem& problem_;
    Plan plan_;
    Quantities missing_{};
    double distance_ = 0;
};

/// Repetitions that need not be whole, rounded. `shares_assumed`: how many blocks will be used, since each that is used has a
/// cost of its own.
std::vector<Share> rounded(const Machine& machine, const Problem& problem,
                           std::size_t shares_assumed) {
    Matrix matrix;
    matrix.rows = problem.rows.size();
    std::vector<double> right;
    for (const MeasuredBlock& block : machine.blocks)
        for (const std::size_t row : problem.rows)
            matrix.values.push_back(block.each[row] * problem.weight[row]);
    for (const std::size_t row : problem.rows)
        right.push_back(problem.weight[row] *
                        (problem.aim[row] -
                         beside(machine, row, shares_assumed, problem.executions, problem.runs)));
    const std::vector<double> repetitions = nnls(matrix, right);
    std::vector<Share> shares;
    for (std::size_t i = 0; i < repetitions.size(); ++i)
        if (repetitions[i] >= 0.5)
            shares.push_back({i, static_cast<std::uint64_t>(std::llround(repetitions[i]))});
    return shares;
}

struct Found {
    Plan plan;
    double distance = 0;
};

Found refined(const Machine& machine, const Problem& problem, Plan plan) {
    Refinement refinement(machine, problem, std::move(plan));
    refinement.run();
    return {refinement.plan(), refinement.distance()};
}

Found best_with(const Machine& machine, Problem problem, std::uint64_t every, std::uint64_t runs) {
    problem.runs = every == 1 ? problem.executions : static_cast<double>(runs);
    std::optional<Found> best;
    const auto try_from = [&](std::vector<Share> shares) {
        Found one = refined(machine, problem, {std::move(shares), every, every == 1 ? 0 : runs});
        if (!best || one.distance < best->distance) best = std::move(one);
    };
    try_from({});
    // What shares cost depends on how many there are, which the fit decides: again with what it said, as long as that is new.
    std::set<std::size_t> assumed;
    for (std::size_t shares = 1; shares > 0 && assumed.insert(shares).second;) {
        std::vector<Share> found = rounded(machine, problem, shares);
        shares = found.size();
        try_from(std::move(found));
    }
    return *best;
}

std::uint64_t runs_of_all(const std::vector<std::uint64_t>& by_rank, std::uint64_t every) {
    std::uint64_t sum = 0;
    for (const std::uint64_t each : by_rank) sum += runs_of(each, every);
    return sum;
}

/// Whether each rank runs the shares in proportion to its executions, nearly.
bool is_fair(const std::vector<std::uint64_t>& by_rank, std::uint64_t every) {
    const auto runs = static_cast<double>(runs_of_all(by_rank, every)),
               executions = static_cast<double>(runs_of_all(by_rank, 1));
    return std::all_of(by_rank.begin(), by_rank.end(), [&](std::uint64_t each) {
        const double wanted = static_cast<double>(each) / executions * runs;
        return std::abs(static_cast<double>(runs_of(each, every)) - wanted) <= alike * wanted;
    });
}

}  // namespace

Plan fit(const Machine& machine, const Goal& goal, const Plan& now) {
    Problem problem = weigh(goal);
    std::vector<Found> found;
    if (!now.shares.empty()) {
        problem.runs = now.every == 1 ? problem.executions : static_cast<double>(now.runs);
        found.push_back(refined(machine, problem, now));
    }
    double least = std::numeric_limits<double>::infinity();
    const std::uint64_t every_max =
        goal.by_rank.empty() ? 1 : *std::min_element(goal.by_rank.begin(), goal.by_rank.end());
    for (std::uint64_t every = 1; least > alike * alike; every *= 2) {
        if (is_fair(goal.by_rank, every)) {
            found.push_back(best_with(machine, problem, every, runs_of_all(goal.by_rank, every)));
            least = std::min(least, found.back().distance);
        }
        if (every > every_max / 2) break;
    }
    Plan plan = std::find_if(found.begin(), found.end(), [&](const Found& each) {
                    return each.distance <= least + alike * alike;
                })->plan;
    if (plan.shares.empty()) return {};
    std::sort(plan.shares.begin(), plan.shares.end(),
              [](const Share& a, const Share& b) { return a.block < b.block; });
    return plan;
}

}  // namespace refrain::proxy
