#include "autotrace/slice_symbols.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace refrain::autotrace::slice_symbols_test {
namespace {

TEST(SliceSymbols, number_tokens_by_first_appearance_and_breaks_uniquely) {
    History history{Options{}};
    const auto token = [](std::uint64_t low) { return Token{0, low}; };
    history.append(token(7));
    history.append(token(9));
    history.append(token(7));
    history.append_break();
    history.append(token(7));
    history.append_break();
    history.append(Token{});  // the token that a break stores in the ring
    std::vector<Position> breaks;
    history.list_breaks(0, breaks);
    EXPECT_EQ(breaks, (std::vector<Position>{3, 5}));
    SliceSymbols numbers;
    const auto symbols = numbers.number(history, 0, history.end(), breaks);
    EXPECT_EQ(std::vector<strings::Symbol>(symbols.begin(), symbols.end()),
              (std::vector<strings::Symbol>{0, 1, 0, 2, 0, 3, 4}));
}

TEST(SliceSymbols, distinguish_tokens_by_all_bits) {
    History history{Options{}};
    for (unsigned bit = 0; bit < 64; ++bit) {
        history.append(Token{std::uint64_t{1} << bit, 0});
        history.append(Token{0, std::uint64_t{1} << bit});
    }
    SliceSymbols numbers;
    const auto symbols = numbers.number(history, 0, history.end(), {});
    for (strings::Symbol i = 0; i < symbols.size(); ++i) EXPECT_EQ(symbols[i], i);
}

}  // namespace
}  // namespace refrain::autotrace::slice_symbols_test
