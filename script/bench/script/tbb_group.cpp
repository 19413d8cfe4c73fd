#include "refrain/script/script.hpp"

#include <atomic>
#include <stdexcept>
#include <tbb/global_control.h>
#include <tbb/task_group.h>

#include "common/stopwatch.hpp"
#include "script/rows.hpp"

namespace script_bench {
namespace {

/// Two nested loops of tasks that do next to nothing, by two threads.
double tbb_cpu_ns(int side) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 2);
    std::atomic<int> sum{0};
    const bench::Stopwatch watch;
    tbb::task_group outer;
    for (int i = 0; i < side; ++i)
        outer.run([&, i] {
            tbb::task_group inner;
            for (int j = 0; j < side; ++j)
                inner.run([&, i, j] {
                    if ((i + j) % 1000 == 999) sum.fetch_add(1, std::memory_order_relaxed);
                });
            inner.wait();
        });
    outer.wait();
    return watch.per(1.0 * side * side).cpu_ns;
}
double sweep_cpu_ns(int side) {
    refrain::script::RunOptions options;
    options.workers = 2;
    options.arguments = {"--N=" + std::to_string(side), "--M=" + std::to_string(side)};
    options.on_output = [](const std::string&) {};
    const bench::Stopwatch watch;
    const auto result = run_file(std::string(BENCH_SCRIPTS) + "/sweep.swift", options);
    if (result.status != 0) throw std::runtime_error(result.messages);
    return watch.per(1.0 * side * side).cpu_ns;
}

}  // namespace

void add_tbb(std::vector<Row>& rows, bool quick, Missing&) {
    const int side = quick ? 20 : 500;
    rows.push_back({"sweep_cpu_over_tbb", "x", quick ? 0.0 : 1.5, false, 0, false,
                    [side] { return sweep_cpu_ns(side) / tbb_cpu_ns(side); }});
}

}  // namespace script_bench
