#include "refrain/array/linalg.hpp"

#include "refrain/array/operators.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace refrain::array::linalg_test {

class Linalg : public testing::Test {
  protected:
    explicit Linalg(const Tuning& tuning = {}) : machine(options(), tuning) {}
    static Options options() {
        Options made;
        made.workers = 2;
        made.observe.log = LogLevel::off;
        return made;
    }
    Array numbers(const Extents& shape) {
        const Extent count = Layout::row_major(shape).size();
        return machine.arange(Scalar::of(0.0), Scalar::of(1.0), count)
            .view(Layout::row_major(shape));
    }
    std::vector<double> values(const Array& array) {
        std::vector<double> result(static_cast<std::size_t>(array.size()));
        machine.copy_to(array, result.data());
        return result;
    }
    Array solve(const Array& a, const Array& b) {
        const Array inputs[] = {a, b};
        return linalg::call(linalg::Routine::solve1, inputs).front();
    }
    using List = std::vector<double>;

    Machine machine;
};

/// Every operation is a task.
class LinalgTasks : public Linalg {
  protected:
    LinalgTasks() : Linalg({.at_once_bytes = 0}) {}
};

TEST_F(Linalg, products_are_those_of_matrices_vectors_and_stacks) {
    const Array a = numbers({2, 3});
    EXPECT_EQ(values(linalg::product(a, a.view(a.layout().transposed()))), (List{5, 14, 14, 50}));
    const Array v = numbers({3});
    EXPECT_EQ(values(linalg::product(a, v)), (List{5, 14}));
    EXPECT_EQ(values(linalg::product(v, a.view(a.layout().transposed()))), (List{5, 14}));
    EXPECT_EQ(values(linalg::inner(v, v)), (List{5}));
    EXPECT_EQ(linalg::product(numbers({4, 2, 3}), numbers({3, 5})).shape(), (Extents{4, 2, 5}));
    EXPECT_EQ(values(linalg::product(numbers({2, 0}), numbers({0, 2}))), (List{0, 0, 0, 0}));
}

TEST_F(Linalg, shapes_that_do_not_fit_are_refused_at_once) {
    EXPECT_THROW(static_cast<void>(linalg::product(numbers({2, 3}), numbers({2, 3}))), ArrayError);
    EXPECT_THROW(static_cast<void>(linalg::inner(numbers({2}), numbers({3}))), ArrayError);
    EXPECT_THROW(static_cast<void>(solve(numbers({2, 3}), numbers({2}))), ArrayError);
    EXPECT_EQ(linalg::routine_named("no such routine"), std::nullopt);
}

TEST_F(Linalg, a_system_is_solved) {
    const Array a = machine.zeros({2, 2}, DType::float64);
    a[{0, 0}] = 2.0;
    a[{0, 1}] = 1.0;
    a[{1, 1}] = 4.0;
    const Array b = machine.full({2}, Scalar::of(8.0));
    EXPECT_EQ(values(solve(a, b)), (List{3, 2}));
}

TEST_F(Linalg, a_singular_matrix_that_is_computed_at_once_raises_at_once) {
    try {
        static_cast<void>(solve(machine.zeros({2, 2}, DType::float64), numbers({2})));
        FAIL();
    } catch (const ArrayError& error) {
        EXPECT_EQ(error.kind(), ErrorKind::linear_algebra);
        EXPECT_EQ(error.what(), std::string("Singular matrix"));
    }
}

TEST_F(LinalgTasks, a_singular_matrix_of_a_task_raises_at_the_wait) {
    const Array x = solve(machine.zeros({2, 2}, DType::float64), numbers({2}));
    EXPECT_THROW(static_cast<void>(values(x)), TaskError);
}

TEST_F(LinalgTasks, products_of_parts_of_one_array_are_tasks_on_it) {
    const Array a = numbers({4, 4});
    const Array product =
        linalg::product(a[{Slice(0, 2), Slice(1, 3)}], a[{Slice(2, 4), Slice(0, 2)}]);
    a[{Slice(), Slice()}] = 0.0;  // after the product
    EXPECT_EQ(values(product), (List{32, 35, 112, 123}));
}

TEST_F(LinalgTasks, tiles_of_a_large_product_are_one_launch) {
    const Array a = machine.full({512, 256}, Scalar::of(1.0));
    const Array b = machine.full({256, 300}, Scalar::of(2.0));
    const std::uint64_t before = machine.counts().operations;
    const Array c = linalg::product(a, b);
    EXPECT_EQ(machine.counts().operations, before + 1);
    EXPECT_EQ(machine.item(sum(c)).as<double>(), 512.0 * 300 * 512);
}

TEST_F(LinalgTasks, long_inner_products_are_sums_of_parts) {
    const Array v = machine.full({300000}, Scalar::of(2.0));
    EXPECT_EQ(machine.item(linalg::inner(v, v)).as<double>(), 1200000.0);
}

}  // namespace refrain::array::linalg_test
