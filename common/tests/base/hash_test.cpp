#include "base/hash.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace refrain::base::hash_test {
namespace {

using Words = std::vector<std::uint64_t>;

Hash128 hash_of(const Words& words, std::uint64_t seed = 0) {
    Hasher hasher(seed);
    for (const std::uint64_t word : words) hasher.add(word);
    return hasher.finish();
}

/// Pairs of equal hashes among the lowest `bits` bits of different sequences.
std::size_t collisions(const std::vector<Words>& sequences, unsigned bits, unsigned from = 0) {
    std::vector<std::uint64_t> hashes;
    for (const Words& words : sequences) {
        const Hash128 hash = hash_of(words);
        const std::uint64_t half = from < 64 ? hash.low >> from : hash.high >> (from - 64);
        hashes.push_back(bits == 64 ? half : half & ((std::uint64_t{1} << bits) - 1));
    }
    std::sort(hashes.begin(), hashes.end());
    std::size_t equal = 0;
    for (std::size_t i = 1; i < hashes.size(); ++i) equal += hashes[i] == hashes[i - 1] ? 1 : 0;
    return equal;
}

/// All sequences of up to three small words, like the ids, distances and counts of a program.
std::vector<Words> small_sequences() {
    std::vector<Words> sequences{{}};
    for (std::uint64_t a = 0; a < 60; ++a) {
        sequences.push_back({a});
        for (std::uint64_t b = 0; b < 60; ++b) {
            sequences.push_back({a, b});
            for (std::uint64_t c = 0; c < 60; ++c) sequences.push_back({a, b, c});
        }
    }
    return sequences;
}

TEST(Hasher, equal_sequences_hash_equally_and_order_and_length_matter) {
    EXPECT_EQ(hash_of({1, 2, 3}), hash_of({1, 2, 3}));
    EXPECT_NE(hash_of({1, 2, 3}), hash_of({3, 2, 1}));
    EXPECT_NE(hash_of({1, 2}), hash_of({2, 1}));
    EXPECT_NE(hash_of({1}), hash_of({1, 0}));
    EXPECT_NE(hash_of({}), hash_of({0}));
    EXPECT_NE(hash_of({1, 2, 3}, 1), hash_of({1, 2, 3}, 2));
}

TEST(Hasher, small_sequences_do_not_collide_in_either_half) {
    const std::vector<Words> sequences = small_sequences();
    EXPECT_EQ(collisions(sequences, 64), 0U);
    EXPECT_EQ(collisions(sequences, 64, 64), 0U);
}

TEST(Hasher, every_window_of_32_bits_collides_no_more_than_random_bits) {
    const std::vector<Words> sequences = small_sequences();
    const double n = static_cast<double>(sequences.size());
    const double expected = n * n / 2 / 4294967296.0;  // about 5.7
    for (const unsigned from : {0U, 16U, 32U, 64U, 80U, 96U}) {
        EXPECT_LE(static_cast<double>(collisions(sequences, 32, from)), 3 * expected + 6) << from;
    }
}

TEST(Hasher, pairs_of_flipped_bits_in_long_sequences_do_not_cancel) {
    std::mt19937_64 random(3);
    Words base(8);
    for (std::uint64_t& word : base) word = random();
    std::vector<Words> sequences{base};
    for (unsigned first = 0; first < 512; ++first) {
        for (unsigned second = first + 1; second < 512; ++second) {
            Words flipped = base;
            flipped[first / 64] ^= std::uint64_t{1} << (first % 64);
            flipped[second / 64] ^= std::uint64_t{1} << (second % 64);
            sequences.push_back(flipped);
        }
    }
    EXPECT_EQ(collisions(sequences, 64), 0U);
    EXPECT_EQ(collisions(sequences, 64, 64), 0U);
}

TEST(Hasher, each_input_bit_flips_each_output_bit_half_of_the_time) {
    std::mt19937_64 random(7);
    const int trials = 400;
    for (const std::size_t words : {1U, 2U, 4U, 5U}) {
        for (unsigned bit = 0; bit < 64 * words; ++bit) {
            int flips = 0;
            for (int trial = 0; trial < trials; ++trial) {
                Words input(words);
                for (std::uint64_t& word : input) word = random();
                const Hash128 before = hash_of(input);
                input[bit / 64] ^= std::uint64_t{1} << (bit % 64);
                const Hash128 after = hash_of(input);
                flips +=
                    std::popcount(before.low ^ after.low) + std::popcount(before.high ^ after.high);
            }
            const double mean = static_cast<double>(flips) / trials;
            EXPECT_NEAR(mean, 64.0, 3.0) << words << " words, bit " << bit;
        }
    }
}

TEST(Hash128, truncation_keeps_the_low_bits) {
    constexpr Hash128 hash{~std::uint64_t{0}, ~std::uint64_t{0}};
    static_assert(hash.truncated(128) == hash);
    static_assert(hash.truncated(0) == Hash128{});
    EXPECT_EQ(hash.truncated(4), (Hash128{15, 0}));
    EXPECT_EQ(hash.truncated(64), (Hash128{~std::uint64_t{0}, 0}));
    EXPECT_EQ(hash.truncated(65), (Hash128{~std::uint64_t{0}, 1}));
}

TEST(MixOfHashAndWord, similar_words_do_not_collide_in_either_half) {
    std::vector<std::uint64_t> low;
    std::vector<std::uint64_t> high;
    for (std::uint64_t task = 0; task < 4; ++task)
        for (std::uint64_t first = 0; first < 200; ++first)
            for (std::uint64_t second = 0; second < 200; ++second) {
                const Hash128 once = mix(hash_of({task}), first << 32 | second);
                const Hash128 twice = mix(once, second << 32 | first);
                for (const Hash128& hash : {once, twice}) {
                    low.push_back(hash.low);
                    high.push_back(hash.high);
                }
            }
    for (std::vector<std::uint64_t>* half : {&low, &high}) {
        std::sort(half->begin(), half->end());
        EXPECT_EQ(std::adjacent_find(half->begin(), half->end()), half->end());
    }
}

TEST(Mix, is_a_permutation_that_spreads_small_numbers) {
    std::vector<std::uint64_t> mixed;
    for (std::uint64_t word = 0; word < 10'000; ++word) mixed.push_back(mix(word) >> 32);
    std::sort(mixed.begin(), mixed.end());
    EXPECT_LE(std::distance(std::unique(mixed.begin(), mixed.end()), mixed.end()), 2);
}

}  // namespace
}  // namespace refrain::base::hash_test
