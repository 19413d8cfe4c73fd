#include "values/steps.hpp"

#include <functional>
#include <gtest/gtest.h>
#include <string>

#include "run_script.hpp"

/// The compiler's work grows like the program.
namespace refrain::script::compile_work_test {

std::string number(int i) {
    return std::to_string(i);
}

/// Functions, arrays, branches and loops, as users write them.
std::string everyday(int units) {
    std::string text = "import stats; import string; import sys;\n";
    for (int i = 0; i < units; ++i) {
        const std::string n = number(i);
        text += "(int o) f" + n + "(int a, int b) { if (a > b) { o = a * " + n +
                " + b; } else { o = b - a; } }\nint A" + n + "[];\nforeach i in [1:2] { A" + n +
                "[i] = f" + n + "(i, toint(argv(\"x\", \"3\"))); }\ntrace(\"sum\", sum(A" + n +
                "), strcat(\"a\", fromint(size(A" + n + "))));\n";
    }
    return text;
}
/// Each line needs the one before.
std::string chain(int lines) {
    std::string text = "import sys;\nint x0 = toint(argv(\"x\", \"3\"));\n";
    for (int i = 1; i < lines; ++i)
        text += "int x" + number(i) + " = x" + number(i - 1) + " + " + number(i) + ";\n";
    return text + "trace(x" + number(lines - 1) + ");\n";
}
/// All lines need one variable.
std::string fan(int lines) {
    std::string text = "import sys;\nint x = toint(argv(\"x\", \"3\"));\n";
    for (int i = 0; i < lines; ++i) text += "trace(x + " + number(i) + ");\n";
    return text;
}
std::string elements(int lines) {
    std::string text = "int A[];\n";
    for (int i = 0; i < lines; ++i) text += "A[" + number(i) + "] = " + number(i * i) + ";\n";
    return text + "trace(size(A));\n";
}
/// Each function calls the one before, which is too large to be put in.
std::string calls(int functions) {
    std::string text = "(int o) f0(int i) { o = i; }\n";
    for (int i = 1; i < functions; ++i)
        text += "(int o) f" + number(i) + "(int i) { o = f" + number(i - 1) + "(i + 1); }\n";
    return text + "trace(f" + number(functions - 1) + "(1));\n";
}
std::string unused(int lines) {
    std::string text = "import sys;\nint x0 = toint(argv(\"x\", \"3\"));\n";
    for (int i = 1; i < lines; ++i)
        text += "int x" + number(i) + " = x" + number(i - 1) + " + " + number(i) + ";\n";
    return text;
}

std::uint64_t work_of(const std::string& text, int level) {
    const std::uint64_t before = steps_taken;
    const Ran ran = run_script(text, 1, false, {}, level);
    EXPECT_EQ(ran.result.status, 0) << ran.result.messages;
    return steps_taken - before;
}

struct Shape {
    const char* name;
    std::string (*program)(int);
    int size;
};

TEST(CompileWork, a_program_twice_as_long_takes_twice_the_work) {
    const Shape shapes[] = {{"everyday", everyday, 16}, {"chain", chain, 60},
                            {"fan", fan, 60},           {"elements", elements, 60},
                            {"calls", calls, 40},       {"unused", unused, 60}};
    for (const Shape& each : shapes) {
        for (const int level : {0, 3}) {
            const double once = static_cast<double>(work_of(each.program(each.size), level));
            const double twice = static_cast<double>(work_of(each.program(2 * each.size), level));
            EXPECT_LT(twice, 2.3 * once) << each.name << " at O" << level;
        }
    }
}

}  // namespace refrain::script::compile_work_test
