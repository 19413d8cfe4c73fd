/// Jacobi's method for a dense linear system, x = (b - R x) / d again and again: the program that
/// "Automatic Tracing in Task-Based Runtime Systems" (Yadav et al., ASPLOS 2025) begins with.

#include "refrain/refrain.hpp"

#include <cstdint>
#include <optional>

#include "common/show.hpp"
#include "jacobi/array.hpp"
#include "jacobi/config.hpp"
#include "jacobi/linear_system.hpp"
#include "jacobi/serial.hpp"

namespace jacobi {

/// Names the trace around one iteration to begin_trace; any number does.
constexpr std::uint64_t iteration_trace = 1;

/// The line in the middle is the whole program. What it does to a runtime is less obvious. It makes
/// three regions, two of them for values that nobody has given a name, and lets three go: those two
/// and the old x. Names of regions are used again, the smallest first; with R, b and d in regions 0
/// to 2 the launches of the fourth and later iterations are
///
///     dot      reads region 6, writes region 3        dot      reads region 5, writes region 3
///     subtract reads region 3, writes region 4        subtract reads region 3, writes region 4
///     divide   reads region 4, writes region 5        divide   reads region 4, writes region 6
///
/// and so on in turns, because the new x needs its name before the old one has given up its own.
/// The stream of launches repeats after two iterations of a loop whose source repeats after one;
/// where a programmer cannot see that, automatic tracing does.
///
/// A runtime that tells regions apart by their names needs the marks for manual tracing around two
/// iterations. Refrain's marks can go where one would put them, around one: a trace is compared by
/// how its regions are used, not by what they are called.
example::Run solve(refrain::Runtime& runtime, example::Mode mode, const Config& config,
                   const LinearSystem& system, Values& solution) {
    ArrayLibrary arrays(runtime, config.size, config.tiles);
    const Matrix R = arrays.matrix(system.off_diagonal, "R");
    const Vector b = arrays.vector(system.right, "b");
    const Vector d = arrays.vector(system.diagonal, "d");
    Vector x = arrays.vector(Values(system.size, 0.0), "x");

    example::Stopwatch watch(runtime);
    for (std::int64_t step = 0; step < config.steps; ++step) {
        if (mode == example::Mode::manual) runtime.begin_trace(iteration_trace);
        x = (b - dot(R, x)) / d;
        if (mode == example::Mode::manual) runtime.end_trace(iteration_trace);
    }
    const example::Run run = watch.stop(config.steps);
    solution = x.values();
    return run;
}

}  // namespace jacobi

int main(int argc, char** argv) {
    const jacobi::Config config = jacobi::config_from(argc, argv);
    return example::reporting_errors([&] {
        const auto size = static_cast<std::size_t>(config.size);
        const jacobi::LinearSystem system = jacobi::make_system(size, config.contraction);
        std::optional<jacobi::Expected> expected;
        if (config.common.check) expected.emplace(system, config.contraction, config.steps);
        const auto program = [&](refrain::Runtime& runtime, example::Mode mode) {
            jacobi::Values x;
            const example::Run run = jacobi::solve(runtime, mode, config, system, x);
            if (expected) expected->check(x);
            return run;
        };
        example::show("jacobi", config.problem(), config.common, program);
    });
}
