#include "streams/generators.hpp"

#include "autotrace/streams.hpp"
#include "strings/sequences.hpp"

#include <bit>
#include <random>

namespace streams {
namespace {

namespace words = refrain::autotrace::testing;
using Lines = std::vector<Line>;

template <class Word>
Lines of_word(const Word& word) {
    Script script(word.size());
    for (const auto symbol : word) script.launch(symbol);
    return script.take();
}

template <std::uint64_t period>
Lines loop(std::uint64_t operations) {
    return of_word(words::loop(period, operations));
}

/// A solver: iterations of 20 operations; after every `every` of them, 3 more and a wait for their
/// result.
template <std::uint64_t every>
Lines check_every(std::uint64_t operations) {
    Script script(operations);
    for (std::uint64_t iteration = 1; !script.is_full(); ++iteration) {
        script.launch_all(0, 20);
        if (iteration % every != 0) continue;
        script.launch_all(100, 3);
        script.wait();
    }
    return script.take();
}

/// 10 operations that are always the same, then 10 of a random branch.
template <std::uint64_t branches>
Lines branch(std::uint64_t operations) {
    constexpr unsigned seed = 20250330;
    std::mt19937_64 random(seed);
    Script script(operations);
    while (!script.is_full()) {
        script.launch_all(0, 10);
        script.launch_all(100 * (1 + random() % branches), 10);
    }
    return script.take();
}

/// An outer loop of 8 operations around an inner one of 12 iterations.
Lines nested_loops(std::uint64_t operations) {
    Script script(operations);
    while (!script.is_full()) {
        script.launch_all(0, 5);
        for (int inner = 0; inner < 12; ++inner) script.launch_all(100, 4);
        script.launch_all(200, 3);
    }
    return script.take();
}

/// As in a factorisation: each outer iteration has one inner iteration more, from 0 to 59; then all
/// restarts.
Lines triangular_loop(std::uint64_t operations) {
    constexpr std::uint64_t rows = 60;
    Script script(operations);
    for (std::uint64_t row = 0; !script.is_full(); row = (row + 1) % rows) {
        script.launch_all(0, 3);
        for (std::uint64_t column = 0; column < row; ++column) script.launch_all(100, 4);
    }
    return script.take();
}

/// Two alternating loops, each for about 6000 operations: A B A B ...
Lines phases(std::uint64_t operations) {
    Script script(operations);
    while (!script.is_full()) {
        for (int i = 0; i < 200; ++i) script.launch_all(0, 30);
        for (int i = 0; i < 130; ++i) script.launch_all(100, 47);
    }
    return script.take();
}

/// A loop of 50 operations; one in a thousand is preceded by an operation that occurs only once.
Lines foreign_operations(std::uint64_t operations) {
    constexpr unsigned seed = 20250330;
    std::mt19937_64 random(seed);
    Script script(operations);
    for (std::uint64_t i = 0; !script.is_full(); ++i) {
        if (random() % 1000 == 0) script.launch(1000, i);
        script.launch(i % 50);
    }
    return script.take();
}

/// 20 operations on data that alternate between three buffers.
Lines rotated_names(std::uint64_t operations) {
    Script script(operations);
    for (std::uint64_t iteration = 0; !script.is_full(); ++iteration)
        for (std::uint64_t i = 0; i < 20; ++i) script.launch(i, iteration % 3);
    return script.take();
}

/// 20 operations, the last two on data with a new name in each iteration.
Lines fresh_names(std::uint64_t operations) {
    Script script(operations);
    for (std::uint64_t iteration = 0; !script.is_full(); ++iteration) {
        script.launch_all(0, 18);
        script.launch(18, iteration);
        script.launch(19, iteration);
    }
    return script.take();
}

Lines no_repeats(std::uint64_t operations) {
    return of_word(words::no_repeats(operations));
}

Lines thue_morse(std::uint64_t operations) {
    return of_word(words::thue_morse(operations));
}

Lines fibonacci(std::uint64_t operations) {
    return of_word(words::fibonacci_word(operations));
}

Lines de_bruijn(std::uint64_t operations) {
    auto word = refrain::strings::testing::de_bruijn_word(
        static_cast<unsigned>(std::bit_width(operations)));
    word.resize(operations);
    return of_word(word);
}

}  // namespace

const std::vector<Generator>& generators() {
    static const std::vector<Generator> all = {
        {"period_1", "one repeated operation", loop<1>},
        {"period_3", "a loop of 3 operations", loop<3>},
        {"period_10", "a loop of 10 operations", loop<10>},
        {"period_100", "a loop of 100 operations", loop<100>},
        {"period_1000", "a loop of 1000 operations", loop<1000>},
        {"period_4000", "a loop of 4000 operations", loop<4000>},
        {"period_10000", "a loop of 10,000 operations", loop<10000>},
        {"period_20000", "a loop of 20,000 operations", loop<20000>},
        {"check_every_10", "20 operations; every 10 iterations 3 more, and a wait",
         check_every<10>},
        {"check_every_100", "20 operations; every 100 iterations 3 more, and a wait",
         check_every<100>},
        {"branch_2", "10 operations, then 10 of 2 branches at random", branch<2>},
        {"branch_64", "10 operations, then 10 of 64 branches at random", branch<64>},
        {"nested_loops", "12 times 4 operations inside of a loop of 8", nested_loops},
        {"triangular_loop", "an inner loop that grows from 0 to 59 iterations", triangular_loop},
        {"phases", "two alternating loops, 6000 operations each", phases},
        {"foreign_operations", "a loop of 50; 0.1 % foreign operations", foreign_operations},
        {"rotated_names", "a loop of 20; names repeat after 3 iterations", rotated_names},
        {"fresh_names", "a loop of 20; 2 have new names in each iteration", fresh_names},
        {"no_repeats", "every operation is new", no_repeats},
        {"thue_morse", "the Thue-Morse word: no string three times in succession", thue_morse},
        {"fibonacci", "the Fibonacci word: repeats of all lengths, never periodic", fibonacci},
        {"de_bruijn", "each short word occurs once: only short repeats", de_bruijn},
    };
    return all;
}

}  // namespace streams
