#include "strings/repeat_matcher.hpp"

#include "strings/sequences.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace refrain::strings::repeat_matcher_test {
namespace {

using namespace testing;
using Match = RepeatMatcher::Match;
using Options = RepeatMatcher::Options;
using Position = RepeatMatcher::Position;

/// The whole sequence, and the plainest queries on it.
class PlainHistory {
  public:
    void append(std::optional<Symbol> symbol) { symbols_.push_back(symbol); }

    /// Length of the common suffix of the sequences that end at `source` and `newest`.
    [[nodiscard]] std::size_t common_suffix(Position source, Position newest) const {
        std::size_t length = 0;
        while (length <= source && symbols_[source - length] &&
               symbols_[source - length] == symbols_[newest - length])
            ++length;
        return length;
    }
    [[nodiscard]] const std::optional<Symbol>& operator[](Position at) const {
        return symbols_[at];
    }
    [[nodiscard]] Position newest() const { return symbols_.size() - 1; }

  private:
    std::vector<std::optional<Symbol>> symbols_;
};

/// A matcher and the plain history of its input; checks M1 and M2 at each symbol.
class Watched {
  public:
    explicit Watched(Options options) : options_(options), matcher_(options) {}

    void append(Symbol symbol) {
        const auto predicted = matcher_.predicted();
        const bool holds = predicted && history_[*predicted] == symbol;
        matcher_.append(symbol);
        note(symbol, holds);
    }
    void append_all(const Sequence& symbols) {
        for (const Symbol symbol : symbols) append(symbol);
    }
    /// Like a caller that compares the symbols itself.
    void append_if_predicted(Symbol symbol) {
        const auto predicted = matcher_.predicted();
        if (!predicted || history_[*predicted] != symbol) return append(symbol);
        matcher_.append_predicted();
        note(symbol, true);
    }
    void append_break() {
        matcher_.append_break();
        history_.append(std::nullopt);
        EXPECT_FALSE(matcher_.match());
        chosen_ = history_.newest();
    }
    void append_unmatched(Symbol symbol) {
        matcher_.append_unmatched(symbol);
        history_.append(symbol);
        EXPECT_FALSE(matcher_.match());
        chosen_ = history_.newest();
    }
    void drop() {
        matcher_.drop();
        EXPECT_FALSE(matcher_.match());
    }

    /// Whether `source` is reachable at the newest position, by the definition.
    [[nodiscard]] bool is_reachable(Position source) const {
        const Position newest = history_.newest();
        std::size_t taken = 0;
        for (Position at = newest; --at > source && taken <= 15;) {
            if (!history_[at] || !matcher_.shares_bucket(*history_[at], *history_[newest]))
                continue;
            const std::size_t length = history_.common_suffix(at, newest);
            taken += 1 + std::min<std::size_t>(length, options_.length_max) / 32;
        }
        return taken <= 15;
    }
    [[nodiscard]] std::size_t length() const {
        return matcher_.match() ? matcher_.match()->length : 0;
    }
    [[nodiscard]] Position chosen() const { return chosen_; }
    [[nodiscard]] const PlainHistory& history() const { return history_; }
    [[nodiscard]] const RepeatMatcher& matcher() const { return matcher_; }

  private:
    void note(Symbol symbol, bool as_predicted) {
        history_.append(symbol);
        if (!as_predicted) chosen_ = history_.newest();
        ASSERT_EQ(matcher_.end(), history_.newest() + 1);
        expect_truth();
        if (!as_predicted) expect_a_reachable_match();
    }
    void expect_truth() const {  // M1
        const auto match = matcher_.match();
        if (!match) return;
        const Position newest = history_.newest();
        ASSERT_LT(match->source, newest);
        ASSERT_LT(newest - match->source, matcher_.capacity());
        ASSERT_GE(match->length, 1u);
        ASSERT_LE(match->length, options_.length_max);
        ASSERT_GE(history_.common_suffix(match->source, newest), match->length);
    }
    void expect_a_reachable_match() const {  // M2
        const Position newest = history_.newest();
        const Position age_max = std::min<Position>(matcher_.capacity() - 1, newest);
        for (Position age = 1; age <= age_max; ++age) {
            if (history_[newest - age] != history_[newest]) continue;
            ASSERT_TRUE(matcher_.match() || !is_reachable(newest - age)) << newest;
            return;
        }
    }

