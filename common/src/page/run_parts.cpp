#include "page/run_parts.hpp"

namespace refrain::page {

/// [seconds, mean, longest, share of the critical path] per site; null where nothing was timed.
void write_site_times(JsonWriter& json, const RunData& run) {
    json.key("times").begin_array();
    for (const SiteTime& time : run.site_times) {
        json.begin_array();
        if (time.timed != 0) {
            json.value(time.seconds).value(time.mean_seconds).value(time.longest_seconds);
            json.value(time.path_share);
        }
        json.end_array();
    }
    json.end_array();
}

void write_sampling(JsonWriter& json, const RunData& run) {
    json.key("sampling").begin_object().key("first").value(run.sampling.first);
    json.key("block").value(run.sampling.block).key("period").value(run.sampling.period);
    json.key("periodMax").value(run.sampling.period_max);
    json.key("timed").value(run.sampling.timed).end_object();
}

void write_interest(JsonWriter& json, const RunData& run) {
    const RunData::Interest& interest = run.interest;
    json.key("interest").begin_object().key("stretches").value(interest.stretches);
    json.key("first").value(interest.first_operation).key("last").value(interest.last_operation);
    json.key("launched").value(interest.launched).end_object();
}

/// Tasks as [worker, begin, end, site, operation, point], arrows as [from, to, carries data].
void write_stretches(JsonWriter& json, const RunData& run) {
    json.key("stretches").begin_array();
    for (const Stretch& stretch : run.stretches) {
        json.begin_object().key("first").value(stretch.first_operation);
        json.key("last").value(stretch.last_operation).key("tasks").begin_array();
        for (const Stretch::Task& task : stretch.tasks) {
            json.begin_array().value(task.worker).value(task.begin).value(task.end);
            json.value(task.site).value(task.operation).value(task.point).end_array();
        }
        json.end_array().key("arrows").begin_array();
        for (const Stretch::Arrow& arrow : stretch.arrows) {
            json.begin_array().value(arrow.from).value(arrow.to);
            json.value(arrow.carries_data ? 1 : 0).end_array();
        }
        json.end_array().key("tasksLeftOut").value(stretch.tasks_left_out);
        json.key("arrowsLeftOut").value(stretch.arrows_left_out).end_object();
    }
    json.end_array();
}

void write_failures(JsonWriter& json, const RunData& run) {
    const FailureBook& book = run.failures;
    json.key("failures").begin_object().key("threw").value(book.threw_tasks());
    json.key("skipped").value(book.skipped_tasks()).key("others").value(book.other_launches());
    json.key("launches").begin_array();
    for (const FailedLaunch& launch : book.launches()) {
        json.begin_object().key("site").value(launch.site).key("operation").value(launch.operation);
        json.key("points").value(launch.points).key("threw").value(launch.threw);
        json.key("point").value(launch.first_point).key("message").value(launch.message);
        json.key("skippedTasks").value(launch.skipped_tasks()).key("skipped").begin_array();
        for (const FailedLaunch::Skipped& at : launch.skipped)
            json.begin_array().value(at.site).value(at.tasks).end_array();
        json.end_array().end_object();
    }
    json.end_array().end_object();
}

/// Parts as [name, bytes, count].
void write_memory(JsonWriter& json, const RunData& run) {
    const auto parts = [&](const char* key, const std::vector<MemoryHeld::Part>& list) {
        json.key(key).begin_array();
        for (const MemoryHeld::Part& part : list)
            json.begin_array().value(part.name).value(part.bytes).value(part.count).end_array();
        json.end_array();
    };
    json.key("memory").begin_object().key("operations").value(run.memory.operations);
    json.key("seconds").value(run.memory.seconds);
    parts("tables", run.memory.tables);
    parts("regions", run.memory.regions);
    json.end_object();
}

}  // namespace refrain::page
