#include "interleaving/interleaving.hpp"

#include "base/atomic.hpp"
#include "base/stepped_atomic.hpp"

#include <gtest/gtest.h>
#include <sstream>
#include <stdexcept>

namespace refrain::interleaving::interleaving_test {
namespace {

using base::Atomic;
using base::Scheduler;
using base::SteppedAtomic;

constexpr auto relaxed = std::memory_order_relaxed;

/// Two threads that each add one `rounds` times, correctly or by load and store.
class Counter {
  public:
    explicit Counter(int rounds) : rounds_(rounds) {}

    Bodies correct() {
        value_.store(0, relaxed);
        const Body add = [this] {
            for (int i = 0; i < rounds_; ++i) value_.fetch_add(1, relaxed);
        };
        return {add, add};
    }
    Bodies lossy() {
        value_.store(0, relaxed);
        const Body add = [this] {
            for (int i = 0; i < rounds_; ++i) value_.store(value_.load(relaxed) + 1, relaxed);
        };
        return {add, add};
    }
    bool complete() { return value_.load(relaxed) == 2 * rounds_; }

  private:
    int rounds_;
    SteppedAtomic<int> value_{0};
};

TEST(Interleaving, a_lost_update_is_found_and_its_seed_reproduces_it) {
    Counter counter(3);
    const auto lossy = [&] { return counter.lossy(); };
    const auto complete = [&] { return counter.complete(); };
    const Report report = explore({.first = 0, .count = 200}, lossy, complete);
    ASSERT_FALSE(report.passed());
    ASSERT_TRUE(report.failing_seed.has_value());
    for (int again = 0; again < 5; ++again) {
        EXPECT_FALSE(explore({*report.failing_seed, 1}, lossy, complete).passed());
    }
    std::ostringstream text;
    text << report;
    EXPECT_NE(text.str().find("seed " + std::to_string(*report.failing_seed)), std::string::npos);
}

TEST(Interleaving, a_correct_counter_passes_under_every_seed) {
    Counter counter(3);
    const Report report = explore(
        {.first = 0, .count = 300}, [&] { return counter.correct(); },
        [&] { return counter.complete(); });
    EXPECT_TRUE(report.passed()) << report;
    EXPECT_EQ(report.runs, 300U);
    EXPECT_EQ(report.steps, 300U * 6U);
}

TEST(Interleaving, a_correct_counter_is_proven_by_running_every_interleaving) {
    Counter counter(4);
    const Report report =
        explore_all([&] { return counter.correct(); }, [&] { return counter.complete(); });
    EXPECT_TRUE(report.passed()) << report;
    EXPECT_TRUE(report.exhaustive);
    // Each thread has 4 steps and so 5 pieces of code, since a choice precedes the first piece too.
    // An interleaving is an order of the 10 pieces that keeps those of each thread in order:
    // 10! / (5! 5!).
    EXPECT_EQ(report.runs, 252U);
}

TEST(Interleaving, the_exhaustive_search_finds_a_lost_update_and_reports_its_choices) {
    Counter counter(1);
    const Report report =
        explore_all([&] { return counter.lossy(); }, [&] { return counter.complete(); });
    EXPECT_FALSE(report.passed());
    EXPECT_FALSE(report.exhaustive);
    EXPECT_FALSE(report.failing_schedule.empty());
}

TEST(Interleaving, one_seed_gives_one_schedule) {
    const auto trace = [](std::uint64_t seed) {
        std::vector<int> order;
        SteppedAtomic<int> dummy{0};
        const auto body = [&](int name) {
            return [&order, &dummy, name] {
                for (int i = 0; i < 20; ++i) {
                    dummy.store(i, relaxed);
                    order.push_back(name);
                }
            };
        };
        run(seed, {body(0), body(1), body(2)});
        return order;
    };
    int different = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        EXPECT_EQ(trace(seed), trace(seed));
        different += trace(seed) != trace(seed + 1) ? 1 : 0;
    }
    EXPECT_GE(different, 18);
}

TEST(Interleaving, an_exception_in_a_body_ends_the_run_and_is_rethrown) {
    SteppedAtomic<int> flag{0};
    const Body thrower = [] { throw std::invalid_argument("broken"); };
    const Body spinner = [&] {
        while (flag.load(relaxed) == 0) {
        }
    };
    EXPECT_THROW(run(1, {thrower, spinner, spinner}), std::invalid_argument);
    const Report report = explore(
        {},
        [&] {
            return Bodies{spinner, thrower};
        },
        [] { return true; });
    EXPECT_EQ(report.runs, 1U);
    EXPECT_NE(report.failure.find("broken"), std::string::npos) << report;
}

TEST(Interleaving, threads_that_wait_for_each_other_in_a_loop_are_reported) {
    SteppedAtomic<int> a{0};
    SteppedAtomic<int> b{0};
    const auto wait_then_set = [](SteppedAtomic<int>& awaited, SteppedAtomic<int>& set) {
        return [&awaited, &set] {
            while (awaited.load(relaxed) == 0) {
            }
            set.store(1, relaxed);
        };
    };
    const Report report = explore(
        {},
        [&] {
            return Bodies{wait_then_set(a, b), wait_then_set(b, a)};
        },
        [] { return true; }, 500);
    EXPECT_NE(report.failure.find("no end after 500 steps"), std::string::npos) << report;
}

/// A sleeper that waits for a flag, and a waker that sets it and, if `wakes`, notifies.
Report explore_sleep(bool wakes) {
    SteppedAtomic<int> flag{0};
    return explore_all(
        [&] {
            flag.store(0, relaxed);
            const Body sleeper = [&] { flag.wait(0, relaxed); };
            const Body waker = [&, wakes] {
                flag.store(1, relaxed);
                if (wakes) flag.notify_all();
            };
            return Bodies{sleeper, waker};
        },
        [&] { return flag.load(relaxed) == 1; });
}

TEST(Interleaving, a_missing_wake_up_is_found) {
    const Report report = explore_sleep(false);
    EXPECT_NE(report.failure.find("a wake-up is missing"), std::string::npos) << report;
}

TEST(Interleaving, a_sleeper_that_is_woken_passes_in_every_interleaving) {
    const Report report = explore_sleep(true);
    EXPECT_TRUE(report.passed()) << report;
    EXPECT_TRUE(report.exhaustive);
}

TEST(Interleaving, a_weak_compare_exchange_sometimes_fails_spuriously) {
    int failures = 0;
    explore(
        {.first = 0, .count = 100},
        [&] {
            return Bodies{[&] {
                SteppedAtomic<int> value{1};
                int expected = 1;
                if (!value.compare_exchange_weak(expected, 2, relaxed)) {
                    EXPECT_EQ(expected, 1);
                    EXPECT_EQ(value.load(relaxed), 1);
                    ++failures;
                }
            }};
        },
        [] { return true; });
    EXPECT_GT(failures, 0);
    EXPECT_LT(failures, 50);
}

TEST(Interleaving, threads_of_a_failed_run_are_unwound_with_its_seed_and_reason) {
    SteppedAtomic<int> flag{0};
    SteppedAtomic<int> spinning{0};
    std::string seen;
    const Body thrower = [&] {
        while (spinning.load(relaxed) == 0) {
        }
        throw std::invalid_argument("broken");
    };
    const Body spinner = [&] {
        try {
            spinning.store(1, relaxed);
            while (flag.load(relaxed) == 0) {
            }
        } catch (const std::exception& error) {
            seen = error.what();
            throw;
        }
    };
    EXPECT_THROW(run(7, {spinner, thrower}), std::invalid_argument);
    EXPECT_EQ(seen, "interleaving of seed 7 abandoned: broken");
}

TEST(Interleaving, outside_of_a_run_nothing_happens) {
    EXPECT_FALSE(Scheduler::is_set());
    Scheduler::step();
    Scheduler::unpark_one(nullptr);
    Scheduler::unpark_all(nullptr);
    EXPECT_FALSE(Scheduler::wants_spurious_failure());
    EXPECT_EQ(run(0, {}), 0U);
}

TEST(Atomic, has_the_operations_of_an_atomic_in_either_build) {
    constexpr auto order = std::memory_order_acq_rel;
    Atomic<unsigned> value{0b0110U};
    EXPECT_EQ(value.fetch_add(1U, order), 0b0110U);
    EXPECT_EQ(value.fetch_sub(1U, order), 0b0111U);
    EXPECT_EQ(value.fetch_or(0b1000U, order), 0b0110U);
    EXPECT_EQ(value.fetch_and(0b1100U, order), 0b1110U);
    EXPECT_EQ(value.exchange(5U, order), 0b1100U);
    unsigned expected = 4;
    EXPECT_FALSE(value.compare_exchange_strong(expected, 6U, order, std::memory_order_acquire));
    EXPECT_EQ(expected, 5U);
    EXPECT_TRUE(value.compare_exchange_strong(expected, 6U, order));
    while (!value.compare_exchange_weak(expected, 7U, order, std::memory_order_relaxed)) {
    }
    EXPECT_EQ(value.load(std::memory_order_acquire), 7U);
    value.wait(6U, std::memory_order_acquire);
    value.notify_one();
    int numbers[4] = {};
    Atomic<int*> cursor{numbers};
    cursor.fetch_add(2, std::memory_order_relaxed);
    EXPECT_EQ(cursor.load(std::memory_order_relaxed), numbers + 2);
}

}  // namespace
}  // namespace refrain::interleaving::interleaving_test
