#include "script_command/report_page.hpp"

#include "script_command/progress_line.hpp"

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

TEST(ProgressLine, counts_tasks_by_state) {
    Progress progress;
    progress.tasks_done = 120;
    progress.calls_running = 2;
    progress.seconds = 2;
    EXPECT_EQ(progress_text(progress), "120 done, 2 running, 0 ready, 0 waiting, 0 failed, 60/s");
}

}  // namespace refrain::script::report_page_test
