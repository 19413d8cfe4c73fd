#include "refrain/array/constraint.hpp"
#include "refrain/array/operators.hpp"
#include "refrain/array/work.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <vector>

#include "cut_in_four.hpp"

namespace refrain::array::constraints_test {

using cut_in_four::four_tiles;
using cut_in_four::two_workers;

Array numbers(Machine& machine, const std::vector<double>& values) {
    return machine.copy_of(values.data(), Layout::row_major({static_cast<Extent>(values.size())}),
                           DType::float64);
}
Array indices(Machine& machine, const std::vector<std::int64_t>& values) {
    return machine.copy_of(values.data(), Layout::row_major({static_cast<Extent>(values.size())}),
                           DType::int64);
}
std::vector<double> values_of(Machine& machine, const Array& array) {
    std::vector<double> values(static_cast<std::size_t>(array.size()));
    machine.copy_to(array, values.data());
    return values;
}

Work work_of(const char* name, WorkFunction function, std::span<const WorkUse> uses,
             std::span<const Constraint> constraints) {
    Work work;
    work.name = name;
    work.function = function;
    work.uses = uses;
    work.constraints = constraints;
    return work;
}

/// Element `at` of the whole array, which the part must hold.
template <class T>
T& element(const WorkView& view, Extent at) {
    const Extent index = at - view.begin[0];
    if (index < 0 || index >= view.layout.shape[0]) throw std::out_of_range("not in this part");
    return view.first<T>()[index * view.layout.strides[0]];
}

/// views: y is written, of a three neighbours are read.
void smooth(const WorkFrame& frame) {
    const WorkView& y = frame.views[0];
    const auto last = frame.parameters<Extent>() - 1;
    for (Extent i = y.begin[0]; i < y.begin[0] + y.layout.shape[0]; ++i)
        element<double>(y, i) = element<double>(frame.views[1], std::max<Extent>(i - 1, 0)) +
                                element<double>(frame.views[1], std::min(i + 1, last));
}

TEST(Constraints, give_each_tile_the_parts_that_it_needs) {
    for (const bool strided : {false, true}) {
        Machine machine(two_workers(), four_tiles);
        const Array store = machine.arange(Scalar::of(0.0), Scalar::of(1.0), 22);
        const Array a = strided ? Array(store[{Slice(21, 1, -2)}]) : Array(store[{Slice(3, 13)}]);
        const Array y = machine.zeros({10}, DType::float64);
        const WorkUse uses[] = {{&y, Privilege::write}, {&a, Privilege::read}};
        const Constraint constraints[] = {bloat(0, 1, {1}, {1})};
        a *= 1.0;
        machine.issue(work_of("smooth", &smooth, uses, constraints).with(Extent{10}));
        const std::vector<double> before = values_of(machine, a);
        std::vector<double> expected;
        for (std::size_t i = 0; i < 10; ++i)
            expected.push_back(before[i == 0 ? 0 : i - 1] +
                               before[std::min<std::size_t>(i + 1, 9)]);
        EXPECT_EQ(values_of(machine, y), expected);
    }
}

std::string error_of(Machine& machine, const Work& work) {
    try {
        machine.issue(work);
    } catch (const ArrayError& error) {
        return error.what();
    }
    return "nothing";
}

TEST(Constraints, that_cannot_be_satisfied_are_refused_with_their_names_and_line) {
    Machine machine(two_workers(), four_tiles);
    const Array x = machine.zeros({8}, DType::float64);
    const Array y = machine.zeros({9}, DType::float64);
    const auto refused = [&](const Constraint& constraint) {
        const WorkUse uses[] = {{&x, Privilege::read}, {&y, Privilege::write}};
        return error_of(machine, work_of("w", &smooth, uses, {&constraint, 1}));
    };
    EXPECT_EQ(refused(align(0, 1, 41)),
              "align('argument 0' of shape (8,), 'argument 1' of shape (9,)) in line 41: aligned "
              "arguments have equal shapes");
    EXPECT_EQ(
        refused(align(0, 2, 42)),
        "a constraint of work 'w' in line 42 names an argument that it does not have: 0 or 2 of "
        "2, counted from 0");
    EXPECT_EQ(
        refused(bloat(0, 1, {1}, {2}, 43)),
        "work 'w' writes argument 1, but the constraints do not put each of its elements into "
        "one tile");
    EXPECT_EQ(
        refused(broadcast(1, 0b1101, 44)),
        "broadcast of work 'w' in line 44: argument 1 of shape (9,) has rank 1, but dims are {0, "
        "2, 3}; name some of 0 to 0, or none for all");
    EXPECT_EQ(
        refused(broadcast(2, 1, 45)),
        "a constraint of work 'w' in line 45 names an argument that it does not have: 2 of 2, "
        "counted from 0");
    const Array far = indices(machine, {0, 1, 2, 9});
    const WorkUse uses[] = {{&far, Privilege::read}, {&x, Privilege::read}};
    const Constraint reaches[] = {image(0, 1)};
    EXPECT_EQ(error_of(machine, work_of("w", &smooth, uses, reaches)),
              "image: index 9 is out of bounds for axis 0 with size 8");
}

/// views: keys are read; values are folded into the element that each key names, a maximum into the only element.
void count_keys(const WorkFrame& frame) {
    const WorkView& keys = frame.views[0];
    for (Extent i = keys.begin[0]; i < keys.begin[0] + keys.layout.shape[0]; ++i) {
        const auto key = element<std::int64_t>(keys, i);
        element<double>(frame.views[1], key) += 1;
        double& most = *frame.views[2].first<double>();
        most = std::max(most, static_cast<double>(key));
    }
}

TEST(Constraints, of_arrays_that_are_folded_into_let_tiles_share_elements) {
    const std::vector<std::int64_t> keys{0, 3, 3, 1, 0, 3, 2, 3, 3, 0, 1, 3};
    for (const bool strided : {false, true}) {
        Machine machine(two_workers(), four_tiles);
        const Array store = machine.full({8}, Scalar::of(10.0));
        const Array counts = strided ? Array(store[{Slice(0, 8, 2)}]) : Array(store[{Slice(0, 4)}]);
        const Array whole = strided ? counts : machine.copy(counts);
        const Array most = machine.full({}, Scalar::of(-1.0));
        const Array read = indices(machine, keys);
        const WorkUse uses[] = {{&read, Privilege::read},
                                {&whole, Privilege::reduce},
                                {&most, Privilege::reduce, -1, Ufunc::maximum}};
        const Constraint constraints[] = {broadcast(1, 1), align(0, 0)};
        const std::uint64_t launched = machine.counts().operations;
        machine.issue(work_of("count_keys", &count_keys, uses, constraints));
        EXPECT_GT(machine.counts().operations, launched);
        EXPECT_EQ(values_of(machine, whole), (std::vector<double>{13, 12, 11, 16}));
        EXPECT_EQ(machine.item(most).as<double>(), 3);
        if (!strided) continue;
        EXPECT_EQ(values_of(machine, store), (std::vector<double>{13, 10, 12, 10, 11, 10, 16, 10}));
    }
}

/// views: y is read; each tile folds into its own elements of z, and one beyond on either side.
void spread(const WorkFrame& frame) {
    const WorkView& y = frame.views[0];
    const WorkView& z = frame.views[1];
    for (Extent i = y.begin[0]; i < y.begin[0] + y.layout.shape[0]; ++i) {
        for (Extent at = std::max<Extent>(i - 1, 0); at < std::min<Extent>(i + 2, 10); ++at)
            element<double>(z, at) += element<double>(y, i);
    }
}

TEST(Constraints, put_parts_that_overlap_into_buffers_which_are_joined) {
    Machine machine(two_workers(), four_tiles);
    const Array y = machine.arange(Scalar::of(0.0), Scalar::of(1.0), 10);
    const Array z = machine.full({10}, Scalar::of(100.0));
    const WorkUse uses[] = {{&y, Privilege::read}, {&z, Privilege::reduce}};
    const Constraint constraints[] = {bloat(0, 1, {1}, {1})};
    machine.issue(work_of("spread", &spread, uses, constraints));
    EXPECT_EQ(values_of(machine, z),
              (std::vector<double>{101, 103, 106, 109, 112, 115, 118, 121, 124, 117}));
    // What is read and folded into has the values from before.
    const WorkUse both[] = {{&z, Privilege::read}, {&z, Privilege::reduce}};
    machine.issue(work_of("spread", &spread, both, constraints));
    EXPECT_EQ(values_of(machine, z)[0], 101 + 101 + 103);
}

TEST(Constraints, name_what_cannot_be_folded_into) {
    Machine machine(two_workers(), four_tiles);
    const Array x = machine.zeros({4}, DType::complex128);
    const WorkUse uses[] = {{&x, Privilege::reduce, -1, Ufunc::maximum}};
    EXPECT_EQ(error_of(machine, work_of("w", &spread, uses, {})),
              "work 'w': argument 0 of type complex128 cannot be reduced by maximum; there are add "
              "and multiply, and, but for complex numbers, minimum and maximum");
    double memory = 0;
    const Array locked = machine.adopt(&memory, {1}, DType::float64, false, [] {});
    const WorkUse of_locked[] = {{&locked, Privilege::reduce}};
    EXPECT_EQ(error_of(machine, work_of("w", &spread, of_locked, {})),
              "work 'w': argument 0 is read-only");
}

TEST(Constraints, follow_pointers_as_they_are_when_the_work_is_issued) {
    Machine machine(two_workers(), four_tiles);
    const Array table = machine.arange(Scalar::of(0.0), Scalar::of(1.0), 100);
    const Array pointers = indices(machine, {5, 3, 50, 20, 99, 0, 7, 7});
    const auto gather = [](const WorkFrame& frame) {
        const WorkView& y = frame.views[0];
        for (Extent i = y.begin[0]; i < y.begin[0] + y.layout.shape[0]; ++i)
            element<double>(y, i) =
                element<double>(frame.views[2], element<std::int64_t>(frame.views[1], i));
    };
    for (int time = 0; time < 2; ++time) {
        const Array y = machine.zeros({8}, DType::float64);
        const WorkUse uses[] = {{&y, Privilege::write}, {&pointers}, {&table}};
        const Constraint constraints[] = {align(0, 1), image(1, 2)};
        machine.issue(work_of("gather", gather, uses, constraints));
        machine.assign(pointers, std::int64_t{90});  // of the next time
        EXPECT_EQ(values_of(machine, y), time == 0
                                             ? (std::vector<double>{5, 3, 50, 20, 99, 0, 7, 7})
                                             : std::vector<double>(8, 90));
    }
}

/// A sparse matrix of three elements a row, by columns of pointers and values.
struct Sparse {
    Array columns[3];
    Array values[3];
};

/// views: y, then three times columns, values and x.
void multiply(const WorkFrame& frame) {
    const WorkView& y = frame.views[0];
    for (Extent i = y.begin[0]; i < y.begin[0] + y.layout.shape[0]; ++i) {
        double sum = 0;
        for (std::size_t j = 1; j < 10; j += 3)
            sum += element<double>(frame.views[j + 1], i) *
                   element<double>(frame.views[j + 2], element<std::int64_t>(frame.views[j], i));
        element<double>(y, i) = sum;
    }
}

void product(Machine& machine, const Sparse& matrix, const Array& x, const Array& y) {
    std::vector<WorkUse> uses{{&y, Privilege::write}};
    std::vector<Constraint> constraints;
    for (int j = 0; j < 3; ++j) {
        const int at = static_cast<int>(uses.size());
        uses.insert(uses.end(), {{&matrix.columns[j]}, {&matrix.values[j]}, {&x}});
        constraints.insert(constraints.end(), {align(0, at), align(0, at + 1), image(at, at + 2)});
    }
    machine.issue(work_of("product", &multiply, uses, constraints));
}

TEST(Constraints, of_a_power_iteration_keep_its_partitions_from_step_1_on) {
    constexpr std::size_t n = 500;
    Machine machine(two_workers(), four_tiles);
    Sparse matrix;
    std::vector<std::vector<std::int64_t>> columns;
    std::vector<std::vector<double>> values;
    for (std::size_t j = 0; j < 3; ++j) {
        columns.emplace_back();
        values.emplace_back();
        for (std::size_t i = 0; i < n; ++i) {
            columns[j].push_back(static_cast<std::int64_t>((i + (j * 7)) % n));
            values[j].push_back(1.0 + static_cast<double>((i * (j + 3)) % 11));
        }
        matrix.columns[j] = indices(machine, columns[j]);
        matrix.values[j] = numbers(machine, values[j]);
    }
    Array x = numbers(machine, std::vector<double>(n, 1.0));
    std::vector<double> expected(n, 1.0);
    std::uint64_t tilings = 0;
    std::uint64_t plans = 0;
    for (int step = 0; step < 8; ++step) {
        const Array y = machine.empty({n}, DType::float64);
        product(machine, matrix, x, y);
        x = y / sqrt(sum(y * y));
        std::vector<double> next(n, 0.0);
        double square = 0;
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < 3; ++j)
                next[i] += values[j][i] * expected[static_cast<std::size_t>(columns[j][i])];
            square += next[i] * next[i];
        }
        for (std::size_t i = 0; i < n; ++i) expected[i] = next[i] / std::sqrt(square);
        if (step > 0) {
            EXPECT_EQ(machine.counts().tilings, tilings) << "step " << step;
        }
        if (step > 1) {
            EXPECT_EQ(machine.counts().plans, plans) << "step " << step;
        }
        tilings = machine.counts().tilings;
        plans = machine.counts().plans;
    }
    EXPECT_GT(tilings, 1U);
    const std::vector<double> got = values_of(machine, x);
    for (std::size_t i = 0; i < n; ++i) ASSERT_NEAR(got[i], expected[i], 1e-12) << i;
}

