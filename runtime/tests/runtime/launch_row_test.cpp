/// When a row begins, and which record each of its launches has.
#include "runtime/launch_row.hpp"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <vector>

#include "allocations/allocations.hpp"

namespace refrain::runtime::launch_row_test {
namespace {

using Number = graph::OperationNumber;

/// A loop whose launches pass one after the other.
class Loop {
  public:
    Loop(std::uint64_t length, std::uint32_t links_max)
        : length_(length),
          links_max_(links_max),
          records_count_(length * KeptRecords::count_for(length)),
          operations_(records_count_) {}

    LaunchRow row{true};

    [[nodiscard]] std::uint64_t records() const { return records_count_; }
    [[nodiscard]] const Operation* operation_of(std::uint64_t launch) const {
        return &operations_[launch % records_count_];
    }
    [[nodiscard]] Number newest() const { return Number::at(launched_); }
    void launch() { launch_on(region_); }
    void launch_on_other_region() { launch_on(other_region_); }
    /// It is not served by the memo of the loop.
    void launch_elsewhere() {
        ++launched_;
        row.interrupt(newest() + 1);
    }
    void launch_outside_of_lanes() {
        ++launched_;
        std::array<analysis::RegionHistory*, 1> regions{&region_};
        row.passed({}, {}, regions, newest(), length_);
    }
    [[nodiscard]] bool may_open(bool has_views = false) const {
        return row.may_open(newest(), has_views);
    }
    /// Launches until a row may begin.
    std::uint64_t launches_until_row() {
        std::uint64_t count = 0;
        for (; !may_open(); ++count) launch();
        return count;
    }

  private:
    void launch_on(analysis::RegionHistory& region) {
        Operation& operation = operations_[launched_ % records_count_];
        ++launched_;
        std::array<analysis::RegionHistory*, 1> regions{&region};
        row.passed({.memo = &memo_, .links_max = links_max_}, {.operation = &operation}, regions,
                   newest(), length_);
    }

