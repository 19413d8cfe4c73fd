/// Random circuits: nodes and wires in pieces, like the output of a graph partitioner.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "circuit/scheme.hpp"

namespace circuit {

struct GraphOptions {
    std::int64_t pieces = 4;
    std::int64_t nodes = 50;   // per piece, at least two
    std::int64_t wires = 150;  // per piece
    double inside = 0.95;      // fraction of the wires that end in the piece where they begin
    double leakage = 0.01;     // largest conductance of a node to the ground
    double drive = 1;          // largest current of a source; each piece has one
    bool scatter = false;      // number nodes and wires randomly
    std::uint64_t seed = 1;
};

/// The columns of two tables: nodes, and wires between them.
struct Graph {
    std::int64_t pieces = 0;
    std::vector<std::int64_t> piece;  // of a node
    std::vector<NodeConstants> nodes;
    std::vector<double> voltage;         // initial, of a node
    std::vector<std::int64_t> from, to;  // nodes of a wire; it belongs to the piece of `from`
    std::vector<WireConstants> wires;
    double dt = 0;

    [[nodiscard]] std::int64_t node_count() const {
        return static_cast<std::int64_t>(nodes.size());
    }
    [[nodiscard]] std::int64_t wire_count() const {
        return static_cast<std::int64_t>(wires.size());
    }
    [[nodiscard]] std::int64_t piece_of(std::int64_t node) const {
        return piece[static_cast<std::size_t>(node)];
    }
};

namespace detail {

/// How many wires end at each node.
[[nodiscard]] inline std::vector<std::int64_t> degrees(const Graph& graph) {
    std::vector<std::int64_t> degrees(graph.nodes.size(), 0);
    for (std::size_t w = 0; w < graph.wires.size(); ++w) {
        ++degrees[static_cast<std::size_t>(graph.from[w])];
        ++degrees[static_cast<std::size_t>(graph.to[w])];
    }
    return degrees;
}

/// Half of the longest stable time step, 2 / f, where f is the highest frequency of the circuit
/// without resistance. With D the incidence of segments and points, f^2 is the largest eigenvalue
/// of L^-1 D C^-1 D^T, and at most its largest row sum: for a segment between points of degrees d
/// and d', (d / C + d' / C') / L.
[[nodiscard]] inline double stable_time_step(const Graph& graph) {
    const std::vector<std::int64_t> degree = degrees(graph);
    const auto of_node = [&](std::int64_t node) {
        const auto n = static_cast<std::size_t>(node);
        return static_cast<double>(degree[n]) / graph.nodes[n].capacitance;
    };
    double largest = 0;
    for (std::size_t w = 0; w < graph.wires.size(); ++w) {
        const double inner = 2 / graph.wires[w].capacitance;
        const double ends = std::max(of_node(graph.from[w]), of_node(graph.to[w]));
        largest = std::max(largest, (inner + std::max(inner, ends)) / graph.wires[w].inductance);
    }
    return 1 / std::sqrt(largest);
}

}  // namespace detail

class GraphGenerator {
  public:
    explicit GraphGenerator(const GraphOptions& options) : options_(options), bits_(options.seed) {}

    [[nodiscard]] Graph make() {
        graph_.pieces = options_.pieces;
        for (std::int64_t piece = 0; piece < options_.pieces; ++piece) add_nodes(piece);
        for (std::int64_t piece = 0; piece < options_.pieces; ++piece) add_wires(piece);
        if (options_.scatter) shuffle_wires();
        number_nodes(options_.scatter ? random_order(graph_.nodes.size()) : shared_last());
        graph_.dt = detail::stable_time_step(graph_);
        return std::move(graph_);
    }

  private:
    [[nodiscard]] double uniform(double low, double high) {
        return low + (high - low) * (static_cast<double>(bits_() >> 11) * 0x1p-53);
    }
    [[nodiscard]] std::int64_t below(std::int64_t bound) {
        return std::min(static_cast<std::int64_t>(uniform(0, static_cast<double>(bound))),
                        bound - 1);
    }

