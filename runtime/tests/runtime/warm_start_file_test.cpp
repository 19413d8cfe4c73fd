/// The file between two runs: what is said of it, what it may not be, and what it may take.
#include "runtime/program_image.hpp"
#include "runtime/saved_file.hpp"
#include "runtime/watched_program.hpp"

#include <filesystem>

namespace refrain::warm_start_file_test {
namespace {

using trace::SavedHistory;

class WarmStartFile : public ::testing::Test {
  protected:
    [[nodiscard]] Options options() const {
        Options options = automatic();
        options.traces = file_.path();
        return options;
    }
    static std::string error_of(const Options& options) {
        try {
            const Runtime runtime(options);
        } catch (const UsageError& error) {
            return error.what();
        }
        return "";
    }
    /// What is said when a run begins and ends.
    static std::string said_by(const Options& options) {
        testing::internal::CaptureStderr();
        {
            WatchedProgram program(options);
            const auto arrays = program.arrays(2);
            program.expect_values(arrays);
        }
        return testing::internal::GetCapturedStderr();
    }
    Options verifying() const {
        Options verifying = options();
        verifying.verify = 1;
        return verifying;
    }

    SavedFile file_;
};

TEST_F(WarmStartFile, that_is_not_there_is_a_first_run) {
    EXPECT_EQ(said_by(verifying()), "");
    EXPECT_EQ(said_by(verifying()), "");
}

TEST_F(WarmStartFile, of_something_else_is_told_of_in_a_line) {
    file_.set_content("not a file of this kind, but a text");
    EXPECT_EQ(said_by(verifying()), "refrain: option traces: '" + file_.path() +
                                        "' is not used: it is cut off; it will be written anew\n");
    file_.set_content("not a file of this kind, but a text.....");
    EXPECT_EQ(said_by(verifying()),
              "refrain: option traces: '" + file_.path() +
                  "' is not used: Refrain did not write it; it will be written anew\n");
    file_.set_content("");
    EXPECT_EQ(said_by(verifying()), "refrain: option traces: '" + file_.path() +
                                        "' is not used: it is empty; it will be written anew\n");
}

TEST_F(WarmStartFile, that_cannot_be_written_is_an_error) {
    Options wrong = options();
    wrong.traces = testing::TempDir() + "no/such/folder/traces";
    EXPECT_EQ(error_of(wrong), "option traces: cannot write '" + wrong.traces +
                                   "': No such file or directory; name a file in a folder that can "
                                   "be written");
    wrong.traces = testing::TempDir();
    EXPECT_EQ(error_of(wrong),
              "option traces: cannot write '" + wrong.traces +
                  "': it is a folder; name a file in a folder that can be written");
    wrong.traces = "/dev/null";
    EXPECT_EQ(error_of(wrong),
              "option traces: cannot write '/dev/null': it is no regular file; "
              "name a file in a folder that can be written");
}

TEST_F(WarmStartFile, of_another_program_is_told_of_in_a_line) {
    said_by(verifying());
    SavedHistory other = decoded(file_.content());
    EXPECT_EQ(other.program, runtime::ProgramImage().mark());
    other.program += 1;
    file_.set_content(encoded(other));
    EXPECT_EQ(said_by(verifying()),
              "refrain: option traces: '" + file_.path() +
                  "' is not used: another program wrote it, or another build of this one; it will "
                  "be written anew\n");
    EXPECT_EQ(said_by(verifying()), "");
}

/// Where a library is gone or another one, its tasks are nobody's; the rest is of use.
TEST_F(WarmStartFile, of_tasks_that_are_not_there_any_more_matches_the_others) {
    said_by(verifying());
    SavedHistory other = decoded(file_.content());
    other.modules.push_back({"/no/such/library.so", 1});
    ASSERT_FALSE(other.tasks.empty());
    other.tasks[0].module = static_cast<std::uint32_t>(other.modules.size() - 1);
    file_.set_content(encoded(other));
    EXPECT_EQ(said_by(verifying()), "");
}

/// Every point of each operation waits for every point of the one before, and no two footprints are
/// equal: tables would grow by 4 million edges for each operation.
TEST_F(WarmStartFile, that_would_take_much_memory_is_left_when_its_budget_is_used_up) {
    constexpr std::uint32_t points = SavedHistory::Limits::points;
    SavedHistory much;
    much.program = runtime::ProgramImage().mark();
    for (std::int64_t i = 0; i < 300; ++i) {
        much.footprints.push_back(
            std::vector<data::BoxSet>(points, data::Box{{0, 0, 0}, {1000 + i, 1, 1}}));
        const std::uint64_t link = i == 0 ? 0 : 2 << 16;
        much.operations.push_back(
            {SavedHistory::no_task,
             points,
             {{static_cast<std::uint32_t>(i), Privilege::read_write, 0, link}}});
        much.sequence.push_back(static_cast<std::uint32_t>(i));
    }
    file_.set_content(encoded(much));
    Options little = verifying();
    little.analysis_bytes = 64 << 20;
    const std::string said = said_by(little);
    EXPECT_EQ(said, "refrain: option traces: '" + file_.path() +
                        "' is not used as a whole: nothing of it fits into half of "
                        "analysis-bytes\n");
}

/// Each operation looks at all those within the window before it, since no two touch one element.
TEST_F(WarmStartFile, that_would_take_long_is_left_when_its_time_is_used_up) {
    constexpr std::uint32_t tiles = 10000;
    SavedHistory much;
    much.program = runtime::ProgramImage().mark();
    for (std::uint32_t i = 0; i < tiles; ++i) {
        much.footprints.push_back({data::Box{{i, 0, 0}, {i + 1, 1, 1}}});
        const std::uint64_t link = i == 0 ? 0 : 2 << 16;
        much.operations.push_back({SavedHistory::no_task, 1, {{i, Privilege::write, 0, link}}});
        much.sequence.push_back(i);
    }
    file_.set_content(encoded(much));
    Options roomy = verifying();
    roomy.analysis_bytes = std::uint64_t{16} << 30;
    EXPECT_EQ(said_by(roomy),
              "refrain: option traces: '" + file_.path() +
                  "' is not used as a whole: its operations are too many to be taken over in "
                  "time\n");
}

TEST_F(WarmStartFile, is_of_no_use_to_what_is_mined_or_untraced) {
    for (Options without : {mined(), plain()}) {
        without.traces = file_.path();
        testing::internal::CaptureStderr();
        { const Runtime runtime(without); }
        EXPECT_EQ(
            testing::internal::GetCapturedStderr(),
            "refrain: option traces has no effect: what is kept is what the inline recogniser "
            "finds; leave auto-trace on and recogniser at inline, or leave it out\n");
        EXPECT_FALSE(file_.exists());
    }
}

TEST_F(WarmStartFile, leaves_nothing_else_behind) {
    said_by(verifying());
    const std::filesystem::path path(file_.path());
    for (const auto& entry : std::filesystem::directory_iterator(path.parent_path()))
        if (entry.path() != path) {
            EXPECT_FALSE(entry.path().filename().string().starts_with(path.filename().string()));
        }
}

/// The reason does not speak of operations of this run where the precedent is of an earlier one.
TEST_F(WarmStartFile, is_told_of_where_something_was_not_replayed) {
    const auto scenario = [&](bool comes_again) {
        Options options = verifying();
        options.explain = true;
        WatchedProgram program(options);
        const auto arrays = program.arrays(2);
        if (comes_again) program.fill(arrays[0], 5);
        for (std::size_t i = 0; i < 8; ++i) program.step(0, arrays);
        program.expect_values(arrays);
        std::string text;
        for (const auto& site : program.runtime().why_not_traced()) text += site.detail + "\n";
        return text;
    };
    scenario(false);
    EXPECT_EQ(scenario(false).find("operations before"), std::string::npos);
    EXPECT_EQ(scenario(true).find(" 0 operations before"), std::string::npos);
}

}  // namespace
}  // namespace refrain::warm_start_file_test
