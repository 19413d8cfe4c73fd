#include "refrain/detail/sanitizers.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

#include "run_script.hpp"

#if defined(REFRAIN_ADDRESS_SANITIZER) && defined(REFRAIN_SCRIPT_HAS_TCL)
/// For all tests of this program: the leak checker crashes at times in the thread-local storage of the
/// plug-in and of Tcl, so it does not look there. What only the loader refers to is no leak.
extern "C" const char* __lsan_default_options() {
    return "use_tls=0";
}
extern "C" const char* __lsan_default_suppressions() {
    return "leak:add_to_global\nleak:_dl_map_object_deps\nleak:_dlerror_run\n";
}
#endif

/// Functions of Tcl in scripts.
namespace refrain::script::tcl_test {

namespace fs = std::filesystem;

class Tcl : public testing::Test {
  protected:
    void SetUp() override {
#ifndef REFRAIN_SCRIPT_HAS_TCL
        GTEST_SKIP() << "tcl-dev is not installed: the plug-in was not built";
#endif
    }
    static std::vector<std::string> lines_of(const std::string& script, std::uint32_t workers = 2) {
        const Ran ran = run_script(script, workers);
        EXPECT_EQ(ran.result.messages, "") << script;
        return ran.lines;
    }
    static std::string failure_of(const std::string& script) {
        const Ran ran = run_script(script);
        EXPECT_EQ(ran.result.status, 1) << script;
        return ran.result.messages;
    }
    using Lines = std::vector<std::string>;
};

TEST_F(Tcl, fragments_set_outputs_from_inputs) {
    EXPECT_EQ(lines_of("(int o, string s) f(int i, float x, string t) \"turbine\" \"0.0\"\n"
                       "[ \"set <<o>> [ expr <<i>> + 1 ]; set <<s>> \\\"<<t>> at <<x>>\\\"\" ];\n"
                       "int a; string b;\na, b = f(41, 2.0, \"it's {so}\");\ntrace(a, b);"),
              Lines{"trace: 42,it's {so} at 2.0"});
    EXPECT_EQ(
        lines_of("(boolean o) f(boolean b) \"turbine\" \"0\" [ \"set <<o>> [ expr ! <<b>> ]\" ];\n"
                 "(void o) g(string s) \"turbine\" \"0\" [ \"puts -nonewline <<s>> ; puts !\" ];\n"
                 "g(\"text\");\ntrace(f(false));"),
        (Lines{"text!", "trace: 1"}));
}

TEST_F(Tcl, arrays_and_structs_are_dictionaries_and_bags_lists) {
    EXPECT_EQ(lines_of("(int o[]) squares(int a[]) \"turbine\" \"0\" [\n\"\"\"\n"
                       "set <<o>> [dict create]\n"
                       "dict for {k v} <<a>> { dict set <<o>> $k [expr {$v * $v}] }\n\"\"\" ];\n"
                       "int a[]; a[3] = 4; a[5] = 6;\n"
                       "foreach v, k in squares(a) { trace(k, v); }"),
              (Lines{"trace: 3,16", "trace: 5,36"}));
    EXPECT_EQ(
        lines_of("type point { int x; string name; }\n"
                 "(point o) moved(point p) \"turbine\" \"0\" [ \"set <<o>> [dict replace <<p>> x "
                 "[expr [dict get <<p>> x] + 1]]\" ];\n"
                 "point p; p.x = 1; p.name = \"a b\";\npoint q = moved(p);\n"
                 "trace(q.x, q.name);"),
        Lines{"trace: 2,a b"});
}

TEST_F(Tcl, files_are_a_path_and_a_count) {
    EXPECT_EQ(lines_of("import files;\n"
                       "(file o) upper(file i) \"turbine\" \"0\" [\n\"\"\"\n"
                       "set in [open [turbine::local_file_path <<i>>]]\n"
                       "set out [open [lindex $<<o>> 0] w]\n"
                       "puts -nonewline $out [string toupper [read $in]]\n"
                       "close $in; close $out\n\"\"\" ];\n"
                       "file a = write(\"abc\");\nfile b = upper(a);\ntrace(read(b));"),
              Lines{"trace: ABC"});
    EXPECT_NE(failure_of("(file o) f() \"turbine\" \"0\" [ \"set x 1\" ];\nfile a = f();")
                  .find("it made no file"),
              std::string::npos);
}

TEST_F(Tcl, an_error_says_the_line_of_the_fragment_and_values_that_are_none) {
    const std::string messages = failure_of(
        "(int o) f(int i) \"turbine\" \"0\" [\n\"\"\"\nset a 1\nset <<o>> [ expr {<<i>> / 0} "
        "]\n\"\"\" ];\n"
        "trace(f(1));");
    EXPECT_NE(messages.find("test.swift:1:9: f: divide by zero (in line 3 of the fragment: "
                            "set v_o [ expr {${v_i} / 0} ])"),
              std::string::npos)
        << messages;
    const auto wrong = [](const std::string& body) {
        return failure_of("(int o) f() \"turbine\" \"0\" [ \"" + body + "\" ];\ntrace(f());");
    };
    EXPECT_NE(wrong("set <<o>> few").find("the output 'o' is 'few', which is no int"),
              std::string::npos)
        << wrong("set <<o>> few");
    EXPECT_NE(wrong("set x 1").find("it has not set its output 'o'"), std::string::npos);
    EXPECT_NE(wrong("exit 3").find("called exit, which would end the run"), std::string::npos);
}

TEST_F(Tcl, a_key_in_two_spellings_is_an_error) {
    const std::string why = failure_of(
        "(int o[]) f() \"turbine\" \"0\" [ \"set <<o>> {1 5 01 6}\" ];\nint a[] = "
        "f();\ntrace(a[1]);");
    EXPECT_NE(why.find("the key '01' is there twice, in another spelling"), std::string::npos)
        << why;
}

TEST_F(Tcl, a_compiled_script_keeps_its_fragments) {
    const CompileResult made = compile_text(
        "(int o) f(int i) \"turbine\" \"0\" [\n\"\"\"\nset <<o>> [ expr <<i>> + 1 ]\n\"\"\" ];\n"
        "trace(f(1));",
        "test.swift", {});
    EXPECT_EQ(lines_of(made.compiled), Lines{"trace: 2"});
}

TEST_F(Tcl, no_two_calls_share_a_frame) {
    EXPECT_EQ(
        lines_of("(int o) f(int i) \"turbine\" \"0\" [ \"set seen [info exists kept]; set kept "
                 "<<i>>; set <<o>> $seen\" ];\n"
                 "int a = f(1);\nint b;\nwait (a) { b = f(2); }\ntrace(a, b);",
                 1),
        Lines{"trace: 0,0"});
}

class Package : public Tcl {
  protected:
    Package() {
        fs::create_directories(folder_);
        std::ofstream(folder_ + "/pkgIndex.tcl")
            << "package ifneeded mine 1.2 [list source [file join $dir mine.tcl]]\n";
        std::ofstream(folder_ + "/mine.tcl") << R"(
package require turbine 0.5
package provide mine 1.2
namespace eval mine {
    variable calls 0
    proc twice {x} { return [expr {2 * $x}] }
    # with ids, as old packages are
    proc sum {outputs inputs} {
        set partial [turbine::allocate integer]
        turbine::rule $inputs "mine::sum_body $partial $inputs" type $turbine::WORK
        turbine::rule $partial "mine::plus_one [lindex $outputs 0] $partial"
    }
    proc sum_body {o a b} {
        turbine::store_integer $o [expr {[turbine::retrieve_integer $a] + [turbine::retrieve_decr_integer $b]}]
    }
    proc plus_one {o i} { turbine::store_integer $o [expr {[turbine::retrieve_integer $i] + 1}] }
    proc reversed {outputs inputs} {
        lassign $outputs o
        foreach {k v} [adlb::enumerate [lindex $inputs 0] dict all 0] {
            turbine::container_insert $o $v $k integer
        }
        adlb::write_refcount_decr $o
    }
    proc never {outputs inputs} { turbine::rule [turbine::allocate integer] "error no" }
    proc nothing {outputs inputs} { }
}
)";
        setenv("SWIFT_PATH", folder_.c_str(), 1);
    }
    ~Package() override {
        unsetenv("SWIFT_PATH");
        fs::remove_all(folder_);
    }
    std::string folder_ = testing::TempDir() + "refrain_tcl_package_" + std::to_string(getpid());
};

