#pragma once

#include "base/mutex.hpp"
#include "refrain/detail/partition_data.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace refrain::data {

/// Assigns interning ids to partitions: equal ids imply equal content; the converse usually holds.
/// So a launch through a partition that a library makes again in every call is recognised like one
/// through a partition that is kept.
///
///     tiles(extents(8), 2)  ->  id 1     first time: the hash is stored
///     tiles(extents(8), 2)  ->  id 2     hash known: the content is stored, too
///     tiles(extents(8), 2)  ->  id 2     content equal
///
/// Equal partitions get different ids where they have more than 1024 boxes, at the first repetition
/// (above), and after another partition has taken their slot in the table.
///
/// Complexity:  O(boxes), at most 1024. The table has 256 slots and takes at most 12 MiB.
/// Threads:     any.
class PartitionInterner {
  public:
    static PartitionInterner& of_process();

    [[nodiscard]] std::uint64_t id_of(const PartitionData& partition);

  private:
    static constexpr std::size_t boxes_max = 1024;
    static constexpr std::size_t slot_count = 256;

    struct Content {
        BoxSet space;
        Box colours;
        std::vector<BoxSet> subsets;
        int rank, colour_rank;
        [[nodiscard]] bool equals(const PartitionData& partition) const;
    };
    struct Slot {
        std::uint64_t hash = 0;
        std::uint64_t id = 0;
        std::optional<Content> content;
    };
    [[nodiscard]] static bool is_small(const PartitionData& partition);
    [[nodiscard]] static std::uint64_t hash_of(const PartitionData& partition);

    base::Mutex mutex_;
    std::uint64_t last_id_ REFRAIN_GUARDED_BY(mutex_) = 0;
    std::array<Slot, slot_count> slots_ REFRAIN_GUARDED_BY(mutex_);  // by hash
};

}  // namespace refrain::data
