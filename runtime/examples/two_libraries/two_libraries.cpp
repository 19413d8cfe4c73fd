/// Two libraries in one program: a linear solver and a flow, on one runtime, called in turns that do
/// not fit together. Neither knows of the other.

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

/// What each library computes alone. Its program has a serial version; that the library on a
/// runtime of its own equals it is part of what is expected.
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

/// Every second tick an iteration, every third a step:
///
///     tick       1  2  3  4  5  6   7  8  9 10 11 12
///     jacobi        J     J     J      J     J     J
///     flow             F        F         F        F
///
/// The calls repeat after six ticks. The launches, by the names of their regions, repeat after
/// twelve: x lies in two regions in turns, and six ticks have three iterations. With periods of 7
/// and 11 it is 154 ticks, and the look for changes every tenth step makes it 770.
///
/// Nobody can mark that by hand. The loop below could, but would have to know of what each library
/// launches, in how many steps its names come round and when it waits, and of every other library's
/// the same; its traces would enclose those that the libraries have set themselves, and traces do
/// not nest. A library cannot either: what repeats begins in one and ends in the other. What is
/// left to manual mode is a trace inside each library, around one iteration and around one step.
/// Even the ids of these traces must be given out by the program, lest both use the same.
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
        const auto program = [&](refrain::Runtime& runtime, example::Mode mode) {
            JacobiSolver solver(runtime, system, config.jacobi.tiles);
            channel_flow::ChannelFlow flow(runtime, config.flow, 1 + JacobiSolver::trace_count);
            const example::Run run = two_libraries::interleave(config, runtime, mode, solver, flow);
            if (alone) alone->check(solver, flow);
            return run;
        };
        example::show("two_libraries", config.problem(), config.common, program);
    });
}
