/// When a row begins, and which record each of its launches has.
#include "runtime/launch_row.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace refrain::runtime::launch_row_test {
namespace {

using Number = graph::OperationNumber;

/// A loop whose launches pass one after the other.
class Loop {
  public:
    Loop(std::uint64_t length, std::uint32_t links_max)
        : length_(length), records_count_(length * KeptRecords::count_for(length)) {
        records_.links_max = links_max;
        operations_.resize(records_count_);
    }

    LaunchRow row;

    [[nodiscard]] std::uint64_t records() const { return records_count_; }
    [[nodiscard]] const Operation* operation_of(std::uint64_t launch) const {
        return &operations_[launch % records_count_];
    }
    void launch(bool has_repeated = true) {
        records_.has_repeated = has_repeated;
        Operation& operation = operations_[launched_ % records_count_];
        ++launched_;
        row.passed({.operation = &operation, .records = &records_}, Number::at(launched_), length_);
    }
    [[nodiscard]] bool may_open() const { return row.may_open(Number::at(launched_)); }
    /// Launches until a row may begin.
    std::uint64_t launches_until_row() {
        std::uint64_t count = 0;
        for (; !may_open(); ++count) launch();
        return count;
    }

  private:
    std::uint64_t length_;
    std::uint64_t records_count_;
    std::vector<Operation> operations_;
    LaunchRecords records_{};
    std::uint64_t launched_ = 0;
};

TEST(LaunchRow, may_begin_once_as_many_have_repeated_as_use_records_and_as_links_span) {
    for (const std::uint64_t length : {1U, 2U, 5U, 30U, 64U, 100U})
        for (const std::uint32_t links : {0U, 1U, 40U, 1024U}) {
            Loop loop(length, links);
            EXPECT_FALSE(loop.may_open());
            for (int i = 0; i < 10; ++i) loop.launch(false);
            EXPECT_EQ(loop.launches_until_row(), loop.records() + links) << length;
        }
}

TEST(LaunchRow, counts_anew_after_an_interruption_and_a_launch_that_repeats_nothing) {
    Loop loop(3, 5);
    const std::uint64_t first = loop.launches_until_row();
    loop.row.interrupt(Number::at(first + 1));
    EXPECT_EQ(loop.launches_until_row(), loop.records() + 5);
    loop.launch(false);
    EXPECT_EQ(loop.launches_until_row(), loop.records() + 5);
}

TEST(LaunchRow, more_records_than_any_loop_keeps_have_no_row) {
    LaunchRecords records{};
    records.has_repeated = true;
    LaunchRow row;
    Operation operation;
    for (int number = 1; number < 10'000; ++number) {
        row.passed({.operation = &operation, .records = &records}, Number(number),
                   LaunchRow::places_max);
        ASSERT_FALSE(row.may_open(Number(number)));
    }
    EXPECT_EQ(row.bytes(), 0U);
}

TEST(LaunchRow, uses_the_records_in_the_order_of_the_launches_before) {
    Loop loop(2, 1);
    std::uint64_t launched = loop.launches_until_row();
    loop.row.open(Number::at(launched + 1));
    ASSERT_TRUE(loop.row.is_open());
    for (int i = 0; i < 500; ++i, ++launched) {
        ASSERT_EQ(loop.row.next().operation, loop.operation_of(launched));
        loop.row.advance();
        for (const std::uint64_t ago : {1U, 2U, 70U, 71U, 300U})
            ASSERT_EQ(loop.row.before(ago).operation,
                      loop.operation_of(launched + 1 + 10 * loop.records() - ago));
    }
    EXPECT_EQ(loop.row.first(), Number::at(launched + 1 - 500));
    loop.row.interrupt(Number::at(launched + 1));
    EXPECT_FALSE(loop.row.is_open());
}

/// LaunchRow, R5.
TEST(LaunchRow, has_more_records_than_launches_that_have_not_retired) {
    constexpr std::uint64_t retire_interval = 32;
    for (std::uint64_t length = 1; length < 1000; ++length)
        ASSERT_GT(length * KeptRecords::count_for(length),
                  graph::Lanes::reach - 1 + retire_interval)
            << length;
}

}  // namespace
}  // namespace refrain::runtime::launch_row_test
