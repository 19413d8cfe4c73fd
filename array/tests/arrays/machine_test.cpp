#include "refrain/array/array.hpp"

#include <atomic>
#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "arrays/parts.hpp"

namespace refrain::array::machine_test {

Options workers(unsigned count) {
    Options options;
    options.workers = count;
    options.observe.log = LogLevel::off;
    return options;
}
constexpr Tuning launch_all{0, 64, 4};

Array numbers(Machine& machine, Extent count, double first = 0) {
    return machine.arange(Scalar::of(first), Scalar::of(first + 1), count);
}
Array binary(Machine& machine, Ufunc function, const Operand& a, const Operand& b,
             const UfuncOptions& options = {}) {
    const Operand both[] = {a, b};
    return machine.call(function, both, options);
}
std::vector<double> values(Machine& machine, const Array& array) {
    std::vector<double> result(static_cast<std::size_t>(array.size()));
    machine.copy_to(array, result.data());
    return result;
}
/// "value: message" of what the call throws.
template <class F>
std::string error_of(F&& call) {
    try {
        call();
    } catch (const ArrayError& error) {
        static const char* const kinds[] = {"value",      "type",    "index",  "axis",
                                            "ufunc_type", "casting", "memory", "zero_division"};
        return std::string(kinds[static_cast<std::size_t>(error.kind())]) + ": " + error.what();
    }
    return "nothing";
}

TEST(Calls, add_arrays_and_numbers) {
    for (const Tuning& tuning : {Tuning{}, launch_all}) {
        Machine machine(workers(2), tuning);
        const Array a = numbers(machine, 100);
        const Array sum = binary(machine, Ufunc::add, a, binary(machine, Ufunc::multiply, a, 2.0));
        EXPECT_EQ(sum.dtype(), DType::float64);
        const std::vector<double> seen = values(machine, sum);
        for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(seen[i], 3.0 * static_cast<double>(i));
        const Array total = machine.reduce(Ufunc::add, a);
        EXPECT_EQ(total.rank(), 0);
        EXPECT_EQ(machine.item(total).as<double>(), 4950.0);
    }
}

TEST(Calls, that_repeat_one_are_as_it_was_also_when_shapes_were_forgotten) {
    Machine machine(workers(1));
    const auto check = [&](Extent count) {
        const Array a = numbers(machine, count);
        const Array b =
            machine.arange(Scalar::of(std::int64_t{1}), Scalar::of(std::int64_t{2}), count);
        for (int turn = 0; turn < 3; ++turn) {
            const Array sum = machine.call(Ufunc::add, a, b);
            const Array less = machine.call(Ufunc::less, a, sum);
            EXPECT_EQ(sum.dtype(), DType::float64);
            EXPECT_EQ(less.dtype(), DType::boolean);
            EXPECT_EQ(values(machine, sum).back(), 2.0 * static_cast<double>(count) - 1);
        }
        const Array doubled = machine.call(Ufunc::add, b, b);
        EXPECT_EQ(doubled.dtype(), DType::int64);
        const Array rows = a.view(a.layout().with_axis(0));
        const Array columns = b.view(b.layout().with_axis(1));
        for (int turn = 0; turn < 2; ++turn)
            EXPECT_EQ(machine.call(Ufunc::add, rows, columns).shape(), (Extents{count, count}));
    };
    check(5);
    for (Extent count = 0; count < (Extent{1} << 16) + 9; ++count)  // more than are kept
        (void)machine.empty({count, 2}, DType::int8);
    check(5);
    check(6);
}

TEST(Calls, an_output_that_overlaps_its_input_behaves_as_if_copied_first) {
    for (const Tuning& tuning : {Tuning{}, launch_all}) {
        Machine machine(workers(2), tuning);
        const Array a = numbers(machine, 8);
        const Array to = a.view(a.layout().slice(0, 1, 1, 7));
        machine.assign(to, a.view(a.layout().slice(0, 0, 1, 7)));
        EXPECT_EQ(values(machine, a), (std::vector<double>{0, 0, 1, 2, 3, 4, 5, 6}));
        machine.assign(a, a.view(a.layout().slice(0, 7, -1, 8)));
        EXPECT_EQ(values(machine, a), (std::vector<double>{6, 5, 4, 3, 2, 1, 0, 0}));
    }
}

TEST(Calls, an_output_interleaved_with_its_input_is_not_copied_and_runs_as_one_task) {
    Machine machine(workers(2), launch_all);
    const Array a = numbers(machine, 64);
    const std::uint64_t made = machine.counts().stores;
    machine.assign(a.view(a.layout().slice(0, 0, 2, 32)), a.view(a.layout().slice(0, 1, 2, 32)));
    EXPECT_EQ(machine.counts().stores, made);
    const std::vector<double> seen = values(machine, a);
    for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(seen[i], static_cast<double>(i | 1));
}

TEST(Calls, a_result_lies_in_memory_as_its_operands_do) {
    Machine machine(workers(1));
    const Array a = machine.full({3, 4}, Scalar::of(1.0));
    const Array columns = a.view(a.layout().transposed());
    EXPECT_TRUE(binary(machine, Ufunc::add, columns, 1.0).layout().is_column_major());
    EXPECT_TRUE(binary(machine, Ufunc::add, a, 1.0).layout().is_row_major());
    EXPECT_TRUE(machine.copy(columns).layout().is_row_major());
    EXPECT_TRUE(machine.copy(columns, Order::keep).layout().is_column_major());
}

TEST(Calls, say_what_is_wrong_as_numpy_does) {
    Machine machine(workers(1));
    const Array a = numbers(machine, 3);
    const Array b = numbers(machine, 4);
    const Array whole = machine.zeros({3}, DType::int64);
    const Array truth = machine.zeros({3}, DType::boolean);
    EXPECT_EQ(error_of([&] { (void)binary(machine, Ufunc::add, a, b); }),
              "value: operands could not be broadcast together with shapes (3,) (4,) ");
    EXPECT_EQ(
        error_of([&] {
            UfuncOptions options;
            options.out = &b;
            (void)binary(machine, Ufunc::add, machine.zeros({2, 4}, DType::float64), 1.0, options);
        }),
        "value: non-broadcastable output operand with shape (4,) doesn't match the broadcast "
        "shape (2,4)");
    EXPECT_EQ(
        error_of([&] {
            UfuncOptions options;
            options.out = &whole;
            (void)binary(machine, Ufunc::add, a, 1.5, options);
        }),
        "casting: Cannot cast ufunc 'add' output from dtype('float64') to dtype('int64') with "
        "casting rule 'same_kind'");
    EXPECT_EQ(error_of([&] { (void)binary(machine, Ufunc::subtract, truth, truth); }),
              "type: numpy boolean subtract, the `-` operator, is not supported, use the "
              "bitwise_xor, the `^` operator, or the logical_xor function instead.");
    EXPECT_EQ(error_of([&] { machine.assign(a, b); }),
              "value: could not broadcast input array from shape (4,) into shape (3,)");
    EXPECT_EQ(error_of([&] {
                  ReduceOptions options;
                  options.axes = std::vector<int>{2};
                  (void)machine.reduce(Ufunc::add, a, options);
              }),
              "axis: axis 2 is out of bounds for array of dimension 1");
    EXPECT_EQ(
        error_of([&] { (void)machine.reduce(Ufunc::maximum, machine.zeros({0}, DType::float64)); }),
        "value: zero-size array to reduction operation maximum which has no identity");
    EXPECT_EQ(error_of([&] { (void)machine.item(a); }),
              "value: can only convert an array of size 1 to a Python scalar; its shape is (3,)");
    EXPECT_EQ(error_of([&] { (void)binary(machine, Ufunc::power, whole, std::int64_t{-1}); }),
              "value: Integers to negative integer powers are not allowed.");
    EXPECT_EQ(error_of([&] {
                  (void)machine.empty({1 << 30, 1 << 30, 1 << 30}, DType::float64);
              }),
              "value: array is too big; the shape (1073741824,1073741824,1073741824) of float64 "
              "exceeds the address space");
}

TEST(Calls, that_throw_have_no_effect) {
    Machine machine(workers(1));
    const Array a = numbers(machine, 3);
    const Machine::Counts before = machine.counts();
    EXPECT_THROW((void)binary(machine, Ufunc::add, a, numbers(machine, 4)), ArrayError);
    EXPECT_EQ(machine.counts().stores, before.stores + 1);
    EXPECT_EQ(machine.counts().operations + machine.counts().immediate,
              before.operations + before.immediate + 1);  // numbers()
}

TEST(Names, slots_are_the_lowest_free_per_shape_and_type_and_uids_are_never_used_again) {
    Machine machine(workers(1));
    Array a = machine.empty({5}, DType::float64);
    Array b = machine.empty({5}, DType::float64);
    const Array other = machine.empty({5}, DType::float32);
    EXPECT_EQ(a.store().slot, 0u);
    EXPECT_EQ(b.store().slot, 1u);
    EXPECT_EQ(other.store().slot, 0u);
    const std::uint64_t uid = a.uid();
    a = Array();
    a = machine.empty({5}, DType::float64);
    EXPECT_EQ(a.store().slot, 0u);
    EXPECT_GT(a.uid(), uid);
    EXPECT_EQ(machine.empty({5}, DType::float64).store().slot, 2u);
}

TEST(Names, a_store_takes_memory_when_something_is_written) {
    Machine machine(workers(1));
    const Array a = machine.empty({1000}, DType::float64);
    EXPECT_EQ(machine.counts().bytes, 0u);
    machine.assign(a, 1.0);
    EXPECT_EQ(machine.counts().bytes, 8000u);
}

TEST(Waiting, for_one_value_leaves_the_rest_pending) {
    Machine machine(workers(1), Tuning{0, 1 << 20, 1});
    const Array a = numbers(machine, 1000);
    const Array b = numbers(machine, 1000);
    machine.wait();
    const Array first = binary(machine, Ufunc::add, a, 1.0);
    const Array second = binary(machine, Ufunc::add, b, 1.0);
    EXPECT_EQ(machine.item(first.view(first.layout().at(0, 3))).as<double>(), 4.0);
    EXPECT_EQ(machine.counts().waits, 1u);
    EXPECT_EQ(values(machine, second)[3], 4.0);
}

TEST(Waiting, small_operations_are_computed_at_once_only_if_nothing_is_pending) {
    Machine machine(workers(1), Tuning{4096, 1 << 20, 1});
    const Array large = numbers(machine, 4000);  // pending
    EXPECT_EQ(machine.counts().operations, 1u);
    const Array view = large.view(large.layout().slice(0, 0, 1, 10));
    const Array small = binary(machine, Ufunc::add, view, 1.0);
    const Array free = binary(machine, Ufunc::add, numbers(machine, 10), 1.0);
    EXPECT_GE(machine.counts().immediate, 2u);  // the last two
    EXPECT_EQ(values(machine, small)[9], 10.0);
    EXPECT_EQ(values(machine, free)[9], 10.0);
}

TEST(Outside, memory_is_used_in_place_and_told_when_it_is_not_any_more) {
    std::vector<double> memory(1000, 1.0);
    std::atomic<int> done = 0;
    {
        Machine machine(workers(2), launch_all);
        {
            const Array a =
                machine.adopt(memory.data(), {1000}, DType::float64, true, [&done] { ++done; });
            machine.assign(a, binary(machine, Ufunc::add, a, 1.0));
            EXPECT_EQ(memory[999], 2.0);  // complete before the call returned
            EXPECT_EQ(done, 0);
            const Array again = machine.adopt(memory.data(), {1000}, DType::float64, true, {});
            machine.assign(again, binary(machine, Ufunc::add, a, again));
            EXPECT_EQ(memory[0], 4.0);
        }
        machine.wait();
    }
    EXPECT_EQ(done, 1);
}

TEST(Outside, memory_that_must_not_be_written_is_not) {
    Machine machine(workers(1));
    double number = 1.0;
    const Array a = machine.adopt(&number, {1}, DType::float64, false, {});
    EXPECT_EQ(error_of([&] { machine.assign(a, 2.0); }), "value: output array is read-only");
    EXPECT_EQ(number, 1.0);
}

TEST(Outside, exported_memory_is_complete_before_each_call_returns) {
    Machine machine(workers(2), launch_all);
    const Array a = numbers(machine, 1000);
    const auto* seen = static_cast<const double*>(machine.begin_export(a, false));
    EXPECT_EQ(seen[999], 999.0);
    machine.assign(a, 7.0);
    EXPECT_EQ(seen[0], 7.0);
    EXPECT_EQ(seen[999], 7.0);
    machine.end_export(a);
}

TEST(Waiting, can_be_given_up_and_tried_again) {
    Machine machine(workers(1), launch_all);
    const Array a = numbers(machine, 1000);
    int asked = 0;
    machine.set_give_up([](void* context) { return ++*static_cast<int*>(context) > 0; }, &asked);
    bool given_up = false;
    try {
        for (int i = 0; i < 3000; ++i) machine.assign(a, binary(machine, Ufunc::add, a, 1.0));
        machine.wait();
    } catch (const dynamic::WaitGivenUp&) {
        given_up = true;
    }
    machine.set_give_up(nullptr, nullptr);
    machine.wait();
    EXPECT_EQ(given_up, asked > 0);
}

TEST(Machines, may_end_before_their_arrays) {
    Array a;
    {
        Machine machine(workers(2), launch_all);
        a = numbers(machine, 1000);
    }
    EXPECT_EQ(a.size(), 1000);
}

TEST(Plans, in_use_stay_when_there_are_too_many) {
    Tuning tuning{0, 1 << 20, 1};
    tuning.plans_max = 16;
    Machine machine(workers(1), tuning);
    const Array often = numbers(machine, 10);
    const Array row = machine.zeros({400}, DType::float64);
    const std::uint64_t before = machine.counts().plans;
    for (Extent i = 0; i < 400; ++i) {
        machine.assign(row.view(row.layout().at(0, i)), static_cast<double>(i));
        (void)binary(machine, Ufunc::add, often, 1.0);
    }
    EXPECT_EQ(machine.counts().plans - before, 401U);
    EXPECT_EQ(machine.item(machine.reduce(Ufunc::add, row)).as<double>(), 400.0 * 399.0 / 2.0);
}

TEST(Memory, of_released_arrays_serves_the_next_ones_before_tasks_are_over) {
    Machine machine(workers(1), launch_all);
    Array x = numbers(machine, 1000);
    std::set<const void*> blocks;
    for (int i = 0; i < 50; ++i) {
        x = binary(machine, Ufunc::add, x, 1.0);
        blocks.insert(x.store().region.root());
    }
    EXPECT_LE(blocks.size(), 3U);
    EXPECT_EQ(values(machine, x)[999], 999.0 + 50.0);
}

TEST(Memory, of_released_arrays_is_given_back_when_little_is_live) {
    Machine machine(workers(1), launch_all);
    const Array kept = numbers(machine, 10);
    for (Extent count = 1000; count < 1100; ++count) (void)numbers(machine, count);
    const Array after = numbers(machine, 1050);
    EXPECT_EQ(machine.counts().bytes, (10 + 1050) * sizeof(double));
    EXPECT_EQ(values(machine, after)[1049], 1049.0);
}

TEST(Calls, that_are_small_wait_for_little_and_are_computed_at_once) {
    const Tuning tuning{4096, 1 << 20, 1};
    Machine machine(workers(1), tuning);
    for (int i = 0; i < 100; ++i) {
        const Array large = numbers(machine, 1000);
        const std::uint64_t launched = machine.counts().operations;
        const Array small =
            binary(machine, Ufunc::add, large.view(large.layout().slice(0, 0, 1, 9)), 1.0);
        EXPECT_EQ(machine.counts().operations, launched);
        EXPECT_EQ(machine.item(machine.reduce(Ufunc::add, small)).as<double>(), 45.0);
    }
}

TEST(Calls, that_are_small_do_not_wait_for_much) {
    const Tuning tuning{64, 1 << 20, 1};
    Machine machine(workers(1), tuning);
    Array large = numbers(machine, 1000);
    for (int i = 0; i < 20; ++i) large = binary(machine, Ufunc::add, large, 1.0);
    const std::uint64_t waits = machine.counts().waits;
    const Array small =
        binary(machine, Ufunc::add, large.view(large.layout().slice(0, 0, 1, 2)), 1.0);
    EXPECT_EQ(machine.counts().waits, waits);
    EXPECT_EQ(values(machine, small), (std::vector<double>{21, 22}));
}

TEST(Plans, are_forgotten_when_they_are_too_many) {
    Machine machine(workers(1), Tuning{0, 1 << 20, 1});
    const Array a = machine.zeros({300, 300}, DType::float64);
    for (Extent i = 0; i < 300; ++i) {
        for (Extent j = 0; j < 60; ++j) machine.assign(a.view(a.layout().at(0, i).at(0, j)), 1.0);
    }
    const double sum = machine.item(machine.reduce(Ufunc::add, a)).as<double>();
    EXPECT_EQ(sum, 300.0 * 60.0);
}

}  // namespace refrain::array::machine_test
