#include "analysis/walk_table.hpp"

#include "analysis/access_program.hpp"

#include <gtest/gtest.h>

namespace refrain::analysis::testing::walk_table_test {
namespace {

constexpr Extents line{1, 8};

class WalkTableTest : public ::testing::Test {
  protected:
    RequirementShape shape(Privilege privilege, const std::vector<Elements>& elements) {
        std::vector<data::BoxSet> subsets;
        for (const Elements e : elements) subsets.push_back(box_set(e, line));
        return {footprints_.intern(std::move(subsets)), privilege,
                static_cast<std::uint16_t>(privilege == Privilege::reduce ? 1 : 0)};
    }
    NeededId all_of(const RequirementShape& shape) { return table_.start(shape.footprint); }
    std::vector<PatternTable::Pair> pairs(PatternId id) {
        const auto found = patterns_.get(id).pairs();
        return {found.begin(), found.end()};
    }

    FootprintTable footprints_;
    PatternTable patterns_;
    WalkTable table_{footprints_, patterns_};
};

using Pairs = std::vector<PatternTable::Pair>;

TEST_F(WalkTableTest, matches_the_example_in_its_header) {
    const auto n = shape(Privilege::write, {span(0, 4)});
    const auto reader = shape(Privilege::read, {span(2, 6)});
    const auto writer = shape(Privilege::write, {span(0, 8)});
    const auto past_reader = table_.step(n, all_of(n), reader);
    EXPECT_EQ(pairs(past_reader.pattern), (Pairs{{0, 0}}));
    // Behind the reader the walk still needs writers of [0,2) and readers of [0,4).
    const auto low_writer = shape(Privilege::write, {span(0, 2)});
    const auto high_writer = shape(Privilege::write, {span(2, 4)});
    const auto high_reader = shape(Privilege::read, {span(2, 4)});
    EXPECT_EQ(pairs(table_.step(n, past_reader.remaining, low_writer).pattern), (Pairs{{0, 0}}));
    EXPECT_EQ(table_.step(n, past_reader.remaining, high_writer).pattern, PatternId::none);
    EXPECT_EQ(pairs(table_.step(n, past_reader.remaining, high_reader).pattern), (Pairs{{0, 0}}));
    const auto past_writer = table_.step(n, all_of(n), writer);
    EXPECT_EQ(pairs(past_writer.pattern), (Pairs{{0, 0}}));
    EXPECT_EQ(past_writer.remaining, NeededId::nothing);
}

TEST_F(WalkTableTest, a_reduction_does_not_cover_writers_for_a_reader) {
    const auto n = shape(Privilege::read, {span(0, 4)});
    const auto reduction = shape(Privilege::reduce, {span(0, 8)});
    const auto step = table_.step(n, all_of(n), reduction);
    EXPECT_EQ(pairs(step.pattern), (Pairs{{0, 0}}));
    EXPECT_EQ(step.remaining, all_of(n));
}

TEST_F(WalkTableTest, accesses_that_commute_neither_conflict_nor_cover) {
    const auto reader = shape(Privilege::read, {span(0, 4)});
    const auto step = table_.step(reader, all_of(reader), shape(Privilege::read, {span(0, 8)}));
    EXPECT_EQ(step.pattern, PatternId::none);
    EXPECT_EQ(step.remaining, all_of(reader));
}

TEST_F(WalkTableTest, needed_ids_depend_on_content_not_on_the_path_to_it) {
    const auto n = shape(Privilege::read, {span(0, 8), span(0, 4)});
    const auto left = shape(Privilege::write, {span(0, 2)});
    const auto middle = shape(Privilege::write, {span(2, 4)});
    const auto one_way =
        table_.step(n, table_.step(n, all_of(n), left).remaining, middle).remaining;
    const auto other_way =
        table_.step(n, table_.step(n, all_of(n), middle).remaining, left).remaining;
    EXPECT_EQ(one_way, other_way);
    EXPECT_NE(one_way, all_of(n));
    const auto same_elements_fewer_points = shape(Privilege::read, {span(4, 8)});
    EXPECT_NE(one_way, all_of(same_elements_fewer_points)) << "a launch of another size";
}

TEST_F(WalkTableTest, needed_ids_intersect_and_unite_like_sets) {
    const auto a = all_of(shape(Privilege::read, {span(0, 4), span(2, 6)}));
    const auto b = all_of(shape(Privilege::read, {span(2, 8), span(0, 2)}));
    EXPECT_EQ(table_.intersect(a, b), all_of(shape(Privilege::read, {span(2, 4), 0})));
    EXPECT_EQ(table_.intersect(a, a), a);
    EXPECT_EQ(table_.intersect(a, all_of(shape(Privilege::read, {span(6, 8), span(6, 8)}))),
              NeededId::nothing);
    const std::vector<NeededId> parts = {all_of(shape(Privilege::read, {span(0, 1), 0})),
                                         all_of(shape(Privilege::read, {span(1, 4), span(2, 6)}))};
    EXPECT_EQ(table_.unite(parts), a);
}

TEST_F(WalkTableTest, the_parts_in_all_cells_unite_to_the_whole) {
    const CellGrid grid(bounds(line), data::Box{{0, 0, 0}, {3, 1, 1}});
    const auto n = shape(Privilege::read, {span(0, 5), span(4, 8)});
    const auto parts = table_.starts_in_cells(n.footprint, grid);
    ASSERT_EQ(parts.size(), 3U);
    EXPECT_EQ(parts[0], all_of(shape(Privilege::read, {span(0, 3), 0})));
    EXPECT_EQ(parts[1], all_of(shape(Privilege::read, {span(3, 5), span(4, 6)})));
    EXPECT_EQ(parts[2], all_of(shape(Privilege::read, {0, span(6, 8)})));
    EXPECT_EQ(table_.unite(std::vector(parts.begin(), parts.end())), all_of(n));
}

TEST_F(WalkTableTest, keeps_every_step_while_it_grows) {
    std::vector<RequirementShape> shapes;
    for (std::uint32_t begin = 0; begin < 8; ++begin)
        for (std::uint32_t end = begin + 1; end <= 8; ++end)
            for (const Privilege p :
                 {Privilege::read, Privilege::write, Privilege::read_write, Privilege::reduce})
                shapes.push_back(shape(p, {span(begin, end), span(0, end)}));
    std::vector<WalkTable::Step> first;
    for (const auto& n : shapes)
        for (const auto& m : shapes) first.push_back(table_.step(n, all_of(n), m));
    const std::size_t entries = table_.entries();
    EXPECT_EQ(entries, shapes.size() * shapes.size());
    std::size_t i = 0;
    for (const auto& n : shapes)
        for (const auto& m : shapes) {
            const auto again = table_.step(n, all_of(n), m);
            ASSERT_EQ(again.pattern, first[i].pattern);
            ASSERT_EQ(again.remaining, first[i].remaining);
            ++i;
        }
    EXPECT_EQ(table_.entries(), entries);
}

}  // namespace
}  // namespace refrain::analysis::testing::walk_table_test
