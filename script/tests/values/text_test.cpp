#include "values/text.hpp"

#include "values/format.hpp"
#include "values/script_error.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace refrain::script::text_test {

TEST(FloatText, always_has_a_point_or_an_exponent) {
    EXPECT_EQ(float_text(3), "3.0");
    EXPECT_EQ(float_text(-0.25), "-0.25");
    EXPECT_EQ(float_text(1e16), "10000000000000000.0");
    EXPECT_EQ(float_text(1e17), "1e+17");
    EXPECT_EQ(float_text(1e-4), "0.0001");
    EXPECT_EQ(float_text(1e-5), "1e-5");
    EXPECT_EQ(float_text(0.1), "0.1");
    EXPECT_EQ(float_text(1.0 / 3), "0.3333333333333333");
    EXPECT_EQ(float_text(-0.0), "-0.0");
    EXPECT_EQ(float_text(INFINITY), "Inf");
    EXPECT_EQ(float_text(-INFINITY), "-Inf");
    EXPECT_EQ(float_text(NAN), "NaN");
}

TEST(FloatText, reads_back_as_the_same_float) {
    for (double value = 1e-300; value < 1e300; value *= 7.3)
        EXPECT_EQ(std::stod(float_text(value)), value);
}

TEST(ReprOf, puts_nested_parts_into_braces) {
    Table inner;
    inner.emplace(std::int64_t{0}, Value("a b"));
    Table outer;
    outer.emplace(std::int64_t{3}, Value::table(inner));
    EXPECT_EQ(repr_of(Value::table(outer)), "3 {0 {a b}}");
}

TEST(FormatValues, follows_tcl) {
    const auto formatted = [](const char* format, std::vector<Value> values) {
        return format_values(format, values);
    };
    EXPECT_EQ(formatted("%03i|%-4s|%.2f", {std::int64_t{7}, Value("ab"), Value(1.005)}),
              "007|ab  |1.00");
    EXPECT_EQ(formatted("%f", {std::int64_t{3}}), "3.000000");
    EXPECT_EQ(formatted("100%%", {}), "100%");
    EXPECT_EQ(formatted("%c", {std::int64_t{0x20ac}}), "€");
    EXPECT_EQ(formatted("%i", {std::int64_t{1}, std::int64_t{2}}), "1");
    EXPECT_THROW(formatted("%i", {Value(3.0)}), ScriptError);
    EXPECT_THROW(formatted("%s %s", {Value("a")}), ScriptError);
}

}  // namespace refrain::script::text_test
