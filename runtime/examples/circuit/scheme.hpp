/// The formulas at one wire and at one node, shared by the tasks and the serial program, which
/// differ in everything else.
///
/// A node is a capacitor with a leak; into some nodes a source drives a current S. A wire is a
/// chain of segments with inductance and resistance, with an inner point of its own capacitance
/// between any two segments:
///
///     from --L,R-- o --L,R-- o --L,R-- o --L,R-- to      segment     L dI/dt = V - V' - R I
///      |           |         |         |         |       inner point C dV/dt = I - I'
///      C,G,S       C         C         C         C,G     node        C dV/dt = I - I' + S - G V
///
/// Currents and voltages alternate in time: each uses the newest values of the other. Resistance
/// and leakage are implicit.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace circuit {

inline constexpr std::size_t segment_count = 4;

struct WireConstants {
    double inductance = 0, resistance = 0;  // of a segment
    double capacitance = 0;                 // of an inner point
};

struct WireState {
    std::array<double, segment_count> current{};
    std::array<double, segment_count - 1> voltage{};  // of the inner points
};

struct NodeConstants {
    double capacitance = 0;
    double conductance = 0;  // of the leak
    double source = 0;       // largest current
};

/// One time step of a wire between nodes that have the voltages `from` and `to`.
inline void advance(WireState& wire, const WireConstants& constants, double from, double to,
                    double dt) {
    const double per_inductance = dt / constants.inductance;
    const double damping = 1 / (1 + constants.resistance * per_inductance);
    double before = from;
    for (std::size_t s = 0; s < segment_count; ++s) {
        const double after = s + 1 < segment_count ? wire.voltage[s] : to;
        wire.current[s] = (wire.current[s] + per_inductance * (before - after)) * damping;
        before = after;
    }
    const double per_capacitance = dt / constants.capacitance;
    for (std::size_t s = 0; s + 1 < segment_count; ++s)
        wire.voltage[s] += per_capacitance * (wire.current[s] - wire.current[s + 1]);
}

/// The charge that a wire carries to its ends in a time step.
[[nodiscard]] inline double charge_to_from(const WireState& wire, double dt) {
    return -dt * wire.current.front();
}
[[nodiscard]] inline double charge_to_to(const WireState& wire, double dt) {
    return dt * wire.current.back();
}

/// The fraction of its largest current that a source gives in a step: all sources alternate
/// together.
[[nodiscard]] inline double alternation(std::int64_t step) {
    constexpr std::int64_t period = 400;
    constexpr double pi = 3.14159265358979323846;
    return std::sin(2 * pi * static_cast<double>(step % period) / static_cast<double>(period));
}

/// The voltage of a node after wires have carried `charge` to it.
[[nodiscard]] inline double next_voltage(double voltage, double charge, const NodeConstants& node,
                                         double dt, double alternation) {
    const double brought = charge + dt * alternation * node.source;
    return (voltage + brought / node.capacitance) / (1 + dt * node.conductance / node.capacitance);
}

}  // namespace circuit