TEST(Constraints, take_the_parts_through_which_an_argument_was_last_written) {
    Machine machine(two_workers(), four_tiles);
    // Cut along its first dimension, which the second work must not cut.
    const Array a = machine.zeros({8, 8}, DType::float64);
    const auto note = [](const WorkFrame& frame) {
        const WorkView& to = frame.views[0];
        double* elements = to.first<double>();
        for (Extent i = 0; i < to.layout.shape[0]; ++i)
            for (Extent j = 0; j < to.layout.shape[1]; ++j)
                elements[i * to.layout.strides[0] + j * to.layout.strides[1]] =
                    static_cast<double>(100 * to.begin[0] + to.begin[1]);
    };
    const WorkUse uses[] = {{&a, Privilege::write}};
    const Constraint by_columns[] = {broadcast(0, 1)};
    const Constraint free[] = {broadcast(0, 0)};
    machine.issue(work_of("note", note, uses, by_columns));
    const std::vector<double> columns = values_of(machine, a);
    EXPECT_EQ(columns[0 * 8 + 7], 6);  // tiles of two columns
    EXPECT_EQ(columns[7 * 8 + 0], 0);
    machine.issue(work_of("note", note, uses, free));
    EXPECT_EQ(values_of(machine, a), columns);
    // Operations are cut as what they use was written; what they write is cut so, too.
    const std::uint64_t tilings = machine.counts().tilings;
    a += 1.0;
    machine.issue(work_of("note", note, uses, free));
    EXPECT_EQ(values_of(machine, a), columns);
    EXPECT_EQ(machine.counts().tilings, tilings);
    const Constraint by_rows[] = {broadcast(0, 2)};
    machine.issue(work_of("note", note, uses, by_rows));
    EXPECT_EQ(values_of(machine, a)[7 * 8 + 0], 600);
    const Array b = a * machine.full({8}, Scalar::of(2.0));
    const WorkUse of_b[] = {{&b, Privilege::write}};
    machine.issue(work_of("note", note, of_b, free));
    EXPECT_EQ(values_of(machine, b), values_of(machine, a));
}

