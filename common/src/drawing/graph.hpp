#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace refrain::drawing {

/// A directed graph as it is to be drawn: nodes in frames, which may lie in frames.
struct Graph {
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    enum class Shape : std::uint8_t { box, ellipse, stack };
    struct Frame {
        std::string title;
        std::string detail;
        std::size_t parent = none;
        bool stacked = false;  // it stands for many of its kind
    };
    struct Node {
        std::string title;
        std::string detail;
        std::size_t frame = none;
        Shape shape = Shape::box;
        double heat = -1;  // 0 to 1, from pale to strong; below 0: no colour
        bool failed = false;
    };

    std::string title;
    std::vector<std::string> notes;  // sentences about it
    std::vector<Frame> frames;       // parents stand before what lies in them
    std::vector<Node> nodes;
    std::set<std::pair<std::size_t, std::size_t>> edges;
};

/// For `dot` and others; the same for equal graphs.
[[nodiscard]] std::string dot_text(const Graph& graph);

/// A page that lays the graph out and draws it, as one HTML file that loads nothing.
/// Errors: UsageError if the program was built without dagre
[[nodiscard]] std::string graph_page(const Graph& graph);

}  // namespace refrain::drawing
