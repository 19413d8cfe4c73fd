#include "stores/value_events.hpp"

#include <gtest/gtest.h>

namespace refrain::array::value_events_test {

ValueEvent event(std::uint64_t order, unsigned flags, std::uint64_t line = 1) {
    return {order, Site{{line, 0}}, "divide", flags, 0};
}

TEST(ValueEvents, tiles_of_an_operation_make_one) {
    ValueEvents events;
    EXPECT_FALSE(events.any());
    events.add(event(7, value_overflowed));
    events.add(event(3, value_invalid));
    events.add(event(7, value_divided_by_zero));
    EXPECT_TRUE(events.any());
    const std::vector<ValueEvent> taken = events.take();
    ASSERT_EQ(taken.size(), 2U);
    EXPECT_EQ(taken[0].order, 3U);
    EXPECT_EQ(taken[1].flags, unsigned{value_overflowed | value_divided_by_zero});
}

TEST(ValueEvents, a_tile_that_ends_after_its_operation_was_taken_adds_only_new_flags) {
    ValueEvents events;
    events.add(event(1, value_invalid));
    EXPECT_EQ(events.take().size(), 1U);
    events.add(event(1, value_invalid));
    EXPECT_FALSE(events.any());
    EXPECT_TRUE(events.take().empty());
    events.add(event(1, value_invalid | value_overflowed));
    const std::vector<ValueEvent> taken = events.take();
    ASSERT_EQ(taken.size(), 1U);
    EXPECT_EQ(taken[0].flags, unsigned{value_overflowed});
}

TEST(ValueEvents, a_loop_that_never_waits_keeps_a_bounded_number) {
    ValueEvents events;
    for (std::uint64_t i = 0; i < 10 * ValueEvents::kept_max; ++i)
        events.add(event(i, value_invalid));
    events.add(event(100'000, value_invalid, 2));
    const std::vector<ValueEvent> taken = events.take();
    EXPECT_EQ(taken.size(), ValueEvents::kept_max + 1);
    EXPECT_EQ(taken.back().site.words[0], 2U);
}

}  // namespace refrain::array::value_events_test
