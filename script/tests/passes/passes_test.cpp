#include "ir/parse.hpp"
#include "ir/print.hpp"
#include "ir/verify.hpp"
#include "passes/coalesce.hpp"
#include "passes/dead_code.hpp"
#include "passes/expand.hpp"
#include "passes/expand_loops.hpp"
#include "passes/fuse_loops.hpp"
#include "passes/hoist.hpp"
#include "passes/inline_functions.hpp"
#include "passes/optimise.hpp"
#include "passes/signatures.hpp"
#include "passes/value_number.hpp"
#include "refrain/error.hpp"
#include "typing/front_end.hpp"
#include "values/text.hpp"

#include <gtest/gtest.h>
#include <map>
#include <regex>

#include "programs/random_program.hpp"
#include "tries.hpp"

/// Each pass from text to text. The texts leave out where a statement stands in a script.
namespace refrain::script::passes_test {

using Pass = ir::Program (*)(ir::Program);

std::string without_places(const std::string& text) {
    std::string made;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == ' ' && i + 1 < text.size() && text[i + 1] == '@')
            for (++i; i + 1 < text.size() && text[i + 1] != ' ' && text[i + 1] != '\n'; ++i) {
            }
        else
            made += text[i];
    }
    return made;
}
std::string after(Pass pass, const std::string& text, const ir::Program& like = {}) {
    ir::Program program = pass(ir::parse_program(text, like));
    EXPECT_EQ(ir::fault_of(program), "");
    const std::string made = without_places(ir::print(program));
    EXPECT_EQ(without_places(ir::print(pass(program))), made) << "the pass is not idempotent";
    return made;
}
ir::Program number(ir::Program program) {
    return passes::number_values(std::move(program));
}

TEST(Expand, an_operation_on_data_becomes_a_wait_around_one_on_values) {
    EXPECT_EQ(after(passes::expand_operations,
                    "function main () () {\n  datum x int\n  datum y int\n"
                    "  compute plus_int [y] [x, 1]\n}\n"),
              "function main () () {\n  datum x int\n  datum y int\n  wait [x] {\n"
              "    local v int\n    local v.3 int\n    load [v] [x]\n"
              "    compute_now plus_int [v.3] [v, 1]\n    store [y] [v.3]\n  }\n}\n");
}

TEST(ValueNumbering, what_is_stored_is_not_waited_for) {
    EXPECT_EQ(after(number,
                    "function main () () {\n  datum x int\n  store [x] [3]\n  wait [x] {\n"
                    "    local v int\n    local w int\n    load [v] [x]\n"
                    "    compute_now plus_int [w] [v, 4]\n    compute_now trace [] [w]\n  }\n}\n"),
              "function main () () {\n  datum x int\n  local v int\n  local w int\n"
              "  store [x] [3]\n  compute_now trace [] [7]\n}\n");
}

TEST(ValueNumbering, a_value_that_may_have_failed_guards_what_does_not_need_it) {
    const std::string text =
        "function main () () {\n  datum x int\n  local a int\n  local b int\n"
        "  compute_now argc [a] []\n  compute_now plus_int [b] [a, 1]\n  store [x] [b]\n"
        "  wait [x] {\n    compute_now trace [] [5]\n  }\n}\n";
    EXPECT_NE(after(number, text).find("  wait [b] {\n    compute_now trace [] [5]\n  }\n"),
              std::string::npos);
}

TEST(ValueNumbering, an_operation_is_done_once_and_a_branch_knows_its_condition) {
    EXPECT_EQ(after(number,
                    "function f (output o int) (local i int) {\n  local a boolean\n"
                    "  local b boolean\n  compute_now equal [a] [i, 2]\n"
                    "  compute_now equal [b] [i, 2]\n  if b {\n    store [o] [i]\n  } else {\n"
                    "    if a {\n      store [o] [8]\n    } else {\n      store [o] [9]\n    }\n"
                    "  }\n}\nfunction main () () {\n}\n"),
              "function f (output o int) (local i int) {\n  local a boolean\n  local b boolean\n"
              "  compute_now equal [a] [i, 2]\n  if a {\n    store [o] [2]\n  } else {\n"
              "    store [o] [9]\n  }\n}\nfunction main () () {\n}\n");
}

