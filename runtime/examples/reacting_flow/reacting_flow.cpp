/// Reacting flow: many species that a flow carries, that diffuse and that react, in the manner of
/// S3D; with an older code to which control passes now and then.

#include "refrain/refrain.hpp"

#include <cstdint>
#include <optional>

#include "common/show.hpp"
#include "reacting_flow/check.hpp"
#include "reacting_flow/config.hpp"
#include "reacting_flow/legacy.hpp"
#include "reacting_flow/problem.hpp"
#include "reacting_flow/serial.hpp"
#include "reacting_flow/square.hpp"
#include "reacting_flow/tasks.hpp"

namespace reacting_flow {

using refrain::read;
using refrain::read_write;
using refrain::write;

/// Names the trace around one time step to begin_trace; any number does.
constexpr std::uint64_t step_trace = 1;

/// The program. All regions live as long as it does: the solution and one register beside it, which
/// is what the low-storage method is for, and the rates.
class ReactingFlow {
  public:
    ReactingFlow(refrain::Runtime& runtime, const Config& config)
        : runtime_(runtime),
          config_(config),
          problem_(config.problem()),
          square_(problem_, config.tiles),
          legacy_code_(config.size, problem_.quantities()) {
        set_up();
    }

    example::Run solve(example::Mode mode);
    [[nodiscard]] Solution solution();

  private:
    [[nodiscard]] Fields fields(const Cut& cut, const char* name) {
        return runtime_.create_region<double>(cut.space(), name);
    }
    void set_up();
    void step();
    void hand_off();

    refrain::Runtime& runtime_;
    Config config_;
    Problem problem_;
    Square square_;
    Fields state_ = fields(square_.tiles, "state");
    Fields register_ = fields(square_.tiles, "register");
    Fields rate_ = fields(square_.tiles, "rate");
    Fields velocity_ = fields(square_.velocity, "velocity");
    Fields legacy_ = fields(square_.legacy, "legacy");
    LegacyCode legacy_code_;
};

void ReactingFlow::set_up() {
    const auto state = runtime_.write(state_);
    for (const Place at : state.domain())
        state[at] = problem_.initial(static_cast<int>(at[0]), at[1], at[2]);
    const auto velocity = runtime_.write(velocity_);
    for (const Place at : velocity.domain()) {
        const Velocity here = problem_.velocity(at[1], at[2]);
        velocity[at] = at[0] == 0 ? here.u : here.v;
    }
    runtime_.fill(register_, square_.tiles, 0.0);
}

/// One step in time. Each stage has a launch for the reactions, one per quantity for what the flow
/// does to it, and one for the update.
void ReactingFlow::step() {
    const auto colours = square_.colours;
    for (const Stage& stage : runge_kutta) {
        runtime_.launch("react", colours, React{problem_.mechanism()}, write(rate_, square_.tiles),
                        read(state_, square_.tiles));
        for (std::size_t k = 0; k < square_.of.size(); ++k)
            runtime_.launch("carry", colours, Carry{problem_.transport()},
                            read_write(rate_, square_.of[k]), read(state_, square_.around[k]),
                            read(velocity_, square_.velocity));
        runtime_.launch("advance", colours, Advance{stage, problem_.dt()},
                        read_write(state_, square_.tiles), read_write(register_, square_.tiles),
                        read(rate_, square_.tiles));
    }
}

/// Control passes to the older code: it gets all data in its layout, waits until they are there, and
/// works on them on this thread.
void ReactingFlow::hand_off() {
    runtime_.launch("pack", square_.colours, Pack{}, write(legacy_, square_.legacy),
                    read(state_, square_.tiles));
    legacy_code_.run(runtime_.read_write(legacy_).elements());
    runtime_.launch("unpack", square_.colours, Unpack{}, write(state_, square_.tiles),
                    read(legacy_, square_.legacy));
}

/// The body of this loop is not what repeats. During the first ten iterations it has a hand-off in
/// it, afterwards nine in ten have not: from then on what repeats is ten iterations with one hand-off
/// among them, and what repeated before never comes again. Marks around the body would stand around
/// two different lists of launches in turns, with a wait in the middle of one of them, where a
/// runtime that replays a trace as a whole has nothing to wait for.
///
/// So by hand one marks what is the same in every iteration, the time step proper, and leaves the
/// hand-off outside: its two launches are analysed each time. (To replay those too one would unroll
/// the loop into ten steps and a hand-off, and write the first ten steps apart from it.)
example::Run ReactingFlow::solve(example::Mode mode) {
    example::Stopwatch watch(runtime_);
    for (std::int64_t at = 1; at <= config_.steps; ++at) {
        if (mode == example::Mode::manual) runtime_.begin_trace(step_trace);
        step();
        if (mode == example::Mode::manual) runtime_.end_trace(step_trace);
        if (hand_off_follows(at)) hand_off();
    }
    return watch.stop(config_.steps);
}

Solution ReactingFlow::solution() {
    const auto view = runtime_.read(state_);
    Array state(config_.size, problem_.quantities());
    for (const Place at : view.domain()) state(static_cast<int>(at[0]), at[1], at[2]) = view[at];
    return {state, legacy_code_.peak_temperatures()};
}

}  // namespace reacting_flow

int main(int argc, char** argv) {
    const reacting_flow::Config config = reacting_flow::config_from(argc, argv);
    return example::reporting_errors([&] {
        std::optional<reacting_flow::Expected> expected;
        if (config.common.check) expected.emplace(config);
        const auto program = [&](refrain::Runtime& runtime, example::Mode mode) {
            reacting_flow::ReactingFlow flow(runtime, config);
            const example::Run run = flow.solve(mode);
            if (expected) expected->check(flow.solution());
            return run;
        };
        example::show("reacting_flow", config.description(), config.common, program);
    });
}
