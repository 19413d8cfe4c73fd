/// Reacting flow: many species that are carried by a flow, diffuse and react, modelled on S3D, with
/// a legacy code that takes over at intervals.

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

/// The id of the trace around one time step, for begin_trace; any number does.
constexpr std::uint64_t step_trace = 1;

/// The program. All regions live as long as it does: the solution, the one register that the
/// low-storage method needs, and the rates.
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

/// One time step. Each stage has a launch for the reactions, one per quantity for transport, and
/// one for the update.
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

/// Hands off to the legacy code: packs all data into its layout, waits for that, and runs it on
/// this thread.
void ReactingFlow::hand_off() {
    runtime_.launch("pack", square_.colours, Pack{}, write(legacy_, square_.legacy),
                    read(state_, square_.tiles));
    legacy_code_.run(runtime_.read_write(legacy_).elements());
    runtime_.launch("unpack", square_.colours, Unpack{}, write(state_, square_.tiles),
                    read(legacy_, square_.legacy));
}

/// The body of this loop does not repeat regularly. Each of the first ten iterations has a
/// hand-off; afterwards one in ten has. From then on the repeating unit is ten iterations with one
/// hand-off, and the earlier unit never returns. A trace around the body would alternate between
/// two different lists of launches, one of which contains a wait, which a runtime that replays
/// whole traces cannot include.
///
/// So the manual trace is the time step itself, which is the same in every iteration; the two
/// launches of the hand-off are analysed each time. (To replay those as well, the loop would have
/// to be unrolled into ten steps and a hand-off, with the first ten steps written separately.)
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
        example::ResultPicture picture(config.common);
        const auto program = [&](refrain::Runtime& runtime, example::Mode mode) {
            reacting_flow::ReactingFlow flow(runtime, config);
            const example::Run run = flow.solve(mode);
            if (expected) expected->check(flow.solution());
            picture.draw({.title = "temperature"}, [&](example::Picture& p) {
                const reacting_flow::Solution solution = flow.solution();
                p.field(config.size, config.size, [&](std::int64_t i, std::int64_t j) {
                    return solution.state(config.species, j, i);
                });
            });
            return run;
        };
        example::show("reacting_flow", config.description(), config.common, program, picture);
    });
}
