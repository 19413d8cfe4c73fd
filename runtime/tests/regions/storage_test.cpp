#include "regions/storage.hpp"

#include "refrain/error.hpp"
#include "refrain/reduction.hpp"
#include "regions/owner.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <numeric>
#include <span>
#include <thread>
#include <vector>

namespace refrain::regions::storage_test {
namespace {

TEST(Storage, is_allocated_on_first_use_and_released_by_reset) {
    data::StoragePool pool;
    const Owner owner(pool);
    Storage storage;
    storage.open(owner, data::Box{{0, 0, 0}, {100, 1, 1}}, sizeof(double));
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
    Owner owner(pool);
    owner.name = 4;
    owner.given_name = "y";
    Storage storage;
    storage.open(owner, data::Box{{0, 0, 0}, {100, 1, 1}}, sizeof(double));
    try {
        static_cast<void>(storage.ensure());
        FAIL() << "more than the limit was allocated";
    } catch (const OutOfMemory& refusal) {
        EXPECT_EQ(refusal.region(), "region4 'y'");
    }
}

TEST(Storage, fold_adds_the_named_elements_of_a_partial_result) {
    data::StoragePool pool;
    const Owner owner(pool);
    Storage storage;
    storage.open(owner, data::Box{{0, 0, 0}, {1, 2, 4}}, sizeof(int));
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

int folds = 0;

/// Sums, and counts its calls.
constexpr data::ReductionFunctions counted_sum{
    .name = "counted",
    .initialise = nullptr,
    .fold =
        [](void* into, const void* from, std::size_t count) {
            ++folds;
            for (std::size_t i = 0; i < count; ++i)
                static_cast<int*>(into)[i] += static_cast<const int*>(from)[i];
        },
    .element_bytes = sizeof(int)};

TEST(Storage, fold_of_contiguous_elements_takes_a_call_per_stretch_not_per_element) {
    constexpr int n = 100'000;
    data::StoragePool pool;
    const Owner owner(pool);
    Storage storage;
    const data::Box line{{0, 0, 0}, {n, 1, 1}};
    storage.open(owner, line, sizeof(int));
    const std::span<int> elements(static_cast<int*>(storage.ensure()), n);
    std::iota(elements.begin(), elements.end(), 0);
    const std::vector<int> partial(n, 7);
    folds = 0;
    storage.fold(counted_sum, partial.data(), line, data::BoxSet(line));
    EXPECT_LE(folds, 16);
    for (int i = 0; i < n; ++i) ASSERT_EQ(elements[static_cast<std::size_t>(i)], i + 7);
    storage.reset();
}

std::atomic<bool> other_has_folded = false;
bool waited_in_vain = false;

/// Value 1 waits until value 2 has been folded.
constexpr data::ReductionFunctions waiting_sum{
    .name = "waiting",
    .initialise = nullptr,
    .fold =
        [](void* into, const void* from, std::size_t) {
            const int value = *static_cast<const int*>(from);
            *static_cast<int*>(into) += value;
            if (value == 2) other_has_folded = true;
            const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
            while (value == 1 && !other_has_folded && !waited_in_vain)
                waited_in_vain = std::chrono::steady_clock::now() > end;
        },
    .element_bytes = sizeof(int)};

TEST(Storage, folds_of_distant_elements_do_not_wait_for_one_another) {
    constexpr int n = 1 << 16;
    data::StoragePool pool;
    const Owner owner(pool);
    Storage storage;
    storage.open(owner, data::Box{{0, 0, 0}, {n, 1, 1}}, sizeof(int));
    *static_cast<int*>(storage.ensure()) = 0;
    static_cast<int*>(storage.ensure())[n / 2] = 0;
    const auto fold_at = [&](int element, int value) {
        const data::Box one{{element, 0, 0}, {element + 1, 1, 1}};
        storage.fold(waiting_sum, &value, one, data::BoxSet(one));
    };
    std::thread slow([&] { fold_at(0, 1); });
    fold_at(n / 2, 2);
    slow.join();
    EXPECT_FALSE(waited_in_vain);
    EXPECT_EQ(static_cast<int*>(storage.ensure())[0], 1);
    EXPECT_EQ(static_cast<int*>(storage.ensure())[n / 2], 2);
    storage.reset();
}

}  // namespace
}  // namespace refrain::regions::storage_test
