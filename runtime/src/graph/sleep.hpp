#pragma once

#include "base/atomic.hpp"

#include <cstdint>

namespace refrain::graph {

/// Where workers rest that find nothing to do, and how they are woken.
///   rest           workers       sleeps until somebody wakes it, unless there is work after all
///   wake_one       any thread    after publishing work: wakes a sleeper if there is one
///   wake_all       any thread
///   someone_rests  any thread    a hint
///
///     worker    announced_ + 1    then looks for work    then sleeps until there is a token
///     waker     publishes work    then looks at announced_    announced_ - 1, tokens_ + 1
///
/// I1  A worker announces itself before it looks for work a last time; a waker publishes work
///     before it looks for announcements. So one of them sees the other: no work waits while
///     everybody sleeps.
/// I2  An announcement ends in exactly one way: its worker takes it back, or a waker claims it and
///     leaves one token. So wakers stop paying as soon as every sleeper is on its way.
/// Order: work is stored, and announced_ changed and loaded, with seq_cst; has_work must load what
///     tells of work with seq_cst, too.
/// Pairs: the waker's addition to tokens_ (seq_cst, which also orders it before the system's look
///     for sleepers) with the sleeper's exchange (acquire).
class Sleep {
  public:
    /// Returns whether it slept.
    template <class HasWork>
    bool rest(HasWork&& has_work) {
        announced_.fetch_add(1, std::memory_order_seq_cst);  // I1
        if (has_work() && take_announcement()) return false;
        take_token();
        return true;
    }
    void wake_one() {
        if (announced_.load(std::memory_order_seq_cst) != 0) [[unlikely]]  // I1
            wake();
    }
    void wake_all() {
        while (wake()) {
        }
    }
    /// A hint.
    [[nodiscard]] bool someone_rests() const {
        return announced_.load(std::memory_order_relaxed) != 0;
    }

  private:
    bool wake();
    bool take_announcement();
    void take_token();

    alignas(64) base::Atomic<std::uint32_t> announced_{0};  // read at every publication of work
    alignas(64) base::Atomic<std::uint32_t> tokens_{0};
};

}  // namespace refrain::graph
