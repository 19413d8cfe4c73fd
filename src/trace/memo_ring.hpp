#pragma once

#include "trace/operation_memo.hpp"
#include "trace/standing.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace refrain::trace {

/// The memos of the newest operations, by their position in the stream that a recogniser looks at.
/// Operations in the same context share one.
///
/// Within a budget: what is oldest goes first. A memo outlives everything that refers to its lists:
/// at least half of the positions are operations, so that of two that are two windows apart the older
/// one is not remembered by the analysis any more.
///
/// Threads:  the launching thread only.
class MemoRing {
  public:
    using Position = Standing::Position;

    struct Limits {
        unsigned capacity_log2;  // positions
        std::size_t bytes_max;
        std::uint32_t window;  // at most a quarter of the capacity
    };
    /// What is known of an operation. `complete`: lists with what was inherited hold for it, too;
    /// else only what walks found by themselves.
    struct Entry {
        const OperationMemo* memo = nullptr;
        bool complete = false;
    };

    explicit MemoRing(const Limits& limits);
    MemoRing(const MemoRing&) = delete;
    MemoRing& operator=(const MemoRing&) = delete;
    MemoRing(MemoRing&&) = delete;
    MemoRing& operator=(MemoRing&&) = delete;
    ~MemoRing() { clear(); }

    /// What is known of the operation at a position within the capacity.
    [[nodiscard]] Entry at(Position position) const {
        return position >= oldest_ && position < end_ ? places_[position & mask_] : Entry{};
    }
    /// Whether nothing can be known of it any more.
    [[nodiscard]] bool has_dropped(Position position) const { return position < oldest_; }
    /// For the operation at `position`, younger than all before, an entry of an earlier one holds.
    void share(Position position, const Entry& entry) {
        move_to(position);
        if (entry.memo != nullptr) ++entry.memo->users;
        places_[position & mask_] = entry;
    }
    /// A memo of what was found for operation `number` at `position`, younger than all before or
    /// without an entry. Does nothing if that would be over the budget.
    void keep(Position position, OperationNumber number, std::span<const analysis::Access> accesses,
              std::span<const Source> edges, std::span<const Source> own_edges);
    /// Frees everything at once; positions begin from 0 again. Nothing may be remembered of any
    /// operation.
    void clear();

    [[nodiscard]] std::size_t memos() const { return memos_; }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }
    [[nodiscard]] std::uint64_t evictions() const { return evictions_; }

  private:
    void move_to(Position position);
    void drop_oldest();
    [[nodiscard]] bool make_room(std::size_t bytes);

    Limits limits_;
    std::uint64_t mask_;
    std::unique_ptr<Entry[]> places_;  // ring
    Position oldest_ = 0;
    Position end_ = 0;
    std::size_t memos_ = 0;
    std::size_t bytes_ = 0;
    std::uint64_t evictions_ = 0;
};

inline void MemoRing::move_to(Position position) {
    while (end_ <= position) {
        if (end_ - oldest_ > mask_) drop_oldest();
        places_[end_++ & mask_] = {};
    }
}

}  // namespace refrain::trace