    Options options_;
    RepeatMatcher matcher_;
    PlainHistory history_;
    Position chosen_ = 0;
};

/// Counts for u x x x ...
struct Verdict {
    std::size_t late = 0;          // positions from |u| + 2P - 1 on with a match below min(P, C)
    std::size_t unreachable = 0;   // positions whose match was chosen without a reachable source
    std::size_t short_at_end = 0;  // positions from |u| + P + 2C - 1 on with a match below C
};

/// Checks M1 to M3 on u x x x ... at each position.
Verdict judge(Options options, const Sequence& u, const Sequence& x, std::size_t rounds) {
    Watched watched(options);
    watched.append_all(u);
    const std::size_t period = x.size();
    const std::size_t length_max = options.length_max;
    Verdict verdict;
    Position judged = std::numeric_limits<Position>::max();
    bool is_reached = false;
    for (std::size_t i = 0; i < rounds * period; ++i) {
        i % 2 == 0 ? watched.append(x[i % period]) : watched.append_if_predicted(x[i % period]);
        if (i < period) continue;
        const Position n = watched.history().newest();
        if (watched.chosen() != judged) {
            judged = watched.chosen();
            is_reached = judged < u.size() + period || watched.is_reachable(n - period);
        }
        if (is_reached) {
            EXPECT_GE(watched.length(), std::min(length_max, n + 1 - u.size() - period)) << n;
        }
        verdict.unreachable += is_reached ? 0 : 1;
        if (i + 1 >= 2 * period)
            verdict.late += watched.length() < std::min(period, length_max) ? 1 : 0;
        if (i + 1 >= period + 2 * length_max)
            verdict.short_at_end += watched.length() < length_max ? 1 : 0;
        if (::testing::Test::HasFailure()) break;
    }
    return verdict;
}

Sequence permuted(std::size_t length, std::uint32_t seed) {
    Sequence x = periodic_word(length, static_cast<Symbol>(length));
    std::mt19937 generator(seed);
    std::shuffle(x.begin(), x.end(), generator);
    return x;
}

/// (ab)^count c
Sequence nested_loop(std::size_t count) {
    Sequence x;
    for (std::size_t i = 0; i < count; ++i) x.insert(x.end(), {0, 1});
    x.push_back(2);
    return x;
}

/// a, a bc, a bc bc, a bc bc bc ...
Sequence triangular_loop(std::size_t rows) {
    Sequence x;
    for (std::size_t row = 0; row < rows; ++row) {
        x.push_back(0);
        for (std::size_t column = 0; column < row; ++column) x.insert(x.end(), {1, 2});
    }
    return x;
}

/// At each symbol of random sequences of few symbols, against the plain history.
TEST(RepeatMatcher, a_newer_source_has_the_longest_context_too) {
    constexpr std::uint32_t length_max = 20;
    std::uint64_t newer = 0;
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
        std::mt19937 random(seed);
        RepeatMatcher matcher({.capacity_log2 = 12, .length_max = length_max});
        PlainHistory history;
        for (int turn = 0; turn < 20; ++turn) {
            const std::size_t period = 1 + random() % 3;
            const Sequence loop = periodic_word(70 + random() % 100, static_cast<Symbol>(period));
            for (std::size_t i = 0; i <= loop.size(); ++i) {
                const Symbol symbol = i < loop.size() ? loop[i] : 9;
                matcher.append(symbol);
                history.append(symbol);
                const auto source = matcher.newer_source();
                if (!source) continue;
                ++newer;
                ASSERT_EQ(matcher.match()->length, length_max);
                ASSERT_GT(*source, matcher.match()->source);
                ASSERT_GE(history.common_suffix(*source, history.newest()), length_max);
                if (random() % 8 != 0) continue;
                matcher.adopt(*source);
                ASSERT_EQ(matcher.match(), (Match{*source, length_max}));
                ASSERT_FALSE(matcher.newer_source());
            }
        }
    }
    EXPECT_GT(newer, 100U);
}

