/// `import random;`. The sequence of a worker follows from its thread and TURBINE_SRAND.

#include "library/modules.hpp"

#include <atomic>
#include <cstdlib>
#include <random>

namespace refrain::script {
namespace random_module {
namespace {

std::mt19937_64& generator() {
    static std::atomic<std::uint64_t> threads{0};
    thread_local std::mt19937_64 own = [] {
        const char* seed = std::getenv("TURBINE_SRAND");
        const std::uint64_t begin = seed == nullptr ? 0 : std::strtoull(seed, nullptr, 10);
        // Relaxed: the numbers differ, and nothing else is published by them.
        return std::mt19937_64(begin * 1000 + threads.fetch_add(1, std::memory_order_relaxed));
    }();
    return own;
}
Value random_int(In in, Services&) {
    const std::int64_t begin = in[0].integer();
    const std::int64_t end = in[1].integer();
    if (begin >= end)
        throw ScriptError("randint: the range from ", begin, " up to ", end, " is empty");
    return std::uniform_int_distribution<std::int64_t>(begin, end - 1)(generator());
}

constexpr Builtin all[] = {
    {"(float o) random()",
     of([] { return std::uniform_real_distribution<double>(0, 1)(generator()); }), false},
    {"(int o) randint(int start, int end)", random_int, false},
};

}  // namespace
}  // namespace random_module

const std::span<const Builtin> random_functions = random_module::all;

std::int64_t random_below(std::int64_t end) {
    return std::uniform_int_distribution<std::int64_t>(0, end - 1)(random_module::generator());
}

}  // namespace refrain::script
