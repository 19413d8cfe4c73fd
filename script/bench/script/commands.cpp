#include "refrain/script/script.hpp"
#include "workers/standard_services.hpp"

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <memory>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "common/stopwatch.hpp"
#include "memo/memo.hpp"
#include "script/rows.hpp"

extern char** environ;

namespace script_bench {
namespace {

namespace fs = std::filesystem;
using refrain::script::RunOptions;

/// A folder that is removed at the end.
class Folder {
  public:
    Folder() : path_(fs::temp_directory_path() / ("bench_script_" + std::to_string(getpid()))) {
        fs::create_directories(path_);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() { fs::remove_all(path_); }
    [[nodiscard]] std::string operator/(const std::string& name) const { return path_ / name; }

  private:
    fs::path path_;
};

int spawned(std::vector<std::string> words, const char* output = nullptr) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (output != nullptr) posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY, 0);
    std::vector<char*> arguments;
    for (std::string& each : words) arguments.push_back(each.data());
    arguments.push_back(nullptr);
    pid_t child = 0;
    const int failed =
        posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    int status = 0;
    if (failed != 0 || waitpid(child, &status, 0) < 0)
        throw std::runtime_error("cannot run " + words[0]);
    return status;
}

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
        for (int i = 0; i < programs / 2; ++i) static_cast<void>(spawned({"true"}));
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
    if (spawned({BENCH_COMMAND, "run", folder / "hello.swift"}, "/dev/null") != 0)
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
    if (spawned({"strip", "-o", stripped, BENCH_COMMAND}) != 0)
        throw std::runtime_error("there is no strip");
    return static_cast<double>(fs::file_size(stripped)) / 1e6;
}

}  // namespace

void add_commands(std::vector<Row>& rows, bool quick) {
    const int programs = quick ? 20 : 2000;
    const int results = quick ? 1000 : 100'000;
    const std::string small = script_of_lines(34);
    const std::string large = script_of_lines(quick ? 100 : 1000);
    rows.push_back(
        {"compile_34", "ms", 10, false, 1000, false, [small] { return compile_ms(small); }});
    rows.push_back(
        {"compile_1000", "ms", 150, false, 0, false, [large] { return compile_ms(large); }});
    rows.push_back({"hello", "ms", 20, false, 0, false, hello_ms});
    rows.push_back(
        {"app_overhead", "x", 1.1, false, 0, false, [programs] { return app_overhead(programs); }});
    rows.push_back({"resume", "s", 0.5, false, 0, false, [results] { return resume_s(results); }});
    rows.push_back({"size", "MB", 8, false, 0, true, stripped_mb});
}

}  // namespace script_bench
