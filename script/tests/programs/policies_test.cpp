#include "leaves/app.hpp"
#include "memo/content_hash.hpp"
#include "memo/run_folder.hpp"
#include "refrain/script/leaf_functions.hpp"
#include "refrain/script/run_control.hpp"
#include "script_command/log_text.hpp"
#include "values/script_error.hpp"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <thread>
#include <unistd.h>

#include "run_script.hpp"

/// What a run does about failures, and with what earlier runs have made.
namespace refrain::script::policies_test {

namespace fs = std::filesystem;

int doubled_calls = 0;
std::int64_t doubled(std::int64_t i) {
    ++doubled_calls;
    return 2 * i;
}
REFRAIN_SCRIPT_FUNCTION(doubled)

class Policies : public testing::Test {
  protected:
    Policies() { fs::create_directories(folder_); }
    ~Policies() override { fs::remove_all(folder_); }

    /// $F in the script is the test's folder.
    RunResult run(std::string text, RunOptions options = {}) {
        for (std::size_t at = text.find("$F"); at != std::string::npos; at = text.find("$F"))
            text.replace(at, 2, folder_);
        output_.clear();
        options.on_output = [&](const std::string& more) { output_ += more; };
        options.cache_folder = folder_ + "/cache";
        options.retry_delay_s = 0.001;
        if (options.workers == 0) options.workers = 2;
        return run_text(text, folder_ + "/test.swift", options);
    }
    [[nodiscard]] RunOptions recorded(bool resume = false) const {
        RunOptions options;
        options.runs_folder = folder_ + "/runs";
        options.resume = resume;
        return options;
    }
    [[nodiscard]] std::string content(const std::string& name) const {
        std::ifstream file(folder_ + "/" + name, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    void write(const std::string& name, const std::string& text) const {
        std::ofstream(folder_ + "/" + name) << text;
    }
    [[nodiscard]] std::vector<TaskRecord> tasks() const {
        return read_run(run_folders(folder_ + "/runs").back()).tasks;
    }

    std::string folder_ =
        fs::temp_directory_path() / ("refrain_policies_" + std::to_string(getpid()));
    std::string output_;
};

constexpr const char* counted =
    "app (file o) counted(file i) { \"sh\" \"-c\" \"echo x >> $F/calls; cat \\\"$0\\\"\" i "
    "@stdout=o }\n";

// ---- failures

constexpr const char* fails_first =
    "app (void o) no() { \"false\" }\n"
    "app (void o) slow(int i) { \"sh\" \"-c\" \"sleep 0.3; echo $0 >> $F/calls\" i }\n"
    "slow(1) => no() => trace(\"never\");\n"
    "foreach i in [2:9] { slow(i) => slow(i + 100); }\n";
constexpr std::ptrdiff_t all_calls = 17;  // of `slow`

TEST_F(Policies, drain_lets_running_programs_end_and_begins_no_other) {
    RunOptions options;
    options.failures = FailurePolicy::drain;
    RunResult result;
    std::ptrdiff_t calls = all_calls;
    // Once in some times: a machine may be long in letting the failure be seen.
    for (int times = 0; times < 10 && calls >= 12; ++times) {
        fs::remove(folder_ + "/calls");
        result = run(fails_first, options);
        EXPECT_EQ(result.status, 1);
        const std::string written = content("calls");
        calls = std::count(written.begin(), written.end(), '\n');
    }
    EXPECT_GE(calls, 1);
    EXPECT_LT(calls, 12);
    EXPECT_NE(result.messages.find("the run was stopped before its end\n"), std::string::npos);
    EXPECT_NE(result.messages.find("did not end: "), std::string::npos) << result.messages;
    EXPECT_EQ(result.messages.find("WAITING WORK"), std::string::npos) << result.messages;
}

TEST_F(Policies, stop_kills_programs_that_run) {
    RunOptions options;
    options.failures = FailurePolicy::stop;
    const RunResult result =
        run("app (void o) no() { \"sh\" \"-c\" \"sleep 0.2; exit 7\" }\n"
            "app (void o) slow() { \"sh\" \"-c\" \"sleep 120; touch $F/ended\" }\nslow(); no();\n",
            options);
    EXPECT_FALSE(fs::exists(folder_ + "/ended"));
    EXPECT_EQ(result.status, 1);
    EXPECT_NE(result.messages.find("ended with status 7"), std::string::npos) << result.messages;
    EXPECT_NE(result.messages.find("did not end: "), std::string::npos) << result.messages;
    EXPECT_EQ(result.messages.find("killed by signal"), std::string::npos) << result.messages;
}

/// The cores of a program that has failed were given to the next one before the run was stopped.
TEST_F(Policies, no_program_that_waits_for_cores_begins_after_a_failure_that_ends_the_run) {
    for (const FailurePolicy policy : {FailurePolicy::drain, FailurePolicy::stop}) {
        fs::remove(folder_ + "/calls");
        RunOptions options = recorded();
        options.failures = policy;
        options.workers = 3;
        const RunResult result =
            run("@cpus=3 @timeout=60\napp (void o) wide(int i) {\n"
                "  \"sh\" \"-c\" \"echo x >> $F/calls; sleep 0.1; exit 3\" i }\n"
                "foreach i in [1:20] { wide(i) => trace(i); }",
                options);
        EXPECT_EQ(content("calls"), "x\n");
        EXPECT_EQ(output_, "");
        const auto times = [&](const std::string& text) {
            std::size_t count = 0;
            for (std::size_t at = 0; (at = result.messages.find(text, at)) != std::string::npos;
                 ++at)
                ++count;
            return count;
        };
        EXPECT_EQ(times("error: "), 1U) << result.messages;
        EXPECT_EQ(times("did not end: "), 1U) << result.messages;
        EXPECT_NE(result.messages.find("wide (19 tasks)"), std::string::npos) << result.messages;
        std::size_t failed = 0;
        for (const TaskRecord& each : tasks()) failed += each.state == "failed" ? 1 : 0;
        EXPECT_EQ(failed, 1U);
        fs::remove_all(folder_ + "/runs");
    }
}

TEST_F(Policies, a_program_that_fails_after_a_stop_was_not_interrupted) {
    RunOptions options = recorded();
    options.failures = FailurePolicy::drain;
    const RunResult result =
        run("app (void o) no(int i) { \"sh\" \"-c\" \"touch $F/at$0; until test -e $F/at1 -a -e "
            "$F/at2; do sleep 0.01; done; test $0 = 1 || sleep 0.5; exit 3\" i }\n"
            "foreach i in [1:2] { no(i); }",
            options);
    ASSERT_EQ(tasks().size(), 2U);
    for (const TaskRecord& each : tasks()) EXPECT_EQ(each.state, "failed") << each.text;
}

TEST_F(Policies, the_interpreter_stops_at_the_first_failure_too) {
    RunOptions options;
    options.failures = FailurePolicy::drain;
    options.sequential = true;
    const RunResult result = run(
        "app (void o) no() { \"false\" }\nno() => trace(1);\nwait (no()) { trace(2); }", options);
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(output_, "");
}

TEST_F(Policies, a_control_ends_a_run_and_its_programs) {
    RunControl control;
    RunOptions options;
    options.control = &control;
    std::thread other([&] {
        while (!fs::exists(folder_ + "/began"))
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        control.stop();
        control.kill();
    });
    const RunResult result =
        run("app (void o) slow() { \"sh\" \"-c\" \"touch $F/began; (sleep 120; touch $F/ended) & "
            "wait\" }\n"
            "slow() => trace(\"never\");",
            options);
    other.join();
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(output_, "");
    EXPECT_FALSE(fs::exists(folder_ + "/ended"));
}

TEST_F(Policies, outputs_of_a_failed_program_become_incomplete_and_old_ones_stay) {
    write("old.txt", "old");
    const RunResult result =
        run("app (file o) half() { \"sh\" \"-c\" \"echo half > $0; exit 1\" o }\n"
            "app (file o) none() { \"sh\" \"-c\" \"exit 1\" o }\n"
            "file a<\"$F/new.txt\"> = half();\nfile b<\"$F/old.txt\"> = none();");
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(content("new.txt.incomplete"), "half\n");
    EXPECT_FALSE(fs::exists(folder_ + "/new.txt"));
    EXPECT_EQ(content("old.txt"), "old");
}

TEST_F(Policies, a_missing_output_may_be_a_warning) {
    RunOptions options;
    options.missing_outputs_warn = true;
    const std::string script =
        "app (file o) none() { \"true\" o }\nfile f<\"$F/none.txt\"> = none();\nwait (f) { "
        "trace(1); }";
    EXPECT_EQ(run(script, options).status, 0);
    EXPECT_EQ(output_, "trace: 1\n");
    EXPECT_EQ(run(script).status, 1);
}

/// It may be out of date, or good as it is.
TEST_F(Policies, an_old_file_that_the_program_leaves_as_it_was_is_warned_of) {
    write("old.txt", "old");
    fs::create_symlink("old.txt", folder_ + "/link");
    while (!is_settled(*stamp_of(folder_ + "/old.txt")))
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    const auto warning = [&](const std::string& command, const std::string& name) {
        testing::internal::CaptureStderr();
        const RunResult result = run("app (file o) made() { " + command + " }\nfile f<\"$F/" +
                                     name + "\"> = made();\nwait (f) { trace(1); }");
        EXPECT_EQ(result.status, 0) << result.messages;
        EXPECT_EQ(std::exchange(output_, ""), "trace: 1\n");
        return testing::internal::GetCapturedStderr();
    };
    EXPECT_NE(warning("\"true\" o", "old.txt")
                  .find("app 'made' ended well, but left the old file '" + folder_ +
                        "/old.txt' as it was for its output 'o'\n"),
              std::string::npos);
    EXPECT_EQ(content("old.txt"), "old");
    EXPECT_EQ(warning("\"ln\" \"-sf\" \"old.txt\" o", "link"), "");
    EXPECT_EQ(warning("\"touch\" \"-d\" \"2001-01-01\" o", "old.txt"), "");
    EXPECT_EQ(warning("\"true\" @stdout=o", "old.txt"), "");
}

TEST_F(Policies, a_report_tells_pauses_from_work) {
    RunOptions options;
    options.record_spans = true;
    options.retries = 1;
    const RunResult result =
        run("app (void o) second() { \"sh\" \"-c\" \"test -e $F/there || { touch $F/there; exit 1; "
            "}\" }\nsecond();",
            options);
    ASSERT_EQ(result.calls.size(), 1U);
    EXPECT_GT(result.calls[0].paused, 0.0005);
    EXPECT_LT(result.calls[0].paused, result.calls[0].ended - result.calls[0].began);
}

TEST_F(Policies, several_mapped_outputs_are_made_where_they_are_to_be) {
    RunOptions options;
    options.dry_run = true;
    EXPECT_EQ(run("app (file a, file b) two(int i) { \"make\" i a b }\n"
                  "file c<\"$F/c.txt\">; file d<\"$F/d.txt\">; c, d = two(3);\n",
                  options)
                  .status,
              0);
    EXPECT_EQ(output_, "make 3 " + folder_ + "/c.txt " + folder_ + "/d.txt\n");
}

TEST_F(Policies, a_word_of_a_command_ends_at_a_blank) {
    EXPECT_EQ(run("app (file o) say(string f, int x, int A[]) { \"echo\" f (x + 1) [x] A[0] "
                  "@stdout=o }\n"
                  "file o<\"$F/said.txt\"> = say(\"f\", 3, [7, 8]);\n")
                  .status,
              0);
    EXPECT_EQ(content("said.txt"), "f 4 3 7\n");
}

TEST_F(Policies, retries_go_on_until_a_program_ends_well) {
    const std::string script =
        "app (void o) third() { \"sh\" \"-c\" \"echo x >> $F/calls; test $(wc -l < $F/calls) -ge "
        "3\" }\n"
        "third() => trace(\"done\");";
    const RunResult result = run("@retries=3\n" + script);
    EXPECT_EQ(result.status, 0) << result.messages;
    EXPECT_EQ(output_, "trace: done\n");
    EXPECT_EQ(result.calls_retried, 2U);
    fs::remove(folder_ + "/calls");
    RunOptions options;
    options.retries = 1;
    EXPECT_EQ(run(script, options).status, 1);
    EXPECT_EQ(content("calls"), "x\nx\n");
}

TEST_F(Policies, a_timeout_ends_the_program_and_what_it_has_started) {
    const RunResult result =
        run("@timeout=0.2\napp (void o) slow() { \"sh\" \"-c\" \"(sleep 120; touch $F/ended) & "
            "wait\" }\nslow();");
    EXPECT_EQ(result.status, 1);
    EXPECT_NE(result.messages.find("was ended after 0.2 s, by its timeout"), std::string::npos)
        << result.messages;
    EXPECT_FALSE(fs::exists(folder_ + "/ended"));
}

TEST_F(Policies, calls_hold_cores_while_they_run) {
    RunOptions options;
    options.workers = 4;
    const RunResult result =
        run("@cpus=3\napp (void o) wide() { \"sh\" \"-c\" \"mkdir $F/held && sleep 0.02 && rmdir "
            "$F/held\" }\n"
            "foreach i in [1:6] { wide(); }",
            options);
    EXPECT_EQ(result.status, 0) << result.messages;
}

TEST_F(Policies, settings_are_checked) {
    const auto refusal = [](const std::string& annotation, const std::string& function) {
        return refusal_of(annotation + "\n" + function);
    };
    const std::string app = "app (void o) f() { \"true\" }\nf();";
    EXPECT_NE(refusal("@retrie=3", app).find("did you mean '@retries'?"), std::string::npos);
    EXPECT_NE(refusal("@retries=\"few\"", app).find("@retries takes an int"), std::string::npos);
    EXPECT_NE(refusal("@timeout=\"soon\"", app).find("@timeout takes seconds"), std::string::npos);
    EXPECT_NE(refusal("@memory=\"much\"", app).find("@memory takes bytes"), std::string::npos);
    EXPECT_NE(refusal("@wrap=\"nice\"", app).find("{cmd}"), std::string::npos);
    EXPECT_NE(refusal("@cache", "(int o) f(int i) { o = i; }\ntrace(f(1));").find("is no app"),
              std::string::npos);
}

// ---- commands

TEST_F(Policies, a_dry_run_prints_commands_and_calls_nothing) {
    write("in", "");
    RunOptions options;
    options.dry_run = true;
    const RunResult result =
        run("import files;\napp (file o) copied(file i) { \"cp\" i o }\n"
            "file a<\"$F/a\"> = copied(input(\"$F/in\"));\nfile b<\"$F/b\"> = "
            "copied(a);\ntrace(read(b));",
            options);
    EXPECT_EQ(result.status, 0) << result.messages;
    EXPECT_NE(output_.find("cp " + folder_ + "/in " + folder_ + "/a\n"), std::string::npos)
        << output_ << result.messages;
    EXPECT_NE(output_.find("cp " + folder_ + "/a " + folder_ + "/b\n"), std::string::npos);
    EXPECT_NE(result.messages.find("not known before the run: "), std::string::npos)
        << result.messages;
    EXPECT_FALSE(fs::exists(folder_ + "/a"));
}

TEST_F(Policies, a_wrap_stands_before_commands) {
    RunOptions options;
    options.wrap = "env WRAPPED=run {cmd}";
    const std::string app =
        "app (file o) f() { \"sh\" \"-c\" \"echo $WRAPPED\" @stdout=o }\n"
        "file a<\"$F/a\"> = f();";
    EXPECT_EQ(run(app, options).status, 0);
    EXPECT_EQ(content("a"), "run\n");
    EXPECT_EQ(run("@wrap=\"env WRAPPED='by function' {cmd}\"\n" + app, options).status, 0);
    EXPECT_EQ(content("a"), "by function\n");
}

TEST(Wrap, words_and_shell_texts_keep_the_words_of_the_command) {
    const std::vector<std::string> command = {"sort", "a b", "it's"};
    using Words = std::vector<std::string>;
    EXPECT_EQ(wrapped(command, ""), command);
    EXPECT_EQ(wrapped(command, "nice -n 5 {cmd}"),
              (Words{"nice", "-n", "5", "sort", "a b", "it's"}));
    EXPECT_EQ(wrapped(command, "sh -c 'cd x; {cmd}'"),
              (Words{"sh", "-c", "cd x; sort 'a b' 'it'\\''s'"}));
    for (const char* wrap : {"ssh host '{cmd}'", "ssh host \"{cmd}\""})
        EXPECT_EQ(wrapped(command, wrap), (Words{"ssh", "host", "sort 'a b' 'it'\\''s'"}));
    EXPECT_THROW(static_cast<void>(wrapped(command, "nice")), ScriptError);
    EXPECT_THROW(static_cast<void>(wrapped(command, "sh -c '{cmd}")), ScriptError);
}

// ---- results that are used again

TEST_F(Policies, a_cached_call_runs_again_only_if_something_has_changed) {
    write("in", "one\n");
    const std::string script = "import files;\n@cache\n" + std::string(counted) +
                               "file a<\"$F/out\"> = counted(input(\"$F/in\"));";
    EXPECT_EQ(run(script).calls_cached, 0U);
    EXPECT_EQ(run(script).calls_cached, 1U);
    EXPECT_EQ(content("calls"), "x\n");
    fs::remove(folder_ + "/out");
    EXPECT_EQ(run(script).calls_cached, 1U);
    EXPECT_EQ(content("out"), "one\n");
    write("in", "two\n");
    EXPECT_EQ(run(script, recorded()).calls_cached, 0U);
    EXPECT_EQ(content("out"), "two\n");
    EXPECT_EQ(tasks().at(0).why, "changed: content of '" + folder_ + "/in'");
    write("in", "one\n");
    EXPECT_EQ(run(script).calls_cached, 1U);
    EXPECT_EQ(content("out"), "one\n");
    EXPECT_EQ(content("calls"), "x\nx\n");
}

TEST_F(Policies, arrays_that_are_written_alike_are_different_inputs) {
    const auto joined = [&](const std::string& words) {
        return run("import files;\n@cache app (file o) joined(string words[]) "
                   "{ \"printf\" \"[%s]\" words @stdout=o }\ntrace(read(joined(" +
                   words + ")));")
            .calls_cached;
    };
    EXPECT_EQ(joined("[\"a,1=b\"]"), 0U);
    EXPECT_EQ(joined("[\"a\", \"b\"]"), 0U);
    EXPECT_NE(output_.find("[a][b]"), std::string::npos) << output_;
    EXPECT_EQ(joined("[\"a\", \"b\"]"), 1U);
}

TEST_F(Policies, declared_variables_of_the_environment_count) {
    const std::string script =
        "@cache @environment=\"REFRAIN_TEST_X\"\n"
        "app (file o) f() { \"sh\" \"-c\" \"echo $REFRAIN_TEST_X\" @stdout=o }\n"
        "file a<\"$F/out\"> = f();";
    setenv("REFRAIN_TEST_X", "1", 1);
    EXPECT_EQ(run(script).calls_cached, 0U);
    setenv("REFRAIN_TEST_X", "2", 1);
    EXPECT_EQ(run(script, recorded()).calls_cached, 0U);
    EXPECT_EQ(tasks().at(0).why, "changed: environment REFRAIN_TEST_X");
    EXPECT_EQ(run(script).calls_cached, 1U);
    unsetenv("REFRAIN_TEST_X");
}

TEST_F(Policies, a_changed_copy_is_not_taken_for_the_result) {
    const std::string script =
        "@cache\napp (file o) f() { \"echo\" \"made\" @stdout=o }\n"
        "file a<\"$F/out\"> = f();";
    EXPECT_EQ(run(script).calls_cached, 0U);
    for (const auto& each : fs::directory_iterator(folder_ + "/cache/files"))
        std::ofstream(each.path()) << "damaged";
    fs::remove(folder_ + "/out");
    EXPECT_EQ(run(script).calls_cached, 0U);
    EXPECT_EQ(content("out"), "made\n");
}

TEST_F(Policies, functions_of_cpp_are_cached_with_their_values) {
    doubled_calls = 0;
    const std::string script =
        "@cache\n(int o) doubled(int i) \"native\" \"1\" \"doubled\";\n"
        "trace(doubled(21));";
    EXPECT_EQ(run(script).status, 0);
    EXPECT_EQ(run(script).calls_cached, 1U);
    EXPECT_EQ(output_, "trace: 42\n");
    EXPECT_EQ(doubled_calls, 1);
}

TEST_F(Policies, a_resumed_run_calls_only_what_has_not_ended) {
    const std::string script =
        "import files;\n" + std::string(counted) +
        "app (file o) last(file i) { \"sh\" \"-c\" \"test -e $F/ready && cat $0\" i @stdout=o }\n"
        "file first<\"$F/in\"> = write(\"text\");\n"
        "file a<\"$F/a\"> = counted(first);\nfile b<\"$F/b\"> = last(a);";
    const RunResult first = run(script, recorded());
    EXPECT_EQ(first.status, 1);
    EXPECT_EQ(first.run_folder, run_folders(folder_ + "/runs").at(0));
    write("ready", "");
    const RunResult second = run(script, recorded(true));
    EXPECT_EQ(second.status, 0) << second.messages;
    EXPECT_EQ(second.calls_cached, 1U);
    EXPECT_EQ(second.run_folder, first.run_folder);
    EXPECT_EQ(content("calls"), "x\n");
    EXPECT_EQ(content("b"), "text");
    const RunHistory history = read_run(first.run_folder);
    EXPECT_EQ(history.runs.size(), 2U);
    ASSERT_EQ(history.tasks.size(), 4U);
    EXPECT_EQ(history.tasks[1].state, "failed");
    EXPECT_EQ(history.tasks[2].state, "cached");
}

TEST_F(Policies, a_run_that_ended_when_it_was_resumed_was_not_killed) {
    const RunRecord run{folder_ + "/test.swift", {}, 1};
    const std::string folder = folder_ + "/runs/1";
    { const RunFolder killed(folder, &run); }
    LogQuery query;
    query.runs = folder_ + "/runs";
    EXPECT_NE(log_text(query).find("was killed"), std::string::npos);
    RunFolder(folder, &run).add(RunEnd{0, 2, {}});
    const std::string said = log_text(query);
    EXPECT_NE(said.find("ended well, after 2.00 s, resumed 1 time\n"), std::string::npos) << said;
}

TEST_F(Policies, the_latest_run_is_the_one_that_was_written_last) {
    const RunRecord run{folder_ + "/test.swift", {}, 1};
    for (const char* each : {"/runs/a", "/runs/b"}) RunFolder(folder_ + each, &run);
    fs::last_write_time(folder_ + "/runs/b/tasks.log",
                        fs::file_time_type::clock::now() - std::chrono::hours(1));
    EXPECT_EQ(latest_run(folder_ + "/runs", run.script), folder_ + "/runs/a");
}

TEST_F(Policies, a_run_that_was_never_begun_cannot_be_resumed) {
    EXPECT_THROW(static_cast<void>(run("trace(1);", recorded(true))), UsageError);
}

TEST_F(Policies, the_record_keeps_all_that_a_failed_program_said_and_a_message_the_last) {
    const RunResult result =
        run("app (void o) no() { \"sh\" \"-c\" \"seq 1 400000 >&2; exit 2\" }\nno();", recorded());
    EXPECT_NE(result.messages.find("\n    399999\n    400000\n"), std::string::npos);
    EXPECT_LT(result.messages.size(), 2000U);
    std::string expected;
    for (int i = 1; i <= 400'000; ++i) expected += std::to_string(i) + "\n";
    std::ifstream errors(tasks().at(0).errors);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(errors), {}), expected);
}

TEST_F(Policies, the_record_keeps_what_failed_programs_said) {
    static_cast<void>(
        run("app (void o) no() { \"sh\" \"-c\" \"echo why >&2; exit 2\" }\nno();", recorded()));
    const std::vector<TaskRecord> all = tasks();
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].function, "no");
    EXPECT_EQ(all[0].place, folder_ + "/test.swift:1");
    std::ifstream errors(all[0].errors);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(errors), {}), "why\n");
}

}  // namespace refrain::script::policies_test
