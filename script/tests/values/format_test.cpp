#include "values/format.hpp"

#include "values/text.hpp"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <random>
#include <sstream>
#include <unistd.h>

/// Formatting is that of Tcl's format: the same random formats and values are given to both.
namespace refrain::script::format_test {

struct Case {
    std::string format;
    Value value;
};

Value random_value(char conversion, std::mt19937& random) {
    const auto below = [&](std::size_t end) { return random() % end; };
    constexpr std::array<std::int64_t, 8> ints = {0,      1,         -1,        7,
                                                  -12345, 987654321, INT64_MAX, INT64_MIN + 1};
    constexpr std::array<double, 8> floats = {0.0,  1.0,     -1.5,       3.14159265,
                                              1e-7, -2.5e20, 123456.789, 1e100};
    constexpr std::array<const char*, 6> texts = {"",          "a",    "some words",
                                                  "x=[1] {y}", "100%", "\u00e9\u20ac x"};
    if (conversion == 'c')
        return static_cast<std::int64_t>(below(4) == 0 ? 0x20a0 + below(32) : 32 + below(95));
    if (conversion == 's') return texts[below(texts.size())];
    if (std::string_view("eEfgG").find(conversion) != std::string_view::npos)
        return floats[below(floats.size())];
    return ints[below(ints.size())];
}

Case random_case(std::mt19937& random) {
    const auto below = [&](std::size_t end) { return random() % end; };
    constexpr std::string_view conversions = "dixXoueEfgGcs";
    const char conversion = conversions[below(conversions.size())];
    std::string format = below(2) == 0 ? "<%" : "%% [a] %";
    for (const char flag : std::string_view("-+ 0"))
        if (below(4) == 0) format += flag;
    if (below(2) == 0) format += std::to_string(1 + below(30));
    if (below(2) == 0) format += "." + std::to_string(below(18));
    return {format + conversion + ">", random_value(conversion, random)};
}

/// What Tcl makes of them, a line each.
std::vector<std::string> by_tcl(const std::vector<Case>& cases) {
    const std::string name = testing::TempDir() + "refrain_format_" + std::to_string(getpid());
    std::ofstream script(name + ".tcl");
    script << "fconfigure stdout -encoding utf-8\n";
    for (const Case& each : cases)
        script << "puts [format {" << each.format << "} "
               << (each.value.is<std::string>() ? "{" + each.value.string() + "}"
                                                : text_of(each.value))
               << "]\n";
    script.close();
    const int status =
        std::system(("tclsh -encoding utf-8 " + name + ".tcl > " + name + ".txt").c_str());
    EXPECT_EQ(status, 0);
    std::ifstream made(name + ".txt");
    std::vector<std::string> lines;
    for (std::string line; std::getline(made, line);) lines.push_back(line);
    std::filesystem::remove(name + ".tcl");
    std::filesystem::remove(name + ".txt");
    return lines;
}

TEST(Format, random_formats_are_filled_as_by_tcl) {
    if (std::system("tclsh </dev/null >/dev/null 2>&1") != 0)
        GTEST_SKIP() << "there is no tclsh here (Debian: apt-get install tcl)";
    std::mt19937 random(17);
    std::vector<Case> cases;
    for (int i = 0; i < 20'000; ++i) cases.push_back(random_case(random));
    const std::vector<std::string> expected = by_tcl(cases);
    ASSERT_EQ(expected.size(), cases.size());
    for (std::size_t i = 0; i < cases.size(); ++i)
        ASSERT_EQ(format_values(cases[i].format, std::array<Value, 1>{cases[i].value}), expected[i])
            << "case " << i << ": " << cases[i].format << " of " << text_of(cases[i].value);
}

}  // namespace refrain::script::format_test
