#include "refrain/array/work.hpp"

#include "refrain/array/operators.hpp"

#include <gtest/gtest.h>
#include <vector>

#include "cut_in_four.hpp"

namespace refrain::array::work_test {

using cut_in_four::two_workers;

/// views[0] = views[1] * factor, of vectors; notes where the tile begins in its first element.
void scale(const WorkFrame& frame) {
    const auto factor = frame.parameters<double>();
    double* to = frame.views[0].first<double>();
    const double* from = frame.views[1].first<double>();
    for (Extent i = 0; i < frame.views[0].layout.size(); ++i)
        to[i * frame.views[0].layout.strides[0]] =
            from[i * frame.views[1].layout.strides[0]] * factor +
            static_cast<double>(i == 0 ? 1000 * frame.tile_first : 0);
}

struct Case {
    Tuning tuning;
    Extent tiles;
};

class WorkOnArrays : public testing::TestWithParam<Case> {};

TEST_P(WorkOnArrays, runs_in_order_with_operations_before_and_after_it) {
    Machine machine(two_workers(), GetParam().tuning);
    const Array a = machine.arange(Scalar::of(0.0), Scalar::of(1.0), 12);
    const Array b = machine.zeros({12}, DType::float64);
    const Array odd = a[{Slice(1, 12, 2)}];
    const Array back = b[{Slice(8, 2, -1)}];
    a += 1.0;
    const WorkUse uses[] = {{&back, Privilege::write, 0}, {&odd, Privilege::read, 0}};
    Work work;
    work.name = "scale";
    work.function = &scale;
    work.uses = uses;
    work.tiles = GetParam().tiles;
    machine.issue(std::move(work).with(0.5));
    a *= 0.0;
    std::vector<double> got(12);
    machine.copy_to(b, got.data());
    std::vector<double> expected{0, 0, 0, 6, 5, 4, 3, 2, 1, 0, 0, 0};
    for (Extent tile = 0; tile < GetParam().tiles; ++tile)
        expected[static_cast<std::size_t>(8 - first_of_part(6, GetParam().tiles, tile))] +=
            1000 * static_cast<double>(first_of_part(6, GetParam().tiles, tile));
    EXPECT_EQ(got, expected);
}
INSTANTIATE_TEST_SUITE_P(AtOnceOrAsTasks, WorkOnArrays,
                         testing::Values(Case{{}, 1}, Case{{}, 4}, Case{{.at_once_bytes = 0}, 1},
                                         Case{{.at_once_bytes = 0}, 4}));

/// views[0][...] = number 1 - number 0.
void fill(const WorkFrame& frame) {
    const WorkView& to = frame.views[0];
    for (Extent i = 0; i < to.layout.size(); ++i)
        to.first<std::int64_t>()[i * to.layout.strides[0]] = frame.numbers[1] - frame.numbers[0];
}

TEST(WorkOnArraysOfOthers, numbers_may_be_values_that_are_still_to_come) {
    for (const bool tiled : {false, true}) {
        Machine machine(two_workers(), {.at_once_bytes = 0, .tile_bytes = 16, .tiles = 4});
        const Array a = machine.full({8}, Scalar::of(std::int64_t{5}));
        const Array to = machine.zeros({8}, DType::int64);
        const Array total = sum(a);
        const WorkUse uses[] = {{&to, Privilege::write}};
        const Constraint constraints[] = {broadcast(0, 0)};
        const std::int64_t numbers[] = {2, 0};
        const WorkScalar scalars[] = {
            {.array = &total, .into = WorkScalar::Into::numbers, .at = 1}};
        Work work;
        work.name = "fill";
        work.function = &fill;
        work.uses = uses;
        work.numbers = numbers;
        work.scalars = scalars;
        if (tiled) work.constraints = constraints;
        machine.issue(work);
        total *= std::int64_t{0};
        EXPECT_EQ(machine.item(sum(to)).as<std::int64_t>(), 8 * 38);
        const WorkScalar beyond[] = {{.array = &total, .into = WorkScalar::Into::numbers, .at = 2}};
        work.scalars = beyond;
        EXPECT_THROW(machine.issue(work), UsageError);
        const WorkScalar outside[] = {{.array = &total, .dtype = DType::int64, .at = 121}};
        work.scalars = outside;
        EXPECT_THROW(machine.issue(work), UsageError);
    }
}

TEST(WorkOnArraysOfOthers, a_value_that_the_number_cannot_hold_is_an_error_of_the_task) {
    for (const std::int64_t at_once_bytes : {std::int64_t{0}, std::int64_t{1} << 20}) {
        Machine machine(two_workers(), {.at_once_bytes = at_once_bytes});
        const Array to = machine.zeros({8}, DType::int64);
        const Array large = machine.full({}, Scalar::of(std::uint64_t{1} << 63));
        const WorkUse uses[] = {{&to, Privilege::write}};
        const std::int64_t numbers[] = {2, 0};
        const WorkScalar scalars[] = {
            {.array = &large, .into = WorkScalar::Into::numbers, .at = 1}};
        Work work;
        work.name = "fill";
        work.function = &fill;
        work.uses = uses;
        work.numbers = numbers;
        work.scalars = scalars;
        EXPECT_ANY_THROW({
            machine.issue(work);
            static_cast<void>(machine.item(sum(to)));
        });
    }
}

TEST(WorkOnArraysOfOthers, too_many_uses_are_refused) {
    Machine machine(two_workers());
    const Array a = machine.zeros({2}, DType::float64);
    const std::vector<WorkUse> uses(work_uses_max + 1, WorkUse{&a});
    Work work;
    work.name = "many";
    work.uses = uses;
    EXPECT_THROW(machine.issue(work), UsageError);
}

TEST(WorkOnArraysOfOthers, a_function_that_throws_raises_at_the_wait) {
    Machine machine(two_workers(), {.at_once_bytes = 0});
    const Array a = machine.zeros({2}, DType::float64);
    const WorkUse uses[] = {{&a, Privilege::write}};
    Work work;
    work.name = "fails";
    work.function = [](const WorkFrame&) { throw ArrayError(ErrorKind::value, "no"); };
    work.uses = uses;
    machine.issue(work);
    EXPECT_THROW(static_cast<void>(machine.item(a[{0}])), TaskError);
}

}  // namespace refrain::array::work_test
