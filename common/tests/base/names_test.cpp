#include "refrain/launch_site.hpp"

#include <cstdlib>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <thread>
#include <utility>

namespace refrain::names_test {
namespace {

TEST(Names, are_copies_that_outlive_the_text) {
    std::string text = "tile 17";
    const LaunchSite from_pointer(text.c_str());
    const LaunchSite from_text(text);
    const LaunchSite from_view(std::string_view(text).substr(0, 4));
    text.assign("changed");
    EXPECT_STREQ(from_pointer.name, "tile 17");
    EXPECT_STREQ(from_text.name, "tile 17");
    EXPECT_STREQ(from_view.name, "tile");
}

TEST(Names, of_equal_texts_have_one_address) {
    std::string text = "one name";
    const char* const kept = names::keep(text.c_str());
    EXPECT_EQ(names::keep(std::string_view("one name")), kept);
    EXPECT_EQ(LaunchSite(std::string("one name")).name, kept);
    const char* on_a_thread = nullptr;
    std::thread([&] { on_a_thread = names::keep("one name"); }).join();
    EXPECT_EQ(on_a_thread, kept);
    text.assign("another");  // at the same address
    EXPECT_STREQ(names::keep(text.c_str()), "another");
}

TEST(Names, of_arrays_on_the_stack_outlive_them) {
    const LaunchSite site = [] {
        const char name[] = "on the stack";
        const std::string file = "folder/stack.cpp";
        return LaunchSite(name, file.c_str(), 7);
    }();
    volatile char noise[256];
    for (volatile char& c : noise) c = '#';
    EXPECT_EQ(site.describe(), "'on the stack' (stack.cpp:7)");
}

TEST(Names, of_buffers_outlive_what_is_in_them) {
    static char buffer[16] = "first";
    const LaunchSite site(buffer);
    buffer[0] = 'w';
    EXPECT_STREQ(site.name, "first");
    char* pointer = buffer;
    const LaunchSite other(pointer);
    buffer[0] = 'b';
    EXPECT_STREQ(other.name, "wirst");
}

/// Only its type tells such an array from a literal.
TEST(Names, of_arrays_in_objects_outlive_these) {
    struct Stage {
        char name[16];
    };
    auto stage = std::make_unique<Stage>(Stage{"first stage"});
    const LaunchSite site(std::as_const(*stage).name);
    stage->name[0] = '#';
    EXPECT_STREQ(site.name, "first stage");
}

TEST(Names, that_are_literals_are_not_copied) {
    static const char literal[] = "a literal";
    EXPECT_EQ(LaunchSite(literal).name, literal);
    EXPECT_NE(names::keep(std::string_view(literal)), literal);
}

TEST(Names, may_be_null_or_empty) {
    const char* none = nullptr;
    EXPECT_STREQ(LaunchSite(none).name, "");
    EXPECT_STREQ(LaunchSite(std::string_view()).name, "");
    EXPECT_STREQ(LaunchSite().file, "");
}

TEST(Names, have_the_line_of_the_caller) {
    const auto line_of = [](LaunchSite site) { return site.line; };
    EXPECT_EQ(line_of("literal"), __LINE__);
    EXPECT_EQ(line_of(std::string("text")), __LINE__);
    EXPECT_EQ(line_of(std::string_view("view")), __LINE__);
}

/// In a process of its own, since nothing is kept afterwards.
TEST(NamesDeathTest, take_at_most_sixteen_mebibytes) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    const auto fill = [] {
        const char* const early = names::keep(std::string(100, 'e'));
        int kept = 0;
        for (int i = 0; i < 40; ++i) {
            const std::string text(std::size_t{1} << 20, static_cast<char>('A' + i));
            if (names::keep(text) != names::beyond_limit) ++kept;
        }
        std::exit(kept == 15 && names::keep(std::string(100, 'e')) == early ? 0 : 1);
    };
    EXPECT_EXIT(fill(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace refrain::names_test
