/// Compares the two analyses with nothing around them: walks, and states of regions.
///
/// Each stream is analysed several times, by both in turns, on tables that stay; the first pass and
/// the fastest later one are shown, in ns per requirement, with the share of accesses by known
/// transitions. The sources found must be as many.

#include "analysis/dependence_walk.hpp"
#include "analysis/source_merge.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "common/stopwatch.hpp"
#include "states/region_states.hpp"
#include "states/streams.hpp"

namespace states_bench {
namespace {

using namespace refrain::analysis;

constexpr std::uint32_t window = 1024;

/// What both analyses share: regions, and launches as they take them.
class Analysis {
  public:
    explicit Analysis(const Stream& stream) : stream_(stream), regions_(stream.regions.size()) {}

    /// ns per requirement.
    template <class Dependences>
    double pass(Dependences&& dependences) {
        for (std::size_t region = 0; region < regions_.size(); ++region) make(region);
        std::size_t requirements = 0;
        edges_ = 0;
        const bench::Stopwatch watch;
        for (const Launch& launch : stream_.launches) {
            for (const std::size_t region : launch.renewed_before) make(region);
            shapes_.clear();
            used_.clear();
            for (const Requirement& requirement : launch.requirements) {
                shapes_.push_back(requirement.shape);
                used_.push_back(&regions_[requirement.region]);
            }
            edges_ += dependences(++launched_, shapes_, used_).size();
            requirements += shapes_.size();
        }
        return 1e9 * watch.wall_seconds() / static_cast<double>(requirements);
    }
    [[nodiscard]] std::size_t edges() const { return edges_; }

  private:
    void make(std::size_t region) {
        regions_[region].forget_accesses();
        regions_[region].serial = ++serials_;
        regions_[region].bounds = stream_.regions[region];
    }

    const Stream& stream_;
    std::vector<RegionHistory> regions_;
    std::vector<RequirementShape> shapes_;
    std::vector<RegionHistory*> used_;
    OperationNumber launched_ = 0;
    std::uint64_t serials_ = 0;
    std::size_t edges_ = 0;
};

struct Times {
    double first = 0, best = 1e30;
    void add(double ns) {
        if (first == 0)
            first = ns;
        else
            best = std::min(best, ns);
    }
};

/// False if the two found different numbers of sources.
bool compare(const Stream& stream, const FootprintTable& footprints, int passes, const char* only) {
    PatternTable walk_patterns, state_patterns;
    WalkTable table(footprints, walk_patterns);
    AccessHistory history(window);
    DependenceWalk walk(history, table, footprints);
    SourceMerge merge(walk_patterns);
    refrain::states::RegionStates states(window, footprints, state_patterns);
    Analysis by_walk(stream), by_states(stream);
    Times walk_times, state_times;
    for (int pass = 0; pass < passes; ++pass) {
        if (only == nullptr || std::strcmp(only, "walk") == 0)
            walk_times.add(
                by_walk.pass([&](OperationNumber number, const auto& shapes, const auto& regions) {
                    (void)history.append(number, shapes, regions, footprints);
                    merge.clear();
                    for (std::uint32_t i = 0; i < regions.size(); ++i)
                        merge.add(walk.walk(number, i, *regions[i]).sources);
                    return merge.merged();
                }));
        if (only == nullptr || std::strcmp(only, "states") == 0)
            state_times.add(by_states.pass(
                [&](OperationNumber number, const auto& shapes, const auto& regions) {
                    return states.dependences(number, shapes, regions);
                }));
    }
    const auto& counters = states.counters();
    const double accesses =
        static_cast<double>(counters.known + counters.found + counters.privately);
    std::printf("%-34s %7.0f %7.0f  %7.0f %7.0f  %5.2f  %7zu %7zu  %6.2f %6.2f %8zu %8zu\n",
                stream.name.c_str(), walk_times.first, state_times.first, walk_times.best,
                state_times.best, walk_times.best / state_times.best, states.states(),
                states.transitions(), 100.0 * static_cast<double>(counters.known) / accesses,
                100.0 * static_cast<double>(counters.privately) / accesses, table.bytes() / 1024,
                states.bytes() / 1024);
    std::fflush(stdout);
    return only != nullptr || by_walk.edges() == by_states.edges();
}

}  // namespace
}  // namespace states_bench

/// bench_states [--quick] [PART OF A STREAM'S NAME] [walk | states]
int main(int argc, char** argv) {
    const bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
    const char* const name = !quick && argc > 1 ? argv[1] : "";
    const char* const only = !quick && argc > 2 ? argv[2] : nullptr;
    refrain::analysis::FootprintTable footprints;
    const auto streams = states_bench::all_streams(footprints, quick ? 500 : 20'000);
    std::printf("%-34s %15s  %15s\n", "ns per requirement", "first pass", "best pass");
    std::printf("%-34s %7s %7s  %7s %7s  %5s  %7s %7s  %6s %6s %8s %8s\n", "", "walk", "states",
                "walk", "states", "ratio", "states", "trans.", "known%", "priv.%", "walk KiB",
                "KiB");
    bool agree = true;
    for (const auto& stream : streams)
        if (stream.name.find(name) != std::string::npos)
            agree = states_bench::compare(stream, footprints, quick ? 2 : 6, only) && agree;
    if (!agree) std::printf("the two found different sources\n");
    return agree ? 0 : 1;
}
