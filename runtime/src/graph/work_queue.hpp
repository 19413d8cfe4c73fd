#pragma once

#include "base/atomic.hpp"
#include "graph/finish.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace refrain::graph {

/// A work-stealing deque of ready points: the owner uses one end, thieves the other.
///   push, pop                      owner only    newest first: warm in the owner's cache
///   push_several                   owner only    thieves see all of them at once, and the line of
///                                                bottom crosses once
///   steal                          any thread    oldest first: likely to lead to the most work
///   steal_several                  any thread    of a queue that nobody pops from: I4
///   looks_empty, size, bottom      any thread    hints
///   is_empty_ordered               any thread
///
/// I1  Slots [top, bottom) hold items; only the owner moves bottom, and top only grows.
/// I2  The item at top belongs to whoever moves top past it; the owner competes for it only when it
///     is the last one.
/// I3  A full buffer is replaced by one of twice the size with the same items at the same indices.
///     Old buffers stay readable until the queue is destroyed, for thieves that still read them.
/// I4  Where nobody pops, bottom only grows as well: the items [top, top + n) below a bottom once read
///     stay where they are until top moves. So one move of top by n takes n items. An owner that pops
///     would take the last of them without a look at top (I2).
///
/// Pairs: a push's store of bottom (seq_cst) with steal's load: the item, and everything the owner
///     did before. steal's move of top (seq_cst) with push's load (acquire): slots below top have
///     been read; a stale top is only more cautious.
/// Order: pop stores bottom, then loads top; steal loads top, then bottom. All four are seq_cst, so
///     at the last item at least one of owner and thief sees the other's move.
/// Source: Chase and Lev, "Dynamic circular work-stealing deque", SPAA 2005; orders after Lê et
///     al., PPoPP 2013.
class WorkQueue {
  public:
    explicit WorkQueue(std::size_t capacity = 1024);
    ~WorkQueue();
    WorkQueue(const WorkQueue&) = delete;
    WorkQueue& operator=(const WorkQueue&) = delete;
    WorkQueue(WorkQueue&&) = delete;
    WorkQueue& operator=(WorkQueue&&) = delete;

    void push(ReadyPoints item);
    /// The first is the oldest. If it throws, it has pushed none.
    void push_several(std::span<const ReadyPoints> items);
    [[nodiscard]] ReadyPoints pop();
    [[nodiscard]] ReadyPoints steal();
    /// Takes up to `into.size()` of the oldest items. Returns how many; none if others were faster.
    [[nodiscard]] std::size_t steal_several(std::span<ReadyPoints> into);
    [[nodiscard]] bool looks_empty() const {
        return bottom_.load(std::memory_order_relaxed) <= top_.load(std::memory_order_relaxed);
    }
    [[nodiscard]] std::size_t size() const {
        const std::int64_t items =
            bottom_.load(std::memory_order_relaxed) - top_.load(std::memory_order_relaxed);
        return items < 0 ? 0 : static_cast<std::size_t>(items);
    }
    /// Whether anything was pushed shows in it; a hint.
    [[nodiscard]] std::int64_t bottom() const { return bottom_.load(std::memory_order_relaxed); }
    /// Ordered after the caller's earlier seq_cst steps: for a worker that has announced that it
    /// sleeps.
    [[nodiscard]] bool is_empty_ordered() const {
        return bottom_.load(std::memory_order_seq_cst) <= top_.load(std::memory_order_seq_cst);
    }

  private:
    struct Buffer {
        explicit Buffer(std::size_t capacity)
            : mask(static_cast<std::int64_t>(capacity) - 1),
              slots(std::make_unique<base::Atomic<std::uint64_t>[]>(capacity)) {}
        [[nodiscard]] base::Atomic<std::uint64_t>& at(std::int64_t index) {
            return slots[index & mask];
        }
        std::int64_t mask;
        std::unique_ptr<base::Atomic<std::uint64_t>[]> slots;
    };
    [[nodiscard]] Buffer* buffer_for(std::int64_t bottom, std::int64_t items);
    Buffer* grow(Buffer* full, std::int64_t top, std::int64_t bottom);

