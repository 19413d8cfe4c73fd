/// Sums of a run of floating-point elements in NumPy's order: below eight from left to right; up to a
/// block with eight accumulators, joined ((0+1)+(2+3))+((4+5)+(6+7)), the rest one by one; above in
/// halves, the left a multiple of eight. Complex numbers count as two, in one block.
///
// room: kernels
#pragma once

#include <array>
#include <complex>
#include <cstdint>

#include "kernels/loops.hpp"

namespace refrain::array::kernels {
inline namespace REFRAIN_ARRAY_VARIANT {

/// `a` is the first element; `step` counts elements, a constant where they lie side by side.
template <class R, class Step>
R pairwise_sum(const R* a, std::int64_t count, Step step) noexcept {
    constexpr std::int64_t block = 128;
    if (count < 8) {
        R sum = 0;
        for (std::int64_t i = 0; i < count; ++i) sum += a[i * step];
        return sum;
    }
    if (count <= block) {
        std::array<R, 8> sums;
        for (std::int64_t k = 0; k < 8; ++k) sums[static_cast<std::size_t>(k)] = a[k * step];
        std::int64_t i = 8;
        for (; i < count - count % 8; i += 8)
            for (std::int64_t k = 0; k < 8; ++k)
                sums[static_cast<std::size_t>(k)] += a[(i + k) * step];
        R sum = ((sums[0] + sums[1]) + (sums[2] + sums[3])) +
                ((sums[4] + sums[5]) + (sums[6] + sums[7]));
        for (; i < count; ++i) sum += a[i * step];
        return sum;
    }
    std::int64_t half = count / 2;
    half -= half % 8;
    return pairwise_sum(a, half, step) + pairwise_sum(a + half * step, count - half, step);
}

template <class R, class Step>
std::complex<R> pairwise_sum(const std::complex<R>* elements, std::int64_t count,
                             Step step) noexcept {
    constexpr std::int64_t block = 64;
    const R* a = reinterpret_cast<const R*>(elements);
    const std::int64_t parts_step = 2 * step;
    if (count < 4) {
        std::complex<R> sum(0, 0);
        for (std::int64_t i = 0; i < count; ++i) sum += elements[i * step];
        return sum;
    }
    if (count <= block) {
        std::array<R, 8> sums;
        const auto part = [&](std::int64_t first, std::size_t k) {
            return a[(first + static_cast<std::int64_t>(k / 2)) * parts_step +
                     static_cast<std::int64_t>(k % 2)];
        };
        for (std::size_t k = 0; k < 8; ++k) sums[k] = part(0, k);
        std::int64_t i = 4;
        for (; i < count - count % 4; i += 4)
            for (std::size_t k = 0; k < 8; ++k) sums[k] += part(i, k);
        std::complex<R> sum((sums[0] + sums[2]) + (sums[4] + sums[6]),
                            (sums[1] + sums[3]) + (sums[5] + sums[7]));
        for (; i < count; ++i) sum += elements[i * step];
        return sum;
    }
    std::int64_t half = count / 2;  // of the parts, a multiple of eight: of the numbers, of four
    half -= half % 4;
    return pairwise_sum(elements, half, step) +
           pairwise_sum(elements + half * step, count - half, step);
}

}  // namespace REFRAIN_ARRAY_VARIANT
}  // namespace refrain::array::kernels
