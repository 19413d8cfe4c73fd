#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

#include "run_script.hpp"

/// What is said about lines, and the picture of a script, as text.
namespace refrain::script::explain_test {

class Script {
  public:
    explicit Script(const std::string& text) {
        std::filesystem::create_directories("explained");
        std::ofstream(path_) << text;
    }
    Script(const Script&) = delete;
    Script& operator=(const Script&) = delete;
    ~Script() { std::filesystem::remove(path_); }
    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    std::string path_ = "explained/s.swift";
};

constexpr const char* squares =
    "(int o) square(int n) { o = n * n; }\n"
    "(int o) fac(int n) { if (n == 0) { o = 1; } else { o = n * fac(n - 1); } }\n"
    "int A[];\n"
    "foreach i in [1:300] {\n"
    "  A[i] = square(i);\n"
    "}\n"
    "trace(A[3]);\n"
    "int x = 1 + 2;\n"
    "trace(fac(x));\n";

std::string explained(const std::string& text, int level = 3) {
    const Script script(text);
    RunOptions options;
    options.level = level;
    return explain_file(script.path(), options);
}

TEST(Explain, says_per_line_what_becomes_of_it) {
    EXPECT_EQ(explained(squares), R"(explained/s.swift:1: (int o) square(int n) { o = n * n; }
    1 task at O0, none of its own now: value-number -1
    work of the task of line 4: computes times_int
explained/s.swift:2: (int o) fac(int n) { if (n == 0) { o = 1; } else { o = n * fac(n - 1); } }
    5 tasks at O0, 2 now: function-signature -1, value-number -2
    a task that calls fac; waits for nothing; started by the task of line 2
    a task that runs what waits for values; waits for a value of line 2; started by the task of line 2
    in that task: computes equal, assigns 'o' of line 2, computes minus_int, computes times_int
    fac stays a call: it calls itself
explained/s.swift:4: foreach i in [1:300] {
    1 task at O0, 1 now
    a task that runs the turns of an interval; waits for nothing; started by the start of the script
explained/s.swift:5: A[i] = square(i);
    2 tasks at O0, none of its own now: function-inline -1, value-number -1
    work of the task of line 4: assigns 'A'[...] of line 3
    square is put in where it is called
explained/s.swift:7: trace(A[3]);
    1 task at O0, 1 now
    a task that runs what waits for values; waits for 'A'[...] of line 3; started by the start of the script
    in that task: computes trace
explained/s.swift:8: int x = 1 + 2;
    1 task at O0, none of its own now: dataflow-op-inline -1
    nothing is left of it: the compiler knows the result, or nobody reads it
explained/s.swift:9: trace(fac(x));
    2 tasks at O0, 2 now: function-signature +1, value-number -1
    a task that calls fac; waits for nothing; started by the start of the script
    a task that runs what waits for values; waits for a value of line 9; started by the start of the script
    in that task: computes trace
    fac stays a call: it calls itself
)");
}
TEST(Explain, at_level_0_every_line_keeps_its_tasks) {
    EXPECT_EQ(explained("int x = 1 + 2;\ntrace(x);\n", 0), R"(explained/s.swift:1: int x = 1 + 2;
    1 task at O0, 1 now
    a task that computes plus_int; waits for nothing; started by the start of the script
explained/s.swift:2: trace(x);
    1 task at O0, 1 now
    a task that computes trace; waits for 'x' of line 1; started by the start of the script
)");
}
TEST(Explain, functions_of_the_library_are_part_of_the_lines_that_call_them) {
    EXPECT_EQ(explained("import sys; import unix; import stats;\ntrace(1);\n", 0),
              R"(explained/s.swift:2: trace(1);
    1 task at O0, 1 now
    a task that computes trace; waits for nothing; started by the start of the script
)");
    EXPECT_EQ(explained("import sys;\nstring o; int c;\no, c = system1(\"true\");\ntrace(o, c);\n"),
              R"(explained/s.swift:3: o, c = system1("true");
    5 tasks at O0, 2 now: function-inline -2, wait-coalesce -1
    a task that computes _system; waits for nothing; started by the start of the script
    a task that runs what waits for values; waits for a value[...] of line 3; started by the start of the script
    in that task: computes string2int
    _result is put in where it is called
    system1 is put in where it is called
explained/s.swift:4: trace(o, c);
    1 task at O0, none of its own now: wait-coalesce -1
    work of the task of line 3: computes trace
)");
}
TEST(Explain, says_why_a_call_stays) {
    const std::string script =
        "app (file o) copied(file i) { \"cp\" i o }\n(file o) twice(file i) { o = "
        "copied(copied(i)); "
        "}\nimport files; file a[]; a[0] = input(\"x\");\nfile f<\"y\"> = twice(a[0]);\n";
    EXPECT_NE(explained(script).find("twice stays a call: it is given an element that is a file"),
              std::string::npos);
    EXPECT_NE(explained("(int o) next(int i) { o = i + argc(); }\ntrace(next(1));\n", 1)
                  .find("next stays a call: the pass function-inline is off"),
              std::string::npos);
}
TEST(Explain, needs_the_script_itself) {
    const Script script(compile_text("trace(1);\n", "s.swift").compiled);
    EXPECT_THROW(static_cast<void>(explain_file(script.path())), UsageError);
}

}  // namespace refrain::script::explain_test
