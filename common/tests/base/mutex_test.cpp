#include "base/mutex.hpp"

#include "base/stepped_atomic.hpp"
#include "interleaving/interleaving.hpp"

#include <gtest/gtest.h>
#include <memory>

namespace refrain::base::mutex_test {
namespace {

constexpr auto relaxed = std::memory_order_relaxed;

/// Two threads that each add one by load and store, with or without holding the lock.
interleaving::Report explore_increments(bool locked) {
    SteppedAtomic<int> value{0};
    SteppedMutex mutex;
    const auto increment = [&] { value.store(value.load(relaxed) + 1, relaxed); };
    const interleaving::Body body = [&, locked] {
        if (!locked) return increment();
        const LockGuard lock(mutex);
        increment();
    };
    return interleaving::explore_all(
        [&] {
            value.store(0, relaxed);
            return interleaving::Bodies{body, body};
        },
        [&] { return value.load(relaxed) == 2; });
}

TEST(Mutex, excludes_all_other_threads_in_every_interleaving) {
    const interleaving::Report report = explore_increments(true);
    EXPECT_TRUE(report.passed()) << report;
    EXPECT_TRUE(report.exhaustive);
    EXPECT_FALSE(explore_increments(false).passed());
}

TEST(Mutex, a_deadlock_from_opposite_lock_orders_is_found) {
    const interleaving::Report report = interleaving::explore_all(
        [] {
            struct Locks {
                SteppedMutex a;
                SteppedMutex b;
            };
            auto locks = std::make_shared<Locks>();
            const auto nested = [locks](SteppedMutex& outer, SteppedMutex& inner) {
                return [locks, &outer, &inner] {
                    const LockGuard first(outer);
                    const LockGuard second(inner);
                };
            };
            return interleaving::Bodies{nested(locks->a, locks->b), nested(locks->b, locks->a)};
        },
        [] { return true; });
    EXPECT_NE(report.failure.find("every thread that has not finished is parked"),
              std::string::npos)
        << report;
}

}  // namespace
}  // namespace refrain::base::mutex_test
