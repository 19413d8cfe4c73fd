/// What the limits of lanes cost: after how many launches in a row a loop goes into lanes (graph/lane_policy.hpp),
/// and how far a lane stays behind (graph/lanes.hpp). By models, on programs of several kinds: curves, not times. The
/// result depends on no machine.
///
///     bench_lanes
///
/// The second is in two_lanes.hpp. In the first,
/// a launch takes 1 in lanes and 1.3 otherwise: so much lanes save of the smallest tasks
/// (runtime/docs/benchmarks.md, METG: 1.26 far, 1.39 near). To open lanes and close them takes as long as
/// 5, 20 or 80 launches. A program is a series of phases, launches that can go into lanes; between two
/// phases is a launch that cannot.

#include "graph/lane_policy.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "lanes/two_lanes.hpp"

namespace {

using refrain::graph::LanePolicy;
using refrain::graph::SharingLimits;

constexpr double outside = 1.3;

struct Program {
    std::string name;
    std::vector<std::uint64_t> phases;  // launches
};

/// The phases over and over, until there are a million launches.
Program repeated(std::string name, const std::vector<std::uint64_t>& phases) {
    constexpr std::uint64_t launches_max = 1'000'000;
    Program program{std::move(name), {}};
    for (std::uint64_t launches = 0; launches < launches_max;)
        for (const std::uint64_t phase : phases) {
            program.phases.push_back(phase);
            launches += phase;
        }
    return program;
}

std::vector<Program> all_programs() {
    std::vector<Program> programs;
    for (const std::uint64_t length : {50, 100, 300, 1'000, 3'000, 10'000, 100'000, 1'000'000})
        programs.push_back(repeated("phases of " + std::to_string(length), {length}));
    programs.push_back(repeated("one of 100,000 after 100 of 100", [] {
        std::vector<std::uint64_t> phases(100, 100);
        phases.push_back(100'000);
        return phases;
    }()));
    programs.push_back(repeated("100 and 3,000 in turns", {100, 3'000}));
    std::mt19937_64 random(1);
    std::vector<std::uint64_t> lengths;
    for (int i = 0; i < 400; ++i)  // 16 to 65,536, each magnitude as often
        lengths.push_back(std::uint64_t{1} << (4 + random() % 13));
    programs.push_back(repeated("random, 16 to 65,536", lengths));
    return programs;
}

/// The cost by the policy, as a multiple of the least: that of who knows each phase's length beforehand.
double relative_cost(const Program& program, LanePolicy::Limits in_a_row, double opening) {
    constexpr SharingLimits limits = SharingLimits::of(100);
    LanePolicy policy(in_a_row);
    double cost = 0;
    double least = 0;
    for (const std::uint64_t phase : program.phases) {
        std::uint64_t in_lanes = 0;
        for (std::uint64_t i = 0; i < phase; ++i)
            in_lanes += policy.wants(limits.worth, true, limits);
        (void)policy.wants(0, true, limits);
        const auto launches = static_cast<double>(phase);
        least += std::min(outside * launches, launches + opening);
        cost += outside * (launches - static_cast<double>(in_lanes));
        if (in_lanes == 0) continue;
        cost += static_cast<double>(in_lanes) + opening;
        policy.left(in_lanes);
    }
    return cost / least;
}

void print_curves(double opening, const std::vector<LanePolicy::Limits>& all) {
    std::printf("\nleast      opening takes %3.0f launches", opening);
    for (const LanePolicy::Limits& limits : all)
        std::printf(" %6llu", static_cast<unsigned long long>(limits.least));
    std::vector<double> worst(all.size(), 1);
    for (const Program& program : all_programs()) {
        std::printf("\n%-39s", program.name.c_str());
        for (std::size_t i = 0; i < all.size(); ++i) {
            const double cost = relative_cost(program, all[i], opening);
            std::printf(" %6.3f", cost);
            worst[i] = std::max(worst[i], cost);
        }
    }
    std::printf("\n%-39s", "worst");
    for (const double each : worst) std::printf(" %6.3f", each);
    std::printf("\n");
}

}  // namespace

int main() {
    std::vector<LanePolicy::Limits> by_least;
    for (std::uint64_t least = 8; least <= 1'024; least *= 2) by_least.push_back({.least = least});
    std::printf("Costs, as multiples of those of who knows each phase's length beforehand.\n");
    for (const double opening : {5.0, 20.0, 80.0}) print_curves(opening, by_least);
    lanes::print_limits();
}
