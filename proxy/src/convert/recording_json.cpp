#include "convert/recording_json.hpp"

#include "page/json.hpp"

namespace refrain::proxy {
namespace {

void add_run(page::JsonWriter& json, const strings::Run& run) {
    json.key(run.is_rule ? "rule" : "event").value(run.symbol).key("times").value(run.count);
}

void add_events(page::JsonWriter& json, const Recording& recording) {
    json.key("events").begin_array();
    for (std::size_t i = 0; i < recording.events.size(); ++i) {
        const Event& event = recording.events[i];
        const bool by_name = event.function == Function::by_name;
        json.begin_object().key("function");
        json.value(by_name ? recording.texts[static_cast<std::size_t>(event.values[0])]
                           : std::string("MPI_") + info(event.function).name);
        json.key("call").value(describe(event, recording.texts, true));
        json.key("values").values(event.values);
        json.key("calls").value(recording.times[i].count);
        json.key("seconds").value(recording.times[i].seconds).end_object();
    }
    json.end_array();
}

void add_main(page::JsonWriter& json, const std::vector<MergedRun>& main) {
    json.begin_array();
    for (const MergedRun& run : main) {
        json.begin_object().key("ranks").begin_array();
        for (const RankSet::Range& range : run.ranks.ranges())
            json.begin_array().value(range.first).value(range.last).end_array();
        json.end_array();
        add_run(json, run.run);
        json.end_object();
    }
    json.end_array();
}

void add_rules(page::JsonWriter& json, const Recording& recording) {
    json.key("rules").begin_array();
    for (const auto& rule : recording.rules) {
        json.begin_array();
        for (const strings::Run& run : rule) {
            json.begin_object();
            add_run(json, run);
            json.end_object();
        }
        json.end_array();
    }
    json.end_array().key("main");
    add_main(json, recording.main);
    json.key("threads").begin_array();
    for (const Recording::Thread& thread : recording.threads) add_main(json, thread.main);
    json.end_array();
}

void add_work(page::JsonWriter& json, const Recording& recording) {
    json.key("metrics").values(metric_names).key("work").begin_array();
    for (const Recording::MergedWork& work : recording.work) {
        json.begin_object().key("before");
        json.value(work.before == Work::start ? std::int64_t{-1} : std::int64_t{work.before});
        json.key("after").value(work.after).key("ranks").begin_array();
        for (const Recording::RankWork& rank : work.ranks) {
            json.begin_object().key("rank").value(rank.rank).key("count").value(rank.count);
            if (has_time(recording.source)) json.key("seconds").value(rank.seconds);
            if (rank.team.threads > 1)
                json.key("teamThreads")
                    .value(rank.team.threads)
                    .key("teamSeconds")
                    .value(rank.team.seconds);
            if (has_counts(recording.source)) json.key("counts").values(rank.counts);
            if (!rank.team_counts.empty()) {
                json.key("teamCounts").begin_array();
                for (const Counts& thread : rank.team_counts) json.values(thread);
                json.end_array();
            }
            json.end_object();
        }
        json.end_array().end_object();
    }
    json.end_array();
}

}  // namespace

std::string recording_json(const Recording& recording) {
    page::JsonWriter json;
    json.begin_object().key("ranks").value(recording.size());
    json.key("library").value(recording.library);
    json.key("source").value(source_names[static_cast<std::size_t>(recording.source)]);
    json.key("complete").value(recording.complete());
    json.key("command").values(recording.launch.words).key("notes").values(recording.notes);
    json.key("seconds").begin_array();
    for (const auto& rank : recording.ranks) json.value(rank.wall_seconds);
    json.end_array();
    add_events(json, recording);
    add_rules(json, recording);
    add_work(json, recording);
    json.key("slots").begin_array();
    for (const SlotExtent& slot : recording.slots)
        json.begin_array().value(slot.before).value(slot.behind).value(slot.low_bits).end_array();
    json.end_array().end_object();
    return json.take();
}

}  // namespace refrain::proxy
