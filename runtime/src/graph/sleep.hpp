#pragma once

#include "base/atomic.hpp"

#include <cstdint>

namespace refrain::graph {

/// Puts idle workers to sleep and wakes no more of them than there is work for.
///   begin_search, end_search    workers       around a search for work in all queues
///   pause_search, resume_search workers       around a time in which a searching worker rests
///   sleep_unless                workers       while searching: sleeps until woken, unless
///                                             has_work() is true; searches on afterwards
///   wake_for                    any thread    after publishing work: wakes a sleeper if there is
///                                             more work than workers that search
///   wake_all                    any thread    wakes every sleeper
///   idle                        any thread    a hint
///   has_sleepers, lacks_searchers  any thread hints, except inside a launch (publishing_right.hpp)
///
///     worker    searching_ -= 1   announced_ += 1   calls has_work()    waits for a token
///     waker     publishes work    loads announced_ and searching_       announced_ -= 1,
///                                                                       searching_ += 1, tokens_ += 1
///     finder    takes an item     searching_ -= 1   loads announced_ if it was the last
///
/// I1  A worker stops searching, then announces itself, before its last check for work. A waker
///     publishes work before it checks for announcements and searchers. So a waker that wakes nobody
///     has seen no announcement, and every worker checks once more; or it has seen a searcher.
/// I2  A searcher that stops because it has found work wakes a sleeper if it was the last. So as long
///     as a worker sleeps and another has left its search with work, either somebody searches or
///     somebody checks once more (I1): no work is left while all sleep.
/// I3  An announcement ends in exactly one of two ways: its worker withdraws it, or a waker claims
///     it, counts the worker as searching, and adds one token. So a waker does nothing once enough
///     sleepers are being woken.
/// I4  A rest is bounded, and the worker searches after it: work waits for it, but is not left.
/// Order: stores of work, changes and loads of announced_ and searching_, and the loads in has_work
///     are seq_cst; I1 and I2 need one total order of them.
/// Pairs: the waker's addition to tokens_ (seq_cst, so that it precedes the system's check for
///     waiters in notify_one) with the sleeper's exchange (acquire).
/// Source: the spinning threads of Go's scheduler ("Worker thread parking/unparking", proc.go).
class Sleep {
  public:
    void begin_search() { searching_.fetch_add(1U, std::memory_order_seq_cst); }
    /// The worker has found work.
    void end_search() {
        if (searching_.fetch_sub(1U, std::memory_order_seq_cst) == 1 && has_sleepers())
            wake();  // I2
    }
    void pause_search() { searching_.fetch_sub(1U, std::memory_order_seq_cst); }  // I4
    void resume_search() { begin_search(); }

    /// Returns whether it slept.
    template <class HasWork>
    bool sleep_unless(HasWork&& has_work) {
        searching_.fetch_sub(1U, std::memory_order_seq_cst);  // I1
        announced_.fetch_add(1U, std::memory_order_seq_cst);  // I1
        if (has_work() && claim_announcement()) {
            begin_search();
            return false;
        }
        wait_for_token();  // whoever added it has counted this worker as searching
        return true;
    }
    /// `items()` is the number of items of work, as far as the caller knows; called only if a worker
    /// sleeps.
    template <class Items>
    void wake_for(Items&& items) {
        if (announced_.load(std::memory_order_seq_cst) == 0) [[likely]]  // I1
            return;
        if (items() > searching_.load(std::memory_order_seq_cst)) wake();
    }
    void wake_all() {
        while (wake()) {
        }
    }
    /// Ordered after the caller's earlier fence or seq_cst step (publishing_right.hpp).
    [[nodiscard]] bool has_sleepers() const {
        return announced_.load(std::memory_order_seq_cst) != 0;
    }
    /// Whether a worker sleeps and none searches. Ordered as has_sleepers.
    [[nodiscard]] bool lacks_searchers() const {
        return has_sleepers() && searching_.load(std::memory_order_seq_cst) == 0;
    }

    /// Workers that search or sleep; a hint.
    [[nodiscard]] std::uint32_t idle() const {
        return announced_.load(std::memory_order_relaxed) +
               searching_.load(std::memory_order_relaxed);
    }

  private:
    bool wake();
    /// Takes one announcement back, or claims another worker's: they are interchangeable. False if
    /// there is none.
    bool claim_announcement();
    void wait_for_token();

    alignas(64) base::Atomic<std::uint32_t> announced_{0};  // read at every publication of work
    alignas(64) base::Atomic<std::uint32_t> searching_{0};  // changes often while work is scarce
    alignas(64) base::Atomic<std::uint32_t> tokens_{0};
};

}  // namespace refrain::graph
