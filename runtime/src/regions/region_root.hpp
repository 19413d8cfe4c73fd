#pragma once

#include "analysis/access_history.hpp"
#include "graph/operation_number.hpp"
#include "regions/failure.hpp"
#include "regions/rare_list.hpp"
#include "regions/region_use.hpp"
#include "regions/short_text.hpp"
#include "regions/storage.hpp"

#include <cstdint>

namespace refrain::regions {

class RegionTable;

/// The record of one region: its identity, what the analysis knows of it (the base class), how it is
/// used, and its storage.
///
/// Layout:   each launch writes `last` and `last_use`, and all workers read what may lie beside the record:
///           the storage of this region or of another. So the two lie where no line reaches beyond the
///           record (tests/regions).
/// Threads:  the launching thread only, but for `storage`.
struct RegionRoot : analysis::RegionHistory {
    /// Elements with wrong values: a failed task should have written them, or reduced into them.
    struct Taint {
        data::BoxSet elements;
        Failure* failure;
        /// Not null if only contributions of this operator are missing. Launches that reduce with the
        /// same operator can still run.
        const data::ReductionFunctions* reduction;
    };
    /// The interned footprints of "each point uses the whole region", of one point and of several,
    /// valid within an epoch of the footprint table.
    struct WholeFootprints {
        std::uint32_t epoch = 0;
        analysis::FootprintId of_one = analysis::FootprintId::none;
        std::uint32_t points = 0;
        analysis::FootprintId of_several = analysis::FootprintId::none;
    };

    graph::OperationNumber last_use = 0;  // the newest operation launched on it
    RegionTable* table = nullptr;         // null once the runtime is gone
    Storage* storage = nullptr;
    ShortText given_name;
    RareList<Taint> taints;
    graph::OperationNumber host_wrote_before =
        0;  // the host overwrote what operations below this made
    std::uint32_t references = 0;
    std::uint32_t name = 0;        // recycled, the smallest free one first
    std::uint32_t space = 0;       // equal numbers mean equal bounds and ranks
    std::uint32_t live_index = 0;  // in the table's list
    WholeFootprints whole_footprints;
    [[no_unique_address]] RegionUse use;  // `rank` takes its last byte
    std::uint8_t rank = 1;
};
static_assert(sizeof(RegionRoot) <= 184, "programs have many regions");

}  // namespace refrain::regions
