/// Measures every row several times in turn and compares the medians with their limits.
///
///     bench_cliffs [--quick] [--rounds N] [PART OF A ROW'S NAME]

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "cliffs/rows.hpp"
#include "common/spread.hpp"

namespace {

/// Whether the limit is met.
bool print(const cliffs::Row& row, const std::vector<double>& values) {
    const bench::Spread spread = bench::spread_of(values);
    std::printf("%-44s %10.3f %10.3f %10.3f  %-5s", row.name.c_str(), spread.median, spread.low,
                spread.high, row.unit);
    const bool met = row.limit == 0 || spread.median <= row.limit;
    if (row.limit != 0) std::printf(" %8g  %s", row.limit, met ? "met" : "MISSED");
    std::printf("\n");
    return met;
}

}  // namespace

int main(int argc, char** argv) {
    bool quick = false;
    int rounds = 9;
    std::string_view part;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--quick") == 0)
            quick = true;
        else if (std::strcmp(argv[i], "--rounds") == 0 && i + 1 < argc)
            rounds = std::max(1, std::atoi(argv[++i]));
        else
            part = argv[i];
    }
    std::vector<cliffs::Row> rows;
    cliffs::add_all_to_all(rows, quick);
    cliffs::add_sparse_reductions(rows, quick);
    cliffs::add_single_tasks(rows, quick);
    cliffs::add_images(rows, quick);
    cliffs::add_growth(rows, quick);
    cliffs::add_changing_loops(rows, quick);
    cliffs::o2::add_kernels(rows, quick);
    cliffs::o3::add_kernels(rows, quick);
    std::erase_if(rows, [&](const auto& row) { return row.name.find(part) == std::string::npos; });
    std::vector<std::vector<double>> values(rows.size());
    for (int round = 0; round < (quick ? 1 : rounds); ++round)
        for (std::size_t i = 0; i < rows.size(); ++i) values[i].push_back(rows[i].measure());
    std::printf("%-44s %10s %10s %10s  %-5s %8s\n", "", "median", "quartile", "quartile", "unit",
                "limit");
    bool met = true;
    for (std::size_t i = 0; i < rows.size(); ++i) met = print(rows[i], values[i]) && met;
    return met || quick ? 0 : 1;
}
