#include "kernels/kernels.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <vector>

namespace kernels_test {

using namespace refrain::array;           // NOLINT
using namespace refrain::array::kernels;  // NOLINT

template <class T>
Operand operand(std::vector<T>& elements, const Extents& byte_strides) {
    return {reinterpret_cast<std::byte*>(elements.data()), byte_strides.data(), dtype_of<T>()};
}
UfuncTypes types_of(DType type) {
    return {{type, type}, type};
}

const double nan = std::numeric_limits<double>::quiet_NaN();
const double infinity = std::numeric_limits<double>::infinity();

TEST(KernelsTest, EveryFunctionHasALoopForEveryTypeItResolvesTo) {
    for (int i = 0; i < ufunc_count; ++i)
        for (int a = 0; a < dtype_count; ++a) {
            const auto function = static_cast<Ufunc>(i);
            const std::vector<TypeOperand> operands(static_cast<std::size_t>(inputs_of(function)),
                                                    {.dtype = static_cast<DType>(a)});
            if (const auto types = resolve(function, operands)) {
                EXPECT_NE(loop_of(function, *types), nullptr) << name_of(function) << a;
            }
            EXPECT_EQ(ufunc_named(name_of(function)), function);
        }
    EXPECT_FALSE(ufunc_named("frobnicate"));
}

TEST(KernelsTest, MixedTypesAreConvertedThroughBuffers) {
    std::vector<std::int32_t> a(2000);
    std::iota(a.begin(), a.end(), -1000);
    std::vector<float> b(1, 0.5F);
    std::vector<double> out(2000);
    const Extents every_int{4};
    const Extents never{0};
    const Extents backwards{-8};
    Operand result = operand(out, backwards);
    result.address += 1999 * 8;
    const std::vector<Operand> operands = {operand(a, every_int), operand(b, never), result};
    const Extents shape{2000};
    EXPECT_EQ(run_elementwise(Ufunc::multiply, types_of(DType::float64), shape, operands), 0);
    for (std::size_t i = 0; i < 2000; ++i) EXPECT_EQ(out[1999 - i], a[i] * 0.5);
}

TEST(KernelsTest, AMaskLeavesTheOtherElementsAlone) {
    std::vector<double> a = {1, 2, 3, 4, 5, 6};
    std::vector<double> out(6, -1);
    std::vector<std::uint8_t> mask = {1, 0, 0, 1, 1, 0};
    const Extents row{8};
    const Extents bytes{1};
    const Extents shape{6};
    const std::vector<Operand> operands = {operand(a, row), operand(a, row), operand(out, row)};
    const Operand selected{reinterpret_cast<std::byte*>(mask.data()), bytes.data(), DType::boolean};
    run_elementwise(Ufunc::add, types_of(DType::float64), shape, operands, &selected);
    EXPECT_EQ(out, (std::vector<double>{2, -1, -1, 8, 10, -1}));
    run_fill(shape, Scalar::of(std::int8_t{7}), operand(out, row), &selected);
    EXPECT_EQ(out, (std::vector<double>{7, -1, -1, 7, 7, -1}));
}

TEST(KernelsTest, FlagsSayWhatHappenedToValues) {
    const auto flags = [](Ufunc function, double left, double right) {
        std::vector<double> a = {left, left};
        std::vector<double> b = {right, right};
        const Extents row{8};
        const Extents shape{2};
        const std::vector<Operand> operands = {operand(a, row), operand(b, row), operand(a, row)};
        return run_elementwise(function, types_of(DType::float64), shape, operands);
    };
    EXPECT_EQ(flags(Ufunc::true_divide, 1, 0), divided_by_zero);
    EXPECT_EQ(flags(Ufunc::true_divide, 0, 0), invalid);
    EXPECT_EQ(flags(Ufunc::multiply, 1e300, 1e300) & overflowed, overflowed);
    EXPECT_EQ(flags(Ufunc::add, 1, 2), 0);
    EXPECT_EQ(flags(Ufunc::maximum, nan, 2), 0);
    std::vector<std::int64_t> a = {7, -7, std::numeric_limits<std::int64_t>::min()};
    std::vector<std::int64_t> b = {0, 2, -1};
    const Extents row{8};
    const Extents shape{3};
    const std::vector<Operand> operands = {operand(a, row), operand(b, row), operand(a, row)};
    EXPECT_EQ(run_elementwise(Ufunc::floor_divide, types_of(DType::int64), shape, operands),
              divided_by_zero | overflowed);
    EXPECT_EQ(a[0], 0);
    EXPECT_EQ(a[1], -4);
    std::vector<std::int64_t> exponents = {2, 2, -1};
    const std::vector<Operand> powers = {operand(b, row), operand(exponents, row), operand(b, row)};
    EXPECT_EQ(run_elementwise(Ufunc::power, types_of(DType::int64), shape, powers), negative_power);
}

TEST(KernelsTest, MaximumPropagatesNanAndFmaxDoesNot) {
    std::vector<double> a = {nan, 1, nan, -infinity};
    std::vector<double> b = {1, nan, nan, 2};
    std::vector<double> out(4);
    const Extents row{8};
    const Extents shape{4};
    const std::vector<Operand> operands = {operand(a, row), operand(b, row), operand(out, row)};
    run_elementwise(Ufunc::maximum, types_of(DType::float64), shape, operands);
    EXPECT_TRUE(std::isnan(out[0]) && std::isnan(out[1]) && std::isnan(out[2]));
    EXPECT_EQ(out[3], 2);
    run_elementwise(Ufunc::fmax, types_of(DType::float64), shape, operands);
    EXPECT_EQ(out[0], 1);
    EXPECT_EQ(out[1], 1);
    EXPECT_TRUE(std::isnan(out[2]));
}

/// NumPy's tree, written down another way: leaves of up to 128 elements by eight accumulators.
double tree(const double* a, std::size_t count) {
    double sums[8] = {};
    if (count < 8) return std::accumulate(a, a + count, 0.0);
    if (count > 128) {
        const std::size_t half = count / 16 * 8;
        return tree(a, half) + tree(a + half, count - half);
    }
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8)
        for (std::size_t k = 0; k < 8; ++k) sums[k] = i == 0 ? a[k] : sums[k] + a[i + k];
    double sum =
        ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
    for (; i < count; ++i) sum += a[i];
    return sum;
}
double sum_of(std::vector<double>& elements, const Extents& shape, const Extents& byte_strides) {
    std::vector<double> result(1, -1);
    const Extents none(shape.size(), 0);
    run_reduction(Ufunc::add, types_of(DType::float64), shape, operand(elements, byte_strides),
                  operand(result, none));
    return result[0];
}

