/// What the limits of dormancy cost on streams of several kinds, in instructions by a model: curves, not
/// times. The result depends on no machine.
///
///     bench_dormancy [--quick]

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

#include "dormancy/model.hpp"

namespace {

using refrain::trace::Dormancy;

void print_curves(const char* title, const std::vector<dormancy::Stream>& streams,
                  const std::vector<Dormancy::Limits>& all,
                  std::uint64_t Dormancy::Limits::*varied) {
    std::printf("\n%-62s %8s", title, "least");
    for (const Dormancy::Limits& limits : all)
        std::printf(" %7llu", static_cast<unsigned long long>(limits.*varied));
    std::printf("\n");
    std::vector<double> worst(all.size(), 1);
    for (const dormancy::Stream& stream : streams) {
        std::vector<double> costs;
        for (const Dormancy::Limits& limits : all)
            costs.push_back(dormancy::instructions_per_launch(stream, limits, {}));
        const double least = *std::min_element(costs.begin(), costs.end());
        std::printf("%-62s %8.0f", stream.name.c_str(), least);
        for (std::size_t i = 0; i < costs.size(); ++i) {
            std::printf(" %7.3f", costs[i] / least);
            worst[i] = std::max(worst[i], costs[i] / least);
        }
        std::printf("\n");
    }
    std::printf("%-62s %8s", "worst", "");
    for (const double each : worst) std::printf(" %7.3f", each);
    std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
    const bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
    const auto streams = dormancy::all_streams(quick ? 10'000 : 100'000);
    std::vector<Dormancy::Limits> by_patience, by_evidence;
    for (std::uint64_t patience = 16; patience <= 16'384; patience *= 2)
        by_patience.push_back({.patience = patience});
    for (std::uint64_t evidence = 8; evidence <= 8'192; evidence *= 2)
        by_evidence.push_back({.patience = 512, .evidence = evidence});
    std::printf("Instructions per launch of the best column, and multiples of it.\n");
    print_curves("patience", streams, by_patience, &Dormancy::Limits::patience);
    print_curves("evidence", streams, by_evidence, &Dormancy::Limits::evidence);
}
