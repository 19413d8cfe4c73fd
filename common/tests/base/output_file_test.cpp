#include "base/output_file.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

namespace refrain::base::output_file_test {
namespace {

namespace fs = std::filesystem;

constexpr OutputFile::Policy policy{.mark = "written by us"};

class Output : public ::testing::Test {
  protected:
    void SetUp() override {
        std::string name = ::testing::TempDir() + "output_file_XXXXXX";
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        folder_ = name;
    }
    void TearDown() override { fs::remove_all(folder_); }

    [[nodiscard]] std::string at(const std::string& name) const { return folder_ / name; }
    void put(const std::string& name, const std::string& text) const {
        std::ofstream(at(name)) << text;
    }
    [[nodiscard]] std::string content(const std::string& name) const {
        std::ostringstream text;
        text << std::ifstream(at(name)).rdbuf();
        return text.str();
    }
    [[nodiscard]] std::size_t files() const {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
    }
    [[nodiscard]] mode_t mode(const std::string& name) const {
        struct stat status {};
        EXPECT_EQ(stat(at(name).c_str(), &status), 0);
        return status.st_mode & 07777U;
    }
    fs::path folder_;
};

TEST_F(Output, is_there_as_a_whole_or_not_at_all) {
    {
        OutputFile file(at("a"), policy);
        file.write("written by us: half");
        EXPECT_FALSE(fs::exists(at("a")));
    }
    EXPECT_EQ(files(), 0U) << "the temporary is gone";
    write_output(at("a"), "written by us: first", policy);
    {
        OutputFile file(at("a"), policy);
        file.write("written by us: seco");
        EXPECT_EQ(content("a"), "written by us: first");
    }
    EXPECT_EQ(content("a"), "written by us: first");
    write_output(at("a"), "written by us: second", policy);
    EXPECT_EQ(content("a"), "written by us: second");
    EXPECT_EQ(files(), 1U);
}

TEST_F(Output, of_two_writers_at_a_time_is_that_of_the_last) {
    OutputFile one(at("a"), policy);
    OutputFile other(at("a"), policy);
    EXPECT_EQ(files(), 2U) << "each has a temporary of its own";
    one.write("written by us: one");
    other.write("written by us: other");
    one.commit();
    EXPECT_EQ(content("a"), "written by us: one");
    other.commit();
    EXPECT_EQ(content("a"), "written by us: other");
    EXPECT_EQ(files(), 1U);
}

TEST_F(Output, never_replaces_a_file_of_somebody_else_unless_forced) {
    put("thesis", "chapter one");
    EXPECT_THROW(OutputFile::check(at("thesis"), policy), OutputError);
    EXPECT_THROW(write_output(at("thesis"), "written by us", policy), OutputError);
    EXPECT_EQ(content("thesis"), "chapter one");
    EXPECT_EQ(files(), 1U);
    write_output(at("thesis"), "written by us", {.mark = policy.mark, .force = true});
    EXPECT_EQ(content("thesis"), "written by us");
}

/// Else a program hears of it when it has computed for hours.
TEST_F(Output, that_cannot_be_written_is_refused_before_there_is_anything_to_write) {
    const auto refusal = [&](const std::string& name) -> std::string {
        try {
            OutputFile::check(at(name), policy);
        } catch (const OutputError& error) {
            return error.what();
        }
        return "";
    };
    fs::create_directory(at("folder"));
    fs::create_symlink("one", at("other"));
    fs::create_symlink("other", at("one"));
    EXPECT_EQ(refusal("new"), "");
    EXPECT_EQ(refusal("folder/new"), "");
    EXPECT_EQ(refusal("nowhere/new"), "No such file or directory");
    EXPECT_EQ(refusal("folder"), "Is a directory");
    EXPECT_EQ(refusal("one"), "Too many levels of symbolic links");
    if (geteuid() == 0) return;  // who may write everything
    ASSERT_EQ(chmod(at("folder").c_str(), 0555), 0);
    EXPECT_EQ(refusal("folder/new"), "Permission denied");
}

TEST_F(Output, replaces_an_empty_file) {
    put("empty", "");
    write_output(at("empty"), "written by us", policy);
    EXPECT_EQ(content("empty"), "written by us");
}

TEST_F(Output, follows_links_and_keeps_them) {
    fs::create_directory(at("folder"));
    put("folder/target", "written by us: old");
    fs::create_symlink("folder/target", at("link"));
    fs::create_symlink("folder/none_yet", at("dangling"));
    write_output(at("link"), "written by us: new", policy);
    write_output(at("dangling"), "written by us: new", policy);
    EXPECT_TRUE(fs::is_symlink(at("link")));
    EXPECT_TRUE(fs::is_symlink(at("dangling")));
    EXPECT_EQ(content("folder/target"), "written by us: new");
    EXPECT_EQ(content("folder/none_yet"), "written by us: new");
}

TEST_F(Output, never_replaces_somebody_elses_file_behind_a_link) {
    put("target", "chapter one");
    fs::create_symlink("target", at("link"));
    EXPECT_THROW(write_output(at("link"), "written by us", policy), OutputError);
    EXPECT_EQ(content("target"), "chapter one");
}

TEST_F(Output, keeps_all_names_of_a_file) {
    put("a", "written by us: old");
    fs::create_hard_link(at("a"), at("b"));
    write_output(at("a"), "written by us: new", policy);
    EXPECT_EQ(content("b"), "written by us: new");
    EXPECT_EQ(files(), 2U);
}

TEST_F(Output, keeps_the_mode_and_the_owner) {
    put("a", "written by us: old");
    ASSERT_EQ(chmod(at("a").c_str(), 0640), 0);
    const bool is_root = geteuid() == 0;
    if (is_root) {
        ASSERT_EQ(chown(at("a").c_str(), 1234, 4321), 0);
        ASSERT_EQ(chmod(at("a").c_str(), 0640), 0);
    }
    write_output(at("a"), "written by us: new", policy);
    EXPECT_EQ(mode("a"), 0640U);
    struct stat status {};
    ASSERT_EQ(stat(at("a").c_str(), &status), 0);
    if (is_root) {
        EXPECT_EQ(status.st_uid, 1234U);
        EXPECT_EQ(status.st_gid, 4321U);
    }
}

TEST_F(Output, that_is_new_has_the_mode_that_the_user_asked_for) {
    const mode_t before = umask(027);
    write_output(at("new"), "written by us", policy);
    umask(before);
    EXPECT_EQ(mode("new"), 0640U);
}

TEST_F(Output, to_a_pipe_is_written_in_place) {
    std::array<int, 2> ends;
    ASSERT_EQ(pipe(ends.data()), 0);
    write_output("/proc/self/fd/" + std::to_string(ends[1]), "written by us", policy);
    std::array<char, 64> text{};
    EXPECT_EQ(read(ends[0], text.data(), text.size()), 13);
    EXPECT_STREQ(text.data(), "written by us");
    for (const int end : ends) close(end);
}

TEST_F(Output, to_a_device_is_written_in_place) {
    write_output("/dev/null", "written by us", policy);
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(Output, says_why_it_cannot_be_written) {
    try {
        write_output(at("no/such/folder/a"), "", policy);
        FAIL() << "written";
    } catch (const OutputError& error) {
        EXPECT_STREQ(error.what(), "No such file or directory");
    }
}

}  // namespace
}  // namespace refrain::base::output_file_test