TEST(ValueNumbering, an_operation_that_would_fail_is_left_for_the_run) {
    const std::string text =
        "function main () () {\n  local a int\n  compute_now quotient_int [a] [1, 0]\n"
        "  compute_now trace [] [a]\n}\n";
    EXPECT_EQ(after(number, text), text);
}

TEST(ValueNumbering, who_assigns_is_asked_again_when_a_branch_is_gone) {
    EXPECT_EQ(after(number,
                    "function main () () {\n  datum x int\n  if true {\n    store [x] [1]\n"
                    "  } else {\n    store [x] [2]\n  }\n  wait [x] {\n    local v int\n"
                    "    load [v] [x]\n    compute_now trace [] [v]\n  }\n}\n"),
              "function main () () {\n  datum x int\n  local v int\n  store [x] [1]\n"
              "  compute_now trace [] [1]\n}\n");
}

TEST(DeadCode, what_nobody_reads_goes_and_elements_output_and_assertions_stay) {
    EXPECT_EQ(after(passes::remove_dead_code,
                    "function unused () () {\n}\nfunction main () () {\n  datum x int\n"
                    "  datum y int\n  datum A int[]\n  compute plus_int [x] [1, 2]\n"
                    "  compute plus_int [y] [x, 2]\n  store [A[0]] [1]\n"
                    "  compute trace [] [7]\n  wait [x] {\n  }\n}\n"),
              "function main () () {\n  datum A int[]\n  store [A[0]] [1]\n"
              "  compute trace [] [7]\n}\n");
}

TEST(Coalescing, who_waits_moves_behind_the_assignment_into_the_task_that_makes_it) {
    EXPECT_EQ(after(passes::coalesce_tasks,
                    "function f () (input a int) {\n  datum x int\n  wait [x] {\n    local v int\n"
                    "    load [v] [x]\n    compute_now trace [] [v]\n  }\n  wait [a] {\n"
                    "    local w int\n    load [w] [a]\n    store [x] [w]\n  }\n}\n"
                    "function main () () {\n}\n"),
              "function f () (input a int) {\n  datum x int\n  wait [a] {\n    local w int\n"
              "    load [w] [a]\n    store [x] [w]\n    wait [x] {\n      local v int\n"
              "      load [v] [x]\n      compute_now trace [] [v]\n    }\n  }\n}\n"
              "function main () () {\n}\n");
}

TEST(Coalescing, waits_for_the_same_and_waits_inside_waits_become_one) {
    EXPECT_EQ(after(passes::coalesce_tasks,
                    "function f () (input a int, input b int) {\n  wait [a] {\n"
                    "    compute_now trace [] [1]\n  }\n  wait [a] {\n    wait [b] {\n"
                    "      compute_now trace [] [2]\n    }\n  }\n  wait [b] {\n    wait [a] {\n"
                    "      compute_now trace [] [3]\n    }\n  }\n}\nfunction main () () {\n}\n"),
              "function f () (input a int, input b int) {\n  wait [a] {\n"
              "    compute_now trace [] [1]\n    wait [b] {\n      compute_now trace [] [2]\n"
              "    }\n  }\n  wait [b, a] {\n    compute_now trace [] [3]\n  }\n}\n"
              "function main () () {\n}\n");
}

TEST(Coalescing, a_call_stays_a_task_of_its_own_where_something_else_happens) {
    const std::string with_store =
        "function f (output o int) (input a int) {\n  wait [a] {\n    store [o] [1]\n"
        "    task [] {\n      compute_now trace [] [2]\n    }\n  }\n}\nfunction main () () {\n}\n";
    EXPECT_EQ(after(passes::coalesce_tasks, with_store), with_store);
    EXPECT_NE(after(passes::coalesce_tasks,
                    "function f () () {\n  range counter i int in [1, 9, 1] {\n    task [] {\n"
                    "      compute_now trace [] [i]\n    }\n  }\n}\nfunction main () () {\n}\n")
                  .find("in [1, 9, 1] {\n    compute_now trace [] [i]\n  }\n"),
              std::string::npos);
}

