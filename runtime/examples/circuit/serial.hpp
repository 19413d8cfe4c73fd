/// The same method as plain loops, without any runtime: the reference for the check.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "circuit/graph.hpp"
#include "circuit/scheme.hpp"
#include "common/comparison.hpp"
#include "common/number_text.hpp"

namespace circuit {

using Voltages = std::vector<double>;

class SerialCircuit {
  public:
    explicit SerialCircuit(const Graph& graph)
        : graph_(graph),
          voltage_(graph.voltage),
          charge_(voltage_.size(), 0.0),
          of_piece_(voltage_.size(), 0.0),
          wires_(graph.wires.size()),
          wires_of_(static_cast<std::size_t>(graph.pieces)) {
        for (std::size_t w = 0; w < wires_.size(); ++w)
            wires_of_[static_cast<std::size_t>(graph.piece_of(graph.from[w]))].push_back(w);
        largest_energy_ = energy();
    }

    void run(std::int64_t steps) {
        for (std::int64_t step = 0; step < steps; ++step) {
            for (std::size_t w = 0; w < wires_.size(); ++w)
                advance(wires_[w], graph_.wires[w], voltage_[from(w)], voltage_[to(w)], graph_.dt);
            collect_charge();
            const double now = alternation(step);
            for (std::size_t n = 0; n < voltage_.size(); ++n) {
                voltage_[n] =
                    next_voltage(voltage_[n], charge_[n], graph_.nodes[n], graph_.dt, now);
                charge_[n] = 0;
            }
            largest_energy_ = std::max(largest_energy_, energy());
        }
    }

    [[nodiscard]] const Voltages& voltages() const { return voltage_; }
    [[nodiscard]] const std::vector<WireState>& wires() const { return wires_; }
    /// The largest energy so far.
    [[nodiscard]] double largest_energy() const { return largest_energy_; }

    /// The charge of nodes and wires, without what has leaked.
    [[nodiscard]] double total_charge() const {
        double total = 0;
        for (std::size_t n = 0; n < voltage_.size(); ++n)
            total += graph_.nodes[n].capacitance * voltage_[n];
        for (std::size_t w = 0; w < wires_.size(); ++w)
            for (const double inner : wires_[w].voltage)
                total += graph_.wires[w].capacitance * inner;
        return total;
    }

  private:
    [[nodiscard]] std::size_t from(std::size_t w) const {
        return static_cast<std::size_t>(graph_.from[w]);
    }
    [[nodiscard]] std::size_t to(std::size_t w) const {
        return static_cast<std::size_t>(graph_.to[w]);
    }

    /// Sums the charge within each piece first, and then over the pieces: the order of
    /// deterministic reductions.
    void collect_charge() {
        for (const std::vector<std::size_t>& wires : wires_of_) {
            for (const std::size_t w : wires) {
                of_piece_[from(w)] += charge_to_from(wires_[w], graph_.dt);
                of_piece_[to(w)] += charge_to_to(wires_[w], graph_.dt);
            }
            for (const std::size_t w : wires)
                for (const std::size_t n : {from(w), to(w)}) {
                    charge_[n] += of_piece_[n];
                    of_piece_[n] = 0;  // a node may be at the end of several wires
                }
        }
    }

    /// C V^2 / 2 of nodes and inner points, L I^2 / 2 of segments.
    [[nodiscard]] double energy() const {
        double twice = 0;
        for (std::size_t n = 0; n < voltage_.size(); ++n)
            twice += graph_.nodes[n].capacitance * voltage_[n] * voltage_[n];
        for (std::size_t w = 0; w < wires_.size(); ++w) {
            for (const double v : wires_[w].voltage) twice += graph_.wires[w].capacitance * v * v;
            for (const double i : wires_[w].current) twice += graph_.wires[w].inductance * i * i;
        }
        return twice / 2;
    }

    const Graph& graph_;
    Voltages voltage_;
    std::vector<double> charge_, of_piece_;  // of each node
    std::vector<WireState> wires_;
    std::vector<std::vector<std::size_t>> wires_of_;  // the wires of each piece
    double largest_energy_ = 0;
};

/// The allowed difference of voltages if the charges of a node are added in another order. In a
/// step, the charge of a node with m wires is rounded m times, and every number of the circuit at
/// most eight times besides: measured by energy, the state changes by at most (m + 8) eps of
/// itself. The equations are linear, so a change obeys them without the sources and gains no
/// energy. (At half of the stable time step, the exactly conserved quantity is between half and one
/// and a half of the energy: hence the 3.) A voltage V has the energy C V^2 / 2.
[[nodiscard]] inline double reordering_tolerance(const Graph& graph, std::int64_t steps,
                                                 double largest_energy) {
    const std::vector<std::int64_t> degree = detail::degrees(graph);
    const auto most = static_cast<double>(*std::max_element(degree.begin(), degree.end()));
    double smallest = std::numeric_limits<double>::infinity();
    for (const NodeConstants& node : graph.nodes) smallest = std::min(smallest, node.capacitance);
    return static_cast<double>(steps) * (most + 8) * std::numeric_limits<double>::epsilon() *
           std::sqrt(3 * 2 * largest_energy / smallest);
}

/// Errors: WrongResult if a voltage differs by more than `tolerance`, which may be zero.
inline void check_voltages(const Voltages& found, const Voltages& expected, double tolerance) {
    for (std::size_t n = 0; n < found.size(); ++n) {
        if (std::abs(found[n] - expected[n]) <= tolerance) continue;
        throw example::WrongResult("the voltage of node " + std::to_string(n) + " is " +
                                   example::number_text(found[n]) + ", but serially " +
                                   example::number_text(expected[n]) + "; they may differ by " +
                                   example::number_text(tolerance));
    }
}

}  // namespace circuit
