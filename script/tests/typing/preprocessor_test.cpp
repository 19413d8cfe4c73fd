#include "syntax/preprocessor.hpp"

#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <optional>
#include <random>
#include <unistd.h>

#include "run_script.hpp"

namespace refrain::script::preprocessor_test {

namespace fs = std::filesystem;

struct Preprocessed {
    std::string text;
    std::string messages;
};
Preprocessed preprocessed(const std::string& text, PreprocessorOptions options = {},
                          const std::string& name = "test.swift") {
    Sources sources;
    sources.add(name, text);
    Diagnostics diagnostics;
    Preprocessed made;
    made.text = preprocess(sources, 0, options, diagnostics).text;
    made.messages = diagnostics.text(sources);
    return made;
}

/// Words and signs, one blank between them: what two preprocessors must agree on.
std::string words_of(const std::string& text) {
    std::string words;
    for (std::size_t i = 0; i < text.size();) {
        const auto in_word = [&](std::size_t at) {
            return at < text.size() &&
                   (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
        };
        if (std::isspace(static_cast<unsigned char>(text[i])) != 0) {
            ++i;
        } else if (text.substr(i, 2) == "//") {
            i = std::min(text.find('\n', i), text.size());
        } else if (text.substr(i, 2) == "/*") {
            i = std::min(text.find("*/", i + 2), text.size() - 2) + 2;
        } else if (text[i] == '"') {
            std::size_t end = i + 1;
            while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
            words += text.substr(i, end + 1 - i) + " ";
            i = end + 1;
        } else if (in_word(i)) {
            while (in_word(i)) words += text[i++];
            words += ' ';
        } else {
            words += std::string(1, text[i++]) + " ";
        }
    }
    return words;
}

class BesideCpp : public testing::Test {
  protected:
    void SetUp() override {
        if (std::system("cpp --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no cpp";
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }
    /// Nothing for a text that cpp refuses.
    std::optional<std::string> cpp(const std::string& text) const {
        std::ofstream(folder_ + "/in.c") << text;
        FILE* pipe = popen(("cpp -undef -P -w " + folder_ + "/in.c 2>/dev/null").c_str(), "r");
        std::string all;
        for (int letter = std::fgetc(pipe); letter != EOF; letter = std::fgetc(pipe))
            all += static_cast<char>(letter);
        if (pclose(pipe) != 0) return std::nullopt;
        return all;
    }
    void compare(const std::string& text) const {
        const std::optional<std::string> theirs = cpp(text);
        ASSERT_TRUE(theirs.has_value()) << text;
        compare(text, *theirs);
    }
    static void compare(const std::string& text, const std::string& theirs) {
        const Preprocessed ours = preprocessed(text);
        EXPECT_EQ(words_of(ours.text), words_of(theirs)) << text;
        EXPECT_EQ(ours.messages, "") << text;
    }
    std::string folder_ = fs::temp_directory_path() / ("refrain_cpp_" + std::to_string(getpid()));
};

TEST_F(BesideCpp, the_cases_of_the_standard_agree) {
    compare(
        "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n"
        "#define h g(~\n#define m(a) a(w)\n#define w 0,1\n#define t(a) a\n#define p() int\n"
        "#define q(x) x\n#define r(x,y) x ## y\n#define str(x) # x\n"
        "f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);\ng(x+(3,4)-w) | h 5) & m\n(f)^m(m);\n"
        "p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };\n"
        "str(strncmp(\"abc\\0d\", \"abc\", 4) == 0) str(: @) str( a  b )\n");
    compare(
        "#define e(...) <__VA_ARGS__>\n#define n(a, ...) a:__VA_ARGS__\ne() e(1,2) n(1) "
        "n(1,2,3)\n");
    compare("#define A B\n#define B A\nA B\n#define C C + 1\nC\n#define D(x) D(x) x\nD(D(1))\n");
    compare("#define N(x) -x\nN(-1) a-N(1) a+N(+1)\n#define E\nE x E()E\n");
    compare("#define S \"in // a string\" /* gone */\nS \"S\" // S\n/* S */ S\n");
    compare("#define LONG(a, \\\n  b) a + \\\n  b\nLONG(1,\n  2) LONG (3, (4, 5)) LONG\n");
}

TEST_F(BesideCpp, conditions_agree) {
    compare(
        "#define A 2\n#if A == 2 && defined(A) && !defined B\none\n#elif "
        "1\ntwo\n#else\nthree\n#endif\n"
        "#ifdef B\n#if 1\nno\n#else\nno\n#endif\n#elif A > 1 ? 0 : 1\nno\n#else\nfour\n#endif\n"
        "#ifndef B\n#define B\n#endif\n#ifdef B\nfive\n#endif\n"
        "#if (1 << 4 | 3) % 5 == 4 - -0x0 && 010 == 8 && ~0 == -1 && UNKNOWN == 0\nsix\n#endif\n"
        "#if 0\n#error not here\n\"an open string\n#include \"none\"\n#endif\nend\n");
}

TEST_F(BesideCpp, random_macros_agree) {
    std::mt19937 random(7);
    const auto pick = [&](std::size_t count) { return random() % count; };
    int compared = 0;
    for (int program = 0; program < 60; ++program) {
        std::string all;
        const std::string p = "p" + std::to_string(program) + "_";
        const std::vector<std::string> names = {p + "a", p + "b", p + "c", p + "d"};
        const auto word = [&](bool argument) {
            std::string chosen;
            switch (pick(argument ? 9 : 7)) {
                case 0:
                    return std::string("1");
                case 1:
                    return std::string("(");
                case 2:
                    return std::string(")");
                case 3:
                    return std::string(",");
                case 4:
                    return std::string("+");
                case 5:
                case 6:
                    chosen = names[pick(names.size())];
                    if (pick(2) != 0) chosen += "(x)";
                    return chosen;
                default:
                    return std::string("u");
            }
        };
        for (const std::string& name : names) {
            const bool arguments = pick(2) == 0;
            all += "#define " + name + (arguments ? "(u)" : "");
            int depth = 0;
            const std::size_t words = 1 + pick(5);
            for (std::size_t i = 0; i < words; ++i) {
                const std::string each = word(arguments);
                if (each == ")" && depth == 0) continue;
                depth += each == "(" ? 1 : each == ")" ? -1 : 0;
                all += " " + each;
            }
            all += std::string(static_cast<std::size_t>(depth), ')') + "\n";
        }
        for (const std::string& name : names)
            all += "[" + name + "(" + names[pick(4)] + ") " + name + "];\n";
        const std::optional<std::string> theirs = cpp(all);
        if (!theirs) {  // a macro with arguments that do not fit
            EXPECT_NE(preprocessed(all).messages, "") << all;
            continue;
        }
        compare(all, *theirs);
        ++compared;
    }
    EXPECT_GT(compared, 30);
}

TEST(Preprocessor, macros_do_not_reach_into_strings_of_several_lines) {
    const std::string text = "#define X 1\nstring s = \"\"\"\n# X\n#define Y\nX\n\"\"\";\nX Y\n";
    EXPECT_EQ(preprocessed(text).text, "\nstring s = \"\"\"\n# X\n#define Y\nX\n\"\"\";\n1 Y\n");
    EXPECT_EQ(preprocessed("#define X 1\nx = ----\n  X # \\----\n----; X").text,
              "\nx = ----\n  X # \\----\n----; 1");
}

TEST(Preprocessor, messages_point_into_the_users_source) {
    EXPECT_EQ(refusal_of("#define TWICE(x) x = 1; x = 2\nint y;\n  TWICE(y);\n"),
              "test.swift:3:3: 'y' is assigned a second time\n"
              "  3 |   TWICE(y);\n"
              "    |   ^\n"
              "test.swift:3:3: the first assignment is here\n"
              "  3 |   TWICE(y);\n"
              "    |   ^\n"
              "  help: a variable is assigned once; use another one for the new value\n");
    EXPECT_NE(
        preprocessed("a\n#if 1\nb\n").messages.find("test.swift:2:1: this condition has no end"),
        std::string::npos);
    EXPECT_NE(preprocessed("#define F(a, b) a\nF(1, 2)\n  F((1, 2))\n")
                  .messages.find("test.swift:3:3: the macro 'F' takes 2 arguments, not 1"),
              std::string::npos);
    EXPECT_NE(preprocessed("#error stop here\n").messages.find("stop here"), std::string::npos);
    EXPECT_NE(preprocessed("#inclde \"x\"\n").messages.find("there is no directive #inclde"),
              std::string::npos);
    EXPECT_NE(preprocessed("#include \"x\"\n").messages.find("there is no file 'x'"),
              std::string::npos);
    EXPECT_NE(preprocessed("#if 1 +\n#endif\n").messages.find("no expression"), std::string::npos);
}

TEST(Preprocessor, included_files_keep_their_own_lines) {
    const std::string folder =
        fs::temp_directory_path() / ("refrain_inc_" + std::to_string(getpid()));
    fs::create_directories(folder);
    std::ofstream(folder + "/defs.h") << "#define TEN 10\nint from_header = TEN;\n";
    Sources sources;
    sources.add(folder + "/main.swift", "#include \"defs.h\"\ntrace(TEN, __LINE__);\n");
    Diagnostics diagnostics;
    const PlacedText made = preprocess(sources, 0, {}, diagnostics);
    fs::remove_all(folder);
    EXPECT_EQ(made.text, "\nint from_header = 10;\n\ntrace(10, 2);\n");
    const Position at = made.places[made.text.find("from_header")];
    EXPECT_EQ(sources.text(at), folder + "/defs.h:2:5");
    EXPECT_EQ(sources.text(made.places[made.text.find("trace")]), folder + "/main.swift:2:1");
}

TEST(Preprocessor, macros_may_be_given_from_outside) {
    PreprocessorOptions options;
    options.macros = {"ONE", "TWO=a b", "NONE="};
    EXPECT_EQ(preprocessed("ONE TWO NONE.\n", options).text, "1 a b .\n");
}

}  // namespace refrain::script::preprocessor_test
