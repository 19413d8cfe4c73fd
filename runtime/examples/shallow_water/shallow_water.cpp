/// Shallow water: waves, walls, uneven ground, and shores that wet and dry, in two dimensions.

#include "refrain/refrain.hpp"

#include <cstdint>
#include <optional>
#include <vector>

#include "common/show.hpp"
#include "shallow_water/basin.hpp"
#include "shallow_water/check.hpp"
#include "shallow_water/config.hpp"
#include "shallow_water/serial.hpp"
#include "shallow_water/tasks.hpp"

namespace shallow_water {

using refrain::read;
using refrain::reduce;
using refrain::write;

/// The id of the trace around one time step, for begin_trace; any number does.
constexpr std::uint64_t step_trace = 1;

/// The conserved quantities. The fields are handles: copying them copies no data.
struct Flow {
    Field h, hu, hv;
};

/// The quantities computed from a Flow at the beginning of a stage.
struct Primitive {
    Field surface, u, v;
};

/// Slopes of the profiles along one axis.
struct Slopes {
    Field depth, surface, along, across;
};

/// One field of faces per part of a FaceFlux.
struct Flux {
    Field mass, along_low, along_high, across;
};

/// The program, in the style of an array library: every function below launches one task per tile
/// and returns the result in new regions. A region is destroyed with its last handle, usually at
/// the end of a stage.
class ShallowWater {
  public:
    ShallowWater(refrain::Runtime& runtime, const Config& config)
        : runtime_(runtime),
          config_(config),
          test_(config.test_case()),
          basin_(config.size, config.tiles),
          bed_(basin_.cells_of(runtime, "bed")) {
        set_up();
    }

    example::Run solve(example::Mode mode);
    [[nodiscard]] Solution solution();

  private:
    void set_up();
    void step();
    [[nodiscard]] bool has_ended();

    [[nodiscard]] Primitive primitive(const Flow& flow);
    [[nodiscard]] refrain::Future<Clock> next_clock(const Flow& flow, const Primitive& water);
    [[nodiscard]] Field slope(const Field& field, Axis axis);
    [[nodiscard]] Slopes slopes(const Flow& flow, const Primitive& water, Axis axis);
    [[nodiscard]] Flux flux(const Flow& flow, const Primitive& water, const Slopes& slopes,
                            Axis axis);
    [[nodiscard]] Field momentum_rate(const Flow& flow, const Slopes& slopes, const Flux& along,
                                      const Flux& across, Axis axis);
    [[nodiscard]] Flow rates(const Flow& flow, const Primitive& water);
    [[nodiscard]] Flow advanced(const Stage& stage, const Flow& start, const Flow& last,
                                const Flow& rate);

    [[nodiscard]] Field fresh() { return basin_.cells_of(runtime_); }

