#include "base/text.hpp"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <set>

namespace refrain::base {
namespace {

TEST(Text, durations_have_the_unit_that_suits_them) {
    EXPECT_EQ(duration_text(120e-6), "120 µs");
    EXPECT_EQ(duration_text(0.0035), "3.5 ms");
    EXPECT_EQ(duration_text(2.5), "2.50 s");
}

TEST(Text, the_content_of_a_folder_and_of_no_file_is_nothing) {
    EXPECT_FALSE(content_of(testing::TempDir()));
    EXPECT_FALSE(content_of(testing::TempDir() + "there is no such file"));
    const std::string path = testing::TempDir() + "refrain-text-test";
    std::ofstream(path, std::ios::binary) << std::string("a\0b\n", 4);
    EXPECT_EQ(content_of(path), std::string("a\0b\n", 4));
}

TEST(Text, printed_has_room_for_long_texts) {
    EXPECT_EQ(printed("%5.1f|%s", 2.25, std::string(300, 'x').c_str()),
              "  2.2|" + std::string(300, 'x'));
}

TEST(Text, joined_keeps_empty_texts) {
    EXPECT_EQ(joined(std::vector<std::string>{"", "b", ""}), ", b, ");
    EXPECT_EQ(joined(std::set<std::string>{"b", "a"}, "/"), "a/b");
    EXPECT_EQ(joined(std::vector<std::string>{}), "");
}

TEST(Text, numbers_of_bytes_have_units) {
    for (const unsigned kilo : {1000U, 1024U}) {
        EXPECT_EQ(read_bytes("0", kilo), 0);
        EXPECT_EQ(read_bytes("12B", kilo), 12);
        EXPECT_EQ(read_bytes("1.5KB", kilo), 1500);
        EXPECT_EQ(read_bytes("2MiB", kilo), 2 << 20);
        EXPECT_EQ(read_bytes("3G", kilo), std::uint64_t{3} * kilo * kilo * kilo);
        for (const char* wrong : {"", "K", "KB", "x", "1KK", "1iB", "1KiBB", "1Ki", "1MBs", "-1",
                                  "1e3", "1.2.3", "1 K", "1k", "1000000001G", "1KBiB", "1BB"})
            EXPECT_FALSE(read_bytes(wrong, kilo)) << wrong;
    }
}

TEST(Text, an_empty_variable_counts_as_one_that_is_not_set) {
    setenv("REFRAIN_TEXT_TEST", "", 1);
    EXPECT_EQ(setting("REFRAIN_TEXT_TEST", "other"), "other");
    setenv("REFRAIN_TEXT_TEST", "own", 1);
    EXPECT_EQ(setting("REFRAIN_TEXT_TEST", "other"), "own");
    unsetenv("REFRAIN_TEXT_TEST");
    EXPECT_EQ(setting("REFRAIN_TEXT_TEST"), "");
}

}  // namespace
}  // namespace refrain::base