TEST(KernelsTest, SumsAreTreesOverRunsOf8192Elements) {
    for (const std::size_t count : {0U, 3U, 8U, 100U, 129U, 5000U, 8192U, 8193U, 30000U}) {
        std::vector<double> a(count);
        for (std::size_t i = 0; i < count; ++i) a[i] = std::sin(static_cast<double>(i)) * 1e3;
        double expected = 0;
        for (std::size_t i = 0; i < count; i += 8192)
            expected += tree(a.data() + i, std::min<std::size_t>(8192, count - i));
        EXPECT_EQ(sum_of(a, {static_cast<Extent>(count)}, {8}), expected) << count;
    }
}

TEST(KernelsTest, ASumOfColumnsAddsRowByRow) {
    std::vector<double> a = {1e16, 1, -1e16, 1, 1, 1};  // 3 rows of 2
    std::vector<double> out(2);
    const Extents shape{3, 2};
    const Extents strides{16, 8};
    const Extents kept{0, 8};
    run_reduction(Ufunc::add, types_of(DType::float64), shape, operand(a, strides),
                  operand(out, kept));
    EXPECT_EQ(out, (std::vector<double>{1, 3}));
}

TEST(KernelsTest, ATileOfOneColumnIsSummedAsAColumnOfTheWhole) {
    std::vector<double> a(2 * 300);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = std::cos(static_cast<double>(i)) * 1e3;
    const Extents strides{16, 8};
    const Extents kept{0, 8};
    std::vector<double> whole(2);
    const Extents whole_shape{300, 2};
    run_reduction(Ufunc::add, types_of(DType::float64), whole_shape, operand(a, strides),
                  operand(whole, kept));
    std::vector<double> tile(1);
    const Extents shape{300, 1};
    run_reduction(Ufunc::add, types_of(DType::float64), shape, operand(a, strides),
                  operand(tile, kept), nullptr, nullptr, 1);
    EXPECT_EQ(tile[0], whole[0]);
    run_reduction(Ufunc::add, types_of(DType::float64), shape, operand(a, strides),
                  operand(tile, kept));
    EXPECT_NE(tile[0], whole[0]) << "a column on its own is a run";
}

TEST(KernelsTest, AReductionWithoutAnIdentityStartsWithTheFirstElement) {
    std::vector<std::int64_t> a = {100, 7, 3};
    std::vector<std::int64_t> out(1);
    const Extents shape{3};
    const Extents row{8};
    const Extents none{0};
    run_reduction(Ufunc::subtract, types_of(DType::int64), shape, operand(a, row),
                  operand(out, none));
    EXPECT_EQ(out[0], 90);
    run_reduction(Ufunc::minimum, types_of(DType::int64), shape, operand(a, row),
                  operand(out, none));
    EXPECT_EQ(out[0], 3);
    const Scalar initial = Scalar::of(std::int64_t{-5});
    run_reduction(Ufunc::minimum, types_of(DType::int64), shape, operand(a, row),
                  operand(out, none), nullptr, &initial);
    EXPECT_EQ(out[0], -5);
}

TEST(KernelsTest, AnAccumulationMayRunAlongAnyAxis) {
    std::vector<std::int64_t> a = {1, 2, 3, 4, 5, 6};
    std::vector<std::int64_t> out(6);
    const Extents shape{2, 3};
    const Extents strides{24, 8};
    run_accumulate(Ufunc::add, types_of(DType::int64), shape, 1, operand(a, strides),
                   operand(out, strides));
    EXPECT_EQ(out, (std::vector<std::int64_t>{1, 3, 6, 4, 9, 15}));
    run_accumulate(Ufunc::add, types_of(DType::int64), shape, 0, operand(a, strides),
                   operand(out, strides));
    EXPECT_EQ(out, (std::vector<std::int64_t>{1, 2, 3, 5, 7, 9}));
}

TEST(KernelsTest, ANanIsTheFirstExtreme) {
    std::vector<double> a = {1, nan, 5, nan, -2, 5};
    std::vector<std::int64_t> out(2);
    const Extents shape{2, 3};
    const Extents strides{24, 8};
    const Extents kept{8, 0};
    run_arg_extreme(Extreme::greatest, shape, 1, operand(a, strides), operand(out, kept));
    EXPECT_EQ(out, (std::vector<std::int64_t>{1, 0}));
    a[1] = 5;
    a[3] = 9;
    run_arg_extreme(Extreme::greatest, shape, 1, operand(a, strides), operand(out, kept));
    EXPECT_EQ(out, (std::vector<std::int64_t>{1, 0}));
    run_arg_extreme(Extreme::least, shape, 1, operand(a, strides), operand(out, kept));
    EXPECT_EQ(out, (std::vector<std::int64_t>{0, 1}));
}

}  // namespace kernels_test
