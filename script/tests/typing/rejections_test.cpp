#include "syntax/code.hpp"
#include "values/text.hpp"

#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <unistd.h>

#include "run_script.hpp"

/// What the compiler refuses, by the first line of its message, and the warnings.
namespace refrain::script::rejections_test {

struct Case {
    const char* script;
    const char* message;
};

TEST(Rejections, each_mistake_has_its_message) {
    const Case cases[] = {
        {"trace(\"\\q\");", "test.swift:1:8: unknown escape \\q"},
        {"int x = 99999999999999999999;",
         "test.swift:1:9: the number 99999999999999999999 does not fit into 64 bits"},
        {"int x = 0o19;", "'9' is no digit of a number to base 8"},
        {"int x = 1; x = 2;", "test.swift:1:12: 'x' is assigned a second time"},
        {"int x = 1; if (x == 1) { x = 2; }", "'x' is assigned a second time"},
        {"int A[]; A[0] = 1; A[0] = 2;", "'A[0]' is assigned a second time"},
        {"int A[] = [1]; A[3] = 2;", "'A' is assigned as a whole and in parts"},
        {"type S { int a; } S s; s.a = 1; s.a = 2;", "'s.a' is assigned a second time"},
        {"type S { int a; } S A[]; A[0].a = 1;", "one field of a struct in an array is assigned"},
        {"int x; trace(x);", "test.swift:1:14: 'x' is read and never assigned"},
        {"type S { int a; int b; } S s; s.a = 1; trace(s.b);", "'s.b' is read and never assigned"},
        {"boolean c; if (c) { c = true; }", "this if waits for 'c', which its own body assigns"},
        {"int c; wait (c) { c = 1; }", "this wait waits for 'c', which its own body assigns"},
        {"updateable_float x = 0.0; x <incr> := 1.0; wait (x) { if (true) { x <incr> := 1.0; } }",
         "this wait waits for 'x', which its own body assigns"},
        {"int n; foreach i in [0:n] { n = i; }",
         "this foreach waits for 'n', which its own body assigns"},
        {"int A[]; A[0] = 1; foreach x in A { if (x == 1) { A[1] = 2; } }",
         "this foreach waits for 'A', which its own body assigns"},
        {"int A[]; if (size(A) > 1) { A[0] = 1; }",
         "this if waits for 'A', which its own body assigns"},
        {"int n; for (int i = 0; i < n; i = i + 1) { n = 2; }",
         "this for waits for 'n', which its own body assigns"},
        {"f(int x) { x = 1; } f(2);", "'x' is an input and cannot be assigned to"},
        {"global int g = 1 + 1; f() { g = 2; } f();",
         "'g' is a global variable and cannot be assigned to"},
        {"int x = 1; if (true) { int x = 2; }", "'x' is declared a second time"},
        {"(int a) f(int a) { a = 1; }", "'f' has two arguments called 'a'"},
        {"type S { int a; int a; }", "the struct 'S' has two fields 'a'"},
        {"type T int; (int o) T(int i) { o = i; }", "a type and a function are called 'T'"},
        {"(int o) trace(int i) { o = i; }", "'trace' is a function of the library (builtins)"},
        {"f() { import io; }", "'import' cannot stand inside a function"},
        {"int i = 1; switch (i) { case 1: case 1: }", "the label 1 stands twice in this switch"},
        {"int i = 1; switch (i) { default: case 1: }", "a case stands behind 'default'"},
        {"int x = 1; x(2);", "'x' is a variable and cannot be called"},
        {"int x = trace;", "'trace' is a function and cannot be used as a value"},
        {"int x = length(1, 2);", "the call of 'length' does not fit: it takes 1 argument, not 2"},
        {"int x = length(1);",
         "the call of 'length' does not fit: argument 1 's' is a string, not an int"},
        {"int A[string]; A[1] = 2;",
         "the key is an int, but this is an int[string] with keys of type string"},
        {"int A[blob]; A[1] = 2;", "'blob' cannot be the key of an array"},
        {"trace(y);", "test.swift:1:7: there is no variable 'y'"},
        {"itn x = 1;", "test.swift:1:1: there is no type 'itn'"},
        {"type S { int a; } S s; s.b = 1;", "the struct 'S' has no field 'b'"},
        {"f(int[] a) { trace(1); }", "expected the name of the parameter, found '['"},
        {"type int T;", "'int' is a type of the language and cannot be declared again"},
        {"app (int o) f() { \"x\" o }", "the output 'o' of an app is an int"},
        {"app (file o) f() { \"x\" @stdout=o @stdout=o }", "stdout is redirected twice"},
        {"app (void o) f(int i) { \"x\" @stdin=i }",
         "stdin is redirected to an int, not to a file"},
        {"for (int i = 0; i < 3; ) { trace(i); }", "the carried variable 'i' is not updated"},
        {"for (int i = 0; i < 3; i = i + 1, i = i + 2) { trace(i); }",
         "the carried variable 'i' is updated twice"},
        {"int x = 2.5;", "a float is given where an int is expected"},
        {"int x = (1, 2);", "a tuple stands where one value is expected"},
        {"int x; int y; x, y = 1;", "2 variables are assigned, but there is 1 value\n"},
        {"int x; int y; x, y = 1, 2, 3;", "2 variables are assigned, but there are 3 values"},
        {"typedef int[] ints;", "the new name comes first: typedef ints int[];"},
        {"typedef ints;", "expected a type, found ';'"},
        {"type int T;", "the new name comes first: type T int;"},
        {"int x = parseInt(base=3, \"12\");",
         "a positional argument stands behind one with a keyword"},
        {"int x = parseInt(s=\"12\");",
         "'s' is a required argument and cannot be given by keyword"},
        {"f(int a=1, int b) { trace(a + b); }",
         "an argument without a default stands behind one with a default"},
        {"f(int... a) { trace(1); }",
         "only extension functions take a variable number of arguments"},
        {"f(int|float a) { trace(1); }",
         "only extension functions take arguments of alternative types"},
        {"(int o) f(int a) { o = a; } (int o) f(int a) { o = a; }",
         "the function 'f' is defined a second time with the same inputs"},
        {"int x = 1 + true;", "'+' is asked of an int and a boolean"},
        {"printf(\"a\");",
         "the function 'printf' belongs to the module 'io', which is not imported"},
        {"import oi;", "there is no module 'oi'"},
        {"int x; x = x;", "'x' waits for itself"},
        {"int s = s + 1;",
         "test.swift:1:9: 's' waits for itself\n"
         "  1 | int s = s + 1;\n"
         "    |         ^\n"
         "test.swift:1:5: the assignment is here"},
        {"string s; s = \"a\" + s;", "'s' waits for itself"},
        {"int A[]; A[0] = size(A);", "'A' waits for itself"},
        {"int i; i = max(-(2 * i), 3);", "'i' waits for itself"},
        {"(int o) f(int x) { o = x + o; } f(1);", "'o' waits for itself"},
        {"int c = 1; int x; if (c == 1) { x = 1; } else { x = x + 1; }", "'x' waits for itself"},
        {"int a;\nint b = a;\na = b;",
         "test.swift:3:5: 'a' waits for 'b', which waits for 'a'\n"
         "  3 | a = b;\n"
         "    |     ^\n"
         "test.swift:2:9: 'b' waits for 'a' here\n"},
        {"int a; int b; int c; a = b + 1; wait (a) { c = 2; } b = c;",
         "'a' waits for 'b', which waits for 'c', which waits for 'a'"},
        {"int A[]; int B[]; A[0] = size(B); B[0] = size(A);",
         "'A' waits for 'B', which waits for 'A'"},
        {"(int o) f(int x) \"c:x.so\" \"1\" \"f\"; int x; int y; x = f(y) => y = 1;",
         "'x' waits for 'y', which waits for 'x'"},
        {"int x = 1 => int y => int z = y => y = 2;", "this chain waits for 'y'"},
        {"int A[]; int y; A[0] = y + 1 => y = 1;", "this chain waits for 'y'"},
        {"int y; trace(y) => y = 1;", "this chain waits for 'y', which its own end assigns"},
        {"main(int x) { }", "main takes neither inputs nor outputs"},
        {"(int o) f(int... xs) \"native\" \"1\" \"f\";", "give it an array: xs[]"},
        {"(float o) f(float x) \"pkg\" \"1\";", "names neither a procedure nor a fragment"},
        {"(float o) f(float xs) \"pkg\" \"1\" [ \"set <<o>> <<x>>\" ];", "did you mean <<xs>>?"},
        {"(int o) f(float a, int b) { o = b; } (int o) f(int a, float b) { o = a; } int x = f(1, "
         "1);",
         "the call of 'f' fits several functions equally"},
        {"(int o) f(int a) { o = a; } (int o, int p) f(string a) { o = 1; p = 2; }",
         "overloads of 'f' have different numbers of outputs"},
        {"(int o) f(int a) { o = a; } (int o) f(string a, int b=1) { o = b; }",
         "overloads of 'f' cannot have arguments with defaults"},
        {"(int o) f(int|float a) \"native\" \"1\" \"f\"; (int o) f(string a) \"native\" \"1\" "
         "\"g\";",
         "overloads of 'f' cannot have arguments of alternative or variable types"},
        {"@checkpoint (int o) f(int a) \"native\" \"1\" \"f\"; @checkpoint (int o) f(string a) "
         "\"native\" "
         "\"1\" \"g\";",
         "@checkpoint stands before 'f', which has overloads"},
        {"trace((1, 2));", "a tuple cannot be an argument"},
        {"int x, y; x, y = (1, 2, 3);", "2 variables are assigned, but there are 3 values"},
        {"int x = parseInt(\"12\", bass=3);",
         "'parseInt' has no argument 'bass' that can be given by keyword"},
        {"type S { int a; } S s = S(a=1);", "the constructor of a struct takes no keywords"},
        {"(int... o) f() \"native\" \"1\" \"f\";", "an output cannot stand for a variable number"},
        {"f(int... a, int b) \"native\" \"1\" \"f\";",
         "'...' stands behind the last argument only"},
        {"f(int... a=1) \"native\" \"1\" \"f\";", "'a' has '...' and a default"},
        {"<T> f(int|T a) \"native\" \"1\" \"f\";",
         "a type variable is one of several alternatives"},
        {"<T> (T o) f(T a) { o = a; }", "only extension functions have type variables"},
        {"<T> f(T a, T b) \"native\" \"1\" \"f\"; f(1, \"a\");",
         "argument 2 'b' is a T, not a string"},
        {"int c; switch (c) { case 1: c = 2; }",
         "this switch waits for 'c', which its own body assigns"},
        {"f() { (int o) g(int i) { o = i; } }", "a function cannot be defined inside a function"},
        {"f() { type T int; }", "'type' cannot stand inside a function"},
        {"f() { pragma worktypedef w; }", "'pragma' cannot stand inside a function"},
        {"global int f = 1; f() { trace(1); }", "a function and a global variable are called 'f'"},
        {"global int trace = 1;", "'trace' is a function of the library (builtins)"},
        {"type T int; global int T = 1;", "'T' is the name of a type"},
        {"int A[][]; int B[]; A[B] = 1;",
         "the key is an int[], but this is an int[][] with keys of type int"},
        {"type S { int a; } int A[S];", "'S' cannot be the key of an array"},
        {"@pur (int o) f(int a) { o = a; }", "there is no annotation '@pur' for functions"},
        {"@pure @pure (int o) f(int a) { o = a; }", "@pure stands here twice"},
        {"@sync @async foreach i in [1:2] { trace(i); }", "@async contradicts @sync"},
        {"@unrol=2 foreach i in [1:2] { trace(i); }", "there is no annotation '@unrol' for loops"},
        {"@unroll=2 int x = 1;", "'@unroll' stands before a statement that takes none"},
        {"url a = input_url(\"x\"); url b = a;", "a url cannot be copied"},
        {"import files; url a = input_url(\"x\"); string s = read(a);",
         "argument 1 'f' is a file, not a url"},
        {"app (void o) f(url i) { \"x\" @stdin=i }", "stdin is redirected to a url, not to a file"},
        {"app (external o) f() { \"x\" } external e; e = make_void(1);",
         "a void is given where an external is expected"},
        {"type S { int a; } S t; t.a = 1; S s = t; s.a = 2;",
         "'s' is assigned as a whole and in parts"},
        {"(int a, int a) f() { a = 1; }", "'f' has two arguments called 'a'"},
        {"type N int; N n = 1; trace(n);", "an int is given where a N is expected"},
        {"<T> f(T a) \"native\" \"1\" \"f\"; f(int a, int b) \"native\" \"1\" \"g\";",
         "overloads of 'f' cannot have arguments of alternative or variable types"},
        {"int x = trace; f(int i) { trace(i); } f(trace);",
         "'trace' is a function and cannot be used as a value"},
        {"app (void o) f(url i) { \"x\" @stdout=i }",
         "stdout is redirected to a url, not to a file"},
        {"app (file o) f(file i) { \"x\" @stdin=i @stdin=i o }", "stdin is redirected twice"},
        {"int A[]; int x = A[\"a\"]; trace(x);",
         "the key is a string, but this is an int[] with keys of type int"},
        {"if (\"a\") { trace(1); }", "a condition is a boolean or an int, not a string"},
        {"foreach i in 5 { trace(i); }",
         "foreach goes over arrays, bags and ranges, not over an int"},
        {"@pure main { trace(1); }", "main takes no annotations"},
        {"(int o) f(int i) { o = i; } int x = @foo=2 f(1); trace(x);",
         "there is no annotation '@foo' for calls"},
        {"for (int i = 0; i < 3; i = i + 1) { for (i = 0; i < 2; i = i + 1) { trace(i); } }",
         "'i' is the variable of a loop and cannot be assigned to"},
    };
    for (const Case& each : cases) {
        const std::string said = refusal_of(each.script);
        EXPECT_NE(said.find(each.message), std::string::npos) << each.script << "\n" << said;
    }
}

TEST(Rejections, a_message_shows_both_places_and_the_way_out) {
    EXPECT_EQ(refusal_of("int x = 1;\nx = 2;\n"),
              "test.swift:2:1: 'x' is assigned a second time\n"
              "  2 | x = 2;\n"
              "    | ^\n"
              "test.swift:1:5: the first assignment is here\n"
              "  1 | int x = 1;\n"
              "    |     ^\n"
              "  help: a variable is assigned once; use another one for the new value\n");
    EXPECT_NE(refusal_of("int count = 1;\ntrace(cuont);\n").find("help: did you mean 'count'?"),
              std::string::npos);
    EXPECT_NE(refusal_of("import string;\nint n = strlen(1);\n")
                  .find("help: convert it with int2string(...)"),
              std::string::npos);
    for (const auto& [open, brace] : {std::pair("if (true) {\n  trace(1);\n", "1:11"),
                                      {"f() {\n  if (true) {\n    trace(1);\n  }\n", "1:5"},
                                      {"switch (1) {\n  case 1: trace(1);\n", "1:12"}}) {
        const std::string said = refusal_of(open);
        EXPECT_NE(said.find(", found the end of the file\n"), std::string::npos) << said;
        EXPECT_NE(said.find(std::string("test.swift:") + brace + ": for the '{' that is here\n"),
                  std::string::npos)
            << said;
    }
    // A conversion that is given the wrong type: the message names the one that takes that type.
    const std::pair<const char*, const char*> conversions[] = {
        {"toint(2.5)", "float2int"},          {"string2float(1)", "int2float"},
        {"toFloat(\"2.5\")", "string2float"}, {"toInt(\"3\")", "string2int"},
        {"fromint(2.5)", "float2string"},     {"strlen(2.5)", "float2string"}};
    for (const auto& [call, way] : conversions) {
        const std::string said = refusal_of("import string;\ntrace(" + std::string(call) + ");\n");
        EXPECT_NE(said.find("help: convert it with " + std::string(way) + "(...)"),
                  std::string::npos)
            << said;
    }
}

TEST(Rejections, parsing_goes_on_after_an_error_and_one_cause_has_one_message) {
    const std::string said = refusal_of("int x = ;\nint y = 1 +;\ntrace(1);\n");
    EXPECT_NE(said.find("test.swift:1:9"), std::string::npos);
    EXPECT_NE(said.find("test.swift:2:12"), std::string::npos);
    const std::string once = refusal_of("a = nothing(1);\ntrace(a);\nint b = a + 1;\n");
    EXPECT_EQ(once.find("there is no function 'nothing'"), once.rfind("there is no"));
}

TEST(Warnings, possible_mistakes_run_and_are_named) {
    EXPECT_EQ(warnings_of("int x; trace(\"a\");"),
              "WARN test.swift:1:5: 'x' is not used\n  1 | int x; trace(\"a\");\n    |     ^\n");
    EXPECT_NE(warnings_of("int x; if (1 == 2) { x = 1; } trace(1); x = 2; trace(x);")
                  .find("'x' may be assigned a second time"),
              std::string::npos);
    EXPECT_NE(warnings_of("int x; foreach i in [1:1] { x = i; } trace(x);")
                  .find("the loop may run its body twice"),
              std::string::npos);
    EXPECT_NE(warnings_of("(int o) f(int i) { trace(i); } f(1);")
                  .find("test.swift:1:6: the output 'o' of 'f' is never assigned"),
              std::string::npos);
    EXPECT_NE(warnings_of("float x = 9007199254740993; trace(x);")
                  .find("does not fit into a float exactly"),
              std::string::npos);
    EXPECT_NE(warnings_of("file f<\"unwritten\">; trace(1);")
                  .find("the mapped file 'f' is never written"),
              std::string::npos);
    EXPECT_NE(warnings_of("type N; trace(1);").find("a deprecated way to declare a file type"),
              std::string::npos);
    EXPECT_NE(warnings_of("@deprecated f(int i) { trace(i); } f(1);").find("'f' is deprecated"),
              std::string::npos);
    EXPECT_NE(warnings_of("app (file o) f() { \"true\" } trace(1);")
                  .find("the output 'o' is not in the command of 'f'"),
              std::string::npos);
    EXPECT_EQ(warnings_of("(int o) f(int i) { o = i; } trace(@prio=1 f(1));"), "");
    EXPECT_NE(warnings_of("(int o) f(int i) { o = i; } int x = @f(1); trace(x);")
                  .find("the '@' before this call has no effect"),
              std::string::npos);
    EXPECT_NE(warnings_of("int x; if (1 == 1) { x = 1; } trace(x);")
                  .find("'x' may never be assigned: its only assignment is conditional"),
              std::string::npos);
}

TEST(Rejections, what_may_end_is_no_cycle) {
    for (const char* script :
         {"int c = 1; int a; int b; if (c == 1) { a = 1; b = a; } else { b = 2; a = b; } trace(a, "
          "b);",
          "int c = 1; int A[]; int B[]; if (c == 1) { A[0] = size(B); } else { B[0] = size(A); }",
          "int c = 1; int A[]; int B[]; if (c == 1) { A[0] = size(B); } B[0] = size(A);",
          "int A[]; A[0] = 1; A[1] = A[0] + 1; A[2] = A[A[1]]; trace(A[2]);",
          "int A[]; A[0] = 1; if (A[0] == 1) { A[1] = 2; } foreach i in [A[0]:3] { A[i + 1] = i; }",
          "(int o) f(int x) { o = 1; } int a; a = f(a); trace(a);",
          "updateable_float x = 0.0; float y = x + 1; x <incr> := y; if (x > 0.0) { x <incr> := x; "
          "}",
          "int a = 1; int b; wait (a) { b = 1; } trace(b);",
          "int a; int b; a = 1 => b = a; int c = b => int d = c => trace(d); wait (d) { trace(a); "
          "}",
          "int A[]; int x; A[0] = 1 => x = 2; A[1] = x; trace(A[1]);",
          "int a => int b; b = 2; a = 1; trace(a, b);",
          "updateable_float x = 0.0; x <incr> := 1.0 => x <incr> := 2.0;"})
        EXPECT_EQ(warnings_of(script), "") << script;
    EXPECT_NE(refusal_of("int a = 1; int b; wait (a) { b = 1; } b = 2;").find("a second time"),
              std::string::npos);
}

TEST(Warnings, an_unused_global_and_a_suppressed_output_have_none) {
    EXPECT_EQ(warnings_of("global int unused = 1; trace(1);"), "");
    EXPECT_EQ(warnings_of("@suppress=unused_output app (file o) f() { \"true\" } trace(1);"), "");
}

/// The part of the text that a range names.
std::string part(const std::string& text, const Message::Range& range) {
    std::istringstream lines(text);
    std::string line;
    for (std::uint32_t i = 0; i < range.line; ++i) std::getline(lines, line);
    return line.substr(range.column - 1, range.end_column - range.column);
}
std::vector<Message> messages_of(const std::string& text) {
    // Tests run side by side, each in a process.
    const std::string path = testing::TempDir() + "messages_" + std::to_string(getpid()) + ".swift";
    std::ofstream(path) << text;
    try {
        return check_file(path, {}, {}).messages;
    } catch (const CompileFailure& failure) {
        return failure.messages();
    }
}

/// One script for each kind; each kind is on the page for editors.
TEST(Rejections, each_kind_has_a_name_that_editors_can_rely_on) {
    const std::map<std::string, const char*> scripts = {
        {"syntax", "int x = ;"},
        {"preprocessor", "#if\nint x = 1;"},
        {"unknown-name", "trace(y);"},
        {"missing-import", "printf(\"a\");"},
        {"duplicate-name", "int x = 1; int x = 2; trace(x);"},
        {"wrong-use", "int x = trace;"},
        {"type-mismatch", "int x = \"a\"; trace(x);"},
        {"wrong-call", "int x = parseInt(); trace(x);"},
        {"ambiguous-call",
         "(int o) f(float a, int b) { o = b; } (int o) f(int a, float b) { o = a; } "
         "trace(f(1, 1));"},
        {"overload", "(int o) f(int a) { o = a; } (int o) f(int a) { o = a; }"},
        {"parameter", "f(int a=1, int b) { trace(a + b); }"},
        {"not-assignable", "f(int a) { a = 1; } f(1);"},
        {"assigned-twice", "int x = 1; x = 2; trace(x);"},
        {"never-assigned", "int x; trace(x);"},
        {"waits-for-itself", "int c; wait (c) { c = 1; }"},
        {"annotation", "@pur (int o) f(int a) { o = a; }"},
        {"loop", "for (int i = 0; i < 3; ) { trace(i); }"},
        {"foreign-function", "app (int o) f() { \"x\" o }"},
        {"maybe-assigned-twice",
         "import sys; int x; if (argc() > 1) { x = 1; } if (argc() > 2) { x = 2; } trace(x);"},
        {"maybe-unassigned", "import sys; int x; if (argc() > 1) { x = 1; } trace(x);"},
        {"unused", "int x = 1; int y;"},
        {"unused-output", "app (file o) f() { \"x\" } file f<\"a\"> = f(); trace(filename(f));"},
        {"no-effect", "(int o) f(int i) { o = i; } int x = @f(1); trace(x);"},
        {"inexact", "float x = 9007199254740993; trace(x);"},
        {"deprecated", "@deprecated (int o) f(int i) { o = i; } trace(f(1));"}};
    const std::string page =
        content_of(std::string(REFRAIN_SCRIPT_DIR) + "/docs/editors.md").value_or("");
    std::istringstream kinds(
        content_of(std::string(REFRAIN_SCRIPT_DIR) + "/src/syntax/code.hpp").value_or(""));
    std::size_t count = 0;
    for (std::string line; std::getline(kinds, line);) {
        if (!line.starts_with("inline constexpr Code ")) continue;
        ++count;
        const std::size_t begin = line.find('"') + 1;
        const std::string each = line.substr(begin, line.rfind('"') - begin);
        const auto script = scripts.find(each);
        ASSERT_NE(script, scripts.end()) << each;
        std::string given;
        for (const Message& message : messages_of(script->second)) given += message.code + " ";
        EXPECT_NE((" " + given).find(" " + each + " "), std::string::npos)
            << each << " is not among: " << given;
        EXPECT_NE(page.find("| `" + each + "` |"), std::string::npos) << each;
    }
    EXPECT_EQ(count, scripts.size());
}

TEST(Rejections, editors_get_ranges_other_places_and_edits) {
    const std::string twice = "int count = 1;\n  count = 2;\ntrace(coutn);\n";
    const std::vector<Message> found = messages_of(twice);
    ASSERT_EQ(found.size(), 2U);
    const Message& name = found[0].related.empty() ? found[0] : found[1];
    const Message& second = found[0].related.empty() ? found[1] : found[0];
    EXPECT_EQ(part(twice, second.at), "count");
    EXPECT_EQ(second.at.line, 2U);
    ASSERT_EQ(second.related.size(), 1U);
    EXPECT_EQ(second.related[0].at.line, 1U);
    EXPECT_TRUE(second.fixes.empty());
    EXPECT_FALSE(second.warning);
    EXPECT_EQ(second.code, "assigned-twice");
    ASSERT_EQ(name.fixes.size(), 1U);
    EXPECT_EQ(part(twice, name.fixes[0].at), "coutn");
    EXPECT_EQ(name.fixes[0].text, "count");

    const std::vector<Message> missing = messages_of("trace(strlen2(\"a\"));\nprintf(\"a\");");
    ASSERT_FALSE(missing.empty());
    EXPECT_EQ(missing.back().fixes.at(0).text, "import io;\n");
    EXPECT_EQ(missing.back().fixes[0].at.line, 1U);
    const std::string quotient = "int x = 7 / 2;";
    const std::vector<Message> no_int = messages_of(quotient);
    ASSERT_EQ(no_int.at(0).fixes.size(), 1U);
    EXPECT_EQ(part(quotient, no_int[0].fixes[0].at), "/");
    EXPECT_EQ(no_int[0].fixes[0].text, "%/");
    EXPECT_EQ(messages_of("int x = ;").at(0).code, "syntax");
    // The first line says which program runs the file.
    EXPECT_EQ(messages_of("#!/usr/bin/refrain-script\nprintf(\"a\");").at(0).fixes.at(0).at.line,
              2U);
}

TEST(Rejections, habits_of_other_languages_are_met_with_the_way_out) {
    const Case cases[] = {
        {"while (true) { trace(1); }", "help: loops are foreach, for, and iterate"},
        {"(int o) f(int x) { return x; }", "help: assign to an output"},
        {"(int o) f(int x) { return 1 + x; }", "help: assign to an output"},
        {"if (true) { trace(1); } elseif (false) { trace(2); }", "help: write it in two words"},
        {"int[] A = [1, 2];", "help: brackets follow the name"},
        {"for i in [1:3] { trace(i); }", "help: over elements go: foreach"},
        {"int f(int x) { o = x; }", "help: outputs stand first"},
        {"int A[3]; A[0] = 1;", "help: arrays have no length"},
        {"foreach i in 1:10 { trace(i); }", "help: a range stands in brackets"},
        {"file f[]<\"x\">;", "help: map each: file f<...>"},
        {"int i = 1; i++;", "help: there is no ++"},
        {"float f = .5;", "help: floats begin with a digit"},
        {"app (file o) f(file i) { \"sort\" i > o }", "help: apps write to files by @stdout=f"},
        {"app (file o) f(file i) { \"sort\" @out=o }", "help: of apps there are: @stdin="},
        {"string s = 'a';", "help: strings stand in double quotes"},
        {"bool b = true;", "help: it is called boolean"},
        {"import sys; @timeout=5 sleep(1.0);", "help: write it before the function"},
        {"int x = 7 / 2;", "help: %/ divides ints"},
        {"int i = 3; int A[]; A[i / 2] = 1;", "help: %/ divides ints"},
        {"int x = 7.0 / 2;", "help: convert it with float2int(...)"},
        {"foreach i in [1..10] { trace(i); }", "help: a range has a colon"},
        {"trace(1); } trace(2);", "test.swift:1:11: this '}' closes nothing"},
    };
    for (const Case& each : cases) {
        const std::string said = refusal_of(each.script);
        EXPECT_NE(said.find(each.message), std::string::npos) << each.script << "\n" << said;
    }
    // One cause, one message: what is left of an app that is not understood is no statement.
    EXPECT_EQ(messages_of("app (file o) f(file i) { \"sort\" i > o }").size(), 1U);
    EXPECT_EQ(messages_of("trace('a b' + 'c');").size(), 2U);
    EXPECT_EQ(messages_of("trace('a b);").size(), 1U);
}

TEST(Rejections, a_semicolon_is_missing_where_its_line_ends) {
    const std::string said = refusal_of("string s = \"abc\"  // a comment\ntrace(s);\n");
    EXPECT_NE(said.find("test.swift:1:17: expected ';' after the statement, found 'trace'"),
              std::string::npos)
        << said;
    const std::string in_one_line = refusal_of("int x = 3 trace(x);\n");
    EXPECT_NE(in_one_line.find("test.swift:1:11: expected ';'"), std::string::npos) << in_one_line;
}

TEST(Rejections, a_character_of_several_bytes_is_one) {
    const std::string text = "trace(\"\u00e9\", \u20ac);";
    const std::vector<Message> found = messages_of(text);
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(part(text, found[0].at), "\u20ac");
    EXPECT_EQ(found[0].text, "'\u20ac' cannot stand here");
    const std::string said = refusal_of(text);
    EXPECT_NE(said.find("test.swift:1:13"), std::string::npos) << said;
    EXPECT_NE(said.find("    |            ^\n"), std::string::npos) << said;
}

TEST(Rejections, one_cause_gives_one_message) {
    const auto count = [](const std::string& text) {
        std::size_t lines = 0;
        for (std::size_t at = text.find("test.swift"); at != std::string::npos;
             at = text.find("test.swift", at + 1))
            ++lines;
        return lines;
    };
    EXPECT_EQ(count(refusal_of("int a = 1; foreach i in [1:3] { a = i; }")), 2U)  // and the note
        << refusal_of("int a = 1; foreach i in [1:3] { a = i; }");
    for (const char* again :
         {"int x = 1; x = x + 1; trace(x);", "int A[] = [1]; foreach x in A { A[x] = 2; }"})
        EXPECT_EQ(count(refusal_of(again)), 2U) << refusal_of(again);
    EXPECT_EQ(count(refusal_of("type P { int a; } P p; trace(p.b);")), 1U)
        << refusal_of("type P { int a; } P p; trace(p.b);");
    for (const char* refused :
         {"import files; file f<nothing(1)> = write(\"a\"); trace(filename(f));",
          "int a; int b; a, b = nothing(1); trace(a, b);"})
        EXPECT_EQ(count(refusal_of(refused)), 1U) << refusal_of(refused);
    EXPECT_EQ(refusal_of("foo(1);").find("did you mean"), std::string::npos);
    const char* const redefined =
        "(int o) trace(string s, int i) { o = i; }\n"
        "int x = trace(\"a\", 1);\nint y = trace(2);\ntrace(x + y);";
    EXPECT_EQ(count(refusal_of(redefined)), 1U) << refusal_of(redefined);
    for (const char* open : {"trace(\"abc);\ntrace(1);\n", "trace(\"abc);",
                             "int A[] = [strlen(\"a)];\n", "if (true) { trace(\"abc); }\r\n"})
        EXPECT_EQ(count(refusal_of(std::string("import string;\n") + open)), 1U)
            << refusal_of(std::string("import string;\n") + open);
    // A block that is not closed: the note shows where it begins, and what follows stands at the top level.
    for (const std::string begin :
         {"main {\n  trace(1);\n", "if (true) {\n  if (true) {\n    trace(1);\n",
          "f(int i) {\n  foreach k in [1:i] {\n    trace(k);\n}\n",
          "main { switch (1) {\n  case 1: trace(1);\n", "main { switch (1) {\n"})
        for (const std::string more :
             {"", "(int o) g(int i) { o = i; }\n", "import io;\n", "type P { int a; }\n",
              "app (file o) g() { \"true\" o }\n", "@pure (int o) g(int i) { o = i; }\n",
              "main { trace(2); }\n",
              "(int o) g(int i) { o = i; }\n(int o) h(int i) { o = i; }\n"}) {
            const std::string said = refusal_of(begin + more);
            EXPECT_EQ(count(said), 2U) << begin << more << said;
            EXPECT_NE(said.find("for the '{' that is here"), std::string::npos)
                << begin << more << said;
        }
}

TEST(Rejections, a_mapped_file_that_is_only_read_is_an_input) {
    const std::string said = refusal_of(
        "app (file o) f(file i) { \"cat\" i @stdout=o } file a<\"a\">; file b<\"b\"> = f(a);");
    EXPECT_NE(said.find("help: assign it; a file that is there is input(\"NAME\")"),
              std::string::npos)
        << said;
}

TEST(Scripts, may_begin_with_the_mark_of_utf8) {
    EXPECT_EQ(run_script("\xef\xbb\xbftrace(1);\r\ntrace(2);\r\n").lines,
              (std::vector<std::string>{"trace: 1", "trace: 2"}));
}

}  // namespace refrain::script::rejections_test
