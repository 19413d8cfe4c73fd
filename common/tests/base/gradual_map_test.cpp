#include "base/gradual_map.hpp"

#include <gtest/gtest.h>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

namespace refrain::base::gradual_map_test {
namespace {

TEST(GradualVector, keeps_elements_where_they_are) {
    GradualVector<std::string> texts;
    std::vector<const std::string*> addresses;
    for (std::size_t i = 0; i < 5000; ++i)
        addresses.push_back(&texts.emplace_back(std::to_string(i)));
    EXPECT_EQ(texts.size(), 5000U);
    EXPECT_EQ(texts.back(), "4999");
    for (std::size_t i = 0; i < 5000; ++i) {
        ASSERT_EQ(&texts[i], addresses[i]);
        ASSERT_EQ(texts[i], std::to_string(i));
    }
    GradualVector<std::string> moved(std::move(texts));
    EXPECT_EQ(&moved[4321], addresses[4321]);
    EXPECT_EQ(texts.size(), 0U);
    texts.grow_to(70);
    EXPECT_EQ(texts[69], "");
}

/// With few hash values, so that buckets are long.
struct CoarseHash {
    std::uint64_t operator()(std::uint64_t key) const { return key % 37; }
};

template <class Hash>
void expect_like_a_standard_map() {
    std::mt19937_64 random(3);
    GradualMap<std::uint64_t, std::uint64_t, Hash> map;
    std::unordered_map<std::uint64_t, std::uint64_t> expected;
    EXPECT_EQ(map.find(1), nullptr);
    for (std::uint64_t i = 0; i < 3000; ++i) {
        const std::uint64_t key = random() % 2000;
        const auto [value, is_new] = map.try_emplace(key, i);
        ASSERT_EQ(is_new, expected.try_emplace(key, i).second);
        ASSERT_EQ(value, expected.at(key));
    }
    EXPECT_EQ(map.size(), expected.size());
    for (std::uint64_t key = 0; key < 2000; ++key) {
        const auto known = expected.find(key);
        const std::uint64_t* found = map.find(key);
        ASSERT_EQ(found != nullptr, known != expected.end());
        if (found != nullptr) {
            ASSERT_EQ(*found, known->second);
        }
    }
}

TEST(GradualMap, finds_what_a_standard_map_finds) {
    expect_like_a_standard_map<MixedHash<std::uint64_t>>();
    expect_like_a_standard_map<CoarseHash>();
}

TEST(GradualMap, keeps_several_values_of_a_key) {
    GradualMap<std::uint64_t, int> map;
    for (int i = 0; i < 500; ++i) map.add(static_cast<std::uint64_t>(i % 5), i);
    EXPECT_EQ(map.size(), 500U);
    EXPECT_EQ(*map.find_if(3, [](int value) { return value == 488; }), 488);
    EXPECT_EQ(map.find_if(3, [](int value) { return value == 489; }), nullptr);
}

}  // namespace
}  // namespace refrain::base::gradual_map_test
