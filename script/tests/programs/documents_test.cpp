#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

#include "run_script.hpp"

/// The scripts that documents show print what the documents say.
namespace refrain::script::documents_test {

struct Snippet {
    std::string name;
    std::string text;
    std::vector<std::string> lines;
};

/// Blocks of `swift` behind a line `<!-- NAME -->`, each with the block of `console` that follows it.
std::vector<Snippet> snippets_of(const std::string& document) {
    std::ifstream file(std::string(REFRAIN_SCRIPT_DIR) + "/" + document);
    std::vector<Snippet> all;
    std::string block;
    std::string before;
    for (std::string line; std::getline(file, line); before = line) {
        if (line.starts_with("```")) {
            const bool opens = block.empty();
            block = opens ? line.substr(3) + " " : "";
            if (opens && line == "```swift") all.push_back({before, {}, {}});
        } else if (block == "swift ") {
            all.back().text += line + "\n";
        } else if (block == "console " && !line.starts_with("$ ")) {
            all.back().lines.push_back(line);
        }
    }
    return all;
}

void check(const std::string& document, std::size_t least) {
    const std::vector<Snippet> all = snippets_of(document);
    EXPECT_GE(all.size(), least);
    for (Snippet each : all) {
        EXPECT_TRUE(each.name.starts_with("<!-- ")) << document << ": a script without a name\n"
                                                    << each.text;
        std::sort(each.lines.begin(), each.lines.end());
        const Ran ran = run_script(each.text, 3);
        EXPECT_EQ(ran.lines, each.lines) << document << ", " << each.name << "\n"
                                         << ran.result.messages;
        EXPECT_EQ(ran.result.warnings, "") << document << ", " << each.name;
    }
}

TEST(Documents, the_scripts_of_the_readme_print_what_it_says) {
    check("README.md", 1);
}
TEST(Documents, the_scripts_of_the_tutorial_print_what_it_says) {
    check("docs/tutorial.md", 6);
}
TEST(Documents, the_scripts_about_other_languages_print_what_it_says) {
#ifndef REFRAIN_SCRIPT_HAS_TCL
    GTEST_SKIP() << "tcl-dev is not installed";
#endif
    check("docs/other_languages.md", 3);
}

}  // namespace refrain::script::documents_test
