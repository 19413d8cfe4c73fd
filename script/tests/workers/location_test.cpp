#include "refrain/error.hpp"
#include "refrain/script/leaf_functions.hpp"
#include "workers/thread_run.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

#include "run_script.hpp"

/// Calls with locations and work types, by threads and processes.
namespace refrain::script::location_test {

std::int64_t thread_of_call(std::int64_t) {
    return worker_of_this_thread();
}
REFRAIN_SCRIPT_FUNCTION(thread_of_call)

constexpr const char* ranks_of_calls = R"(import location; import files; import string;
(int o) thread_of_call(int i) "native" "1" "thread_of_call";
app (file o) rank() { "sh" "-c" "echo $ADLB_RANK_SELF" @stdout=o }
foreach i in [0:29] {
  location L = location_from_rank(i %% 3);
  trace(i, @location=L thread_of_call(i) - i %% 3);
}
foreach i in [0:5] {
  trace("app", i, i %% 3 == string2int(trim(read(@location=location_from_rank(i %% 3) rank()))));
})";

TEST(Location, threads_and_processes_run_calls_where_they_belong_at_each_level) {
    std::vector<std::string> right;
    for (int i = 0; i < 30; ++i) right.push_back("trace: " + std::to_string(i) + ",0");
    for (int i = 0; i < 6; ++i) right.push_back("trace: app," + std::to_string(i) + ",1");
    std::ranges::sort(right);
    for (int level = 0; level <= 3; ++level) {
        RunOptions options;
        options.workers = 3;
        options.level = level;
        EXPECT_EQ(run_with(ranks_of_calls, options).lines, right) << "level " << level;
    }
    RunOptions options;
    options.workers = 3;
    options.processes = true;
    std::vector<std::string> apps;
    for (const std::string& each : run_with(ranks_of_calls, options).lines)
        if (each.starts_with("trace: app")) apps.push_back(each);
    EXPECT_EQ(apps, std::vector<std::string>(right.end() - 6, right.end()));
}

/// Calls of an app and of a function that calls it, each with a priority that only the run knows.
constexpr const char* ranked_calls = R"(import string; import sys;
app (void o) note(int i, string path) { "sh" "-c" ("echo " + i + " >> " + path) }
(void o) twice_removed(int i, string path) { o = note(i, path); }
(void o) call_of(int i, string path) { o = twice_removed(i, path); }
string path = argv("path");
int n = string2int(argv("n"));
foreach i in [0:n-1] {
  if (i %% 2 == 0) { @prio=((i * 7) %% 10 - 3) note(i, path); }
  else { @prio=((i * 7) %% 10 - 3) call_of(i, path); }
})";

TEST(Priority, one_that_is_computed_orders_calls_by_threads_and_processes_at_each_level) {
    const std::string path = testing::TempDir() + "ranked_calls_" + std::to_string(getpid());
    for (const bool processes : {false, true}) {
        for (int level = 0; level <= 3; ++level) {
            RunOptions options;
            options.workers = 1;
            options.level = level;
            options.processes = processes;
            options.arguments = {"--path=" + path, "--n=10"};
            static_cast<void>(std::remove(path.c_str()));
            EXPECT_EQ(run_with(ranked_calls, options).result.status, 0);
            std::string order;
            std::ifstream file(path);
            for (std::string line; std::getline(file, line);) order += line;
            EXPECT_EQ(order, "7418529630") << "level " << level << (processes ? ", processes" : "");
        }
    }
}

