#pragma once

#include "base/assertion.hpp"
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
/// Within a budget: what is oldest goes first, which is what was used least recently, since each use
/// takes a position. A memo outlives everything that refers to its lists: at least half of the
/// positions are operations, so that of two that are two windows apart the older one is not
/// remembered by the analysis any more.
///
/// A loop whose turns take no positions goes round in the newest ones, and uses the memos there. When
/// it has done so for a window, no operation that is remembered refers to any other memo: they all may
/// go, but none of its own, of which each is used as soon again as the others.
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
    /// Where an operation stands.
    struct Place {
        Place(Position at, std::uint64_t loop_length = 0) : position(at), loop(loop_length) {}
        Position position;
        std::uint64_t
            loop;  // so many of the newest positions a loop goes round in; 0: there is none
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
        REFRAIN_ASSERT(position >= end_, "an operation takes the place of a younger one");
        move_to(position);
        if (entry.memo != nullptr) ++entry.memo->users;
        places_[position & mask_] = entry;
    }
    /// A memo of what was found for operation `number` at a place that is younger than all before or
    /// has no entry. Does nothing if that would be over the budget.
    void keep(Place place, OperationNumber number, std::span<const analysis::Access> accesses,
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
    [[nodiscard]] Position in_use_from(Place place, OperationNumber number);
    [[nodiscard]] bool make_room(std::size_t bytes, Position in_use_from);

    Limits limits_;
    std::uint64_t mask_;
    std::unique_ptr<Entry[]> places_;  // ring
    Position oldest_ = 0;
    Position end_ = 0;
    Position round_end_ = 0;           // where a loop goes round without taking positions,
    OperationNumber round_since_ = 0;  // since this operation at least
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
