#include "drawing/picture.hpp"

#include "base/output_file.hpp"
#include "page/run_data.hpp"
#include "processes/process.hpp"
#include "refrain/error.hpp"

#include <filesystem>
#include <iostream>

namespace refrain::drawing {
namespace {

std::string ending_of(const std::string& file) {
    return std::filesystem::path(file).extension().string();
}

base::OutputFile::Policy policy_of(const std::string& file, bool force) {
    const std::string ending = ending_of(file);
    if (ending == ".html") return {page::page_mark, force};
    return {ending == ".svg" ? "<svg" : "digraph ", force};
}

/// `dot` reads a file beside the picture, which is then deleted.
void write_svg(const Graph& graph, const std::string& file, bool force) {
    const std::string source = file + ".dot";
    page::write_file(source, dot_text(graph), "--output", policy_of(source, force));
    processes::ProcessTable running;
    std::string wrong;
    try {
        const processes::ProcessEnd end =
            processes::run_process({{"dot", "-Tsvg", "-o", file, source}, {}, 0, {}}, running);
        if (!end.well()) wrong = "dot " + end.text(0);
    } catch (const processes::ProcessError& error) {
        wrong = error.what();
    }
    std::filesystem::remove(source);
    if (!wrong.empty())
        throw UsageError("no SVG can be made: " + wrong +
                         "; install the package graphviz, or write a page: -o FILE.html");
}

}  // namespace

void expect_picture(const std::string& file, bool force) {
    if (file.empty()) return;
    const std::string ending = ending_of(file);
    if (ending != ".html" && ending != ".dot" && ending != ".svg")
        throw UsageError("--output takes FILE.html, FILE.svg or FILE.dot, not '" + file + "'");
    page::check_file(file, "--output", policy_of(file, force));
}

void write_picture(const Graph& graph, const std::string& file, bool force) {
    if (file.empty()) {
        std::cout << dot_text(graph);
        return;
    }
    expect_picture(file, force);
    if (ending_of(file) == ".svg")
        write_svg(graph, file, force);
    else
        page::write_file(file, ending_of(file) == ".html" ? graph_page(graph) : dot_text(graph),
                         "--output", policy_of(file, force));
    std::cerr << "wrote " << file << '\n';
}

}  // namespace refrain::drawing
