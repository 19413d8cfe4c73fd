#include "refrain/script/leaf_functions.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <stdexcept>
#include <unistd.h>

#include "run_script.hpp"

/// What a run says when something fails, and leaf functions.
namespace refrain::script::failures_test {

double halve(double x) {
    if (x < 0) throw std::runtime_error("x is negative");
    return x / 2;
}
std::vector<std::int64_t> up_to(std::int64_t n) {
    std::vector<std::int64_t> all;
    for (std::int64_t i = 0; i < n; ++i) all.push_back(i);
    return all;
}
REFRAIN_SCRIPT_FUNCTION(halve)
REFRAIN_SCRIPT_FUNCTION(up_to)

constexpr const char* leaves =
    "(float o) halve(float x) \"native\" \"1\" \"halve\";\n(int o[]) up_to(int n) \"native\" \"1\" "
    "\"up_to\";\n";

std::string scratch_folder() {
    return std::filesystem::temp_directory_path() /
           ("refrain_script_test_" + std::to_string(getpid()));
}

TEST(LeafFunctions, scripts_call_functions_of_cpp_and_c) {
    const Ran ran = run_script(std::string(leaves) +
                               "(float o) root(float x) \"c:libm.so.6\" \"1\" \"sqrt\";\n"
                               "trace(halve(3), size(up_to(4)), root(16.0));");
    EXPECT_EQ(ran.lines, std::vector<std::string>{"trace: 1.5,4,4.0"});
}

TEST(LeafFunctions, one_that_is_not_registered_is_named_before_the_run) {
    EXPECT_THROW(static_cast<void>(
                     run_script("(int o) gone(int i) \"native\" \"1\" \"gone\"; trace(gone(1));")),
                 UsageError);
}

TEST(Failures, what_does_not_need_the_failed_result_goes_on) {
    for (const std::uint32_t workers : {1U, 2U, 4U}) {
        const Ran ran = run_script(
            std::string(leaves) +
                "float a = halve(-1.0);\nfloat b = a + 1;\ntrace(b);\ntrace(halve(8));\n"
                "float A[]; A[0] = 1.0; A[1] = halve(-2.0); trace(size(A)); trace(A[0]);",
            workers);
        EXPECT_EQ(ran.lines, (std::vector<std::string>{"trace: 1.0", "trace: 4.0"}));
        EXPECT_EQ(ran.result.status, 1);
        EXPECT_EQ(ran.result.data_left, 0U);
        EXPECT_NE(ran.result.messages.find("halve: x is negative"), std::string::npos)
            << ran.result.messages;
        EXPECT_NE(ran.result.messages.find("did not run, because of that: test.swift:5:1: trace"),
                  std::string::npos)
            << ran.result.messages;
    }
}

TEST(Failures, the_interpreter_skips_the_same) {
    const Ran ran = run_script(std::string(leaves) +
                                   "float a = halve(-1.0); trace(a + 1); trace(halve(8)); float "
                                   "A[]; A[0] = a; trace(size(A));",
                               1, true);
    EXPECT_EQ(ran.lines, std::vector<std::string>{"trace: 4.0"});
    EXPECT_EQ(ran.result.status, 1);
}

/// The other input is told that its value is there, is to load it, and is skipped before: its count was never returned.
TEST(Failures, a_value_that_a_skipped_task_was_told_of_is_freed) {
    for (const int level : {0, 1, 2, 3}) {
        const Ran ran = run_script(
            "int v[]; if (v[1] < float2int(1.5)) { trace(\"no\"); } else { trace(\"neither\"); }",
            1, false, {}, level);
        EXPECT_EQ(ran.lines, std::vector<std::string>{});
        EXPECT_EQ(ran.result.status, 1);
        EXPECT_EQ(ran.result.data_left, 0U) << level;
    }
}

/// A task that fails by one input had asked for the other, whose count the answer was to return: it never came.
TEST(Failures, a_variable_that_a_skipped_task_waited_for_and_nobody_assigns_is_freed) {
    const std::string text =
        "int x; if (argc() > 5) { x = 1; }\nint none[string];\n"
        "int y = none[\"k\"] + x;\ntrace(y);";
    for (const int level : {0, 1, 2, 3})
        for (const std::uint32_t workers : {1U, 2U, 4U})
            for (const bool processes : {false, true}) {
                RunOptions options;
                options.level = level;
                options.workers = workers;
                options.processes = processes;
                const Ran ran = run_with(text, options);
                EXPECT_EQ(ran.result.status, 1);
                EXPECT_EQ(ran.result.tasks_waiting, 0U) << ran.result.messages;
                EXPECT_EQ(ran.result.data_left, 0U) << level << ", " << workers << " workers";
            }
}

TEST(Failures, an_absent_element_names_array_and_key) {
    const Ran ran = run_script("int A[string]; A[\"a\"] = 1; trace(A[\"b\"]);");
    EXPECT_EQ(ran.result.status, 1);
    EXPECT_NE(ran.result.messages.find("the array 'A' has no element [b]"), std::string::npos)
        << ran.result.messages;
}

TEST(Failures, a_value_without_a_name_is_not_called_by_ours) {
    for (const bool sequential : {false, true}) {
        const Ran ran =
            run_script("import string; trace(split(\"a b\")[argc() + 7]);", 1, sequential);
        EXPECT_NE(ran.result.messages.find("an intermediate value has no element [7]"),
                  std::string::npos)
            << ran.result.messages;
        EXPECT_EQ(ran.result.messages.find('$'), std::string::npos) << ran.result.messages;
    }
}

TEST(Failures, a_second_write_names_both_lines) {
    for (const bool sequential : {false, true}) {
        const Ran ran =
            run_script("int A[];\nforeach i in [1:2] {\n  A[0 * i] = i;\n}\n", 2, sequential);
        EXPECT_NE(ran.result.messages.find(
                      "'A[0]' is assigned a second time (first: line 3, second: line 3)"),
                  std::string::npos)
            << ran.result.messages;
    }
}

TEST(Failures, an_app_shows_command_status_and_its_last_words) {
    const Ran ran =
        run_script("app (void o) no(string s) { \"sh\" \"-c\" s }\nno(\"echo told >&2; exit 3\");");
    EXPECT_EQ(ran.result.status, 1);
    for (const char* part : {"app 'no' ended with status 3", "command: sh -c",
                             "directory: ", "standard error:\n    told"})
        EXPECT_NE(ran.result.messages.find(part), std::string::npos) << ran.result.messages;
}

/// What is said by >&2, by a file that is opened anew, and beyond what a pipe holds; and who is left behind keeps nobody waiting.
TEST(Failures, all_that_an_app_says_on_standard_error_is_kept) {
    const Ran ran = run_script(R"(app (void o) f() { "sh" "-c"
    "sleep 60 > /dev/null & echo first >&2; echo second > /dev/stderr; seq 1 30000 >&2; echo third > /dev/stderr; exit 3" }
f();
app (void o) g() { "sh" "-c" "echo one, of some length >&2; echo two > /dev/stderr; echo three >&2; exit 4" }
g();)");
    EXPECT_NE(ran.result.messages.find("\n    one, of some length\n    two\n    three"),
              std::string::npos)
        << ran.result.messages;
    EXPECT_NE(ran.result.messages.find("\n    29999\n    30000\n    third"), std::string::npos)
        << ran.result.messages;
    EXPECT_LT(ran.result.seconds, 50.0);
}

