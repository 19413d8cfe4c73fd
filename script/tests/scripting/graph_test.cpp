#include "scripting/graph.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <regex>

#include "run_script.hpp"

/// Pictures of scripts and of runs, as text.
namespace refrain::script::graph_test {

const std::string drawn = std::string(REFRAIN_SCRIPT_DIR) + "/tests/scripting/drawn.swift";

/// Without the folder, times and the colours that follow from them.
std::string without_times(const std::string& text) {
    std::string plain = std::regex_replace(
        text, std::regex("label=\"([^\"]*)\\\\n[0-9.]+ (µ|m)?s\""), "label=\"$1\"");
    plain = std::regex_replace(plain, std::regex("fillcolor=\"0.100[^\"]*\""), "heat");
    return std::regex_replace(plain, std::regex("(\\\\n|\")[^\"\\\\]*/drawn.swift"),
                              "$1drawn.swift");
}

TEST(Graph, has_functions_loops_arrays_and_lines) {
    EXPECT_EQ(without_times(graph_file(drawn)), R"(digraph "drawn.swift" {
  subgraph cluster0 {
    label="square\nline 3"; style=solid;
    n0 [label="n int\nline 3", shape=ellipse];
    n1 [label="o int\nline 3", shape=ellipse];
    n2 [label="sleep\nline 3", shape=box, style="rounded"];
  }
  subgraph cluster1 {
    label="fac\nline 4"; style=solid;
    n3 [label="n int\nline 4", shape=ellipse];
    n4 [label="o int\nline 4", shape=ellipse];
    n5 [label="fac\nline 4", shape=box, style="rounded"];
  }
  subgraph cluster2 {
    label="main"; style=solid;
    n6 [label="A int[]\nline 5", shape=box3d];
    n8 [label="trace\nline 7", shape=box, style="rounded"];
    n14 [label="fac\nline 10", shape=box, style="rounded"];
    n15 [label="trace\nline 10", shape=box, style="rounded"];
    subgraph cluster3_far {
      label=""; style=filled; fillcolor=gray85;
      subgraph cluster3_near {
        label=""; style=filled; fillcolor=gray92;
        subgraph cluster3 {
          label="foreach\nline 6"; style=filled; fillcolor=white;
          n7 [label="square\nline 6", shape=box, style="rounded"];
        }
      }
    }
    subgraph cluster4_far {
      label=""; style=filled; fillcolor=gray85;
      subgraph cluster4_near {
        label=""; style=filled; fillcolor=gray92;
        subgraph cluster4 {
          label="foreach\nline 8"; style=filled; fillcolor=white;
          n9 [label="sleep\nline 8", shape=box, style="rounded"];
          n10 [label="trace\nline 8", shape=box, style="rounded"];
        }
      }
    }
    subgraph cluster5_far {
      label=""; style=filled; fillcolor=gray85;
      subgraph cluster5_near {
        label=""; style=filled; fillcolor=gray92;
        subgraph cluster5 {
          label="for\nline 9"; style=filled; fillcolor=white;
          n11 [label="i int\nline 9", shape=ellipse];
          n12 [label="s int\nline 9", shape=ellipse];
          n13 [label="trace\nline 9", shape=box, style="rounded"];
        }
      }
    }
  }
  n0 -> n1;
  n3 -> n4;
  n3 -> n5;
  n5 -> n4;
  n6 -> n8;
  n6 -> n10;
  n6 -> n12;
  n7 -> n6;
  n11 -> n12;
  n12 -> n13;
  n14 -> n15;
}
)");
}

RunResult run_to_draw(const std::string& file) {
    RunOptions options;
    options.level = 0;
    options.sequential = options.record_spans = true;
    options.on_output = [](const std::string&) {};
    return run_file(file, options);
}

TEST(Graph, of_a_run_has_each_call_and_whose_results_it_needed) {
    const RunResult result = run_to_draw(drawn);
    ASSERT_EQ(result.calls.size(), 12U);
    EXPECT_EQ(without_times(drawing::dot_text(graph_of(result, "drawn.swift"))),
              R"(digraph "drawn.swift" {
  n0 [label="sleep\ndrawn.swift:3", shape=box, style="rounded,filled", heat];
  n1 [label="sleep\ndrawn.swift:3", shape=box, style="rounded,filled", heat];
  n2 [label="sleep\ndrawn.swift:3", shape=box, style="rounded,filled", heat];
  n3 [label="trace\ndrawn.swift:9", shape=box, style="rounded,filled", heat];
  n4 [label="trace\ndrawn.swift:10", shape=box, style="rounded,filled", heat];
  n5 [label="trace\ndrawn.swift:7", shape=box, style="rounded,filled", heat];
  n6 [label="sleep\ndrawn.swift:8", shape=box, style="rounded,filled", heat];
  n7 [label="sleep\ndrawn.swift:8", shape=box, style="rounded,filled", heat];
  n8 [label="sleep\ndrawn.swift:8", shape=box, style="rounded,filled", heat];
  n9 [label="trace\ndrawn.swift:8", shape=box, style="rounded,filled", heat];
  n10 [label="trace\ndrawn.swift:8", shape=box, style="rounded,filled", heat];
  n11 [label="trace\ndrawn.swift:8", shape=box, style="rounded,filled", heat];
  n0 -> n3;
  n0 -> n4;
  n0 -> n5;
  n0 -> n6;
  n1 -> n3;
  n1 -> n5;
  n1 -> n7;
  n2 -> n5;
  n2 -> n8;
  n6 -> n9;
  n7 -> n10;
  n8 -> n11;
}
)");
}

TEST(Graph, of_a_run_has_colours_by_time_and_marks_failures) {
    RunResult result;
    result.calls.push_back({"quick", "a.swift:1", 0, 0, 0, 0, 1, false});
    result.calls.push_back({"long", "a.swift:2", 0, 0, 0, 1, 11, true, 0, {0}});
    EXPECT_EQ(drawing::dot_text(graph_of(result, "a \"b\"")), R"(digraph "a \"b\"" {
  n0 [label="quick\na.swift:1\n1.00 s", shape=box, style="rounded,filled", fillcolor="0.100 0.125 1.000"];
  n1 [label="long\na.swift:2\n10.00 s", shape=box, style="rounded,filled", fillcolor="0.100 0.800 1.000", color=red, penwidth=2];
  n0 -> n1;
}
)");
    const std::string page = drawing::graph_page(graph_of(result, "a<b"));
    EXPECT_NE(page.find("<title>a&lt;b"), std::string::npos);
    EXPECT_NE(page.find("\"failed\":true"), std::string::npos);
    EXPECT_EQ(page.find("{{"), std::string::npos);
}

TEST(Graph, of_a_large_run_says_what_it_leaves_out) {
    RunOptions options;
    options.sequential = options.record_spans = true;
    options.on_output = [](const std::string&) {};
    const RunResult result = run_text("foreach i in [1:1010] { trace(i); }", "many.swift", options);
    EXPECT_EQ(result.calls.size(), 1000U);
    EXPECT_NE(drawing::graph_page(graph_of(result, "many")).find("10 further calls are not drawn"),
              std::string::npos);
}

TEST(Graph, needs_the_script_itself) {
    const std::string path = "graph_test.tic";
    std::ofstream(path) << compile_text("trace(1);\n", "s.swift").compiled;
    EXPECT_THROW(static_cast<void>(graph_file(path)), UsageError);
    std::filesystem::remove(path);
}

}  // namespace refrain::script::graph_test
