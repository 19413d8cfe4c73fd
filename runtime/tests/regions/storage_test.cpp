#include "regions/storage.hpp"

#include "refrain/error.hpp"
#include "refrain/reduction.hpp"
#include "regions/region_root.hpp"

#include <array>
#include <gtest/gtest.h>
#include <span>

namespace refrain::regions::storage_test {
namespace {

TEST(Storage, is_allocated_on_first_use_and_released_by_reset) {
    data::StoragePool pool;
    const RegionRoot owner;
    Storage storage;
    storage.open(pool, owner, {{0, 0, 0}, {100, 1, 1}}, sizeof(double));
    EXPECT_EQ(storage.elements(), nullptr);
    EXPECT_EQ(pool.bytes_in_use(), 0U);
    void* elements = storage.ensure();
    EXPECT_NE(elements, nullptr);
    EXPECT_EQ(storage.ensure(), elements);
    EXPECT_GE(pool.bytes_in_use(), storage.bytes());
    storage.reset();
    EXPECT_EQ(storage.elements(), nullptr);
    EXPECT_EQ(pool.bytes_in_use(), 0U);
}

TEST(Storage, a_refusal_names_the_region) {
    data::StoragePool pool({.limit_bytes = 64});
    RegionRoot owner;
    owner.name = 4;
    owner.given_name = "y";
    Storage storage;
    storage.open(pool, owner, {{0, 0, 0}, {100, 1, 1}}, sizeof(double));
    try {
        static_cast<void>(storage.ensure());
        FAIL() << "more than the limit was allocated";
    } catch (const OutOfMemory& refusal) {
        EXPECT_EQ(refusal.region(), "region4 'y'");
    }
}

TEST(Storage, fold_adds_the_named_elements_of_a_partial_result) {
    data::StoragePool pool;
    const RegionRoot owner;
    Storage storage;
    storage.open(pool, owner, {{0, 0, 0}, {1, 2, 4}}, sizeof(int));
    const std::span<int> elements(static_cast<int*>(storage.ensure()), 8);
    for (int i = 0; i < 8; ++i) elements[static_cast<std::size_t>(i)] = i;
    const data::Box buffer{{0, 0, 1}, {1, 2, 4}};  // dense: three columns of four
    const std::array<int, 6> partial{10, 20, 30, 40, 50, 60};
    storage.fold(data::reduction_functions<Sum, int>(), partial.data(), buffer,
                 data::BoxSet(data::Box{{0, 0, 2}, {1, 2, 4}}));
    EXPECT_EQ(std::vector<int>(elements.begin(), elements.end()),
              (std::vector<int>{0, 1, 2 + 20, 3 + 30, 4, 5, 6 + 50, 7 + 60}));
    storage.reset();
}

}  // namespace
}  // namespace refrain::regions::storage_test
