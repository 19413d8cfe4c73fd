#include "refrain/script/run_control.hpp"

#include <cstdlib>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

#include "run_script.hpp"

/// Pieces of Python in scripts.
namespace refrain::script::python_test {

TEST(Python, a_piece_defines_and_an_expression_is_the_result) {
    const Ran ran = run_script(
        "import python;\n"
        "trace(python(\"x = 6 * 7\", \"repr(x)\"));\n"
        "trace(python(\"\"\"\nimport math\ndef f(i):\n    return i + math.floor(2.5)\n\"\"\", "
        "\"str(f(1))\"));\n"
        "trace(python(\"    a = 1\\n    b = a + 1\", \"str(b)\"));\n"
        "trace(python(\"pass\"), python(\"\", \"'\xc3\xa9' * 2\"));\n"
        "trace(length(python(\"s = 'x' * 300000\", \"s\")), length(python(\"s = "
        "'\"+strcat(\"a\")+\"'\", \"s\")));\n");
    EXPECT_EQ(ran.result.messages, "");
    EXPECT_EQ(ran.lines, (std::vector<std::string>{"trace: 0,\xc3\xa9\xc3\xa9", "trace: 2",
                                                   "trace: 3", "trace: 300000,1", "trace: 42"}));
}

TEST(Python, python_persist_keeps_what_pieces_define_and_python_does_not) {
    const Ran ran = run_script(
        "import python;\n"
        "string a = python_persist(\"n = 1\", \"str(n)\");\n"
        "string b;\nstring c;\n"
        "wait (a) { b = python_persist(\"n += 1\", \"str(n)\"); }\n"
        "wait (b) { c = python(\"\", \"str('n' in globals())\"); }\n"
        "trace(a, b, c);\n",
        1);
    EXPECT_EQ(ran.result.messages, "");
    EXPECT_EQ(ran.lines, (std::vector<std::string>{"trace: 1,2,False"}));
}

TEST(Python, an_exception_says_its_last_line_and_the_line_of_the_code) {
    const auto failure = [](const std::string& call) {
        const Ran ran = run_script("import python;\ntrace(" + call + ");");
        EXPECT_EQ(ran.result.status, 1) << call;
        return ran.result.messages;
    };
    EXPECT_NE(failure("python(\"x = 1\\ny = x / 0\\n\", \"y\")")
                  .find("test.swift:2:7: python: ZeroDivisionError: division by zero (in line 2 of "
                        "the code: y = x / 0)"),
              std::string::npos)
        << failure("python(\"x = 1\\ny = x / 0\\n\", \"y\")");
    EXPECT_NE(failure("python(\"\", \"z\")")
                  .find("NameError: name 'z' is not defined (in the expression: z)"),
              std::string::npos);
    EXPECT_NE(failure("python(\"a = 1\\nif a\", \"''\")").find("SyntaxError"), std::string::npos);
    EXPECT_NE(failure("python(\"\", \"1 + 1\")")
                  .find("is 2 of the type int, not a text; write "
                        "repr(1 + 1) or str(1 + 1)"),
              std::string::npos);
    EXPECT_NE(failure("python(\"import sys; sys.exit(3)\")").find("SystemExit: 3"),
              std::string::npos);
}

TEST(Python, an_exception_may_be_a_result) {
    const Ran ran = run_script(
        "import python;\ntrace(python_persist(\"\", \"z\", exceptions_are_errors=false));");
    EXPECT_EQ(ran.result.status, 0) << ran.result.messages;
    EXPECT_EQ(ran.lines,
              (std::vector<std::string>{
                  "PYTHON EXCEPTION: NameError: name 'z' is not defined (in the expression: z)",
                  "trace: __EXCEPTION__"}));
}

TEST(Python, a_crash_fails_its_call_and_the_worker_goes_on) {
    const Ran ran = run_script(
        "import python;\n"
        "string bad = python_persist(\"import os; os.kill(os.getpid(), 9)\", \"''\");\n"
        "trace(bad);\n"
        "foreach i in [1:4] { trace(python_persist(strcat(\"i = \", i), \"str(i)\")); }\n");
    EXPECT_EQ(ran.result.status, 1);
    EXPECT_EQ(ran.lines,
              (std::vector<std::string>{"trace: 1", "trace: 2", "trace: 3", "trace: 4"}));
    EXPECT_NE(ran.result.messages.find("the process of Python was killed by signal Killed"),
              std::string::npos)
        << ran.result.messages;
}

TEST(Python, two_workers_evaluate_at_the_same_time) {
    // Each waits for the other: by threads of one interpreter in turns neither would end well.
    const std::string folder =
        testing::TempDir() + "refrain_python_meeting_" + std::to_string(getpid());
    const Ran ran = run_script(
        "import python;\nimport sys;\n"
        "foreach i in [0:1] {\n"
        "  trace(python(\"\"\"\nimport os, sys, time\n"
        "os.makedirs(folder := '" +
        folder +
        "', exist_ok=True)\n"
        "open(folder + f'/{os.getpid()}', 'w').close()\n"
        "end = time.time() + 120\n"
        "while len(os.listdir(folder)) < 2 and time.time() < end: time.sleep(0.002)\n"
        "\"\"\", \"str(len(os.listdir(folder)))\"));\n}\n");
    EXPECT_EQ(ran.result.messages, "");
    EXPECT_EQ(ran.lines, (std::vector<std::string>{"trace: 2", "trace: 2"}));
    EXPECT_EQ(std::system(("rm -r " + folder).c_str()), 0);
}

TEST(Python, a_kill_ends_what_is_evaluated) {
    RunControl control;
    std::string output;
    RunOptions options;
    options.workers = 1;
    options.control = &control;
    std::thread killer;
    options.on_output = [&](const std::string& more) {
        output += more;
        if (!killer.joinable()) killer = std::thread([&] { control.kill(); });
    };
    const RunResult result = run_text(
        "import python;\ntrace(\"begins\") => trace(python(\"import time; time.sleep(120)\"));",
        "test.swift", options);
    killer.join();
    EXPECT_EQ(output, "trace: begins\n") << "nothing was evaluated to its end";
    EXPECT_EQ(result.status, 1);
}

TEST(Python, a_missing_library_is_known_before_the_run) {
    setenv("REFRAIN_LIBPYTHON", "/none/libpython.so", 1);
    std::string output;
    RunOptions options;
    options.workers = 1;
    options.on_output = [&](const std::string& more) { output += more; };
    try {
        static_cast<void>(run_text("import python;\ntrace(\"first\");\ntrace(python(\"\"));",
                                   "test.swift", options));
        ADD_FAILURE() << "it ran";
    } catch (const UsageError& error) {
        EXPECT_NE(std::string(error.what()).find("/none/libpython.so"), std::string::npos);
        EXPECT_NE(std::string(error.what()).find("install the package libpython3-dev"),
                  std::string::npos)
            << error.what();
    }
    unsetenv("REFRAIN_LIBPYTHON");
    EXPECT_EQ(output, "");
}

TEST(Python, pieces_see_the_rank_of_their_worker_also_in_a_new_interpreter) {
    const Ran ran = run_script(
        "import python; import location;\n"
        "string code = \"import os; r = [os.environ['ADLB_RANK_' + w] for w in ['SELF', 'LEADER', "
        "'OFFSET']]\";\n"
        "foreach i in [0:1] {\n  location at = locationFromRank(i);\n"
        "  string died = @location=at python(\"import os; os.kill(os.getpid(), 9)\");\n"
        "  trace(i, @location=at python(code, \"repr(r)\"));\n}\n");
    EXPECT_EQ(ran.lines,
              (std::vector<std::string>{"trace: 0,['0', '0', '0']", "trace: 1,['1', '0', '1']"}))
        << ran.result.messages;
}

}  // namespace refrain::script::python_test
