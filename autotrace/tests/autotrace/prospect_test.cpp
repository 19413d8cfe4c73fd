#include "autotrace/prospect.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <string>

namespace refrain::autotrace::prospect_test {
namespace {

/// Each letter is a token, | is a break.
History history_of(const std::string& text) {
    Options options;
    options.history_tokens = 256;
    options.multi_scale_factor = 16;
    options.trace_length_max = 16;
    History history(options);
    for (const char letter : text)
        if (letter == '|')
            history.append_break();
        else
            history.append(Token{0, static_cast<std::uint64_t>(letter)});
    return history;
}

Prospect prospect(const std::string& text, char letter, std::size_t window = 256) {
    return prospect_of(history_of(text), window, Token{0, static_cast<std::uint64_t>(letter)});
}

TEST(Prospect, of_a_token_that_occurs_once_has_no_repeat) {
    EXPECT_EQ(prospect("abc", 'x').occurrences, 0U);
    EXPECT_EQ(prospect("abc", 'b').occurrences, 1U);
    EXPECT_EQ(prospect("abc", 'b').longest_repeat, 0U);
    EXPECT_EQ(prospect("", 'b').window, 0U);
}

TEST(Prospect, has_the_longest_repeat_around_the_latest_occurrence) {
    EXPECT_EQ(prospect("abcdxabcy", 'b').longest_repeat, 3U);
    EXPECT_EQ(prospect("abcdxabcy", 'd').longest_repeat, 0U);
    EXPECT_EQ(prospect("ab1abc2abc3", 'b').longest_repeat, 3U);
}

TEST(Prospect, of_a_loop_has_repeats_without_overlap) {
    EXPECT_EQ(prospect("ababab", 'a').longest_repeat, 2U);
    EXPECT_EQ(prospect("abababab", 'a').longest_repeat, 4U);
    EXPECT_EQ(prospect("aaaaaa", 'a').longest_repeat, 3U);
    EXPECT_EQ(prospect("aaaaaaa", 'a').longest_repeat, 3U);
}

TEST(Prospect, has_no_repeat_across_a_break) {
    const Prospect cut = prospect("abc|abc", 'c');
    EXPECT_EQ(cut.longest_repeat, 3U);
    EXPECT_TRUE(cut.cut_by_break);
    EXPECT_FALSE(prospect("xabcyabcz", 'b').cut_by_break);
    EXPECT_EQ(prospect("ab|cd1ab|cd2", 'c').longest_repeat, 2U);
}

TEST(Prospect, examines_only_the_window) {
    EXPECT_EQ(prospect("abcabc", 'a', 3).occurrences, 1U);
    EXPECT_EQ(prospect("abcabc", 'a', 6).occurrences, 2U);
}

/// Extends two equal letters in both directions as far as the text around them agrees. Returns the
/// longest string that fits into that part twice without overlap, at a multiple of their distance.
std::size_t plain_longest_repeat(const std::string& text, std::size_t one, std::size_t two) {
    const auto agree = [&](std::size_t a, std::size_t b) {
        return a < text.size() && b < text.size() && text[a] == text[b] && text[a] != '|';
    };
    std::size_t before = 0;
    while (before < one && agree(one - before - 1, two - before - 1)) ++before;
    std::size_t after = 0;
    while (agree(one + after, two + after)) ++after;
    const std::size_t distance = two - one;
    const std::size_t whole = before + after + distance;
    std::size_t longest = 0;
    for (std::size_t length = 1; length <= whole; ++length)
        for (std::size_t shift = distance; shift + length <= whole; shift += distance)
            if (shift >= length) longest = length;
    return longest;
}

TEST(Prospect, agrees_with_comparing_letter_by_letter) {
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        std::mt19937_64 random(seed);
        std::string text;
        const std::size_t letters = 1 + random() % 4;
        for (std::uint64_t length = random() % 24; length != 0; --length)
            text += "abc|"[random() % letters];
        const std::size_t latest = text.rfind('a');
        if (latest == std::string::npos) continue;
        std::size_t longest = 0;
        for (std::size_t at = 0; at < latest; ++at)
            if (text[at] == 'a')
                longest = std::max(longest, plain_longest_repeat(text, at, latest));
        EXPECT_EQ(prospect(text, 'a').longest_repeat, longest) << seed << " " << text;
    }
}

}  // namespace
}  // namespace refrain::autotrace::prospect_test
