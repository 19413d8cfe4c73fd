#include "refrain/script/script.hpp"

#include <algorithm>
#include <cstdio>
#include <sstream>

#include "programs/random_program.hpp"
#include "script/rows.hpp"

/// Random programs at every level, by one and by two workers: all must print the same, and leave nothing behind.
namespace script_bench {
namespace {

using refrain::script::RunOptions;
using refrain::script::RunResult;

struct Printed {
    std::vector<std::string> lines;
    RunResult result;
};
Printed printed(const std::string& text, RunOptions options) {
    std::string all;
    options.on_output = [&](const std::string& more) { all += more; };
    Printed made;
    made.result = run_text(text, "random.swift", options);
    std::istringstream stream(all);
    for (std::string line; std::getline(stream, line);) made.lines.push_back(line);
    std::ranges::sort(made.lines);
    return made;
}

/// What dead code would have waited for, or failed at, may be gone from level 1 on.
bool differs(const std::string& text) {
    RunOptions plain;
    plain.sequential = true;
    plain.level = 0;
    const Printed right = printed(text, plain);
    for (const int level : {0, 1, 2, 3})
        for (const std::uint32_t workers : {1U, 2U}) {
            RunOptions options;
            options.level = level;
            options.workers = workers;
            const Printed made = printed(text, options);
            const bool worse = right.result.status == 0 && made.result.status != 0;
            const bool leaks = made.result.tasks_waiting == 0 && made.result.data_left != 0;
            if (made.lines != right.lines || worse || leaks) return true;
        }
    return false;
}

}  // namespace

void add_determinism(std::vector<Row>& rows, std::uint64_t programs) {
    rows.push_back({"determinism", "%", 100, true, 0, true, [programs] {
                        constexpr std::uint64_t first = 100'000;  // seeds that no test has tried
                        std::uint64_t equal = 0;
                        for (std::uint64_t seed = first; seed < first + programs; ++seed) {
                            if (!differs(refrain::script::make_random_program(seed).text()))
                                ++equal;
                            else
                                std::fprintf(stderr, "random program %llu differs\n",
                                             static_cast<unsigned long long>(seed));
                        }
                        return 100 * static_cast<double>(equal) / static_cast<double>(programs);
                    }});
}

}  // namespace script_bench
