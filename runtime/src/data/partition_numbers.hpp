#pragma once

#include "base/mutex.hpp"
#include "refrain/detail/partition_data.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace refrain::data {

/// Numbers partitions so that equal numbers mean equal partitions, and a partition that is made again
/// and again has the same number each time: a library that cuts its arrays anew in every call is
/// known by what it launches like one that keeps its partitions.
///
///     tiles(extents(8), 2)   1     seen once: only its hash is remembered
///     tiles(extents(8), 2)   2     the hash again: its content is, too
///     tiles(extents(8), 2)   2     equal to that
///
/// Partitions of many boxes get new numbers; so does one whose place another has taken.
///
/// Complexity:  O(boxes), if there are at most 1024. 256 partitions are remembered, 12 MiB at most.
/// Threads:     any.
class PartitionNumbers {
  public:
    static PartitionNumbers& of_process();

    [[nodiscard]] std::uint64_t number_of(const PartitionData& partition);

  private:
    static constexpr std::size_t boxes_max = 1024;
    static constexpr std::size_t places = 256;

    struct Content {
        BoxSet space;
        Box colours;
        std::vector<BoxSet> subsets;
        int rank, colour_rank;
        [[nodiscard]] bool equals(const PartitionData& partition) const;
    };
    struct Known {
        std::uint64_t hash = 0;
        std::uint64_t number = 0;
        std::optional<Content> content;
    };
    [[nodiscard]] static bool is_small(const PartitionData& partition);
    [[nodiscard]] static std::uint64_t hash_of(const PartitionData& partition);

    base::Mutex mutex_;
    std::uint64_t numbers_ REFRAIN_GUARDED_BY(mutex_) = 0;
    std::array<Known, places> known_ REFRAIN_GUARDED_BY(mutex_);  // by hash
};

}  // namespace refrain::data
