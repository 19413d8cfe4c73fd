#include "analysis/access_history.hpp"

#include "base/assertion.hpp"

#include <gtest/gtest.h>

namespace refrain::analysis::access_history_test {
namespace {

class AccessHistoryTest : public ::testing::Test {
  protected:
    AccessHistoryTest() {
        region_.serial = 1;
        region_.bounds = data::Box{{0, 0, 0}, {100, 1, 1}};
    }
    FootprintId touch(std::int64_t begin, std::int64_t end) {
        return footprints_.intern({data::BoxSet(data::Box{{begin, 0, 0}, {end, 1, 1}})});
    }
    void use(OperationNumber number, const std::vector<FootprintId>& footprints) {
        std::vector<RequirementShape> shapes;
        for (const FootprintId footprint : footprints)
            shapes.emplace_back(footprint, Privilege::read);
        const std::vector<RegionHistory*> regions(footprints.size(), &region_);
        (void)history_.append(number, shapes, regions, footprints_);
    }

    FootprintTable footprints_;
    AccessHistory history_{8};
    RegionHistory region_;
};

TEST_F(AccessHistoryTest, accesses_to_a_region_form_one_chain) {
    use(1, {touch(0, 10)});
    use(2, {});
    use(3, {touch(0, 10)});
    EXPECT_EQ(history_.accesses(3)[0].link.before, (AccessRef{1, 0}));
    EXPECT_EQ(history_.accesses(1)[0].link.before.operation, OperationNumber{0});
    EXPECT_EQ(region_.last, (AccessRef{3, 0}));
    EXPECT_EQ(history_.accesses(3)[0].region, 1U);
}

TEST_F(AccessHistoryTest, requirements_of_one_operation_share_one_link_and_are_siblings) {
    use(1, {touch(0, 10)});
    use(2, {touch(0, 10), touch(5, 6), touch(7, 8)});
    for (std::uint32_t i = 0; i < 3; ++i)
        EXPECT_EQ(history_.accesses(2)[i].link.before, (AccessRef{1, 0}));
    EXPECT_EQ(history_.accesses(2)[0].link.sibling, ChainLink::no_sibling);
    EXPECT_EQ(history_.accesses(2)[2].link.sibling, 1U);
    EXPECT_EQ(region_.last, (AccessRef{2, 2}));
}

TEST_F(AccessHistoryTest, a_divided_region_has_a_chain_per_cell) {
    use(1, {touch(0, 100)});
    const CellGrid grid(region_.bounds, {{0, 0, 0}, {25, 1, 1}});
    region_.take_cells(grid);
    use(2, {touch(0, 10)});
    use(3, {touch(20, 60), touch(30, 40)});
    const auto cells = history_.accesses(3)[0].cells;
    ASSERT_EQ(cells.size(), 3U);
    EXPECT_EQ(cells[0].before, (AccessRef{2, 0}));
    EXPECT_EQ(cells[1].before, (AccessRef{1, 0}));
    EXPECT_EQ(history_.accesses(3)[1].cells[0].sibling, 0U);
    EXPECT_EQ(history_.accesses(3)[1].cells[0].before, (AccessRef{1, 0}));
    EXPECT_EQ(history_.accesses(3)[0].link_in(1), &cells[1]);
    EXPECT_EQ(history_.accesses(3)[0].link_in(3), nullptr);
    EXPECT_EQ(region_.cells->heads[1], (AccessRef{3, 1}));
    EXPECT_EQ(region_.cells->heads[3], (AccessRef{1, 0}));
}

TEST_F(AccessHistoryTest, remembers_the_operations_of_one_window) {
    for (OperationNumber n = 1; n <= 20; ++n) use(n, {touch(0, 10)});
    EXPECT_TRUE(history_.remembers(13, 20));
    EXPECT_FALSE(history_.remembers(12, 20));
    EXPECT_FALSE(history_.remembers(0, 3));
    history_.forget_before(18);
    EXPECT_FALSE(history_.remembers(17, 20));
    EXPECT_TRUE(history_.remembers(18, 20));
}

TEST_F(AccessHistoryTest, memory_does_not_grow_beyond_one_window) {
    for (OperationNumber n = 1; n <= 1000; ++n) use(n, {touch(0, 10), touch(5, 6)});
    const std::size_t bytes = history_.bytes();
    for (OperationNumber n = 1001; n <= 100'000; ++n) use(n, {touch(0, 10), touch(5, 6)});
    EXPECT_EQ(history_.bytes(), bytes);
}

TEST(AccessHistory, a_window_that_is_no_power_of_two_fails_an_assertion) {
    base::throw_on_internal_failure = true;
    EXPECT_THROW(AccessHistory(12), base::InternalError);
    EXPECT_THROW(AccessHistory(1), base::InternalError);
    base::throw_on_internal_failure = false;
}

}  // namespace
}  // namespace refrain::analysis::access_history_test
