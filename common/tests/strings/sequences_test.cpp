#include "strings/sequences.hpp"

#include <gtest/gtest.h>
#include <set>

namespace refrain::strings::testing::sequences_test {
namespace {

TEST(Sequences, each_short_one_is_visited_once) {
    std::set<Sequence> seen;
    std::size_t visits = 0;
    for_each_short_sequence(3, 4, [&](const Sequence& symbols) {
        seen.insert(symbols);
        ++visits;
    });
    EXPECT_EQ(visits, 1u + 3 + 9 + 27 + 81);
    EXPECT_EQ(seen.size(), visits);
}

TEST(Sequences, a_de_bruijn_word_has_each_window_once) {
    for (unsigned order = 1; order <= 10; ++order) {
        const Sequence word = de_bruijn_word(order);
        std::set<Sequence> windows;
        for (std::size_t i = 0; i < word.size(); ++i) {
            Sequence window;
            for (unsigned j = 0; j < order; ++j) window.push_back(word[(i + j) % word.size()]);
            windows.insert(window);
        }
        EXPECT_EQ(windows.size(), std::size_t{1} << order);
    }
}

TEST(Sequences, the_named_words_begin_as_known) {
    EXPECT_EQ(to_text(fibonacci_word(13)), "abaababaabaab");
    EXPECT_EQ(to_text(thue_morse_word(16)), "abbabaabbaababba");
    EXPECT_EQ(to_text(periodic_word(7, 3)), "abcabca");
}

}  // namespace
}  // namespace refrain::strings::testing::sequences_test