TEST(Coalescing, a_wait_that_was_merged_is_pushed_down_like_others) {
    const std::string made =
        after(passes::coalesce_tasks,
              "function f () (input a int, input b int) {\n  datum y int\n"
              "  wait [a] {\n    store [y] [1]\n  }\n"
              "  wait [b] {\n    wait [y] {\n      compute_now trace [] [3]\n    }\n  }\n}\n"
              "function main () () {\n}\n");
    EXPECT_NE(made.find("  wait [a] {\n    store [y] [1]\n    wait [b, y] {\n"), std::string::npos)
        << made;
}

TEST(Inlining, the_body_stands_where_the_function_was_called_and_recursion_stays) {
    EXPECT_EQ(after(passes::inline_functions,
                    "function twice (output o int) (input i int) {\n  datum t int\n"
                    "  compute plus_int [t] [i, i]\n  copy [o] [t]\n}\n"
                    "function down () (input i int) {\n  call down [] [i]\n}\n"
                    "function main () () {\n  datum x int\n  datum t int\n"
                    "  call twice [x] [t]\n  call down [] [x]\n}\n"),
              "function down () (input i int) {\n  call down [] [i]\n}\n"
              "function main () () {\n  datum x int\n  datum t int\n  datum t.2 int\n"
              "  compute plus_int [t.2] [t, t]\n  copy [x] [t.2]\n  call down [] [x]\n}\n");
}

TEST(Hoisting, what_every_turn_waits_for_is_waited_for_once) {
    EXPECT_EQ(after(passes::hoist_waits,
                    "function f () (input x int, input y int) {\n"
                    "  range counter i int in [1, 3, 1] {\n    wait [x] {\n      local v int\n"
                    "      load [v] [x]\n      compute_now trace [] [v, i]\n    }\n"
                    "    wait [y, x] {\n      local w int\n      load [w] [x]\n"
                    "      compute_now trace [] [w]\n    }\n  }\n}\nfunction main () () {\n}\n"),
              "function f () (input x int, input y int) {\n  local some boolean\n"
              "  compute_now at_most_int [some] [1, 3]\n  if some {\n    wait [x] {\n"
              "      local v.6 int\n      load [v.6] [x]\n"
              "      range counter i int in [1, 3, 1] {\n        wait [] {\n"
              "          local v int\n          compute_now trace [] [v.6, i]\n        }\n"
              "        wait [y] {\n"
              "          local w int\n          compute_now trace [] [v.6]\n        }\n"
              "      }\n    }\n  } else {\n  }\n}\nfunction main () () {\n}\n");
}

TEST(Hoisting, a_loop_without_turns_waits_for_nothing) {
    EXPECT_NE(after(passes::hoist_waits,
                    "function f () (local n int, input x int) {\n"
                    "  range counter i int in [1, n, 1] {\n    task [x] {\n      local v int\n"
                    "      load [v] [x]\n      compute_now trace [] [v]\n    }\n  }\n}\n"
                    "function main () () {\n}\n")
                  .find("  compute_now at_most_int [some] [1, n]\n  if some {\n    wait [x] {\n"),
              std::string::npos);
}

TEST(Hoisting, nothing_is_delayed_that_does_not_need_the_value) {
    for (const std::string waits : {"    wait [x] {\n    }\n    compute_now trace [] [i]\n",
                                    "    wait [x] {\n    }\n    wait [y] {\n    }\n",
                                    "    datum z int\n    wait [z] {\n    }\n    store [z] [i]\n",
                                    "    wait [A[i]] {\n    }\n"}) {
        const std::string text =
            "function f () (input x int, input y int, input A int[]) {\n"
            "  range counter i int in [1, 3, 1] {\n" +
            waits + "  }\n}\nfunction main () () {\n}\n";
        EXPECT_EQ(after(passes::hoist_waits, text), text);
    }
}

