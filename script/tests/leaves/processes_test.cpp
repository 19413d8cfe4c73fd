#include "refrain/detail/sanitizers.hpp"
#include "refrain/script/leaf_functions.hpp"
#include "refrain/script/run_control.hpp"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <pthread.h>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "run_script.hpp"

/// Functions of C++ in processes of the workers.
namespace refrain::script::processes_test {

namespace fs = std::filesystem;

std::int64_t crashes_at(std::int64_t i, std::int64_t at) {
    if (i == at) kill(getpid(), SIGKILL);
    return i;
}
/// Crashes unless the file is there, which it makes.
std::int64_t crashes_once(const std::string& file) {
    if (!fs::exists(file)) {
        std::ofstream(file) << "here";
        kill(getpid(), SIGKILL);
    }
    return 7;
}
std::int64_t process_number() {
    return getpid();
}
/// Writes its process into the file, and waits to be killed.
std::int64_t waits(const std::string& file) {
    std::ofstream(file + ".new") << getpid();
    fs::rename(file + ".new", file);
    std::this_thread::sleep_for(std::chrono::seconds(120));
    return 0;
}
std::vector<double> halves(std::vector<std::int64_t> all) {
    std::vector<double> made;
    for (const std::int64_t each : all) made.push_back(static_cast<double>(each) / 2);
    return made;
}
void refuses() {
    throw std::runtime_error("no such thing");
}
std::string rank_variable(const std::string& which) {
    const char* value = std::getenv(("ADLB_RANK_" + which).c_str());
    return value == nullptr ? "none" : value;
}
REFRAIN_SCRIPT_FUNCTION(rank_variable)
REFRAIN_SCRIPT_FUNCTION(crashes_at)
REFRAIN_SCRIPT_FUNCTION(crashes_once)
REFRAIN_SCRIPT_FUNCTION(process_number)
REFRAIN_SCRIPT_FUNCTION(waits)
REFRAIN_SCRIPT_FUNCTION(halves)
REFRAIN_SCRIPT_FUNCTION(refuses)

std::atomic<int> forks{0};

/// How many descriptors of files this process has.
std::ptrdiff_t open_files() {
    return std::distance(fs::directory_iterator("/proc/self/fd"), {});
}

class Processes : public testing::Test {
  protected:
    Processes() {
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    ~Processes() override { fs::remove_all(folder_); }
    Ran run(const std::string& text, std::uint32_t workers = 2, RunControl* control = nullptr) {
        RunOptions options;
        options.workers = workers;
        options.processes = true;
        options.retry_delay_s = 0.001;
        options.control = control;
        return run_with(text, options);
    }
    /// The number in the file, once it is there.
    [[nodiscard]] static pid_t number_in(const std::string& file) {
        while (!fs::exists(file)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        pid_t number = 0;
        std::ifstream(file) >> number;
        return number;
    }
    std::string folder_ = testing::TempDir() + "refrain_processes_" + std::to_string(getpid());
};

TEST_F(Processes, give_the_results_and_errors_of_functions) {
    const Ran ran =
        run("(float o[]) halves(int i[]) \"native\" \"1\" \"halves\";\n"
            "(void o) refuses() \"native\" \"1\" \"refuses\";\n"
            "(int o) process_number() \"native\" \"1\" \"process_number\";\n"
            "int a[]; a[0] = 3; a[1] = 4;\nfloat b[] = halves(a);\ntrace(b[0], b[1]);\n"
            "trace(process_number() == " +
            std::to_string(getpid()) + ");\nrefuses();");
    EXPECT_EQ(ran.lines, (std::vector<std::string>{"trace: 0", "trace: 1.5,2.0"}));
    EXPECT_NE(ran.result.messages.find("refuses: no such thing"), std::string::npos)
        << ran.result.messages;
}

TEST_F(Processes, a_crash_fails_its_call_and_the_run_goes_on) {
    const Ran ran =
        run("(int o) crashes_at(int i, int at) \"native\" \"1\" \"crashes_at\";\n"
            "foreach i in [1:20] { trace(crashes_at(i, 5)); }");
    EXPECT_EQ(ran.result.status, 1);
    EXPECT_EQ(ran.lines.size(), 19U);
    EXPECT_NE(ran.result.messages.find("crashes_at: the process of worker"), std::string::npos)
        << ran.result.messages;
    EXPECT_NE(ran.result.messages.find("was killed by signal Killed"), std::string::npos);
}

TEST_F(Processes, a_crash_is_tried_again_with_retries) {
    const Ran ran =
        run("@retries=1\n(int o) crashes_once(string f) \"native\" \"1\" \"crashes_once\";\n"
            "trace(crashes_once(\"" +
            folder_ + "/here\"));");
    EXPECT_EQ(ran.result.messages, "");
    EXPECT_EQ(ran.lines, std::vector<std::string>{"trace: 7"});
    EXPECT_EQ(ran.result.calls_retried, 1U);
}

TEST_F(Processes, a_worker_killed_from_outside_fails_its_call_only) {
    std::thread killer([&] { kill(number_in(folder_ + "/pid"), SIGKILL); });
    const Ran ran =
        run("(int o) waits(string f) \"native\" \"1\" \"waits\";\n"
            "(int o) crashes_at(int i, int at) \"native\" \"1\" \"crashes_at\";\n"
            "trace(waits(\"" +
            folder_ + "/pid\"));\ntrace(crashes_at(3, 0));");
    killer.join();
    EXPECT_EQ(ran.result.status, 1);
    EXPECT_EQ(ran.lines, std::vector<std::string>{"trace: 3"});
}

TEST_F(Processes, a_kill_of_the_run_ends_functions) {
    RunControl control;
    std::thread killer([&] {
        static_cast<void>(number_in(folder_ + "/pid"));
        control.kill();
    });
    const Ran ran = run("(int o) waits(string f) \"native\" \"1\" \"waits\";\ntrace(waits(\"" +
                            folder_ + "/pid\"));",
                        1, &control);
    killer.join();
    EXPECT_EQ(ran.result.status, 1);
    EXPECT_TRUE(ran.lines.empty()) << "it ended by itself";
}

TEST_F(Processes, a_failure_that_kills_the_run_is_told) {
    RunOptions options;
    options.workers = 2;
    options.processes = true;
    options.failures = FailurePolicy::stop;
    const Ran ran =
        run_with("(void o) refuses() \"native\" \"1\" \"refuses\";\nrefuses();", options);
    EXPECT_EQ(ran.result.status, 1);
    EXPECT_NE(ran.result.messages.find("refuses: no such thing"), std::string::npos)
        << ran.result.messages;
    EXPECT_EQ(ran.result.messages.find("engine"), std::string::npos) << ran.result.messages;
}

TEST_F(Processes, output_comes_in_the_order_of_what_it_follows_from) {
    RunOptions options;
    options.workers = 3;
    options.processes = true;
    std::string output;
    options.on_output = [&](const std::string& more) { output += more; };
    const RunResult result = run_text(
        "import io;\nimport sys;\n(void o) say(int i) { printf(\"%i\", i) => o = make_void(); }\n"
        "say(1) => sleep(0.001) => say(2) => sleep(0.001) => say(3);",
        "test.swift", options);
    EXPECT_EQ(result.messages, "");
    EXPECT_EQ(output, "1\n2\n3\n");
}

TEST_F(Processes, files_pass_from_rank_to_rank_and_temporary_ones_are_deleted) {
    setenv("SWIFT_TMP", folder_.c_str(), 1);
    const Ran ran =
        run("import files;\nimport string;\n"
            "app (file o) sorted(file i) { \"sort\" i @stdout=o }\n"
            "foreach i in [1:4] {\n  file a = write(\"b\\na\\n\" + i + \"\\n\");\n"
            "  trace(replaceAll(trim(read(sorted(a))), \"\\n\", \" \"));\n}");
    unsetenv("SWIFT_TMP");
    EXPECT_EQ(ran.result.messages, "");
    EXPECT_EQ(ran.lines, (std::vector<std::string>{"trace: 1 a b", "trace: 2 a b", "trace: 3 a b",
                                                   "trace: 4 a b"}));
    EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(Processes, a_run_that_cannot_start_all_leaves_none_behind) {
#if defined(REFRAIN_ADDRESS_SANITIZER)
    GTEST_SKIP() << "the sanitizer's check of types opens pipes, and none is left here";
#endif
    const std::ptrdiff_t before = open_files();
    rlimit usual{};
    getrlimit(RLIMIT_NOFILE, &usual);
    rlimit few = usual;
    few.rlim_cur = static_cast<rlim_t>(before + 12);
    setrlimit(RLIMIT_NOFILE, &few);
    EXPECT_THROW(static_cast<void>(run("(int o) process_number() \"native\" \"1\" "
                                       "\"process_number\";\ntrace(process_number());",
                                       64)),
                 std::exception);
    setrlimit(RLIMIT_NOFILE, &usual);
    EXPECT_EQ(open_files(), before);
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a child is left";
}

TEST_F(Processes, a_dry_run_starts_none) {
    static const int counts = pthread_atfork(
        nullptr, [] { ++forks; }, nullptr);
    ASSERT_EQ(counts, 0);
    forks = 0;
    RunOptions options;
    options.processes = true;
    options.dry_run = true;
    const Ran ran = run_with(
        "(int o) process_number() \"native\" \"1\" \"process_number\";\ntrace(process_number());",
        options);
    EXPECT_EQ(ran.result.status, 0) << ran.result.messages;
    EXPECT_EQ(forks, 0);
}

TEST_F(Processes, functions_see_the_rank_of_their_worker) {
    const std::string text =
        "import location;\n(string o) rank_variable(string s) \"native\" \"1\" "
        "\"rank_variable\";\n"
        "foreach i in [0:2] {\n  location at = locationFromRank(i);\n"
        "  trace(i, @location=at rank_variable(\"SELF\"), @location=at rank_variable(\"LEADER\"), "
        "@location=at rank_variable(\"OFFSET\"));\n}\n";
    const Ran ran = run(text, 3);
    EXPECT_EQ(ran.result.messages, "");
    EXPECT_EQ(ran.lines,
              (std::vector<std::string>{"trace: 0,0,0,0", "trace: 1,1,0,1", "trace: 2,2,0,2"}));
}

TEST_F(Processes, work_that_waits_at_the_end_is_explained) {
    const std::string text =
        "import sys;\nint x;\nif (argc() > 5) { x = 1; }\nint y = x + 1;\ntrace(y);\n";
    EXPECT_EQ(run(text, 3).result.messages, run_script(text).result.messages);
    EXPECT_NE(run(text, 3).result.messages.find("was never assigned"), std::string::npos);
}

}  // namespace refrain::script::processes_test
