#include <algorithm>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

#include "circuit/graph.hpp"
#include "circuit/serial.hpp"

namespace circuit::circuit_serial_test {
namespace {

/// Two nodes, with 1 and 3 units of capacity and without a leak, and a wire between them.
Graph pair_of_nodes() {
    Graph graph;
    graph.pieces = 1;
    graph.piece = {0, 0};
    graph.nodes = {{1, 0, 0}, {3, 0, 0}};
    graph.voltage = {8, 0};
    graph.from = {0};
    graph.to = {1};
    graph.wires = {{1, 0.5, 0.1}};
    graph.dt = detail::stable_time_step(graph);
    return graph;
}

TEST(CircuitScheme, a_step_matches_a_calculation_by_hand) {
    WireState wire;
    advance(wire, {.inductance = 2, .resistance = 3, .capacitance = 4}, 5, 0, 1);
    // The first segment: (0 + 1/2 (5 - 0)) / (1 + 3/2) = 1; all others see no difference yet.
    EXPECT_DOUBLE_EQ(wire.current[0], 1);
    EXPECT_DOUBLE_EQ(wire.current[1], 0);
    EXPECT_DOUBLE_EQ(wire.voltage[0], 0.25);
    EXPECT_DOUBLE_EQ(wire.voltage[1], 0);
    EXPECT_DOUBLE_EQ(charge_to_from(wire, 1), -1);
    EXPECT_DOUBLE_EQ(charge_to_to(wire, 1), 0);
    // 5 - 1/2 is left of the node's voltage, half of it after the leak: 1 + 1 * 2 / 2.
    EXPECT_DOUBLE_EQ(next_voltage(5, -1, {2, 2, 0}, 1, 1), 2.25);
    // A source that gives half of 3 brings it to 5 + 1/4.
    EXPECT_DOUBLE_EQ(next_voltage(5, -1, {2, 2, 3}, 1, 0.5), 2.625);
}

TEST(CircuitSerial, two_nodes_end_at_the_voltage_that_shares_their_charge) {
    const Graph graph = pair_of_nodes();
    SerialCircuit circuit(graph);
    circuit.run(20000);
    const double capacity = 1 + 3 + 3 * 0.1;  // three inner points
    EXPECT_NEAR(circuit.voltages()[0], 8 / capacity, 1e-12);
    EXPECT_NEAR(circuit.voltages()[1], 8 / capacity, 1e-12);
    for (const double current : circuit.wires()[0].current) EXPECT_NEAR(current, 0, 1e-12);
}

TEST(CircuitSerial, charge_is_conserved_where_nothing_leaks) {
    GraphOptions options;
    options.leakage = 0;
    options.drive = 0;
    const Graph graph = make_graph(options);
    SerialCircuit circuit(graph);
    const double before = circuit.total_charge();
    circuit.run(1000);
    EXPECT_NEAR(circuit.total_charge(), before, 1e-10);
    options.leakage = 0.5;
    const Graph leaking = make_graph(options);
    SerialCircuit other(leaking);
    other.run(5000);
    EXPECT_LT(std::abs(other.total_charge()), 0.1 * std::abs(before));
}

TEST(CircuitSerial, the_charge_grows_by_what_the_sources_give) {
    Graph graph = pair_of_nodes();
    graph.nodes[1].source = 2;
    SerialCircuit circuit(graph);
    circuit.run(200);  // half a period of the sources
    double given = 0;
    for (std::int64_t step = 0; step < 200; ++step) given += 2 * graph.dt * alternation(step);
    EXPECT_NEAR(given, 2 * graph.dt * 400 / (2 * 3.14159265) * 2, 0.01 * given);
    EXPECT_NEAR(circuit.total_charge(), 8 + given, 1e-10);
    EXPECT_NEAR(alternation(100), 1, 1e-15);
    EXPECT_EQ(alternation(400), 0);
}

TEST(CircuitSerial, the_time_step_is_stable_and_four_times_it_is_not) {
    Graph graph = make_graph({.leakage = 0, .drive = 0});
    for (WireConstants& wire : graph.wires) wire.resistance = 0;  // nothing damps
    SerialCircuit calm(graph);
    const double energy_before = calm.largest_energy();
    calm.run(3000);
    EXPECT_LT(calm.largest_energy(), 3 * energy_before);
    graph.dt *= 4;
    SerialCircuit wild(graph);
    wild.run(3000);
    EXPECT_GT(wild.largest_energy(), 1e12 * energy_before);
}

TEST(CircuitSerial, summing_in_another_order_stays_within_the_tolerance) {
    // The same circuit, once in four pieces and once in one: sums are formed in another way.
    Graph graph = make_graph({.inside = 0.5});
    SerialCircuit in_pieces(graph);
    in_pieces.run(500);
    const Voltages expected = in_pieces.voltages();
    Graph together = graph;
    together.pieces = 1;
    std::fill(together.piece.begin(), together.piece.end(), 0);
    SerialCircuit as_one(together);
    as_one.run(500);
    EXPECT_NE(as_one.voltages(), expected);
    const double tolerance = reordering_tolerance(graph, 500, in_pieces.largest_energy());
    EXPECT_LT(tolerance, 1e-9);
    EXPECT_NO_THROW(check_voltages(as_one.voltages(), expected, tolerance));
}

TEST(CircuitSerial, a_voltage_that_differs_in_the_last_bit_is_refused) {
    const Voltages expected{0.25, 0.5};
    EXPECT_NO_THROW(check_voltages({0.25, 0.5}, expected, 0));
    EXPECT_THROW(check_voltages({0.25, std::nextafter(0.5, 1.0)}, expected, 0),
                 example::WrongResult);
    EXPECT_THROW(check_voltages({0.25, std::nan("")}, expected, 1), example::WrongResult);
}

TEST(CircuitGraph, wires_begin_in_their_piece_and_the_requested_fraction_ends_there) {
    const Graph graph = make_graph({.pieces = 5, .nodes = 40, .wires = 1000, .inside = 0.8});
    ASSERT_EQ(graph.node_count(), 200);
    ASSERT_EQ(graph.wire_count(), 5000);
    std::vector<int> begin(5, 0);
    double inside = 0;
    for (std::size_t w = 0; w < graph.wires.size(); ++w) {
        EXPECT_NE(graph.from[w], graph.to[w]);
        const std::int64_t piece = graph.piece_of(graph.from[w]);
        ++begin[static_cast<std::size_t>(piece)];
        if (graph.piece_of(graph.to[w]) == piece) ++inside;
    }
    EXPECT_EQ(begin, std::vector<int>(5, 1000));
    EXPECT_NEAR(inside / 5000, 0.8, 4 * std::sqrt(0.8 * 0.2 / 5000));  // four standard deviations
}

TEST(CircuitGraph, shared_nodes_have_the_last_numbers) {
    const Graph graph = make_graph({});
    std::int64_t first_shared = graph.node_count();
    std::vector<bool> shared(graph.nodes.size(), false);
    for (std::size_t w = 0; w < graph.wires.size(); ++w) {
        if (graph.piece_of(graph.from[w]) == graph.piece_of(graph.to[w])) continue;
        shared[static_cast<std::size_t>(graph.to[w])] = true;
        first_shared = std::min(first_shared, graph.to[w]);
    }
    EXPECT_GT(first_shared, 0);
    EXPECT_LT(first_shared, graph.node_count());
    for (std::int64_t n = 0; n < graph.node_count(); ++n)
        EXPECT_EQ(shared[static_cast<std::size_t>(n)], n >= first_shared);
}

TEST(CircuitGraph, scattering_changes_the_numbering_only) {
    const Graph ordered = make_graph({.pieces = 2, .nodes = 10, .wires = 30});
    const Graph scattered = make_graph({.pieces = 2, .nodes = 10, .wires = 30, .scatter = true});
    EXPECT_NE(ordered.to, scattered.to);
    EXPECT_DOUBLE_EQ(ordered.dt, scattered.dt);
    const auto voltages_after = [](const Graph& graph) {
        SerialCircuit circuit(graph);
        circuit.run(100);
        Voltages sorted = circuit.voltages();
        std::sort(sorted.begin(), sorted.end());
        return sorted;
    };
    const Voltages a = voltages_after(ordered);
    const Voltages b = voltages_after(scattered);
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-12);
}

TEST(CircuitGraph, equal_seeds_give_equal_circuits_and_other_seeds_others) {
    const Graph a = make_graph({.seed = 5});
    EXPECT_EQ(a.to, make_graph({.seed = 5}).to);
    EXPECT_NE(a.to, make_graph({.seed = 6}).to);
}

}  // namespace
}  // namespace circuit::circuit_serial_test
