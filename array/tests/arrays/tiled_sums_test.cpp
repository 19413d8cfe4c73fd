#include "refrain/array/array.hpp"

#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <vector>

#include "kernels/kernels.hpp"

namespace refrain::array::tiled_sums_test {

template <class T>
T sum_in_one_piece(std::vector<T>& elements) {
    T total{};
    const Extent shape[] = {static_cast<Extent>(elements.size())};
    const Extent step[] = {static_cast<Extent>(sizeof(T))};
    const Extent none[] = {0};
    const DType type = dtype_of<T>();
    (void)kernels::run_reduction(Ufunc::add, {{type, type}, type}, shape,
                                 {reinterpret_cast<std::byte*>(elements.data()), step, type},
                                 {reinterpret_cast<std::byte*>(&total), none, type});
    return total;
}

template <class T>
void check(unsigned workers, Extent count) {
    Options options;
    options.workers = workers;
    options.observe.log = LogLevel::off;
    Machine machine(options, Tuning{4096, 1 << 16, 5});
    std::mt19937_64 random(static_cast<std::uint64_t>(count));
    std::vector<T> elements(static_cast<std::size_t>(count));
    for (T& element : elements)
        element = static_cast<T>(std::normal_distribution<double>(0.0, 1e3)(random));
    const T expected = sum_in_one_piece(elements);
    const Array array = machine.copy_of(elements.data(), Layout::row_major({count}), dtype_of<T>());
    const Array sum = machine.reduce(Ufunc::add, array);
    EXPECT_EQ(sum.rank(), 0);
    const T seen = machine.item(sum).template as<T>();
    EXPECT_EQ(std::memcmp(&seen, &expected, sizeof(T)), 0)
        << count << " elements, " << workers << " workers: " << seen << ", not " << expected;
    EXPECT_GT(machine.counts().operations, 0u);
}

TEST(TiledSums, have_the_bits_of_a_sum_in_one_piece) {
    for (const unsigned workers : {1u, 2u, 4u}) {
        for (const Extent count : {131072, 131073, 200000, 262144 + 8191, 300001}) {
            check<double>(workers, count);
            check<float>(workers, count);
        }
    }
}

TEST(TiledSums, of_columns_add_in_the_order_of_memory) {
    Options options;
    options.workers = 2;
    Machine machine(options);
    std::vector<double> elements(400 * 500);
    std::mt19937_64 random(7);
    for (double& element : elements) element = std::normal_distribution<double>()(random);
    const double expected = sum_in_one_piece(elements);
    const Array array =
        machine.copy_of(elements.data(), Layout::row_major({400, 500}), DType::float64);
    ReduceOptions keep;
    keep.keepdims = true;
    const Array sum = machine.reduce(Ufunc::add, array.view(array.layout().transposed()), keep);
    EXPECT_EQ(sum.shape(), (Extents{1, 1}));
    EXPECT_EQ(machine.item(sum).as<double>(), expected);
}

}  // namespace refrain::array::tiled_sums_test
