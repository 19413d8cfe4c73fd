/// Draws one figure from the --json files of several examples.
///
///     draw_traced_share traced_share.svg jacobi.json channel_flow.json

#include <cstdio>
#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/report.hpp"
#include "common/traced_share_svg.hpp"

namespace {

using nlohmann::json;

std::vector<example::SharePoint> curve_of(const json& report, const char* mode) {
    std::vector<example::SharePoint> curve;
    if (!report.at("modes").contains(mode)) return curve;
    for (const json& point : report.at("modes").at(mode).at("traced_share"))
        curve.push_back({point.at(0).get<double>(), point.at(1).get<double>()});
    return curve;
}

example::SharePanel panel_of(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot read " + path);
    const json report = json::parse(file);
    return {
        report.at("program").get<std::string>() + ": " + report.at("problem").get<std::string>(),
        curve_of(report, "manual"), curve_of(report, "automatic")};
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        std::fputs("usage: draw_traced_share OUT.svg REPORT.json...\n", stderr);
        return 2;
    }
    try {
        std::vector<example::SharePanel> panels;
        for (int i = 2; i < argc; ++i) panels.push_back(panel_of(argv[i]));
        example::write_file(argv[1], example::traced_share_svg(panels));
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return 1;
    }
}
