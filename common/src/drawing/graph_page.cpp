#include "drawing/graph.hpp"
#include "drawing/web_files.hpp"
#include "page/json.hpp"
#include "page/slots.hpp"
#include "page/web_files.hpp"
#include "refrain/error.hpp"

#include <array>

namespace refrain::drawing {
namespace {

/// -1: in none.
std::int64_t frame_number(std::size_t frame) {
    return frame == Graph::none ? -1 : static_cast<std::int64_t>(frame);
}

std::string data_of(const Graph& graph) {
    page::JsonWriter json;
    json.begin_object().key("title").value(graph.title).key("notes").values(graph.notes);
    json.key("frames").begin_array();
    for (const Graph::Frame& each : graph.frames) {
        json.begin_object().key("title").value(each.title).key("detail").value(each.detail);
        json.key("parent").value(frame_number(each.parent));
        json.key("stacked").value(each.stacked).end_object();
    }
    json.end_array().key("nodes").begin_array();
    for (const Graph::Node& each : graph.nodes) {
        json.begin_object().key("title").value(each.title).key("detail").value(each.detail);
        json.key("frame").value(frame_number(each.frame));
        json.key("shape").value(static_cast<int>(each.shape)).key("heat").value(each.heat);
        json.key("failed").value(each.failed).end_object();
    }
    json.end_array().key("edges").begin_array();
    for (const auto& [from, to] : graph.edges) json.begin_array().value(from).value(to).end_array();
    json.end_array().end_object();
    return json.take();
}

#ifdef REFRAIN_HAS_DAGRE
const std::string_view dagre = dagre_min_js;
#else
const std::string_view dagre;
#endif

}  // namespace

std::string graph_page(const Graph& graph) {
    if (dagre.empty())
        throw UsageError(
            "no page of a graph can be made: this program was built without dagre; install the "
            "package "
            "node-dagre-layout and build again, or write DOT text or SVG");
    const std::string title = page::escaped_html(graph.title);
    const std::string data = data_of(graph);
    const std::array<page::Slot, 7> slots = {{{"title", title},
                                              {"page.css", page::page_css},
                                              {"graph.css", graph_css},
                                              {"data", data},
                                              {"helpers.js", page::helpers_js},
                                              {"dagre.js", dagre},
                                              {"graph.js", graph_js}}};
    return page::filled(graph_html, slots);
}

}  // namespace refrain::drawing
