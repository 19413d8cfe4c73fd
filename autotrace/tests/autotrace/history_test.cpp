#include "autotrace/history.hpp"

#include <gtest/gtest.h>

namespace refrain::autotrace::history_test {
namespace {

TEST(History, keeps_tokens_for_the_delay_of_a_result) {
    Options options;
    options.history_tokens = 100;
    options.multi_scale_factor = 10;
    options.trace_length_max = 20;
    options.result_delay_operations = 300;
    History history(options);
    for (std::uint64_t i = 0; i < 10'000; ++i) {
        history.append(Token{0, i});
        if (i < 400) continue;
        ASSERT_EQ(history[Position::at(i - 399)].low, i - 399);
    }
}

TEST(History, lists_the_breaks_of_a_slice_after_many_breaks) {
    Options options;
    options.history_tokens = 50;
    options.multi_scale_factor = 10;
    options.trace_length_max = 20;
    History history(options);
    std::vector<Position> breaks;
    for (int i = 0; i < 5000; ++i) {
        history.append_break();
        if (i % 3 == 0) history.append(Token{0, 1});
    }
    history.list_breaks(history.end() - 8, breaks);
    EXPECT_EQ(breaks.size(), 6U);
    for (std::size_t i = 1; i < breaks.size(); ++i) EXPECT_LT(breaks[i - 1], breaks[i]);
    EXPECT_GE(breaks.front(), history.end() - 8);
}

}  // namespace
}  // namespace refrain::autotrace::history_test
