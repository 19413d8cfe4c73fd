#include "base/ordinal.hpp"

#include <concepts>
#include <gtest/gtest.h>

namespace refrain::base::ordinal_test {
namespace {

using Number = Ordinal<struct NumberKind>;
using Position = Ordinal<struct PositionKind>;

template <class A, class B>
concept Mix = requires(A a, B b) {
    a == b;
}
|| requires(A a, B b) {
    a - b;
}
|| requires(A a, B b) {
    a < b;
}
|| std::convertible_to<A, B>;

static_assert(Mix<Number, Number>);
static_assert(!Mix<Number, Position>);
static_assert(!std::convertible_to<Number, std::uint64_t>);
static_assert(!std::convertible_to<std::uint64_t, Number>);
static_assert(!std::convertible_to<unsigned, Number>);
static_assert(sizeof(Number) == sizeof(std::uint64_t));

TEST(Ordinal, constants_convert_and_differences_are_counts) {
    Number next = 5;
    EXPECT_EQ(next++, Number{5});
    EXPECT_EQ(++next, Number::at(7));
    EXPECT_EQ(next - Number{4}, 3U);
    EXPECT_EQ((next - 4).value(), 3U);
    EXPECT_EQ((next + 4).value(), 11U);
    EXPECT_EQ(next.back_by(5), Number{2});
    EXPECT_EQ(next.back_by(9), Number{0});
    EXPECT_LT(Number{}, next);
    next += 10;
    next -= 1;
    EXPECT_EQ(next & 7, 0U);
    EXPECT_EQ(next % 5, 1U);
}

}  // namespace
}  // namespace refrain::base::ordinal_test
