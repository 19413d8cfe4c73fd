#include "script_command/picture.hpp"

#include "base/output_file.hpp"
#include "leaves/process.hpp"
#include "page/run_data.hpp"
#include "refrain/error.hpp"
#include "values/script_error.hpp"

#include <filesystem>
#include <iostream>

namespace refrain::script {
namespace {

std::string ending_of(const std::string& file) {
    return std::filesystem::path(file).extension().string();
}

/// `dot` reads a file beside the picture, which is then deleted.
void write_svg(const std::string& text, const std::string& file,
               const base::OutputFile::Policy& policy) {
    page::check_file(file, "--output", policy);
    const std::string source = file + ".dot";
    page::write_file(source, text, "--output", policy);
    ProcessTable processes;
    std::string wrong;
    try {
        const ProcessEnd end =
            run_process({{"dot", "-Tsvg", "-o", file, source}, {}, 0, {}}, processes);
        if (!end.well()) wrong = "dot " + end.text(0);
    } catch (const ScriptError& error) {
        wrong = error.what();
    }
    std::filesystem::remove(source);
    if (!wrong.empty())
        throw UsageError("no SVG can be made: " + wrong +
                         "; install the package graphviz, or write a page: -o FILE.html");
}

}  // namespace

PictureForm picture_form_of(const std::string& file) {
    const std::string ending = ending_of(file);
    if (ending == ".html") return PictureForm::page;
    if (file.empty() || ending == ".dot" || ending == ".svg") return PictureForm::dot;
    throw UsageError("--output takes FILE.html, FILE.svg or FILE.dot, not '" + file + "'");
}

void write_picture(const std::string& text, const std::string& file, bool force) {
    if (file.empty()) {
        std::cout << text;
        return;
    }
    const std::string ending = ending_of(file);
    const base::OutputFile::Policy policy{ending == ".html"  ? page::page_mark
                                          : ending == ".svg" ? "<svg"
                                                             : "digraph ",
                                          force};
    if (ending == ".svg")
        write_svg(text, file, policy);
    else
        page::write_file(file, text, "--output", policy);
    std::cerr << "refrain script: wrote " << file << '\n';
}

}  // namespace refrain::script
