/// Measures on all short sequences how far the greedy choice of Algorithm 2 falls short of the best
/// coverage of any set of traces, and how often it finds the longest disjoint repeat; and what
/// unsigned arithmetic would lose on loops.

#include "strings/optimal_coverage.hpp"
#include "strings/plain_repeats.hpp"
#include "strings/repeats.hpp"
#include "strings/sequences.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

using namespace refrain::strings;
using testing::Sequence;

/// The ratio found / possible over many sequences.
struct Shortfall {
    std::size_t sequences = 0;
    std::size_t short_of = 0;
    double ratio_sum = 0;
    double ratio_min = 1;
    std::string worst;

    void add(const Sequence& symbols, std::size_t found, std::size_t possible) {
        if (possible == 0) return;
        const double ratio = static_cast<double>(found) / static_cast<double>(possible);
        ++sequences;
        ratio_sum += ratio;
        if (found < possible) ++short_of;
        if (ratio < ratio_min) {
            ratio_min = ratio;
            worst = testing::to_text(symbols) + " " + std::to_string(found) + " of " +
                    std::to_string(possible);
        }
    }

    void print() const {
        if (sequences == 0) {
            std::printf("%9d\n", 0);
            return;
        }
        const double count = static_cast<double>(sequences);
        std::printf("%9zu %8.4f %7.2f%% %7.3f  %s\n", sequences, ratio_sum / count,
                    100 * static_cast<double>(short_of) / count, ratio_min, worst.c_str());
    }
};

void demand_at_most(const Sequence& symbols, std::size_t found, std::size_t possible) {
    if (found <= possible) return;
    std::fprintf(stderr, "%s: %zu found, but only %zu possible\n",
                 testing::to_text(symbols).c_str(), found, possible);
    std::exit(1);
}

struct Family {
    Symbol alphabet;
    std::size_t length_max;
};

void print_name(const char* what, const Family& family, std::uint32_t length_min) {
    std::printf("strings/%s/symbols_%u_to_length_%zu/length_min_%u ", what, family.alphabet,
                family.length_max, length_min);
}

std::vector<Sequence> traces_of(const Sequence& symbols, const RepeatSet& repeats) {
    std::vector<Sequence> traces;
    for (const Repeat& repeat : repeats) {
        traces.push_back(testing::part(symbols, repeat.begin, repeat.length));
    }
    return traces;
}

/// `chosen`: coverage of the occurrences that the greedy choice accepts. `matched`: that of the
/// best matching of the same traces.
void compare_coverage(const Family& family, std::uint32_t length_min) {
    Shortfall chosen;
    Shortfall matched;
    RepeatFinder finder;
    testing::for_each_short_sequence(
        family.alphabet, family.length_max, [&](const Sequence& symbols) {
            const RepeatSet& found = finder.find(symbols, {.length_min = length_min});
            const std::size_t best =
                optimal_coverage(symbols, static_cast<Index>(length_min)).covered;
            demand_at_most(symbols, found.covered(), best);
            chosen.add(symbols, found.covered(), best);
            matched.add(symbols, coverage(best_matching(symbols, traces_of(symbols, found))), best);
        });
    print_name("chosen", family, length_min);
    chosen.print();
    print_name("matched", family, length_min);
    matched.print();
}

void compare_longest(const Family& family) {
    Shortfall shortfall;
    RepeatFinder finder;
    testing::for_each_short_sequence(family.alphabet, family.length_max,
                                     [&](const Sequence& symbols) {
                                         const RepeatSet& found = finder.find(symbols);
                                         shortfall.add(symbols, found.empty() ? 0 : found[0].length,
                                                       testing::longest_disjoint_repeat(symbols));
                                     });
    print_name("longest", family, 1);
    shortfall.print();
}

/// Coverage lost on loops by a version whose differences of positions wrap around.
void compare_wrapping() {
    const auto wrapping = [](std::size_t a, std::size_t b, std::size_t common) {
        return b >= a + common || b <= a - common;
    };
    double covered_sum[2] = {0, 0};
    double longest_sum[2] = {0, 0};
    unsigned loops = 0;
    unsigned loops_that_lose = 0;
    for (const std::size_t length : {100, 137, 200}) {
        for (Symbol period = 1; period <= 40; ++period, ++loops) {
            const Sequence symbols = testing::periodic_word(length, period);
            const std::vector<testing::PlainRepeat> found[2] = {
                testing::plain_repeats(symbols, 1, wrapping), testing::plain_repeats(symbols, 1)};
            for (int i = 0; i < 2; ++i) {
                const double n = static_cast<double>(length);
                covered_sum[i] += static_cast<double>(testing::covered(found[i])) / n;
                longest_sum[i] += static_cast<double>(found[i].front().content.size()) / n;
            }
            if (testing::covered(found[0]) < testing::covered(found[1])) ++loops_that_lose;
        }
    }
    std::printf(
        "strings/wrapping/loops %u, of which lose %u; covered %.3f, signed %.3f; longest "
        "%.3f n, signed %.3f n\n",
        loops, loops_that_lose, covered_sum[0] / loops, covered_sum[1] / loops,
        longest_sum[0] / loops, longest_sum[1] / loops);
}

}  // namespace

int main(int argc, char** argv) {
    const bool small = argc > 1 && std::strcmp(argv[1], "--small") == 0;
    const std::size_t less = small ? 4 : 0;
    std::printf("greedy over optimal: sequences, mean ratio, share below 1, least ratio, where\n");
    for (const Family& family : {Family{2, 16 - less}, Family{3, 10 - less}, Family{4, 8 - less}}) {
        for (const std::uint32_t length_min : {1u, 2u, 3u}) compare_coverage(family, length_min);
        compare_longest(family);
    }
    compare_wrapping();
}
