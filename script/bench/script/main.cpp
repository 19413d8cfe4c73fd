/// Measures what scripts cost, in turns, and compares the medians with their limits.
///
///     bench_script [--quick] [--rounds N] [--json FILE] [--mpi openmpi,mpich] [--programs N] [--first-seed N] [PART OF A ROW'S NAME]

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <nlohmann/json.hpp>
#include <string_view>

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

Wishes wishes_of(int argc, char** argv) {
    Wishes wishes;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--quick") == 0)
            wishes.quick = true;
        else if (std::strcmp(argv[i], "--rounds") == 0 && i + 1 < argc)
            wishes.rounds = std::max(1, std::atoi(argv[++i]));
        else if (std::strcmp(argv[i], "--json") == 0 && i + 1 < argc)
            wishes.json = argv[++i];
        else if (std::strcmp(argv[i], "--mpi") == 0 && i + 1 < argc)
            wishes.mpis = argv[++i];
        else if (std::strcmp(argv[i], "--programs") == 0 && i + 1 < argc)
            wishes.programs = std::max(1ULL, std::strtoull(argv[++i], nullptr, 10));
        else if (std::strcmp(argv[i], "--first-seed") == 0 && i + 1 < argc)
            wishes.first_seed = std::strtoull(argv[++i], nullptr, 10);
        else
            wishes.part = argv[i];
    }
    if (wishes.quick) wishes.rounds = 1;
    if (wishes.quick) wishes.programs = 10;
    return wishes;
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
        return measured(wishes_of(argc, argv));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_script: %s\n", error.what());
        return 2;
    }
}
