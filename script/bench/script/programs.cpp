#include "refrain/script/script.hpp"

#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/spread.hpp"
#include "common/stopwatch.hpp"
#include "script/rows.hpp"

namespace script_bench {
namespace {

using refrain::script::RunOptions;
using refrain::script::RunResult;

RunResult ran(const std::string& program, int level, std::uint32_t workers,
              std::vector<std::string> arguments) {
    RunOptions options;
    options.level = level;
    options.workers = workers;
    options.arguments = std::move(arguments);
    options.on_output = [](const std::string&) {};
    RunResult result = run_file(std::string(BENCH_SCRIPTS) + "/" + program + ".swift", options);
    if (result.status != 0 || result.data_left != 0)
        throw std::runtime_error(program + " went wrong, or left data behind: " + result.messages);
    return result;
}

double operations_of(const RunResult& result) {
    return static_cast<double>(
        std::accumulate(result.operations.begin(), result.operations.end(), std::uint64_t{0}));
}

struct Program {
    const char* name;
    double limit;      // of its operations
    double original;   // its operations there
    double reduction;  // in per cent, from O0 to O3
    double messages;   // per task or cell, at most
    double cpu_ns;     // per task, node or cell, at most; 0: not measured
    double original_ns;
    std::vector<std::string> arguments;  // where time is measured
    double count;                        // of tasks, nodes or cells then
};

std::vector<Program> programs(bool quick) {
    const auto size = [&](const char* name, int full, int small) {
        return std::string("--") + name + "=" + std::to_string(quick ? small : full);
    };
    const double side = quick ? 20 : 500;
    const double cells = quick ? 19 : 199;
    return {
        {"sweep",
         2500,
         20037,
         98,
         0.1,
         330,
         4700,
         {size("N", 500, 20), size("M", 500, 20)},
         side * side},
        {"fib", 10000, 20759, 95, 0.1, 1500, 27500, {size("n", 22, 10)}, quick ? 88.0 : 28656.0},
        {"wavefront", 5000, 8235, 96, 1, 2000, 29000, {size("N", 200, 20)}, cells * cells},
        {"anneal", 0, 0, 91, 0, 0, 0, {}, 0}};
}

/// The median of several runs by two workers, which steal as it happens.
double operations_by_two(const std::string& name, int runs,
                         const std::vector<std::string>& arguments) {
    std::vector<double> all;
    for (int i = 0; i < runs; ++i) all.push_back(operations_of(ran(name, 3, 2, arguments)));
    return bench::spread_of(all).median;
}

void add_operations(std::vector<Row>& rows, const Program& is, bool quick) {
    const std::string name = is.name;
    const std::vector<std::string> sizes =  // else those of the programs, which limits are for
        quick ? std::vector<std::string>{"--N=12", "--M=12", "--n=9"} : std::vector<std::string>{};
    rows.push_back({"ops_" + name, "", is.limit, false, is.original, true,
                    [name, sizes] { return operations_of(ran(name, 3, 1, sizes)); }});
    rows.push_back(
        {"ops_" + name + "_2", "", is.limit, false, is.original, true,
         [name, quick, sizes] { return operations_by_two(name, quick ? 1 : 9, sizes); }});
    rows.push_back({"ops_reduction_" + name, "%", is.reduction, true, 0, true, [name, sizes] {
                        const double plain = operations_of(ran(name, 0, 1, sizes));
                        return 100 * (1 - operations_of(ran(name, 3, 1, sizes)) / plain);
                    }});
    rows.push_back({"refcount_share_" + name, "%", 1, false, 0, true, [name, sizes] {
                        const RunResult result = ran(name, 3, 1, sizes);
                        const double counts = static_cast<double>(result.operations.back());
                        return 100 * counts / operations_of(result);
                    }});
}

}  // namespace

void add_programs(std::vector<Row>& rows, bool quick) {
    for (const Program& is : programs(quick)) {
        add_operations(rows, is, quick);
        if (is.cpu_ns == 0) continue;
        const std::string name = is.name;
        rows.push_back({"messages_" + name, "", is.messages, false, 0, true, [is, name] {
                            const RunResult result = ran(name, 3, 4, is.arguments);
                            return static_cast<double>(result.messages_sent) / is.count;
                        }});
        rows.push_back({name + "_cpu", "ns", is.cpu_ns, false, is.original_ns, false, [is, name] {
                            const bench::Stopwatch watch;
                            static_cast<void>(ran(name, 3, 2, is.arguments));
                            return watch.per(is.count).cpu_ns;
                        }});
    }
}

}  // namespace script_bench
