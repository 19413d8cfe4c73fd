// Runs a script that calls a function of this program.

#include <cstdio>
#include <refrain/script/leaf_functions.hpp>
#include <refrain/script/script.hpp>
#include <string>

static double area(double width, double height) {
    return width * height;
}
REFRAIN_SCRIPT_FUNCTION(area)

int main() {
    std::string output;
    refrain::script::RunOptions options;
    options.workers = 2;
    options.on_output = [&](const std::string& text) { output += text; };
    const auto result = refrain::script::run_text(
        "(float o) area(float w, float h) \"native\" \"1\" \"area\"; trace(area(2, 3.5));",
        "client.swift", options);
    std::printf("%s%s", output.c_str(), result.messages.c_str());
    return result.status == 0 && output == "trace: 7.0\n" ? 0 : 1;
}
