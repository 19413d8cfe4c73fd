#include "commands/operation_reader.hpp"

#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

namespace refrain::commands::operation_reader_test {
namespace {

using Kind = StreamLine::Kind;

std::vector<StreamLine> read(const std::string& text) {
    std::istringstream input(text);
    OperationReader reader(input, "stream");
    std::vector<StreamLine> lines;
    StreamLine line{};
    while (reader.next(line)) lines.push_back(line);
    return lines;
}

std::string error_of(const std::string& text) {
    try {
        static_cast<void>(read(text));
    } catch (const MalformedLine& error) {
        return error.what();
    }
    return "accepted";
}

TEST(OperationReader, distinguishes_the_kinds_of_lines) {
    const std::vector<StreamLine> lines = read("17\n!\n?\n.\n# a remark\n\n  0x1F \r\n");
    ASSERT_EQ(lines.size(), 5U);
    EXPECT_EQ(lines[0].kind, Kind::operation);
    EXPECT_EQ(lines[0].token, (autotrace::Token{0, 17}));
    EXPECT_EQ(lines[1].kind, Kind::untraceable);
    EXPECT_EQ(lines[2].kind, Kind::wait);
    EXPECT_EQ(lines[3].kind, Kind::ignorable);
    EXPECT_EQ(lines[4].token, (autotrace::Token{0, 31}));
}

TEST(OperationReader, reads_tokens_of_128_bits) {
    const auto tokens = read(
        "340282366920938463463374607431768211455\n0xffffffffffffffffffffffffffffffff\n"
        "0x00000000000000000010000000000000002\n18446744073709551616\n0\n");
    ASSERT_EQ(tokens.size(), 5U);
    EXPECT_EQ(tokens[0].token, (autotrace::Token{~0ULL, ~0ULL}));
    EXPECT_EQ(tokens[1].token, (autotrace::Token{~0ULL, ~0ULL}));
    EXPECT_EQ(tokens[2].token, (autotrace::Token{1, 2}));
    EXPECT_EQ(tokens[3].token, (autotrace::Token{1, 0}));
    EXPECT_EQ(tokens[4].token, (autotrace::Token{0, 0}));
}

TEST(OperationReader, reports_the_number_of_a_malformed_line) {
    EXPECT_EQ(error_of("1\n\n# x\nabc\n").find("stream:4: 'abc' is not an operation; write"), 0U);
    EXPECT_EQ(error_of("0x\n").find("stream:1: '0x' has no digits"), 0U);
    EXPECT_EQ(error_of("1\n12 13\n").find("stream:2: '12 13' is not an operation"), 0U);
    EXPECT_EQ(error_of("-1\n").find("stream:1: '-1' is not"), 0U);
    EXPECT_EQ(error_of("!!\n").find("stream:1: '!!' is not"), 0U);
    EXPECT_EQ(error_of("0x1g\n").find("stream:1: '0x1g' is not"), 0U);
    EXPECT_EQ(error_of("340282366920938463463374607431768211456\n")
                  .find("stream:1: '340282366920938463463374607431768211456' has more than 128"),
              0U);
    EXPECT_NE(error_of("0x100000000000000000000000000000000\n").find("more than 128 bits"),
              std::string::npos);
    EXPECT_EQ(error_of("\x7f\x01L\xff").find("stream:1: '??L?' is not an operation"), 0U);
    EXPECT_NE(error_of(std::string(1000, 'z')).find("zzz...' is not"), std::string::npos);
}

/// A file that is no stream may be one line of gigabytes.
TEST(OperationReader, refuses_a_line_that_is_too_long_before_it_fills_the_memory) {
    const std::string longest = "# " + std::string(OperationReader::line_letters_max - 2, 'x');
    EXPECT_EQ(read("1\n" + longest + "\n2\n").size(), 2U);
    EXPECT_EQ(read("1\n" + longest).size(), 1U);
    const std::string message = error_of("1\n" + longest + "x\n2\n");
    EXPECT_EQ(message.find("stream:2: the line has more than 1048576 letters"), 0U) << message;
}

TEST(OperationReader, reads_a_last_line_without_a_newline) {
    EXPECT_EQ(read("1\n2").size(), 2U);
    EXPECT_TRUE(read("").empty());
}

}  // namespace
}  // namespace refrain::commands::operation_reader_test
