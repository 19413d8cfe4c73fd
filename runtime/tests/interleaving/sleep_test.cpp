#include "graph/sleep.hpp"

#include "base/stepped_atomic.hpp"
#include "interleaving/schedules.hpp"

#include <gtest/gtest.h>
#include <utility>

namespace refrain::graph::sleep_test {
namespace {

using refrain::testing::Bodies;
using refrain::testing::Report;
using refrain::testing::require;
using refrain::testing::try_schedules;

constexpr auto seq_cst = std::memory_order_seq_cst;

/// A broken Sleep, which checks for work before it announces the worker.
class HastySleep {
  public:
    template <class HasWork>
    bool sleep_unless(HasWork&& has_work) {
        if (has_work()) return false;
        sleepers_.fetch_add(1U, seq_cst);
        const unsigned seen = wakes_.load(seq_cst);
        wakes_.wait(seen, seq_cst);
        sleepers_.fetch_sub(1U, seq_cst);
        return true;
    }
    void begin_search() {}
    void end_search() {}
    template <class Items>
    void wake_for(Items&&) {
        if (sleepers_.load(seq_cst) == 0) return;
        wakes_.fetch_add(1U, seq_cst);
        wakes_.notify_one();
    }

  private:
    base::SteppedAtomic<unsigned> sleepers_{0}, wakes_{0};
};

/// A broken Sleep, whose last searcher takes work without waking anybody.
class CarelessSleep : public Sleep {
  public:
    void end_search() { pause_search(); }
};

/// Producers publish pieces of work; workers take pieces, search when there are none, and then
/// sleep. Each worker ends after a fixed number of pieces, so the end of the run wakes no worker.
template <class SleepKind>
class Shift {
  public:
    Shift(unsigned workers, unsigned pieces_each, unsigned producers)
        : workers_(workers), pieces_each_(pieces_each), producers_(producers) {}

    Bodies start() {
        sleep_ = std::make_unique<SleepKind>();
        pieces_.store(0, seq_cst);
        Bodies bodies;
        for (unsigned i = 0; i < producers_; ++i) bodies.emplace_back([this] { produce(); });
        for (unsigned i = 0; i < workers_; ++i) bodies.emplace_back([this] { work(); });
        return bodies;
    }
    [[nodiscard]] bool all_done() const { return pieces_.load(seq_cst) == 0; }

  private:
    void produce() {
        for (unsigned i = 0; i < workers_ * pieces_each_ / producers_; ++i) {
            pieces_.fetch_add(1U, seq_cst);
            sleep_->wake_for([this] { return pieces_.load(seq_cst); });
        }
    }
    void work() {
        bool searches = false;
        for (unsigned done = 0; done < pieces_each_;) {
            if (take()) {
                if (std::exchange(searches, false)) sleep_->end_search();
                ++done;
            } else if (!std::exchange(searches, true)) {
                sleep_->begin_search();
            } else {
                sleep_->sleep_unless([this] { return pieces_.load(seq_cst) != 0; });
            }
        }
    }
    bool take() {
        unsigned pieces = pieces_.load(seq_cst);
        while (pieces != 0)
            if (pieces_.compare_exchange_weak(pieces, pieces - 1, seq_cst, seq_cst)) return true;
        return false;
    }