    void add_nodes(std::int64_t piece) {
        for (std::int64_t i = 0; i < options_.nodes; ++i) {
            graph_.piece.push_back(piece);
            graph_.nodes.push_back(
                {uniform(1, 3), uniform(0, options_.leakage), i == 0 ? options_.drive : 0});
            graph_.voltage.push_back(uniform(-1, 1));
        }
    }

    void add_wires(std::int64_t piece) {
        for (std::int64_t i = 0; i < options_.wires; ++i) {
            const std::int64_t at = below(options_.nodes);
            graph_.from.push_back(piece * options_.nodes + at);
            graph_.to.push_back(other_end(piece, at));
            graph_.wires.push_back({uniform(0.5, 1.5), uniform(0.1, 1), uniform(0.1, 0.3)});
        }
    }
    /// Another node of the piece, or any node of another piece.
    [[nodiscard]] std::int64_t other_end(std::int64_t piece, std::int64_t at) {
        const bool stays = uniform(0, 1) < options_.inside || options_.pieces == 1;
        if (stays)
            return piece * options_.nodes + (at + 1 + below(options_.nodes - 1)) % options_.nodes;
        const std::int64_t other = (piece + 1 + below(options_.pieces - 1)) % options_.pieces;
        return other * options_.nodes + below(options_.nodes);
    }

    /// New numbers for the nodes, with the nodes that wires of other pieces reach last: the partial
    /// result of a reduction is as large as the bounds of its subset, which are then those of the
    /// shared nodes only.
    [[nodiscard]] std::vector<std::int64_t> shared_last() const {
        std::vector<bool> shared(graph_.nodes.size(), false);
        for (std::size_t w = 0; w < graph_.wires.size(); ++w)
            if (graph_.piece_of(graph_.from[w]) != graph_.piece_of(graph_.to[w]))
                shared[static_cast<std::size_t>(graph_.to[w])] = true;
        std::vector<std::int64_t> number(graph_.nodes.size());
        std::int64_t next = 0;
        for (const bool want_shared : {false, true})
            for (std::size_t node = 0; node < number.size(); ++node)
                if (shared[node] == want_shared) number[node] = next++;
        return number;
    }

    [[nodiscard]] std::vector<std::int64_t> random_order(std::size_t count) {
        std::vector<std::int64_t> order(count);
        std::iota(order.begin(), order.end(), 0);
        for (std::size_t i = count; i > 1; --i)
            std::swap(order[i - 1],
                      order[static_cast<std::size_t>(below(static_cast<std::int64_t>(i)))]);
        return order;
    }

    template <class T>
    static void reorder(std::vector<T>& column, const std::vector<std::int64_t>& number) {
        std::vector<T> reordered(column.size());
        for (std::size_t i = 0; i < column.size(); ++i)
            reordered[static_cast<std::size_t>(number[i])] = column[i];
        column = std::move(reordered);
    }
    void shuffle_wires() {
        const std::vector<std::int64_t> number = random_order(graph_.wires.size());
        reorder(graph_.from, number);
        reorder(graph_.to, number);
        reorder(graph_.wires, number);
    }
    void number_nodes(const std::vector<std::int64_t>& number) {
        for (std::int64_t& node : graph_.from) node = number[static_cast<std::size_t>(node)];
        for (std::int64_t& node : graph_.to) node = number[static_cast<std::size_t>(node)];
        reorder(graph_.piece, number);
        reorder(graph_.nodes, number);
        reorder(graph_.voltage, number);
    }

    GraphOptions options_;
    std::mt19937_64 bits_;
    Graph graph_;
};

[[nodiscard]] inline Graph make_graph(const GraphOptions& options) {
    return GraphGenerator(options).make();
}

}  // namespace circuit
