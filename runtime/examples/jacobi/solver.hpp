/// The method as a library: a program creates a solver, iterates, and reads the solution.
///
///     JacobiSolver solver(runtime, system, tiles);
///     for (int step = 0; step < 100; ++step) solver.iterate(mode);
///     Values x = solver.solution();
///
/// The solver is independent of other work on the runtime.
#pragma once

#include "refrain/refrain.hpp"

#include <cstdint>

#include "common/mode.hpp"
#include "jacobi/array.hpp"
#include "jacobi/linear_system.hpp"

namespace jacobi {

class JacobiSolver {
  public:
    /// The number of trace ids it uses, from the first one on.
    static constexpr std::uint64_t trace_count = 1;

    /// The iteration starts from zero.
    JacobiSolver(refrain::Runtime& runtime, const LinearSystem& system, std::int64_t tiles,
                 std::uint64_t first_trace = 1)
        : runtime_(runtime),
          arrays_(runtime, static_cast<std::int64_t>(system.size), tiles),
          R_(arrays_.matrix(system.off_diagonal, "R")),
          b_(arrays_.vector(system.right, "b")),
          d_(arrays_.vector(system.diagonal, "d")),
          x_(arrays_.vector(Values(system.size, 0.0), "x")),
          iteration_trace_(first_trace) {}
    JacobiSolver(const JacobiSolver&) = delete;
    JacobiSolver& operator=(const JacobiSolver&) = delete;
    JacobiSolver(JacobiSolver&&) = delete;  // vectors point to their library
    JacobiSolver& operator=(JacobiSolver&&) = delete;
    ~JacobiSolver() = default;

    void iterate(example::Mode mode);

    /// Waits for the last iteration.
    [[nodiscard]] Values solution() const { return x_.values(); }

  private:
    refrain::Runtime& runtime_;
    ArrayLibrary arrays_;
    Matrix R_;
    Vector b_, d_, x_;
    std::uint64_t iteration_trace_;
};

/// The line in the middle is the whole program. It creates three regions, two of them for
/// temporaries, and destroys three: the temporaries and the old x. Region names are reused,
/// smallest first; with R, b and d in regions 0 to 2, the launches of the fourth and later
/// iterations are
///
///     dot      reads region 6, writes region 3        dot      reads region 5, writes region 3
///     subtract reads region 3, writes region 4        subtract reads region 3, writes region 4
///     divide   reads region 4, writes region 5        divide   reads region 4, writes region 6
///
/// and so on in turns, because the new x gets its name before the old one releases its own. The
/// stream of launches repeats after two iterations of a loop whose source repeats after one. The
/// programmer does not see that in the source; automatic tracing sees it in the launches.
///
/// A runtime that identifies regions by name needs the manual marks around two iterations. In
/// Refrain, marks around one iteration are enough: replay compares how regions are used, not their
/// names.
inline void JacobiSolver::iterate(example::Mode mode) {
    if (mode == example::Mode::manual) runtime_.begin_trace(iteration_trace_);
    x_ = (b_ - dot(R_, x_)) / d_;
    if (mode == example::Mode::manual) runtime_.end_trace(iteration_trace_);
}

}  // namespace jacobi
