#include "refrain/array/array.hpp"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

#include "arrays/parts.hpp"

namespace refrain::array::tasks_test {

Options workers(unsigned count) {
    Options options;
    options.workers = count;
    options.observe.log = LogLevel::off;
    return options;
}
constexpr Tuning launch_all{0, 64, 4};

void reverse(const TaskCall& call) {
    const TaskView& to = call.views[0];
    const TaskView& from = call.views[1];
    const Extent count = to.size();
    for (Extent i = 0; i < count; ++i)
        *to.at<double>(i) = *from.at<double>(count - 1 - i) * static_cast<double>(call.numbers[0]);
}
const Task reversing{"reverse", reverse};

Array count_to(Machine& machine, Extent count) {
    return machine.arange(Scalar::of(0.0), Scalar::of(1.0), count);
}
Array integers(Machine& machine, const std::vector<std::int64_t>& elements) {
    return machine.copy_of(elements.data(),
                           Layout::row_major({static_cast<Extent>(elements.size())}), DType::int64);
}
std::vector<double> values(Machine& machine, const Array& array) {
    std::vector<double> result(static_cast<std::size_t>(array.size()));
    machine.copy_to(array, result.data());
    return result;
}

TEST(Tasks, run_on_views_in_program_order) {
    for (const Tuning& tuning : {Tuning{}, launch_all}) {
        Machine machine(workers(2), tuning);
        const Array a = count_to(machine, 100);
        const Array every_other = a.view(a.layout().slice(0, 1, 2, 50));
        const Array out = machine.empty({50}, DType::float64);
        for (int round = 0; round < 20; ++round) {
            machine.assign(a, count_to(machine, 100));
            const Array read[] = {every_other};
            const std::int64_t factor[] = {round};
            machine.run(reversing, {&out, 1}, read, factor);
            machine.assign(a, 0.0);  // after the task has read it
        }
        const std::vector<double> seen = values(machine, out);
        for (std::size_t i = 0; i < 50; ++i)
            EXPECT_EQ(seen[i], 19.0 * (99.0 - 2.0 * static_cast<double>(i)));
    }
}

TEST(Tasks, are_launched_unless_small_and_ready) {
    Machine launching(workers(1), launch_all);
    Machine computing(workers(1));
    for (Machine* machine : {&launching, &computing}) {
        const Array a = count_to(*machine, 10);
        const Array out = machine->empty({10}, DType::float64);
        const Machine::Counts before = machine->counts();
        const std::int64_t factor[] = {1};
        machine->run(reversing, {&out, 1}, {&a, 1}, factor);
        const bool is_launched = machine == &launching;
        EXPECT_EQ(machine->counts().operations - before.operations, is_launched ? 1U : 0U);
        EXPECT_EQ(machine->counts().immediate - before.immediate, is_launched ? 0U : 1U);
    }
}

TEST(Tasks, of_the_library_are_found_by_name) {
    ASSERT_NE(task_named("sort"), nullptr);
    EXPECT_STREQ(task_named("sort")->name, "sort");
    EXPECT_EQ(task_named("no such task"), nullptr);

    Machine machine(workers(2), launch_all);
    const Array elements = machine.astype(integers(machine, {3, 1, 2, 1}), DType::float64);
    const std::int64_t axis_and_kind[] = {0, 0};
    machine.run(*task_named("sort"), {&elements, 1}, {}, axis_and_kind);
    EXPECT_EQ(values(machine, elements), (std::vector<double>{1, 1, 2, 3}));
}

TEST(IndexBounds, are_remembered_until_the_array_is_written) {
    for (const Tuning& tuning : {Tuning{}, launch_all}) {
        Machine machine(workers(1), tuning);
        const Array a = machine.copy(integers(machine, {4, -2, 7}));
        EXPECT_EQ(machine.bounds_of(a), std::pair(std::int64_t{-2}, std::int64_t{7}));
        const std::uint64_t waits = machine.counts().waits;
        for (int round = 0; round < 10; ++round)
            EXPECT_EQ(machine.bounds_of(a), std::pair(std::int64_t{-2}, std::int64_t{7}));
        EXPECT_EQ(machine.counts().waits, waits);

        const Array first = a.view(a.layout().slice(0, 0, 1, 1));
        EXPECT_EQ(machine.bounds_of(first), std::pair(std::int64_t{4}, std::int64_t{4}));
        machine.assign(first, std::int64_t{100});
        EXPECT_EQ(machine.bounds_of(a), std::pair(std::int64_t{-2}, std::int64_t{100}));
        machine.assign(a.view(a.layout().at(0, 1)), std::int64_t{-50});
        EXPECT_EQ(machine.bounds_of(a), std::pair(std::int64_t{-50}, std::int64_t{100}));
    }
}

TEST(IndexBounds, of_what_others_can_see_are_looked_up_each_time) {
    Machine machine(workers(1));
    const Array a = machine.copy(integers(machine, {1, 2}));
    auto* elements = static_cast<std::int64_t*>(machine.begin_export(a, true));
    EXPECT_EQ(machine.bounds_of(a)->second, 2);
    elements[0] = 9;
    EXPECT_EQ(machine.bounds_of(a)->second, 9);
    machine.end_export(a);
}

TEST(IndexBounds, are_what_the_maker_says) {
    Machine machine(workers(1), launch_all);
    const Array a = machine.full({1000}, Scalar::of(std::int64_t{5}));
    machine.note_bounds(a, 0, 10);
    const std::uint64_t waits = machine.counts().waits;
    EXPECT_EQ(machine.bounds_of(a), std::pair(std::int64_t{0}, std::int64_t{10}));
    EXPECT_EQ(machine.counts().waits, waits);
}

TEST(Masks, count_what_is_true_in_any_layout) {
    Machine machine(workers(2), launch_all);
    const Array zeros = machine.zeros({4, 6}, DType::boolean);
    machine.assign(zeros.view(zeros.layout().slice(1, 0, 2, 3)), true);
    EXPECT_EQ(machine.count_true(zeros), 12);
    EXPECT_EQ(machine.count_true(zeros.view(zeros.layout().transposed())), 12);
    EXPECT_EQ(machine.count_true(zeros.view(zeros.layout().slice(1, 1, 2, 3))), 0);
    EXPECT_EQ(machine.count_true(zeros.view(zeros.layout().slice(1, 4, -2, 3))), 12);
}

TEST(Masks, choose_what_a_value_is_assigned_to) {
    for (const Tuning& tuning : {Tuning{}, launch_all}) {
        Machine machine(workers(2), tuning);
        const Array a = count_to(machine, 100);
        const Operand both[] = {a, 49.5};
        machine.assign_where(a, machine.call(Ufunc::less, both), Scalar::of(std::int64_t{-1}));
        const std::vector<double> seen = values(machine, a);
        for (std::size_t i = 0; i < 100; ++i)
            EXPECT_EQ(seen[i], i < 50 ? -1.0 : static_cast<double>(i));
    }
}

}  // namespace refrain::array::tasks_test
