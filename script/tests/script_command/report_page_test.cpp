#include "script_command/report_page.hpp"

#include <gtest/gtest.h>

#include "run_script.hpp"

namespace refrain::script::report_page_test {

TEST(ReportPage, names_each_function_and_loads_nothing) {
    RunOptions options;
    options.workers = 2;
    options.record_spans = true;
    options.on_output = [](const std::string&) {};
    const RunResult result =
        run_text("import sys; foreach i in [1:4] { sleep(0.001); }", "four.swift", options);
    EXPECT_EQ(result.calls.size(), 4U);
    for (const CallRecord& each : result.calls) {
        EXPECT_EQ(each.function, "sleep");
        EXPECT_EQ(each.place, "four.swift:1");
        EXPECT_LE(each.created, each.ready);
        EXPECT_LE(each.ready, each.began);
        EXPECT_LT(each.began, each.ended);
    }
    const std::string page = report_page(result, "four<.swift");
    EXPECT_NE(page.find("\"function\":\"sleep\",\"place\":\"four.swift:1\",\"calls\":4"),
              std::string::npos);
    EXPECT_NE(page.find("<title>four&lt;.swift"), std::string::npos);
    EXPECT_EQ(page.find("{{"), std::string::npos);
    EXPECT_EQ(page.find("src=\"http"), std::string::npos);
}

TEST(ReportPage, says_what_limited_the_run) {
    RunResult result;
    result.workers = 2;
    result.seconds = 10;
    result.calls.push_back({"long", "a.swift:1", 0, 0, 0, 0, 9, false});
    EXPECT_EQ(summarise(result).back(),
              "One long call limited the run: long (a.swift:1) took 9.00 s.");
    result.calls.push_back({"other", "a.swift:2", 1, 0, 0, 0, 9, false});
    EXPECT_TRUE(summarise(result).back().starts_with("The number of workers limited the run"));
}

TEST(ReportPage, a_pause_before_another_attempt_is_no_work) {
    RunResult result;
    result.workers = 1;
    result.tasks_done = 1;
    result.seconds = 10;
    result.calls.push_back({"again", "a.swift:1", 0, 0, 0, 0, 10, false, 9});
    const std::vector<std::string> words = summarise(result);
    EXPECT_TRUE(words[0].starts_with("1 task ran on 1 worker in 10.00 s")) << words[0];
    EXPECT_EQ(words[2], "The workers were busy with calls for 10 % of the time.");
    EXPECT_TRUE(words.back().starts_with("Pauses limited the run")) << words.back();
}

TEST(ReportPage, names_the_hot_variable_that_limited_the_run) {
    RunOptions options;
    options.workers = 1;
    options.level = 0;
    options.record_spans = true;
    const RunResult ran = run_with(R"(import sys;
int x;
int y[];
foreach i in [1:20] { y[i] = i; wait (x) { sleep(0.0); } }
x = size(y);
)",
                                   options)
                              .result;
    EXPECT_EQ(ran.hot_variable, "'x' (test.swift:2)");
    EXPECT_EQ(ran.hot_waiters, 20U);
    RunResult result = ran;
    result.seconds = 10;
    for (CallRecord& each : result.calls) each.created = each.ready = each.began = each.ended = 0;
    EXPECT_EQ(summarise(result).back(),
              "One hot variable limited the run: 20 tasks waited at once for 'x' (test.swift:2).");
    EXPECT_NE(report_page(result, "hot").find("20 tasks waited at once for 'x' (test.swift:2)"),
              std::string::npos);
    result.hot_waiters = 9;  // of 20 calls
    EXPECT_TRUE(summarise(result).back().starts_with("Small calls limited the run"));
}

TEST(ReportPage, the_critical_path_goes_back_over_data_and_over_busy_workers) {
    RunResult result;
    result.workers = 2;
    result.seconds = 6;
    result.calls.push_back({"first", "a.swift:1", 0, 0, 0, 0, 2, false});
    result.calls.push_back({"beside", "a.swift:2", 1, 0, 0, 0, 1, false});
    result.calls.push_back(
        {"queued", "a.swift:3", 0, 0, 1, 2, 3, false});  // behind first, not beside
    result.calls.push_back({"last", "a.swift:4", 1, 0, 3, 3, 6, false});  // needs queued
    const std::string data = report_data(result, "a");
    EXPECT_NE(data.find("\"path\":[0,2,3]"), std::string::npos) << data;
    EXPECT_NE(data.find("a chain of 3 calls, which took 6.00 s: last (a.swift:4) 3.00 s, first"),
              std::string::npos)
        << data;
}

TEST(ReportPage, the_trace_has_an_event_per_call) {
    RunResult result;
    result.calls.push_back({"first", "a.swift:1", 3, 0.5, 0.75, 1, 2, true});
    EXPECT_EQ(
        trace_text(result),
        R"({"traceEvents":[{"ph":"X","pid":0,"tid":3,"name":"first","ts":1000000,"dur":1000000,)"
        R"("args":{"line":"a.swift:1","queued":0.25,"paused":0,"waited for data":0.25,"failed":true}}]})");
}

TEST(ProgressText, counts_tasks_by_state) {
    Progress progress;
    progress.tasks_done = 120;
    progress.calls_running = 2;
    progress.seconds = 2;
    EXPECT_EQ(progress_text(progress), "120 done, 2 running, 0 ready, 0 waiting, 0 failed, 60/s");
    progress.tasks_ready = 598;
    EXPECT_EQ(progress_text(progress),
              "120 done, 2 running, 598 ready, 0 waiting, 0 failed, 60/s, at least 10.00 s more");
}

}  // namespace refrain::script::report_page_test
