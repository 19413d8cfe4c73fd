#include "regions/region_table.hpp"

#include "refrain/region.hpp"

#include <gtest/gtest.h>

namespace refrain::regions::region_table_test {
namespace {

data::Box line(std::int64_t count) {
    return {{0, 0, 0}, {count, 1, 1}};
}

class RegionTables : public ::testing::Test {
  protected:
    RegionRoot* create(std::int64_t count = 8, const char* name = "") {
        return table_.create(line(count), 1, sizeof(int), name);
    }
    graph::OperationNumber next_operation_ = 1;
    data::StoragePool pool_;
    RegionTable table_{pool_, &next_operation_};
};

TEST_F(RegionTables, the_smallest_free_name_is_used_next) {
    RegionRoot* first = create();
    RegionRoot* second = create(8, "u");
    EXPECT_EQ(name_of(*first), "region0");
    EXPECT_EQ(name_of(*second), "region1 'u'");
    release(first);
    RegionRoot* third = create();
    EXPECT_EQ(name_of(*third), "region0") << "free as soon as its region is destroyed";
    EXPECT_EQ(table_.created(), 3U);
    release(second);
    release(third);
}

TEST_F(RegionTables, a_dead_region_is_recycled_when_the_operations_launched_before_have_retired) {
    RegionRoot* region = create();
    static_cast<void>(region->storage->ensure());
    next_operation_ = 5;
    release(region);
    EXPECT_EQ(table_.dead_bytes(), 8 * sizeof(int));
    table_.reclaim(4);
    EXPECT_NE(pool_.bytes_in_use(), 0U) << "operation 4 may still run";
    table_.reclaim(5);
    EXPECT_EQ(pool_.bytes_in_use(), 0U);
    EXPECT_EQ(table_.dead_bytes(), 0U);
    RegionRoot* next = create();
    EXPECT_EQ(next, region) << "the record is reused";
    EXPECT_FALSE(next->use.is_written());
    release(next);
}

TEST_F(RegionTables, equal_space_numbers_mean_equal_bounds) {
    RegionRoot* a = create(8);
    RegionRoot* b = create(9);
    RegionRoot* c = create(8);
    EXPECT_EQ(a->space, c->space);
    EXPECT_NE(a->space, b->space);
    for (RegionRoot* region : {a, b, c}) release(region);
    for (std::int64_t count = 100; count < 300; ++count) {
        RegionRoot* other = create(count);
        EXPECT_NE(other->space, a->space);
        release(other);
    }
}

TEST(RegionTable, a_region_that_outlives_its_table_keeps_bounds_and_name) {
    graph::OperationNumber next_operation = 1;
    data::StoragePool pool;
    RegionRoot* region = nullptr;
    {
        RegionTable table(pool, &next_operation);
        region = table.create(line(3), 1, sizeof(double), "x");
        static_cast<void>(region->storage->ensure());
    }
    EXPECT_EQ(pool.bytes_in_use(), 0U);
    EXPECT_EQ(region->table, nullptr);
    EXPECT_EQ(bounds_of(*region), line(3));
    EXPECT_EQ(name_of(*region), "region0 'x'");
    release(region);
}

/// Each launch writes these members, and workers read what lies beside the record. In memory that is aligned
/// to 16 bytes no line of them may reach beyond it.
TEST(RegionRoot, what_launches_write_shares_no_line_with_what_lies_beside_the_record) {
    constexpr std::size_t line = 64;
    constexpr std::size_t align = 16;
    RegionRoot root;
    const auto expect_alone = [&](const void* member, std::size_t bytes) {
        const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(member) -
                                                     reinterpret_cast<const std::byte*>(&root));
        const std::size_t latest_begin = (offset + bytes - 1) / align * align;  // of its last line
        EXPECT_GE(offset, line - align);
        EXPECT_LE(latest_begin + line, sizeof(RegionRoot));
    };
    expect_alone(&root.last, sizeof root.last);
    expect_alone(&root.last_use, sizeof root.last_use);
}

}  // namespace
}  // namespace refrain::regions::region_table_test
