#include "refrain/array/operators.hpp"
#include "refrain/array/task.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace refrain::array::extremes_test {

/// Around the lengths of registers and of blocks of them.
constexpr Extent lengths[] = {1, 7, 8, 31, 32, 33, 63, 64, 65, 127, 129, 255, 257, 1000};

template <class T>
Array array_of(Machine& machine, const std::vector<T>& values) {
    return machine.copy_of(values.data(), Layout::row_major({static_cast<Extent>(values.size())}),
                           dtype_of<T>());
}

TEST(Extremes, lie_where_they_first_occur_and_a_nan_wins) {
    Options options;
    options.workers = 1;
    Machine machine(options);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const Extent n : lengths) {
        for (Extent at = 0; at < n; at += 1 + n / 9) {
            std::vector<double> values(static_cast<std::size_t>(n));
            for (std::size_t i = 0; i < values.size(); ++i)
                values[i] = static_cast<double>(i * 7919 % 101);
            values[static_cast<std::size_t>(at)] = 101;
            values.back() = 101;
            const Array array = array_of(machine, values);
            EXPECT_EQ(machine.item(machine.index_of_extreme(true, array)).as<std::int64_t>(), at);
            EXPECT_EQ(machine.item(max(array)).as<double>(), 101);
            values[static_cast<std::size_t>(at)] = nan;
            const Array with_nan = array_of(machine, values);
            EXPECT_EQ(machine.item(machine.index_of_extreme(true, with_nan)).as<std::int64_t>(),
                      at);
            EXPECT_EQ(machine.item(machine.index_of_extreme(false, with_nan)).as<std::int64_t>(),
                      at);
            EXPECT_TRUE(std::isnan(machine.item(max(with_nan)).as<double>()));
            EXPECT_TRUE(std::isnan(machine.item(min(with_nan)).as<double>()));
        }
    }
}

TEST(Extremes, places_of_true_elements_are_all_there_and_no_other_is_written) {
    Options options;
    options.workers = 1;
    Machine machine(options);
    for (const Extent n : lengths) {
        for (const Extent every : {1, 3, 40}) {
            std::vector<std::uint8_t> mask(static_cast<std::size_t>(n));
            std::vector<std::int64_t> expected;
            for (Extent i = 0; i < n; i += every) {
                mask[static_cast<std::size_t>(i)] = 1;
                expected.push_back(i);
            }
            const Array truths =
                machine.copy_of(mask.data(), Layout::row_major({n}), DType::boolean);
            const auto count = static_cast<Extent>(expected.size());
            const Array room = machine.full({count + 1}, Scalar::of(std::int64_t{-1}));
            const Array places[] = {room[{Slice::to(count)}].view(Layout::row_major({count, 1}))};
            machine.run(*task_named("nonzero"), places, {&truths, 1});
            expected.push_back(-1);
            std::vector<std::int64_t> got(expected.size());
            machine.copy_to(room, got.data());
            EXPECT_EQ(got, expected);
        }
    }
}

}  // namespace refrain::array::extremes_test