TEST(RepeatMatcher, of_the_example) {
    RepeatMatcher matcher({4, 100});
    for (const Symbol symbol : from_text("abcxab")) matcher.append(symbol);
    EXPECT_EQ(matcher.match(), (Match{1, 2}));
    EXPECT_EQ(matcher.predicted(), 2u);
    matcher.append('c');
    EXPECT_EQ(matcher.match(), (Match{2, 3}));
    matcher.append('y');
    EXPECT_EQ(matcher.match(), std::nullopt);
    EXPECT_EQ(matcher.predicted(), std::nullopt);
    EXPECT_EQ(matcher.end(), 8u);
}

TEST(RepeatMatcher, chooses_the_newest_of_the_longest_matches) {
    RepeatMatcher matcher({6, 100});
    for (const Symbol symbol : from_text("xab1yab2zab3yab")) matcher.append(symbol);
    EXPECT_EQ(matcher.match(), (Match{6, 3})) << "y a b, not only a b";
    for (const Symbol symbol : from_text("wab")) matcher.append(symbol);
    EXPECT_EQ(matcher.match(), (Match{14, 2}));
}

TEST(RepeatMatcher, every_match_is_true_and_no_reachable_one_is_missed_in_short_words) {
    for_each_short_sequence(2, 11, [](const Sequence& word) {
        Watched watched({4, 3});
        watched.append_all(word);
    });
    for_each_short_sequence(3, 7, [](const Sequence& word) {
        Watched watched({4, 100});
        watched.append_all(word);
    });
}

TEST(RepeatMatcher, every_match_is_true_when_rings_wrap_around) {
    for (unsigned capacity_log2 = 4; capacity_log2 <= 8; ++capacity_log2)
        for (const std::uint32_t length_max : {1u, 5u, 64u, 1000u})
            for (const NamedSequence& hard : hard_sequences(900)) {
                SCOPED_TRACE(hard.name + ", capacity 2^" + std::to_string(capacity_log2));
                Watched watched({capacity_log2, length_max});
                watched.append_all(hard.symbols);
                if (HasFailure()) return;
            }
}

/// A random sequence of four blocks, with random symbols, breaks, drops and unmatched symbols.
TEST(RepeatMatcher, every_match_is_true_with_random_breaks_drops_and_unmatched_symbols) {
    for (std::uint32_t seed = 1; seed <= 60; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        std::mt19937 random(seed);
        const Symbol alphabet = 1 + random() % 64;
        const std::size_t block = 1 + random() % 40;
        const Sequence blocks = random_word(4 * block, alphabet, seed);
        Watched watched({4 + seed % 5, static_cast<std::uint32_t>(1 + random() % 100)});
        for (std::size_t i = 0; i < 40; ++i) {
            const std::size_t begin = random() % 4 * block;
            for (std::size_t at = begin; at < begin + block; ++at) {
                if (random() % 64 == 0) watched.append_break();
                if (random() % 64 == 0) watched.drop();
                if (random() % 64 == 0)
                    watched.append(static_cast<Symbol>(random() % (2 * alphabet)));
                if (random() % 64 == 0) watched.append_unmatched(blocks[begin]);
                random() % 2 == 0 ? watched.append(blocks[at])
                                  : watched.append_if_predicted(blocks[at]);
            }
        }
        if (HasFailure()) return;
    }
}