TEST(Failures, an_app_that_makes_no_output_has_failed) {
    const Ran ran =
        run_script("app (file o) no() { \"true\" o }\nfile f<\"never_made.txt\"> = no();");
    EXPECT_NE(ran.result.messages.find("made no file 'never_made.txt' for its output 'o'"),
              std::string::npos)
        << ran.result.messages;
}

TEST(Failures, overflow_names_the_operation) {
    EXPECT_NE(run_script("import sys; trace(9223372036854775807 + 1 + argc());")
                  .result.messages.find("integer overflow in 9223372036854775807 + 1"),
              std::string::npos);
}

TEST(Waiting, work_that_is_left_is_explained_as_a_tree) {
    const Ran ran =
        run_script("import sys;\nint x;\nif (argc() > 5) { x = 1; }\nint y = x + 1;\ntrace(y);\n",
                   2, false, {}, 0);
    EXPECT_EQ(ran.result.status, 1);
    EXPECT_EQ(ran.result.messages,
              "WAITING WORK: 2\n"
              "'x' (test.swift:2:5) was never assigned; waiting for it:\n"
              "  test.swift:4:11: plus_int\n"
              "    'y' (test.swift:4:5), which that would assign; waiting for it:\n"
              "      test.swift:5:1: trace\n");
}

