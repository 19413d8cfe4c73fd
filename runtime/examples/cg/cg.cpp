/// Conjugate gradients on a sparse matrix: an irregular partition of the multiplied vector, global
/// sums, and an iteration count that depends on the data.

#include "refrain/refrain.hpp"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "cg/config.hpp"
#include "cg/distributed_matrix.hpp"
#include "cg/serial.hpp"
#include "cg/tasks.hpp"
#include "common/show.hpp"

namespace cg {

using refrain::read;
using refrain::read_write;
using refrain::reduce;
using refrain::write;

/// Ids for begin_trace; any three numbers do.
constexpr std::uint64_t start_trace = 1;
constexpr std::uint64_t iteration_trace = 2;
constexpr std::uint64_t look_trace = 3;

class ConjugateGradients {
  public:
    ConjugateGradients(refrain::Runtime& runtime, const Config& config, const SparseMatrix& matrix)
        : runtime_(runtime), config_(config), matrix_(runtime, matrix, config.pieces) {}

    example::Run solve(example::Mode mode);
    [[nodiscard]] Outcome outcome();

  private:
    [[nodiscard]] VectorRegion vector(const char* name) {
        return runtime_.create_region<double>(matrix_.size(), name);
    }
    [[nodiscard]] VectorRegion scalar(const char* name) {
        return runtime_.create_region<double>(refrain::extents(1), name);
    }
    void start(std::int64_t number);
    void iterate();
    void dot(refrain::LaunchSite site, const VectorRegion& total, const VectorRegion& a,
             const VectorRegion& b);
    [[nodiscard]] refrain::Future<Progress> look();
    std::int64_t solve_one(example::Mode mode, std::int64_t number);
    template <class Launches>
    void in_trace(example::Mode mode, std::uint64_t trace, const Launches& launches);

