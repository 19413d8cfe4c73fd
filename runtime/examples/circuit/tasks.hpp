/// The tasks of the program; each works on the wires, or on the nodes, of one piece.
#pragma once

#include "refrain/refrain.hpp"

#include <cstdint>

#include "circuit/scheme.hpp"

namespace circuit {

using refrain::Point;
using refrain::View;

/// The relation of a node to a piece; it decides how the node's charge is added.
enum class Place : std::uint8_t { alone, shared, ghost };

struct Ends {
    Place from = Place::alone, to = Place::alone;
};

/// Computes the currents in the wires from the voltages of the nodes at their ends.
struct UpdateCurrents {
    double dt;

    void operator()(View<WireState, 1> states, View<const WireConstants, 1> wires,
                    View<const std::int64_t, 1> from, View<const std::int64_t, 1> to,
                    View<const double, 1> voltage) const {
        for (const Point<1> w : states.points())
            advance(states[w], wires[w], voltage[from[w]], voltage[to[w]], dt);
    }
};

/// Adds the charge that flows through the wires to the nodes at their ends: directly where no other
/// piece adds any, as a reduction where others may add at the same time.
struct DistributeCharge {
    using Reduction = refrain::ReduceView<refrain::Sum, double, 1>;
    double dt;

    void operator()(View<const WireState, 1> states, View<const std::int64_t, 1> from,
                    View<const std::int64_t, 1> to, View<const Ends, 1> ends, View<double, 1> alone,
                    Reduction shared, Reduction ghost) const {
        const auto add = [&](Place place, std::int64_t node, double charge) {
            if (place == Place::alone)
                alone[node] += charge;
            else
                (place == Place::shared ? shared : ghost).reduce(node, charge);
        };
        for (const Point<1> w : states.points()) {
            add(ends[w].from, from[w], charge_to_from(states[w], dt));
            add(ends[w].to, to[w], charge_to_to(states[w], dt));
        }
    }
};

/// Computes the voltages of the nodes and resets their charge.
struct UpdateVoltages {
    double dt, alternation;

    void operator()(View<double, 1> voltage, View<double, 1> charge,
                    View<const NodeConstants, 1> nodes) const {
        for (const Point<1> n : voltage.points()) {
            voltage[n] = next_voltage(voltage[n], charge[n], nodes[n], dt, alternation);
            charge[n] = 0;
        }
    }
};

}  // namespace circuit
