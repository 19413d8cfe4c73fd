#include "strings/repeat_pieces.hpp"

#include "strings/plain_repeats.hpp"
#include "strings/repeats.hpp"
#include "strings/sequences.hpp"

#include <gtest/gtest.h>

namespace refrain::strings::repeat_pieces_test {
namespace {

using testing::PlainRepeat;
using testing::Sequence;

/// The lengths of the pieces of a repeat of `length` different symbols.
std::vector<std::size_t> pieces_of(std::size_t length, const RepeatOptions& options) {
    Sequence symbols = testing::periodic_word(2 * length, static_cast<Symbol>(length));
    std::vector<std::size_t> lengths;
    for (const Repeat& repeat : find_repeats(symbols, options)) lengths.push_back(repeat.length);
    return lengths;
}

TEST(RepeatPieces, of_the_example) {
    const Sequence symbols = testing::from_text("abcabxyzvabcabw");
    const RepeatSet found = find_repeats(symbols, {.length_min = 1, .length_max = 2});
    EXPECT_EQ(testing::spelled_out(symbols, found),
              (std::vector<PlainRepeat>{{testing::from_text("ab"), {0, 9}},
                                        {testing::from_text("ca"), {2, 11}},
                                        {testing::from_text("b"), {4, 13}}}));
}

TEST(RepeatPieces, with_equal_content_become_one_repeat) {
    const Sequence symbols = testing::from_text("abababXabababY");
    const RepeatSet found = find_repeats(symbols, {.length_min = 2, .length_max = 2});
    EXPECT_EQ(testing::spelled_out(symbols, found),
              (std::vector<PlainRepeat>{{testing::from_text("ab"), {0, 2, 4, 7, 9, 11}}}));
}

TEST(RepeatPieces, are_full_but_for_the_last_two) {
    EXPECT_EQ(pieces_of(20, {5, 20}), (std::vector<std::size_t>{20}));
    EXPECT_EQ(pieces_of(20, {5, 10}), (std::vector<std::size_t>{10, 10}));
    EXPECT_EQ(pieces_of(27, {5, 10}), (std::vector<std::size_t>{10, 10, 7}));
    EXPECT_EQ(pieces_of(22, {5, 10}), (std::vector<std::size_t>{10, 7, 5}));
}

TEST(RepeatPieces, a_remainder_that_no_cut_makes_long_enough_is_dropped) {
    EXPECT_EQ(pieces_of(22, {9, 10}), (std::vector<std::size_t>{10, 10}));
    EXPECT_EQ(pieces_of(11, {10, 10}), (std::vector<std::size_t>{10}));
}

TEST(RepeatPieces, drop_fewer_than_length_min_symbols_of_each_occurrence) {
    for (std::uint32_t length_min = 1; length_min <= 12; ++length_min) {
        for (std::uint32_t length_max = length_min; length_max <= 25; ++length_max) {
            for (std::size_t length = length_min; length <= 80; ++length) {
                std::size_t kept = 0;
                for (const std::size_t piece : pieces_of(length, {length_min, length_max})) {
                    ASSERT_GE(piece, length_min);
                    ASSERT_LE(piece, length_max);
                    kept += piece;
                }
                ASSERT_GT(kept + length_min, length) << length_min << ".." << length_max;
                if (length_max + 1 >= 2 * length_min) {
                    ASSERT_EQ(kept, length) << length_min << ".." << length_max;
                }
            }
        }
    }
}

}  // namespace
}  // namespace refrain::strings::repeat_pieces_test
