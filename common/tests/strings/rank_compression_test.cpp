#include "strings/rank_compression.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <set>

namespace refrain::strings::rank_compression_test {
namespace {

std::vector<Symbol> ranks_by_set(const std::vector<std::uint64_t>& values) {
    const std::set<std::uint64_t> distinct(values.begin(), values.end());
    std::vector<Symbol> ranks;
    for (const std::uint64_t value : values) {
        ranks.push_back(static_cast<Symbol>(std::distance(distinct.begin(), distinct.find(value))));
    }
    return ranks;
}

TEST(RankCompression, of_the_example) {
    RankCompressor compressor;
    const std::vector<std::uint64_t> values{70, 10, 70, 42};
    EXPECT_TRUE(std::ranges::equal(compressor.compress(values), std::vector<Symbol>{2, 0, 2, 1}));
    EXPECT_EQ(compressor.distinct(), 3u);
}

TEST(RankCompression, of_an_empty_sequence_is_empty) {
    RankCompressor compressor;
    EXPECT_TRUE(compressor.compress(std::span<const std::uint64_t>()).empty());
    EXPECT_EQ(compressor.distinct(), 0u);
}

TEST(RankCompression, agrees_with_a_set_whichever_bytes_differ) {
    RankCompressor compressor;
    std::mt19937_64 generator(1);
    for (const std::uint64_t mask :
         {std::uint64_t{0}, std::uint64_t{0xff}, std::uint64_t{0xff00}, std::uint64_t{0xff} << 56,
          std::uint64_t{0x8000000000000001}, ~std::uint64_t{0}}) {
        std::vector<std::uint64_t> values(1'000);
        for (std::uint64_t& value : values) value = (generator() & mask) + 7;
        EXPECT_TRUE(std::ranges::equal(compressor.compress(values), ranks_by_set(values)))
            << "mask " << mask;
        EXPECT_EQ(compressor.distinct(),
                  std::set<std::uint64_t>(values.begin(), values.end()).size());
    }
}

TEST(RankCompression, of_32_bit_values_equals_that_of_64_bit_values) {
    RankCompressor compressor;
    std::mt19937 generator(2);
    std::vector<std::uint32_t> narrow(1'000);
    for (std::uint32_t& value : narrow) value = static_cast<std::uint32_t>(generator());
    const std::vector<std::uint64_t> wide(narrow.begin(), narrow.end());
    EXPECT_TRUE(std::ranges::equal(compressor.compress(narrow), ranks_by_set(wide)));
}

}  // namespace
}  // namespace refrain::strings::rank_compression_test
