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

/// Turns of an outer loop: `inner` operations of a loop of `period` in each, which draw() gives, then one other.
template <class Draw>
std::vector<std::uint64_t> nested_loops(std::uint64_t turns, std::uint64_t period, Draw draw) {
    std::vector<std::uint64_t> stream;
    for (std::uint64_t turn = 0; turn < turns; ++turn) {
        for (std::uint64_t at = 0, inner = draw(); at < inner; ++at) stream.push_back(at % period);
        stream.push_back(period);
    }
    return stream;
}

/// A few outer loops, one after the other, whose inner loops take other numbers of turns each time or as many, some
/// disturbed by interruptions and foreign operations.
template <class Step, class Interrupt>
void nest_loops_at_random(unsigned seed, Step step, Interrupt interrupt) {
    std::mt19937_64 random(seed);
    for (std::uint64_t outer = 0; outer < 6; ++outer) {
        const std::uint64_t period = 1 + random() % 3, least = 60 + random() % 60;
        const std::uint64_t spread = 1 + random() % 2 * 60, disturbed = random() % 2;
        const auto draw = [&] { return period * least + random() % spread; };
        for (std::uint64_t turn = 0; turn < 10; ++turn) {
            for (const std::uint64_t at : nested_loops(1, period, draw)) step(100 * outer + at);
            const auto what = disturbed != 0 ? random() % 8 : 8;
            if (what == 0) interrupt();
            if (what == 1) step(10'000 + 10 * outer + turn);
        }
    }
}

}  // namespace refrain::autotrace::testing