TEST(Waiting, optimised_work_that_is_left_names_the_variable_and_the_first_who_waits) {
    const Ran ran =
        run_script("import sys;\nint x;\nif (argc() > 5) { x = 1; }\nint y = x + 1;\ntrace(y);\n");
    EXPECT_EQ(ran.result.status, 1);
    EXPECT_EQ(ran.result.messages,
              "WAITING WORK: 1\n"
              "'x' (test.swift:2:5) was never assigned; waiting for it:\n"
              "  test.swift:4:11: wait\n");
}

TEST(Waiting, a_variable_called_t_is_no_intermediate_value) {
    for (const int level : {0, 3}) {
        const Ran ran = run_script("import sys;\nint t;\nif (argc() > 5) { t = 1; }\ntrace(t);\n",
                                   2, false, {}, level);
        EXPECT_NE(ran.result.messages.find("'t' (test.swift:2:5) was never assigned"),
                  std::string::npos)
            << ran.result.messages;
    }
}

TEST(Waiting, a_cycle_is_named) {
    for (const int level : {0, 1, 2, 3}) {
        const Ran ran =
            run_script("int x; int y[];\nx = y[0] + 1;\ny[0] = x + 1;\n", 2, false, {}, level);
        EXPECT_NE(ran.result.messages.find("these wait for one another, in a cycle:"),
                  std::string::npos)
            << "O" << level << ": " << ran.result.messages;
    }
}

TEST(Waiting, a_cycle_that_has_become_one_task_names_all_lines_of_it) {
    const Ran ran = run_script(
        "int a; int b; int c[];\na = b + 1;\nb = c[0] + 1;\nc[0] = a + 1;\n"
        "trace(a, b, c[0]);\n");
    EXPECT_EQ(ran.result.messages,
              "WAITING WORK: 1\n"
              "these wait for one another, in a cycle:\n"
              "  test.swift:4:10: wait\n"
              "      waits for 'a' (test.swift:1:5)\n"
              "      by way of test.swift:2:7: a = b + 1;\n"
              "      by way of test.swift:3:10: b = c[0] + 1;\n");
}

TEST(Waiting, a_file_without_a_name_is_said_in_plain_words) {
    const Ran ran = run_script(
        "import sys; import files;\nstring name;\nif (argc() > 5) { name = \"x\"; }\n"
        "file f<name> = write(\"text\");\n",
        2, false, {}, 0);
    EXPECT_NE(ran.result.messages.find("test.swift:4:6: naming of a file"), std::string::npos)
        << ran.result.messages;
    EXPECT_EQ(ran.result.messages.find("map_file"), std::string::npos) << ran.result.messages;
}

