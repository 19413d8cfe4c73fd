#include "page/json.hpp"
#include "page/slots.hpp"
#include "page/web_files.hpp"
#include "proxy_page/summary.hpp"
#include "proxy_page/timeline.hpp"
#include "proxy_page/web_files.hpp"
#include "proxy_page/words.hpp"
#include "verify/verify.hpp"

#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace refrain::proxy {
namespace {

using page::JsonWriter;

constexpr std::size_t rules_max = 2000;  // shown in the tree
constexpr std::size_t runs_max = 2000;   // per rule
constexpr std::uint32_t cells_max = 64;  // rows and columns of the matrix

void write_run(JsonWriter& json, const strings::Run& run) {
    json.begin_array().value(run.count).value(run.is_rule).value(run.symbol).end_array();
}

/// What a thread of each rank does, in order.
void write_main(JsonWriter& json, const Recording& recording, std::uint32_t thread) {
    const std::vector<MergedRun>& main = recording.main_of(thread);
    json.begin_array();
    for (std::size_t i = 0; i < std::min(main.size(), runs_max); ++i) {
        json.begin_array();
        write_run(json, main[i].run);
        json.value(main[i].ranks.size() == recording.size() ? std::string()
                                                            : ranks_in_words(main[i].ranks));
        json.end_array();
    }
    json.end_array();
}

void write_grammar(JsonWriter& json, const Recording& recording) {
    json.key("events").begin_array();
    for (const Event& event : recording.events) json.value(describe(event, recording.texts, true));
    json.end_array().key("rules").begin_array();
    for (std::size_t i = 0; i < std::min(recording.rules.size(), rules_max); ++i) {
        json.begin_array();
        for (std::size_t k = 0; k < std::min(recording.rules[i].size(), runs_max); ++k)
            write_run(json, recording.rules[i][k]);
        json.end_array();
    }
    json.end_array().key("lengths").begin_array();
    for (const std::uint64_t length : strings::expanded_lengths(recording.rules))
        json.value(length);
    json.end_array().key("mains").begin_array();
    for (std::uint32_t thread = 0; thread <= recording.threads.size(); ++thread)
        write_main(json, recording, thread);
    json.end_array();
}

/// What ranks sent each other. Of more than `cells_max` ranks, neighbours share a row and a column: 1,024 ranks that all send to
/// each other are 4,096 cells instead of a million.
void write_matrix(JsonWriter& json, const Summary& summary) {
    const auto ranks = static_cast<std::uint32_t>(summary.ranks.size());
    const std::uint32_t share = std::max(1U, (ranks + cells_max - 1) / cells_max);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::uint64_t, std::uint64_t>> all;
    for (const Summary::Pair& pair : summary.pairs) {
        auto& [calls, bytes] = all[{pair.from / share, pair.to / share}];
        calls += pair.calls, bytes += pair.bytes;
    }
    json.key("cellRanks").value(share).key("cells").begin_array();
    for (const auto& [cell, sent] : all)
        json.begin_array()
            .value(cell.first)
            .value(cell.second)
            .value(sent.first)
            .value(sent.second)
            .end_array();
    json.end_array();
}

void write_summary(JsonWriter& json, const Summary& summary) {
    json.key("calls").value(summary.calls).key("functions").begin_array();
    for (const auto& function : summary.functions)
        json.begin_array()
            .value(function.name)
            .value(function.calls)
            .value(function.seconds)
            .end_array();
    json.end_array();
    write_matrix(json, summary);
    json.key("times").begin_array();
    for (const auto& rank : summary.ranks)
        json.begin_array().value(rank.wall).value(rank.work).end_array();
    json.end_array().key("sizes").begin_array();
    for (const auto& size : summary.sizes)
        json.begin_array().value(size.bytes_max).value(size.messages).end_array();
    json.end_array().key("words").values(summary.words).key("limits").values(summary.limits);
}

void write_phase(JsonWriter& json, const Timeline::Phase& phase) {
    json.begin_object().key("contents").value(phase.contents).key("loop").value(phase.is_loop);
    json.key("turns").begin_array().value(phase.turns_least).value(phase.turns_most).end_array();
    json.key("calls").value(phase.calls).key("seconds").value(phase.seconds);
    json.key("ranks").value(ranks_in_words(phase.ranks)).key("size").value(phase.ranks.size());
    json.key("times").begin_array().value(phase.mean).value(phase.deviation);
    json.value(phase.least).value(phase.most).end_array().key("shapes").begin_array();
    for (const Timeline::Shape& shape : phase.shapes) {
        json.begin_array();
        for (const Timeline::Piece& piece : shape)
            json.begin_array()
                .value(static_cast<int>(piece.activity))
                .value(piece.event == Timeline::Piece::several ? -1 : std::int64_t{piece.event})
                .value(piece.count)
                .end_array();
        json.end_array();
    }
    json.end_array().key("rows").begin_array();
    for (const Timeline::Row& row : phase.rows) {
        json.begin_array().value(ranks_in_words(row.ranks)).value(row.first_only).value(row.shape);
        json.begin_array();
        for (const double seconds : row.seconds) json.value(std::llround(seconds * 1e9));
        json.end_array().end_array();
    }
    json.end_array().end_object();
}

void write_timeline(JsonWriter& json, const Timeline& timeline) {
    json.key("timeline").begin_object().key("missing").value(timeline.missing);
    json.key("activities").values(activity_names).key("phases").begin_array();
    for (const Timeline::Phase& phase : timeline.phases) write_phase(json, phase);
    json.end_array().end_object();
}

void write_comparison(JsonWriter& json, const Recording& recording, const Recording& proxy) {
    const Comparison result = compare(recording, proxy, Equality::strict);
    std::vector<std::string> complaints = check_counts(recording);
    for (const auto& more : {check_counts(proxy), compare_counts(recording, proxy)})
        complaints.insert(complaints.end(), more.begin(), more.end());
    json.key("verdict").begin_object();
    json.key("equal").value(!result.difference && complaints.empty());
    json.key("events").value(result.events).key("pinned").value(result.pinned);
    json.key("refusedPolls").value(result.refused_polls).key("complaints").values(complaints);
    std::string text;
    if (result.difference)
        text = "Rank " + std::to_string(result.difference->rank) + ", call " +
               std::to_string(result.difference->event) + ": " + result.difference->first +
               " in the original, " + result.difference->second + " in the proxy";
    json.key("difference").value(text).end_object();
}

}  // namespace

std::string report_page(const Recording& recording, const Recording* proxy,
                        const std::string& title) {
    JsonWriter json;
    json.begin_object().key("title").value(title).key("ranks").value(recording.size());
    json.key("fileBytes").value(write(recording).size());
    write_summary(json, summarise(recording));
    write_grammar(json, recording);
    write_timeline(json, timeline_of(recording));
    if (proxy != nullptr) {
        json.key("proxy").begin_object();
        write_summary(json, summarise(*proxy));
        json.end_object();
        write_comparison(json, recording, *proxy);
    }
    json.end_object();
    const std::string escaped = page::escaped_html(title);
    const std::array<page::Slot, 7> slots = {{{"title", escaped},
                                              {"page.css", page::page_css},
                                              {"data", json.text()},
                                              {"helpers.js", page::helpers_js},
                                              {"table.js", page::table_js},
                                              {"timeline.js", timeline_js},
                                              {"proxy.js", proxy_js}}};
    return page::filled(proxy_html, slots);
}

}  // namespace refrain::proxy
