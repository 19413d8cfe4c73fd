#include "sizes/fold.hpp"

#include <gtest/gtest.h>
#include <string>

namespace refrain::proxy {
namespace {

std::string text_of(const std::vector<Step>& steps) {
    std::string text;
    for (const Step& step : steps)
        text += step.is_loop() ? std::to_string(step.count) + "(" + text_of(step.body) + ")"
                               : std::string(1, static_cast<char>(step.symbol));
    return text;
}

std::vector<Step> folded(const std::string& letters) {
    return fold(std::vector<std::uint32_t>(letters.begin(), letters.end()));
}

std::string expanded(const std::vector<Step>& steps) {
    std::string text;
    for (const Step& step : steps)
        for (std::uint64_t i = 0; i < step.count; ++i)
            text += step.is_loop() ? expanded(step.body)
                                   : std::string(1, static_cast<char>(step.symbol));
    return text;
}

TEST(Fold, loops_of_loops_are_found) {
    EXPECT_EQ(text_of(folded("abbcbbcd")), "a2(2(b)c)d");
    EXPECT_EQ(text_of(folded("ababababx")), "4(ab)x");
}

TEST(Fold, every_short_sequence_expands_back) {
    for (int length = 0; length <= 9; ++length) {
        std::string letters(static_cast<std::size_t>(length), 'a');
        for (std::size_t at = 0; at < letters.size();) {
            ASSERT_EQ(expanded(folded(letters)), letters);
            for (at = 0; at < letters.size() && letters[at] == 'c'; ++at) letters[at] = 'a';
            if (at < letters.size()) ++letters[at];
        }
    }
}

TEST(Fold, how_often_loops_are_made_does_not_change_their_form) {
    const auto run = [](int outer, int inner) {
        std::string text = "i";
        for (int i = 0; i < outer; ++i)
            text += std::string(static_cast<std::size_t>(inner), 'r') + "sw";
        return folded(text + "f");
    };
    for (int outer = 2; outer < 6; ++outer)
        for (int inner = 2; inner < 6; ++inner)
            EXPECT_TRUE(same_form(run(2, 2), run(outer, inner))) << outer << ' ' << inner;
    EXPECT_FALSE(same_form(run(2, 2), run(2, 1)));
}

}  // namespace
}  // namespace refrain::proxy
