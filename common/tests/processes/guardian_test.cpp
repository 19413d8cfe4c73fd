#include "processes/guardian.hpp"

#include "processes/process.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

/// What becomes of programs when the process that has started them is killed.
namespace refrain::processes {
namespace {

namespace fs = std::filesystem;

/// Whether it becomes true; a minute is for ever.
bool in_time(const std::function<bool()>& condition) {
    for (int i = 0; i < 6000; ++i) {
        if (condition()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
}

/// Not there any more, or only until somebody asks how it ended.
bool is_gone(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string number, name, state;
    return !(file >> number >> name >> state) || state == "Z" || state == "X";
}

class GuardianTest : public testing::Test {
  protected:
    GuardianTest() {
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    ~GuardianTest() override { fs::remove_all(folder_); }

    /// The number that a program writes into the file.
    [[nodiscard]] pid_t number_in(const std::string& name) const {
        pid_t number = 0;
        const auto read = [&] { return !!(std::ifstream(folder_ + "/" + name) >> number); };
        EXPECT_TRUE(in_time(read)) << name;
        return number;
    }
    /// A process that does the work, killed when all programs have written their numbers; it leads a group, as of a shell.
    void kill_one_that(const std::function<void()>& does, const std::vector<std::string>& names) {
        const pid_t guarded = fork();
        if (guarded == 0) {
            setpgid(0, 0);
            if (chdir(folder_.c_str()) != 0) _exit(1);
            does();
            _exit(0);
        }
        for (const std::string& each : names) numbers_.push_back(number_in(each));
        kill(-guarded, SIGKILL);
        waitpid(guarded, nullptr, 0);
    }
    static void run(ProcessTable& table, const std::string& shell_text) {
        static_cast<void>(run_process({{"sh", "-c", shell_text}, {}, 0, {}}, table));
    }

    std::string folder_ = testing::TempDir() + "refrain_guardian_" + std::to_string(getpid());
    std::vector<pid_t> numbers_;
};

TEST_F(GuardianTest, programs_and_what_they_have_started_end_with_the_process) {
    kill_one_that(
        [] {
            ProcessTable table;
            table.guard();
            std::thread([&] { run(table, "echo $$ > first; sleep 1000"); }).detach();
            run(table,
                "trap '' TERM; sh -c 'echo $$ > third; exec sleep 1000' & echo $$ > second; wait");
        },
        {"first", "second", "third"});
    for (const pid_t each : numbers_) EXPECT_TRUE(in_time([&] { return is_gone(each); }));
}

/// `timeout` makes a group of its own, and `setsid` a session: signals to the program's group do not reach what they start.
constexpr const char* leaves_group =
    "setsid sh -c 'echo $$ > session; exec sleep 1000' & "
    "timeout 1000 sh -c '(trap \"\" TERM; sh -c \"echo \\$PPID\" > group; while :; do sleep 1; "
    "done)'";

TEST_F(GuardianTest, what_has_left_the_group_of_a_program_ends_with_the_process) {
    kill_one_that(
        [] {
            ProcessTable table;
            table.guard();
            run(table, leaves_group);
        },
        {"session", "group"});
    for (const pid_t each : numbers_) EXPECT_TRUE(in_time([&] { return is_gone(each); }));
}

TEST_F(GuardianTest, what_has_left_the_group_of_a_program_is_killed_with_all) {
    const fs::path before = fs::current_path();
    fs::current_path(folder_);
    ProcessTable table;
    std::thread other([&] { run(table, leaves_group); });
    for (const char* each : {"session", "group"}) numbers_.push_back(number_in(each));
    table.kill_all();
    other.join();
    for (const pid_t each : numbers_) EXPECT_TRUE(in_time([&] { return is_gone(each); }));
    fs::current_path(before);
}

TEST_F(GuardianTest, what_has_left_the_group_of_a_program_ends_by_its_timeout) {
    const fs::path before = fs::current_path();
    fs::current_path(folder_);
    ProcessTable table;
    for (double seconds = 0.5; !fs::exists("session") || !fs::exists("group"); seconds *= 2)
        EXPECT_TRUE(run_process({{"sh", "-c", leaves_group}, {}, seconds, {}}, table).timed_out);
    for (const char* each : {"session", "group"})
        EXPECT_TRUE(in_time([&, one = number_in(each)] { return is_gone(one); }));
    fs::current_path(before);
}

TEST_F(GuardianTest, what_a_program_that_has_ended_left_running_goes_on) {
    kill_one_that(
        [] {
            ProcessTable table;
            table.guard();
            run(table, "sleep 1000 > /dev/null 2>&1 & echo $! > left");
            run(table, "echo $$ > running; sleep 1000");
        },
        {"left", "running"});
    EXPECT_TRUE(in_time([&] { return is_gone(numbers_[1]); }));
    EXPECT_FALSE(is_gone(numbers_[0]));
    kill(numbers_[0], SIGKILL);
}

TEST_F(GuardianTest, keeps_no_file_open_and_none_waits_for_it) {
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe(ends.data()), 0);
    {
        const ProcessPlaces places;
        const Guardian guardian(places);
        close(ends[1]);
        char nothing = 0;
        EXPECT_EQ(read(ends[0], &nothing, 1), 0) << "somebody may still write";
    }
    close(ends[0]);
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a child is left";
    EXPECT_EQ(errno, ECHILD);
}

/// The end of the pipe is not seen: a program that was forked by a library has it, too.
TEST_F(GuardianTest, a_copy_of_the_process_does_not_hold_it_up) {
    kill_one_that(
        [] {
            ProcessTable table;
            table.guard();
            if (fork() == 0) {
                std::ofstream("copy") << setsid() << std::endl;
                for (;;) pause();
            }
            run(table, "echo $$ > running; sleep 1000");
        },
        {"copy", "running"});
    EXPECT_TRUE(in_time([&] { return is_gone(numbers_[1]); }));
    kill(numbers_[0], SIGKILL);
}

/// It is guarded from its first instruction on, while this process still waits until it has begun.
TEST_F(GuardianTest, a_program_that_kills_the_process_at_once_ends) {
    for (int i = 0; i < 50; ++i) {
        kill_one_that(
            [] {
                ProcessTable table;
                table.guard();
                run(table, "echo $$ > begun; kill -KILL $PPID; exec sleep 1000");
            },
            {"begun"});
        fs::remove(folder_ + "/begun");
    }
    for (const pid_t each : numbers_) EXPECT_TRUE(in_time([&] { return is_gone(each); }));
}

TEST(ProcessPlaces, are_free_again_and_refused_beyond_the_last) {
    ProcessPlaces places;
    for (int turn = 0; turn < 2; ++turn) {
        std::vector<ProcessPlace*> taken;
        for (std::size_t i = 0; i < ProcessPlaces::places_max; ++i) taken.push_back(places.take());
        EXPECT_EQ(places.take(), nullptr);
        for (ProcessPlace* const each : taken) places.give_back(*each);
    }
}

TEST(RunProcess, says_what_keeps_a_program_from_beginning) {
    ProcessTable table;
    const auto says = [&](const ProcessCommand& command) -> std::string {
        try {
            static_cast<void>(run_process(command, table));
        } catch (const ProcessError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(says({{"no_such_program"}, {}, 0, {}}),
              "cannot start 'no_such_program': No such file or directory");
    EXPECT_EQ(says({{"/dev/null"}, {}, 0, {}}), "cannot start '/dev/null': Permission denied");
    EXPECT_EQ(says({{"true"}, {"/no/such/file"}, 0, {}}),
              "cannot start 'true': No such file or directory");
    fs::current_path(testing::TempDir());
    std::ofstream("refrain_not_in_path") << "#!/bin/true\n";
    fs::permissions("refrain_not_in_path", fs::perms::owner_all);
    EXPECT_EQ(says({{"refrain_not_in_path"}, {}, 0, {}}),
              "cannot start 'refrain_not_in_path': No such file or directory");
    EXPECT_EQ(says({{"./refrain_not_in_path"}, {}, 0, {}}), "");
    fs::remove("refrain_not_in_path");
    EXPECT_EQ(says({{"true"}, {}, 0, {}}), "");
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a child is left";
}

/// Where PATH has a program is remembered, and looked up again when it is not there any more.
TEST(RunProcess, finds_a_program_that_has_moved) {
    const fs::path folder = testing::TempDir() + "refrain_moves_" + std::to_string(getpid());
    fs::create_directories(folder / "first");
    fs::create_directories(folder / "second");
    fs::create_symlink("/bin/sh", folder / "first/refrain_moves");
    const std::string path_before = std::getenv("PATH");
    setenv("PATH",
           ((folder / "first").string() + ":" + (folder / "second").string() + ":" + path_before)
               .c_str(),
           1);
    ProcessTable table;
    const ProcessCommand command{{"refrain_moves", "-c", "exit 3"}, {}, 0, {}};
    EXPECT_EQ(WEXITSTATUS(run_process(command, table).status), 3);
    fs::rename(folder / "first/refrain_moves", folder / "second/refrain_moves");
    EXPECT_EQ(WEXITSTATUS(run_process(command, table).status), 3);
    setenv("PATH", path_before.c_str(), 1);
    fs::remove_all(folder);
}

}  // namespace
}  // namespace refrain::processes
