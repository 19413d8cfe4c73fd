/// The cost of find_repeats from 2^10 to 2^20 tokens (2^14 with --small), and its growth.
///
/// Expected on one core of a server of 2020: induced sorting reads and writes each token about ten
/// times in cache-unfriendly order, so 50 to 100 ns per token at 2^20, half of that for periodic
/// streams, and an exponent slightly above 1, since the working set outgrows the caches. An answer
/// that violates a guarantee of RepeatSet ends the program with status 1.

#include "strings/repeats.hpp"

#include "strings/sequences.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace {

using namespace refrain::strings;
using testing::Sequence;

constexpr std::uint32_t trace_length_min = 5;

struct Stream {
    std::string name;
    std::function<Sequence(std::size_t)> make;
    std::size_t uncovered_max;  // for loops: two periods; else no_bound
};

constexpr std::size_t no_bound = ~std::size_t{0};

std::vector<Stream> streams() {
    return {
        {"equal", [](std::size_t n) { return Sequence(n, 1); }, 1},
        {"period_7", [](std::size_t n) { return testing::periodic_word(n, 7); }, 2 * 7},
        {"period_100", [](std::size_t n) { return testing::periodic_word(n, 100); }, 2 * 100},
        {"noisy_loop_100", [](std::size_t n) { return testing::noisy_loop(n, 100, 1000, 1); },
         no_bound},
        {"fibonacci", [](std::size_t n) { return testing::fibonacci_word(n); }, no_bound},
        {"thue_morse", [](std::size_t n) { return testing::thue_morse_word(n); }, no_bound},
        {"random_4", [](std::size_t n) { return testing::random_word(n, 4, 1); }, no_bound},
        {"random_1000", [](std::size_t n) { return testing::random_word(n, 1000, 1); }, no_bound},
        {"random_32_bit", [](std::size_t n) { return testing::random_word(n, ~Symbol{0}, 1); },
         no_bound},
    };
}

void demand(bool fact, const std::string& where, const char* meaning) {
    if (fact) return;
    std::fprintf(stderr, "%s: %s\n", where.c_str(), meaning);
    std::exit(1);
}

void check(const Stream& stream, const Sequence& symbols, const RepeatSet& repeats) {
    std::vector<bool> taken(symbols.size(), false);
    for (const Repeat& repeat : repeats) {
        demand(repeat.length >= trace_length_min, stream.name, "a repeat is too short");
        for (const std::uint32_t begin : repeat.occurrences) {
            for (std::uint32_t i = 0; i < repeat.length; ++i) {
                demand(!taken[begin + i], stream.name, "occurrences overlap");
                taken[begin + i] = true;
                demand(symbols[begin + i] == symbols[repeat.begin + i], stream.name,
                       "an occurrence differs from the first");
            }
        }
    }
    demand(stream.uncovered_max == no_bound ||
               repeats.covered() + stream.uncovered_max >= symbols.size(),
           stream.name, "more than two periods of a loop are not covered");
}

struct Point {
    std::size_t tokens;
    double seconds;
};

/// The fastest of several searches with one finder, without the first, which warms it up.
double measure(RepeatFinder& finder, const Sequence& symbols, unsigned runs) {
    double best = 1e9;
    for (unsigned run = 0; run <= runs; ++run) {
        const auto begin = std::chrono::steady_clock::now();
        finder.find(symbols, {.length_min = trace_length_min});
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
        if (run > 0) best = std::min(best, taken.count());
    }
    return best;
}

/// Slope of log(seconds) over log(tokens), by least squares.
double fitted_exponent(const std::vector<Point>& points) {
    double x_sum = 0, y_sum = 0, xx_sum = 0, xy_sum = 0;
    for (const Point& point : points) {
        const double x = std::log(static_cast<double>(point.tokens));
        const double y = std::log(point.seconds);
        x_sum += x;
        y_sum += y;
        xx_sum += x * x;
        xy_sum += x * y;
    }
    const double n = static_cast<double>(points.size());
    return (n * xy_sum - x_sum * y_sum) / (n * xx_sum - x_sum * x_sum);
}

void measure_stream(const Stream& stream, unsigned log_max) {
    RepeatFinder finder;
    std::vector<Point> points;
    std::size_t repeats = 0;
    double covered = 0;
    for (unsigned log = 10; log <= log_max; log += 2) {
        const Sequence symbols = stream.make(std::size_t{1} << log);
        points.push_back({symbols.size(), measure(finder, symbols, log < 18 ? 5 : 2)});
        const RepeatSet& found = finder.find(symbols, {.length_min = trace_length_min});
        check(stream, symbols, found);
        repeats = found.size();
        covered = static_cast<double>(found.covered()) / static_cast<double>(symbols.size());
    }
    std::printf("strings/find_repeats/%-15s", stream.name.c_str());
    for (const Point& point : points) {
        std::printf(" %7.1f", 1e9 * point.seconds / static_cast<double>(point.tokens));
    }
    std::printf(
        "   %7.4f %6.2f %8zu %7.1f%% %7.1f\n", points.back().seconds, fitted_exponent(points),
        repeats, 100 * covered,
        static_cast<double>(finder.memory_bytes()) / static_cast<double>(points.back().tokens));
}

}  // namespace

int main(int argc, char** argv) {
    const bool small = argc > 1 && std::strcmp(argv[1], "--small") == 0;
    const unsigned log_max = small ? 14 : 20;
    std::printf(
        "ns per token at 2^10, 2^12, ... 2^%u tokens; then, at 2^%u: seconds, exponent over "
        "all sizes, repeats, covered, bytes per token\n",
        log_max, log_max);
    for (const Stream& stream : streams()) measure_stream(stream, log_max);
}
