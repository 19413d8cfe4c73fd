#include "generate/folded_lines.hpp"

#include <functional>
#include <gtest/gtest.h>
#include <string>

namespace refrain::proxy::folded_lines_test {
namespace {

std::string lines(int count, const std::function<std::string(int)>& line) {
    std::string all;
    for (int i = 0; i < count; ++i) all += line(i);
    return all;
}

std::string number(int value) {
    return std::to_string(value);
}

TEST(FoldedLines, what_differs_in_numbers_is_a_loop_over_a_table) {
    const std::string text = lines(30, [](int i) {
        return "    MPI_Get(buffer(" + number(2 * i) + "), 5, type[1], -" + number(i + 1) + ");\n";
    });
    std::string rows;
    for (int i = 0; i < 30; ++i)
        rows += "            {{" + number(2 * i) + ", -" + number(i + 1) + "}},\n";
    EXPECT_EQ(folded_lines("    first();\n" + text + "    last(7);\n"),
              "    first();\n    {\n        static const struct { long n[2]; } row[] = {\n" + rows +
                  "        };\n        for (int k = 0; k < 30; k++) {\n"
                  "            MPI_Get(buffer(row[k].n[0]), 5, type[1], row[k].n[1]);\n"
                  "        }\n    }\n    last(7);\n");
}

TEST(FoldedLines, several_lines_and_seconds_repeat_together) {
    const std::string text = lines(12, [](int i) {
        return "    work(" + number(i) + ".25e-6);\n    MPI_Send(" + number(i) +
               ");\n    MPI_Recv(3);\n";
    });
    const std::string folded = folded_lines(text);
    EXPECT_EQ(
        folded.find("    {\n        static const struct { long n[1]; double s[1]; } row[] = {\n"
                    "            {{0}, {0.25e-6}},\n            {{1}, {1.25e-6}},\n"),
        0u);
    EXPECT_NE(
        folded.find("        for (int k = 0; k < 12; k++) {\n            work(row[k].s[0]);\n"
                    "            MPI_Send(row[k].n[0]);\n            MPI_Recv(3);\n        }\n"),
        std::string::npos);
}

TEST(FoldedLines, equal_lines_need_no_table) {
    EXPECT_EQ(
        folded_lines(lines(24, [](int) { return std::string("    a(1);\n"); })),
        "    {\n        for (int k = 0; k < 24; k++) {\n            a(1);\n        }\n    }\n");
}

TEST(FoldedLines, few_lines_stay_as_they_are) {
    const std::string text = lines(23, [](int i) { return "    a(" + number(i) + ");\n"; });
    EXPECT_EQ(folded_lines(text), text);
}

TEST(FoldedLines, a_condition_stays_with_its_statement) {
    // The lines would repeat from the second one on, too; there the last line would be a condition without a statement.
    const std::string text = lines(20, [](int i) {
        return "    if (me[0] == " + number(i) + ")\n        a(" + number(i) + ");\n";
    });
    const std::string folded = folded_lines("    b();\n" + text);
    EXPECT_NE(
        folded.find(
            "            if (me[0] == row[k].n[0])\n                a(row[k].n[1]);\n        }\n"),
        std::string::npos);
    const std::string open =
        "    if (x) {\n" +
        lines(
            30,
            [](int i) { return "    }\n    if (me[0] == " + number(i) + ") {\n        a();\n"; }) +
        "    }\n";
    EXPECT_EQ(folded_lines(open).find("    if (x) {\n    }\n    {\n"), 0u) << "braces are balanced";
}

TEST(FoldedLines, names_types_and_words_keep_their_numbers) {
    for (const char* const kept : {"    step_of_@();\n", "    f((int[@]){1});\n", "    f(\"@\");\n",
                                   "    f(@u);\n", "    f(x@);\n"}) {
        const std::string text = lines(30, [&](int i) {
            std::string line = kept;
            return line.replace(line.find('@'), 1, number(i + 1));
        });
        EXPECT_EQ(folded_lines(text), text);
    }
}

}  // namespace
}  // namespace refrain::proxy::folded_lines_test
