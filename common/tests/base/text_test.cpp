#include "base/text.hpp"

#include <fstream>
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace refrain::base
