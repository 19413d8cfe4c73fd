/// An electric circuit: an irregular graph of nodes and wires, cut into pieces that share some
/// nodes and add charge to them.

#include "refrain/refrain.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <vector>

#include "circuit/config.hpp"
#include "circuit/graph.hpp"
#include "circuit/pieces.hpp"
#include "circuit/serial.hpp"
#include "circuit/tasks.hpp"
#include "common/show.hpp"

namespace circuit {

using refrain::read;
using refrain::read_write;
using refrain::reduce;
using refrain::Region;

/// The id of the trace around one time step, for begin_trace; any number does.
constexpr std::uint64_t step_trace = 1;

class Circuit {
  public:
    Circuit(refrain::Runtime& runtime, const Graph& graph)
        : runtime_(runtime),
          dt_(graph.dt),
          piece_(region_of(graph.piece, "piece")),
          from_(region_of(graph.from, "from")),
          to_(region_of(graph.to, "to")),
          wires_(region_of(graph.wires, "wires")),
          nodes_(region_of(graph.nodes, "nodes")),
          voltage_(region_of(graph.voltage, "voltage")),
          pieces_(pieces_of(runtime, graph.pieces, piece_, from_, to_)) {
        find_ends();
        runtime_.fill(charge_, pieces_.owned, 0.0);
        runtime_.fill(states_, pieces_.wires, WireState{});
    }

    [[nodiscard]] example::Run solve(example::Mode mode, std::int64_t steps);
    [[nodiscard]] Voltages voltages();

  private:
    template <class T>
    [[nodiscard]] Region<T, 1> region_of(const std::vector<T>& values, const char* name) {
        auto region = runtime_.create_region<T>(refrain::extents(values.size()), name);
        const auto view = runtime_.write(region);
        std::copy(values.begin(), values.end(), view.elements().begin());
        return region;
    }
    void find_ends();
    void step(std::int64_t number);

