#include "refrain/array/typed_task.hpp"

#include "refrain/array/operators.hpp"

#include <atomic>
#include <complex>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

#include "cut_in_four.hpp"

namespace refrain::array::typed_task_test {

using cut_in_four::four_tiles;
using cut_in_four::two_workers;

std::vector<double> values_of(Machine& machine, const Array& array) {
    std::vector<double> values(static_cast<std::size_t>(array.size()));
    machine.copy_to(array, values.data());
    return values;
}
template <class Call>
std::string error_of(const Call& call) {
    try {
        call();
    } catch (const UsageError& error) {
        return error.what();
    }
    return "nothing";
}

const TypedTask axpy("axpy(x, y, a)",
                     [](Read<double> x, ReadWrite<double> y, double a) {
                         for (const Extent i : y.indices()) y(i) += a * x(i);
                     },
                     {align("x", "y")});

class TypedTasks : public testing::TestWithParam<Tuning> {};

TEST_P(TypedTasks, see_parts_of_views_by_the_indices_of_the_whole) {
    Machine machine(two_workers(), GetParam());
    const Array x = machine.arange(Scalar::of(0.0), Scalar::of(1.0), 21);
    const Array y = machine.full({10}, Scalar::of(100.0));
    axpy(x[{Slice(20, 0, -2)}], y, 2.0);
    EXPECT_EQ(values_of(machine, y),
              (std::vector<double>{140, 136, 132, 128, 124, 120, 116, 112, 108, 104}));
}

TEST_P(TypedTasks, of_several_ranks_and_types_have_halos) {
    Machine machine(two_workers(), GetParam());
    const TypedTask columns("columns(u, v)",
                            [](Read<std::int32_t, 2> u, const Write<float, 2>& v) {
                                for (const Extent i : v.indices(0)) {
                                    for (const Extent j : v.indices(1))
                                        v(i, j) =
                                            static_cast<float>(u(std::max(i - 1, u.begin()), j) +
                                                               u(std::min(i + 1, u.end() - 1), j));
                                }
                            },
                            {bloat("v", "u", {1, 0}, {1, 0}), broadcast("v", {1})});
    std::vector<std::int32_t> elements(24);
    for (std::size_t i = 0; i < 24; ++i) elements[i] = static_cast<std::int32_t>(i);
    const Array u = machine.copy_of(elements.data(), Layout::row_major({8, 3}), DType::int32);
    const Array v = machine.empty({8, 3}, DType::float32, true);
    columns(u, v);
    std::vector<float> got(24);
    machine.copy_to(v, got.data());
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 3; ++j)
            EXPECT_EQ(got[static_cast<std::size_t>(3 * i + j)],
                      static_cast<float>(3 * (std::max(i - 1, 0) + std::min(i + 1, 7)) + 2 * j));
}

TEST_P(TypedTasks, fold_into_what_they_reduce) {
    Machine machine(two_workers(), GetParam());
    const TypedTask count("count(keys, counts, most, product)",
                          [](Read<std::int64_t> keys, Reduce<double> counts,
                             Reduce<std::int64_t, 0, Ufunc::maximum> most,
                             Reduce<std::complex<double>, 0, Ufunc::multiply> product) {
                              for (const Extent i : keys.indices()) {
                                  counts.fold(1, keys(i));
                                  most.fold(keys(i));
                                  if (keys(i) == 2) product.fold({0, 1});
                              }
                          },
                          {broadcast("counts")});
    const std::vector<std::int64_t> elements{0, 3, 3, 1, 0, 3, 2, 3, 3, 0, 1, 3};
    const Array keys = machine.copy_of(elements.data(), Layout::row_major({12}), DType::int64);
    const Array counts = machine.full({4}, Scalar::of(10.0));
    const Array most = machine.full({}, Scalar::of(std::int64_t{-1}));
    const Array product = machine.full({}, Scalar::of(std::complex<double>(2, 0)));
    count(keys, counts, most, product);
    EXPECT_EQ(values_of(machine, counts), (std::vector<double>{13, 12, 11, 16}));
    EXPECT_EQ(machine.item(most).as<std::int64_t>(), 3);
    EXPECT_EQ(machine.item(product).as<std::complex<double>>(), std::complex<double>(0, 2));
}

TEST_P(TypedTasks, take_values_that_are_still_to_come) {
    Machine machine(two_workers(), GetParam());
    const Array x = machine.arange(Scalar::of(0.0), Scalar::of(1.0), 8);
    const Array y = machine.zeros({8}, DType::float64);
    axpy(x, y, sum(x));  // 28 x
    x *= 0.0;            // of later
    axpy(y, y, y[{1}]);  // of the array that is written: as it was before
    EXPECT_EQ(values_of(machine, y),
              (std::vector<double>{0, 812, 1624, 2436, 3248, 4060, 4872, 5684}));
    // Converted to the scalar's type.
    axpy(machine.full({8}, Scalar::of(1.0)), y,
         machine.full({1, 1}, Scalar::of(std::int64_t{-5684})));
    EXPECT_EQ(values_of(machine, y)[7], 0);
}
INSTANTIATE_TEST_SUITE_P(AtOnceOrInTiles, TypedTasks, testing::Values(Tuning{}, four_tiles));

