#include "drawing/graph.hpp"

#include <cstdio>

namespace refrain::drawing {
namespace {

std::string quoted(const std::string& title, const std::string& detail) {
    std::string text = "\"";
    for (const char each : detail.empty() ? title : title + "\n" + detail) {
        if (each == '"' || each == '\\') text += '\\';
        text += each == '\n' ? "\\n" : std::string(1, each);
    }
    return text + '"';
}

/// Orange, the stronger the hotter.
std::string colour_of(double heat) {
    char text[40];
    std::snprintf(text, sizeof text, "0.100 %.3f 1.000", 0.05 + 0.75 * heat);
    return text;
}

class DotText {
  public:
    explicit DotText(const Graph& graph) : graph_(graph) {}

    std::string text() {
        line("digraph " + quoted(graph_.title, "") + " {");
        ++depth_;
        inside(Graph::none);
        for (const auto& [from, to] : graph_.edges)
            line("n" + std::to_string(from) + " -> n" + std::to_string(to) + ";");
        --depth_;
        line("}");
        return std::move(text_);
    }

  private:
    void line(const std::string& text) { text_ += std::string(2 * depth_, ' ') + text + "\n"; }
    void inside(std::size_t frame) {
        for (std::size_t i = 0; i < graph_.nodes.size(); ++i)
            if (graph_.nodes[i].frame == frame) node(i);
        for (std::size_t i = 0; i < graph_.frames.size(); ++i)
            if (graph_.frames[i].parent == frame) draw(i);
    }
    void node(std::size_t number) {
        const Graph::Node& is = graph_.nodes[number];
        std::string style = is.shape == Graph::Shape::box ? "rounded" : "";
        if (is.heat >= 0) style += style.empty() ? "filled" : ",filled";
        std::string how = is.shape == Graph::Shape::stack     ? ", shape=box3d"
                          : is.shape == Graph::Shape::ellipse ? ", shape=ellipse"
                                                              : ", shape=box";
        if (!style.empty()) how += ", style=\"" + style + "\"";
        if (is.heat >= 0) how += ", fillcolor=\"" + colour_of(is.heat) + "\"";
        if (is.failed) how += ", color=red, penwidth=2";
        line("n" + std::to_string(number) + " [label=" + quoted(is.title, is.detail) + how + "];");
    }
    void open(const std::string& name, const std::string& label, const std::string& style) {
        line("subgraph cluster" + name + " {");
        ++depth_;
        line("label=" + label + "; " + style + ";");
    }
    /// A stacked one has two empty frames behind it.
    void draw(std::size_t number) {
        const Graph::Frame& is = graph_.frames[number];
        const std::string name = std::to_string(number);
        if (is.stacked) {
            open(name + "_far", "\"\"", "style=filled; fillcolor=gray85");
            open(name + "_near", "\"\"", "style=filled; fillcolor=gray92");
        }
        open(name, quoted(is.title, is.detail),
             is.stacked ? "style=filled; fillcolor=white" : "style=solid");
        inside(number);
        for (int frames = is.stacked ? 3 : 1; frames > 0; --frames) {
            --depth_;
            line("}");
        }
    }

    const Graph& graph_;
    std::string text_;
    std::size_t depth_ = 0;
};

}  // namespace

std::string dot_text(const Graph& graph) {
    return DotText(graph).text();
}

}  // namespace refrain::drawing