    unsigned workers_, pieces_each_, producers_;
    std::unique_ptr<SleepKind> sleep_;
    base::SteppedAtomic<unsigned> pieces_{0};
};

template <class SleepKind>
Report shift(std::uint64_t schedules, Shift<SleepKind> parties) {
    return try_schedules(
        schedules, [&] { return parties.start(); }, [&] { return parties.all_done(); });
}

TEST(SleepRace, no_work_is_left_while_all_workers_sleep) {
    const Report one = shift(4000, Shift<Sleep>(1, 3, 1));
    EXPECT_TRUE(one.passed()) << one;
    const Report two = shift(4000, Shift<Sleep>(2, 2, 1));
    EXPECT_TRUE(two.passed()) << two;
    const Report four = shift(2000, Shift<Sleep>(3, 2, 2));
    EXPECT_TRUE(four.passed()) << four;
}

TEST(SleepRace, every_schedule_of_one_worker_and_one_item_ends) {
    if (!refrain::testing::scheduled) GTEST_SKIP() << "needs the preset interleaving";
    Shift<Sleep> parties(1, 1, 1);
    const Report report = interleaving::explore_all([&] { return parties.start(); },
                                                    [&] { return parties.all_done(); });
    EXPECT_TRUE(report.passed()) << report;
    EXPECT_TRUE(report.exhaustive) << report;
}

TEST(SleepRace, the_schedules_find_a_worker_that_checks_for_work_before_it_announces) {
    Shift<HastySleep> parties(1, 1, 1);
    const Report report = interleaving::explore(
        {}, [&] { return parties.start(); }, [&] { return parties.all_done(); });
    EXPECT_NE(report.failure.find("a wake-up is missing"), std::string::npos) << report;
}

TEST(SleepRace, the_schedules_find_a_last_searcher_that_wakes_nobody) {
    if (!refrain::testing::scheduled) GTEST_SKIP() << "needs the preset interleaving";
    Shift<CarelessSleep> parties(2, 1, 1);
    const Report report = interleaving::explore(
        {}, [&] { return parties.start(); }, [&] { return parties.all_done(); });
    EXPECT_NE(report.failure.find("a wake-up is missing"), std::string::npos) << report;
}

TEST(SleepRace, wake_all_leaves_no_worker_asleep) {
    std::unique_ptr<Sleep> sleep;
    base::SteppedAtomic<unsigned> over{0};
    const auto worker = [&] {
        sleep->begin_search();
        while (over.load(seq_cst) == 0)
            sleep->sleep_unless([&] { return over.load(seq_cst) != 0; });
        sleep->end_search();
    };
    const Report report = try_schedules(
        2000,
        [&] {
            sleep = std::make_unique<Sleep>();
            over.store(0, seq_cst);
            return Bodies{worker, worker, worker, [&] {
                              over.store(1, seq_cst);
                              sleep->wake_all();
                          }};
        },
        [&] { return !sleep->has_sleepers(); });
    EXPECT_TRUE(report.passed()) << report;
}

constexpr auto one_item = [] { return 1U; };

TEST(Sleep, a_waker_adds_one_token_per_sleeper) {
    Sleep sleep;
    sleep.wake_for(one_item);  // no sleeper: adds no token
    sleep.begin_search();
    unsigned looks = 0;
    EXPECT_FALSE(sleep.sleep_unless([&] { return ++looks == 1; }));
    EXPECT_EQ(looks, 1U);
    EXPECT_FALSE(sleep.has_sleepers());
    EXPECT_TRUE(sleep.sleep_unless([&] {
        EXPECT_TRUE(sleep.has_sleepers());
        sleep.wake_for(one_item);  // claims the announcement
        EXPECT_FALSE(sleep.has_sleepers());
        sleep.wake_for(one_item);  // no sleeper is left
        return false;
    }));
    EXPECT_FALSE(sleep.sleep_unless([] { return true; }));  // no token is left
}

TEST(Sleep, wakes_nobody_while_as_many_search_as_there_are_items) {
    Sleep sleep;
    sleep.begin_search();  // this worker
    sleep.begin_search();  // another one
    EXPECT_TRUE(sleep.sleep_unless([&] {
        EXPECT_FALSE(sleep.lacks_searchers());
        sleep.wake_for(one_item);
        EXPECT_TRUE(sleep.has_sleepers());
        sleep.wake_for([] { return 2U; });
        EXPECT_FALSE(sleep.has_sleepers());
        return false;
    }));
}

TEST(Sleep, the_last_searcher_that_finds_work_wakes_a_sleeper) {
    Sleep sleep;
    for (int worker = 0; worker < 3; ++worker) sleep.begin_search();
    EXPECT_TRUE(sleep.sleep_unless([&] {
        sleep.end_search();
        EXPECT_TRUE(sleep.has_sleepers());
        sleep.end_search();
        EXPECT_FALSE(sleep.has_sleepers());
        return false;
    }));
}

TEST(Sleep, a_worker_that_rests_does_not_count_as_searching) {
    Sleep sleep;
    sleep.begin_search();
    sleep.begin_search();
    EXPECT_TRUE(sleep.sleep_unless([&] {
        sleep.pause_search();
        EXPECT_TRUE(sleep.lacks_searchers());
        sleep.wake_for(one_item);
        EXPECT_FALSE(sleep.has_sleepers());
        return false;
    }));
}

}  // namespace
}  // namespace refrain::graph::sleep_test
