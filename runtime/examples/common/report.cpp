#include "common/report.hpp"

#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "common/table.hpp"
#include "common/traced_share.hpp"

namespace example {
namespace {

using Json = nlohmann::ordered_json;

Json or_null(std::optional<double> value) {
    return value ? Json(*value) : Json(nullptr);
}

/// Pairs of (operations, replayed share of the last `share_window` operations).
Json curve_of(const Measurement& m) {
    Json curve = Json::array();
    for (const SharePoint& point : traced_share(m.statistics.progress))
        curve.push_back({point.operations, point.share});
    return curve;
}

Json late_ns_of_each(const Measurement& m) {
    Json all = Json::array();
    for (const double seconds : m.late_seconds) all.push_back(seconds * 1e9);
    return all;
}

Json report_of(const Comparison& comparison, const Measurement& m) {
    const refrain::Statistics& s = m.statistics;
    return {
        {"tasks", s.launches.tasks},
        {"operations", s.launches.operations},
        {"iterations", m.iterations},
        {"replayed", replayed_share(m)},
        {"replayed_steady", or_null(steady_share(m))},
        {"traces", s.traces.traces},
        {"iterations_until_steady", or_null(iterations_until_steady(m))},
        {"analysis_ns", or_null(nanoseconds_per_task(s.analysing))},
        {"recording_ns", or_null(nanoseconds_per_task(s.recording))},
        {"replay_ns", or_null(nanoseconds_per_task(s.replaying))},
        {"seconds", median(m.seconds)},
        {"seconds_all", m.seconds},
        {"whole_seconds_all", m.whole_seconds},
        {"whole_cpu_seconds_all", m.whole_cpu_seconds},
        {"speed_to_untraced", or_null(speed_relative_to(comparison, Mode::untraced, m))},
        {"speed_to_manual", or_null(speed_relative_to(comparison, Mode::manual, m))},
        {"late_ns_per_operation", or_null(late_ns_per_operation(m))},
        {"late_ns_per_operation_all", late_ns_of_each(m)},
        {"late_speed_to_untraced", or_null(late_speed_relative_to(comparison, Mode::untraced, m))},
        {"late_speed_to_manual", or_null(late_speed_relative_to(comparison, Mode::manual, m))},
        {"traced_share", curve_of(m)}};
}

}  // namespace

std::string report_of(const Comparison& comparison) {
    Json report{{"program", comparison.program}, {"problem", comparison.problem},
                {"workers", comparison.workers}, {"checked", comparison.checked},
                {"share_window", share_window},  {"modes", Json::object()}};
    for (const Measurement& m : comparison.measurements)
        report["modes"][to_string(m.mode)] = report_of(comparison, m);
    return report.dump(2) + "\n";
}

void write_file(const std::string& path, const std::string& text) {
    std::ofstream file(path);
    file << text;
    file.close();
    if (!file) throw std::runtime_error("cannot write " + path + "; does the folder exist?");
}

}  // namespace example
