#include "trace/memo_ring.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace refrain::trace::memo_ring_test {
namespace {

constexpr std::uint32_t window = 4;
constexpr unsigned capacity_log2 = 5;
constexpr std::uint64_t capacity = 1U << capacity_log2;

/// Keeps memos of operations with one source each, so that all have the same size.
class Ring {
  public:
    explicit Ring(std::size_t bytes = 1U << 20)
        : ring_({.capacity_log2 = capacity_log2, .bytes_max = bytes, .window = window}) {
        access_.lookback = 3;
        access_.own = {};
        access_.own.lookback = 2;
    }

    void keep(std::uint64_t position) {
        keep({Position::at(position)}, OperationNumber::at(1000 + position));
    }
    void keep(MemoRing::Place place, OperationNumber number) {
        access_.sources = source_;
        ring_.keep(place, number, {&access_, 1}, source_, source_);
    }
    [[nodiscard]] bool has(std::uint64_t position) const {
        return ring_.at(Position::at(position)).memo != nullptr;
    }
    [[nodiscard]] MemoRing& ring() { return ring_; }

  private:
    std::vector<Source> source_{{7}};
    analysis::Access access_;
    MemoRing ring_;
};

std::size_t bytes_of_one() {
    Ring one;
    one.keep(0);
    return one.ring().bytes();
}

TEST(MemoRing, has_each_memo_at_its_position_only) {
    Ring ring;
    ring.keep(3);
    ring.keep(5);
    const MemoRing::Entry entry = ring.ring().at(3);
    ASSERT_NE(entry.memo, nullptr);
    EXPECT_TRUE(entry.complete);
    EXPECT_EQ(entry.memo->lookback, 3U);
    ASSERT_EQ(entry.memo->edges.size(), 1U);
    EXPECT_EQ(entry.memo->edges[0].distance, 7U);
    for (const std::uint64_t position : {0, 1, 2, 4, 6, 40}) EXPECT_FALSE(ring.has(position));
    EXPECT_EQ(ring.ring().memos(), 2U);
}

TEST(MemoRing, forgets_a_memo_when_capacity_positions_have_followed) {
    Ring ring;
    for (std::uint64_t i = 0; i < 3 * capacity; ++i) {
        ring.keep(i);
        EXPECT_EQ(ring.ring().memos(), std::min(i + 1, capacity));
        EXPECT_FALSE(i >= capacity && ring.has(i - capacity));
        EXPECT_TRUE(ring.has(i - std::min(i, capacity - 1)));
    }
}

TEST(MemoRing, keeps_a_shared_memo_until_its_last_position_is_gone) {
    Ring ring;
    ring.keep(0);
    for (std::uint64_t i = 1; i < 5 * capacity; ++i) {
        const Position position = Position::at(i);
        ring.ring().share(position, ring.ring().at(position - 1));
    }
    EXPECT_EQ(ring.ring().memos(), 1U);
    EXPECT_EQ(ring.ring().bytes(), bytes_of_one());
    EXPECT_TRUE(ring.has(5 * capacity - 1));
    ring.keep(6 * capacity);  // all earlier positions are beyond the capacity
    EXPECT_FALSE(ring.has(5 * capacity - 1));
    EXPECT_EQ(ring.ring().memos(), 1U);
}

TEST(MemoRing, stays_within_its_budget_and_evicts_the_oldest) {
    const std::size_t budget = 12 * bytes_of_one();
    Ring ring(budget);
    for (std::uint64_t i = 0; i < 100; ++i) {
        ring.keep(i);
        EXPECT_LE(ring.ring().bytes(), budget);
        EXPECT_TRUE(ring.has(i));
        EXPECT_FALSE(i >= 12 && ring.has(i - 12));
    }
    EXPECT_EQ(ring.ring().memos(), 12U);
    EXPECT_EQ(ring.ring().evictions(), 88U);
}

/// Accesses may still refer to memos of the newest two windows.
TEST(MemoRing, evicts_nothing_within_two_windows_and_keeps_no_new_memo_instead) {
    Ring ring(3 * bytes_of_one());
    for (std::uint64_t i = 0; i < 2 * window; ++i) ring.keep(i);
    for (std::uint64_t i = 0; i < 2 * window; ++i) EXPECT_EQ(ring.has(i), i < 3) << i;
    EXPECT_EQ(ring.ring().evictions(), 0U);
}

TEST(MemoRing, with_a_budget_below_one_memo_keeps_none) {
    Ring ring(bytes_of_one() - 1);
    for (std::uint64_t i = 0; i < 100; ++i) ring.keep(i);
    EXPECT_EQ(ring.ring().memos(), 0U);
    EXPECT_EQ(ring.ring().bytes(), 0U);
}

TEST(MemoRing, a_skipped_position_is_filled_later_if_the_budget_allows) {
    Ring ring(2 * bytes_of_one());
    ring.keep(5);
    ring.keep(2);
    EXPECT_TRUE(ring.has(2));
    ring.keep(3);
    EXPECT_FALSE(ring.has(3)) << "over the budget";
    EXPECT_TRUE(ring.has(5));
}

/// The budget had no room for the loop's first operations: all older memos were within two windows.
class MemoRingOfALoop : public ::testing::Test {
  protected:
    static constexpr std::uint64_t loop = 4, begin = 6, end = begin + loop;
    static constexpr OperationNumber now = 2000;

