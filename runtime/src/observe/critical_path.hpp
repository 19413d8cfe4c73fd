#pragma once

#include "page/site_table.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace refrain::observe {

/// An operation in a block of neighbours, with the time that it takes.
struct TimedOperation {
    page::SiteId site = 0;
    double ticks = 0;                    // its longest task
    bool is_fence = false;               // it waits for all before it, and all after it wait for it
    std::vector<std::uint32_t> sources;  // places in the block
};

/// The longest chain of operations in a block, each of which waits for the one before. Its time is an
/// upper estimate where points depend on points: each operation counts with its longest task. Returns the places of its operations, ascending.
[[nodiscard]] std::vector<std::uint32_t> critical_path(std::span<const TimedOperation> block);

}  // namespace refrain::observe
