#include "streams/report.hpp"

#include <cstdio>
#include <optional>

#include "common/spread.hpp"
#include "streams/quality.hpp"

namespace streams {
namespace {

std::string text_of(std::optional<std::uint64_t> operations) {
    return operations ? std::to_string(*operations) : "never";
}

nlohmann::ordered_json or_null(std::optional<std::uint64_t> operations) {
    return operations ? nlohmann::ordered_json(*operations) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json json_of(const Section::Row& row) {
    const Outcome& o = row.outcome;
    return {{"what", row.what},
            {"operations", o.operations},
            {"first_replay", or_null(o.first_replay)},
            {"steady_from", or_null(o.steady_from)},
            {"coverage", o.coverage},
            {"coverage_last_quarter", o.coverage_last_quarter},
            {"launch_ns", bench::spread_json(o.launch_ns)},
            {"background_ns", bench::spread_json(o.background_ns)},
            {"held_mean", o.held_mean},
            {"held_max", o.held_max},
            {"traces", o.traces},
            {"replays", o.replays},
            {"memory_bytes", o.memory_bytes}};
}

}  // namespace

void print_heading(const Recogniser& recogniser) {
    std::printf("\n%s: %s\n\n", recogniser.name, recogniser.what);
    std::printf("%-20s %10s %8s %8s %9s %7s %7s %8s %7s %8s\n", "", "operations", "first", "steady",
                "replayed,", "launch", "backgr.", "held", "", "memory");
    std::printf("%-20s %10s %8s %8s %9s %7s %7s %8s %7s %8s\n", "stream", "", "replay", "from",
                "last 1/4", "ns", "ns", "back", "traces", "KiB");
}

void print_row(const Section::Row& row) {
    const Outcome& o = row.outcome;
    std::printf("%-20s %10llu %8s %8s %7.2f %% %7.1f %7.1f %8.1f %7llu %8.0f\n", row.stream.c_str(),
                static_cast<unsigned long long>(o.operations), text_of(o.first_replay).c_str(),
                text_of(o.steady_from).c_str(), 100 * o.coverage_last_quarter,
                bench::spread_of(o.launch_ns).median, bench::spread_of(o.background_ns).median,
                o.held_mean, static_cast<unsigned long long>(o.traces),
                static_cast<double>(o.memory_bytes) / 1024);
    std::fflush(stdout);
}

void print_explanation() {
    std::printf(
        "\nfirst replay: operations before it. steady from: of any %zu operations from there on,\n"
        "%.0f %% or more are replayed. launch, background: CPU time per operation of the "
        "launching\n"
        "thread without mining, and of mining; median over the rounds. held back: operations that\n"
        "one waits for on average before it is handed on. memory: the most at a time.\n",
        steady_window, 100 * steady_share);
}

nlohmann::ordered_json json_of(const std::vector<Section>& sections) {
    nlohmann::ordered_json all;
    for (const Section& section : sections)
        for (const Section::Row& row : section.rows)
            all[section.recogniser->name][row.stream] = json_of(row);
    return all;
}

}  // namespace streams
