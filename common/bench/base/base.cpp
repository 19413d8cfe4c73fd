// Cost of the building blocks of hot paths in nanoseconds: median, minimum and maximum of 9 runs.
//
//     bench_base [--small]

#include "base/atomic.hpp"
#include "base/clock.hpp"
#include "base/hash.hpp"
#include "base/mutex.hpp"
#include "base/record_arena.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace {

using namespace refrain::base;

std::uint64_t rounds = 2'000'000;

/// Makes the compiler assume that `value` is used and that memory has changed.
template <class Value>
void keep(const Value& value) {
    asm volatile("" : : "r,m"(value) : "memory");
}

/// Prints the cost of one call of `operation(round)`; rounds are numbered across all runs.
template <class Operation>
void measure(const char* name, Operation operation) {
    std::array<double, 9> ns{};
    std::uint64_t round = 0;
    for (double& run : ns) {
        const std::uint64_t begin = ticks();
        for (const std::uint64_t end = round + rounds; round < end; ++round) operation(round);
        run = ticks_to_ns(ticks() - begin) / static_cast<double>(rounds);
    }
    std::sort(ns.begin(), ns.end());
    std::printf("%-36s %8.2f %8.2f %8.2f\n", name, ns[4], ns.front(), ns.back());
}

void measure_record_arena() {
    constexpr std::uint64_t window = 1024;
    RecordArena arena;
    measure("base/record_arena/128_bytes", [&](std::uint64_t round) {
        keep(arena.allocate(128, 64, round));
        if (round > window) arena.retire_below(round - window);
    });
}

void measure_hash() {
    measure("base/hash/4_words", [](std::uint64_t round) {
        Hasher hasher;
        for (std::uint64_t word = 0; word < 4; ++word) hasher.add(round + word);
        keep(hasher.finish().low);
    });
    std::uint64_t last = 0;
    measure("base/hash/4_words/dependent", [&](std::uint64_t round) {
        Hasher hasher;
        hasher.add(last);
        for (std::uint64_t word = 1; word < 4; ++word) hasher.add(round + word);
        last = hasher.finish().low;
    });
    keep(last);
}

void measure_synchronisation() {
    Atomic<std::uint64_t> counter{0};
    measure("base/atomic/fetch_add",
            [&](std::uint64_t) { counter.fetch_add(1, std::memory_order_acq_rel); });
    Mutex mutex;
    measure("base/mutex/lock_and_unlock", [&](std::uint64_t round) {
        const LockGuard lock(mutex);
        keep(round);
    });
    measure("base/clock/ticks", [](std::uint64_t) { keep(ticks()); });
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1 && std::string_view(argv[1]) == "--small") rounds = 2'000;
    std::printf("%-36s %8s %8s %8s\n", "ns per operation", "median", "least", "most");
    measure_record_arena();
    measure_hash();
    measure_synchronisation();
    return 0;
}
