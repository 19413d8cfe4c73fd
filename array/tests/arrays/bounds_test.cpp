#include "refrain/array/operators.hpp"
#include "refrain/array/work.hpp"

#include <functional>
#include <gtest/gtest.h>
#include <optional>
#include <utility>

namespace refrain::array::bounds_test {

using Bounds = std::optional<std::pair<std::int64_t, std::int64_t>>;

/// A way to write 7 into an array of int64.
struct Writer {
    const char* name;
    std::function<void(Machine&, const Array&)> write;
};

void write_first(const WorkFrame& frame) {
    *frame.views[0].first<std::int64_t>() = 7;
}
void run_first(const TaskCall& call) {
    *call.views[0].at<std::int64_t>(0) = 7;
}

const Writer writers[] = {
    {"an operation", [](Machine& machine, const Array& a) { machine.assign(a, std::int64_t{7}); }},
    {"an operation on a view",
     [](Machine& machine, const Array& a) { machine.assign(a[{Slice(1, 2)}], std::int64_t{7}); }},
    {"an element",
     [](Machine& machine, const Array& a) { machine.assign(a[{1}], std::int64_t{7}); }},
    {"a put",
     [](Machine& machine, const Array& a) {
         if (!machine.put(a, 1, Scalar::of(std::int64_t{7}))) a[{1}] = std::int64_t{7};
     }},
    {"an operator", [](Machine&, const Array& a) { a += std::int64_t{5}; }},
    {"a mask",
     [](Machine& machine, const Array& a) {
         machine.assign_where(a, machine.full({3}, Scalar::of(true)), Scalar::of(std::int64_t{7}));
     }},
    {"an accumulation",
     [](Machine& machine, const Array& a) {
         const Array ones = machine.full({3}, Scalar::of(std::int64_t{7}));
         static_cast<void>(machine.accumulate(Ufunc::maximum, ones, 0, {}, &a));
     }},
    {"a reduction",
     [](Machine& machine, const Array& a) {
         const Array sevens = machine.full({3, 1}, Scalar::of(std::int64_t{7}));
         ReduceOptions options;
         options.axes = std::vector<int>{1};
         options.out = &a;
         static_cast<void>(machine.reduce(Ufunc::maximum, sevens, options));
     }},
    {"a work",
     [](Machine& machine, const Array& a) {
         const WorkUse uses[] = {{&a, Privilege::read_write}};
         Work work;
         work.name = "write_first";
         work.function = &write_first;
         work.uses = uses;
         machine.issue(work);
     }},
    {"a task",
     [](Machine& machine, const Array& a) {
         static const Task task{"run_first", run_first};
         machine.run(task, {&a, 1}, {});
     }},
    {"the outside",
     [](Machine& machine, const Array& a) {
         auto* elements = static_cast<std::int64_t*>(machine.begin_export(a, true));
         elements[1] = 7;
         machine.end_export(a);
     }},
};

Options quiet(unsigned workers) {
    Options options;
    options.workers = workers;
    options.observe.log = LogLevel::off;
    return options;
}

TEST(Bounds, are_forgotten_by_each_way_to_write_and_by_no_way_to_read) {
    for (const std::int64_t at_once : {std::int64_t{1} << 18, std::int64_t{0}}) {
        Machine machine(quiet(2), {.at_once_bytes = at_once});
        for (const Writer& writer : writers) {
            const Array a =
                machine.arange(Scalar::of(std::int64_t{0}), Scalar::of(std::int64_t{1}), 3);
            ASSERT_EQ(machine.bounds_of(a), Bounds(std::pair(0, 2)));
            const auto waits = machine.counts().waits;
            static_cast<void>(a + std::int64_t{1});
            static_cast<void>(sum(a));
            EXPECT_EQ(machine.bounds_of(a), Bounds(std::pair(0, 2)));
            EXPECT_EQ(machine.counts().waits, waits);
            writer.write(machine, a);
            EXPECT_EQ(machine.bounds_of(a)->second, 7) << writer.name;
        }
    }
}

TEST(Bounds, of_what_the_outside_can_write_are_not_remembered) {
    Machine machine(quiet(1));
    const Array a = machine.arange(Scalar::of(std::int64_t{0}), Scalar::of(std::int64_t{1}), 3);
    auto* elements = static_cast<std::int64_t*>(machine.begin_export(a, true));
    machine.note_bounds(a, 0, 2);
    EXPECT_EQ(machine.bounds_of(a), Bounds(std::pair(0, 2)));
    elements[0] = 9;
    EXPECT_EQ(machine.bounds_of(a), Bounds(std::pair(1, 9)));
    machine.end_export(a);
}

// As many elements as the store has, but not all of them: the greatest is another.
TEST(Bounds, of_a_view_that_repeats_elements_are_not_those_of_the_store) {
    Machine machine(quiet(1));
    const Array a = machine.arange(Scalar::of(std::int64_t{0}), Scalar::of(std::int64_t{1}), 4);
    const Array twice = a.view(*a.layout().slice(0, 0, 1, 2).broadcast_to({2, 2}));
    ASSERT_EQ(twice.size(), a.size());
    EXPECT_EQ(machine.bounds_of(twice), Bounds(std::pair(0, 1)));
    EXPECT_EQ(machine.bounds_of(a), Bounds(std::pair(0, 3)));
    EXPECT_EQ(machine.bounds_of(twice), Bounds(std::pair(0, 1)));
}

}  // namespace refrain::array::bounds_test
