/// Writes a comparison as JSON, for tools and for draw_traced_share.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>

#include "common/comparison.hpp"
#include "common/table.hpp"
#include "common/traced_share.hpp"

namespace example {

namespace detail {

using Json = nlohmann::ordered_json;

[[nodiscard]] inline Json or_null(std::optional<double> value) {
    return value ? Json(*value) : Json(nullptr);
}

/// Pairs of (operations, replayed share of the last `share_window` operations).
[[nodiscard]] inline Json curve_of(const Measurement& m) {
    Json curve = Json::array();
    for (const SharePoint& point : traced_share(m.statistics.progress))
        curve.push_back({point.operations, point.share});
    return curve;
}

[[nodiscard]] inline Json late_ns_of_each(const Measurement& m) {
    Json all = Json::array();
    for (const double seconds : m.late_seconds) all.push_back(seconds * 1e9);
    return all;
}

[[nodiscard]] inline Json report_of(const Comparison& comparison, const Measurement& m) {
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

}  // namespace detail

[[nodiscard]] inline nlohmann::ordered_json report_of(const Comparison& comparison) {
    detail::Json report{{"program", comparison.program}, {"problem", comparison.problem},
                        {"workers", comparison.workers}, {"checked", comparison.checked},
                        {"share_window", share_window},  {"modes", detail::Json::object()}};
    for (const Measurement& m : comparison.measurements)
        report["modes"][to_string(m.mode)] = detail::report_of(comparison, m);
    return report;
}

/// Errors: std::runtime_error if the file cannot be written.
inline void write_file(const std::string& path, const std::string& text) {
    std::ofstream file(path);
    file << text;
    file.close();
    if (!file) throw std::runtime_error("cannot write " + path + "; does the folder exist?");
}

}  // namespace example
