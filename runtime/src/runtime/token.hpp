#pragma once

#include "base/hash.hpp"
#include "runtime/operation.hpp"

namespace refrain::runtime {

/// The token of an operation for mined tracing: a hash of its task, point count, and for each
/// requirement the region's name, the elements and the privilege. Scalars, fill values and futures
/// cannot affect the analysis and are left out.
///
/// Source:   Yadav et al., ASPLOS 2025, Section 4.1.
[[nodiscard]] inline base::Hash128 token_of(const Operation& operation, unsigned bits) {
    base::Hash128 hash = operation.hash;
    if (operation.is_fence) hash.high = ~hash.high;
    const std::size_t count = operation.argument_count;
    for (std::size_t i = 0; i < count; i += 2) {
        const std::uint64_t next = i + 1 < count ? operation.root(i + 1).name + 1U : 0;
        hash = base::mix(hash, std::uint64_t{operation.root(i).name} << 32 | next);
    }
    if (bits < 128) [[unlikely]]
        return hash.truncated(bits);
    return hash;
}

}  // namespace refrain::runtime
