#include "strings/suffix_array.hpp"

#include "strings/lcp.hpp"
#include "strings/sequences.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

namespace refrain::strings::suffix_array_test {
namespace {

using testing::Sequence;

std::vector<Index> suffixes_sorted_by_comparison(const Sequence& symbols) {
    std::vector<Index> suffixes(symbols.size());
    std::iota(suffixes.begin(), suffixes.end(), 0);
    std::sort(suffixes.begin(), suffixes.end(), [&](Index a, Index b) {
        return std::lexicographical_compare(symbols.begin() + a, symbols.end(), symbols.begin() + b,
                                            symbols.end());
    });
    return suffixes;
}

/// Checks the order without sorting: neighbours ascend, and each position occurs once.
::testing::AssertionResult is_suffix_array(const Sequence& symbols,
                                           std::span<const Index> suffixes) {
    std::vector<Index> ranks(symbols.size() + 1, -1);  // the last one, of the end: below all others
    for (std::size_t rank = 0; rank < suffixes.size(); ++rank) {
        ranks[suffixes[rank]] = static_cast<Index>(rank);
    }
    if (suffixes.size() != symbols.size() || std::count(ranks.begin(), ranks.end(), -1) != 1) {
        return ::testing::AssertionFailure() << "not a permutation";
    }
    for (std::size_t rank = 1; rank < suffixes.size(); ++rank) {
        const Index a = suffixes[rank - 1];
        const Index b = suffixes[rank];
        if (symbols[a] > symbols[b] || (symbols[a] == symbols[b] && ranks[a + 1] > ranks[b + 1])) {
            return ::testing::AssertionFailure() << "rank " << rank << " is below its predecessor";
        }
    }
    return ::testing::AssertionSuccess();
}

TEST(SuffixArray, of_banana) {
    EXPECT_EQ(suffix_array(testing::from_text("banana")), (std::vector<Index>{5, 3, 1, 0, 4, 2}));
}

TEST(SuffixArray, agrees_with_sorting_all_suffixes_of_all_short_sequences) {
    SuffixArrayBuilder builder;
    const auto check = [&](const Sequence& symbols) {
        const auto suffixes = builder.build(symbols);
        ASSERT_TRUE(std::ranges::equal(suffixes, suffixes_sorted_by_comparison(symbols)))
            << testing::to_text(symbols);
    };
    testing::for_each_short_sequence(2, 14, check);
    testing::for_each_short_sequence(3, 9, check);
    testing::for_each_short_sequence(4, 7, check);
}

TEST(SuffixArray, agrees_with_sorting_all_suffixes_of_hard_sequences) {
    for (const auto& [name, symbols] : testing::hard_sequences(600)) {
        EXPECT_EQ(suffix_array(symbols), suffixes_sorted_by_comparison(symbols)) << name;
    }
}

TEST(SuffixArray, is_ordered_at_sizes_that_need_deep_recursion) {
    SuffixArrayBuilder builder;  // reused: results must not depend on earlier, larger calls
    for (const std::size_t length : {100'000, 65'536, 65'537, 1'000}) {
        for (const auto& [name, symbols] : testing::hard_sequences(length)) {
            EXPECT_TRUE(is_suffix_array(symbols, builder.build(symbols)))
                << name << ", length " << length;
        }
    }
}

TEST(SuffixArray, memory_is_kept_between_calls) {
    SuffixArrayBuilder builder;
    const Sequence wide = testing::random_word(10'000, 4'000'000'000u, 1);
    const Sequence narrow = testing::random_word(10'000, 10'000, 2);
    builder.build(wide);
    builder.build(narrow);
    const std::size_t bytes = builder.memory_bytes();
    builder.build(wide);
    builder.build(narrow);
    EXPECT_EQ(builder.memory_bytes(), bytes);
}

TEST(Lcp, of_banana) {
    const Sequence symbols = testing::from_text("banana");
    EXPECT_EQ(longest_common_prefixes(symbols, suffix_array(symbols)),
              (std::vector<Index>{1, 3, 0, 0, 2}));
}

TEST(Lcp, agrees_with_comparing_neighbours) {
    const auto check = [](const Sequence& symbols) {
        const auto suffixes = suffix_array(symbols);
        const auto lcp = longest_common_prefixes(symbols, suffixes);
        ASSERT_EQ(lcp.size(), symbols.empty() ? 0 : symbols.size() - 1);
        for (std::size_t i = 0; i < lcp.size(); ++i) {
            const auto ends = std::mismatch(symbols.begin() + suffixes[i], symbols.end(),
                                            symbols.begin() + suffixes[i + 1], symbols.end());
            ASSERT_EQ(lcp[i], ends.first - symbols.begin() - suffixes[i])
                << testing::to_text(symbols) << " at rank " << i;
        }
    };
    testing::for_each_short_sequence(2, 12, check);
    testing::for_each_short_sequence(3, 8, check);
    for (const auto& [name, symbols] : testing::hard_sequences(500)) check(symbols);
}

TEST(Lcp, ranks_invert_the_suffix_array) {
    const Sequence symbols = testing::fibonacci_word(300);
    const auto suffixes = suffix_array(symbols);
    std::vector<Index> ranks(suffixes.size());
    invert_suffix_array(suffixes, ranks);
    for (std::size_t i = 0; i < suffixes.size(); ++i) EXPECT_EQ(ranks[suffixes[i]], i);
}

}  // namespace
}  // namespace refrain::strings::suffix_array_test
