#include "graph/work_queue.hpp"

#include "base/stepped_atomic.hpp"
#include "interleaving/schedules.hpp"

#include <array>
#include <gtest/gtest.h>

namespace refrain::graph::work_queue_test {
namespace {

using refrain::testing::Bodies;
using refrain::testing::Report;
using refrain::testing::require;
using refrain::testing::try_schedules;

/// A word that stands for the n-th item; it is never dereferenced.
ReadyPoints item(std::uint64_t n) {
    return ReadyPoints((n + 1) << 8);
}
std::uint64_t number(ReadyPoints ready) {
    return (ready.word() >> 8) - 1;
}

/// An owner that pushes `items` items, by one and by two in turns, and pops one after every
/// `pops_one_in` (0: never), and thieves that steal until all items are taken: the first three at a
/// time where nobody pops.
class Contest {
  public:
    enum class Thieves {
        careful,
        unsafe_steal_several,  // although the owner pops
    };
    Contest(std::uint64_t items, std::size_t thieves, std::size_t capacity, unsigned pops_one_in,
            Thieves kind = Thieves::careful)
        : items_(items),
          thieves_(thieves),
          capacity_(capacity),
          pops_one_in_(pops_one_in),
          kind_(kind) {}

    Bodies start() {
        queue_ = std::make_unique<WorkQueue>(capacity_);
        taken_ = std::vector<std::atomic<unsigned>>(items_);
        left_.store(items_, std::memory_order_relaxed);
        Bodies bodies{[this] { own(); }};
        for (std::size_t i = 0; i < thieves_; ++i)
            if (kind_ == Thieves::unsafe_steal_several || (pops_one_in_ == 0 && i == 0))
                bodies.emplace_back([this] { steal_several(); });
            else
                bodies.emplace_back([this] { steal(); });
        return bodies;
    }
    [[nodiscard]] bool each_was_taken_once() const {
        for (const auto& times : taken_)
            require(times.load(std::memory_order_relaxed) == 1, "each item is taken exactly once");
        return !queue_->pop() && queue_->looks_empty();
    }

  private:
    void take(ReadyPoints ready) {
        require(number(ready) < items_, "what comes out went in");
        require(taken_[number(ready)].fetch_add(1, std::memory_order_relaxed) == 0,
                "no item is taken twice");
        left_.fetch_sub(1, std::memory_order_relaxed);
    }
    void own() {
        for (std::uint64_t n = 0; n < items_; ++n) {
            if (n % 3 == 1 && n + 1 < items_)
                queue_->push_several(std::array{item(n), item(n + 1)});
            else if (n % 3 != 2)
                queue_->push(item(n));
            if (pops_one_in_ == 0 || n % pops_one_in_ != 0) continue;
            if (const ReadyPoints ready = queue_->pop()) take(ready);
        }
        if (pops_one_in_ == 0) return steal();  // as the launching thread
        while (const ReadyPoints ready = queue_->pop()) take(ready);
    }
    void steal() {
        while (left_.load(std::memory_order_relaxed) != 0) {
            if (const ReadyPoints ready = queue_->steal())
                take(ready);
            else
                refrain::testing::let_others_run();
        }
    }

    void steal_several() {
        std::array<ReadyPoints, 3> several;
        while (left_.load(std::memory_order_relaxed) != 0) {
            const std::size_t taken = queue_->steal_several(several);
            for (std::size_t i = 0; i < taken; ++i) take(several[i]);
            if (taken == 0) refrain::testing::let_others_run();
        }
    }

    std::uint64_t items_;
    std::size_t thieves_;
    std::size_t capacity_;
    unsigned pops_one_in_;
    Thieves kind_;
    std::unique_ptr<WorkQueue> queue_;
    std::vector<std::atomic<unsigned>> taken_;
    std::atomic<std::uint64_t> left_{0};
};

Report contest(std::uint64_t schedules, Contest parties) {
    return try_schedules(
        schedules, [&] { return parties.start(); }, [&] { return parties.each_was_taken_once(); });
}

TEST(WorkQueueRace, each_item_is_taken_exactly_once) {
    const Report report = contest(3000, Contest(6, 2, 8, 2));
    EXPECT_TRUE(report.passed()) << report;
}

TEST(WorkQueueRace, the_last_item_goes_to_either_owner_or_thief) {
    const Report report = contest(3000, Contest(3, 2, 2, 1));
    EXPECT_TRUE(report.passed()) << report;
}

TEST(WorkQueueRace, growing_during_steals_keeps_every_item) {
    const Report report = contest(2000, Contest(20, 2, 1, 5));
    EXPECT_TRUE(report.passed()) << report;
}

TEST(WorkQueueRace, many_items_pass_through_a_small_queue) {
    const std::uint64_t items = refrain::testing::scheduled ? 300 : 100'000;
    const Report report = contest(20, Contest(items, 3, 4, 3));
    EXPECT_TRUE(report.passed()) << report;
}

TEST(WorkQueueRace, several_at_a_time_are_taken_exactly_once_where_nobody_pops) {
    const Report report = contest(3000, Contest(6, 2, 2, 0));
    EXPECT_TRUE(report.passed()) << report;
}

TEST(WorkQueueRace, the_schedules_find_that_several_cannot_be_taken_from_an_owner_that_pops) {
    if (!refrain::testing::scheduled) GTEST_SKIP() << "needs the preset interleaving";
    const Report report =
        contest(3000, Contest(4, 1, 4, 10, Contest::Thieves::unsafe_steal_several));
    EXPECT_FALSE(report.passed());
}

/// A broken deque: thieves take the item without a compare-exchange.
class CarelessContest {
  public:
    Bodies start() {
        top_.store(0, std::memory_order_relaxed);
        bottom_.store(1, std::memory_order_relaxed);
        taken_.store(0, std::memory_order_relaxed);
        const auto thief = [this] {
            const std::int64_t top = top_.load(std::memory_order_relaxed);
            if (top >= bottom_.load(std::memory_order_relaxed)) return;
            top_.store(top + 1, std::memory_order_relaxed);
            taken_.fetch_add(1, std::memory_order_relaxed);
        };
        return {thief, thief};
    }
    [[nodiscard]] bool taken_once() const { return taken_.load(std::memory_order_relaxed) == 1; }

  private:
    base::SteppedAtomic<std::int64_t> top_{0}, bottom_{0};
    std::atomic<unsigned> taken_{0};
};

TEST(WorkQueueRace, the_schedules_find_a_thief_that_does_not_compete_for_the_item) {
    CarelessContest parties;
    const Report report = interleaving::explore(
        {}, [&] { return parties.start(); }, [&] { return parties.taken_once(); });
    EXPECT_FALSE(report.passed());
}

}  // namespace
}  // namespace refrain::graph::work_queue_test
