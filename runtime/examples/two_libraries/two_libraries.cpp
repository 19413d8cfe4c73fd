/// Two independent libraries in one program: a linear solver and a flow, on one runtime, called
/// with different periods.

#include "refrain/refrain.hpp"

#include <cstdint>
#include <optional>

#include "channel_flow/flow.hpp"
#include "channel_flow/serial.hpp"
#include "common/show.hpp"
#include "jacobi/linear_system.hpp"
#include "jacobi/serial.hpp"
#include "jacobi/solver.hpp"
#include "two_libraries/config.hpp"

namespace two_libraries {

/// The result of each library alone, computed by its serial program and by the library on a runtime
/// of its own, which must be equal.
class Alone {
  public:
    Alone(const Config& config, const jacobi::LinearSystem& system)
        : solution_(system, config.jacobi.contraction, config.iterations()),
          flow_(channel_flow::expected_state(config.flow)) {
        refrain::Options options = config.common.runtime;
        options.tracing.automatic = false;
        check_solver(options, config, system);
        check_flow(options, config);
    }

    /// Errors: WrongResult if a bit differs.
    void check(const jacobi::JacobiSolver& solver, const channel_flow::ChannelFlow& flow) const {
        solution_.check(solver.solution());
        flow.check(flow_);
    }

  private:
    void check_solver(const refrain::Options& options, const Config& config,
                      const jacobi::LinearSystem& system) const {
        refrain::Runtime runtime(options);
        jacobi::JacobiSolver solver(runtime, system, config.jacobi.tiles);
        for (std::int64_t i = 0; i < config.iterations(); ++i)
            solver.iterate(example::Mode::untraced);
        solution_.check(solver.solution());
    }
    void check_flow(const refrain::Options& options, const Config& config) const {
        refrain::Runtime runtime(options);
        channel_flow::ChannelFlow flow(runtime, config.flow);
        while (flow.advance(example::Mode::untraced)) {
        }
        flow.check(flow_);
    }

    jacobi::Expected solution_;
    channel_flow::State flow_;
};

/// Calls the solver every second tick, and the flow every third:
///
///     tick       1  2  3  4  5  6   7  8  9 10 11 12
///     jacobi        J     J     J      J     J     J
///     flow             F        F         F        F
///
/// The calls repeat after six ticks. By region name, the launches repeat after twelve: x alternates
/// between two regions, and six ticks have three iterations. With periods of 7 and 11 it is 154
/// ticks, and the convergence check every tenth step makes it 770.
///
/// This cannot be marked by hand. The loop below would have to know what each library launches,
/// after how many steps its region names repeat, and when it waits; and its traces would enclose
/// those of the libraries, but traces do not nest. A library cannot mark it either: the repeating
/// fragment begins in one library and ends in the other. So manual mode traces one iteration and
/// one step, inside each library. Even the ids of these traces must come from the program, so that
/// no two are equal.
example::Run interleave(const Config& config, refrain::Runtime& runtime, example::Mode mode,
                        jacobi::JacobiSolver& solver, channel_flow::ChannelFlow& flow) {
    bool flows = true;  // until it has settled
    example::Stopwatch watch(runtime);
    for (std::int64_t tick = 1; tick <= config.ticks; ++tick) {
        if (tick % config.jacobi_every == 0) solver.iterate(mode);
        if (tick % config.flow_every == 0 && flows) flows = flow.advance(mode);
    }
    return watch.stop(config.ticks);
}

}  // namespace two_libraries

int main(int argc, char** argv) {
    using jacobi::JacobiSolver;
    const two_libraries::Config config = two_libraries::config_from(argc, argv);
    return example::reporting_errors([&] {
        const jacobi::LinearSystem system = jacobi::make_system(
            static_cast<std::size_t>(config.jacobi.size), config.jacobi.contraction);
        std::optional<two_libraries::Alone> alone;
        if (config.common.check) alone.emplace(config, system);
        example::ResultPicture picture(config.common);
        const auto program = [&](refrain::Runtime& runtime, example::Mode mode) {
            JacobiSolver solver(runtime, system, config.jacobi.tiles);
            channel_flow::ChannelFlow flow(runtime, config.flow, 1 + JacobiSolver::trace_count);
            const example::Run run = two_libraries::interleave(config, runtime, mode, solver, flow);
            if (alone) alone->check(solver, flow);
            picture.draw({.title = "speed of the flow"},
                         [&](example::Picture& p) { flow.draw(p); });
            return run;
        };
        example::show("two_libraries", config.problem(), config.common, program, picture);
    });
}
