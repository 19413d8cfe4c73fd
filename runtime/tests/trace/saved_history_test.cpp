#include "trace/saved_history.hpp"

#include "trace/description.hpp"

#include <bit>
#include <cstring>
#include <gtest/gtest.h>

namespace refrain::trace::saved_history_test {
namespace {

using data::Box;
using data::BoxSet;
using Words = std::vector<std::uint64_t>;

constexpr std::uint64_t ago(std::uint64_t operations, std::uint64_t requirement) {
    return (operations + 1) << 16 | requirement;
}
constexpr std::uint64_t same_as(std::uint64_t requirement) {
    return ago(0, requirement);
}

Box box(std::int64_t lo, std::int64_t hi, std::int64_t rows = 1) {
    return {{lo, 0, 0}, {hi, rows, 1}};
}

/// Of each kind of thing at least one.
SavedHistory sample() {
    const BoxSet holes = BoxSet::of_boxes(std::vector{box(0, 2), box(4, 5)});
    SavedHistory history;
    history.program = 17;
    history.modules = {{"", 17}, {"/lib/a name of some length.so", 18}};
    history.tasks = {{0, 0x1230}, {1, 0x40}};
    history.footprints = {{box(0, 4), box(4, 8), box(4, 8)}, {holes, holes, {}}, {box(0, 8, 3)}};
    history.operations = {
        {0, 3, {{0, Privilege::write, 0, Describer::old_or_new}}},
        {1, 3, {{1, Privilege::read, 0, ago(1, 0)}, {0, Privilege::read_write, 0, same_as(0)}}},
        {1, 1, {{2, Privilege::reduce, 2, ago(700, 3)}}},
        {SavedHistory::no_task, 1, {}}};
    history.sequence = {0, 1, 3, SavedHistory::gap, 2, 3, 2};
    return history;
}

std::string problem_of(const SavedHistory& history) {
    return decode(encode(history)).problem;
}

TEST(SavedHistory, reads_what_was_written) {
    const DecodedHistory decoded = decode(encode(sample()));
    EXPECT_EQ(decoded.problem, "");
    EXPECT_EQ(decoded.history, sample());
    EXPECT_EQ(decode(encode({})).problem, "");
    EXPECT_EQ(decode(encode({})).history, SavedHistory{});
}

TEST(SavedHistory, is_nothing_if_any_byte_is_another_one) {
    const Words words = encode(sample());
    for (std::size_t at = 0; at < words.size() * sizeof(std::uint64_t); ++at) {
        for (const unsigned change : {0x01U, 0x80U, 0xffU}) {
            Words damaged = words;
            reinterpret_cast<unsigned char*>(damaged.data())[at] ^=
                static_cast<unsigned char>(change);
            ASSERT_NE(decode(damaged).problem, "") << "byte " << at;
        }
    }
}

TEST(SavedHistory, is_nothing_if_it_is_cut_off_anywhere_or_goes_on) {
    Words words = encode(sample());
    for (std::size_t size = 0; size < words.size(); ++size)
        ASSERT_NE(decode(std::span(words).first(size)).problem, "") << size << " words";
    words.push_back(0);
    EXPECT_EQ(decode(words).problem, "it is damaged");
}

TEST(SavedHistory, tells_why_it_is_nothing) {
    const Words words = encode(sample());
    EXPECT_EQ(decode({}).problem, "it is empty");
    EXPECT_EQ(decode(Words{1, 2, 3}).problem, "Refrain did not write it");
    EXPECT_EQ(decode(std::span(words).first(3)).problem, "it is cut off");
    EXPECT_EQ(decode(std::span(words).first(words.size() - 1)).problem, "it is cut off");
    Words other = words;
    other[1] += 1;
    EXPECT_EQ(decode(other).problem, "another version of Refrain wrote it");
    other = words;
    other[2] += 1;
    EXPECT_EQ(decode(other).problem, "another version of Refrain wrote it");
    other = words;
    std::reverse(reinterpret_cast<char*>(other.data()), reinterpret_cast<char*>(other.data()) + 8);
    EXPECT_EQ(decode(other).problem, "a machine of another kind wrote it");
    other = words;
    other.back() ^= 1;
    EXPECT_EQ(decode(other).problem, "it is damaged");
}

/// A file whose checksum is right, whatever it says.
TEST(SavedHistory, keeps_its_bounds_or_is_nothing_if_any_word_is_another_one_under_a_right_seal) {
    const Words words = encode(sample());
    constexpr std::uint64_t values[] = {0,
                                        1,
                                        2,
                                        7,
                                        0xffff,
                                        std::uint64_t{1} << 31,
                                        std::uint64_t{1} << 32,
                                        std::uint64_t{1} << 62,
                                        std::uint64_t{1} << 63,
                                        ~std::uint64_t{0},
                                        ~std::uint64_t{0} << 32};
    for (std::size_t at = 5; at < words.size(); ++at) {
        for (const std::uint64_t value : values) {
            Words other = words;
            other[at] = value;
            seal(other);
            const DecodedHistory decoded = decode(other);
            if (!decoded.problem.empty()) continue;
            // What was read is what would be written.
            ASSERT_EQ(decode(encode(decoded.history)).history, decoded.history) << "word " << at;
        }
    }
}

TEST(SavedHistory, may_not_name_what_there_is_not) {
    const std::string contradiction = "it contradicts itself";
    SavedHistory h = sample();
    h.operations[0].task = 2;
    EXPECT_EQ(problem_of(h), contradiction);
    h = sample();
    h.tasks[1].module = 2;
    EXPECT_EQ(problem_of(h), contradiction);
    h = sample();
    h.operations[0].requirements[0].footprint = 3;
    EXPECT_EQ(problem_of(h), contradiction);
    h = sample();
    h.sequence[0] = 4;
    EXPECT_EQ(problem_of(h), contradiction);
    h = sample();
    h.operations[0].points = 2;  // its footprint has three
    EXPECT_EQ(problem_of(h), contradiction);
}

TEST(SavedHistory, may_not_link_to_a_requirement_that_there_is_not) {
    const std::string contradiction = "it contradicts itself";
    SavedHistory h = sample();
    h.operations[1].requirements[0].link = ago(1, 1);
    EXPECT_EQ(problem_of(h), contradiction);
    h.operations[1].requirements[0].link = ago(2, 1);  // before the beginning: nobody knows
    EXPECT_EQ(problem_of(h), "");
    h.operations[1].requirements[0].link = same_as(0);  // itself
    EXPECT_EQ(problem_of(h), contradiction);
    h.operations[1].requirements[0].link = 5;
    EXPECT_EQ(problem_of(h), contradiction);
    h.operations[1].requirements[0].link = ~std::uint64_t{0};
    EXPECT_EQ(problem_of(h), contradiction);
}

TEST(SavedHistory, has_reductions_with_an_operator_and_nothing_else_with_one) {
    SavedHistory h = sample();
    h.operations[0].requirements[0].reduction = 1;
    EXPECT_EQ(problem_of(h), "it contradicts itself");
    h = sample();
    h.operations[2].requirements[0].reduction = 0;
    EXPECT_EQ(problem_of(h), "it contradicts itself");
}

TEST(SavedHistory, refuses_boxes_whose_volume_no_number_holds) {
    SavedHistory h = sample();
    h.footprints[2] = {box(-SavedHistory::Limits::coordinate, SavedHistory::Limits::coordinate)};
    EXPECT_EQ(problem_of(h), "it contradicts itself");
    h.footprints[2] = {Box{{0, 0, 0}, {1 << 20, 1 << 20, 2}}};
    EXPECT_EQ(problem_of(h), "it contradicts itself");
    h.footprints[2] = {Box{{0, 0, 0}, {1 << 20, 1 << 20, 1}}};
    EXPECT_EQ(problem_of(h), "");
}

TEST(SavedHistory, refuses_what_would_take_long_to_combine) {
    std::vector<Box> scattered;
    for (std::int64_t i = 0; i < 3000; ++i)
        scattered.push_back({{2 * i, i, 0}, {2 * i + 1, i + 1, 1}});
    EXPECT_FALSE(can_be_saved(std::vector{BoxSet::of_boxes(scattered)}));
    SavedHistory h = sample();
    h.footprints[2] = {BoxSet::of_boxes(scattered)};
    EXPECT_EQ(problem_of(h), "it contradicts itself");
    for (Box& on_a_line : scattered) on_a_line.lo[1] = 0, on_a_line.hi[1] = 1;
    EXPECT_TRUE(can_be_saved(std::vector{BoxSet::of_boxes(scattered)}));
    h.footprints[2] = {BoxSet::of_boxes(scattered)};
    EXPECT_EQ(problem_of(h), "");
    EXPECT_FALSE(can_be_saved(std::vector<BoxSet>(SavedHistory::Limits::points + 1, box(0, 1))));
}

/// Few words must not become much memory: equal subsets are written once, and counted each.
TEST(SavedHistory, counts_subsets_that_are_written_once) {
    SavedHistory h = sample();
    for (int i = 0; i < 1000; ++i)
        h.footprints.emplace_back(SavedHistory::Limits::points);  // empty ones
    EXPECT_EQ(problem_of(h), "it contradicts itself");
}

}  // namespace
}  // namespace refrain::trace::saved_history_test