TEST(RepeatMatcher, a_break_equals_no_symbol_and_no_match_spans_it) {
    RepeatMatcher matcher({6, 100});
    for (const Symbol symbol : from_text("ab")) matcher.append(symbol);
    matcher.append_break();
    for (const Symbol symbol : from_text("ab")) matcher.append(symbol);
    EXPECT_EQ(matcher.match(), (Match{1, 2}));
    matcher.append_break();
    EXPECT_EQ(matcher.match(), std::nullopt);
    matcher.append('b');
    EXPECT_EQ(matcher.match(), (Match{4, 1}));
    EXPECT_EQ(matcher.predicted(), 5u) << "the break, which nothing equals";
    matcher.append('a');
    EXPECT_EQ(matcher.match(), (Match{3, 1}));
}

TEST(RepeatMatcher, the_largest_symbol_acts_as_a_break) {
    RepeatMatcher matcher({4, 100});
    for (int i = 0; i < 3; ++i) matcher.append(std::numeric_limits<Symbol>::max());
    EXPECT_EQ(matcher.match(), std::nullopt);
    matcher.append(std::numeric_limits<Symbol>::max() - 1);
    matcher.append(std::numeric_limits<Symbol>::max() - 1);
    EXPECT_EQ(matcher.match(), (Match{3, 1}));
}

TEST(RepeatMatcher, chooses_a_new_match_after_a_drop) {
    RepeatMatcher matcher({4, 100});
    for (const Symbol symbol : from_text("abab")) matcher.append(symbol);
    EXPECT_EQ(matcher.match(), (Match{1, 2}));
    matcher.drop();
    EXPECT_EQ(matcher.predicted(), std::nullopt);
    matcher.append('a');
    EXPECT_EQ(matcher.match(), (Match{2, 3}));
}

TEST(RepeatMatcher, forgets_symbols_as_old_as_the_capacity) {
    for (const std::size_t distance : {15u, 16u}) {
        Watched watched({4, 100});
        watched.append_all(periodic_word(distance, static_cast<Symbol>(distance)));
        watched.append(0);
        EXPECT_EQ(watched.matcher().match().has_value(), distance < 16) << distance;
    }
}

TEST(RepeatMatcher, matches_one_repeated_symbol_from_its_second_occurrence_on) {
    Watched watched({4, 10});
    for (std::size_t i = 0; i < 100; ++i) {
        watched.append(7);
        EXPECT_EQ(watched.length(), std::min<std::size_t>(i, 10));
    }
}

TEST(RepeatMatcher, every_match_spans_a_period_from_the_third_period_on_if_sources_are_reachable) {
    for (std::uint32_t seed = 1; seed <= 40; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        std::mt19937 random(seed);
        const Options options{9, 128};
        const Sequence u = random_word(random() % 600, 200, seed);
        for (const Sequence& x :
             {permuted(1 + random() % 256, seed), random_word(1 + random() % 16, 3, seed),
              Sequence{0, 1}, Sequence{0, 0, 1}, nested_loop(1 + random() % 15)}) {
            const Verdict verdict = judge(options, u, x, 4);
            if (verdict.unreachable == 0) {
                EXPECT_EQ(verdict.late, 0u) << to_text(x);
            }
            ASSERT_FALSE(HasFailure());
        }
    }
}

TEST(RepeatMatcher, sources_are_always_reachable_if_all_symbols_of_a_period_differ) {
    for (const std::size_t period : {1u, 2u, 3u, 17u, 256u, 1000u})
        for (std::uint32_t seed = 1; seed <= 3; ++seed) {
            const Verdict verdict = judge({11, 300}, {}, permuted(period, seed), 4);
            EXPECT_EQ(verdict.unreachable, 0u) << period;
            EXPECT_EQ(verdict.late, 0u) << period;
        }
}

