#include "script_command/operation_table.hpp"

#include "values/format.hpp"

#include <algorithm>
#include <numeric>

namespace refrain::script {
namespace {

/// Passes that are one row of the table.
struct Row {
    std::string name;
    std::vector<std::string> passes;
};

std::vector<Row> rows() {
    std::vector<Row> all;
    for (const PassInfo& each : compiler_passes()) {
        if (each.level == 0 || each.level > 3) continue;
        const bool counts = each.name.ends_with("-refcounts");
        if (counts && !all.empty() && all.back().name == "*-refcounts")
            all.back().passes.emplace_back(each.name);
        else
            all.push_back(
                {counts ? "*-refcounts" : std::string(each.name), {std::string(each.name)}});
    }
    return all;
}

std::string cell(const std::string& text) {
    return printed("%10s", text.c_str());
}
constexpr int name_width = 24;

std::string heading() {
    std::string line(name_width, ' ');
    for (const std::string_view each : operation_names()) line += cell(std::string(each));
    return line + cell("Total") + "\n";
}
std::string row(const std::string& name, const std::string& file, RunOptions options) {
    options.on_output = [](const std::string&) {};
    const RunResult result = run_file(file, options);
    std::string line = name;
    line.resize(std::max<std::size_t>(name_width, name.size() + 1), ' ');
    for (const std::uint64_t each : result.operations) line += cell(std::to_string(each));
    const auto total =
        std::accumulate(result.operations.begin(), result.operations.end(), std::uint64_t{0});
    return line + cell(std::to_string(total)) + (result.status == 0 ? "\n" : "  the run failed\n");
}

}  // namespace

std::string operations_pass_by_pass(const std::string& file, RunOptions options) {
    options.level = 0;
    std::string table = heading() + row("O0", file, options);
    for (const Row& each : rows()) {
        options.passes_on.insert(options.passes_on.end(), each.passes.begin(), each.passes.end());
        table += row("+ " + each.name, file, options);
    }
    options.passes_on.clear();
    for (options.level = 1; options.level <= 3; ++options.level)
        table += row("O" + std::to_string(options.level), file, options);
    return table;
}

std::string operations_without_each(const std::string& file, RunOptions options) {
    options.level = 3;
    std::string table = heading() + row("O3", file, options);
    for (const Row& each : rows()) {
        RunOptions without = options;
        without.passes_off.insert(without.passes_off.end(), each.passes.begin(), each.passes.end());
        table += row("- " + each.name, file, without);
    }
    return table;
}

}  // namespace refrain::script
