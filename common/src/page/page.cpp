#include "page/folded_graph.hpp"
#include "page/json.hpp"
#include "page/listing.hpp"
#include "page/run_data.hpp"
#include "page/run_parts.hpp"
#include "page/slots.hpp"
#include "page/web_files.hpp"
#include "refrain/error.hpp"

#include <algorithm>
#include <array>

namespace refrain::page {
namespace {

constexpr std::size_t listed_max = 200;            // traces, and loops, with a listing
constexpr std::size_t drawn_max = 24;              // traces, and loops, with a task graph
constexpr std::size_t drawn_nodes_max = 240;       // per task graph
constexpr std::size_t listing_entries_max = 1500;  // per listing

void write_curve(JsonWriter& json, const RunData& run) {
    json.key("curve").begin_array();
    for (const RunData::Sample& sample : run.curve) {
        const RunSample& at = sample.counts;
        json.begin_array().value(at.operations).value(at.replayed).value(at.recorded);
        json.value(sample.seconds).value(at.resident_bytes).value(at.storage_bytes);
        json.value(at.tracing_bytes).value(at.analysis_bytes).end_array();
    }
    json.end_array();
}

void write_sites(JsonWriter& json, const RunData& run) {
    json.key("reasons").begin_array();
    for (std::size_t i = 0; i < not_replayed_count; ++i)
        json.value(describe(static_cast<NotReplayed>(i)));
    json.end_array().key("sites").begin_array();
    for (const LaunchSiteReport& site : run.sites) {
        json.begin_object().key("name").value(site.site.name);
        json.key("where").value(*site.site.file == '\0' ? "" : site.site.where());
        json.key("operations").value(site.operations).key("tasks").value(site.tasks);
        json.key("replayed").value(site.replayed).key("recorded").value(site.recorded);
        json.key("analysed").value(site.analysed).key("held").value(site.held_back);
        json.key("heldMean").value(site.held_back_mean).key("reasons").values(site.reasons);
        json.key("latest").value(site.latest);
        json.key("latestReason").value(static_cast<unsigned>(site.latest_reason));
        json.key("detail").value(site.detail).end_object();
    }
    json.end_array();
}

/// An array whose entries are site ids, and loops as [times, entries].
void write_listing(JsonWriter& json, const std::vector<Fold>& folds, std::size_t& left) {
    json.begin_array();
    for (const Fold& part : folds) {
        if (left == 0) break;
        --left;
        if (!part.is_loop()) {
            json.value(part.symbol);
            continue;
        }
        json.begin_array().value(part.times);
        write_listing(json, part.body, left);
        json.end_array();
    }
    json.end_array();
}

/// Nodes as [site, points, looks beyond, operations, first operation, tiles], and edges between them.
void write_graph(JsonWriter& json, const Fragment& fragment) {
    const FoldedGraph graph(fragment, drawn_nodes_max);
    json.key("graph").begin_object().key("nodes").begin_array();
    for (const FoldedGraph::Node& node : graph.nodes) {
        json.begin_array().value(node.site).value(node.points).value(node.looks_beyond ? 1 : 0);
        json.value(node.operations).value(node.first).value(node.tiles).end_array();
    }
    json.end_array().key("edges").begin_array();
    for (const Fragment::Edge& edge : graph.edges) {
        json.begin_array().value(edge.from).value(edge.to).value(edge.carries_data ? 1 : 0);
        json.end_array();
    }
    json.end_array().key("cut").value(graph.is_cut || fragment.operations.size() < fragment.length);
    json.end_object();
}

/// The listing of a fragment that has `length` operations, and its task graph.
void write_fragment(JsonWriter& json, const Fragment& fragment, std::size_t rank,
                    std::uint64_t length) {
    if (rank >= listed_max || fragment.operations.empty()) return;
    std::vector<std::uint32_t> sequence;
    for (const Fragment::Operation& operation : fragment.operations)
        sequence.push_back(operation.site);
    std::size_t left = listing_entries_max;
    json.key("listing");
    write_listing(json, fold(sequence, listing_entries_max), left);
    json.key("cut").value(left == 0 || sequence.size() < length);
    if (rank < drawn_max && !fragment.edges.empty()) write_graph(json, fragment);
}

void write_trace(JsonWriter& json, const TraceRecord& trace, std::size_t rank) {
    json.begin_object().key("id").value(trace.automatic ? trace.id & ~(std::uint64_t{1} << 63)
                                                        : trace.id);
    json.key("automatic").value(trace.automatic).key("length").value(trace.length);
    json.key("first").value(trace.first_operation).key("executions").value(trace.executions);
    json.key("replayed").value(trace.replayed).key("mismatches").value(trace.mismatches);
    write_fragment(json, trace, rank, trace.length);
    json.end_object();
}

void write_loop(JsonWriter& json, const LoopRecord& loop, std::size_t rank) {
    json.begin_object().key("length").value(loop.distance).key("replayed").value(loop.served);
    json.key("first").value(loop.first_operation).key("last").value(loop.last_operation);
    write_fragment(json, loop, rank, loop.distance);
    json.end_object();
}

/// The records that replayed most come first.
template <class Record>
std::vector<const Record*> ranked(const std::vector<Record>& records,
                                  std::uint64_t Record::*replayed) {
    std::vector<const Record*> order;
    order.reserve(records.size());
    for (const Record& record : records) order.push_back(&record);
    std::stable_sort(order.begin(), order.end(),
                     [&](const Record* a, const Record* b) { return a->*replayed > b->*replayed; });
    return order;
}

void write_traces(JsonWriter& json, const RunData& run) {
    json.key("traces").begin_array();
    std::size_t rank = 0;
    for (const TraceRecord* trace : ranked(run.traces, &TraceRecord::replayed))
        write_trace(json, *trace, rank++);
    json.end_array();
    json.key("otherTraces").begin_object().key("count").value(run.other_trace_count);
    json.key("executions").value(run.other_traces.executions);
    json.key("replayed").value(run.other_traces.replayed).end_object();
}

void write_loops(JsonWriter& json, const RunData& run) {
    json.key("fromPrecedents").value(run.from_precedents).key("loops").begin_array();
    std::size_t rank = 0;
    for (const LoopRecord* loop : ranked(run.loops, &LoopRecord::served))
        write_loop(json, *loop, rank++);
    json.end_array();
    json.key("otherLoops").begin_object().key("count").value(run.other_loop_count);
    json.key("replayed").value(run.other_loops_served).end_object();
}

void write_workers(JsonWriter& json, const RunData& run) {
    json.key("stages").begin_array();
    for (std::size_t i = 0; i < stage_count; ++i) json.value(name_of(static_cast<Stage>(i)));
    json.end_array().key("workers").begin_array();
    for (const RunData::Worker& worker : run.workers) {
        json.begin_object().key("name").value(worker.name);
        json.key("seconds").values(worker.seconds).end_object();
    }
    json.end_array();
}

void write_automata(JsonWriter& json, const RunData& run) {
    json.key("automata").begin_array();
    for (const RegionAutomaton& automaton : run.automata) {
        json.begin_object().key("region").value(automaton.region);
        json.key("known").value(automaton.known).key("found").value(automaton.found);
        json.key("inLog").value(automaton.in_log).key("notDrawn").value(automaton.not_drawn);
        json.key("states").begin_array();
        for (const RegionAutomaton::State& state : automaton.states) {
            json.begin_array().value(state.what).value(state.in_cell).value(state.times);
            json.value(state.first_site).value(state.first_operation).end_array();
        }
        json.end_array().key("arrows").begin_array();
        for (const RegionAutomaton::Arrow& arrow : automaton.arrows) {
            json.begin_array().value(arrow.from).value(arrow.to).value(arrow.site);
            json.value(arrow.times).end_array();
        }
        json.end_array().end_object();
    }
    json.end_array();
}

}  // namespace

std::string page_data(const RunData& run) {
    JsonWriter json;
    json.begin_object().key("title").value(run.title).key("fromStream").value(run.from_stream);
    json.key("seconds").value(run.seconds).key("operations").value(run.operations);
    json.key("tasks").value(run.tasks).key("replayed").value(run.replayed);
    json.key("recorded").value(run.recorded).key("analysed").value(run.analysed);
    json.key("firstReplay").value(run.first_replay);
    json.key("summary").values(summarise(run));
    write_curve(json, run);
    write_sites(json, run);
    write_traces(json, run);
    write_loops(json, run);
    write_workers(json, run);
    write_automata(json, run);
    write_site_times(json, run);
    write_sampling(json, run);
    write_interest(json, run);
    write_stretches(json, run);
    write_failures(json, run);
    write_memory(json, run);
    json.end_object();
    return json.take();
}

std::string html(const RunData& run) {
    const std::string title = escaped_html(run.title);
    const std::string data = page_data(run);
    const std::array<Slot, 11> slots = {{{"title", title},
                                         {"page.css", page_css},
                                         {"data", data},
                                         {"helpers.js", helpers_js},
                                         {"chart.js", chart_js},
                                         {"table.js", table_js},
                                         {"task_graph.js", task_graph_js},
                                         {"timeline.js", timeline_js},
                                         {"run_parts.js", run_parts_js},
                                         {"region_states.js", region_states_js},
                                         {"page.js", page_js}}};
    return filled(page_html, slots);
}

UsageError cannot_write(const std::string& file, const char* option, const base::OutputError& why) {
    return UsageError(std::string("option ") + option + ": cannot write '" + file +
                      "': " + why.what() +
                      "; name a file in a folder that can be written, or a new one; the option "
                      "force replaces any file");
}

void write_file(const std::string& file, const std::string& text, const char* option,
                const base::OutputFile::Policy& policy) {
    try {
        base::write_output(file, text, policy);
    } catch (const base::OutputError& why) {
        throw cannot_write(file, option, why);
    }
}

void check_file(const std::string& file, const char* option,
                const base::OutputFile::Policy& policy) {
    try {
        base::OutputFile::check(file, policy);
    } catch (const base::OutputError& why) {
        throw cannot_write(file, option, why);
    }
}

}  // namespace refrain::page
