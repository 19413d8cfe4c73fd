#include "autotrace/repeat_filter.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

#include "streams.hpp"

namespace refrain::autotrace::testing::repeat_filter_test {
namespace {

History history_of(const std::vector<std::uint64_t>& stream) {
    History history{Options{}};
    for (const std::uint64_t token : stream) history.append(Token{0, token});
    return history;
}

bool repeats(const std::vector<std::uint64_t>& stream, std::size_t length) {
    for (std::size_t i = 0; i + length <= stream.size(); ++i) {
        const auto first = stream.begin() + static_cast<std::ptrdiff_t>(i);
        const auto last = first + static_cast<std::ptrdiff_t>(length);
        if (std::search(first + 1, stream.end(), first, last) != stream.end()) return true;
    }
    return false;
}

TEST(RepeatFilter, never_excludes_a_repeat) {
    RepeatFilter filter;
    for (unsigned seed = 1; seed <= 300; ++seed) {
        const auto stream = random_symbols(20 + seed % 30, 2 + seed % 40, seed);
        const History history = history_of(stream);
        for (std::size_t length = 1; length <= 6; ++length) {
            if (!repeats(stream, length)) continue;
            ASSERT_TRUE(filter.may_repeat(history, 0, history.end(), length)) << "seed " << seed;
        }
    }
}

TEST(RepeatFilter, excludes_repeats_if_all_tokens_differ) {
    RepeatFilter filter;
    const History history = history_of(no_repeats(8192));
    int passed = 0;
    for (Position begin = 0; begin + 256 <= history.end(); begin += 256) {
        passed += filter.may_repeat(history, begin, begin + 256, 5) ? 1 : 0;
    }
    passed += filter.may_repeat(history, 0, history.end(), 5) ? 1 : 0;
    EXPECT_EQ(passed, 0);
}

}  // namespace
}  // namespace refrain::autotrace::testing::repeat_filter_test
