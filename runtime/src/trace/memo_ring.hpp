#pragma once

#include "base/assertion.hpp"
#include "base/pages.hpp"
#include "trace/operation_memo.hpp"
#include "trace/stream_position.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>

namespace refrain::trace {

/// The memos of the newest operations, by stream position. Operations in one context share a memo.
///
/// Budget: the oldest entry is evicted first. It is also the least recently used one, since each
/// use takes a position.
///
/// Invariant: a memo outlives every reference to its lists. At least half of all positions are
/// operations, so an operation two windows of positions ago is no longer in the access history.
///
/// A folded loop takes no positions: its iterations reuse the newest ones and their memos. After a
/// window of such operations no remembered operation refers to any other memo, so all others may be
/// evicted. The loop's own memos stay: each is reused as soon as the others. One that is not complete is
/// replaced there, and freed a window later.
///
/// Threads:  the launching thread only.
class MemoRing {
  public:
    struct Limits {
        unsigned capacity_log2;  // positions
        std::size_t bytes_max;
        std::uint32_t window;  // at most a quarter of the capacity
    };
    /// The position of an operation, and the loop it is in.
    struct Place {
        Place(Position at, std::uint64_t loop_length = 0) : position(at), loop(loop_length) {}
        Position position;
        std::uint64_t loop;  // length of the folded loop, which is at the newest positions; 0: none
    };
    /// The memo of an operation. `complete`: all lists are valid for it; else only the own sources.
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

    /// Empty if there is none.
    [[nodiscard]] Entry at(Position position) const {
        return position >= oldest_ && position < end_ ? places_[position & mask_] : Entry{};
    }
    /// Whether its entry has been evicted.
    [[nodiscard]] bool has_dropped(Position position) const { return position < oldest_; }
    /// Gives the operation at `position` the entry of an earlier one. Precondition: it is the
    /// newest position so far.
    void share(Position position, const Entry& entry) {
        REFRAIN_ASSERT(position >= end_, "an operation takes the place of a younger one");
        move_to(position);
        if (entry.memo != nullptr) ++entry.memo->references;
        places_[position & mask_] = entry;
    }
    /// Makes a memo of what was found for operation `number`, if the budget allows.
    /// Precondition: the place is newer than all before or has no complete entry.
    void keep(Place place, OperationNumber number, std::span<const analysis::Access> accesses,
              std::span<const Source> edges, std::span<const Source> own_edges);
    /// Frees everything; positions start from 0 again. Precondition: no operation is remembered.
    void clear();

    [[nodiscard]] std::size_t memos() const { return memos_; }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }
    [[nodiscard]] std::uint64_t evictions() const { return evictions_; }

  private:
    void move_to(Position position);
    void drop_oldest();
    void release(const OperationMemo* memo);
    void release_replaced(OperationNumber number);
    [[nodiscard]] Position in_use_from(Place place, OperationNumber number);
    [[nodiscard]] bool make_room(std::size_t bytes, Position in_use_from);

    Limits limits_;
    std::uint64_t mask_;
    std::unique_ptr<Entry[]> places_;  // ring
    base::PagesAhead place_pages_, memo_pages_;
    Position oldest_ = 0;
    Position end_ = 0;
    Position loop_end_ = 0;           // end_ has had this value, while a folded loop ran,
    OperationNumber loop_since_ = 0;  // since this operation or an earlier one
    struct Replaced {
        const OperationMemo* memo;
        OperationNumber by;  // no later operation refers to it
    };
    std::deque<Replaced> replaced_;
    std::size_t memos_ = 0;
    std::size_t bytes_ = 0;
    std::uint64_t evictions_ = 0;
};

inline void MemoRing::move_to(Position position) {
    while (end_ <= position) {
        if (end_ - oldest_ > mask_) drop_oldest();
        Entry& place = places_[end_++ & mask_];
        place_pages_.reach(&place, sizeof place);
        place = {};
    }
}

}  // namespace refrain::trace
