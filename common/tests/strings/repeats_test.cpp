#include "strings/repeats.hpp"

#include "strings/lcp.hpp"
#include "strings/plain_repeats.hpp"
#include "strings/sequences.hpp"

#include <gtest/gtest.h>
#include <set>
#include <stdexcept>

#include "tries.hpp"

namespace refrain::strings::repeats_test {
namespace {

using testing::PlainRepeat;
using testing::Sequence;

std::vector<PlainRepeat> repeats_of(const Sequence& symbols, const RepeatOptions& options = {}) {
    return testing::spelled_out(symbols, find_repeats(symbols, options));
}

std::vector<PlainRepeat> repeats_of(std::string_view text, const RepeatOptions& options = {}) {
    return repeats_of(testing::from_text(text), options);
}

PlainRepeat repeat(std::string_view content, std::vector<std::uint32_t> occurrences) {
    return {testing::from_text(content), std::move(occurrences)};
}

/// All sequences over 2, 3 and 4 symbols up to lengths that the plain algorithm still handles fast.
template <class Use>
void for_all_short_sequences(Use use) {
    testing::for_each_short_sequence(2, is_sanitized ? 11 : 14, use);
    testing::for_each_short_sequence(3, is_sanitized ? 7 : 9, use);
    testing::for_each_short_sequence(4, is_sanitized ? 6 : 7, use);
}

/// Checks the guarantees of RepeatSet by their definitions.
::testing::AssertionResult is_valid(const Sequence& symbols, const RepeatSet& repeats,
                                    const RepeatOptions& options) {
    std::vector<bool> taken(symbols.size(), false);
    std::set<Sequence> contents;
    std::size_t covered = 0;
    for (const Repeat& found : repeats) {
        if (found.length < options.length_min || found.length > options.length_max) {
            return ::testing::AssertionFailure() << "length " << found.length;
        }
        if (found.occurrences.size() < 2 || found.begin != found.occurrences.front()) {
            return ::testing::AssertionFailure() << found.occurrences.size() << " occurrences";
        }
        const Sequence content = testing::part(symbols, found.begin, found.length);
        if (!contents.insert(content).second) {
            return ::testing::AssertionFailure() << "the content at " << found.begin << " twice";
        }
        if (!std::ranges::is_sorted(found.occurrences)) {
            return ::testing::AssertionFailure() << "occurrences do not ascend";
        }
        for (const std::uint32_t begin : found.occurrences) {
            if (testing::part(symbols, begin, found.length) != content) {
                return ::testing::AssertionFailure() << "no occurrence at " << begin;
            }
            for (std::size_t i = begin; i < begin + found.length; ++i) {
                if (taken[i]) return ::testing::AssertionFailure() << "overlap at " << i;
                taken[i] = true;
                ++covered;
            }
        }
    }
    if (covered != repeats.covered()) return ::testing::AssertionFailure() << "covered()";
    return ::testing::AssertionSuccess();
}

TEST(Repeats, of_figure_4_of_the_paper_are_aa_and_bc) {
    EXPECT_EQ(repeats_of("aabcbcbaa"),
              (std::vector<PlainRepeat>{repeat("aa", {0, 7}), repeat("bc", {2, 4})}));
}

TEST(Repeats, of_small_examples) {
    EXPECT_EQ(repeats_of("banana"), (std::vector<PlainRepeat>{repeat("an", {1, 3})}));
    EXPECT_EQ(repeats_of("aaaaaa"), (std::vector<PlainRepeat>{repeat("aaa", {0, 3})}));
    EXPECT_EQ(repeats_of("aaa"), (std::vector<PlainRepeat>{repeat("a", {0, 1, 2})}));
    EXPECT_EQ(repeats_of("fdddababcdcdcdeddd"),
              (std::vector<PlainRepeat>{repeat("ddd", {1, 15}), repeat("ab", {4, 6}),
                                        repeat("cd", {8, 10, 12})}));
}

TEST(Repeats, of_sequences_without_repeats_are_none) {
    for (const std::string_view text : {"", "a", "ab", "abcdefgh"}) {
        EXPECT_TRUE(repeats_of(text).empty()) << text;
    }
    EXPECT_TRUE(repeats_of("aa", {.length_min = 2}).empty());
}

TEST(Repeats, are_those_of_the_plain_algorithm_on_all_short_sequences) {
    RepeatFinder finder;
    for_all_short_sequences([&](const Sequence& symbols) {
        for (const std::uint32_t length_min : {1, 2, 3}) {
            const RepeatSet& found = finder.find(symbols, {.length_min = length_min});
            ASSERT_EQ(testing::spelled_out(symbols, found),
                      testing::plain_repeats(symbols, length_min))
                << testing::to_text(symbols) << ", length_min " << length_min;
        }
    });
}

TEST(Repeats, are_those_of_the_plain_algorithm_on_hard_sequences) {
    RepeatFinder finder;
    for (const std::size_t length : {33, 150, 400}) {
        for (const auto& [name, symbols] : testing::hard_sequences(length)) {
            for (const std::uint32_t length_min : {1, 5, 25}) {
                const RepeatSet& found = finder.find(symbols, {.length_min = length_min});
                EXPECT_EQ(testing::spelled_out(symbols, found),
                          testing::plain_repeats(symbols, length_min))
                    << name << ", length " << length << ", length_min " << length_min;
            }
        }
    }
}

TEST(Repeats, repeat_and_are_disjoint_and_distinct_on_all_short_sequences) {
    RepeatFinder finder;
    for_all_short_sequences([&](const Sequence& symbols) {
        for (const RepeatOptions& options :
             {RepeatOptions{1}, RepeatOptions{3}, RepeatOptions{1, 2}, RepeatOptions{2, 3}}) {
            ASSERT_TRUE(is_valid(symbols, finder.find(symbols, options), options))
                << testing::to_text(symbols);
        }
    });
}

TEST(Repeats, repeat_and_are_disjoint_and_distinct_in_long_sequences) {
    RepeatFinder finder;
    for (const auto& [name, symbols] : testing::hard_sequences(20'000)) {
        for (const RepeatOptions& options :
             {RepeatOptions{1}, RepeatOptions{25}, RepeatOptions{5, 64}, RepeatOptions{10, 12}}) {
            EXPECT_TRUE(is_valid(symbols, finder.find(symbols, options), options))
                << name << ", at least " << options.length_min;
        }
    }
}

/// Whether two neighbours in the suffix array overlap, so that they propose less than their prefix.
bool proposals_are_shortened(const Sequence& symbols) {
    const auto suffixes = suffix_array(symbols);
    const auto lcp = longest_common_prefixes(symbols, suffixes);
    for (std::size_t i = 0; i < lcp.size(); ++i) {
        if (std::abs(suffixes[i] - suffixes[i + 1]) < lcp[i]) return true;
    }
    return false;
}

TEST(LongestRepeat, is_found_where_no_neighbours_overlap) {
    std::size_t sequences = 0;
    for_all_short_sequences([&](const Sequence& symbols) {
        if (proposals_are_shortened(symbols)) return;
        const std::size_t longest = testing::longest_disjoint_repeat(symbols);
        const RepeatSet found = find_repeats(symbols);
        ASSERT_EQ(found.empty() ? 0 : found[0].length, longest) << testing::to_text(symbols);
        ++sequences;
    });
    EXPECT_GT(sequences, is_sanitized ? 5'000u : 10'000u);
}

// In a run of period d only whole periods are proposed: in abababa (longest disjoint repeat aba)
// the algorithm finds ab. It misses less than half.
TEST(LongestRepeat, is_less_than_twice_the_longest_found_in_all_short_sequences) {
    for_all_short_sequences([&](const Sequence& symbols) {
        const std::size_t longest = testing::longest_disjoint_repeat(symbols);
        const RepeatSet found = find_repeats(symbols);
        const std::size_t found_longest = found.empty() ? 0 : found[0].length;
        ASSERT_LE(found_longest, longest) << testing::to_text(symbols);
        ASSERT_GE(2 * found_longest, longest + (longest > 0 ? 1 : 0)) << testing::to_text(symbols);
    });
    EXPECT_EQ(repeats_of("abababa"), (std::vector<PlainRepeat>{repeat("ab", {0, 2, 4})}));
    EXPECT_EQ(testing::longest_disjoint_repeat(testing::from_text("abababa")), 3u);
}

TEST(PeriodicSequence, is_covered_except_for_less_than_two_periods) {
    for (Symbol period = 1; period <= 40; ++period) {
        for (std::size_t length = 2 * period; length <= 6 * period + 1; ++length) {
            const Sequence symbols = testing::periodic_word(length, period);
            const RepeatSet found = find_repeats(symbols, {.length_min = period});
            EXPECT_GT(found.covered() + 2 * period, length) << "period " << period;
            EXPECT_EQ(found[0].length % period, 0u) << "period " << period;
        }
    }
}

// Take the neighbours ababab.. at 4 and abababab.. at 2 of a periodic sequence. The test whether
// their common prefixes overlap evaluates 4 - common, which is negative. As an unsigned number it
// is huge, so "2 <= 4 - common" holds, the two count as far apart, both of their long prefixes are
// proposed, only one can be accepted, and the repeat is lost.
TEST(PeriodicSequence, loses_repeats_to_unsigned_index_differences_but_not_here) {
    const auto wrapping = [](std::size_t a, std::size_t b, std::size_t common) {
        return b >= a + common || b <= a - common;
    };
    std::size_t sequences_that_lose = 0;
    for (Symbol period = 1; period <= 10; ++period) {
        const Sequence symbols = testing::periodic_word(100, period);
        const std::size_t lost_to_wrapping =
            testing::covered(testing::plain_repeats(symbols, 1, wrapping));
        const RepeatSet found = find_repeats(symbols);
        EXPECT_GE(found.covered(), 100 - 2 * period) << "period " << period;
        EXPECT_LE(lost_to_wrapping, found.covered()) << "period " << period;
        if (lost_to_wrapping < found.covered()) ++sequences_that_lose;
    }
    EXPECT_GT(sequences_that_lose, 0u);
}

TEST(RepeatOptions, that_contradict_are_refused_with_both_values) {
    const Sequence symbols = testing::from_text("abab");
    EXPECT_THROW((void)find_repeats(symbols, {.length_min = 0}), std::invalid_argument);
    try {
        (void)find_repeats(symbols, {.length_min = 5, .length_max = 4});
        FAIL() << "no exception";
    } catch (const std::invalid_argument& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("'length_max' is 4"), std::string::npos) << text;
        EXPECT_NE(text.find("'length_min' 5"), std::string::npos) << text;
    }
}

TEST(RepeatFinder, gives_the_same_answers_as_a_fresh_one_after_other_searches) {
    RepeatFinder finder;
    for (const std::size_t length : {500, 40, 300}) {
        for (const auto& [name, symbols] : testing::hard_sequences(length)) {
            for (const RepeatOptions& options : {RepeatOptions{1}, RepeatOptions{4, 9}}) {
                const auto again = testing::spelled_out(symbols, finder.find(symbols, options));
                EXPECT_EQ(again, repeats_of(symbols, options)) << name;
            }
        }
    }
}

TEST(RepeatFinder, needs_no_more_memory_for_a_second_search) {
    RepeatFinder finder;
    const auto search_all = [&] {
        for (const auto& [name, symbols] : testing::hard_sequences(5'000)) {
            finder.find(symbols, {.length_min = 5, .length_max = 64});
        }
        return finder.memory_bytes();
    };
    const std::size_t bytes = search_all();
    EXPECT_EQ(search_all(), bytes);
}

TEST(RepeatSet, stays_valid_when_moved) {
    const Sequence symbols = testing::from_text("aabcbcbaa");
    RepeatSet found = find_repeats(symbols);
    const RepeatSet moved = std::move(found);
    EXPECT_EQ(testing::spelled_out(symbols, moved),
              (std::vector<PlainRepeat>{repeat("aa", {0, 7}), repeat("bc", {2, 4})}));
}

}  // namespace
}  // namespace refrain::strings::repeats_test