TEST_F(Package, is_found_and_called_by_fragments_and_with_ids) {
    EXPECT_EQ(
        lines_of("(int o) twice(int i) \"mine\" \"1.2\" [ \"set <<o>> [ mine::twice <<i>> ]\" ];\n"
                 "(int o) sum(int a, int b) \"mine\" \"1.2\" \"mine::sum\";\n"
                 "(int o[]) reversed(int a[]) \"mine\" \"1.2\" \"mine::reversed\";\n"
                 "trace(twice(4), sum(3, 4));\n"
                 "int a[]; a[1] = 10; a[2] = 20;\n"
                 "int b[] = reversed(a);\ntrace(b[10], b[20], size(b));"),
        (Lines{"trace: 1,2,2", "trace: 8,8"}));
}

TEST_F(Package, that_stores_nothing_or_waits_for_ever_is_an_error) {
    const auto declared = [](const char* name) {
        return std::string("(int o) f(int a) \"mine\" \"1.2\" \"mine::") + name +
               "\";\ntrace(f(1));";
    };
    EXPECT_NE(failure_of(declared("nothing")).find("has not stored its output 'o'"),
              std::string::npos);
    EXPECT_NE(failure_of(declared("never")).find("that nothing stores: error no"),
              std::string::npos);
}

TEST_F(Package, in_another_version_is_refused_although_one_is_loaded) {
    try {
        static_cast<void>(
            run_script("(int o) a(int i) \"mine\" \"1.2\" [ \"set <<o>> <<i>>\" ];\n"
                       "(int o) b(int i) \"mine\" \"7.0\" [ \"set <<o>> <<i>>\" ];\n"
                       "trace(a(1), b(1));"));
        ADD_FAILURE() << "version 7.0 was not asked for";
    } catch (const UsageError& error) {
        EXPECT_NE(std::string(error.what()).find("7.0"), std::string::npos) << error.what();
    }
}

