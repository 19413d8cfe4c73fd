/// The same method as plain loops, without any runtime: what the program is checked against.
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
          wires_(graph.wires.size()),
          wires_of_(static_cast<std::size_t>(graph.pieces)) {
        for (std::size_t w = 0; w < wires_.size(); ++w)
            wires_of_[static_cast<std::size_t>(graph.piece_of(graph.from[w]))].push_back(w);
        remember_largest();
    }

    void run(std::int64_t steps) {
        for (std::int64_t step = 0; step < steps; ++step) {
            for (std::size_t w = 0; w < wires_.size(); ++w)
                advance(wires_[w], graph_.wires[w], voltage_[from(w)], voltage_[to(w)], graph_.dt);
            const std::vector<double> charge = arriving_charge();
            for (std::size_t n = 0; n < voltage_.size(); ++n)
                voltage_[n] = next_voltage(voltage_[n], charge[n], graph_.nodes[n], graph_.dt);
            remember_largest();
        }
    }

    [[nodiscard]] const Voltages& voltages() const { return voltage_; }
    [[nodiscard]] const std::vector<WireState>& wires() const { return wires_; }
    /// Of any node so far.
    [[nodiscard]] double largest_voltage() const { return largest_voltage_; }

    /// Of nodes and wires together; what has leaked is gone.
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

    /// What a piece brings to a node is added up first, and then what the pieces bring: in the
    /// order in which reductions fold if they are to be deterministic.
    [[nodiscard]] std::vector<double> arriving_charge() const {
        std::vector<double> charge(voltage_.size(), 0.0);
        std::vector<double> of_piece(voltage_.size(), 0.0);
        for (const std::vector<std::size_t>& wires : wires_of_) {
            for (const std::size_t w : wires) {
                of_piece[from(w)] += charge_to_from(wires_[w], graph_.dt);
                of_piece[to(w)] += charge_to_to(wires_[w], graph_.dt);
            }
            for (const std::size_t w : wires)
                for (const std::size_t n : {from(w), to(w)}) {
                    charge[n] += of_piece[n];
                    of_piece[n] = 0;  // a node may be at the end of several wires
                }
        }
        return charge;
    }

    void remember_largest() {
        for (const double v : voltage_) largest_voltage_ = std::max(largest_voltage_, std::abs(v));
    }

    const Graph& graph_;
    Voltages voltage_;
    std::vector<WireState> wires_;
    std::vector<std::vector<std::size_t>> wires_of_;  // the wires of each piece
    double largest_voltage_ = 0;
};

/// How far voltages may be apart if the charges of a node were added in another order. That changes
/// the charge of a node with m wires by m roundings of what is added, and so its voltage by no more
/// than m eps V per step. A circuit without sources gains no energy, C V^2 / 2 summed up, and its
/// equations are linear: no change grows afterwards, measured by energy, and the largest change of
/// a voltage is at most sqrt(nodes C_max / C_min) times that. (With the time step at half of what
/// is stable, the energy that cannot grow is between a half and one and a half of that.)
[[nodiscard]] inline double reordering_tolerance(const Graph& graph, std::int64_t steps,
                                                 double largest_voltage) {
    const std::vector<std::int64_t> degree = detail::degrees(graph);
    const auto most = static_cast<double>(*std::max_element(degree.begin(), degree.end()));
    double smallest = std::numeric_limits<double>::infinity();
    double all = 0;
    for (const NodeConstants& node : graph.nodes) {
        smallest = std::min(smallest, node.capacitance);
        all += node.capacitance;
    }
    const double growth = std::sqrt(3 * all / smallest);
    return static_cast<double>(steps) * most * std::numeric_limits<double>::epsilon() *
           largest_voltage * growth;
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
