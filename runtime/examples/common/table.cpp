#include "common/table.hpp"

#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>

#include "common/traced_share.hpp"

namespace example {

std::optional<double> iterations_until_steady(const Measurement& m) {
    const std::optional<double> from = steady_from(m.statistics.progress);
    const auto operations = static_cast<double>(m.statistics.launches.operations);
    if (!from || operations <= 0) return std::nullopt;
    return *from * static_cast<double>(m.iterations) / operations;
}

double replayed_share(const Measurement& m) {
    const auto operations = static_cast<double>(m.statistics.launches.operations);
    return operations > 0 ? static_cast<double>(m.statistics.traces.replayed) / operations : 0;
}

std::optional<double> steady_share(const Measurement& m) {
    const auto& progress = m.statistics.progress;
    const std::optional<double> from = steady_from(progress);
    if (!from) return std::nullopt;
    const double width = static_cast<double>(progress.back().operations) - *from;
    const double replayed =
        static_cast<double>(progress.back().replayed) - replayed_before(progress, *from);
    return replayed / width;
}

std::optional<double> nanoseconds_per_task(const refrain::PhaseStatistics& phase) {
    if (phase.tasks == 0) return std::nullopt;
    return phase.seconds / static_cast<double>(phase.tasks) * 1e9;
}

std::optional<double> late_ns_per_operation(const Measurement& m) {
    if (m.late_seconds.empty()) return std::nullopt;
    return median(m.late_seconds) * 1e9;
}

std::optional<double> late_speed_relative_to(const Comparison& comparison, Mode other,
                                             const Measurement& m) {
    const Measurement* const reference = comparison.find(other);
    if (reference == nullptr || reference->late_seconds.empty() || m.late_seconds.empty())
        return std::nullopt;
    return median(reference->late_seconds) / median(m.late_seconds);
}

std::optional<double> speed_relative_to(const Comparison& comparison, Mode other,
                                        const Measurement& m) {
    const Measurement* const reference = comparison.find(other);
    if (reference == nullptr) return std::nullopt;
    return median(reference->seconds) / median(m.seconds);
}

namespace {

using Cell = std::optional<std::string>;

/// "%.1f %%" -> "12.3 %"
Cell formatted(const char* format, std::optional<double> value) {
    if (!value) return std::nullopt;
    char text[64];
    std::snprintf(text, sizeof text, format, *value);
    return text;
}

/// 1234567 -> "1,234,567"
Cell counted(std::uint64_t value) {
    std::string digits = std::to_string(value);
    for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
    return digits;
}

Cell percent(std::optional<double> share) {
    return formatted("%.1f %%", share ? std::optional(*share * 100) : std::nullopt);
}

void print_row(const Comparison& comparison, const char* title,
               const std::function<Cell(const Measurement&)>& cell) {
    std::printf("  %-42s", title);
    for (const Measurement& m : comparison.measurements)
        std::printf("%12s", cell(m).value_or("-").c_str());
    std::printf("\n");
}

void print_what_was_found(const Comparison& c) {
    print_row(c, "tasks launched",
              [](const Measurement& m) { return counted(m.statistics.launches.tasks); });
    print_row(c, "operations launched",
              [](const Measurement& m) { return counted(m.statistics.launches.operations); });
    print_row(c, "operations replayed",
              [](const Measurement& m) { return percent(replayed_share(m)); });
    print_row(c, "  in steady state",
              [](const Measurement& m) { return percent(steady_share(m)); });
    print_row(c, "traces, or memos", [](const Measurement& m) {
        return counted(m.statistics.traces.traces + m.statistics.autotrace.memos);
    });
    print_row(c, "iterations until steady state",
              [](const Measurement& m) { return formatted("%.0f", iterations_until_steady(m)); });
}

void print_costs(const Comparison& c) {
    print_row(c, "ns per task, analysis (alpha)", [](const Measurement& m) {
        return formatted("%.0f", nanoseconds_per_task(m.statistics.analysing));
    });
    print_row(c, "ns per task, recording (alpha_m)", [](const Measurement& m) {
        return formatted("%.0f", nanoseconds_per_task(m.statistics.recording));
    });
    print_row(c, "ns per task, replay (alpha_r)", [](const Measurement& m) {
        return formatted("%.0f", nanoseconds_per_task(m.statistics.replaying));
    });
}

void print_speed(const Comparison& c) {
    print_row(c, "seconds, median",
              [](const Measurement& m) { return formatted("%.3f", median(m.seconds)); });
    print_row(c, "seconds, fastest to slowest", [](const Measurement& m) {
        char text[64];
        std::snprintf(text, sizeof text, "%.3f-%.3f", m.seconds.front(), m.seconds.back());
        return Cell(text);
    });
    print_row(c, "speed relative to untraced", [&](const Measurement& m) {
        return formatted("%.2f", speed_relative_to(c, Mode::untraced, m));
    });
    print_row(c, "speed relative to manual", [&](const Measurement& m) {
        return formatted("%.2f", speed_relative_to(c, Mode::manual, m));
    });
    print_row(c, "ns per operation, second half",
              [](const Measurement& m) { return formatted("%.0f", late_ns_per_operation(m)); });
    print_row(c, "  speed relative to untraced", [&](const Measurement& m) {
        return formatted("%.2f", late_speed_relative_to(c, Mode::untraced, m));
    });
    print_row(c, "  speed relative to manual", [&](const Measurement& m) {
        return formatted("%.2f", late_speed_relative_to(c, Mode::manual, m));
    });
}

}  // namespace

void print_table(const Comparison& comparison) {
    const std::size_t runs = comparison.measurements.front().seconds.size();
    std::printf("%s: %s; %u workers, %zu run%s per mode%s\n\n", comparison.program.c_str(),
                comparison.problem.c_str(), comparison.workers, runs, runs == 1 ? "" : "s",
                comparison.checked ? ", each result checked" : "");
    print_row(comparison, "", [](const Measurement& m) { return Cell(to_string(m.mode)); });
    print_what_was_found(comparison);
    print_costs(comparison);
    print_speed(comparison);
    std::fflush(stdout);
}

}  // namespace example