TEST_F(Package, that_is_missing_is_known_before_the_run) {
    std::string output;
    RunOptions options;
    options.on_output = [&](const std::string& more) { output += more; };
    try {
        static_cast<void>(
            run_text("(int o) f() \"yours\" \"2.0\" \"yours::f\";\ntrace(\"first\");\n"
                     "trace(f());",
                     "test.swift", options));
        ADD_FAILURE() << "it ran";
    } catch (const UsageError& error) {
        EXPECT_NE(std::string(error.what()).find("the Tcl package 'yours' of 'f' cannot be loaded"),
                  std::string::npos)
            << error.what();
        EXPECT_NE(std::string(error.what()).find(folder_), std::string::npos);
    }
    EXPECT_EQ(output, "");
}

TEST_F(Tcl, a_last_input_stands_for_any_number_of_arguments) {
    const std::string script =
        "(int n, string t) f(string s, int|float|string|boolean... x) \"turbine\" \"0\"\n"
        "[ \"set <<n>> [ llength [ list <<x>> ] ]; set <<t>> [ join [ list <<x>> ] <<s>> ]\" ];\n"
        "(int o) total(int... x) \"turbine\" \"0\" [ \"set <<o>> [ tcl::mathop::+ <<x>> ]\" ];\n"
        "int n; string t; n, t = f(\"-\", 1, 2.5, \"a b\", true); trace(n, t);\n"
        "int m; string u; m, u = f(\"+\"); trace(m, u);\n"
        "int A[] = [3, 4]; foreach i in [0:1] { trace(i, total(A[i], i, n, 10)); }";
    for (const int level : {0, 1, 2, 3}) {
        const Ran ran = run_script(script, 2, false, {}, level);
        EXPECT_EQ(ran.result.messages, "");
        EXPECT_EQ(ran.lines,
                  (Lines{"trace: 0,", "trace: 0,17", "trace: 1,19", "trace: 4,1-2.5-a b-1"}));
    }
}

TEST_F(Tcl, fragments_evaluate_python) {
    EXPECT_EQ(lines_of("(string o) f(string code, string e) \"turbine\" \"0\" [ \"set <<o>> [ "
                       "turbine::python 1 1 <<code>> <<e>> ]\" ];\n"
                       "trace(f(\"x = [1, 2]\", \"repr(x)\"));"),
              Lines{"trace: [1, 2]"});
}

TEST_F(Tcl, the_first_worker_of_a_node_runs_hooks_before_and_after_the_run) {
    const auto run = [](const char* startup, const char* shutdown) {
        setenv("TURBINE_LEADER_HOOK_STARTUP", startup, 1);
        setenv("TURBINE_LEADER_HOOK_SHUTDOWN", shutdown, 1);
        std::vector<std::string> said;
        RunOptions options;
        options.workers = 3;
        options.on_output = [&](const std::string& more) { said.push_back(more); };
        RunResult result;
        try {
            result = run_text("foreach i in [1:1] { trace(\"run\"); }", "test.swift", options);
        } catch (const UsageError& error) {
            said.emplace_back(error.what());
        }
        unsetenv("TURBINE_LEADER_HOOK_STARTUP");
        unsetenv("TURBINE_LEADER_HOOK_SHUTDOWN");
        return std::pair(said, result.messages);
    };
    EXPECT_EQ(
        run("puts \"first [adlb::comm_rank]\"; c::sync_exec {} {} {} true", "puts last").first,
        (Lines{"first 0\n", "trace: run\n", "last\n"}));
    EXPECT_EQ(run("error none", "").first, Lines{"TURBINE_LEADER_HOOK_STARTUP: none"});
    EXPECT_EQ(run("", "error none").second, "error: TURBINE_LEADER_HOOK_SHUTDOWN: none\n");
}

}  // namespace refrain::script::tcl_test
