/// Jacobi's method for a dense linear system, which repeats x = (b - R x) / d: the introductory
/// program of "Automatic Tracing in Task-Based Runtime Systems" (Yadav et al., ASPLOS 2025).

#include "refrain/refrain.hpp"

#include <cstdint>
#include <optional>

#include "common/show.hpp"
#include "jacobi/config.hpp"
#include "jacobi/linear_system.hpp"
#include "jacobi/serial.hpp"
#include "jacobi/solver.hpp"

namespace jacobi {

example::Run solve(refrain::Runtime& runtime, example::Mode mode, const Config& config,
                   const LinearSystem& system, Values& solution) {
    JacobiSolver solver(runtime, system, config.tiles);
    example::Stopwatch watch(runtime);
    for (std::int64_t step = 0; step < config.steps; ++step) solver.iterate(mode);
    const example::Run run = watch.stop(config.steps);
    solution = solver.solution();
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
        example::ResultPicture picture(config.common);
        const auto program = [&](refrain::Runtime& runtime, example::Mode mode) {
            jacobi::Values x;
            const example::Run run = jacobi::solve(runtime, mode, config, system, x);
            if (expected) expected->check(x);
            picture.draw({.title = "the solution x"}, [&](example::Picture& p) { p.curve(x); });
            return run;
        };
        example::show("jacobi", config.problem(), config.common, program, picture);
    });
}