    alignas(64) base::Atomic<std::int64_t> top_{0};     // thieves write
    alignas(64) base::Atomic<std::int64_t> bottom_{0};  // the owner writes
    base::Atomic<Buffer*> buffer_;
    std::int64_t top_seen_ = 0;  // owner only: reloaded only when the buffer seems full
    std::vector<std::unique_ptr<Buffer>> buffers_;  // all of them (I3); the last is current
};

/// The buffer, with room for `items` more.
inline WorkQueue::Buffer* WorkQueue::buffer_for(std::int64_t bottom, std::int64_t items) {
    Buffer* buffer = buffer_.load(std::memory_order_relaxed);  // own variable
    const auto is_full = [&] { return bottom + items - top_seen_ > buffer->mask + 1; };
    if (is_full()) [[unlikely]] {
        top_seen_ = top_.load(std::memory_order_acquire);
        while (is_full()) buffer = grow(buffer, top_seen_, bottom);
    }
    return buffer;
}

inline void WorkQueue::push(ReadyPoints item) {
    push_several(std::span(&item, 1));
}

inline void WorkQueue::push_several(std::span<const ReadyPoints> items) {
    const auto count = static_cast<std::int64_t>(items.size());
    std::int64_t bottom = bottom_.load(std::memory_order_relaxed);  // own variable
    Buffer* buffer = buffer_for(bottom, count);
    for (const ReadyPoints item : items)
        buffer->at(bottom++).store(item.word(), std::memory_order_relaxed);  // published by bottom
    bottom_.store(bottom, std::memory_order_seq_cst);  // also orders against Sleep's announcements
}

inline ReadyPoints WorkQueue::pop() {
    const std::int64_t bottom = bottom_.load(std::memory_order_relaxed) - 1;
    if (bottom < top_.load(std::memory_order_relaxed)) return {};  // empty; top only grows
    Buffer* buffer = buffer_.load(std::memory_order_relaxed);
    bottom_.store(bottom, std::memory_order_seq_cst);  // before the load of top
    std::int64_t top = top_.load(std::memory_order_seq_cst);
    ReadyPoints item;
    if (top <= bottom) item = ReadyPoints(buffer->at(bottom).load(std::memory_order_relaxed));
    if (top < bottom) return item;
    if (top == bottom && !top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst,
                                                       std::memory_order_relaxed))
        item = {};                                         // I2: a thief was faster
    bottom_.store(bottom + 1, std::memory_order_relaxed);  // empty again
    return item;
}

inline ReadyPoints WorkQueue::steal() {
    std::int64_t top = top_.load(std::memory_order_seq_cst);
    const std::int64_t bottom = bottom_.load(std::memory_order_seq_cst);
    if (top >= bottom) return {};
    Buffer* buffer = buffer_.load(std::memory_order_acquire);
    const ReadyPoints item(buffer->at(top).load(std::memory_order_relaxed));
    if (!top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst,
                                      std::memory_order_relaxed))
        return {};  // I2
    return item;
}

inline std::size_t WorkQueue::steal_several(std::span<ReadyPoints> into) {
    std::int64_t top = top_.load(std::memory_order_seq_cst);
    const std::int64_t bottom = bottom_.load(std::memory_order_seq_cst);
    const std::int64_t items = std::min(bottom - top, static_cast<std::int64_t>(into.size()));
    if (items <= 0) return 0;
    Buffer* buffer = buffer_.load(std::memory_order_acquire);
    for (std::int64_t i = 0; i < items; ++i)
        into[static_cast<std::size_t>(i)] =
            ReadyPoints(buffer->at(top + i).load(std::memory_order_relaxed));
    if (!top_.compare_exchange_strong(top, top + items, std::memory_order_seq_cst,
                                      std::memory_order_relaxed))
        return 0;                            // I2
    return static_cast<std::size_t>(items);  // I4
}

}  // namespace refrain::graph
