#include "analysis/pattern_table.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <set>

namespace refrain::analysis::pattern_table_test {
namespace {

using Pair = PatternTable::Pair;
using Pairs = std::set<Pair>;

Pairs random_pairs(std::mt19937_64& random) {
    Pairs pairs;
    for (std::uint32_t s = 0; s < 4; ++s)
        for (std::uint32_t t = 0; t < 5; ++t)
            if (random() % 3 == 0) pairs.insert({s, t});
    return pairs;
}
PatternId intern(PatternTable& table, const Pairs& pairs) {
    return table.intern(4, 5, {pairs.begin(), pairs.end()});
}

TEST(PatternTable, equal_edges_get_one_id_in_any_order) {
    PatternTable table;
    const PatternId id = table.intern(3, 3, {{0, 1}, {2, 0}});
    EXPECT_EQ(table.intern(3, 3, {{2, 0}, {0, 1}, {2, 0}}), id);
    EXPECT_NE(table.intern(4, 3, {{0, 1}, {2, 0}}), id) << "a launch of another size";
    EXPECT_EQ(table.intern(3, 3, {}), PatternId::none);
}

TEST(PatternTable, unions_and_differences_equal_those_of_edge_sets) {
    PatternTable table;
    std::mt19937_64 random(4);
    for (int round = 0; round < 2000; ++round) {
        const Pairs a = random_pairs(random);
        const Pairs b = random_pairs(random);
        Pairs both = a;
        both.insert(b.begin(), b.end());
        Pairs left;
        std::set_difference(a.begin(), a.end(), b.begin(), b.end(),
                            std::inserter(left, left.end()));
        const PatternId x = intern(table, a);
        const PatternId y = intern(table, b);
        EXPECT_EQ(table.unite(x, y), intern(table, both));
        EXPECT_EQ(table.unite(y, x), intern(table, both));
        EXPECT_EQ(table.minus(x, y), intern(table, left));
    }
}

TEST(PatternTable, a_complete_pattern_has_every_edge) {
    PatternTable table;
    const PatternId id = table.complete(3, 2);
    EXPECT_EQ(table.get(id).pairs().size(), 6U);
    EXPECT_EQ(table.complete(3, 2), id);
    EXPECT_NE(table.complete(2, 3), id);
}

TEST(PatternTable, repeated_operations_add_no_pattern) {
    PatternTable table;
    const PatternId a = table.intern(2, 2, {{0, 0}});
    const PatternId b = table.intern(2, 2, {{1, 1}});
    (void)table.unite(a, b);
    (void)table.minus(table.unite(a, b), b);
    const std::size_t size = table.size();
    const std::size_t bytes = table.bytes();
    for (int i = 0; i < 10; ++i) {
        (void)table.unite(a, b);
        (void)table.minus(table.unite(a, b), b);
    }
    EXPECT_EQ(table.size(), size);
    EXPECT_EQ(table.bytes(), bytes);
}

}  // namespace
}  // namespace refrain::analysis::pattern_table_test