    analysis::RegionHistory region_, other_region_;
    trace::OperationMemo memo_;
    std::uint64_t length_;
    std::uint32_t links_max_;
    std::uint64_t records_count_;
    std::vector<Operation> operations_;
    std::uint64_t launched_ = 0;
};

TEST(LaunchRow, may_begin_once_as_many_have_repeated_as_use_records_and_as_links_span) {
    for (const std::uint64_t length : {1U, 2U, 5U, 30U, 64U, 100U})
        for (const std::uint32_t links : {0U, 1U, 40U, 1024U}) {
            Loop loop(length, links);
            EXPECT_FALSE(loop.may_open());
            EXPECT_EQ(loop.launches_until_row(), loop.records() + links) << length;
        }
}

TEST(LaunchRow, may_begin_at_once_after_another) {
    Loop loop(3, 5);
    loop.launches_until_row();
    for (int i = 0; i < 10; ++i) {
        loop.row.open(loop.newest() + 1);
        loop.row.close(loop.newest() + 1);
        loop.launch();
        EXPECT_TRUE(loop.may_open());
    }
}

TEST(LaunchRow, has_no_launch_without_a_record_but_spans_it) {
    Loop loop(1, 5);
    loop.launches_until_row();
    loop.launch_outside_of_lanes();
    for (std::uint64_t i = 1; i < loop.records() - 1; ++i) {
        loop.launch();
        EXPECT_TRUE(loop.may_open());
    }
    loop.launch();
    EXPECT_FALSE(loop.may_open());  // before the one that was outside
    loop.launch();
    EXPECT_TRUE(loop.may_open());
}

/// A launch that has no place shifts the places of those that follow.
TEST(LaunchRow, counts_anew_behind_a_launch_that_has_no_place) {
    Loop loop(1, 0);
    loop.launches_until_row();
    loop.launch_elsewhere();
    for (std::uint64_t i = 0; i < loop.records(); ++i) {
        EXPECT_FALSE(loop.may_open()) << i;
        loop.launch_outside_of_lanes();
        // Retiring may interrupt with the number of the launch that is being issued.
        if (i == 0) loop.row.interrupt(loop.newest() - 1);
    }
    EXPECT_FALSE(loop.may_open()) << "the next has no record";
    EXPECT_EQ(loop.launches_until_row(), loop.records());
}

TEST(LaunchRow, is_idle_when_no_launch_has_had_a_record_for_long) {
    Loop loop(1, 5);
    EXPECT_TRUE(loop.row.is_idle(loop.newest()));
    loop.launch();
    for (std::uint64_t i = 0; i < loop.records(); ++i) {
        EXPECT_FALSE(loop.row.is_idle(loop.newest()));
        loop.launch_outside_of_lanes();
    }
    loop.launch_outside_of_lanes();
    EXPECT_TRUE(loop.row.is_idle(loop.newest()));
}

TEST(LaunchRow, waits_for_a_turn_of_all_records_while_the_host_holds_a_view) {
    Loop loop(3, 5);
    loop.launches_until_row();
    EXPECT_TRUE(loop.may_open(true));
    loop.row.note_view(loop.newest() + 1);
    for (std::uint64_t i = 0; i < loop.records(); ++i) {
        EXPECT_FALSE(loop.may_open(true));
        EXPECT_TRUE(loop.may_open(false));
        loop.launch();
    }
    EXPECT_TRUE(loop.may_open(true));
}

TEST(LaunchRow, counts_anew_after_an_interruption_and_links_after_a_launch_on_another_region) {
    Loop loop(3, 5);
    const std::uint64_t first = loop.launches_until_row();
    loop.row.interrupt(Number::at(first + 1));
    EXPECT_EQ(loop.launches_until_row(), loop.records() + 5);
    loop.launch_on_other_region();
    EXPECT_EQ(loop.launches_until_row(), 5U);
    // Where that launch stood, the region is another one again.
    for (std::uint64_t i = 5; i < loop.records(); ++i) loop.launch();
    EXPECT_EQ(loop.launches_until_row(), 5U);
}

TEST(LaunchRow, more_records_than_any_loop_keeps_have_no_row) {
    const trace::OperationMemo memo;
    for (const bool has_records : {false, true}) {
        LaunchRow row(has_records);
        for (int number = 1; number < 50'000; ++number) {
            row.passed({.memo = &memo}, {}, {}, Number(number), LaunchRow::places_max(has_records));
            ASSERT_FALSE(row.may_open(Number(number), false));
        }
        EXPECT_EQ(row.bytes(), 0U);
    }
}

TEST(LaunchRow, more_regions_than_any_loop_keeps_have_no_row) {
    const trace::OperationMemo memo;
    for (const bool is_few : {true, false}) {
        constexpr std::uint64_t length = 10;
        const std::size_t most =
            LaunchRow::regions_max / (6 * length);  // for a launch, in six turns
        std::vector<analysis::RegionHistory> all(most + 1);
        std::vector<analysis::RegionHistory*> used;
        for (analysis::RegionHistory& region : all) used.push_back(&region);
        LaunchRow row(false);
        bool may_open = false;
        for (std::uint64_t launch = 1; launch < 20 * length; ++launch) {
            const std::size_t regions = launch % length == 7 ? most + (is_few ? 0 : 1) : 1;
            row.passed({.memo = &memo}, {}, {used.data(), regions}, Number::at(launch), length);
            may_open = may_open || row.may_open(Number::at(launch), false);
        }
        EXPECT_EQ(may_open, is_few);
        EXPECT_EQ(row.bytes() == 0, !is_few);
        EXPECT_LE(row.bytes(), 2 * KeptRecords::bytes_max);
    }
}

/// Launches have two regions, none, five, one, in turns.
TEST(LaunchRow, has_the_regions_of_each_launch_however_many) {
    const trace::OperationMemo memo;
    std::array<analysis::RegionHistory, 5> regions;
    constexpr std::array<std::size_t, 4> counts{2, 0, 5, 1};
    LaunchRow row(false);
    std::uint64_t launch = 0;
    std::vector<std::vector<analysis::RegionHistory*>> used;
    do {
        std::vector<analysis::RegionHistory*>& now = used.emplace_back();
        for (std::size_t i = 0; i < counts[launch % 4]; ++i)
            now.push_back(&regions[(launch / 4 % 3 + i) % regions.size()]);
        row.passed({.memo = &memo}, {}, now, Number::at(++launch), 4);
        ASSERT_LT(launch, 100U);
    } while (!row.may_open(Number::at(launch), false));
    for (std::uint64_t ago = 1; ago <= row.size(); ++ago)
        EXPECT_TRUE(std::ranges::equal(row.regions_before(ago), used[launch - ago])) << ago;
}

/// Regions that change places meet again after two turns, three or six.
TEST(LaunchRow, tells_turns_apart_if_there_are_no_records) {
    const trace::OperationMemo memo;
    for (const std::uint64_t length : {1U, 3U, 600U, 5000U})
        for (const std::uint64_t order : {1U, 2U, 3U, 4U}) {
            std::array<analysis::RegionHistory, 4> regions;
            const std::uint64_t turns = length <= LaunchRow::places_max(true) / 6 ? 6 : 2;
            LaunchRow row(false);
            std::uint64_t launch = 0;
            for (; launch < 20 * length; ++launch) {
                std::array<analysis::RegionHistory*, 1> used{&regions[launch / length % order]};
                row.passed({.memo = &memo, .links_max = 7}, {}, used, Number::at(launch + 1),
                           length);
                if (row.may_open(Number::at(launch + 1), false)) break;
            }
            EXPECT_EQ(launch + 1, turns % order == 0 ? turns * length + 7 : 20 * length + 1)
                << length << " " << order;
        }
}

/// Noting regions in vain is given up, more and more rarely tried again, and tried again soon enough.
TEST(LaunchRow, rests_where_regions_do_not_repeat) {
    const trace::OperationMemo memo;
    std::array<analysis::RegionHistory, 5> regions;
    LaunchRow row(false);
    std::uint64_t launch = 0, passed = 0;
    const auto may_open_after = [&](std::uint64_t order) {
        const Number number = Number::at(++launch);
        if (row.rests(number, 2)) return false;
        ++passed;
        std::array<analysis::RegionHistory*, 1> used{&regions[launch % order]};
        row.passed({.memo = &memo, .links_max = 2}, {}, used, number, 2);
        return row.may_open(number, false);
    };
    while (launch < 10'000) ASSERT_FALSE(may_open_after(5));
    EXPECT_LT(passed, 400U);
    while (!may_open_after(3)) ASSERT_LT(launch, 30'000U);
    row.open(Number::at(launch + 1));
    row.close(Number::at(launch + 1));
    EXPECT_TRUE(may_open_after(3));
}

TEST(LaunchRow, does_not_rest_when_another_loop_begins) {
    const trace::OperationMemo memo;
    std::array<analysis::RegionHistory, 5> regions;
    LaunchRow row(false);
    int launch = 1;
    for (; !row.rests(Number(launch), 1); ++launch) {
        std::array<analysis::RegionHistory*, 1> used{
            &regions[static_cast<std::size_t>(launch % 5)]};
        row.passed({.memo = &memo, .links_max = 2}, {}, used, Number(launch), 1);
        ASSERT_LT(launch, 100);
    }
    const int end = launch + 2 * 6;
    for (; launch < end; ++launch) {
        ASSERT_FALSE(row.rests(Number(launch), 2));
        std::array<analysis::RegionHistory*, 1> used{&regions[0]};
        row.passed({.memo = &memo}, {}, used, Number(launch), 2);
    }
    EXPECT_TRUE(row.may_open(Number(end - 1), false));
}

TEST(LaunchRow, uses_the_records_in_the_order_of_the_launches_before) {
    Loop loop(2, 1);
    std::uint64_t launched = loop.launches_until_row();
    loop.row.open(Number::at(launched + 1));
    ASSERT_TRUE(loop.row.is_open());
    for (int i = 0; i < 500; ++i, ++launched) {
        ASSERT_EQ(loop.row.next_record().operation, loop.operation_of(launched));
        loop.row.advance();
        for (const std::uint64_t ago : {1U, 2U, 70U, 71U, 300U})
            ASSERT_EQ(loop.row.record_before(ago).operation,
                      loop.operation_of(launched + 1 + 10 * loop.records() - ago));
    }
    EXPECT_EQ(loop.row.first(), Number::at(launched + 1 - 500));
    loop.row.interrupt(Number::at(launched + 1));
    EXPECT_FALSE(loop.row.is_open());
}

/// A stretch in lanes may end after any launch, and another begin at any time.
TEST(LaunchRow, takes_memory_for_all_turns_with_the_first) {
    constexpr std::uint64_t length = 5;
    Loop loop(length, 1);
    for (std::uint64_t i = 0; i < length; ++i) loop.launch();
    const std::uint64_t before = testing::allocations();
    const std::size_t bytes = loop.row.bytes();
    for (std::uint64_t i = 0; i < 3 * loop.records(); ++i) loop.launch();
    EXPECT_EQ(testing::allocations(), before);
    EXPECT_EQ(loop.row.bytes(), bytes);
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
