#include "analysis/step_table.hpp"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <utility>

namespace refrain::analysis::step_table_test {
namespace {

using Table = StepTable<std::uint64_t>;

const std::uint64_t* look_up(const Table& table, std::uint64_t first, std::uint64_t second) {
    const std::uint64_t* value = table.find(first, second);
    return value != nullptr ? value : table.probe(first, second);
}

TEST(StepTable, finds_what_was_inserted_while_it_grows) {
    std::mt19937_64 random(5);
    Table table;
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> expected;
    for (std::uint64_t i = 0; i < 20'000; ++i) {
        const std::uint64_t first = 1 + random() % 300, second = random() % 300;
        const auto [entry, is_new] = expected.try_emplace({first, second}, i);
        const std::uint64_t* known = look_up(table, first, second);
        ASSERT_EQ(known == nullptr, is_new);
        if (is_new)
            table.insert(first, second, i);
        else
            ASSERT_EQ(*known, entry->second);
    }
    ASSERT_EQ(table.size(), expected.size());
    for (const auto& [key, value] : expected) {
        const std::uint64_t* known = look_up(table, key.first, key.second);
        ASSERT_NE(known, nullptr);
        ASSERT_EQ(*known, value);
    }
}

}  // namespace
}  // namespace refrain::analysis::step_table_test
