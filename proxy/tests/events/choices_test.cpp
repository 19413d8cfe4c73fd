#include "events/choices.hpp"

#include <clocale>
#include <gtest/gtest.h>
#include <string>

namespace refrain::proxy::choices_test {
namespace {

TEST(Choices, points_of_a_run_are_seconds_calls_or_pcontrol) {
    EXPECT_EQ(read_run_point("2.5s")->seconds, 2.5);
    EXPECT_EQ(read_run_point("1000")->calls, 1000u);
    EXPECT_EQ(read_run_point("pcontrol")->kind, RunPoint::Kind::pcontrol);
    for (const char* const wrong : {"", "s", "-1", "2.5", "1e", "10 s", "soon", "1000x"})
        EXPECT_FALSE(read_run_point(wrong)) << wrong;
}

TEST(Choices, bytes_have_units) {
    EXPECT_EQ(read_bytes("64M"), std::uint64_t{64} << 20);
    EXPECT_EQ(read_bytes("1.5K"), 1536u);
    EXPECT_EQ(read_bytes("64MB"), 64'000'000u);
    EXPECT_EQ(read_bytes("64MiB"), std::uint64_t{64} << 20);
    EXPECT_EQ(read_bytes("7"), 7u);
    for (const char* const wrong : {"", "M", "-1M", "64MX", "1e300"})
        EXPECT_FALSE(read_bytes(wrong)) << wrong;
}

TEST(Choices, a_number_has_a_point_whatever_the_locale) {
    const std::string before = std::setlocale(LC_NUMERIC, nullptr);
    for (const char* const locale : {"de_DE.UTF-8", "fr_FR.UTF-8", "C"}) {
        std::setlocale(LC_NUMERIC, locale);
        EXPECT_EQ(read_number("0.25"), 0.25);
        EXPECT_FALSE(read_number("0,25"));
    }
    std::setlocale(LC_NUMERIC, before.c_str());
}

}  // namespace
}  // namespace refrain::proxy::choices_test