TEST(LoopExpansion, turns_of_a_loop_whose_ends_are_constants_stand_where_it_stood) {
    EXPECT_EQ(after(passes::expand_loops,
                    "function main () () {\n  datum A int[]\n"
                    "  range counter i int index k int in [1, 4, 2] {\n    local v int\n"
                    "    compute_now plus_int [v] [i, k]\n    store [A[i]] [v]\n  }\n}\n"),
              "function main () () {\n  datum A int[]\n  local v.4 int\n  local v.5 int\n"
              "  compute_now plus_int [v.4] [1, 0]\n  store [A[1]] [v.4]\n"
              "  compute_now plus_int [v.5] [3, 1]\n  store [A[3]] [v.5]\n}\n");
}

TEST(LoopExpansion, a_loop_in_a_loop_may_have_ends_that_are_constants_then) {
    const std::string made =
        after(passes::expand_loops,
              "function f () (input x int, input A int[]) {\n"
              "  range counter i int in [1, 2, 1] {\n    wait [x] {\n"
              "      range counter j int in [i, 2, 1] {\n        store [A[j]] [i]\n      }\n"
              "    }\n  }\n}\nfunction main () () {\n}\n");
    EXPECT_EQ(made,
              "function f () (input x int, input A int[]) {\n  wait [x] {\n    store [A[1]] [1]\n"
              "    store [A[2]] [1]\n  }\n  wait [x] {\n    store [A[2]] [2]\n  }\n}\n"
              "function main () () {\n}\n");
}

TEST(LoopExpansion, what_starts_calls_is_long_or_has_unknown_ends_stays_a_loop) {
    const std::string stores = "    store [A[i]] [i]\n";
    const std::pair<std::string, std::string> loops[] = {
        {"[1, 16, 1]", stores},
        {"[1, n, 1]", stores},
        {"[n, 3, 1]", stores},
        {"[1, 3, n]", stores},
        {"[1, 3, 0]", stores},
        {"[3, 1, 1]", stores},
        {"[-9223372036854775807, 9223372036854775807, 1]", stores},
        {"[1, 2, 1]", "    task [] {\n      compute_now trace [] [i]\n    }\n"},
        {"[1, 2, 1]", "    compute sleep [x] [1.5]\n"},
        {"[1, 2, 1]", "    if b {\n      compute sleep [x] [1.5]\n    } else {\n    }\n"}};
    for (const auto& [ends, body] : loops) {
        const std::string text =
            "function f () (local n int, input A int[], local b boolean, input x void) {\n"
            "  range counter i int in " +
            ends + " {\n" + body + "  }\n}\nfunction main () () {\n}\n";
        EXPECT_EQ(after(passes::expand_loops, text), text);
    }
    const std::string call =
        "function f () () {\n  range counter i int in [1, 2, 1] {\n    call f [] []\n  }\n}\n"
        "function main () () {\n}\n";
    EXPECT_EQ(after(passes::expand_loops, call), call);
    std::string many = "function f () (input A int[]) {\n  range counter i int in [1, 15, 1] {\n";
    for (int i = 0; i < 18; ++i) many += stores;
    many += "  }\n}\nfunction main () () {\n}\n";
    EXPECT_EQ(after(passes::expand_loops, many), many);
}

TEST(LoopFusion, a_loop_that_needs_what_the_same_turn_of_another_assigns_becomes_one_with_it) {
    EXPECT_EQ(
        after(passes::fuse_loops,
              "function f () (local n int, input A int[], input B int[]) {\n"
              "  range counter i int in [1, n, 1] {\n    store [A[i]] [i]\n  }\n"
              "  foreach element x int key l int in A {\n    store [B[l]] [x]\n  }\n"
              "  range counter j int index k int in [1, n, 1] {\n    wait [A[j]] {\n"
              "      local v int\n      load [v] [A[j]]\n      store [B[k]] [v]\n    }\n  }\n"
              "  foreach element y int key m int in A {\n    wait [B[m]] {\n"
              "      compute_now trace [] [m, y]\n    }\n  }\n}\n"
              "function main () () {\n}\n"),
        "function f () (local n int, input A int[], input B int[]) {\n"
        "  range counter i int index k int in [1, n, 1] {\n    store [A[i]] [i]\n"
        "    wait [A[i]] {\n      local v int\n      load [v] [A[i]]\n      store [B[k]] [v]\n"
        "    }\n  }\n  foreach element x int key l int in A {\n    store [B[l]] [x]\n"
        "    wait [B[l]] {\n      compute_now trace [] [l, x]\n    }\n  }\n}\n"
        "function main () () {\n}\n");
}

