/// The flow as a library: a program creates one, advances it step by step, and reads the result.
///
///     ChannelFlow flow(runtime, config);
///     while (flow.advance(mode)) {}
///     flow.check(expected);
///
/// The flow is independent of other work on the runtime. It marks its own manual traces, because
/// only the library knows what a step launches.
#pragma once

#include "refrain/refrain.hpp"

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include "channel_flow/channel.hpp"
#include "channel_flow/config.hpp"
#include "channel_flow/serial.hpp"
#include "channel_flow/tasks.hpp"
#include "common/comparison.hpp"
#include "common/picture.hpp"

namespace channel_flow {

/// Each field has two regions, which are swapped when the new one is complete: seven regions in
/// all. By default a step has an even number of pressure iterations and one update of the velocity,
/// so u and v are in other regions every second step: by region name, the launches repeat after two
/// steps.
class ChannelFlow {
  public:
    /// The number of trace ids it uses, from the first one on.
    static constexpr std::uint64_t trace_count = 2;

    ChannelFlow(refrain::Runtime& runtime, const Config& config, std::uint64_t first_trace = 1)
        : runtime_(runtime),
          config_(config),
          channel_(config.channel()),
          tiles_(refrain::tiles(refrain::extents(channel_.ny, channel_.nx),
                                {config.tiles, config.tiles})),
          halos_(refrain::halo(tiles_, {1, 1}, {1, 1},
                               {refrain::Boundary::clipped, refrain::Boundary::periodic})),
          step_trace_(first_trace),
          look_trace_(first_trace + 1) {
        set_up_eddies();
    }

    /// Advances by one time step, and checks for convergence where a check is due, which waits.
    /// Returns false once the flow has settled or has done all its steps.
    bool advance(example::Mode mode);

    [[nodiscard]] std::int64_t steps() const { return steps_; }

    /// Errors: WrongResult if a number differs from the serial result.
    void check(const State& expected) const;

    /// The speed at each point, as a picture. Waits.
    void draw(example::Picture& picture) const;

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
    refrain::Partition<2> halos_;  // a tile and the points around it; periodic along the channel
    std::uint64_t step_trace_, look_trace_;
    Field u_ = field("u"), old_u_ = field("u'");
    Field v_ = field("v"), old_v_ = field("v'");
    Field p_ = field("p"), old_p_ = field("p'");
    Field source_ = field("source");
    refrain::Region<double, 1> change_ =
        runtime_.create_region<double>(refrain::extents(1), "change");
    std::int64_t steps_ = 0;
};

inline void ChannelFlow::set_up_eddies() {
    const auto u = runtime_.write(u_);
    const auto v = runtime_.write(v_);
    for (const refrain::Point<2> at : u.domain()) {
        u[at] = channel_.eddy_u(at[0], at[1]);
        v[at] = channel_.eddy_v(at[0], at[1]);
    }
    runtime_.fill(p_, tiles_, 0.0);
}

/// One time step: the source of the pressure, the pressure, and its effect on the velocity.
inline void ChannelFlow::step() {
    const auto colours = tiles_.colours();
    runtime_.launch("source", colours, ComputePressureSource{PressureSource(channel_)},
                    refrain::write(source_, tiles_), refrain::read(u_, halos_),
                    refrain::read(v_, halos_));
    for (std::int64_t k = 0; k < config_.pressure_iterations; ++k) {
        std::swap(p_, old_p_);
        runtime_.launch("relax", colours, RelaxPressure{PressureRelaxation(channel_)},
                        refrain::write(p_, tiles_), refrain::read(old_p_, halos_),
                        refrain::read(source_, tiles_));
    }
    std::swap(u_, old_u_);
    std::swap(v_, old_v_);
    runtime_.launch("advance", colours, AdvanceVelocity{Momentum(channel_)},
                    refrain::write(u_, tiles_), refrain::write(v_, tiles_),
                    refrain::read(old_u_, halos_), refrain::read(old_v_, halos_),
                    refrain::read(p_, halos_));
}

inline void ChannelFlow::look_for_changes() {
    runtime_.fill(change_, 0.0);
    runtime_.launch("change", tiles_.colours(), FindLargestChange{},
                    refrain::reduce<refrain::Maximum>(change_), refrain::read(u_, tiles_),
                    refrain::read(v_, tiles_), refrain::read(old_u_, tiles_),
                    refrain::read(old_v_, tiles_));
}

/// Waits for the steps so far.
inline bool ChannelFlow::has_settled() {
    return runtime_.read(change_)[0] <= config_.largest_change_allowed();
}

template <class Launches>
void ChannelFlow::in_trace(example::Mode mode, std::uint64_t trace, const Launches& launches) {
    if (mode == example::Mode::manual) runtime_.begin_trace(trace);
    launches();
    if (mode == example::Mode::manual) runtime_.end_trace(trace);
}

/// One manual trace is a time step. That u and u' have been swapped when it is replayed does not
/// matter to Refrain: replay compares how regions are used, not their names. The convergence check
/// is not part of every step and has a trace of its own.
inline bool ChannelFlow::advance(example::Mode mode) {
    in_trace(mode, step_trace_, [&] { step(); });
    if (++steps_ % config_.check_every == 0) {
        in_trace(mode, look_trace_, [&] { look_for_changes(); });
        if (has_settled()) return false;
    }
    return steps_ < config_.steps;
}

inline void ChannelFlow::draw(example::Picture& picture) const {
    const auto u = runtime_.read(u_);
    const auto v = runtime_.read(v_);
    picture.field(channel_.nx, channel_.ny, [&](std::int64_t i, std::int64_t j) {
        const refrain::Point<2> at(j, i);
        return std::hypot(u[at], v[at]);
    });
}

inline void ChannelFlow::check(const State& expected) const {
    if (steps_ != expected.steps)
        throw example::WrongResult("the flow has settled after " + std::to_string(steps_) +
                                   " steps, but serially after " + std::to_string(expected.steps));
    detail::check_equal("u", runtime_.read(u_).elements(), expected.u.values(), channel_.nx);
    detail::check_equal("v", runtime_.read(v_).elements(), expected.v.values(), channel_.nx);
    detail::check_equal("p", runtime_.read(p_).elements(), expected.p.values(), channel_.nx);
}

}  // namespace channel_flow