    refrain::Runtime& runtime_;
    double dt_;
    Pointers piece_, from_, to_;
    Region<WireConstants, 1> wires_;
    Region<NodeConstants, 1> nodes_;
    Region<double, 1> voltage_;
    Pieces pieces_;
    Region<Ends, 1> ends_ = runtime_.create_region<Ends>(wires_.bounds(), "ends");
    Region<WireState, 1> states_ = runtime_.create_region<WireState>(wires_.bounds(), "states");
    Region<double, 1> charge_ = runtime_.create_region<double>(nodes_.bounds(), "charge");
};

/// Classifies the ends of each wire once, so that tasks need not do so in every step.
void Circuit::find_ends() {
    const auto ends = runtime_.write(ends_);
    const auto from = runtime_.read(from_);
    const auto to = runtime_.read(to_);
    for (const Point<1> piece : pieces_.owned.colours()) {
        const auto wires = pieces_.wires[piece];
        const auto shared = pieces_.shared[piece];
        const auto ghost = pieces_.ghost[piece];
        const auto place_of = [&](std::int64_t node) {
            if (ghost.contains(node)) return Place::ghost;
            return shared.contains(node) ? Place::shared : Place::alone;
        };
        for (const Point<1> w : wires.points()) ends[w] = {place_of(from[w]), place_of(to[w])};
    }
}

void Circuit::step(std::int64_t number) {
    const auto colours = pieces_.owned.colours();
    runtime_.launch("currents", colours, UpdateCurrents{dt_}, read_write(states_, pieces_.wires),
                    read(wires_, pieces_.wires), read(from_, pieces_.wires),
                    read(to_, pieces_.wires), read(voltage_, pieces_.touched));
    runtime_.launch("charge", colours, DistributeCharge{dt_}, read(states_, pieces_.wires),
                    read(from_, pieces_.wires), read(to_, pieces_.wires),
                    read(ends_, pieces_.wires), read_write(charge_, pieces_.alone),
                    reduce<refrain::Sum>(charge_, pieces_.shared),
                    reduce<refrain::Sum>(charge_, pieces_.ghost));
    runtime_.launch("voltages", colours, UpdateVoltages{dt_, alternation(number)},
                    read_write(voltage_, pieces_.owned), read_write(charge_, pieces_.owned),
                    read(nodes_, pieces_.owned));
}

/// The launches repeat with the loop of the source, region names included: the loop creates,
/// destroys and swaps no region. The manual trace is one step. The current of the sources differs
/// in each step, but traces do not compare scalars.
example::Run Circuit::solve(example::Mode mode, std::int64_t steps) {
    example::Stopwatch watch(runtime_);
    for (std::int64_t k = 0; k < steps; ++k) {
        if (mode == example::Mode::manual) runtime_.begin_trace(step_trace);
        step(k);
        if (mode == example::Mode::manual) runtime_.end_trace(step_trace);
    }
    return watch.stop(steps);
}

Voltages Circuit::voltages() {
    const auto view = runtime_.read(voltage_);
    return {view.elements().begin(), view.elements().end()};
}

/// Each piece is a flower of nodes, the pieces stand in a ring.
void draw(example::Picture& picture, const Graph& graph, const Voltages& voltages) {
    using Spot = example::Picture::Place;
    constexpr double middle = 280;
    constexpr double golden_angle = 2.399963;
    const auto pieces = static_cast<double>(graph.pieces);
    const double ring = graph.pieces == 1 ? 0 : 0.62 * middle;
    const double flower =
        graph.pieces == 1 ? 0.9 * middle : std::min(0.36 * middle, 1.8 * middle / pieces);
    const double per_piece = static_cast<double>(graph.node_count()) / pieces;
    std::vector<double> in_piece(static_cast<std::size_t>(graph.pieces), 0);
    std::vector<Spot> places;
    for (const std::int64_t piece : graph.piece) {
        const double number = in_piece[static_cast<std::size_t>(piece)]++;
        const double turn = 2 * std::numbers::pi * static_cast<double>(piece) / pieces;
        const double radius = flower * std::sqrt((number + 0.5) / per_piece);
        places.push_back(
            {middle + ring * std::cos(turn) + radius * std::cos(number * golden_angle),
             middle + ring * std::sin(turn) + radius * std::sin(number * golden_angle)});
    }
    const auto place = [&](std::int64_t node) { return places[static_cast<std::size_t>(node)]; };
    for (std::size_t wire = 0; wire < graph.wires.size(); ++wire)
        picture.line(place(graph.from[wire]), place(graph.to[wire]), 0.6, {205, 205, 210});
    example::Picture::Range range{voltages.front(), voltages.front()};
    for (const double voltage : voltages) range.include(voltage);
    for (std::size_t node = 0; node < places.size(); ++node)
        picture.disc(places[node], std::clamp(0.6 * flower / std::sqrt(per_piece), 1.0, 9.0),
                     range.colour(voltages[node]));
    picture.explain(range);
}

}  // namespace circuit

int main(int argc, char** argv) {
    const circuit::Config config = circuit::config_from(argc, argv);
    return example::reporting_errors([&] {
        const circuit::Graph graph = circuit::make_graph(config.graph);
        std::optional<circuit::SerialCircuit> expected;
        if (config.common.check) expected.emplace(graph).run(config.steps);
        example::ResultPicture picture(config.common);
        const auto program = [&](refrain::Runtime& runtime, example::Mode mode) {
            circuit::Circuit circuit(runtime, graph);
            const example::Run run = circuit.solve(mode, config.steps);
            picture.draw({.title = "voltages"},
                         [&](example::Picture& p) { circuit::draw(p, graph, circuit.voltages()); });
            if (!expected) return run;
            const double tolerance = runtime.options().deterministic_reductions
                                         ? 0
                                         : circuit::reordering_tolerance(
                                               graph, config.steps, expected->largest_energy());
            circuit::check_voltages(circuit.voltages(), expected->voltages(), tolerance);
            return run;
        };
        example::show("circuit", config.problem(), config.common, program, picture);
    });
}
