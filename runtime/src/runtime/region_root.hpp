#pragma once

#include "analysis/access_history.hpp"
#include "runtime/failure.hpp"
#include "runtime/region_use.hpp"
#include "runtime/storage.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace refrain::runtime {

class Core;
class RegionTable;

/// A region as the runtime knows it, and the analysis. The launching thread's, but for `storage`.
struct RegionRoot : analysis::RegionHistory {
    /// Elements that a failed task should have written, or reduced.
    struct Taint {
        data::BoxSet elements;
        Failure* failure;
        /// Not null: only a reduction is missing. Others with this operator do not see it.
        const data::ReductionFunctions* reduction;
    };
    /// The footprint of "the whole region for each of n points".
    struct WholeFootprint {
        std::uint64_t epoch = 0;
        std::uint32_t points = 0;
        analysis::FootprintId footprint = analysis::FootprintId::none;
    };

    RegionTable* table = nullptr;  // null once the runtime is gone
    std::uint32_t references = 0;
    std::uint32_t name = 0;  // recycled, the smallest free one first
    int rank = 1;
    std::uint32_t space = 0;  // equal numbers mean equal bounds
    std::string given_name;
    Storage* storage = nullptr;
    RegionUse use;
    std::uint64_t last_use = 0;           // the youngest operation launched on it
    std::uint64_t host_wrote_before = 0;  // operations below this no longer matter for its contents
    std::vector<Taint> taints;
    WholeFootprint whole[2];
    std::size_t live_index = 0;
};

}  // namespace refrain::runtime
