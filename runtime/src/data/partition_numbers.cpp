#include "data/partition_numbers.hpp"

#include "base/hash.hpp"

namespace refrain::data {

PartitionNumbers& PartitionNumbers::of_process() {
    static auto* numbers = new PartitionNumbers;  // partitions may be made while the process ends
    return *numbers;
}

std::uint64_t PartitionNumbers::number_of(const PartitionData& partition) {
    const bool small = is_small(partition);
    const std::uint64_t hash = small ? hash_of(partition) : 0;
    const base::LockGuard lock(mutex_);
    if (!small) return ++numbers_;
    Known& known = known_[hash % places];
    if (known.hash == hash && known.content && known.content->equals(partition))
        return known.number;
    const bool seen_before = known.hash == hash && known.number != 0;
    known.content.reset();
    if (seen_before)
        known.content = {partition.space, partition.colours, partition.subsets, partition.rank,
                         partition.colour_rank};
    known.hash = hash;
    return known.number = ++numbers_;
}

bool PartitionNumbers::Content::equals(const PartitionData& partition) const {
    return rank == partition.rank && colour_rank == partition.colour_rank &&
           same(colours, partition.colours) && space == partition.space &&
           subsets == partition.subsets;
}

bool PartitionNumbers::is_small(const PartitionData& partition) {
    std::size_t boxes = partition.space.boxes().size();
    for (const BoxSet& subset : partition.subsets) {
        boxes += 1 + subset.boxes().size();
        if (boxes > boxes_max) return false;
    }
    return true;
}

std::uint64_t PartitionNumbers::hash_of(const PartitionData& partition) {
    base::Hasher hasher;
    hasher.add(partition.space.hash());
    for (const BoxSet& subset : partition.subsets) hasher.add(subset.hash());
    for (std::size_t d = 0; d < partition.colours.lo.size(); ++d) {
        hasher.add(static_cast<std::uint64_t>(partition.colours.lo[d]));
        hasher.add(static_cast<std::uint64_t>(partition.colours.hi[d]));
    }
    return hasher.finish().low;
}

}  // namespace refrain::data
