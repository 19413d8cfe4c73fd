// Counts, bits and sums of products of neighbours.
#include <algorithm>
#include <complex>
#include <cstdint>
#include <type_traits>

#include "kernels/loops.hpp"
#include "kernels/whole.hpp"

namespace refrain::array::kernels {

namespace {

/// views: out of rank 1; int64 of rank 1, none negative nor beyond; float64 weights, if `out` is float64.
void bincount(const TaskCall& call) {
    const TaskView& out = call.views[0];
    const TaskView& values = call.views[1];
    const Extent count = values.extent(0);
    std::fill_n(out.address, static_cast<std::size_t>(out.size()) * 8, std::byte{0});
    if (call.views.size() < 3) {
        for (Extent i = 0; i < count; ++i) ++*out.at<std::int64_t>(*values.at<std::int64_t>(i));
        return;
    }
    for (Extent i = 0; i < count; ++i)
        *out.at<double>(*values.at<std::int64_t>(i)) += *call.views[2].at<double>(i);
}

/// views: out, uint8; booleans, of one shape but for an axis; numbers: the axis, 1 for little bits first.
void packbits(const TaskCall& call) {
    const TaskView& out = call.views[0];
    const TaskView& bits = call.views[1];
    const int axis = static_cast<int>(call.numbers[0]);
    const bool little = call.numbers[1] != 0;
    const Extent count = bits.extent(axis);
    for_each_lane(out.layout->shape, axis, std::array<const TaskView*, 2>{&out, &bits},
                  [&](const std::array<std::byte*, 2>& at) {
                      for (Extent byte = 0; byte < out.extent(axis); ++byte) {
                          unsigned packed = 0;
                          for (Extent bit = 0; bit < std::min<Extent>(8, count - 8 * byte); ++bit)
                              if (at[1][(8 * byte + bit) * bits.step(axis)] != std::byte{0})
                                  packed |= 1U << (little ? bit : 7 - bit);
                          at[0][byte * out.step(axis)] = static_cast<std::byte>(packed);
                      }
                  });
}

/// The reverse; bits beyond the last byte are 0.
void unpackbits(const TaskCall& call) {
    const TaskView& out = call.views[0];
    const TaskView& bytes = call.views[1];
    const int axis = static_cast<int>(call.numbers[0]);
    const bool little = call.numbers[1] != 0;
    for_each_lane(out.layout->shape, axis, std::array<const TaskView*, 2>{&out, &bytes},
                  [&](const std::array<std::byte*, 2>& at) {
                      for (Extent i = 0; i < out.extent(axis); ++i) {
                          const Extent bit = i % 8;
                          unsigned packed = 0;
                          if (i / 8 < bytes.extent(axis))
                              packed = std::to_integer<unsigned>(at[1][i / 8 * bytes.step(axis)]);
                          at[0][i * out.step(axis)] =
                              static_cast<std::byte>(packed >> (little ? bit : 7 - bit) & 1U);
                      }
                  });
}

/// Sum of products of two runs.
template <class T>
T product_of(const T* a, const T* b, Extent count) {
    if constexpr (is_bool<T>) {
        bool result = false;
        for (Extent i = 0; i < count; ++i) result = result || (is_true(a[i]) && is_true(b[i]));
        return truth(result);
    } else if constexpr (is_integer<T>) {
        auto sum = wide(T{});
        for (Extent i = 0; i < count; ++i) sum += wide(a[i]) * wide(b[i]);
        return static_cast<T>(sum);
    } else {
        constexpr Extent lanes = 8;
        constexpr Extent few = 32;
        T sum{};
        Extent i = 0;
        if (count >= few) {  // side by side: less error, and quicker
            std::array<T, lanes> sums{};
            for (; i + lanes <= count; i += lanes)
                for (Extent k = 0; k < lanes; ++k)
                    sums[static_cast<std::size_t>(k)] += a[i + k] * b[i + k];
            for (const T& part : sums) sum += part;
        }
        for (; i < count; ++i) sum += a[i] * b[i];
        return sum;
    }
}

/// views: out, a, v: contiguous, of rank 1 and one type, v not longer than a. numbers: how many elements
/// of v lie left of a at the first place.
void correlate(const TaskCall& call) {
    const Extent length = call.views[0].size();
    const Extent a_count = call.views[1].size();
    const Extent v_count = call.views[2].size();
    const Extent left = call.numbers[0];
    const auto run = [&](auto zero) {
        using T = decltype(zero);
        T* out = reinterpret_cast<T*>(call.views[0].address);
        const T* a = reinterpret_cast<const T*>(call.views[1].address);
        const T* v = reinterpret_cast<const T*>(call.views[2].address);
        for (Extent i = 0; i < length; ++i) {
            const Extent begin = i - left;  // of v, in a
            const Extent from = std::max<Extent>(begin, 0);
            const Extent to = std::min(begin + v_count, a_count);
            out[i] = product_of(a + from, v + (from - begin), to - from);
        }
    };
    const auto with_type = [&]<int... I>(std::integer_sequence<int, I...>) {
        ((static_cast<int>(call.views[0].dtype) == I ? run(element<I>{}) : void()), ...);
    };
    with_type(std::make_integer_sequence<int, dtype_count>());
}

constexpr Task counting_table[] = {{"bincount", bincount, 2},
                                   {"packbits", packbits, 8},
                                   {"unpackbits", unpackbits, 8},
                                   {"correlate", correlate, 16}};

}  // namespace

std::span<const Task> counting_tasks() noexcept {
    return counting_table;
}

}  // namespace refrain::array::kernels
