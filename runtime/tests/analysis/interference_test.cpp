#include "analysis/interference.hpp"

#include "analysis/access_program.hpp"

#include <gtest/gtest.h>

namespace refrain::analysis::testing::interference_test {
namespace {

class InterferenceTest : public ::testing::Test {
  protected:
    RequirementShape shape(Privilege privilege, const std::vector<Elements>& elements) {
        std::vector<data::BoxSet> subsets;
        for (const Elements e : elements) subsets.push_back(box_set(e, {1, 16}));
        return {footprints_.intern(std::move(subsets)), privilege};
    }
    FootprintTable footprints_;
    Interference interference_{footprints_};
};

TEST_F(InterferenceTest, points_that_write_a_common_element_interfere) {
    EXPECT_TRUE(interference_.among_points(shape(Privilege::write, {span(0, 4), span(3, 6)})));
    EXPECT_FALSE(interference_.among_points(shape(Privilege::write, {span(0, 3), span(3, 6)})));
    EXPECT_FALSE(interference_.among_points(shape(Privilege::read, {span(0, 4), span(3, 6)})));
    EXPECT_FALSE(interference_.among_points(shape(Privilege::reduce, {span(0, 4), span(3, 6)})));
}

TEST_F(InterferenceTest, a_point_interferes_with_other_points_only) {
    const auto tiles = shape(Privilege::write, {span(0, 4), span(4, 8)});
    const auto halos = shape(Privilege::read, {span(0, 5), span(3, 8)});
    const auto own = shape(Privilege::read, {span(1, 2), span(5, 8)});
    EXPECT_TRUE(interference_.between(tiles, halos));
    EXPECT_TRUE(interference_.between(halos, tiles));
    EXPECT_FALSE(interference_.between(tiles, own));
    EXPECT_FALSE(interference_.between(halos, own)) << "reads commute";
}

TEST_F(InterferenceTest, agrees_with_an_element_by_element_check) {
    Random random(7);
    for (int round = 0; round < 3000; ++round) {
        std::vector<Elements> a, b;
        for (int point = 0; point < 3; ++point) {
            a.push_back(random() & random() & 0xffff);
            b.push_back(random() & random() & 0xffff);
        }
        bool meet = false;
        for (std::size_t p = 0; p < 3; ++p)
            for (std::size_t q = 0; q < 3; ++q) meet = meet || (p != q && (a[p] & b[q]) != 0);
        EXPECT_EQ(interference_.between(shape(Privilege::write, a), shape(Privilege::read, b)),
                  meet);
    }
}

}  // namespace
}  // namespace refrain::analysis::testing::interference_test
