#include "observe/critical_path.hpp"

#include <algorithm>

namespace refrain::observe {
namespace {

constexpr std::uint32_t nothing_before = ~std::uint32_t{0};

/// The chain that ends at each operation: its time, and the place of the operation before.
struct Chain {
    double ticks = 0;
    std::uint32_t before = nothing_before;
};

}  // namespace

std::vector<std::uint32_t> critical_path(std::span<const TimedOperation> block) {
    std::vector<Chain> chains(block.size());
    std::uint32_t longest = nothing_before;  // chain so far
    std::uint32_t fence = nothing_before;
    for (std::uint32_t i = 0; i < block.size(); ++i) {
        Chain& chain = chains[i];
        const auto extend = [&](std::uint32_t source) {
            if (chain.before != nothing_before &&
                chains[source].ticks <= chains[chain.before].ticks)
                return;
            chain.before = source;
        };
        for (const std::uint32_t source : block[i].sources) extend(source);
        if (fence != nothing_before) extend(fence);
        if (block[i].is_fence) {
            if (longest != nothing_before) extend(longest);
            fence = i;
        }
        chain.ticks =
            block[i].ticks + (chain.before == nothing_before ? 0 : chains[chain.before].ticks);
        if (longest == nothing_before || chain.ticks > chains[longest].ticks) longest = i;
    }
    std::vector<std::uint32_t> path;
    for (; longest != nothing_before; longest = chains[longest].before) path.push_back(longest);
    std::reverse(path.begin(), path.end());
    return path;
}

}  // namespace refrain::observe
