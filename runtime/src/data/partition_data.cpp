#include "refrain/detail/partition_data.hpp"

#include "base/assertion.hpp"
#include "data/message.hpp"
#include "data/partition_interner.hpp"
#include "refrain/error.hpp"

#include <utility>

namespace refrain::data {
namespace {

/// Whether the volumes of the sets add up to that of their union, as for disjoint sets only.
bool volumes_add_up(const std::vector<BoxSet>& sets, const BoxSet& together) {
    std::int64_t left = together.volume();
    for (const BoxSet& set : sets) {
        const std::int64_t volume = set.volume();
        if (volume > left) return false;
        left -= volume;
    }
    return true;
}

}  // namespace

PartitionData::PartitionData(BoxSet whole, int point_rank, const Box& colour_box,
                             int rank_of_colours, std::vector<BoxSet> list)
    : space(std::move(whole)),
      colours(colour_box),
      subsets(std::move(list)),
      rank(point_rank),
      colour_rank(rank_of_colours) {
    REFRAIN_ASSERT(rank >= 1 && rank <= rank_max, "a space must have one to three dimensions");
    REFRAIN_ASSERT(colour_rank >= 1 && colour_rank <= rank_max,
                   "colours must have one to three dimensions");
    REFRAIN_ASSERT(static_cast<std::int64_t>(subsets.size()) == colours.volume(),
                   "a partition has one subset per colour");
    const BoxSet together = BoxSet::unite_all(subsets);
    REFRAIN_ASSERT(space.contains(together), "the subsets of a partition lie in its space");
    disjoint = volumes_add_up(subsets, together);
    complete = together == space;
    id = PartitionInterner::of_process().id_of(*this);
    REFRAIN_ASSERT(id != 0, "a partition has no id");
}

void PartitionData::refuse_colour(const Coordinates& colour) const {
    throw UsageError(message("partition: colour ", point_text(colour.data(), colour_rank),
                             " is not among its colours ", to_string(colours, colour_rank),
                             "; launch over colours(), or project the launch domain into them"));
}

}  // namespace refrain::data
