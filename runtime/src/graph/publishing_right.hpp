#pragma once

#include "base/asymmetric_fence.hpp"
#include "base/atomic.hpp"

#include <cstdint>

namespace refrain::graph {

/// Who may publish what launches have not published yet: the launching thread while it is inside a
/// launch, and otherwise, for a moment, a worker that has nothing to do.
///
///   enter, leave   launching thread   around everything that touches unpublished work
///   borrow         any worker         runs publish() unless the launching thread is inside
///
///     launching thread   inside_ = 1   light fence   borrowed_ = 0 ?      ...   inside_ = 0
///                                                    else wait until it is 0
///     worker             borrowed_ = 1 (CAS from 0)   heavy fence   inside_ = 0 ?
///                          yes: publish(), borrowed_ = 0        no: borrowed_ = 0, give up
///
/// I1  At most one thread is between enter and leave or inside publish(): by the fences the
///     launching thread sees borrowed_ or the worker sees inside_. A worker that sees inside_ gives
///     up at once, so the launching thread waits for one publish() at most, and nobody for ever.
/// I2  Let a worker announce that it sleeps (sleep.hpp) and then borrow. If borrow returns true,
///     nothing is unpublished, and every later enter() comes after the heavy fence: the launching
///     thread sees the announcement, and leaves nothing unpublished unless it also sees that another
///     worker searches. That one does the same before it sleeps, or wakes a sleeper when it finds
///     work and is the last (sleep.hpp, I2). If borrow returns false, the launching thread is inside
///     and may have missed the announcement: the worker must not sleep. So unpublished work is never
///     left while all workers sleep.
/// Pairs: leave (release) with the worker's load of inside_ (acquire), and the worker's store of
///     borrowed_ (release) with the launching thread's load (acquire): the unpublished work.
/// Requires base::has_asymmetric_fence(); without it, nothing may be left unpublished.
/// Cost:  two stores and a load of two lines that no other thread writes while workers are busy; a
///     system call for each worker that is about to sleep. Guarded by bench/overhead.
/// Source: biased locking; base/asymmetric_fence.hpp.
class PublishingRight {
  public:
    /// Holds the right from its construction to its end.
    class [[nodiscard]] Scope {
      public:
        explicit Scope(PublishingRight& right) : right_(right) { right_.enter(); }
        ~Scope() { right_.leave(); }
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;
        Scope(Scope&&) = delete;
        Scope& operator=(Scope&&) = delete;

      private:
        PublishingRight& right_;
    };

    void enter() {
        inside_.store(1, std::memory_order_relaxed);  // ordered by the fence
        base::light_fence();
        if (borrowed_.load(std::memory_order_acquire) != 0) [[unlikely]]
            wait_for_return();
    }
    void leave() { inside_.store(0, std::memory_order_release); }

    /// For assertions: some thread has the right.
    bool is_held() const {
        return inside_.load(std::memory_order_relaxed) != 0 ||
               borrowed_.load(std::memory_order_relaxed) != 0;
    }

    /// Returns false, without a call, if the launching thread or another worker has the right.
    template <class Publish>
    bool borrow(Publish&& publish) {
        // Relaxed: a hint, so that a launching thread that waits is not held up.
        if (inside_.load(std::memory_order_relaxed) != 0) return false;
        std::uint32_t free = 0;
        if (!borrowed_.compare_exchange_strong(free, 1, std::memory_order_seq_cst,
                                               std::memory_order_relaxed))
            return false;
        base::heavy_fence();
        const bool is_mine = inside_.load(std::memory_order_acquire) == 0;  // I1
        if (is_mine) publish();
        borrowed_.store(0, std::memory_order_release);
        return is_mine;
    }

  private:
    [[gnu::noinline, gnu::cold]] void wait_for_return() const {
        while (borrowed_.load(std::memory_order_acquire) != 0) {
        }
    }

    alignas(64) base::Atomic<std::uint32_t> inside_{0};    // the launching thread writes
    alignas(64) base::Atomic<std::uint32_t> borrowed_{0};  // workers write, rarely
};

}  // namespace refrain::graph
