#pragma once

#include "base/record_arena.hpp"
#include "graph/lanes.hpp"
#include "runtime/operation.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace refrain::runtime {

class KeptRecords;

/// The records of one launch of a folded loop: the turns of the loop use them one after the other.
struct LaunchRecords {
    KeptRecords* memory;
    Operation** slots;  // null: not yet made
    std::uint32_t count;
    std::uint32_t links_max;  // of the launch (CheckedLaunch)
    std::uint32_t next = 0;

    /// A launch has used the next record, or passes over it.
    void advance() {
        if (++next == count) next = 0;
    }
};

/// Memory of records that launches in lanes use again, turn after turn. Workers have read them, so each
/// line that a launch writes must come from another core and go there again. Hence a launch writes only
/// its number and its scalars; the rest stays as an earlier turn wrote it.
///
///     [ bundles | Operation, domain, callable and scalars, arguments ]
///
/// I1  A record is written again only after its operation has retired: no other thread reads it then, as
///     with memory that an arena recycles. A launch that comes too early gets a new record, which is not
///     kept.
/// I2  When the loop is left, its memory is freed only after all operations that used it have retired.
/// I3  A launch with a kept record is in lanes, or is the one that closes them, when nothing else is in
///     flight. So it waits for nothing that the graph counts, and begins a batch if it joins one: what the
///     graph writes into a Node outside of lanes (wide_counts, first_point) stays as it is at first.
///
/// Beyond `bytes_max` none are kept.
///
/// Threads:  the launching thread only.
class KeptRecords {
  public:
    static constexpr std::size_t bytes_max = std::size_t{1} << 20;
    static constexpr std::uint64_t orders = 6;  // a multiple of two and of three

    /// How many records each launch of a loop of `length` launches has: enough while those of the latest
    /// turns have not retired. Two or three regions may change places each turn, since a loop is folded by
    /// what depends on what. The count is a multiple of both, so that a record meets its regions again.
    [[nodiscard]] static constexpr std::uint32_t count_for(std::uint64_t length) {
        const std::uint64_t least = graph::Lanes::capacity / length + 1;
        return static_cast<std::uint32_t>(least <= 2 ? 2 : (least + orders - 1) / orders * orders);
    }

    /// Memory for a record and its bundles; null beyond `bytes_max`. All operations below `oldest` have
    /// retired. `to_come`: how many more records of that size the launch may need. Lanes may close before they are used,
    /// and open again at any time (graph/alone_policy.hpp): then nothing is allocated from the system.
    /// Errors: std::bad_alloc.
    [[nodiscard]] std::byte* allocate(std::size_t bytes, std::size_t align,
                                      graph::OperationNumber oldest, std::uint32_t to_come = 0) {
        std::erase_if(left_, [&](const Left& loop) { return loop.newest < oldest; });  // I2
        if (bytes_ + bytes > bytes_max) return nullptr;
        if (arena_ == nullptr) arena_ = std::make_unique<base::RecordArena>();
        if (to_come != 0) reserve((to_come + std::size_t{1}) * bytes);
        auto* memory = static_cast<std::byte*>(arena_->allocate(bytes, align, 0));
        bytes_ += bytes;
        return memory;
    }
    /// Operation `number`, newer than all before, uses a record.
    void used_by(graph::OperationNumber number) { newest_ = number; }
    /// The loop is left: its records are not used again. Errors: std::bad_alloc.
    void leave() {
        if (arena_ == nullptr) return;
        left_.push_back({nullptr, newest_});
        left_.back().arena = std::move(arena_);
        bytes_ = reserved_ = 0;
    }

    /// From the system.
    [[nodiscard]] std::size_t bytes_held() const {
        std::size_t sum = arena_ == nullptr ? 0 : arena_->bytes_held();
        for (const Left& loop : left_) sum += loop.arena->bytes_held();
        return sum;
    }

  private:
    struct Left {
        std::unique_ptr<base::RecordArena> arena;
        graph::OperationNumber newest;
    };

    /// For records of a launch. At the end of a chunk there may be no room for one more: an eighth, and a chunk.
    void reserve(std::size_t bytes) {
        reserved_ = std::min(reserved_ + bytes, bytes_max);
        arena_->reserve(reserved_ + reserved_ / 8 + base::RecordArena::chunk_bytes_default);
    }

    std::unique_ptr<base::RecordArena> arena_;
    std::size_t bytes_ = 0;
    std::size_t reserved_ = 0;
    graph::OperationNumber newest_ = 0;  // of the operations that have used records
    std::vector<Left> left_;
};

}  // namespace refrain::runtime
