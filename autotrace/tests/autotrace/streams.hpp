#pragma once

#include <bit>
#include <cstdint>
#include <random>
#include <vector>

namespace refrain::autotrace::testing {

/// A loop with a body of `period` different operations.
inline std::vector<std::uint64_t> loop(std::uint64_t period, std::uint64_t length) {
    std::vector<std::uint64_t> stream(length);
    for (std::uint64_t i = 0; i < length; ++i) stream[i] = i % period;
    return stream;
}

/// Every operation is new.
inline std::vector<std::uint64_t> no_repeats(std::uint64_t length) {
    std::vector<std::uint64_t> stream(length);
    for (std::uint64_t i = 0; i < length; ++i) stream[i] = i;
    return stream;
}

/// Contains no string three times in succession.
inline std::vector<std::uint64_t> thue_morse(std::uint64_t length) {
    std::vector<std::uint64_t> stream(length);
    for (std::uint64_t i = 0; i < length; ++i) {
        stream[i] = static_cast<std::uint64_t>(std::popcount(i)) & 1;
    }
    return stream;
}

inline std::vector<std::uint64_t> fibonacci_word(std::uint64_t length) {
    std::vector<std::uint64_t> word{0};
    std::vector<std::uint64_t> last{1};
    while (word.size() < length) {
        std::vector<std::uint64_t> next = word;
        next.insert(next.end(), last.begin(), last.end());
        last = std::move(word);
        word = std::move(next);
    }
    word.resize(length);
    return word;
}

inline std::vector<std::uint64_t> random_symbols(std::uint64_t length, std::uint64_t alphabet,
                                                 unsigned seed) {
    std::mt19937_64 random(seed);
    std::vector<std::uint64_t> stream(length);
    for (std::uint64_t& symbol : stream) symbol = random() % alphabet;
    return stream;
}

/// Fragments of `length` operations each, in random order.
inline std::vector<std::uint64_t> random_branches(std::uint64_t count, std::uint64_t branches,
                                                  std::uint64_t length, unsigned seed) {
    std::mt19937_64 random(seed);
    std::vector<std::uint64_t> stream;
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t branch = random() % branches;
        for (std::uint64_t at = 0; at < length; ++at) stream.push_back(branch * 1000 + at);
    }
    return stream;
}

/// Four loops in random order, each of random duration, some followed by an interruption or a
/// foreign operation.
template <class Step, class Interrupt>
void leave_loops_at_random(unsigned seed, Step step, Interrupt interrupt) {
    std::mt19937_64 random(seed);
    for (std::uint64_t i = 0; i < 40; ++i) {
        const std::uint64_t loop = random() % 4, period = 1 + 5 * loop;
        for (std::uint64_t at = 0, end = random() % 200; at < end; ++at)
            step(100 * loop + at % period);
        const auto what = random() % 4;
        if (what == 0) interrupt();
        if (what == 1) step(10'000 + i);
    }
}

}  // namespace refrain::autotrace::testing
