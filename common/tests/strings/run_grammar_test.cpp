#include "strings/run_grammar.hpp"

#include "strings/sequences.hpp"

#include <gtest/gtest.h>
#include <random>
#include <utility>

#include "tries.hpp"

namespace refrain::strings::run_grammar_test {
namespace {

using testing::Sequence;
using Runs = std::vector<strings::Run>;

Sequence expand(const Grammar& grammar) {
    Sequence symbols;
    for (GrammarCursor at(grammar); !at.done(); at.next())
        symbols.insert(symbols.end(), static_cast<std::size_t>(at.count()),
                       static_cast<Symbol>(at.terminal()));
    return symbols;
}

RunGrammar grammar_of(const Sequence& symbols) {
    RunGrammar grammar;
    for (const Symbol symbol : symbols) grammar.append(static_cast<std::uint32_t>(symbol));
    return grammar;
}

std::size_t size_of(const Sequence& symbols) {
    return grammar_of(symbols).size();
}

Sequence repeated(const Sequence& body, std::size_t times) {
    Sequence all;
    for (std::size_t i = 0; i < times; ++i) all.insert(all.end(), body.begin(), body.end());
    return all;
}

TEST(RunGrammar, a_loop_becomes_one_rule_with_a_count) {
    const Grammar grammar = grammar_of(testing::from_text("abbabbabbc")).grammar();
    ASSERT_EQ(grammar.size(), 2u);
    EXPECT_EQ(grammar[0], (Runs{{3, 1, true}, {1, 'c', false}}));
    EXPECT_EQ(grammar[1], (Runs{{1, 'a', false}, {2, 'b', false}}));
}

TEST(RunGrammar, every_short_string_expands_back_and_the_invariants_hold_after_each_append) {
    // All strings to length 12 over 3 letters, 10 with sanitizers; what a string's prefix shows is
    // not checked again.
    std::size_t strings = 0;
    testing::for_each_sequence(3, is_sanitized ? 10 : 12, [&](const Sequence& symbols) {
        RunGrammar grammar;
        std::size_t same = symbols.size();  // the last place that changed since the string before
        while (same > 0 && symbols[same - 1] == 0) --same;
        for (std::size_t i = 0; i < symbols.size(); ++i) {
            grammar.append(static_cast<std::uint32_t>(symbols[i]));
            if (i + 1 >= 10 || strings % 81 == 0) {
                ASSERT_TRUE(grammar.check()) << testing::to_text(symbols) << " after " << i + 1;
            }
        }
        ASSERT_EQ(expand(grammar.grammar()), symbols) << testing::to_text(symbols);
        ++strings;
    });
    EXPECT_EQ(strings, is_sanitized ? 59049u : 531441u);
    testing::for_each_short_sequence(3, 8, [&](const Sequence& symbols) {
        const RunGrammar grammar = grammar_of(symbols);
        ASSERT_TRUE(grammar.check());
        ASSERT_EQ(expand(grammar.grammar()), symbols) << testing::to_text(symbols);
    });
}

TEST(RunGrammar, random_loops_within_loops_expand_back) {
    for (std::uint64_t seed = 1; seed <= tries(300); ++seed) {
        std::mt19937_64 random(seed);
        Sequence symbols{static_cast<Symbol>(random() % 3)};
        while (symbols.size() < 3000) {
            if (random() % 3 == 0) {
                symbols.push_back(static_cast<Symbol>(random() % 4));
                continue;
            }
            const std::size_t length = 1 + random() % std::min<std::size_t>(symbols.size(), 60);
            const Sequence body(symbols.end() - static_cast<std::ptrdiff_t>(length), symbols.end());
            const Sequence loop = repeated(body, 1 + random() % 5);
            symbols.insert(symbols.end(), loop.begin(), loop.end());
        }
        RunGrammar grammar;
        for (std::size_t i = 0; i < symbols.size(); ++i) {
            grammar.append(static_cast<std::uint32_t>(symbols[i]));
            if (i % 97 == 0) {
                ASSERT_TRUE(grammar.check()) << "seed " << seed << ", after " << i;
            }
        }
        ASSERT_TRUE(grammar.check()) << "seed " << seed;
        ASSERT_EQ(expand(grammar.grammar()), symbols) << "seed " << seed;
        const auto lengths = expanded_lengths(grammar.grammar());
        ASSERT_EQ(lengths[0], symbols.size());
    }
}

TEST(RunGrammar, loops_of_any_length_have_constantly_many_rules) {
    EXPECT_EQ(size_of(repeated({1}, 10)), 1u);
    EXPECT_EQ(size_of(repeated({1}, 100000)), 1u);
    for (const std::size_t inner : {1, 2, 7, 100}) {
        Sequence body{0};
        const Sequence run = repeated({1}, inner);
        body.insert(body.end(), run.begin(), run.end());
        EXPECT_LE(size_of(repeated(body, 1000)), 6u) << inner;
        EXPECT_EQ(size_of(repeated(body, 1000)), size_of(repeated(body, 20000))) << inner;
    }
    const Sequence halo = testing::from_text("abcdefabcdefabcdg");
    EXPECT_LE(size_of(repeated(halo, 2000)), 24u);
    EXPECT_EQ(size_of(repeated(halo, 2000)), size_of(repeated(halo, 4000)));
}

TEST(RunGrammar, an_iteration_of_a_known_loop_is_compared_and_adds_nothing) {
    Sequence body;
    for (Symbol symbol = 0; symbol < 50; ++symbol) body.push_back(symbol);
    for (Symbol symbol = 0; symbol < 20; ++symbol)
        body.push_back(100 + symbol % 2);  // a loop within
    RunGrammar grammar = grammar_of(repeated(body, 3));
    const std::size_t size = grammar.size();
    const std::size_t bytes = grammar.bytes();
    for (const Symbol symbol : repeated(body, 100)) {
        grammar.append(static_cast<std::uint32_t>(symbol));
        ASSERT_EQ(grammar.size(), size) << "at " << grammar.length();
    }
    EXPECT_EQ(grammar.bytes(), bytes);
}

TEST(RunGrammar, an_iteration_that_differs_anywhere_is_kept) {
    const Sequence body = testing::from_text("abcbcbcdefefg");
    for (std::size_t at = 0; at < body.size(); ++at) {
        Sequence symbols = repeated(body, 5);
        symbols[3 * body.size() + at] = 'x';
        RunGrammar grammar;
        for (std::size_t i = 0; i < symbols.size(); ++i) {
            grammar.append(static_cast<std::uint32_t>(symbols[i]));
            ASSERT_TRUE(grammar.check()) << at << ", " << i;
            ASSERT_EQ(
                expand(grammar.grammar()),
                Sequence(symbols.begin(), symbols.begin() + static_cast<std::ptrdiff_t>(i) + 1))
                << at << ", " << i;
        }
    }
}

TEST(RunGrammar, appending_with_a_count_is_appending_so_often) {
    RunGrammar once, often;
    for (const auto& [symbol, count] :
         {std::pair{1u, 3u}, {2u, 1u}, {1u, 3u}, {2u, 5u}, {2u, 0u}}) {
        once.append(symbol, count);
        for (std::uint32_t i = 0; i < count; ++i) often.append(symbol);
    }
    EXPECT_EQ(once.grammar(), often.grammar());
    EXPECT_EQ(once.length(), 12u);
}

TEST(RunGrammar, the_same_sequence_gives_the_same_grammar) {
    const Sequence word = testing::fibonacci_word(5000);
    EXPECT_EQ(grammar_of(word).grammar(), grammar_of(word).grammar());
    EXPECT_EQ(expand(grammar_of(word).grammar()), word);
}

TEST(ExpandedLengths, what_is_no_grammar_has_none) {
    EXPECT_TRUE(expanded_lengths({{{1, 1, true}}}).empty());                  // no rule 1
    EXPECT_TRUE(expanded_lengths({{{1, 1, true}}, {{1, 0, true}}}).empty());  // a cycle
    EXPECT_TRUE(expanded_lengths({{{0, 5, false}}}).empty());                 // nothing, repeated
    EXPECT_EQ(expanded_lengths({{{2, 1, true}}, {{3, 7, false}}}),
              (std::vector<std::uint64_t>{6, 3}));
}

TEST(ExpandedLengths, a_rule_that_claims_more_than_fits_saturates) {
    Grammar grammar{{{1000000000000000000, 1, true}}, {{1000000000000000000, 0, false}}};
    EXPECT_EQ(expanded_lengths(grammar)[0], std::uint64_t{1} << 63);
    Grammar deep(100000);
    for (std::uint32_t i = 0; i + 1 < deep.size(); ++i) deep[i] = {{2, i + 1, true}};
    deep.back() = {{1, 0, false}};
    EXPECT_EQ(expanded_lengths(deep)[0], std::uint64_t{1} << 63);
}

}  // namespace
}  // namespace refrain::strings::run_grammar_test
