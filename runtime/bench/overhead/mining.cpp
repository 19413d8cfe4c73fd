#include "strings/repeats.hpp"

#include <vector>

#include "common/stopwatch.hpp"
#include "overhead/streams.hpp"

namespace overhead {

double mine_seconds() {
    constexpr std::uint32_t tokens = 1U << 20;
    double slowest = 0;
    for (const std::uint32_t period : {1U, 4U, 100U, 1000U, 0U}) {  // 0: random over four symbols
        std::vector<std::uint32_t> stream(tokens);
        std::uint64_t state = 1;
        for (std::uint32_t i = 0; i < tokens; ++i) {
            state = state * 6364136223846793005U + 1442695040888963407U;
            stream[i] = period == 0 ? static_cast<std::uint32_t>(state >> 62) : i % period;
        }
        const Stopwatch watch;
        const auto repeats = refrain::strings::find_repeats(stream, {});
        slowest = std::max(slowest, watch.wall_seconds());
        if (repeats.empty()) return -1;
    }
    return slowest;
}

}  // namespace overhead
