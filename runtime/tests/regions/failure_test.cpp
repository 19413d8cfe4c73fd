#include "regions/failure.hpp"

#include "refrain/detail/sanitizers.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <new>
#include <stdexcept>
#include <vector>

#include "allocations/allocations.hpp"

namespace refrain::regions::failure_test {
namespace {

Failure* thrown(std::uint64_t operation, const char* message) {
    try {
        throw std::runtime_error(message);
    } catch (...) {
        return make_failure(graph::OperationNumber::at(operation), 0, LaunchSite{});
    }
}

TEST(Failure, keeps_the_message_and_the_exception) {
    const std::unique_ptr<Failure> failure(thrown(7, "division by zero"));
    EXPECT_EQ(failure->operation, graph::OperationNumber{7});
    EXPECT_EQ(failure->error().original_message(), "division by zero");
    EXPECT_THROW(std::rethrow_exception(failure->cause), std::runtime_error);
    EXPECT_THROW(failure->report(), TaskError);
    EXPECT_TRUE(failure->is_reported);
}

TEST(Failure, may_come_from_anything_that_is_thrown) {
    try {
        throw 7;
    } catch (...) {
        const std::unique_ptr<Failure> failure(make_failure(1, 0, LaunchSite{}));
        EXPECT_EQ(failure->message, "an exception that is no std::exception");
    }
}

/// What a worker makes of a task that failed for want of memory.
TEST(Failure, needs_no_memory) {
#if defined(REFRAIN_THREAD_SANITIZER)
    GTEST_SKIP() << "no allocation can be made to fail under the thread sanitizer";
#endif
    for (int round = 0; round < 2; ++round) {
        std::vector<std::unique_ptr<Failure>> failures(Failure::reserve_max);
        for (std::unique_ptr<Failure>& failure : failures) {
            try {
                throw std::runtime_error("a message that is too long for a string of its own");
            } catch (...) {
                const testing::FailingAllocation failing(1, testing::FailingAllocation::Until::end);
                failure.reset(make_failure(1, 2, LaunchSite{}));
                ASSERT_TRUE(failing.has_failed());
            }
        }
        EXPECT_EQ(failures.back()->message, "out of memory");
        EXPECT_EQ(failures.back()->point, 2U);
        EXPECT_THROW(std::rethrow_exception(failures.front()->cause), std::bad_alloc);
    }
}

TEST(SecondaryFailures, are_only_counted_without_memory) {
#if defined(REFRAIN_THREAD_SANITIZER)
    GTEST_SKIP() << "no allocation can be made to fail under the thread sanitizer";
#endif
    SecondaryFailures failures;
    Failure* const failure = thrown(1, "broken");
    {
        const testing::FailingAllocation failing(1, testing::FailingAllocation::Until::end);
        failures.add(failure);
        ASSERT_TRUE(failing.has_failed());
    }
    EXPECT_TRUE(failures.take().empty());
    EXPECT_EQ(failures.take_not_kept(), 1U);
}

TEST(FailureLog, the_oldest_unreported_failure_is_told_of_and_all_count_as_reported) {
    FailureLog log;
    EXPECT_EQ(log.take_unreported(), nullptr);
    for (std::uint64_t number = 1; number <= 3; ++number) log.add(thrown(number, "broken"));
    EXPECT_EQ(log.unreported(), 3U);
    const Failure* first = log.take_unreported();
    ASSERT_NE(first, nullptr);
    EXPECT_EQ(first->operation, graph::OperationNumber{1});
    EXPECT_EQ(log.unreported(), 0U);
    EXPECT_EQ(log.take_unreported(), nullptr);
}

TEST(FailureLog, failures_beyond_the_limit_are_counted_and_not_kept) {
    FailureLog log;
    const std::uint64_t count = FailureLog::unreported_max + 10;
    for (std::uint64_t number = 1; number <= count; ++number) log.add(thrown(number, "broken"));
    EXPECT_EQ(log.unreported(), count);
}

TEST(FailureLog, a_failure_is_purged_when_it_was_reported_and_nothing_refers_to_it) {
    constexpr std::uint32_t window = 8;
    const auto alive = std::make_shared<int>(0);
    FailureLog log;
    try {
        throw alive;
    } catch (...) {
        log.add(make_failure(1, 0, LaunchSite{}));
    }
    const auto is_kept = [&] { return alive.use_count() > 1; };
    log.purge(1000, window);
    EXPECT_TRUE(is_kept()) << "not reported";
    auto* failure = const_cast<Failure*>(log.take_unreported());
    failure->references = 1;
    log.purge(1000, window);
    EXPECT_TRUE(is_kept()) << "a region or a future remembers it";
    failure->references = 0;
    FailureLog::note_use(*failure, 20);
    log.purge(graph::OperationNumber{20} + window, window);
    EXPECT_TRUE(is_kept()) << "operation 20 suffered from it";
    log.purge(graph::OperationNumber{20} + window + 1, window);
    EXPECT_FALSE(is_kept());
}

}  // namespace
}  // namespace refrain::regions::failure_test
