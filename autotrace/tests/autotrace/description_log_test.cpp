#include "autotrace/description_log.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace refrain::autotrace::detail::description_log_test {
namespace {

using Words = std::vector<std::uint64_t>;

TEST(DescriptionLog, distinguishes_equal_from_different_descriptions) {
    Descriptions ring;
    DescriptionLog log(ring, 4, 8);
    log.write(0, Words{1, 2, 3});
    EXPECT_TRUE(log.equals(0, Words{1, 2, 3}));
    EXPECT_FALSE(log.equals(0, Words{1, 2, 4}));
    EXPECT_FALSE(log.equals(0, Words{1, 2})) << "a prefix";
    EXPECT_FALSE(log.equals(0, Words{1, 2, 3, 0})) << "an extension";
    log.write(1, Words{});
    EXPECT_TRUE(log.equals(1, Words{}));
    EXPECT_FALSE(log.equals(1, Words{0}));
    log.write(2, Words{1, 2, 3});
    EXPECT_TRUE(log.equal(0, 2));
    EXPECT_FALSE(log.equal(0, 1));
}

TEST(DescriptionLog, a_repeat_has_the_description_of_the_repeated_operation) {
    Descriptions ring;
    DescriptionLog log(ring, 4, 8);
    log.write(0, Words{1, 2});
    log.write(1, Words{3});
    log.repeat(2, 0);
    EXPECT_TRUE(log.equals(2, Words{1, 2}));
    EXPECT_TRUE(log.equal(2, 0));
    EXPECT_FALSE(log.equal(2, 1));
}

TEST(DescriptionLog, a_skipped_operation_equals_no_other_and_not_itself) {
    Descriptions ring;
    DescriptionLog log(ring, 4, 8);
    log.skip(0);
    log.skip(1);
    EXPECT_FALSE(log.equals(0, Words{}));
    EXPECT_FALSE(log.equal(0, 1));
    EXPECT_FALSE(log.equal(0, 0));
}

TEST(DescriptionLog, a_description_above_an_eighth_of_the_ring_is_not_kept) {
    Descriptions ring;
    DescriptionLog log(ring, 4, 8);
    log.write(0, Words(31, 7));
    log.write(1, Words(32, 7));
    EXPECT_TRUE(log.equals(0, Words(31, 7)));
    EXPECT_FALSE(log.equals(1, Words(32, 7)));
}

TEST(DescriptionLog, an_overwritten_description_is_forgotten) {
    Descriptions ring;
    DescriptionLog log(ring, 10, 6);  // 64 words
    log.write(0, Words{1});
    for (std::uint64_t position = 1; position < 32; ++position) {
        EXPECT_TRUE(log.equals(0, Words{1})) << position;
        log.write(position, Words{position + 1});
    }
    log.write(32, Words{1});
    EXPECT_FALSE(log.equals(0, Words{1}));
    EXPECT_FALSE(log.equal(0, 32));
    EXPECT_FALSE(log.equal(32, 0));
}

TEST(DescriptionLog, a_description_that_is_repeated_often_is_never_forgotten) {
    Descriptions ring;
    DescriptionLog log(ring, 4, 6);
    const Words often{1, 2, 3};
    log.write(0, often);
    std::uint64_t last = 0;
    for (std::uint64_t position = 1; position < 1000; ++position) {
        if (position % 4 != 0) {
            log.write(position, Words{position + 100, position});
            continue;
        }
        ASSERT_TRUE(log.equals(last, often)) << position;
        log.repeat(position, last);
        last = position;
    }
}

TEST(DescriptionLog, a_loop_writes_its_descriptions_once) {
    Descriptions ring;
    DescriptionLog log(ring, 4, 10);
    for (std::uint64_t position = 0; position < 100'000; ++position) {
        const Words words{position % 10, 5};
        position < 10 ? log.write(position, words) : log.repeat(position, position - 10);
    }
    EXPECT_EQ(log.used_bytes(100'000), (16 + 10 * 3) * sizeof(std::uint64_t));
    EXPECT_EQ(log.memory_bytes(), (16 + 1024) * sizeof(std::uint64_t));
}

TEST(DescriptionLog, after_a_comparison_the_older_operation_is_kept_as_long_as_the_younger) {
    Descriptions ring;
    DescriptionLog log(ring, 10, 6);
    log.write(0, Words{1});
    for (std::uint64_t position = 1; position < 20; ++position)
        log.write(position, Words{position + 1});
    log.write(20, Words{1});
    ASSERT_TRUE(log.equal(0, 20));
    for (std::uint64_t position = 21; position < 40; ++position)
        log.write(position, Words{position + 1});
    EXPECT_TRUE(log.equals(0, Words{1}));
    EXPECT_TRUE(log.equal(0, 20));
}

/// Compares with a log of all descriptions: no false positive, and equal descriptions count as
/// different only if one of them may have been overwritten.
TEST(DescriptionLog, agrees_with_an_unbounded_log) {
    for (unsigned seed = 1; seed <= 50; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        constexpr std::uint64_t operations = 16;
        Descriptions ring;
        DescriptionLog log(ring, 4, 6 + seed % 3);
        std::vector<Words> all;
        std::size_t found = 0;
        for (std::uint64_t position = 0; position < 2000; ++position) {
            Words words(random() % 4);
            for (std::uint64_t& word : words) word = random() % 2;
            const std::uint64_t age = 1 + random() % (operations - 1);
            if (random() % 8 == 0) {
                log.skip(position);
                all.push_back({~std::uint64_t{0}, position});
                continue;
            }
            if (age <= position && log.equals(position - age, words)) {
                ASSERT_EQ(all[position - age], words);
                log.repeat(position, position - age);
                ++found;
            } else {
                log.write(position, words);
            }
            all.push_back(words);
            const std::uint64_t other = position - std::min(position, random() % operations);
            const std::uint64_t another = position - std::min(position, random() % operations);
            if (log.equal(other, another)) {
                ASSERT_EQ(all[other], all[another]);
            }
            ASSERT_TRUE(log.equals(position, words));
        }
        EXPECT_GT(found, 50u);
    }
}

}  // namespace
}  // namespace refrain::autotrace::detail::description_log_test
