#include "analysis/footprint.hpp"

#include "analysis/access_program.hpp"

#include <gtest/gtest.h>

namespace refrain::analysis::testing::footprint_test {
namespace {

constexpr Extents line{1, 16};

data::BoxSet set(Elements elements) {
    return box_set(elements, line);
}

TEST(FootprintTable, equal_contents_get_one_id_whatever_they_were_made_of) {
    FootprintTable table;
    const FootprintId tiles = table.intern({set(span(0, 4)), set(span(4, 8))});
    const std::vector<data::Box> pieces = {{{0, 0, 0}, {2, 1, 1}}, {{2, 0, 0}, {4, 1, 1}}};
    EXPECT_EQ(table.intern({data::BoxSet::of_boxes(pieces), set(span(4, 8))}), tiles);
    EXPECT_NE(table.intern({set(span(4, 8)), set(span(0, 4))}), tiles) << "point by point";
    EXPECT_NE(table.intern({set(span(0, 8))}), tiles) << "the union is not enough";
    EXPECT_EQ(table.size(), 4U) << "including FootprintId::none";
}

TEST(FootprintTable, intern_same_equals_interning_a_copy_per_point) {
    FootprintTable table;
    EXPECT_EQ(table.intern_same(set(span(1, 5)), 3),
              table.intern({set(span(1, 5)), set(span(1, 5)), set(span(1, 5))}));
}

TEST(FootprintTable, of_one_point_a_footprint_takes_no_memory_beside_itself) {
    FootprintTable table;
    const FootprintId one = table.intern_one(set(span(2, 5)));
    EXPECT_EQ(table.intern({set(span(2, 5))}), one);
    EXPECT_EQ(table.get(one).subsets.size(), 1U);
    EXPECT_EQ(table.get(one).subsets[0], set(span(2, 5)));
    EXPECT_EQ(table.get(one).shared_bytes(), 0U);
}

TEST(FootprintTable, a_footprint_has_its_union_and_disjointness) {
    FootprintTable table;
    const Footprint& tiles = table.get(table.intern({set(span(0, 4)), set(span(6, 8))}));
    EXPECT_EQ(tiles.all, set(span(0, 4) | span(6, 8)));
    EXPECT_TRUE(tiles.disjoint);
    EXPECT_FALSE(table.get(table.intern({set(span(0, 4)), set(span(3, 8))})).disjoint);
}

TEST(FootprintTable, footprints_keep_their_address_while_others_are_added) {
    FootprintTable table;
    const Footprint* first = &table.get(table.intern({set(1)}));
    for (Elements e = 2; e < 5000; ++e) (void)table.intern({set(e & 0xffff)});
    EXPECT_EQ(&table.get(table.intern({set(1)})), first);
    EXPECT_GT(table.bytes(), 5000 * sizeof(Footprint) / 2);
}

TEST(FootprintTable, clear_forgets_everything) {
    FootprintTable table;
    const FootprintId before = table.intern({set(span(0, 4))});
    table.clear();
    EXPECT_EQ(table.size(), 1U);
    EXPECT_EQ(table.bytes(), FootprintTable().bytes());
    EXPECT_EQ(table.intern({set(span(8, 9))}), before) << "ids are reused";
}

}  // namespace
}  // namespace refrain::analysis::testing::footprint_test
