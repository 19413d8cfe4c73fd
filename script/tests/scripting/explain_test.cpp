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
    "foreach i in [1:4] {\n"
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
explained/s.swift:4: foreach i in [1:4] {
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
TEST(Graph, has_functions_loops_arrays_and_lines) {
    const Script script(squares);
    EXPECT_EQ(graph_file(script.path()), R"(digraph script {
  subgraph cluster0 {
    label="square\nline 1"; style=solid;
    n1 [label="n int\nline 1", shape=ellipse];
    n2 [label="o int\nline 1", shape=ellipse];
  }
  n1 -> n2;
  subgraph cluster3 {
    label="fac\nline 2"; style=solid;
    n4 [label="n int\nline 2", shape=ellipse];
    n5 [label="o int\nline 2", shape=ellipse];
    n6 [label="fac\nline 2", shape=box, style=rounded];
  }
  n4 -> n5;
  n4 -> n6;
  n6 -> n5;
  subgraph cluster7 {
    label="main"; style=solid;
    n8 [label="A int[]\nline 3", shape=box3d];
    n9 [label="x int\nline 8", shape=ellipse];
    subgraph cluster10 {
      label=""; style=filled; fillcolor=gray85;
      subgraph cluster11 {
        label=""; style=filled; fillcolor=gray92;
        subgraph cluster12 {
          label="foreach\nline 4"; style=filled; fillcolor=white;
          n13 [label="square\nline 5", shape=box, style=rounded];
        }
      }
    }
    n14 [label="trace\nline 7", shape=box, style=rounded];
    n15 [label="fac\nline 9", shape=box, style=rounded];
    n16 [label="trace\nline 9", shape=box, style=rounded];
  }
  n8 -> n14;
  n9 -> n15;
  n13 -> n8;
  n15 -> n16;
}
)");
}
TEST(Graph, needs_the_script_itself) {
    const Script script(compile_text("trace(1);\n", "s.swift").compiled);
    EXPECT_THROW(static_cast<void>(graph_file(script.path())), UsageError);
    EXPECT_THROW(static_cast<void>(explain_file(script.path())), UsageError);
}

}  // namespace refrain::script::explain_test
