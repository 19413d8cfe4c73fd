/// Rules of region states that look too strict: each looser reading has a counterexample, random
/// programs find others, and RegionStates gets them all right.

#include "analysis/oracle_comparison.hpp"

#include <gtest/gtest.h>

#include "states/plain_states.hpp"
#include "states/state_analyser.hpp"
#include "tries.hpp"

namespace refrain::states::testing::loose_readings_test {
namespace {

using analysis::testing::difference_from_oracle;
using analysis::testing::ProgramMaker;
using analysis::testing::reads;
using analysis::testing::reduces;
using analysis::testing::span;
using analysis::testing::Step;
using analysis::testing::updates;
using analysis::testing::writes;

std::string plain_difference(const AccessProgram& program, std::uint32_t window, Reading reading) {
    PlainStates plain(program, window, reading);
    return difference_from_oracle(plain, program, window);
}

/// Of programs from random seeds, how many the reading gets wrong.
int wrong_among(std::uint64_t programs, Reading reading) {
    int wrong = 0;
    for (std::uint64_t seed = 0; seed < programs; ++seed)
        wrong += !plain_difference(ProgramMaker(seed).make(24), 2U << seed % 7, reading).empty();
    return wrong;
}

/// The steps, on one region of eight elements, are a counterexample; `what` is what goes wrong.
void expect_counterexample(Reading reading, std::vector<Step> steps, const std::string& what,
                           std::uint32_t window = 64) {
    const AccessProgram program{{{1, 8}}, std::move(steps)};
    const std::string difference = plain_difference(program, window, reading);
    EXPECT_EQ(difference.substr(0, what.size()), what) << difference;
    EXPECT_EQ(plain_difference(program, window, Reading::exact), "");
    StateAnalyser analyser(window);
    for (int run = 0; run < 2; ++run) {  // by new transitions, and by known ones
        analyser.begin(program);
        EXPECT_EQ(difference_from_oracle(analyser, program, window), "");
    }
    const bool is_rare = reading == Reading::lists_are_joined_end_to_end;
    EXPECT_GT(wrong_among(is_rare ? 400 : 100, reading), 0);
}

constexpr Elements first = span(0, 1);
constexpr Elements last = span(4, 5);
constexpr Elements ends = first | last;
constexpr Elements whole = span(0, 8);

TEST(LooseReadings, the_plain_states_read_exactly_have_the_dependences_of_the_oracle) {
    EXPECT_EQ(wrong_among(tries(400), Reading::exact), 0);
}

TEST(LooseReadings, a_group_that_was_cut_is_not_joined_by_one_of_its_former_shape) {
    expect_counterexample(
        Reading::groups_of_equal_shape_are_one,
        {{{reads(0, {ends})}}, {{writes(0, {last})}}, {{reads(0, {ends})}}, {{writes(0, {last})}}},
        "missing at step 3");
}

TEST(LooseReadings, requirements_of_one_operation_do_not_cover_each_other) {
    expect_counterexample(
        Reading::requirements_come_one_after_the_other,
        {{{updates(0, {first, 0}), writes(0, {0, first})}}, {{writes(0, {first})}}},
        "missing at step 1");
}

TEST(LooseReadings, reductions_do_not_cover) {
    expect_counterexample(
        Reading::reductions_cover,
        {{{reduces(0, {whole})}}, {{reduces(0, {whole})}}, {{writes(0, {whole})}}},
        "missing at step 2");
}

TEST(LooseReadings, a_reader_does_not_hide_the_writer) {
    expect_counterexample(Reading::readers_hide_the_writer,
                          {{{writes(0, {whole})}}, {{reads(0, {whole})}}, {{reads(0, {whole})}}},
                          "missing at step 2");
}

TEST(LooseReadings, a_later_reader_does_not_replace_its_like) {
    expect_counterexample(Reading::readers_replace_their_like,
                          {{{reads(0, {whole})}}, {{reads(0, {whole})}}, {{writes(0, {whole})}}},
                          "missing at step 2");
}

TEST(LooseReadings, lists_are_joined_by_age_since_reading_ends_at_a_finished_member) {
    expect_counterexample(Reading::lists_are_joined_end_to_end,
                          {{{reduces(0, {ends})}},
                           {{writes(0, {first})}},
                           {{reduces(0, {ends})}},
                           {{writes(0, {first})}},
                           {{reads(0, {last})}}},
                          "missing at step 4", 4);
}

TEST(LooseReadings, each_point_has_its_own_residue) {
    expect_counterexample(Reading::the_residue_is_the_launchs,
                          {{{writes(0, {first, last})}}, {{reads(0, {last})}}},
                          "no conflict at step 1");
}

TEST(LooseReadings, a_writer_waits_for_a_writer_only_where_nobody_used_its_values) {
    expect_counterexample(Reading::nothing_is_fresh,
                          {{{writes(0, {whole})}}, {{reads(0, {whole})}}, {{writes(0, {whole})}}},
                          "not direct at step 2");
}

}  // namespace
}  // namespace refrain::states::testing::loose_readings_test