/// M3 must hold wherever its condition does, even in words where that is rare.
TEST(RepeatMatcher, the_length_is_as_guaranteed_wherever_the_source_is_reachable) {
    std::size_t unreachable = 0;
    for (std::uint32_t seed = 1; seed <= 30; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        std::mt19937 random(seed);
        const Symbol alphabet = 1 + random() % 64;
        const std::size_t period = 1 + random() % 256;
        unreachable += judge({9, static_cast<std::uint32_t>(1 + random() % 256)},
                             random_word(random() % 300, alphabet, seed + 1000),
                             random_word(period, alphabet, seed), 4)
                           .unreachable;
        ASSERT_FALSE(HasFailure());
    }
    EXPECT_GT(unreachable, 100u) << "words were too easy";
}

/// The claim for any x; the table is large enough to avoid collisions of these words.
TEST(RepeatMatcher, hard_words_have_matches_of_length_max_after_a_period_and_two_lengths) {
    constexpr std::size_t period = 1000;
    std::vector<NamedSequence> words{
        {"fibonacci", fibonacci_word(period)},      {"thue-morse", thue_morse_word(period)},
        {"de bruijn", de_bruijn_word(10)},          {"two letters", random_word(period, 2, 1)},
        {"64 letters", random_word(period, 64, 1)}, {"a^i b", Sequence(period, 0)},
        {"nested", nested_loop(period / 2)},        {"triangular", triangular_loop(31)}};
    words[5].symbols.back() = 1;
    for (const NamedSequence& word : words)
        for (const std::size_t before : {0u, 300u}) {
            SCOPED_TRACE(word.name);
            const Verdict verdict = judge({14, 256}, random_word(before, 3, 5), word.symbols, 4);
            EXPECT_EQ(verdict.short_at_end, 0u);
            EXPECT_EQ(verdict.late, 0u) << "P >= 2C";
            ASSERT_FALSE(HasFailure());
        }
}

/// Where another symbol takes the slot in the table, the next choice tries again.
TEST(RepeatMatcher, a_loop_of_half_the_capacity_over_few_letters_is_found_by_two_periods) {
    constexpr std::size_t period = 32'768;
    for (const Symbol alphabet : {2u, 64u}) {
        RepeatMatcher matcher({});
        const Sequence x = random_word(period, alphabet, 1);
        std::size_t late = 0;
        for (std::size_t i = 0; i < 3 * period; ++i) {
            matcher.append(x[i % period]);
            if (i + 1 >= 2 * period && (!matcher.match() || matcher.match()->length < 2048)) ++late;
        }
        EXPECT_EQ(late, 0u) << alphabet;
    }
}

TEST(RepeatMatcher, matches_the_loop_again_right_after_a_foreign_symbol) {
    Watched watched({10, 100});
    for (int round = 0; round < 3; ++round) watched.append_all(permuted(200, 1));
    watched.append(1'000'000);
    EXPECT_EQ(watched.length(), 0u);
    const Sequence x = permuted(200, 1);
    for (std::size_t i = 0; i < 200; ++i) {
        watched.append(x[i]);
        EXPECT_EQ(watched.length(), std::min<std::size_t>(i + 1, 100));
    }
}

TEST(RepeatMatcher, the_same_sequence_gives_the_same_matches) {
    const Sequence word = noisy_loop(3000, 40, 30, 9);
    RepeatMatcher first({8, 50}), second({8, 50});
    for (const Symbol symbol : word) {
        first.append(symbol);
        const auto predicted = second.predicted();
        predicted&&* predicted < second.end() && word[*predicted] == symbol
            ? second.append_predicted()
            : second.append(symbol);
        ASSERT_EQ(first.match(), second.match());
    }
}

TEST(RepeatMatcher, takes_less_than_a_mebibyte_by_default_and_does_not_grow) {
    RepeatMatcher matcher({});
    const std::size_t bytes = matcher.memory_bytes();
    EXPECT_EQ(bytes, std::size_t{15} << 16);
    EXPECT_LT(bytes, std::size_t{1} << 20);
    for (Symbol symbol = 0; symbol < 200'000; ++symbol) matcher.append(symbol);
    EXPECT_EQ(matcher.memory_bytes(), bytes);
}

}  // namespace
}  // namespace refrain::strings::repeat_matcher_test