/// What turns assign, or trace, or wait for, loop after loop.
std::string loops(const std::string& counters, const std::vector<std::string>& turns) {
    std::string text = "function f () (input A int[], input B int[], input C int[]) {\n";
    for (std::size_t i = 0; i < turns.size(); ++i) {
        const std::string counter(1, counters[i]);
        text += "  range counter " + counter + " int in [1, 99, 1] {\n";
        for (const std::string& each : parts_of(turns[i], ";"))
            text += "    " + std::regex_replace(each, std::regex("@"), counter) + "\n";
        text += "  }\n";
    }
    return text + "}\nfunction main () () {\n}\n";
}
TEST(LoopFusion, loops_between_that_build_on_neither_stay_where_they_are) {
    EXPECT_EQ(after(passes::fuse_loops,
                    loops("ijkl", {"store [A[@]] [@]", "store [B[@]] [@]", "store [C[@]] [@]",
                                   "wait [A[@]] {;  compute_now trace [] [@];};"
                                   "wait [C[@]] {;  compute_now trace [] [@];}"})),
              loops("jk", {"store [B[@]] [@]",
                           "store [C[@]] [@];store [A[@]] [@];"
                           "wait [A[@]] {;  compute_now trace [] [@];};"
                           "wait [C[@]] {;  compute_now trace [] [@];}"}));
}
TEST(LoopFusion, a_loop_that_needs_what_a_later_one_assigns_is_behind_it_once_it_has_moved) {
    EXPECT_EQ(
        after(passes::fuse_loops,
              loops("ijk", {"store [A[@]] [@];wait [C[@]] {;  compute_now trace [] [@];}",
                            "store [C[@]] [@]", "wait [A[@]] {;  compute_now trace [] [@];}"})),
        loops("j", {"store [C[@]] [@];store [A[@]] [@];"
                    "wait [C[@]] {;  compute_now trace [] [@];};"
                    "wait [A[@]] {;  compute_now trace [] [@];}"}));
}
TEST(LoopFusion, loops_that_do_not_build_on_one_another_stay_apart) {
    for (const char* second : {"store [B[@]] [@]", "wait [A[7]] {;  compute_now trace [] [@];}",
                               "wait [B[@]] {;  compute_now trace [] [@];}",
                               "wait [A] {;  compute_now trace [] [@];}"}) {
        const std::string text = loops("ij", {"store [A[@]] [@]", second});
        EXPECT_EQ(after(passes::fuse_loops, text), text);
    }
}

TEST(LoopFusion, loops_stay_apart_that_start_calls_or_have_one_between_them) {
    const auto store = [](const std::string& body = {}) {
        return "  range counter i int in [1, n, 1] {\n    store [A[i]] [i]\n" + body + "  }\n";
    };
    const auto needs = [](const std::string& body = {}, const std::string& end = "n") {
        return "  range counter j int in [1, " + end +
               ", 1] {\n    wait [A[j]] {\n      compute_now trace [] [j]\n    }\n" + body +
               "  }\n";
    };
    const std::string task = "    task [] {\n      compute_now trace [] [1]\n    }\n";
    ir::Program with_app;
    with_app.leaves.emplace_back().name = "app";
    const auto text = [](const std::string& loops) {
        return "function f () (local n int, input A int[]) {\n  datum x void\n  datum y int\n" +
               loops + "}\nfunction main () () {\n}\n";
    };
    for (const std::string& each :
         {store() + needs(task), store(task) + needs(), store() + needs("    call f [] [n, A]\n"),
          store() + needs("    compute sleep [x] [1.5]\n"),
          store() + "  leaf_now app [] []\n" + needs(), store() + needs("", "y")})
        EXPECT_EQ(after(passes::fuse_loops, text(each), with_app), text(each));
    EXPECT_NE(after(passes::fuse_loops, text(store() + needs())), text(store() + needs()));
}