TEST(Constraints, of_operations_take_parts_of_any_shape) {
    Machine machine(two_workers(), four_tiles);
    const Array a = machine.zeros({6, 8}, DType::float64);
    const auto number = [](const WorkFrame& frame) {
        const WorkView& to = frame.views[0];
        double* elements = to.first<double>();
        for (Extent i = 0; i < to.layout.shape[0]; ++i)
            for (Extent j = 0; j < to.layout.shape[1]; ++j)
                elements[i * to.layout.strides[0] + j * to.layout.strides[1]] =
                    static_cast<double>(8 * (to.begin[0] + i) + to.begin[1] + j);
    };
    const WorkUse uses[] = {{&a, Privilege::write}};
    const Constraint by_columns[] = {broadcast(0, 1)};
    machine.issue(work_of("number", number, uses, by_columns));
    // Cut along the second dimension, which no operation would choose by itself.
    std::vector<double> expected;
    for (int i = 0; i < 48; ++i) expected.push_back(2.0 * i + 1);
    EXPECT_EQ(values_of(machine, a + a + 1.0), expected);
    EXPECT_EQ(values_of(machine, sum(a, {.axes = std::vector<int>{0}})),
              (std::vector<double>{120, 126, 132, 138, 144, 150, 156, 162}));
    EXPECT_EQ(values_of(machine, sum(a, {.axes = std::vector<int>{1}})),
              (std::vector<double>{28, 92, 156, 220, 284, 348}));
    EXPECT_EQ(values_of(machine, sum(machine.zeros({0, 8, 2}, DType::float64),
                                     {.axes = std::vector<int>{0}})),
              std::vector<double>(16, 0.0));
    Array shifted = machine.zeros({6, 8}, DType::float64);
    shifted[{Slice(), Slice(1, 8)}] = a[{Slice(), Slice(0, 7)}];
    EXPECT_EQ(values_of(machine, shifted)[8], 0);
    EXPECT_EQ(values_of(machine, shifted)[15], 14);
}

}  // namespace refrain::array::constraints_test
