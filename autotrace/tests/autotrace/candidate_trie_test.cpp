#include "autotrace/candidate_trie.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace refrain::autotrace::candidate_trie_test {
namespace {

using Word = std::vector<Token>;

Word word_of(const char* letters) {
    Word word;
    for (; *letters != '\0'; ++letters) word.push_back({0, static_cast<std::uint64_t>(*letters)});
    return word;
}

NodeIndex insert(CandidateTrie& trie, CandidateIndex candidate, const Word& word) {
    return trie.insert(candidate, static_cast<std::uint32_t>(word.size()),
                       [&](std::uint32_t i) { return word[i]; });
}

NodeIndex read(CandidateTrie& trie, const Word& word) {
    NodeIndex node = CandidateTrie::root;
    for (const Token& token : word) node = trie.step(node, token);
    return node;
}

TEST(CandidateTrie, one_state_represents_all_current_matches) {
    CandidateTrie trie;
    insert(trie, 0, word_of("abc"));
    insert(trie, 1, word_of("bcd"));
    const NodeIndex abc = read(trie, word_of("xabc"));
    EXPECT_EQ(trie.depth(abc), 3U);
    EXPECT_EQ(trie.candidate_at(trie.output(abc)), 0U);
    EXPECT_EQ(trie.depth(trie.fallback(abc)), 2U);
    const NodeIndex bcd = trie.step(abc, word_of("d")[0]);
    EXPECT_EQ(trie.candidate_at(trie.output(bcd)), 1U);
    EXPECT_FALSE(trie.has_children(bcd));
}

TEST(CandidateTrie, a_duplicate_candidate_is_rejected) {
    CandidateTrie trie;
    EXPECT_NE(insert(trie, 0, word_of("abc")), CandidateTrie::root);
    EXPECT_EQ(insert(trie, 1, word_of("abc")), CandidateTrie::root);
    EXPECT_NE(insert(trie, 1, word_of("ab")), CandidateTrie::root);
}

TEST(CandidateTrie, tokens_that_differ_in_one_bit_are_different) {
    CandidateTrie trie;
    insert(trie, 0, {Token{1, 5}, Token{1, 6}});
    EXPECT_EQ(read(trie, {Token{1, 5}, Token{3, 6}}), CandidateTrie::root);
    EXPECT_EQ(trie.depth(read(trie, {Token{1, 5}, Token{1, 6}})), 2U);
}

/// Compares each candidate with the end of the stream.
struct PlainMatcher {
    std::vector<Word> words;
    Word stream;

    [[nodiscard]] bool ends_with_start_of(const Word& word, std::size_t length) const {
        return length <= word.size() && length <= stream.size() &&
               std::equal(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(length),
                          stream.end() - static_cast<std::ptrdiff_t>(length));
    }
    [[nodiscard]] std::vector<std::size_t> match_lengths() const {
        std::vector<std::size_t> lengths;
        for (std::size_t length = stream.size(); length > 0; --length) {
            if (std::any_of(words.begin(), words.end(),
                            [&](const Word& word) { return ends_with_start_of(word, length); })) {
                lengths.push_back(length);
            }
        }
        return lengths;
    }
    [[nodiscard]] std::vector<std::size_t> completed_lengths() const {
        std::vector<std::size_t> lengths;
        for (const std::size_t length : match_lengths()) {
            if (std::any_of(words.begin(), words.end(), [&](const Word& word) {
                    return word.size() == length && ends_with_start_of(word, length);
                })) {
                lengths.push_back(length);
            }
        }
        return lengths;
    }
    void expect_bounds(const CandidateTrie& trie, NodeIndex node) const {
        std::size_t longest = 0;
        std::size_t shortest = 0;
        for (const Word& word : words) {
            if (word.size() <= trie.depth(node) || !ends_with_start_of(word, trie.depth(node))) {
                continue;
            }
            longest = std::max(longest, word.size());
            shortest = shortest == 0 ? word.size() : std::min(shortest, word.size());
        }
        ASSERT_EQ(trie.has_children(node), longest != 0);
        if (longest == 0) return;
        EXPECT_EQ(words[trie.longest_below(node)].size(), longest);
        EXPECT_EQ(words[trie.shortest_below(node)].size(), shortest);
    }
};

void compare(unsigned seed) {
    std::mt19937 random(seed);
    CandidateTrie trie;
    PlainMatcher plain;
    NodeIndex node = CandidateTrie::root;
    const std::uint64_t alphabet = 1 + seed % 3;
    for (int i = 0; i < 300; ++i) {
        if (random() % 20 == 0) {
            Word word(1 + random() % 12);
            for (Token& token : word) token = {0, random() % alphabet};
            if (insert(trie, static_cast<CandidateIndex>(plain.words.size()), word) !=
                CandidateTrie::root) {
                plain.words.push_back(word);
            }
            node = read(trie, plain.stream);
        }
        const Token token{0, random() % alphabet};
        node = trie.step(node, token);
        plain.stream.push_back(token);
        std::vector<std::size_t> lengths;
        for (NodeIndex at = node; at != CandidateTrie::root; at = trie.fallback(at)) {
            lengths.push_back(trie.depth(at));
            ASSERT_NO_FATAL_FAILURE(plain.expect_bounds(trie, at));
        }
        ASSERT_EQ(lengths, plain.match_lengths()) << "seed " << seed;
        lengths.clear();
        for (NodeIndex at = trie.output(node); at != CandidateTrie::root;
             at = trie.next_output(at)) {
            lengths.push_back(trie.depth(at));
        }
        ASSERT_EQ(lengths, plain.completed_lengths()) << "seed " << seed;
    }
}

TEST(CandidateTrie, agrees_with_comparing_every_candidate_while_candidates_are_added) {
    for (unsigned seed = 1; seed <= 40; ++seed) ASSERT_NO_FATAL_FAILURE(compare(seed));
}

TEST(CandidateTrie, copies_tokens_of_candidates_and_frees_memory_when_cleared) {
    CandidateTrie trie;
    Word word;
    for (std::uint64_t i = 0; i < 5000; ++i) word.push_back({i, i * i});
    const NodeIndex node = insert(trie, 0, word);
    Word spelled;
    trie.copy_tokens(node, spelled);
    EXPECT_EQ(spelled, word);
    EXPECT_LE(trie.bytes(), CandidateTrie::bytes_bound(trie.node_count()));
    trie.clear();
    EXPECT_LE(trie.bytes(), 1024U);
    EXPECT_EQ(read(trie, word), CandidateTrie::root);
}

TEST(CandidateTrie, a_long_chain_of_fallbacks_does_not_recurse) {
    CandidateTrie trie;
    const Word word(200'000, Token{0, 1});
    insert(trie, 0, word);
    const NodeIndex node = read(trie, word);
    EXPECT_EQ(trie.depth(node), word.size());
    EXPECT_EQ(trie.depth(trie.fallback(node)), word.size() - 1);
}

}  // namespace
}  // namespace refrain::autotrace::candidate_trie_test