TEST(Signatures, a_function_that_needs_a_value_takes_the_value) {
    EXPECT_EQ(after(passes::pass_values,
                    "function f (output o int) (input i int, input j int) {\n  wait [i] {\n"
                    "    local v int\n    load [v] [i]\n    store [o] [v]\n"
                    "    call f [o] [i, j]\n  }\n}\n"
                    "function main () () {\n  datum a int\n  datum b int\n  datum c int\n"
                    "  call f [a] [b, c]\n}\n"),
              "function f (output o int) (local i int, input j int) {\n  wait [i] {\n"
              "    local v int\n    store [o] [i]\n    call f [o] [i, j]\n  }\n}\n"
              "function main () () {\n  datum a int\n  datum b int\n  datum c int\n"
              "  wait [b] {\n    local v int\n    load [v] [b]\n    call f [a] [v, c]\n  }\n}\n");
}

TEST(Text, of_random_programs_at_every_level_reads_back) {
    for (std::uint64_t seed = 1; seed <= tries(40); ++seed) {
        Sources sources;
        sources.add("test.swift", make_random_program(seed).text());
        const ir::Program program = compile_to_ir(sources).program;
        for (const int level : {0, 1, 2, 3}) {
            const ir::Program made = passes::optimise(program, passes::PassSet(level));
            const std::string text = ir::print(made);
            ASSERT_EQ(ir::print(ir::parse_program(text, made)), text) << "seed " << seed;
        }
    }
}

TEST(Text, that_is_no_code_is_refused_with_its_line) {
    try {
        static_cast<void>(
            ir::parse_program("function main () () {\n  datum x int\n  nothing\n}\n"));
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_STREQ(error.what(),
                     "intermediate code, line 3: expected a statement instead of 'nothing'");
    }
}

TEST(Passes, a_second_run_over_a_random_program_changes_nothing) {
    for (std::uint64_t seed = 1; seed <= tries(40); ++seed) {
        Sources sources;
        sources.add("test.swift", make_random_program(seed).text());
        const ir::Program made =
            passes::optimise(compile_to_ir(sources).program, passes::PassSet(3));
        EXPECT_EQ(ir::print(passes::optimise(made, passes::PassSet(3))), ir::print(made))
            << "seed " << seed;
    }
}

TEST(Passes, each_applied_again_to_what_it_made_of_a_random_program_changes_nothing) {
    const std::map<std::string_view, Pass> passes = {
        {"function-inline", passes::inline_functions},
        {"dataflow-op-inline", passes::expand_operations},
        {"value-number", number},
        {"dead-code-elim", passes::remove_dead_code},
        {"wait-coalesce", passes::coalesce_tasks},
        {"hoisting", passes::hoist_waits},
        {"expand-loops", passes::expand_loops},
        {"controlflow-fusion", passes::fuse_loops},
        {"function-signature", passes::pass_values}};
    for (std::uint64_t seed = 101; seed <= 100 + tries(40); ++seed) {
        Sources sources;
        sources.add("test.swift", make_random_program(seed).text());
        static_cast<void>(passes::optimise(compile_to_ir(sources).program, passes::PassSet(3),
                                           [&](std::string_view pass, const ir::Program& made) {
                                               const ir::Program again = passes.at(pass)(made);
                                               EXPECT_EQ(ir::print(again), ir::print(made))
                                                   << pass << ", seed " << seed;
                                           }));
    }
}

TEST(Passes, an_unknown_name_is_refused) {
    EXPECT_THROW(passes::PassSet(2).set("constant-fould", true), UsageError);
}

}  // namespace refrain::script::passes_test
