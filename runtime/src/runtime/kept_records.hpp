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
    std::uint32_t next = 0;
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
    static constexpr std::size_t ahead = 4;  // launches; as entries (graph/lanes.hpp)

    /// How many records each launch of a loop of `length` launches has: enough while those of the latest
    /// turns have not retired. Two or three regions may change places each turn, since a loop is folded by
    /// what depends on what. The count is a multiple of both, so that a record meets its regions again.
    [[nodiscard]] static constexpr std::uint32_t count_for(std::uint64_t length) {
        constexpr std::uint64_t orders = 6;  // a multiple of two and of three
        const std::uint64_t least = graph::Lanes::capacity / length + 1;
        return static_cast<std::uint32_t>(least <= 2 ? 2 : (least + orders - 1) / orders * orders);
    }

    /// Memory for a record and its bundles; null beyond `bytes_max`. All operations below `oldest` have
    /// retired. Errors: std::bad_alloc.
    [[nodiscard]] std::byte* allocate(std::size_t bytes, std::size_t align,
                                      graph::OperationNumber oldest) {
        std::erase_if(left_, [&](const Left& loop) { return loop.newest < oldest; });  // I2
        if (bytes_ + bytes > bytes_max) return nullptr;
        if (arena_ == nullptr) {
            order_.assign(length_ * count_for(length_), nullptr);
            arena_ = std::make_unique<base::RecordArena>();
            bytes_ += order_.size() * sizeof(Operation*);
        }
        auto* memory = static_cast<std::byte*>(arena_->allocate(bytes, align, 0));
        bytes_ += bytes;
        return memory;
    }
    /// A loop of `length` launches begins.
    void begin(std::uint64_t length) { length_ = length; }
    /// An operation newer than all before uses a record. The lines that some later launch will write, which
    /// workers have, are asked for now: else the launches wait for them, one line after the other, once the
    /// core has no room for more stores.
    void used_by(const Operation& operation) {
        newest_ = operation.number;
        if (order_.empty()) return;
        order_[at_] = &operation;
        if (++at_ >= order_.size()) at_ = 0;
        const std::size_t soon = at_ + ahead;
        if (const Operation* next = order_[soon < order_.size() ? soon : soon - order_.size()]) {
            base::prefetch_for_write(&next->number);
            base::prefetch_for_write(next->closure);
        }
    }
    /// The loop is left: its records are not used again. Errors: std::bad_alloc.
    void leave() {
        order_.clear();
        at_ = 0;
        if (arena_ == nullptr) return;
        left_.push_back({nullptr, newest_});
        left_.back().arena = std::move(arena_);
        bytes_ = 0;
    }

    /// From the system.
    [[nodiscard]] std::size_t bytes_held() const {
        std::size_t sum = arena_ == nullptr ? 0 : arena_->bytes_held();
        sum += order_.capacity() * sizeof(Operation*);
        for (const Left& loop : left_) sum += loop.arena->bytes_held();
        return sum;
    }

  private:
    struct Left {
        std::unique_ptr<base::RecordArena> arena;
        graph::OperationNumber newest;
    };

    std::unique_ptr<base::RecordArena> arena_;
    std::size_t bytes_ = 0;
    graph::OperationNumber newest_ = 0;  // of the operations that have used records
    std::vector<Left> left_;
    std::vector<const Operation*>
        order_;                 // the records of the loop, as they are used; null: not yet
    std::uint64_t length_ = 1;  // of the loop
    std::size_t at_ = 0;        // in order_: of the next launch
};

}  // namespace refrain::runtime
