#include "strings/optimal_coverage.hpp"

#include "strings/plain_repeats.hpp"
#include "strings/repeats.hpp"
#include "strings/sequences.hpp"

#include <functional>
#include <gtest/gtest.h>
#include <map>

namespace refrain::strings::optimal_coverage_test {
namespace {

using testing::from_text;
using testing::Sequence;

std::size_t best_coverage(const Sequence& symbols, const std::vector<Sequence>& traces) {
    const Matching matching = best_matching(symbols, traces);
    EXPECT_TRUE(is_matching(symbols, traces, matching));
    return coverage(matching);
}

/// The best coverage of all sets of disjoint intervals of at least `length_min` symbols in which
/// each content occurs twice.
std::size_t coverage_by_exhaustion(const Sequence& symbols, std::size_t length_min) {
    std::map<Sequence, int> counts;
    std::size_t best = 0;
    const std::function<void(std::size_t, std::size_t)> extend = [&](std::size_t begin,
                                                                     std::size_t covered) {
        if (begin == symbols.size()) {
            for (const auto& [content, count] : counts) {
                if (count == 1) return;
            }
            best = std::max(best, covered);
            return;
        }
        extend(begin + 1, covered);
        for (std::size_t end = begin + length_min; end <= symbols.size(); ++end) {
            int& count = counts[testing::part(symbols, begin, end - begin)];
            ++count;
            extend(end, covered + end - begin);
            --count;
        }
    };
    extend(0, 0);
    return best;
}

// Figure 2 of the paper compares two sets of traces for one string, with coverages 14 and 18. This
// string has the same coverages for the same reason: the longer trace occurs less often.
TEST(Coverage, of_two_sets_of_traces_for_one_string_is_14_and_18) {
    const Sequence symbols = from_text("abcabcxabcabcxabcyabc");
    EXPECT_EQ(best_coverage(symbols, {from_text("abcabcx")}), 14u);
    EXPECT_EQ(best_coverage(symbols, {from_text("abc")}), 18u);
    EXPECT_EQ(best_coverage(symbols, {from_text("abcabcx"), from_text("abc")}), 20u);
    EXPECT_EQ(find_repeats(symbols, {.length_min = 3}).covered(), 20u);
}

TEST(BestMatching, of_the_example) {
    const std::vector<Sequence> traces{from_text("ab"), from_text("abc")};
    EXPECT_EQ(best_matching(from_text("ababcab"), traces),
              (Matching{{0, 2, 0}, {2, 3, 1}, {5, 2, 0}}));
}

TEST(BestMatching, prefers_few_long_matches_among_equal_coverages) {
    const std::vector<Sequence> traces{from_text("a"), from_text("aaa"), from_text("aa")};
    EXPECT_EQ(best_matching(from_text("aaaa"), traces).size(), 2u);
}

TEST(BestMatching, of_an_empty_string_or_without_traces_covers_nothing) {
    EXPECT_EQ(best_coverage({}, {from_text("a")}), 0u);
    EXPECT_EQ(best_coverage(from_text("abc"), {}), 0u);
    EXPECT_EQ(best_coverage(from_text("abc"), {{}}), 0u);
}

TEST(IsMatching, refuses_overlaps_disorder_and_other_contents) {
    const Sequence symbols = from_text("abab");
    const std::vector<Sequence> traces{from_text("ab"), from_text("ba")};
    EXPECT_TRUE(is_matching(symbols, traces, {{0, 2, 0}, {2, 2, 0}}));
    EXPECT_FALSE(is_matching(symbols, traces, {{0, 2, 0}, {1, 2, 1}})) << "overlap";
    EXPECT_FALSE(is_matching(symbols, traces, {{2, 2, 0}, {0, 2, 0}})) << "disorder";
    EXPECT_FALSE(is_matching(symbols, traces, {{0, 2, 1}})) << "another content";
    EXPECT_FALSE(is_matching(symbols, traces, {{0, 1, 0}})) << "another length";
    EXPECT_FALSE(is_matching(symbols, traces, {{3, 2, 0}})) << "beyond the end";
    EXPECT_FALSE(is_matching(symbols, traces, {{0, 2, 2}})) << "no such trace";
}

TEST(OptimalCoverage, of_the_string_of_figure_4_leaves_one_symbol_out) {
    const Sequence symbols = from_text("aabcbcbaa");
    const OptimalCoverage optimum = optimal_coverage(symbols, 2);
    EXPECT_EQ(optimum.covered, 8u);
    EXPECT_TRUE(is_matching(symbols, optimum.traces, optimum.matching));
}

TEST(OptimalCoverage, equals_that_of_an_exhaustive_search) {
    const auto check = [](const Sequence& symbols) {
        for (const Index length_min : {1, 2, 3}) {
            ASSERT_EQ(optimal_coverage(symbols, length_min).covered,
                      coverage_by_exhaustion(symbols, length_min))
                << testing::to_text(symbols) << ", length_min " << length_min;
        }
    };
    testing::for_each_short_sequence(2, 9, check);
    testing::for_each_short_sequence(3, 6, check);
    testing::for_each_short_sequence(4, 5, check);
}

TEST(OptimalCoverage, matches_each_trace_at_least_twice) {
    testing::for_each_short_sequence(2, 11, [](const Sequence& symbols) {
        const OptimalCoverage optimum = optimal_coverage(symbols, 2);
        ASSERT_TRUE(is_matching(symbols, optimum.traces, optimum.matching));
        ASSERT_EQ(coverage(optimum.matching), optimum.covered);
        std::vector<int> uses(optimum.traces.size(), 0);
        for (const Match& match : optimum.matching) ++uses[match.trace];
        for (const int count : uses) ASSERT_GE(count, 2) << testing::to_text(symbols);
    });
}

TEST(OptimalCoverage, is_never_below_that_of_the_greedy_choice) {
    RepeatFinder finder;
    const auto check = [&](const Sequence& symbols) {
        for (const std::uint32_t length_min : {1, 2, 3}) {
            ASSERT_LE(finder.find(symbols, {.length_min = length_min}).covered(),
                      optimal_coverage(symbols, static_cast<Index>(length_min)).covered)
                << testing::to_text(symbols) << ", length_min " << length_min;
        }
    };
    testing::for_each_short_sequence(2, 13, check);
    testing::for_each_short_sequence(3, 8, check);
}

}  // namespace
}  // namespace refrain::strings::optimal_coverage_test