TEST(Waiting, a_cycle_is_shown_once_and_who_waits_for_it_is_no_part_of_it) {
    const std::string cycle = "int x; int y[];\nx = y[0] + 1;\ny[0] = x + 1;\n";
    const std::string tail = "int z = x + 2;\ntrace(z);\n";
    for (const std::string& script : {cycle + tail, "int x; int y[];\n" + tail + cycle.substr(16)})
        for (const int level : {0, 1, 2, 3}) {
            const std::string said = run_script(script, 2, false, {}, level).result.messages;
            const std::size_t found = said.find("in a cycle:");
            ASSERT_NE(found, std::string::npos) << said;
            EXPECT_EQ(said.find("in a cycle:", found + 1), std::string::npos) << said;
            if (level == 0) {
                EXPECT_NE(said.find("which that would assign; waiting for it:"), std::string::npos)
                    << said;
            }
        }
}

/// Rank 1 writes a second time what rank 0 owns, while rank 0 makes a call. So rank 1 handles the write, and ends the run.
TEST(Failures, one_that_is_found_while_its_rank_makes_a_call_stops_the_run_at_once) {
    const std::string folder = scratch_folder();
    std::filesystem::create_directories(folder);
    RunOptions options;
    options.workers = 2;
    options.failures = FailurePolicy::stop;
    const Ran ran = run_with(
        "import files; import location; import string;\n"
        "app (void o) hold(string f) { \"sh\" \"-c\" \"touch $0/begun; sleep 120; touch $0/ended\" "
        "f }\n"
        "app (file o) key(string f) {\n"
        "  \"sh\" \"-c\" \"until test -e $0/begun; do sleep 0.01; done; echo 0\" f @stdout=o\n}\n"
        "int A[];\nA[0] = 1;\n@location=location_from_rank(0) hold(\"" +
            folder +
            "\");\n"
            "A[string2int(trim(read(@location=location_from_rank(1) key(\"" +
            folder + "\"))))] = 2;\n",
        options);
    EXPECT_TRUE(std::filesystem::exists(folder + "/begun"));
    EXPECT_FALSE(std::filesystem::exists(folder + "/ended"));
    EXPECT_NE(ran.result.messages.find("A[0]"), std::string::npos) << ran.result.messages;
    std::filesystem::remove_all(folder);
}

TEST(Files, a_mapped_file_gets_the_content_and_temporaries_go) {
    const std::string folder = scratch_folder();
    const Ran ran = run_script(
        "import files; import string;\napp (file o) sorted(file i) { \"sort\" i @stdout=o }\n"
        "file f<\"" +
        folder +
        "/deep/out.txt\"> = sorted(write(\"b\\na\\n\"));\n"
        "trace(filename(f)); trace(replaceAll(read(f), \"\\n\", \".\"));");
    EXPECT_EQ(ran.lines,
              (std::vector<std::string>{"trace: " + folder + "/deep/out.txt", "trace: a.b."}))
        << ran.result.messages;
    EXPECT_EQ(std::system(("rm -r " + folder).c_str()), 0);
}

TEST(Files, a_folder_is_copied_where_it_is_mapped_and_deleted_if_it_is_temporary) {
    const std::string folder = scratch_folder();
    const Ran ran = run_script(
        "import files;\napp (file o) made() { \"sh\" \"-c\" \"mkdir $0; echo x > $0/in\" o }\n"
        "app (void o) look(file i) { \"test\" \"-d\" i }\n"
        "file f = made(); look(f) => trace(filename(f));\nfile g<\"" +
        folder + "/deep/copy\"> = f;\n");
    ASSERT_EQ(ran.lines.size(), 1U) << ran.result.messages;
    EXPECT_FALSE(std::filesystem::exists(ran.lines[0].substr(std::string("trace: ").size())));
    EXPECT_TRUE(std::filesystem::exists(folder + "/deep/copy/in")) << ran.result.messages;
    std::filesystem::remove_all(folder);
}

