#include "streams/report.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>
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

nlohmann::ordered_json json_of(const std::string& what, const Outcome& o) {
    return {{"what", what},
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
            {"repeats", o.repeats},
            {"memory_bytes", o.memory_bytes}};
}

/// Prints a line of the table; `first` is the outcome of the first recogniser.
void print_line(const std::string& stream, const Recogniser& recogniser, const Outcome& o,
                const Outcome& first) {
    const double ns = bench::spread_of(o.all_ns()).median;
    std::printf("%-20s %10llu %-9s %8s %8s %7.2f %% %7.1f %7.1f %6.2f %8.1f %7llu %8.0f\n",
                stream.c_str(), static_cast<unsigned long long>(o.operations), recogniser.name,
                text_of(o.first_replay).c_str(), text_of(o.steady_from).c_str(),
                100 * o.coverage_last_quarter, bench::spread_of(o.launch_ns).median,
                bench::spread_of(o.background_ns).median,
                ns / bench::spread_of(first.all_ns()).median, o.held_mean,
                static_cast<unsigned long long>(o.traces),
                static_cast<double>(o.memory_bytes) / 1024);
}

}  // namespace

void print_heading() {
    std::printf("\n");
    for (const Recogniser& recogniser : recognisers())
        std::printf("%s: %s\n", recogniser.name, recogniser.what);
    const std::string other = std::string("÷ ") + recognisers().front().name;
    std::printf("\n%-20s %10s %-9s %8s %8s %9s %7s %7s %6s %8s %7s %8s\n", "", "", "recog-",
                "first", "steady", "replayed,", "launch", "backgr.", "both", "held", "", "memory");
    std::printf("%-20s %10s %-9s %8s %8s %9s %7s %7s %7s %8s %7s %8s\n", "stream", "operations",
                "niser", "replay", "from", "last 1/4", "ns", "ns", other.c_str(), "back", "traces",
                "KiB");
}

void print_row(const Row& row) {
    for (std::size_t i = 0; i < row.outcomes.size(); ++i)
        print_line(row.stream, recognisers()[i], row.outcomes[i], row.outcomes.front());
    std::fflush(stdout);
}

void print_explanation() {
    std::printf(
        "\nfirst replay: operations before it. steady from: of any %zu operations from there on,\n"
        "%.0f %% or more are replayed. launch, background: CPU time per operation of the "
        "launching\n"
        "thread without mining, and of mining; median over the rounds. both: their sum, divided "
        "by\n"
        "that of the first recogniser. held back: mean number of operations launched between one\n"
        "and its issue. memory: the peak.\n",
        steady_window, 100 * steady_share);
}

nlohmann::ordered_json json_of(const std::vector<Row>& rows) {
    nlohmann::ordered_json all;
    for (const Row& row : rows)
        for (std::size_t i = 0; i < row.outcomes.size(); ++i)
            all[recognisers()[i].name][row.stream] = json_of(row.what, row.outcomes[i]);
    return all;
}

}  // namespace streams
