#include "page/listing.hpp"

#include <gtest/gtest.h>
#include <random>

namespace refrain::page::listing_test {
namespace {

using Sequence = std::vector<std::uint32_t>;

std::string text_of(const std::vector<Fold>& folds) {
    std::string text;
    for (const Fold& part : folds) {
        if (!text.empty()) text += ' ';
        text += part.is_loop() ? std::to_string(part.times) + "(" + text_of(part.body) + ")"
                               : std::to_string(part.symbol);
    }
    return text;
}

TEST(Listing, folds_loops_and_loops_inside_them) {
    EXPECT_EQ(text_of(fold(Sequence{})), "");
    EXPECT_EQ(text_of(fold(Sequence{1, 2, 3})), "1 2 3");
    EXPECT_EQ(text_of(fold(Sequence{4, 4, 4})), "3(4)");
    EXPECT_EQ(text_of(fold(Sequence{1, 2, 2, 2, 3, 1, 2, 2, 2, 3})), "2(1 3(2) 3)");
    EXPECT_EQ(text_of(fold(Sequence{0, 1, 2, 1, 2, 1, 2, 9})), "0 3(1 2) 9");
    EXPECT_EQ(text_of(fold(Sequence{1, 2, 1, 2, 1})), "2(1 2) 1");
    EXPECT_EQ(text_of(fold(Sequence{1, 2, 2, 2, 3, 4}, 2)), "1 3(2)") << "stops after two parts";
}

TEST(Listing, unfolds_to_what_was_folded) {
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        std::mt19937_64 random(seed);
        Sequence sequence(random() % 60);
        for (std::uint32_t& symbol : sequence) symbol = static_cast<std::uint32_t>(random() % 3);
        if (seed % 2 == 0)
            for (int i = 0; i < 2; ++i)
                sequence.insert(sequence.end(), sequence.begin(), sequence.end());
        const std::vector<Fold> folds = fold(sequence);
        EXPECT_EQ(unfold(folds), sequence) << seed;
        for (const Fold& part : folds) {
            EXPECT_EQ(part.is_loop(), part.times > 1) << seed;
        }
    }
}

}  // namespace
}  // namespace refrain::page::listing_test