    refrain::Runtime& runtime_;
    Config config_;
    TestCase test_;
    Basin basin_;
    Field bed_;
    Flow flow_;
    refrain::Future<Clock> clock_;  // the time and the last step
    std::int64_t steps_ = 0;
};

void ShallowWater::set_up() {
    flow_ = {fresh(), fresh(), fresh()};
    const auto bed = runtime_.write(bed_);
    const auto h = runtime_.write(flow_.h);
    const auto hu = runtime_.write(flow_.hu);
    const auto hv = runtime_.write(flow_.hv);
    for (const Place at : bed.domain()) {
        const Water water = test_.water(at[0], at[1], 0);
        bed[at] = test_.bed(at[0], at[1]);
        h[at] = water.depth;
        hu[at] = water.depth * water.u;
        hv[at] = water.depth * water.v;
    }
    clock_ = runtime_.launch("start", [] { return Clock{}; });
}

Primitive ShallowWater::primitive(const Flow& flow) {
    Primitive water{fresh(), fresh(), fresh()};
    const auto& tiles = basin_.tiles;
    runtime_.launch("surface", tiles.colours(), FindSurface{}, write(water.surface, tiles),
                    read(flow.h, tiles), read(bed_, tiles));
    runtime_.launch("u", tiles.colours(), FindVelocity{}, write(water.u, tiles),
                    read(flow.h, tiles), read(flow.hu, tiles));
    runtime_.launch("v", tiles.colours(), FindVelocity{}, write(water.v, tiles),
                    read(flow.h, tiles), read(flow.hv, tiles));
    return water;
}

/// Reduces the step over all cells. It stays a future: later launches take it as an argument, and
/// the program does not wait.
refrain::Future<Clock> ShallowWater::next_clock(const Flow& flow, const Primitive& water) {
    const auto fastest = runtime_.create_region<double>(refrain::extents(1), "fastest");
    const auto& tiles = basin_.tiles;
    runtime_.fill(fastest, 0.0);
    runtime_.launch("fastest", tiles.colours(), FindFastestRate{test_.cell()},
                    reduce<refrain::Maximum>(fastest), read(flow.h, tiles), read(water.u, tiles),
                    read(water.v, tiles));
    return runtime_.launch("choose step", ChooseStep{test_.end_time()}, read(fastest), clock_);
}

Field ShallowWater::slope(const Field& field, Axis axis) {
    Field result = fresh();
    runtime_.launch("slope", basin_.tiles.colours(), LimitSlopes{axis}, write(result, basin_.tiles),
                    read(field, basin_.along(axis).neighbours));
    return result;
}

Slopes ShallowWater::slopes(const Flow& flow, const Primitive& water, Axis axis) {
    const bool is_x = axis == Axis::x;
    return {slope(flow.h, axis), slope(water.surface, axis), slope(is_x ? water.u : water.v, axis),
            slope(is_x ? water.v : water.u, axis)};
}

Flux ShallowWater::flux(const Flow& flow, const Primitive& water, const Slopes& slopes, Axis axis) {
    const Basin::Faces& faces = basin_.along(axis);
    const auto faces_of = [&] { return runtime_.create_region<double>(faces.own.space()); };
    const Field& along = axis == Axis::x ? water.u : water.v;
    const Field& across = axis == Axis::x ? water.v : water.u;
    Flux flux{faces_of(), faces_of(), faces_of(), faces_of()};
    runtime_.launch("flux", faces.own.colours(), FindFlux{axis}, write(flux.mass, faces.own),
                    write(flux.along_low, faces.own), write(flux.along_high, faces.own),
                    write(flux.across, faces.own), read(flow.h, faces.neighbours),
                    read(water.surface, faces.neighbours), read(along, faces.neighbours),
                    read(across, faces.neighbours), read(slopes.depth, faces.neighbours),
                    read(slopes.surface, faces.neighbours), read(slopes.along, faces.neighbours),
                    read(slopes.across, faces.neighbours));
    return flux;
}

/// `along` is the flux along `axis`, `across` the flux along the other axis.
Field ShallowWater::momentum_rate(const Flow& flow, const Slopes& slopes, const Flux& along,
                                  const Flux& across, Axis axis) {
    Field rate = fresh();
    const auto& faces = basin_.along(axis).around;
    const auto& others = basin_.along(axis == Axis::x ? Axis::y : Axis::x).around;
    const auto& tiles = basin_.tiles;
    runtime_.launch("momentum rate", tiles.colours(), FindMomentumRate{axis, test_.cell()},
                    write(rate, tiles), read(along.along_low, faces), read(along.along_high, faces),
                    read(across.across, others), read(flow.h, tiles), read(slopes.surface, tiles));
    return rate;
}

/// The rates of the conserved quantities.
Flow ShallowWater::rates(const Flow& flow, const Primitive& water) {
    const Slopes slopes_x = slopes(flow, water, Axis::x);
    const Slopes slopes_y = slopes(flow, water, Axis::y);
    const Flux flux_x = flux(flow, water, slopes_x, Axis::x);
    const Flux flux_y = flux(flow, water, slopes_y, Axis::y);
    Field rise = fresh();
    runtime_.launch("depth rate", basin_.tiles.colours(), FindDepthRate{test_.cell()},
                    write(rise, basin_.tiles), read(flux_x.mass, basin_.along_x.around),
                    read(flux_y.mass, basin_.along_y.around));
    return {rise, momentum_rate(flow, slopes_x, flux_x, flux_y, Axis::x),
            momentum_rate(flow, slopes_y, flux_y, flux_x, Axis::y)};
}

Flow ShallowWater::advanced(const Stage& stage, const Flow& start, const Flow& last,
                            const Flow& rate) {
    Flow next{fresh(), fresh(), fresh()};
    const auto& tiles = basin_.tiles;
    const auto launch = [&](const auto& task, Field Flow::*part) {
        runtime_.launch("advance", tiles.colours(), task, write(next.*part, tiles),
                        read(start.*part, tiles), read(last.*part, tiles), read(rate.*part, tiles),
                        clock_);
    };
    launch(AdvanceDepth{stage}, &Flow::h);
    launch(AdvanceMomentum{stage}, &Flow::hu);
    launch(AdvanceMomentum{stage}, &Flow::hv);
    return next;
}

void ShallowWater::step() {
    const Flow start = flow_;
    Primitive water = primitive(flow_);
    clock_ = next_clock(flow_, water);
    for (const Stage& stage : config_.method()) {
        const bool is_first = stage.of_start == 0;  // `water` is up to date
        if (!is_first) water = primitive(flow_);
        flow_ = advanced(stage, start, flow_, rates(flow_, water));
    }
}

/// Waits for the clock, and so for all steps so far.
bool ShallowWater::has_ended() {
    return clock_.get().time >= test_.end_time();
}

/// The manual trace is one time step. That is the body of the loop, but not the repeating unit by
/// region name: a step creates its new h, hu and hv while it still needs the old ones, so they
/// alternate between regions 7 to 9 and 10 to 12, the temporaries around them shift too, and the
/// launches repeat after two steps. In Refrain one step is enough, because replay compares how
/// regions are used, not their names.
///
/// The check of the clock launches nothing and is outside the marks.
example::Run ShallowWater::solve(example::Mode mode) {
    example::Stopwatch watch(runtime_);
    while (steps_ < config_.steps) {
        if (mode == example::Mode::manual) runtime_.begin_trace(step_trace);
        step();
        if (mode == example::Mode::manual) runtime_.end_trace(step_trace);
        if (++steps_ % config_.look_every == 0 && test_.is_dam() && has_ended()) break;
    }
    return watch.stop(steps_);
}

Solution ShallowWater::solution() {
    const auto copy = [&](const Field& field) {
        const auto view = runtime_.read(field);
        Array array(config_.size);
        for (const Place at : view.domain()) array(at[0], at[1]) = view[at];
        return array;
    };
    return {{copy(flow_.h), copy(flow_.hu), copy(flow_.hv)}, clock_.get().time, steps_};
}

}  // namespace shallow_water

int main(int argc, char** argv) {
    const shallow_water::Config config = shallow_water::config_from(argc, argv);
    return example::reporting_errors([&] {
        std::optional<shallow_water::Expected> expected;
        if (config.common.check) expected.emplace(config);
        example::ResultPicture picture(config.common);
        const auto program = [&](refrain::Runtime& runtime, example::Mode mode) {
            shallow_water::ShallowWater water(runtime, config);
            const example::Run run = water.solve(mode);
            if (expected) expected->check(water.solution());
            picture.draw({.title = "depth of the water"}, [&](example::Picture& p) {
                const shallow_water::Solution solution = water.solution();
                p.field(config.size, config.size,
                        [&](std::int64_t i, std::int64_t j) { return solution.state.h(j, i); });
            });
            return run;
        };
        example::show("shallow_water", config.problem(), config.common, program, picture);
    });
}
