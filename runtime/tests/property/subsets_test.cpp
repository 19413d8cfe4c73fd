#include "property/subsets.hpp"

#include <gtest/gtest.h>

namespace refrain::property::subsets_test {
namespace {

/// Bits of the elements lo ... hi-1.
Elements interval(int lo, int hi) {
    Elements elements = 0;
    for (int e = lo; e < hi; ++e) elements |= Elements{1} << e;
    return elements;
}

class PlainSubsets : public ::testing::Test {
  protected:
    std::vector<Space> spaces_ = {{{{0, 0, 0}, {10, 1, 1}}, 1},
                                  {{{0, 0, 0}, {2, 3, 1}}, 2},
                                  {{{0, 0, 0}, {9, 1, 1}}, 1},
                                  {{{5, 0, 0}, {9, 1, 1}}, 1}};

    [[nodiscard]] Subsets make(const CreatePartition& create, const Subsets* of = nullptr,
                               const std::vector<std::uint64_t>* values = nullptr) const {
        return make_subsets(create, {&spaces_, of, values, 0});
    }
};

TEST_F(PlainSubsets, tiles_differ_by_at_most_one) {
    const Subsets tiles = make({.kind = PartitionKind::tiles, .space = 0, .counts = {4, 1, 1}});
    EXPECT_EQ(tiles.of_colour, (std::vector<Elements>{interval(0, 3), interval(3, 6),
                                                      interval(6, 8), interval(8, 10)}));
}

TEST_F(PlainSubsets, the_last_tile_of_an_extent_may_be_smaller) {
    const Subsets tiles =
        make({.kind = PartitionKind::tiles_of_extent, .space = 0, .counts = {4, 1, 1}});
    EXPECT_EQ(tiles.of_colour,
              (std::vector<Elements>{interval(0, 4), interval(4, 8), interval(8, 10)}));
}

TEST_F(PlainSubsets, rows_and_columns_are_bands_of_a_matrix) {
    const Subsets rows = make({.kind = PartitionKind::rows, .space = 1, .counts = {2, 1, 1}});
    EXPECT_EQ(rows.of_colour, (std::vector<Elements>{0b000111, 0b111000}));
    const Subsets columns = make({.kind = PartitionKind::columns, .space = 1, .counts = {3, 1, 1}});
    EXPECT_EQ(columns.of_colour, (std::vector<Elements>{0b001001, 0b010010, 0b100100}));
}

TEST_F(PlainSubsets, a_halo_is_clipped_or_wraps_around) {
    const Subsets tiles = make({.kind = PartitionKind::tiles, .space = 2, .counts = {3, 1, 1}});
    CreatePartition halo{
        .kind = PartitionKind::halo, .space = 2, .low = {1, 0, 0}, .high = {1, 0, 0}};
    EXPECT_EQ(make(halo, &tiles).of_colour,
              (std::vector<Elements>{interval(0, 4), interval(2, 7), interval(5, 9)}));
    halo.periodic = true;
    EXPECT_EQ(make(halo, &tiles).of_colour,
              (std::vector<Elements>{interval(0, 4) | interval(8, 9), interval(2, 7),
                                     interval(5, 9) | interval(0, 1)}));
}

TEST_F(PlainSubsets, a_ghost_is_a_halo_without_its_interior) {
    const Subsets tiles = make({.kind = PartitionKind::tiles, .space = 0, .counts = {4, 1, 1}});
    const Subsets ghost = make(
        {.kind = PartitionKind::ghost, .space = 0, .low = {1, 0, 0}, .high = {1, 0, 0}}, &tiles);
    EXPECT_EQ(ghost.of_colour,
              (std::vector<Elements>{interval(3, 4), interval(2, 3) | interval(6, 7),
                                     interval(5, 6) | interval(8, 9), interval(7, 8)}));
}

TEST_F(PlainSubsets, image_and_preimage_follow_their_definitions) {
    const std::vector<std::uint64_t> pointers = {5, 6, 6, 8};  // into [5,9)
    const std::vector<Space> own = {{{{0, 0, 0}, {4, 1, 1}}, 1}, spaces_[3]};
    const Subsets halves =
        make_subsets({.kind = PartitionKind::tiles, .space = 0, .counts = {2, 1, 1}},
                     {&own, nullptr, nullptr, 0});
    const Subsets image =
        make_subsets({.kind = PartitionKind::image, .space = 1}, {&own, &halves, &pointers, 0});
    EXPECT_EQ(image.of_colour, (std::vector<Elements>{0b0011, 0b1010}));
    const Subsets targets =
        make_subsets({.kind = PartitionKind::tiles, .space = 1, .counts = {2, 1, 1}},
                     {&own, nullptr, nullptr, 0});
    const Subsets preimage =
        make_subsets({.kind = PartitionKind::preimage, .space = 0}, {&own, &targets, &pointers, 0});
    EXPECT_EQ(preimage.of_colour, (std::vector<Elements>{0b0111, 0b1000}));
}

}  // namespace
}  // namespace refrain::property::subsets_test
