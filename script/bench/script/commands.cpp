#include "memo/memo.hpp"
#include "refrain/script/script.hpp"
#include "workers/standard_services.hpp"

#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <thread>

#include "common/stopwatch.hpp"
#include "script/processes.hpp"
#include "script/rows.hpp"

namespace script_bench {
namespace {

namespace fs = std::filesystem;
using refrain::script::RunOptions;

/// A script like those that users write: functions, arrays, branches, loops.
std::string script_of_lines(int lines) {
    std::string text = "import stats; import string; import sys;\n";
    for (int line = 1, number = 0; line < lines; ++number) {
        const std::string n = std::to_string(number);
        text += "(int o) f" + n + "(int a, int b) {\n  if (a > b) { o = a * " + n +
                " + b; } else { o = b - a; }\n}\nint A" + n + "[];\nforeach i in [1:20] {\n  A" +
                n + "[i] = f" + n + "(i, toint(argv(\"x\", \"3\")));\n}\ntrace(\"sum\", sum(A" + n +
                "), strcat(\"a\", fromint(size(A" + n + "))));\n";
        line += 8;
    }
    return text;
}

double compile_ms(const std::string& text) {
    const bench::Stopwatch watch;
    static_cast<void>(refrain::script::compile_text(text, "bench.swift"));
    return watch.wall_seconds() * 1e3;
}

/// Programs by a script, beside as many started directly, two at a time.
double app_overhead(int programs) {
    const bench::Stopwatch bare;
    const auto half = [programs] {
        for (int i = 0; i < programs / 2; ++i) static_cast<void>(run_process({"true"}));
    };
    std::thread other(half);
    half();
    other.join();
    const double bare_s = bare.wall_seconds();
    RunOptions options;
    options.workers = 2;
    const bench::Stopwatch watch;
    const auto result = refrain::script::run_text(
        "app (void o) t() { \"true\" }\nforeach i in [1:" + std::to_string(programs) + "] { t(); }",
        "apps.swift", options);
    if (result.status != 0) throw std::runtime_error(result.messages);
    return watch.wall_seconds() / bare_s;
}

double hello_ms() {
    const Folder folder;
    std::ofstream(folder / "hello.swift") << "trace(\"hello\");\n";
    const bench::Stopwatch watch;
    if (run_process({BENCH_COMMAND, "run", folder / "hello.swift"}, "/dev/null").status != 0)
        throw std::runtime_error("hello failed");
    return watch.wall_seconds() * 1e3;
}

/// Seconds until kept results are known, and one of them is found.
double resume_s(int results) {
    using namespace refrain::script;
    const Folder folder;
    const auto call_of = [](int i) {
        MemoCall call;
        call.function = "simulate";
        call.parts = {{"definition", 1}, {"word 1", 2}, {"word 2", static_cast<std::uint64_t>(i)}};
        call.mapped = {""};
        return call;
    };
    ContentHashes hashes;
    StandardServices services({}, 1);
    {
        Memo memo(folder / "memo", Memo::Keep::all);
        for (int i = 0; i < results; ++i) {
            const Value value(std::int64_t{i});
            memo.remember(call_of(i), {&value, 1}, hashes);
        }
    }
    const bench::Stopwatch watch;
    Memo memo(folder / "memo", Memo::Keep::all);
    const auto found = memo.find(call_of(results - 1), services, hashes);
    if (!found || memo.size() != static_cast<std::uint64_t>(results))
        throw std::runtime_error("results are lost");
    return watch.wall_seconds();
}

double stripped_mb() {
    const Folder folder;
    const std::string stripped = folder / "stripped";
    if (run_process({"strip", "-o", stripped, BENCH_COMMAND}).status != 0)
        throw std::runtime_error("there is no strip");
    return static_cast<double>(fs::file_size(stripped)) / 1e6;
}

/// The largest memory of the command, which checks the script.
double compile_mb(const std::string& text) {
    const Folder folder;
    std::ofstream(folder / "script.swift") << text;
    const Ended ended = run_process({BENCH_COMMAND, "check", folder / "script.swift"});
    if (ended.status != 0) throw std::runtime_error("the script is refused");
    return ended.peak_mb;
}

/// How much larger the largest memory of a run is with a hundred times as many tasks, in per cent.
double memory_growth(int side) {
    const auto peak = [](int outer, int inner) {
        const Ended ended = run_process(
            {BENCH_COMMAND, "run", "-n", "2", std::string(BENCH_SCRIPTS) + "/sweep.swift", "--",
             "--N=" + std::to_string(outer), "--M=" + std::to_string(inner)},
            "/dev/null");
        if (ended.status != 0) throw std::runtime_error("the sweep failed");
        return ended.peak_mb;
    };
    return 100 * (peak(side, side) / peak(side / 10, side / 10) - 1);
}

/// CPU time of a call, the process in which Python runs included; what begins and ends Python is taken off.
double python_us(int calls) {
    const auto seconds = [](int count) {
        const double before = cpu_seconds_with_children();
        RunOptions options;
        options.workers = 1;
        options.on_output = [](const std::string&) {};
        const auto result = refrain::script::run_text(
            "import python; foreach i in [1:" + std::to_string(count) +
                "] { string s = python_persist(\"\", \"repr(1)\"); trace(i, s); }",
            "python.swift", options);
        if (result.status != 0) throw std::runtime_error(result.messages);
        return cpu_seconds_with_children() - before;
    };
    const double one = seconds(1);
    return (seconds(calls + 1) - one) * 1e6 / calls;
}

}  // namespace

void add_commands(std::vector<Row>& rows, bool quick, Missing& missing) {
    const int programs = quick ? 20 : 2000;
    const int results = quick ? 1000 : 100'000;
    const std::string small = script_of_lines(34);
    const std::string large = script_of_lines(quick ? 100 : 1000);
    rows.push_back(
        {"compile_34", "ms", 10, false, 1000, false, [small] { return compile_ms(small); }});
    rows.push_back(
        {"compile_1000", "ms", 150, false, 0, false, [large] { return compile_ms(large); }});
    rows.push_back(
        {"compile_34_memory", "MB", 20, false, 0, true, [small] { return compile_mb(small); }});
    rows.push_back({"hello", "ms", 20, false, 0, false, hello_ms});
    rows.push_back(
        {"app_overhead", "x", 1.1, false, 0, false, [programs] { return app_overhead(programs); }});
    rows.push_back({"resume", "s", 0.5, false, 0, false, [results] { return resume_s(results); }});
    const int calls = quick ? 20 : 2000;
    if (refrain::script::run_text("import python; string s = python_persist(\"\", \"repr(1)\");",
                                  "python.swift", {})
            .status == 0)
        rows.push_back(
            {"python_cpu", "us", 50, false, 0, false, [calls] { return python_us(calls); }});
    else
        missing["python_cpu"] = "no libpython here";
    const int side = quick ? 100 : 10'000;
    rows.push_back(
        {"memory", "%", quick ? 0.0 : 1, false, 0, true, [side] { return memory_growth(side); }});
    rows.push_back({"size", "MB", 8, false, 0, true, stripped_mb});
}

}  // namespace script_bench