    refrain::Runtime& runtime_;
    Config config_;
    DistributedMatrix matrix_;
    VectorRegion b_ = vector("b"), x_ = vector("x"), r_ = vector("r");
    VectorRegion p_ = vector("p"), q_ = vector("q");
    VectorRegion squared_residual_ = scalar("r.r"), old_squared_residual_ = scalar("old r.r");
    VectorRegion curvature_ = scalar("p.q");
    std::vector<std::int64_t> iterations_;  // per right-hand side
    bool converged_ = false;
};

/// Sets a right-hand side with a known solution, and x = 0.
void ConjugateGradients::start(std::int64_t number) {
    const auto& rows = matrix_.rows();
    runtime_.launch("known solution", rows.colours(), SetKnownSolution{number}, write(x_, rows));
    matrix_.multiply(runtime_, b_, x_);
    runtime_.launch("start", rows.colours(), Start{}, write(x_, rows), write(r_, rows),
                    write(p_, rows), read(b_, rows));
    dot("r.r", squared_residual_, r_, r_);
    runtime_.fill(curvature_, 0.0);
}

void ConjugateGradients::dot(refrain::LaunchSite site, const VectorRegion& total,
                             const VectorRegion& a, const VectorRegion& b) {
    const auto& rows = matrix_.rows();
    runtime_.fill(total, 0.0);
    runtime_.launch(site, rows.colours(), AddProduct{}, reduce<refrain::Sum>(total), read(a, rows),
                    read(b, rows));
}

/// The program waits for no number: the tasks that use a and b of the method divide for themselves.
/// r.r alternates between two regions, S and T, since the next direction needs the new and the old
/// one:
///
///     fill, r.r of the start       S
///     iteration 1, 3, 5 ...                       iteration 2, 4, 6 ...
///     multiply        q, A, p                     multiply        q, A, p
///     fill, p.q       p.q, p, q                   fill, p.q       p.q, p, q
///     advance         x, r, p, q, S, p.q          advance         x, r, p, q, T, p.q
///     fill, r.r       T, r                        fill, r.r       S, r
///     turn            p, r, T, S                  turn            p, r, S, T
void ConjugateGradients::iterate() {
    const auto& rows = matrix_.rows();
    matrix_.multiply(runtime_, q_, p_);
    dot("p.q", curvature_, p_, q_);
    runtime_.launch("advance", rows.colours(), Advance{}, read_write(x_, rows),
                    read_write(r_, rows), read(p_, rows), read(q_, rows), read(squared_residual_),
                    read(curvature_));
    std::swap(squared_residual_, old_squared_residual_);
    dot("r.r", squared_residual_, r_, r_);
    runtime_.launch("turn", rows.colours(), Turn{}, read_write(p_, rows), read(r_, rows),
                    read(squared_residual_), read(old_squared_residual_));
}

refrain::Future<Progress> ConjugateGradients::look() {
    return runtime_.launch("look", Look{}, read(squared_residual_), read(curvature_));
}

template <class Launches>
void ConjugateGradients::in_trace(example::Mode mode, std::uint64_t trace,
                                  const Launches& launches) {
    if (mode == example::Mode::manual) runtime_.begin_trace(trace);
    launches();
    if (mode == example::Mode::manual) runtime_.end_trace(trace);
}

/// The source repeats after one iteration; by region name, the launches repeat after two. After an
/// odd number of iterations the check reads the other region, so with an odd --check-every the unit
/// is twice as many iterations with two checks; a right-hand side that took an odd number of
/// iterations leaves S and T swapped for the next one. The manual traces are the start, one
/// iteration, and the check, which is not part of every iteration. Which of the two regions holds
/// r.r does not matter to Refrain: replay compares how regions are used, not their names.
std::int64_t ConjugateGradients::solve_one(example::Mode mode, std::int64_t number) {
    refrain::Future<Progress> at_first;
    in_trace(mode, start_trace, [&] {
        start(number);
        at_first = look();
    });
    converged_ = false;
    std::int64_t k = 0;
    while (!converged_ && k < config_.steps) {
        in_trace(mode, iteration_trace, [&] { iterate(); });
        if (++k % config_.check_every != 0 && k < config_.steps) continue;
        refrain::Future<Progress> future;
        in_trace(mode, look_trace, [&] { future = look(); });
        const Progress now = future.get();
        refuse_if_broken(now, k);
        converged_ =
            has_converged(now.squared_residual, at_first.get().squared_residual, config_.tolerance);
    }
    return k;
}

example::Run ConjugateGradients::solve(example::Mode mode) {
    example::Stopwatch watch(runtime_);
    std::int64_t iterations = 0;
    for (std::int64_t number = 0; number < config_.solves; ++number) {
        iterations_.push_back(solve_one(mode, number));
        iterations += iterations_.back();
    }
    return watch.stop(iterations);
}

Outcome ConjugateGradients::outcome() {
    const auto values = [&](const VectorRegion& region) {
        const auto view = runtime_.read(region);
        return Values(view.elements().begin(), view.elements().end());
    };
    return {iterations_, values(x_), values(b_), look().get(), converged_};
}

/// On the plate, if it is one.
void draw(example::Picture& picture, const Config& config, const Values& x) {
    if (!config.matrix_path.empty()) return picture.curve(x);
    constexpr double width = 560;
    const auto places = Plate(config.plate).unknowns();
    example::Picture::Range range{x.front(), x.front()};
    for (const double value : x) range.include(value);
    const double radius = 0.7 * width / static_cast<double>(config.plate.size + 1);
    for (std::size_t i = 0; i < x.size(); ++i)
        picture.disc({places[i].x * width, (1 - places[i].y) * width}, radius, range.colour(x[i]));
    picture.explain(range);
}

}  // namespace cg

int main(int argc, char** argv) {
    const cg::Config config = cg::config_from(argc, argv);
    return example::reporting_errors([&] {
        const cg::SparseMatrix matrix = cg::matrix_for(config);
        std::optional<cg::Outcome> expected;
        if (config.common.check) expected = cg::SerialSolver(config, matrix).solve();
        example::ResultPicture picture(config.common);
        const auto program = [&](refrain::Runtime& runtime, example::Mode mode) {
            cg::ConjugateGradients solver(runtime, config, matrix);
            const example::Run run = solver.solve(mode);
            picture.draw({.title = "the last solution, random by design"},
                         [&](example::Picture& p) { cg::draw(p, config, solver.outcome().x); });
            if (!expected) return run;
            const cg::Outcome outcome = solver.outcome();
            cg::check_residual(matrix, outcome);
            if (runtime.options().deterministic_reductions) cg::check_equal(outcome, *expected);
            return run;
        };
        example::show("cg", config.problem(matrix), config.common, program, picture);
    });
}