TEST(Failures, in_a_function_of_the_library_have_the_place_of_its_call) {
    const std::string script =
        "import sys; import unix; import location;\n"
        "string o; int c;\n"
        "o, c = system1(\"{a\");\n"
        "trace(o, c);\n"
        "file none[];\n"
        "file all = cat(none);\n"
        "trace(hostmap_one_rank(\"nowhere.else\"));\n"
        "@location=location_from_rank(0) rm(\"-r\", \"/nowhere/else\");\n";
    for (const bool sequential : {false, true})
        for (const int level : {0, 1, 2, 3}) {
            const Ran ran = run_script(script, 2, sequential, {}, level);
            EXPECT_TRUE(ran.lines.empty());
            EXPECT_EQ(ran.result.messages.find("library:"), std::string::npos)
                << ran.result.messages;
            for (const char* said : {"error: test.swift:3:8: _system: '{a' leaves a quote open\n",
                                     "error: test.swift:6:12: assert: assertion failed: cat()",
                                     "error: test.swift:7:7: hostmapOneRank: no worker is on",
                                     "error: test.swift:8:33: rm: "})
                EXPECT_NE(ran.result.messages.find(said), std::string::npos)
                    << "O" << level << " lacks " << said << "\n"
                    << ran.result.messages;
        }
}

TEST(Failures, of_elements_that_are_not_there_have_their_place_in_turns_as_in_parallel) {
    const std::string script =
        "int A[]; A[1] = 1;\nint k = toint(\"2\");\nwait (A[k]) { trace(1); }\n"
        "trace(A[k + 1]);\nint B[][]; B[0][0] = 1;\nforeach x in B[k] { trace(x); }\n";
    for (const bool sequential : {false, true}) {
        const Ran ran = run_script(script, 2, sequential, {}, 0);
        EXPECT_EQ(ran.result.messages.substr(0, ran.result.messages.find("did not")),
                  "error: test.swift:3:1: the array 'A' has no element [2]\n"
                  "error: test.swift:4:1: the array 'A' has no element [3]\n"
                  "error: test.swift:6:1: the array 'B' has no element [2]\n");
    }
}

TEST(Failures, work_that_waits_for_a_part_of_what_is_final_names_the_variable_behind_it) {
    const std::string script =
        "import sys;\nint x; if (argc() > 5) { x = 1; }\nint b[]; int A[][];\n"
        "A[0] = b;\nb[1] = x;\ntrace(A[0][1]);\nwait deep (A) { trace(\"all\"); }\n";
    const std::string messages = run_script(script, 2, false, {}, 0).result.messages;
    EXPECT_EQ(messages.substr(messages.find("WAITING")),
              "WAITING WORK: 3\n"
              "'x' (test.swift:2:5) was never assigned; waiting for it:\n"
              "  test.swift:5:8: copy\n"
              "    'b' (test.swift:3:5), which that would assign; waiting for it:\n"
              "      test.swift:6:1: trace\n"
              "      test.swift:7:1: wait\n");
}

TEST(Failures, call_functions_as_the_script_does) {
    const Ran ran = run_script(
        "app (void o) no(int i) { \"false\" }\n"
        "app (void o) no(string s) { \"false\" s }\n"
        "no(1); no(\"a\");\n",
        2);
    EXPECT_NE(ran.result.messages.find("2:14: no: app 'no' ended"), std::string::npos)
        << ran.result.messages;
    const std::string stopped =
        "import sys; import unix;\nmain_part(int i) {\n"
        "  app_of(i) => rm(\"-r\", \"/nowhere/else\");\n}\n"
        "app (void o) app_of(int i) { \"false\" }\n"
        "foreach i in [1:20] { main_part(i); rm(\"-r\", \"/nowhere/else\"); }\n";
    RunOptions stops;
    stops.workers = 1;
    stops.level = 0;
    stops.failures = FailurePolicy::stop;
    const std::string left = run_with(stopped, stops).result.messages;
    EXPECT_NE(left.find("did not end: "), std::string::npos) << left;
    EXPECT_EQ(left.find('@'), std::string::npos) << left;
}

}  // namespace refrain::script::failures_test
