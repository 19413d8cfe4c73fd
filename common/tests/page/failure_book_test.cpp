#include "page/failure_book.hpp"

#include <gtest/gtest.h>

namespace refrain::page::failure_book_test {
namespace {

FailedLaunch launch_that_threw(std::uint64_t operation) {
    return {.site = 3,
            .operation = operation,
            .points = 8,
            .threw = 2,
            .first_point = 5,
            .message = "no luck",
            .skipped = {}};
}

TEST(FailureBook, adds_up_what_each_failure_kept_from_running) {
    FailureBook book;
    book.threw(launch_that_threw(10));
    book.skipped(10, 4, 2);
    book.skipped(10, 5, 1);
    book.skipped(10, 4, 6);
    book.skipped(99, 4, 1);  // of a launch without a record
    ASSERT_EQ(book.launches().size(), 1U);
    const FailedLaunch& launch = book.launches()[0];
    ASSERT_EQ(launch.skipped.size(), 2U);
    EXPECT_EQ(launch.skipped[0].site, 4U);
    EXPECT_EQ(launch.skipped[0].tasks, 8U);
    EXPECT_EQ(launch.skipped_tasks(), 9U);
    EXPECT_EQ(book.skipped_tasks(), 10U);
    EXPECT_EQ(book.threw_tasks(), 2U);
}

TEST(FailureBook, counts_launches_beyond_its_bound) {
    FailureBook book;
    for (std::uint64_t i = 1; i <= FailureBook::launches_max + 7; ++i)
        book.threw(launch_that_threw(i));
    EXPECT_EQ(book.launches().size(), FailureBook::launches_max);
    EXPECT_EQ(book.other_launches(), 7U);
    EXPECT_EQ(book.threw_tasks(), 2 * (FailureBook::launches_max + 7));
}

}  // namespace
}  // namespace refrain::page::failure_book_test
