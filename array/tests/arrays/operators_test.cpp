#include "refrain/array/operators.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace refrain::array::operators_test {

class Operators : public testing::Test {
  protected:
    Operators() : machine(options()) {}
    static Options options() {
        Options made;
        made.workers = 1;
        made.observe.log = LogLevel::off;
        return made;
    }
    Array numbers(Extent count) { return machine.arange(Scalar::of(0.0), Scalar::of(1.0), count); }
    std::vector<double> values(const Array& array) {
        std::vector<double> result(static_cast<std::size_t>(array.size()));
        machine.copy_to(array, result.data());
        return result;
    }
    using List = std::vector<double>;

    Machine machine;
};

TEST_F(Operators, compute_with_arrays_and_numbers_on_either_side) {
    const Array a = numbers(4);
    EXPECT_EQ(values(a + a), (List{0, 2, 4, 6}));
    EXPECT_EQ(values(1.0 - a), (List{1, 0, -1, -2}));
    EXPECT_EQ(values(a * 2 - 1), (List{-1, 1, 3, 5}));
    EXPECT_EQ(values(-a / 2.0), (List{-0.0, -0.5, -1, -1.5}));
    EXPECT_EQ(machine.item(sum(a)).as<double>(), 6.0);
    EXPECT_EQ(machine.item(mean(a)).as<double>(), 1.5);
    EXPECT_EQ((a < 2.0).dtype(), DType::boolean);
    EXPECT_EQ(values(where(a < 2.0, a, -1.0)), (List{0, 1, -1, -1}));
    EXPECT_EQ(values(maximum(sqrt(square(a)), 1.5)), (List{1.5, 1.5, 2, 3}));
}

TEST_F(Operators, slice_as_python_does) {
    const Array a = numbers(6);
    EXPECT_EQ(values(a[{Slice(1, -1)}]), (List{1, 2, 3, 4}));
    EXPECT_EQ(values(a[{Slice::from(-2)}]), (List{4, 5}));
    EXPECT_EQ(values(a[{Slice::to(2)}]), (List{0, 1}));
    EXPECT_EQ(values(a[{Slice::every(2)}]), (List{0, 2, 4}));
    EXPECT_EQ(values(a[{Slice::reversed()}]), (List{5, 4, 3, 2, 1, 0}));
    EXPECT_EQ(values(a[{Slice(4, 1, -2)}]), (List{4, 2}));
    EXPECT_EQ(values(a[{Slice(4, 100)}]), (List{4, 5}));
    EXPECT_EQ(values(a[{Slice(4, 2)}]), List{});
    EXPECT_EQ(a[{-1}].rank(), 0);
    EXPECT_EQ(machine.item(a[{-1}]).as<double>(), 5.0);
    const Array b = machine.zeros({2, 3}, DType::float64);
    EXPECT_EQ((b[{Slice(), Key::new_axis(), 1}].shape()), (Extents{2, 1}));
}

TEST_F(Operators, assign_to_what_a_slice_selects) {
    const Array a = machine.zeros({2, 3}, DType::float64);
    a[{0}] = 1.0;
    a[{Slice(), 2}] = numbers(2);
    a[{1, Slice::to(2)}] += 5.0;
    EXPECT_EQ(values(a), (List{1, 1, 0, 5, 5, 1}));
    a[{0}] = a[{1}];
    EXPECT_EQ(values(a), (List{5, 5, 1, 5, 5, 1}));
}

TEST_F(Operators, say_which_index_is_out_of_bounds) {
    const Array a = machine.zeros({2, 3}, DType::float64);
    const auto message = [&](std::initializer_list<Key> keys) -> std::string {
        try {
            (void)a[keys];
        } catch (const ArrayError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(message({0, 3}), "index 3 is out of bounds for axis 1 with size 3");
    EXPECT_EQ(message({-3}), "index -3 is out of bounds for axis 0 with size 2");
    EXPECT_EQ(message({0, 0, 0}),
              "too many indices for array: array is 2-dimensional, but 3 were indexed");
    EXPECT_EQ(message({Slice(0, 2, 0)}), "slice step cannot be zero");
}

}  // namespace refrain::array::operators_test
