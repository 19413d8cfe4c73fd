#include "ir/parse.hpp"
#include "ir/print.hpp"
#include "refrain/error.hpp"
#include "scripting/compiled_file.hpp"
#include "scripting/session.hpp"

#include <gtest/gtest.h>

#include "programs/random_program.hpp"
#include "run_script.hpp"
#include "tries.hpp"

/// Scripts that are compiled and run later.
namespace refrain::script::compiled_test {

Ran run_compiled(const std::string& text, const RunOptions& compiler = {},
                 std::vector<std::string> arguments = {}) {
    return run_script(compile_text(text, "test.swift", compiler).compiled, 2, false,
                      std::move(arguments));
}
std::string refusal_of_file(const std::string& text) {
    try {
        static_cast<void>(run_script(text));
        return {};
    } catch (const UsageError& error) {
        return error.what();
    }
}

TEST(Compiled, what_a_run_knows_is_not_folded) {
    setenv("REFRAIN_TEST_PLACE", "compiler", 1);
    const std::string text =
        compile_text("import sys; trace(getenv(\"REFRAIN_TEST_PLACE\"), argc());", "test.swift")
            .compiled;
    setenv("REFRAIN_TEST_PLACE", "run", 1);
    const Ran ran = run_script(text, 1, false, {"a", "b"});
    unsetenv("REFRAIN_TEST_PLACE");
    EXPECT_EQ(ran.lines, (std::vector<std::string>{"trace: run,2"}));
}

TEST(Compiled, random_programs_read_back_whole_and_print_the_same) {
    for (std::uint64_t seed = 1; seed <= tries(6); ++seed) {
        const std::string text = make_random_program(seed).text();
        for (const int level : {0, 3}) {
            RunOptions options;
            options.level = level;
            const Session session("test.swift", text, options);
            ASSERT_EQ(ir::print(read_compiled("test.swift", session.compiled()).program),
                      ir::print(session.program()))
                << "seed " << seed;
            ASSERT_EQ(run_compiled(text, options).lines,
                      run_script(text, 2, false, {}, level).lines)
                << "seed " << seed << ", level " << level;
        }
    }
}

TEST(Compiled, types_leaves_and_constants_of_all_kinds_stay) {
    const std::string text =
        "import files; import string;\n"
        "type celsius float;\n"
        "type point { int x; celsius warm; string tags[]; }\n"
        "app (file o) words(string s, int n) { \"echo\" s n @stdout=o }\n"
        "(float o) root(float x) \"c:libm.so.6\" \"1\" \"sqrt\";\n"
        "point p; p.x = 3; p.warm = celsius(2.5); p.tags[0] = \"a \\\"b\\\"\\t\\x01\\\\\";\n"
        "int none = 4; string m[string][]; m[\"k\"][2] = \"v\";\n"
        "trace(p.x, fromfloat(p.warm), p.tags[0], none, m[\"k\"][2], root(16.0));\n"
        "trace(trim(read(words(\"w\", none))), -0.0, 1.0e300, true);\n";
    for (const int level : {0, 1, 2, 3}) {
        RunOptions options;
        options.level = level;
        const Ran plain = run_script(text, 2, false, {}, level);
        const Ran compiled = run_compiled(text, options);
        EXPECT_EQ(compiled.lines, plain.lines) << "level " << level;
        EXPECT_EQ(compiled.result.messages, plain.result.messages);
        EXPECT_EQ(plain.lines.size(), 2U) << plain.result.messages;
    }
}

TEST(Compiled, failures_name_the_lines_of_the_script) {
    const std::string text = "import assert;\nint x = 1;\n\nassert(x == 2, \"wrong\");\n";
    const std::string plain = run_script(text).result.messages;
    EXPECT_EQ(run_compiled(text).result.messages, plain);
    EXPECT_NE(plain.find("test.swift:4"), std::string::npos) << plain;
}

TEST(Compiled, an_argument_given_at_compile_time_cannot_be_given_again) {
    RunOptions options;
    options.compile_arguments = {"n=7"};
    const std::string text = "import sys;\ntrace(argv(\"n\"), argv(\"m\"));\n";
    EXPECT_EQ(run_compiled(text, options, {"--m=8"}).lines, std::vector<std::string>{"trace: 7,8"});
    try {
        static_cast<void>(run_compiled(text, options, {"-n=9", "--m=8"}));
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_STREQ(error.what(),
                     "the argument -n=9 was given when the script was compiled, as --n=7");
    }
}

TEST(Compiled, a_file_of_another_version_or_damaged_anywhere_is_refused) {
    const std::string text = compile_text("trace(\"hello\", 1 + 2);\n", "test.swift").compiled;
    std::string other = text;
    other.replace(other.find("version "), 9, "version 99");
    const std::string refusal = refusal_of_file(other);
    EXPECT_EQ(refusal.find("'test.swift' was compiled by version 99"), 0U) << refusal;
    EXPECT_NE(refusal.find("compile the script again"), std::string::npos);
    const std::size_t mark = text.find("version");
    for (std::size_t cut = mark; cut < text.size(); ++cut)
        ASSERT_NE(refusal_of_file(text.substr(0, cut)), "") << "cut at " << cut;
    for (std::size_t at = mark; at < text.size(); ++at) {
        std::string damaged = text;
        damaged[at] = damaged[at] == 'x' ? 'y' : 'x';
        ASSERT_NE(refusal_of_file(damaged), "") << "changed at " << at;
    }
}

TEST(Compiled, a_byte_changed_under_a_right_checksum_is_refused_with_its_place_or_still_a_program) {
    const std::string text = compile_text(
                                 "import files; import string;\n"
                                 "app (file o) f(int i) { \"echo\" i @stdout=o }\n"
                                 "int A[]; foreach i in [1:3] { A[i] = i * 2; }\n"
                                 "if (A[2] == 4) { trace(trim(read(f(A[1])))); }\n",
                                 "test.swift")
                                 .compiled;
    const std::size_t begin = text.find('\n', text.find('\n') + 1) + 1;
    ASSERT_EQ(with_checksum(text.substr(begin)), text);
    std::size_t refused = 0;
    std::size_t with_place = 0;
    for (std::size_t at = begin; at < text.size(); ++at)
        for (const int bits : {1, 64, 255}) {
            std::string body = text.substr(begin);
            body[at - begin] = static_cast<char>(body[at - begin] ^ bits);
            try {
                static_cast<void>(read_compiled("test.swift", with_checksum(body)));
            } catch (const UsageError& error) {
                ++refused;
                with_place += std::string(error.what()).find("at its byte") != std::string::npos;
            }
        }
    EXPECT_GT(refused, (text.size() - begin) / 2);
    EXPECT_GT(with_place, refused / 2);
}

TEST(Compiled, a_file_whose_code_cannot_be_is_refused) {
    CompiledScript script;
    script.folder = ".";
    script.program = ir::parse_program("function main () () {\n  datum x int\n}\n");
    EXPECT_EQ(refusal_of_file(compiled_text(script)), "");
    script.program = ir::parse_program("function main () () {\n  call nowhere [] []\n}\n");
    const std::string refusal = refusal_of_file(compiled_text(script));
    EXPECT_EQ(refusal.find("'test.swift' is damaged: "), 0U) << refusal;
}

}  // namespace refrain::script::compiled_test