TEST(TypedTask, waits_for_a_value_and_its_caller_does_not) {
    Machine machine(two_workers(), four_tiles);
    std::atomic<bool> go = false;
    const Array value = machine.zeros({}, DType::float64);
    const TypedTask hold("hold(value)", [&go](Write<double, 0> to) {
        while (!go.load()) std::this_thread::yield();
        to() = 3;
    });
    const Array x = machine.full({8}, Scalar::of(1.0));
    const Array y = machine.zeros({8}, DType::float64);
    hold(value);
    axpy(x, y, value);
    EXPECT_FALSE(machine.is_ready(y));
    go = true;  // only now; a caller that waited would never come here
    EXPECT_EQ(values_of(machine, y), std::vector<double>(8, 3));
}

TEST(TypedTask, may_go_before_its_calls) {
    Machine machine(two_workers(), four_tiles);
    const Array y = machine.zeros({8}, DType::float64);
    {
        const std::vector<double> table{4, 5};
        const TypedTask look("look(y)",
                             [table](Write<double> to) {
                                 for (const Extent i : to.indices())
                                     to(i) = table[static_cast<std::size_t>(i % 2)];
                             },
                             {broadcast("y", {})});
        look(y);
    }
    EXPECT_EQ(values_of(machine, y), (std::vector<double>{4, 5, 4, 5, 4, 5, 4, 5}));
}

TEST(TypedTask, refuses_arrays_by_name) {
    Machine machine(two_workers());
    const Array x = machine.zeros({4}, DType::float64);
    const auto refused = [&](const Array& first, const Array& second, const Array& scalar) {
        return error_of([&] { axpy(first, second, scalar); });
    };
    const Array one = machine.zeros({}, DType::float64);
    EXPECT_EQ(refused(x, machine.zeros({4}, DType::float32), one),
              "task 'axpy': argument 'y' is of type float32, but the task takes float64; "
              "astype(array, DType::float64) converts it");
    EXPECT_EQ(refused(machine.zeros({2, 2}, DType::float64), x, one),
              "task 'axpy': argument 'x' of shape (2,2) has rank 2, but the task takes rank 1; a "
              "view of it may have that");
    EXPECT_EQ(refused(x, Array(), one),
              "task 'axpy': argument 'y' is an empty Array; make one first");
    EXPECT_EQ(refused(x, x, Array()),
              "task 'axpy': argument 'a' is an empty Array; make one first");
    double memory[4] = {};
    EXPECT_EQ(refused(x, machine.adopt(memory, {4}, DType::float64, false, [] {}), one),
              "task 'axpy': argument 'y' is read-only, but the task writes it; a copy can be "
              "written");
    const std::string unequal = "align('x' of shape (4,), 'y' of shape (5,)) in line ";
    EXPECT_TRUE(refused(x, machine.zeros({5}, DType::float64), one).starts_with(unequal));
    EXPECT_EQ(refused(x, x, x),
              "work 'axpy': scalar 'a' has shape (4,); the value of a parameter has one element");
    EXPECT_EQ(refused(x, x, machine.zeros({}, DType::complex64)),
              "work 'axpy': scalar 'a' is complex64, but the parameter float64; convert it by "
              "astype");
}

void doubled(Read<double> from, Write<double> to) noexcept {
    for (const Extent i : to.indices()) to(i) = 2 * from(i);
}

TEST(TypedTask, is_made_of_a_function_without_exceptions) {
    Machine machine(two_workers());
    const TypedTask task("doubled(from, to)", &doubled, {align("from", "to")});
    const Array to = machine.zeros({3}, DType::float64);
    task(machine.full({3}, Scalar::of(4.0)), to);
    EXPECT_EQ(values_of(machine, to), (std::vector<double>{8, 8, 8}));
}

TEST(TypedTask, names_what_is_wrong_with_its_description) {
    const auto copy = [](Read<double> from, Write<double> to, int) {
        for (const Extent i : to.indices()) to(i) = from(i);
    };
    const auto refused = [&](const char* text, const std::vector<NamedConstraint>& constraints) {
        return error_of([&] { const TypedTask task(text, copy, constraints); });
    };
    EXPECT_EQ(refused("copy(from, to, n)", {align("from", "to")}), "nothing");
    for (const char* text :
         {"copy", "copy(from, to)", "copy(a, a, n)", "copy(a, , n)", "(a, b, c)", ""})
        EXPECT_EQ(refused(text, {}),
                  std::string("a task of 3 parameters is not described by '") + text +
                      "'; give its name and theirs, all different, as in 'axpy(x, y, a)'");
    EXPECT_EQ(
        refused("copy(from, to, n)", {align("from", "too", 7)}),
        "task 'copy': a constraint in line 7 names 'too', but the parameters are from, to, n");
    EXPECT_EQ(refused("copy(from, to, n)", {broadcast("n", {}, 8)}),
              "task 'copy': a constraint in line 8 names 'n', a scalar, which every tile has; "
              "constraints name arrays");
    EXPECT_EQ(refused("copy(from, to, n)", {broadcast("from", {1}, 9)}),
              "task 'copy': broadcast in line 9: parameter 'from' has rank 1, and no dimension 1; "
              "leave dims out to cut none");
}

}  // namespace refrain::array::typed_task_test
