#include <gtest/gtest.h>

#include "run_script.hpp"

/// Functions of C by their signatures: leaves/c_functions.c has them.
namespace refrain::script::c_function_test {

std::string declared(const std::string& signature, const std::string& name) {
    return signature.substr(0, signature.find(')') + 1) + " " + name +
           signature.substr(signature.find(')') + 1) +
           " \"c:" REFRAIN_SCRIPT_C_FUNCTIONS "\" \"1\" \"" + name + "\";\n";
}

/// The lines printed, the same by the interpreter, by threads, and by processes of the workers.
std::vector<std::string> lines_of(const std::string& script) {
    const Ran expected = run_script(script, 1, true);
    EXPECT_EQ(expected.result.status, 0) << expected.result.messages;
    for (const bool processes : {false, true}) {
        RunOptions options;
        options.workers = 3;
        options.processes = processes;
        const Ran ran = run_with(script, options);
        EXPECT_EQ(ran.result.status, 0) << ran.result.messages;
        EXPECT_EQ(ran.lines, expected.lines) << (processes ? "by processes" : "by threads");
    }
    return expected.lines;
}
using Lines = std::vector<std::string>;

TEST(CFunctions, take_and_return_each_plain_type) {
    EXPECT_EQ(
        lines_of(declared("(int o)(int i)", "negated") + declared("(float o)(float x)", "halved") +
                 declared("(boolean o)(boolean b)", "opposite") +
                 declared("(string o)(string name)", "greeting") + declared("(int o)()", "answer") +
                 "trace(negated(5), halved(3.0), opposite(true), opposite(false), "
                 "greeting(\"you\"), answer());"),
        Lines{"trace: -5,1.5,0,1,hello you,42"});
}

TEST(CFunctions, take_more_numbers_than_registers_hold) {
    std::string inputs;
    std::string arguments;
    for (int i = 1; i <= 10; ++i) {
        const std::string comma = i == 1 ? "" : ", ";
        inputs += comma + "float x" + std::to_string(i) + ", int n" + std::to_string(i);
        arguments += comma + std::to_string(i) + ".5, " + std::to_string(i);
    }
    EXPECT_EQ(lines_of(declared("(float o)(" + inputs + ")", "weighted") + "trace(weighted(" +
                       arguments + "));"),
              Lines{"trace: 412.5"});
}

TEST(CFunctions, take_blobs_and_arrays_as_pointer_and_length) {
    EXPECT_EQ(lines_of("import blob;\n" + declared("(int o)(blob b)", "count_bytes") +
                       declared("(float o)(float all[])", "sum_floats") +
                       declared("(int o)(int all[])", "sum_ints") +
                       declared("(string o)(string all[], string between)", "joined") +
                       "int none[];\n"
                       "trace(count_bytes(blob_from_string(\"ab\")), sum_floats([0.5, 1.0, 2.0]), "
                       "sum_ints([1:100]), sum_ints(none), joined([\"x\", \"y\", \"z\"], \"-\"));"),
              Lines{"trace: 2195,3.5,5050,0,x-y-z"});
}

TEST(CFunctions, take_mixtures) {
    EXPECT_EQ(
        lines_of("import blob;\n" +
                 declared("(string o)(boolean loud, string name, blob data, float factor, int "
                          "all[])",
                          "mixture") +
                 "trace(mixture(true, \"name\", blob_from_string(\"data\"), 2.5, [3, 4]));"),
        Lines{"trace: name 1 data 2.5 7"});
}

TEST(CFunctions, give_further_outputs_through_pointers_behind_the_inputs) {
    EXPECT_EQ(lines_of(declared("(int quotient, int rest)(int a, int by)", "divided") +
                       declared("(void v, int i, float x, boolean b, string s)()", "of_each_type") +
                       "int q; int r; q, r = divided(47, 10);\n"
                       "void v; int i; float x; boolean b; string s; v, i, x, b, s = "
                       "of_each_type();\nwait (v) { trace(q, r, i, x, b, s); }"),
              Lines{"trace: 4,7,-7,0.5,1,text"});
}

TEST(CFunctions, make_arrays_and_blobs_which_are_released) {
    EXPECT_EQ(lines_of("import blob;\n" + declared("(float o[])(int n)", "squares") +
                       declared("(int n, string words[], blob rest)(blob b)", "split") +
                       declared("(int o[])()", "empty") +
                       "float all[] = squares(4); int n; string words[]; blob rest;\n"
                       "n, words, rest = split(blob_from_floats([1.0]));\n"
                       "trace(size(all), all[3], n, size(words), words[1], blob_size(rest), "
                       "size(empty()));"),
              Lines{"trace: 4,9.0,8,2,two,9,0"});
    const Ran ran = run_script(declared("(float o[])(int n)", "squares") +
                                   declared("(int o)(void v)", "count_released") +
                                   "int before = count_released(make_void());\n"
                                   "wait (before) { float all[] = squares(4);\n"
                                   "trace(count_released(propagate(size(all))) - before); }",
                               1);
    EXPECT_EQ(ran.lines, Lines{"trace: 1"}) << ran.result.messages;
}

TEST(CFunctions, take_and_make_files_by_their_paths) {
    EXPECT_EQ(
        lines_of(declared("(file f)(int i)", "note_to") +
                 declared("(string o)(file f)", "first_line") + "trace(first_line(note_to(7)));"),
        Lines{"trace: noted 7"});
}

TEST(CFunctions, that_give_no_memory_fail_their_call) {
    const Ran ran =
        run_script(declared("(string o)()", "nothing") + declared("(int o[])()", "broken") +
                   "trace(nothing());\ntrace(size(broken()));");
    EXPECT_EQ(ran.result.status, 1);
    for (const char* part :
         {"nothing: it gave NULL for a string", "broken: it gave NULL for an int[]"})
        EXPECT_NE(ran.result.messages.find(part), std::string::npos) << ran.result.messages;
}

TEST(CFunctions, whose_types_do_not_pass_are_refused_with_the_way_out) {
    const auto refused = [](const std::string& signature, const std::string& part) {
        const std::string text =
            refusal_of("type pair { int a; int b; }\n" + declared(signature, "f") + "trace(1);");
        EXPECT_NE(text.find(part), std::string::npos) << text;
        EXPECT_NE(text.find("give its parts"), std::string::npos) << text;
    };
    refused("(int o)(int i, pair p)", "test.swift:2:23: 'p' of the C function 'f' is a pair");
    refused("(pair o)(int i)", "'o' of the C function 'f' is a pair");
    refused("(int o)(int m[][])", "'m' of the C function 'f' is an int[][]");
    refused("(int o)(float m[string])", "'m' of the C function 'f' is a float[string]");
    refused("(int o)(int|float x)", "'x' of the C function 'f' is an int|float");
    refused("(int o)(bag<int> b)", "'b' of the C function 'f' is a bag<int>");
}

TEST(CFunctions, that_are_not_there_are_named_with_their_library_before_the_run) {
    const auto error = [](const std::string& library) {
        try {
            static_cast<void>(
                run_script("(int o) f(int i) \"c:" + library + "\" \"1\" \"gone\"; trace(f(1));"));
            return std::string();
        } catch (const UsageError& failure) {
            return std::string(failure.what());
        }
    };
    EXPECT_NE(error("libm.so.6").find("there is no function 'gone' in libm.so.6"),
              std::string::npos);
    const std::string text = error("libgone.so");
    EXPECT_NE(text.find("cannot open the library of 'gone': libgone.so"), std::string::npos)
        << text;
}

}  // namespace refrain::script::c_function_test
