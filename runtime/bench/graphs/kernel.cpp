#include "graphs/kernel.hpp"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "common/stopwatch.hpp"

namespace graphs {
namespace {

/// Values between -1 and 0 stay there, away from 0, however often they are mapped.
inline constexpr double begin_value = -0.5;

#if defined(__x86_64__)
#define GRAPHS_HAS_FMA_VARIANT 1
using Quad [[gnu::vector_size(32)]] = double;

[[gnu::target("avx2,fma")]] void compute_fused(std::int64_t iterations) {
    Quad a[16];
    for (Quad& v : a) v = Quad{begin_value, begin_value, begin_value, begin_value};
    for (std::int64_t i = 0; i < iterations; ++i)
#pragma GCC unroll 16
        for (Quad& v : a) v = v * v + v;
    asm volatile("" : : "r"(a) : "memory");
}
#endif

void compute_plain(std::int64_t iterations) {
    double a[64];
    for (double& v : a) v = begin_value;
    for (std::int64_t i = 0; i < iterations; ++i)
        for (double& v : a) v = v * v + v;
    asm volatile("" : : "r"(a) : "memory");
}

bool machine_fuses() {
#ifdef GRAPHS_HAS_FMA_VARIANT
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return false;
#endif
}
const bool fuses = machine_fuses();

/// Wall time of all threads for `iterations` each, from a common start.
double seconds_on(unsigned threads, std::int64_t iterations) {
    std::atomic<unsigned> ready{0};
    const auto work = [&] {
        ready.fetch_add(1);
        while (ready.load() < threads) std::this_thread::yield();
        compute(iterations);
    };
    std::vector<std::thread> others;
    for (unsigned i = 1; i < threads; ++i) others.emplace_back(work);
    while (ready.load() + 1 < threads) std::this_thread::yield();
    const bench::Stopwatch watch;
    work();
    for (std::thread& other : others) other.join();
    return watch.wall_seconds();
}

}  // namespace

void compute(std::int64_t iterations) {
    if (iterations == 0) return;
#ifdef GRAPHS_HAS_FMA_VARIANT
    if (fuses) return compute_fused(iterations);
#endif
    compute_plain(iterations);
}

double peak_flops(unsigned threads) {
    std::int64_t iterations = 1000;
    while (seconds_on(1, iterations) < 2e-3) iterations *= 2;
    double best = 0;  // the fastest round has the least interference
    for (int round = 0; round < 5; ++round)
        best = std::max(best, flops_per_iteration * static_cast<double>(iterations) * threads /
                                  seconds_on(threads, iterations));
    return best;
}

}  // namespace graphs