TEST(Priority, goes_with_locations_and_work_types_and_one_that_does_not_fit_fails_its_call) {
    EXPECT_EQ(run_script(R"(import location; import sys; import string;
int r = string2int(argv("r"));
@prio=r @location=location_from_rank(r) sleep_trace(0.0, "well");
@prio=(r * 4294967296) sleep_trace(0.0, "never");
)",
                         2, false, {"-r=1"})
                  .lines,
              std::vector<std::string>{"trace: well"});
    const Ran ran = run_script(R"(import sys; import string;
@prio=(4294967296 * string2int(argv("r"))) sleep_trace(0.0, "never");
)",
                               2, false, {"-r=1"});
    EXPECT_NE(ran.result.messages.find("@prio is 4294967296, and fits 32 bits"), std::string::npos)
        << ran.result.messages;
    EXPECT_NE(refusal_of("import sys;\n@prio=4294967296 sleep_trace(0.1, 1);")
                  .find("@prio does not fit 32 bits"),
              std::string::npos);
    ASSERT_EQ(setenv("TURBINE_GPU_WORKERS", "1", 1), 0);
    EXPECT_EQ(run_script("import sys; import string; pragma worktypedef gpu;\n"
                         "@dispatch=gpu app (void o) f() { \"true\" }\n"
                         "@prio=string2int(argv(\"r\")) f();",
                         2, false, {"-r=1"})
                  .result.status,
              0);
    unsetenv("TURBINE_GPU_WORKERS");
}

TEST(Location, a_rank_that_is_not_there_is_an_error_with_its_line) {
    const Ran ran = run_script(R"(import location; import sys;
int r = 3 + argc();
@location=location_from_rank(r) sleep_trace(0.0, "never");
@location=location_from_rank(1) sleep_trace(0.0, "well");
)");
    EXPECT_EQ(ran.lines, std::vector<std::string>{"trace: well"});
    EXPECT_EQ(ran.result.status, 1);
    EXPECT_NE(ran.result.messages.find("test.swift:3"), std::string::npos) << ran.result.messages;
    EXPECT_NE(ran.result.messages.find("@location names rank 3, and there are 2 ranks, 0 to 1"),
              std::string::npos)
        << ran.result.messages;
}

TEST(Location, hosts_are_known_and_unknown_ones_are_an_error) {
    EXPECT_EQ(run_script(R"(import location;
string H[] = hostmapList();
trace(size(H), randomWorkerRank() < 2, hostmapOneWorkerRank(H[0]) < 2);
location L = hostmapOne(H[0]);
trace(L.accuracy == NODE, L.strictness == HARD);
)")
                  .lines,
              (std::vector<std::string>{"trace: 1,1", "trace: 1,1,1"}));
    const Ran ran = run_script("import location;\ntrace(hostmapOneRank(\"nowhere\"));");
    EXPECT_NE(ran.result.messages.find("no worker is on the host 'nowhere'; there are: "),
              std::string::npos)
        << ran.result.messages;
}

TEST(Location, what_cannot_have_one_is_refused) {
    EXPECT_NE(refusal_of("import location;\n(int o) f() { o = 1; }\n"
                         "trace(@location=location_from_rank(0) f());")
                  .find("stands before a call of 'f', which runs where its caller does"),
              std::string::npos);
    EXPECT_NE(refusal_of("@location=3 sleep_trace(0.1, 1);").find("takes a location, not an int"),
              std::string::npos);
    EXPECT_NE(refusal_of("pragma worktypedef gpu;\n@dispatch=gpo app (void o) f() { \"a\" }\nf();")
                  .find("there is no work type 'GPO'"),
              std::string::npos);
}

TEST(Location, work_types_without_workers_end_the_run_before_it_begins) {
    const std::string text =
        "pragma worktypedef gpu;\n@dispatch=gpu app (void o) f() { \"true\" }\nf();";
    const auto said = [&] {
        try {
            static_cast<void>(run_script(text));
            return std::string();
        } catch (const UsageError& error) {
            return std::string(error.what());
        }
    };
    EXPECT_NE(said().find("no worker is of the work type GPU, which the script names; set "
                          "TURBINE_GPU_WORKERS"),
              std::string::npos);
    ASSERT_EQ(setenv("TURBINE_GPU_WORKERS", "2", 1), 0);
    EXPECT_NE(said().find("of 2 workers 2 are to be of the work type GPU"), std::string::npos);
    ASSERT_EQ(setenv("TURBINE_GPU_WORKERS", "1", 1), 0);
    EXPECT_EQ(run_script(text).result.status, 0);
    unsetenv("TURBINE_GPU_WORKERS");
}

}  // namespace refrain::script::location_test