    MemoRingOfALoop() : ring(6 * bytes_of_one()) {
        for (std::uint64_t i = 0; i < end; ++i) ring.keep(i);
        EXPECT_FALSE(ring.has(begin));
        EXPECT_FALSE(ring.has(begin + 1));
        EXPECT_TRUE(ring.has(begin + 2));
    }

    Ring ring;
};

TEST_F(MemoRingOfALoop, evicts_other_memos_after_the_loop_ran_for_a_window) {
    for (std::uint64_t i = 0; i < window; ++i) {
        ring.keep({Position::at(begin + i % 2), loop}, now + i);
        EXPECT_FALSE(ring.has(begin + i % 2)) << "accesses may refer to other memos";
    }
    ring.keep({Position::at(begin), loop}, now + window);
    ring.keep({Position::at(begin + 1), loop}, now + window + 1);
    for (std::uint64_t i = begin; i < end; ++i) EXPECT_TRUE(ring.has(i)) << i;
    EXPECT_LE(ring.ring().bytes(), 6 * bytes_of_one());
}

TEST_F(MemoRingOfALoop, evicts_none_of_the_loops_own_memos) {
    for (std::uint64_t i = 0; i < 20; ++i) ring.keep({Position::at(begin + i % 2), end}, now + i);
    EXPECT_FALSE(ring.has(begin));
    EXPECT_TRUE(ring.has(begin - 1));
}

TEST_F(MemoRingOfALoop, counts_the_window_from_the_start_of_the_current_loop) {
    ring.keep({Position::at(begin), loop}, now);
    ring.ring().share(Position::at(end), {});
    ring.keep({Position::at(begin + 1), loop}, now + window);
    EXPECT_FALSE(ring.has(begin + 1)) << "the new loop has only begun";
    ring.keep({Position::at(begin + 1), loop}, now + 2 * window);
    EXPECT_TRUE(ring.has(begin + 1));
}

/// As a loop replaces memos that are not complete: operations of the last window may refer to them.
TEST(MemoRing, frees_a_replaced_memo_a_window_later) {
    constexpr OperationNumber now = 2000;
    constexpr std::uint64_t loop = 2;
    Ring ring;
    for (std::uint64_t i = 0; i < loop; ++i) ring.keep(i);
    const OperationMemo* const before = ring.ring().at(0).memo;
    ring.keep({Position::at(0), loop}, now);
    EXPECT_NE(ring.ring().at(0).memo, before);
    EXPECT_EQ(ring.ring().memos(), 3U);
    ring.keep({Position::at(1), loop}, now + (window - 1));
    EXPECT_EQ(ring.ring().memos(), 4U);
    ring.keep({Position::at(loop)}, now + window);
    EXPECT_EQ(ring.ring().memos(), 4U) << "a new one, and the first that was replaced is gone";
    EXPECT_EQ(ring.ring().bytes(), 4 * bytes_of_one());
    ring.ring().clear();
    EXPECT_EQ(ring.ring().memos(), 0U);
    EXPECT_EQ(ring.ring().bytes(), 0U);
}

TEST(MemoRing, clear_frees_everything_and_restarts_positions_at_0) {
    Ring ring;
    for (std::uint64_t i = 0; i < 2 * capacity; ++i) ring.keep(i);
    ring.ring().clear();
    EXPECT_EQ(ring.ring().memos(), 0U);
    EXPECT_EQ(ring.ring().bytes(), 0U);
    EXPECT_FALSE(ring.has(2 * capacity - 1));
    ring.keep(0);
    ring.ring().share(1, ring.ring().at(0));
    EXPECT_TRUE(ring.has(0));
    EXPECT_TRUE(ring.has(1));
    EXPECT_EQ(ring.ring().memos(), 1U);
}

}  // namespace
}  // namespace refrain::trace::memo_ring_test
