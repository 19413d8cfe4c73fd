/// Channel flow: the incompressible Navier-Stokes equations in two dimensions, between two walls,
/// driven by a constant force.

#include "refrain/refrain.hpp"

#include <cstdint>
#include <optional>
#include <utility>

#include "channel_flow/channel.hpp"
#include "channel_flow/config.hpp"
#include "channel_flow/serial.hpp"
#include "channel_flow/tasks.hpp"
#include "common/show.hpp"

namespace channel_flow {

using refrain::Boundary;
using refrain::read;
using refrain::reduce;
using refrain::write;

/// Names of traces for begin_trace; any two numbers do.
constexpr std::uint64_t step_trace = 1;
constexpr std::uint64_t look_trace = 2;

/// The program. Each field has two regions, which change places when the new one is complete: seven
/// regions all in all. A step has an even number of pressure iterations by default and one update
/// of the velocity, so u and v lie in other regions in every second step: by the names of regions,
/// the stream of launches repeats after two steps.
class ChannelFlow {
  public:
    ChannelFlow(refrain::Runtime& runtime, const Config& config)
        : runtime_(runtime),
          config_(config),
          channel_(config.channel()),
          tiles_(refrain::tiles(refrain::extents(channel_.ny, channel_.nx),
                                {config.tiles, config.tiles})),
          halos_(refrain::halo(tiles_, {1, 1}, {1, 1}, {Boundary::clipped, Boundary::periodic})) {
        set_up_eddies();
    }

    example::Run solve(example::Mode mode);

    /// Errors: WrongResult if a number differs from that of the serial program.
    void check(const State& expected) const;

  private:
    [[nodiscard]] Field field(const char* name) {
        return runtime_.create_region<double>(tiles_.space(), name);
    }
    void set_up_eddies();
    void step();
    void look_for_changes();
    [[nodiscard]] bool has_settled();
    template <class Launches>
    void in_trace(example::Mode mode, std::uint64_t trace, const Launches& launches);

    refrain::Runtime& runtime_;
    Config config_;
    Channel channel_;
    refrain::Partition<2> tiles_;
    refrain::Partition<2> halos_;  // a tile and the points around it; round the end of the channel
    Field u_ = field("u"), old_u_ = field("u'");
    Field v_ = field("v"), old_v_ = field("v'");
    Field p_ = field("p"), old_p_ = field("p'");
    Field source_ = field("source");
    refrain::Region<double, 1> change_ =
        runtime_.create_region<double>(refrain::extents(1), "change");
    std::int64_t steps_ = 0;
};

void ChannelFlow::set_up_eddies() {
    const auto u = runtime_.write(u_);
    const auto v = runtime_.write(v_);
    for (const refrain::Point<2> at : u.domain()) {
        u[at] = channel_.eddy_u(at[0], at[1]);
        v[at] = channel_.eddy_v(at[0], at[1]);
    }
    runtime_.fill(p_, tiles_, 0.0);
}

/// One step in time: what the pressure must undo, the pressure, and what it does.
void ChannelFlow::step() {
    const auto colours = tiles_.colours();
    runtime_.launch("source", colours, ComputePressureSource{PressureSource(channel_)},
                    write(source_, tiles_), read(u_, halos_), read(v_, halos_));
    for (std::int64_t k = 0; k < config_.pressure_iterations; ++k) {
        std::swap(p_, old_p_);
        runtime_.launch("relax", colours, RelaxPressure{PressureRelaxation(channel_)},
                        write(p_, tiles_), read(old_p_, halos_), read(source_, tiles_));
    }
    std::swap(u_, old_u_);
    std::swap(v_, old_v_);
    runtime_.launch("advance", colours, AdvanceVelocity{Momentum(channel_)}, write(u_, tiles_),
                    write(v_, tiles_), read(old_u_, halos_), read(old_v_, halos_),
                    read(p_, halos_));
}

void ChannelFlow::look_for_changes() {
    runtime_.fill(change_, 0.0);
    runtime_.launch("change", tiles_.colours(), FindLargestChange{},
                    reduce<refrain::Maximum>(change_), read(u_, tiles_), read(v_, tiles_),
                    read(old_u_, tiles_), read(old_v_, tiles_));
}

/// Waits for the steps so far.
bool ChannelFlow::has_settled() {
    return runtime_.read(change_)[0] <= config_.largest_change_allowed();
}

template <class Launches>
void ChannelFlow::in_trace(example::Mode mode, std::uint64_t trace, const Launches& launches) {
    if (mode == example::Mode::manual) runtime_.begin_trace(trace);
    launches();
    if (mode == example::Mode::manual) runtime_.end_trace(trace);
}

/// By hand, one would mark a time step. That u and u' have changed places when it comes round again
/// does not matter to Refrain: a trace is compared by how its regions are used, not by what they
/// are called. Looking for changes is not part of every step and gets a trace of its own.
example::Run ChannelFlow::solve(example::Mode mode) {
    example::Stopwatch watch(runtime_);
    while (steps_ < config_.steps) {
        in_trace(mode, step_trace, [&] { step(); });
        if (++steps_ % config_.check_every != 0) continue;
        in_trace(mode, look_trace, [&] { look_for_changes(); });
        if (has_settled()) break;
    }
    return watch.stop(steps_);
}

void ChannelFlow::check(const State& expected) const {
    if (steps_ != expected.steps)
        throw example::WrongResult("the flow has settled after " + std::to_string(steps_) +
                                   " steps, but serially after " + std::to_string(expected.steps));
    detail::check_equal("u", runtime_.read(u_).elements(), expected.u.values(), channel_.nx);
    detail::check_equal("v", runtime_.read(v_).elements(), expected.v.values(), channel_.nx);
    detail::check_equal("p", runtime_.read(p_).elements(), expected.p.values(), channel_.nx);
}

/// The serial program's result, itself checked against Poiseuille's flow if it has settled.
State expected_state(const Config& config) {
    SerialSolver solver(config);
    State state = solver.solve();
    if (state.steps < config.steps) check_against_parabola(config.channel(), state);
    return state;
}

}  // namespace channel_flow

int main(int argc, char** argv) {
    const channel_flow::Config config = channel_flow::config_from(argc, argv);
    return example::reporting_errors([&] {
        std::optional<channel_flow::State> expected;
        if (config.common.check) expected = channel_flow::expected_state(config);
        const auto program = [&](refrain::Runtime& runtime, example::Mode mode) {
            channel_flow::ChannelFlow flow(runtime, config);
            const example::Run run = flow.solve(mode);
            if (expected) flow.check(*expected);
            return run;
        };
        example::show("channel_flow", config.problem(), config.common, program);
    });
}
