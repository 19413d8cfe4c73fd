#include <cstdio>
#include <gtest/gtest.h>
#include <unistd.h>

#include "run_script.hpp"

namespace refrain::script::language_test {

using Lines = std::vector<std::string>;

/// What a script prints, by threads and by the interpreter alike.
Lines printed(const std::string& script) {
    const Ran ran = run_script(script, 2);
    EXPECT_EQ(ran.result.status, 0) << ran.result.messages;
    EXPECT_EQ(ran.result.data_left, 0U);
    EXPECT_EQ(run_script(script, 1, true).lines, ran.lines);
    return ran.lines;
}

TEST(Language, statements_run_when_their_inputs_are_there) {
    EXPECT_EQ(printed("int y; trace(y + 1); y = 41;"), Lines{"trace: 42"});
}

TEST(Language, arithmetic_keeps_ints_and_turns_quotients_into_floats) {
    EXPECT_EQ(printed("trace(7 %/ 2, -7 %/ 2, -7 %% 2, 7 / 2, 2 ** 3, 1 + 2 * 3, -2 + 1.5);"),
              Lines{"trace: 3,-3,-1,3.5,8.0,7,-0.5"});
}

TEST(Language, strings_join_and_format) {
    EXPECT_EQ(printed(R"(trace("a" + 1 + 2.0, "x" / "y", "%i-%s" % (3, "z"));)"),
              Lines{"trace: a12.0,x/y,3-z"});
}

TEST(Language, comparisons_and_booleans_print_1_and_0) {
    EXPECT_EQ(printed(R"(trace(1 < 2, 2.0 <= 1, "a" == "a", !(1 == 1) || true && false);)"),
              Lines{"trace: 1,0,1,0"});
}

TEST(Language, functions_call_themselves) {
    EXPECT_EQ(printed("(int o) fib(int n) { if (n < 2) { o = n; } else { o = fib(n - 1) + fib(n - "
                      "2); } } trace(fib(10));"),
              Lines{"trace: 55"});
}

TEST(Language, functions_have_several_outputs_and_defaults_and_overloads) {
    EXPECT_EQ(printed("(int a, int b) two(int n) { a = n; b = n + 1; }\n"
                      "(string o) kind(int n) { o = \"int\"; } (string o) kind(string s) { o = "
                      "\"string\"; }\n"
                      "int p; int q; p, q = two(5); trace(p, q, kind(1), kind(\"\"));"),
              Lines{"trace: 5,6,int,string"});
}

TEST(Language, an_array_is_final_when_nothing_can_assign_to_it_any_more) {
    EXPECT_EQ(printed("int A[]; foreach i in [1:4] { if (i != 2) { A[i] = i * i; } }\n"
                      "trace(size(A)); foreach v, k in A { trace(k, v); }"),
              (Lines{"trace: 1,1", "trace: 3", "trace: 3,9", "trace: 4,16"}));
}

TEST(Language, a_wait_for_an_updateable_variable_is_one_for_its_last_writer) {
    const std::string text =
        "import sys; updateable_float x = 1.0; updateable_float y = 9.0;\n"
        "foreach i in [1:5] { sleep(0.002) => x <incr> := 1.0; y <min> := itof(i + 2); }\n"
        "wait (x, y) { trace(x, y); }";
    EXPECT_EQ(printed(text), Lines{"trace: 6.0,3.0"});
    for (const int level : {0, 1, 2})
        EXPECT_EQ(run_script(text, 2, false, {}, level).lines, Lines{"trace: 6.0,3.0"});
}

TEST(Language, a_wait_for_the_last_update_is_none_for_a_read_at_any_level) {
    const std::vector<std::pair<std::string, Lines>> scripts{
        {"updateable_float x = 1.0; float y = x; x <incr> := y; wait (x) { trace(x, y); }",
         {"trace: 2.0,1.0"}},
        {"updateable_float x = 1.0; float y = x; x <incr> := 1.0;\n"
         "wait (y) { wait (x) { float z = x; trace(z); } }",
         {"trace: 2.0"}},
        {"updateable_float x = 0.0;\n"
         "foreach i in [1:3] { float y = x; y => x <incr> := 1.0; wait (x) { trace(i, x); } }",
         {"trace: 1,3.0", "trace: 2,3.0", "trace: 3,3.0"}},
        {"updateable_float x = 1.0; (float o) g(float a) { wait (a) { o = a; } }\n"
         "foreach i in [1:3] { x <incr> := 1.0; }\n"
         "float h = g(x); wait (x) { trace(x); } h => x <incr> := 5.0;",
         {"trace: 9.0"}},
        {"updateable_float x = 1.0; (float o) fib(float a, int n) {\n"
         "if (a > 0.5 && n > 0) { o = fib(a, n - 1) + a; } else { o = a; } }\n"
         "float h = fib(x, 2); wait (x) { trace(x, fib(x, 1)); } h => x <incr> := 5.0;",
         {"trace: 6.0,12.0"}},
        {"updateable_float x = 0.0 => x <incr> := 1.0 => trace(\"updated\"); wait (x) { trace(x); "
         "}",
         {"trace: 1.0", "trace: updated"}},
    };
    for (const auto& [text, lines] : scripts) {
        EXPECT_EQ(printed(text), lines) << text;
        for (const int level : {0, 1, 2, 3}) {
            EXPECT_EQ(run_script(text, 3, false, {}, level).lines, lines) << level << ": " << text;
            EXPECT_EQ(run_script(text, 1, true, {}, level).lines, lines) << level << ": " << text;
        }
    }
}

TEST(Language, what_waits_for_the_last_update_is_skipped_if_one_fails_and_reads_go_on) {
    const std::string text =
        "updateable_float x = 0.0; updateable_float y = 0.0;\n"
        "foreach i in [1:3] { x <incr> := itof(12 %/ (i - 2)); }\n"
        "wait (x) { trace(\"last\"); y <incr> := 1.0; } wait (y) { trace(\"last, too\"); }\n"
        "float now = x; trace(\"read\", now < 1000.0);";
    for (const bool sequential : {false, true}) {
        for (const int level : {0, 1, 2, 3}) {
            const Ran ran = run_script(text, 2, sequential, {}, level);
            EXPECT_EQ(ran.lines, Lines{"trace: read,1"}) << level;
            EXPECT_NE(ran.result.status, 0);
            EXPECT_EQ(ran.result.data_left, 0U);
        }
    }
}

TEST(Language, an_updateable_variable_joins_a_string_and_any_array_has_a_size) {
    EXPECT_EQ(printed("updateable_float x = 1.0; x <incr> := 0.5; wait (x) { trace(\"x \" + x); }\n"
                      "int A[string] = {\"a\": 1, \"b\": 2}; float B[float]; B[0.5] = 1.0;\n"
                      "trace(size(A), size(B));"),
              (Lines{"trace: 2,1", "trace: x 1.5"}));
}

TEST(Language, operators_compute_with_an_updateable_variable_as_it_is) {
    const std::string script =
        "updateable_float x = 2.0; float a = x * 3 + 1; string s = \"%.1f %s\" % (x, x);\n"
        "trace(a, s); wait (a, s) { x <incr> := a; }\n"
        "wait (x) { trace(-x, x == 9.0, 1 - x); if (x > 8) { trace(\"more\"); } }";
    for (int level = 0; level <= 3; ++level)
        EXPECT_EQ(run_script(script, 2, false, {}, level).lines,
                  (Lines{"trace: -9.0,1,-8.0", "trace: 7.0,2.0 2.0", "trace: more"}))
            << level;
}

TEST(Language, bags_in_arrays_and_structs_are_appended_to) {
    const std::string script =
        "bag<int> A[]; foreach i in [1:6] { A[i %% 2] += i; } A[7] += 1; \n"
        "type S { bag<string> words; int n; } S s; s.words += \"a\"; s.words += \"b\"; s.n = 3;\n"
        "bag<int> M[string][int]; M[\"x\"][1] += 1; M[\"x\"][1] += 2;\n"
        "foreach b, i in A { trace(i, bag_size(b)); foreach x in b { trace(\"in\", i, x); } }\n"
        "trace(\"s\", bag_size(s.words), s.n); trace(\"m\", bag_size(M[\"x\"][1]));";
    for (int level = 0; level <= 3; ++level)
        EXPECT_EQ(run_script(script, 2, false, {}, level).lines,
                  (Lines{"trace: 0,3", "trace: 1,3", "trace: 7,1", "trace: in,0,2", "trace: in,0,4",
                         "trace: in,0,6", "trace: in,1,1", "trace: in,1,3", "trace: in,1,5",
                         "trace: in,7,1", "trace: m,2", "trace: s,2,3"}))
            << level;
}

TEST(Language, what_operators_call_is_no_name_of_the_script) {
    EXPECT_EQ(printed("(int o) both(int a) { o = a + 1; } (int o) less(int a) { o = a - 1; }\n"
                      "trace(both(1), less(1), 1 < 2 && true);"),
              Lines{"trace: 2,0,1"});
    EXPECT_EQ(printed("int either = 1; trace(either);"), Lines{"trace: 1"});
}

TEST(Language, assertions_and_extremes_of_ints_are_exact) {
    const Ran equal = run_script(
        "import assert; assertEqual(9007199254740993, 9007199254740992, \"differ\");", 1);
    EXPECT_EQ(equal.result.status, 1);
    EXPECT_EQ(printed("import assert; import stats;\n"
                      "assertLT(9007199254740992, 9007199254740993, \"less\");\n"
                      "trace(max_integer_array([9007199254740992, 9007199254740993]));"),
              Lines{"trace: 9007199254740993"});
}

TEST(Language, rows_are_packed_into_blobs) {
    EXPECT_EQ(printed("import blob; blob B[] = blob_pack_rows_float([[1.0, 2.0], [3.5]]);\n"
                      "trace(size(B), blob_size(B[0]), floats_from_blob(B[1])[0]);"),
              Lines{"trace: 2,16,3.5"});
}

TEST(Language, the_name_of_a_file_is_any_sum) {
    const std::string name = testing::TempDir() + "refrain_" + std::to_string(getpid());
    EXPECT_EQ(printed("import files; int i = 2; file f<\"" + name +
                      "_%i\" % (i * 3) + \".txt\"> = write(\"x\"); trace(filename(f), read(f));"),
              Lines{"trace: " + name + "_6.txt,x"});
    std::remove((name + "_6.txt").c_str());
}

TEST(Language, what_a_program_prints_is_a_value) {
    EXPECT_EQ(
        printed(
            "import sys; string o; int c; o, c = system([\"echo\", \"a b\", \"c\"]); trace(o, c);\n"
            "string p; int d; p, d = system1(\"sh -c {echo x; exit 3}\"); trace(\"p\", p, d);\n"
            "string q; int e; q, e = system1(\"sh -c \\\"echo out; echo no >&2\\\"\");\n"
            "trace(\"q\", q, e);"),
        (Lines{"trace: a b c,0", "trace: p,,1", "trace: q,,1"}));
}

TEST(Language, conditions_on_elements_with_computed_keys_run_at_each_level) {
    const std::string script =
        "int v[]; v[4] = 1; int g[]; g[1] = 4; int k = 4; boolean w[]; w[2] = true;\n"
        "if (v[k]) { trace(\"a\", v[k]); }\n"
        "if (v[g[1]]) { trace(\"b\"); }\n"
        "switch (v[k]) { case 1: trace(\"c\"); default: trace(\"no\"); }\n"
        "int m = 1 + 1; if (w[m]) { trace(\"d\"); }";
    for (int level = 0; level <= 3; ++level)
        EXPECT_EQ(run_script(script, 2, false, {}, level).lines,
                  (Lines{"trace: a,1", "trace: b", "trace: c", "trace: d"}))
            << level;
}

TEST(Language, clock_format_names_the_second_that_has_begun) {
    EXPECT_EQ(printed("import sys; trace(clock_format(\"%s\", 59.7), clock_format(\"%s\", 60),"
                      "clock_format(\"%s\", -0.5));"),
              Lines{"trace: 59,60,-1"});
    for (const char* seconds : {"INT_MAX()", "1.0e300", "-1.0e300", "NaN"}) {
        const Ran ran =
            run_script("import sys; trace(clock_format(\"%s\", " + std::string(seconds) + "));");
        EXPECT_NE(ran.result.messages.find("is in no year of the calendar"), std::string::npos)
            << seconds << ran.result.messages;
    }
}

TEST(Language, functions_of_the_arguments_need_no_import) {
    EXPECT_EQ(run_script("trace(argc(), argp(1), argv(\"k\"), argv_contains(\"l\"), args());"
                         "argv_accept(\"k\");",
                         2, false, {"a", "--k=v"})
                  .lines,
              Lines{"trace: 1,a,v,0,a --k=v"});
    EXPECT_NE(refusal_of("trace(getenv(\"X\"));").find("'sys'"), std::string::npos);
}

TEST(Language, the_library_has_what_scripts_of_the_original_use) {
    EXPECT_EQ(
        printed("import sys; import string; import files;\n"
                "trace(INT_MAX(), length(clock_format(\"%Y\", 3.6)), CLOCK_FMT_ISO8601);\n"
                "string A[] = array_repr([1.5, 2.0]); trace(A[0], A[1]);\n"
                "trace(dirname_string(\"a/b.c\"), basename(\"a/b.c\"), replaceAll(\"aXbX\", \"X\", "
                "\"-\"),\n"
                "    replace_all(\"aXbX\", \"X\", \"-\", 2), string_from_floats([1.0, 2.5]));"),
        (Lines{"trace: 1.5,2.0", "trace: 9223372036854775807,4,%Y-%m-%dT%H:%M:%S",
               "trace: a,b.c,a-b-,aXb-,1.0,2.5"}));
}

TEST(Language, elements_are_read_before_the_array_is_final) {
    EXPECT_EQ(printed("int A[]; A[0] = 1; A[1] = A[0] + 1; foreach i in [2:5] { A[i] = A[i - 1] + "
                      "A[i - 2]; } trace(A[5]);"),
              Lines{"trace: 13"});
}

TEST(Language, nested_arrays_are_made_by_assignment_and_are_final_with_their_parents) {
    EXPECT_EQ(printed("int A[string][]; foreach i in [0:2] { A[\"k\"][i] = i; A[\"l\"][i] = -i; }\n"
                      "foreach row, key in A { trace(key, size(row)); } trace(repr(A));"),
              (Lines{"trace: k {0 0 1 1 2 2} l {0 0 1 -1 2 -2}", "trace: k,3", "trace: l,3"}));
}

TEST(Language, a_whole_array_becomes_an_element_or_another_array) {
    EXPECT_EQ(printed("int A[] = [1, 2, 3]; int B[][]; B[7] = A; int C[] = A; trace(B[7][2], C[0], "
                      "size(B[7]), size(C));"),
              Lines{"trace: 3,1,3,3"});
}

TEST(Language, arrays_have_string_keys_and_literals) {
    EXPECT_EQ(printed("int A[string] = {\"a\": 1, \"b\": 2}; trace(A[\"b\"], contains(A, \"a\"), "
                      "contains(A, \"c\")); trace(repr([4:10:3]));"),
              (Lines{"trace: 0 4 1 7 2 10", "trace: 2,1,0"}));
}

TEST(Language, structs_are_assigned_field_by_field) {
    EXPECT_EQ(printed("type P { int x; float y; int A[]; } P p; p.x = 1; p.y = 2; p.A[3] = 4; P q "
                      "= p; P r = P(7, 8.5, q.A);\n"
                      "P many[]; many[0] = q; trace(q.x, q.y, q.A[3], r.x, r.A[3], many[0].y);"),
              Lines{"trace: 1,2.0,4,7,4,2.0"});
}

TEST(Language, several_variables_get_several_values) {
    const std::string script =
        "(int x, int y) two(int n) { x = n; y = n + 1; }\n"
        "int a; float b; a, b = 1, 2; c, d = \"x\", [3, 4]; int e0 = 8; e, f = e0 + 1, two2();\n"
        "int A[]; A[0], A[1] = two(5); N[0], N[1] = two(7); (int o) two2() { o = 2; }\n"
        "trace(a, b, c, d[1], e, f); trace(A[0], A[1], N[0], N[1]);";
    for (const bool sequential : {false, true})
        for (int level = 0; level <= 3; ++level)
            EXPECT_EQ(run_script(script, 2, sequential, {}, level).lines,
                      (Lines{"trace: 1,2.0,x,4,9,2", "trace: 5,6,7,8"}));
    EXPECT_EQ(printed("int A[]; i, A[i] = 7, 8; trace(A[7]);"), Lines{"trace: 8"});
}

TEST(Language, a_typedef_is_another_name_of_a_type) {
    EXPECT_EQ(
        printed("typedef ints int[]; typedef metres float; typedef table ints[string];\n"
                "type P { ints of; } typedef Q P; type own int[];\n"
                "(metres o) sum_of(ints A) { o = A[0] + A[1]; }\n"
                "ints A = [1, 2]; int plain[] = A; float f = sum_of(plain); metres m = 2.5;\n"
                "table T; T[\"a\"] = A; Q q = Q(A); P p = q; bag<int[]> B; B += A; own O = A;\n"
                "trace(f + m, T[\"a\"][1], p.of[0], bag_size(B), O[1]);"),
        Lines{"trace: 5.5,2,1,1,2"});
}

TEST(Language, warnings_come_before_the_run) {
    std::vector<std::string> said;
    RunOptions options;
    options.on_output = [&](const std::string& text) { said.push_back(text); };
    options.on_warnings = options.on_output;
    const RunResult result = run_text("int unused; trace(1);", "test.swift", options);
    ASSERT_EQ(said.size(), 2U);
    EXPECT_TRUE(said[0].starts_with("WARN test.swift:1:5: 'unused' is not used")) << said[0];
    EXPECT_EQ(said[1], "trace: 1\n");
    EXPECT_EQ(result.warnings, "");
    static_cast<void>(run_text("trace(2);", "test.swift", options));
    EXPECT_EQ(said.size(), 3U);
}

TEST(Language, for_carries_values_from_turn_to_turn) {
    EXPECT_EQ(printed("int total; for (int i = 0, total = 0; i < 10; i = i + 1, total = total + i) "
                      "{ } trace(total);"),
              Lines{"trace: 45"});
}

TEST(Language, iterate_counts_from_0_and_tests_afterwards) {
    EXPECT_EQ(printed("int A[]; iterate i { A[i] = i; } until (i >= 3); trace(size(A));"),
              Lines{"trace: 4"});
}

TEST(Language, a_turn_reads_and_writes_what_stands_around_the_loop) {
    EXPECT_EQ(printed("int A[]; int factor = 3; for (int i = 0; i < 5; i = i + 1) { A[i] = i * "
                      "factor; } trace(size(A), A[4]);"),
              Lines{"trace: 5,12"});
}

TEST(Language, a_chain_waits_for_each_link) {
    EXPECT_EQ(printed("int x = 3 => trace(x) => trace(\"done\");"),
              (Lines{"trace: 3", "trace: done"}));
}

TEST(Language, switch_takes_the_label_or_the_default) {
    EXPECT_EQ(printed("foreach i in [1:3] { switch (i) { case 1: trace(\"one\"); case 2: "
                      "trace(\"two\"); default: trace(\"many\"); } }"),
              (Lines{"trace: many", "trace: one", "trace: two"}));
}

TEST(Language, a_global_variable_reaches_functions_through_calls) {
    EXPECT_EQ(printed("global const int N = 5; global int M = N * 2; (int o) f(int x) { o = g(x) + "
                      "N; } (int o) g(int x) { o = x * M; } trace(f(3));"),
              Lines{"trace: 35"});
}

TEST(Language, bags_are_appended_to_and_gone_over) {
    EXPECT_EQ(printed("bag<int> B; foreach i in [1:3] { B += i; } int n = bag_size(B); trace(n);"),
              Lines{"trace: 3"});
}

TEST(Language, wait_deep_waits_for_all_parts) {
    EXPECT_EQ(printed("int A[][]; foreach i in [0:1] { A[i][0] = i; } wait deep (A) { "
                      "trace(\"all\"); } wait (A) { trace(\"there\"); }"),
              (Lines{"trace: all", "trace: there"}));
}

TEST(Language, many_iterations_are_split_and_all_run) {
    EXPECT_EQ(printed("import stats; int A[]; foreach i in [1:2000] { A[i] = i; } trace(sum(A));"),
              Lines{"trace: 2001000"});
}

TEST(Language, a_multi_line_string_keeps_its_newlines) {
    EXPECT_EQ(printed("import string; string s = \"\"\"\na\nb\"\"\"; trace(length(s));"),
              Lines{"trace: 4"});
}

TEST(Language, a_value_that_never_comes_is_named_also_where_it_is_an_input_of_a_task) {
    const Ran ran = run_script(
        "import sys; (int o) f(int i) { if (i > 5) { o = i; } }\n(int o) g(int i) { o = f(i); }\n"
        "int x = g(toint(argv(\"x\", \"1\")));\nint y = g(toint(argv(\"y\", \"7\")));\n"
        "trace(x + y);\n",
        2);
    EXPECT_EQ(ran.result.status, 1);
    EXPECT_NE(ran.result.messages.find("'x' (test.swift:3:5) was never assigned"),
              std::string::npos)
        << ran.result.messages;
}

TEST(Language, functions_and_globals_and_loops_take_annotations) {
    EXPECT_EQ(printed("@pure (int o) f(int i) { o = i + 1; } @unroll=2 foreach i in [1:2] { "
                      "@prio=3 trace(f(i)); }"),
              (Lines{"trace: 2", "trace: 3"}));
}

TEST(Library, json_is_read_by_paths) {
    const std::string document = R"({\"a\": [1, 2.5, \"x\\u00e9\", null, true], \"b\": {}})";
    EXPECT_EQ(printed("import json; string J = \"" + document +
                      "\";\n"
                      "trace(json_type(J, \"\"), json_type(J, \"a,1\"), json_get(J, \"a,2\"), "
                      "json_get_int(J, \"a,0\"), json_get_float(J, \"a,1\"), json_get_boolean(J, "
                      "\"a,4\"));\ntrace(json_array_size(J, \"a\"), json_object_names(J, \"\"), "
                      "json_get(J, \"a\"), json_get(J, \"a,3\"), json_get(J, \"b\"));"),
              (Lines{"trace: 5,a,b,[1, 2.5, 'x\u00e9', None, True],null,{}",
                     "trace: object,float,x\u00e9,1,2.5,1"}));
}

TEST(Library, text_of_json_is_written_as_python_writes_it) {
    EXPECT_EQ(
        printed("import json; trace(json_get(\"[[\\\"a\\\\tb\\\\u0001\\\\r\\\"]]\", \"0\"));"),
        Lines{"trace: ['a\\tb\\x01\\r']"});
}
TEST(Library, what_is_no_json_is_refused) {
    for (const char* each : {"", "[01]", "[1.]", "[+1]", "[--1]", "[1,]", "{\\\"a\\\" 1}",
                             "[\\\"\\t\\\"]", "[\\\"\\\\ud800\\\"]", "[1] 2", "[1e5e5]", "nul"}) {
        const Ran ran =
            run_script(std::string("import json;\ntrace(json_type(\"") + each + "\", \"\"));");
        EXPECT_EQ(ran.result.status, 1) << each;
        EXPECT_NE(ran.result.messages.find("this is no JSON: "), std::string::npos)
            << each << ran.result.messages;
    }
}

TEST(Library, of_a_name_that_is_there_twice_in_json_the_last_value_counts) {
    EXPECT_EQ(printed("import json; string J = \"{\\\"a\\\": 1, \\\"b\\\": 2, \\\"a\\\": 3}\";\n"
                      "trace(json_get(J, \"a\"), json_object_names(J, \"\"), json_get(J, \"\"), "
                      "json_get(\"[9223372036854775807]\", \"0\"));"),
              Lines{"trace: 3,a,b,{'a': 3, 'b': 2},9223372036854775807"});
}

TEST(Library, json_is_written_by_types_and_formats) {
    EXPECT_EQ(
        printed("import json; trace(json_encode_array(1, 2.0, \"a\\\"b\", true));\n"
                "trace(json_encode_object([\"p\", \"q\"], 1, \"x\"));\n"
                "trace(json_encode_array_retype([\"float\", \"boolean\", \"json\", \"null\"], "
                "1, 1, \"{}\", 0));\n"
                "trace(json_encode_object_format([\"p\", \"q\"], \"%0.2f %B\", 1, 0));\n"
                "trace(json_arrayify(json_encode_array_contents(1, 2)));"),
        (Lines{"trace: [1, 2.0, \"a\\\"b\", true]", "trace: [1, 2]", "trace: [1.0, true, {}, null]",
               "trace: {\"p\":1, \"q\":\"x\"}", "trace: {\"p\":1.00, \"q\":false}"}));
}

TEST(Library, blobs_hold_numbers_and_text) {
    EXPECT_EQ(
        printed("import blob; import matrix; float F[] = [1.5, 2.0, 3.0, 4.0];\n"
                "blob b = blob_from_floats(F); float G[] = floats_from_blob(b);\n"
                "float M[][] = matrix_from_blob_fortran(b, 2, 2);\n"
                "trace(blob_size(b), G[1], M[0][1], string_from_blob(blob_from_string(\"abc\")), "
                "blob_size(blob_zeroes_float(3)));"),
        Lines{"trace: 32,2.0,3.0,abc,24"});
}

TEST(Library, vectors_and_matrices_are_printed_a_number_or_a_row_per_line) {
    EXPECT_EQ(printed("import matrix; float A[][] = [[1.0, 2.5], [3.0, 4.0], [5.0]]; int B[][]; "
                      "B[0][0] = 7; B[0][1] = -8; float none[];\n"
                      "vector_print(A[0]); vector_print(none); vector_print_integer(B[0]);\n"
                      "matrix_print(A, 2); matrix_print_integer(B, 1);"),
              (Lines{"0: 1.0000", "0: 7", "1: -8", "1: 2.5000", "matrix rows: 1", "matrix rows: 2",
                     "row 0:  1.0000 2.5000", "row 0:  7 -8", "row 1:  3.0000 4.0000"}));
}

TEST(Library, a_module_written_in_the_language_stands_beside_functions_of_its_names) {
    const std::string path = testing::TempDir() + "refrain_unix_" + std::to_string(getpid());
    EXPECT_EQ(printed("import unix; import sys; import files; file f<\"" + path +
                      "\"> = echo(\"hello\"); trace(read(f)); sleep(0.0) => rm(\"-f\", \"" + path +
                      ".none\") => trace(\"done\");"),
              (Lines{"", "trace: done", "trace: hello"}));
    std::remove(path.c_str());
}

// Each once had the other's value where operations are numbered by what they compute.
TEST(Library, statistics_of_parts_are_those_of_the_whole) {
    EXPECT_EQ(
        printed(
            "import stats; float A[] = [1.0, 2.0, 3.0, 6.0]; int n; float m; float s; PartialStats "
            "P[]; int k; float a; float q; int l; float b; float r; k, a, q = statagg([1.0, 2.0]); "
            "l, b, r = "
            "statagg([3, 6]); P[0] = PartialStats(k, a, q); P[1] = PartialStats(l, b, r);"
            "n, m, s = stat_combine(P); float u; float v; u, v = stats(A);"
            "trace(n, m, s == v, u, q, r);"),
        Lines{"trace: 4,3.0,1,3.0,0.5,4.5"});
}

TEST(Library, arrays_are_reduced_over_the_outer_key) {
    EXPECT_EQ(
        printed(
            "import reductions; int A[][]; A[0] = [1, 2]; A[1] = [10, 20]; string S[][]; S[0][5] = "
            "\"x\"; S[3][5] = \"x\"; S[3][6] = \"y\";"
            "trace(repr(reduce_sum_integer(A)), repr(reduce_splice_string(S)));"),
        Lines{"trace: 0 11 1 22,5 x 6 y"});
}

TEST(Optimised, constants_are_told_apart) {
    for (const int level : {0, 3}) {
        EXPECT_EQ(run_script("import blob;\n"
                             "int a[] = ints_from_blob(blob_from_string(\"12345678\"));\n"
                             "int b[] = ints_from_blob(blob_from_string(\"abcdefgh\"));\n"
                             "trace(a[0] == b[0]);",
                             2, false, {}, level)
                      .lines,
                  Lines{"trace: 0"})
            << "O" << level;
        EXPECT_EQ(run_script("import sys; string s = argv(\"x\", \"S\");\n"
                             "trace(strcat(s, \"x;c4:y\")); trace(strcat(s, \"x\", \"y\"));",
                             2, false, {}, level)
                      .lines,
                  (Lines{"trace: Sx;c4:y", "trace: Sxy"}))
            << "O" << level;
    }
}

TEST(Library, numbers_that_do_not_fit_are_refused) {
    const auto told = [](const std::string& script, const std::string& what) {
        const Ran ran =
            run_script("import blob; import matrix; import json; import sys;\n" + script);
        EXPECT_EQ(ran.result.status, 1) << script;
        EXPECT_NE(ran.result.messages.find(what), std::string::npos) << ran.result.messages;
    };
    told(
        "float M[][] = matrix_from_blob_fortran(blob_null(), 4294967296, 4294967296); "
        "trace(size(M));",
        "is no matrix of");
    told("trace(blob_size(blob_zeroes_float(2305843009213693952)));", "is too large");
    told("trace(json_encode_array_retype([\"int\"], 1e300));", "to int");
    told("trace(clock_format(\"%Y\", 900000000000000000));", "is in no year of the calendar");
    EXPECT_EQ(printed("import json; trace(json_encode_array_retype([\"int\"], 9007199254740993));"),
              Lines{"trace: [9007199254740993]"});
}

}  // namespace refrain::script::language_test
