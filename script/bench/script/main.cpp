/// Measures what scripts cost, in turns, and compares the medians with their limits.

#include "cli/command_line.hpp"

#include <cstdio>
#include <cstring>
#include <exception>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "common/pingpong.hpp"
#include "common/results.hpp"
#include "common/spread.hpp"
#include "script/rows.hpp"

namespace {

struct Wishes {
    bool quick = false;
    int rounds = 9;
    std::string json;
    std::string mpis = "openmpi,mpich";
    std::string part;
    std::uint64_t programs = 1000;       // random ones
    std::uint64_t first_seed = 100'000;  // of these; no test has tried it
};

void add_options(refrain::cli::CommandLine& line, Wishes& wishes) {
    line.add_option("part", wishes.part, "Only the rows with this in their names");
    line.add_option("--rounds", wishes.rounds, "Times each row is measured; medians are reported")
        .between(1, 1000)
        .show_default();
    line.add_option("--json", wishes.json, "Also write the results to this file");
    line.add_option("--mpi", wishes.mpis, "The MPIs to measure").show_default();
    line.add_option("--programs", wishes.programs, "Random programs of the row determinism")
        .between(1, 1e9)
        .show_default();
    line.add_option("--first-seed", wishes.first_seed, "Seed of the first of them").show_default();
    line.add_flag("--quick", wishes.quick, "Short programs, one round: only checks that all works");
}

bool is_met(const script_bench::Row& row, double median) {
    return row.limit == 0 || (row.at_least ? median >= row.limit : median <= row.limit);
}

void print(const script_bench::Row& row, const bench::Spread& spread) {
    std::printf("%-26s %12.3f %12.3f %12.3f %-3s", row.name.c_str(), spread.median, spread.low,
                spread.high, row.unit);
    if (row.limit != 0)
        std::printf(" %s %8g  %-6s", row.at_least ? ">=" : "<=", row.limit,
                    is_met(row, spread.median) ? "met" : "MISSED");
    if (row.original != 0) std::printf("  original: %g", row.original);
    std::printf("\n");
}

int measured(const Wishes& wishes) {
    std::vector<script_bench::Row> rows;
    script_bench::add_programs(rows, wishes.quick);
    script_bench::Missing missing;
    script_bench::add_tbb(rows, wishes.quick, missing);
    script_bench::add_commands(rows, wishes.quick, missing);
    script_bench::add_peers(rows, wishes.quick, missing);
    script_bench::add_determinism(rows, wishes.first_seed, wishes.programs);
    script_bench::add_mpi(rows, wishes.quick, wishes.mpis);
    std::erase_if(rows,
                  [&](const auto& row) { return row.name.find(wishes.part) == std::string::npos; });
    if (rows.empty()) throw std::runtime_error("no row has '" + wishes.part + "' in its name");
    std::vector<std::vector<double>> values(rows.size());
    std::vector<double> distances;
    for (int round = 0; round < wishes.rounds; ++round) {
        distances.push_back(bench::pingpong_ns());
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (round == 0 || !rows[i].steady) values[i].push_back(rows[i].measure());
    }
    std::printf("%-26s %12s %12s %12s\n", "", "median", "quartile", "quartile");
    bool met = true;
    nlohmann::json json = {{"machine", bench::machine_json()},
                           {"pingpong_ns", bench::spread_json(distances)}};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const bench::Spread spread = bench::spread_of(values[i]);
        print(rows[i], spread);
        met = met && is_met(rows[i], spread.median);
        nlohmann::json& row = json["rows"][rows[i].name];
        row = bench::spread_json(values[i]);
        row["unit"] = rows[i].unit;
        if (rows[i].limit != 0) row["limit"] = rows[i].limit;
        if (rows[i].limit != 0) row["met"] = is_met(rows[i], spread.median);
        if (rows[i].original != 0) row["original"] = rows[i].original;
    }
    std::printf("%-26s %12.0f ns between the cores\n", "ping-pong",
                bench::spread_of(distances).median);
    for (const auto& [name, why] : missing) {
        std::printf("%-26s missing: %s\n", name.c_str(), why.c_str());
        json["missing"][name] = why;
    }
    if (!wishes.json.empty()) bench::write_json(wishes.json, json);
    return met || wishes.quick ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        if (argc > 2 && std::strcmp(argv[1], "--as-rank") == 0) {
            script_bench::as_rank(argc - 2, argv + 2);
            return 0;
        }
        refrain::cli::CommandLine line(
            "Measures what scripts cost, in turns, and compares the medians with their limits.");
        Wishes wishes;
        add_options(line, wishes);
        if (!line.parse(argc, argv)) return line.exit_status();
        if (wishes.quick) {
            wishes.rounds = 1;
            wishes.programs = 10;
        }
        return measured(wishes);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_script: %s\n", error.what());
        return 2;
    }
}
