#include "data/partition_interner.hpp"

#include "base/hash.hpp"

namespace refrain::data {

PartitionInterner& PartitionInterner::of_process() {
    static auto* interner =
        new PartitionInterner;  // never destroyed: static destructors may make partitions
    return *interner;
}

std::uint64_t PartitionInterner::id_of(const PartitionData& partition) {
    const bool small = is_small(partition);
    const std::uint64_t hash = small ? hash_of(partition) : 0;
    const base::LockGuard lock(mutex_);
    if (!small) return ++last_id_;
    Slot& slot = slots_[hash % slot_count];
    if (slot.hash == hash && slot.content && slot.content->equals(partition)) return slot.id;
    const bool seen_before = slot.hash == hash && slot.id != 0;
    slot.content.reset();
    if (seen_before)
        slot.content = Content{.space = partition.space,
                               .colours = partition.colours,
                               .subsets = partition.subsets,
                               .rank = partition.rank,
                               .colour_rank = partition.colour_rank};
    slot.hash = hash;
    return slot.id = ++last_id_;
}

bool PartitionInterner::Content::equals(const PartitionData& partition) const {
    return rank == partition.rank && colour_rank == partition.colour_rank &&
           same(colours, partition.colours) && space == partition.space &&
           subsets == partition.subsets;
}

bool PartitionInterner::is_small(const PartitionData& partition) {
    // A bitmap counts as the boxes that would take its memory.
    const auto size = [](const BoxSet& set) {
        const BitLine* line = set.bits();
        return line == nullptr ? set.boxes().size()
                               : line->words().size() * sizeof(std::uint64_t) / sizeof(Box);
    };
    std::size_t boxes = size(partition.space);
    for (const BoxSet& subset : partition.subsets) {
        boxes += 1 + size(subset);
        if (boxes > boxes_max) return false;
    }
    return true;
}

std::uint64_t PartitionInterner::hash_of(const PartitionData& partition) {
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
