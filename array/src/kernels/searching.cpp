// Places in sorted arrays.
#include <cmath>
#include <cstdint>
#include <vector>

#include "kernels/ordering.hpp"
#include "kernels/whole.hpp"

namespace refrain::array::kernels {

namespace {

template <bool right>
void search(const TaskCall& call) {
    const TaskView& out = call.views[0];
    const TaskView& keys = call.views[1];
    const TaskView& array = call.views[2];
    const Extent length = array.extent(0);
    const TaskView* sorter = call.views.size() > 3 ? &call.views[3] : nullptr;
    if (keys.size() == 0) return;
    with_ordered(array.dtype, [&](auto zero) {
        using T = decltype(zero);
        const auto before = [](const T& a, const T& b) {
            return right ? !comes_before(b, a) : comes_before(a, b);
        };
        // The layout's steps are looked up once: a search is a chain of loads.
        const std::byte* sorted = array.address;
        const Extent step = array.step(0);
        const auto element_at = [&](Extent place) {
            return *reinterpret_cast<const T*>(sorted + place * step);
        };
        T last = *reinterpret_cast<const T*>(keys.address);
        Extent low = 0;
        Extent high = length;
        for_each_lane(keys.layout->shape, -1, std::array<const TaskView*, 2>{&out, &keys},
                      [&](const std::array<std::byte*, 2>& at) {
                          const T key = *reinterpret_cast<const T*>(at[1]);
                          if (before(last, key)) {
                              high = length;
                          } else {
                              low = 0;
                              high = high < length ? high + 1 : length;
                          }
                          last = key;
                          while (low < high) {
                              const Extent middle = low + ((high - low) >> 1);
                              const Extent place =
                                  sorter != nullptr ? *sorter->at<std::int64_t>(middle) : middle;
                              if (before(element_at(place), key))
                                  low = middle + 1;
                              else
                                  high = middle;
                          }
                          *reinterpret_cast<std::int64_t*>(at[0]) = low;
                      });
    });
}

/// views: out, int64; keys of its shape; the sorted array, of rank 1; int64 indices that sort it, if it
/// is not sorted. numbers: 1 for the place behind equal elements. The steps are NumPy's, so that arrays
/// that are not sorted give the same, too.
void searchsorted(const TaskCall& call) {
    if (call.numbers[0] != 0)
        search<true>(call);
    else
        search<false>(call);
}

/// The last of ascending numbers that is not above the key, looked for near a guess first; -1 before
/// the first one, `count` behind the last one. The steps are NumPy's.
Extent find_near(double key, const double* numbers, Extent count, Extent guess) {
    constexpr Extent near = 8;
    if (key > numbers[count - 1]) return count;
    if (key < numbers[0]) return -1;
    if (count <= 4) {
        Extent i = 1;
        while (i < count && key >= numbers[i]) ++i;
        return i - 1;
    }
    guess = std::max<Extent>(std::min(guess, count - 3), 1);
    Extent low = 0;
    Extent high = count;
    if (key < numbers[guess]) {
        if (key >= numbers[guess - 1]) return guess - 1;
        high = guess - 1;
        if (guess > near && key >= numbers[guess - near]) low = guess - near;
    } else {
        if (key < numbers[guess + 1]) return guess;
        if (key < numbers[guess + 2]) return guess + 1;
        low = guess + 2;
        if (guess < count - near - 1 && key < numbers[guess + near]) high = guess + near;
    }
    while (low < high) {
        const Extent middle = low + ((high - low) >> 1);
        if (key >= numbers[middle])
            low = middle + 1;
        else
            high = middle;
    }
    return low - 1;
}

/// views: out, x of its shape, xp and fp of rank 1 and contiguous, the values left and right of xp: all
/// float64.
void interpolate(const TaskCall& call) {
    const TaskView& out = call.views[0];
    const auto* xp = reinterpret_cast<const double*>(call.views[2].address);
    const auto* fp = reinterpret_cast<const double*>(call.views[3].address);
    const double left = *reinterpret_cast<const double*>(call.views[4].address);
    const double right = *reinterpret_cast<const double*>(call.views[5].address);
    const Extent points = call.views[2].extent(0);
    const auto slope_at = [&](Extent j) { return (fp[j + 1] - fp[j]) / (xp[j + 1] - xp[j]); };
    std::vector<double> slopes;
    if (points > 1 && points <= out.size()) {
        for (Extent j = 0; j + 1 < points; ++j) slopes.push_back(slope_at(j));
    }
    Extent j = 0;
    const auto value_at = [&](double x) {
        if (std::isnan(x)) return points == 1 ? fp[0] : x;
        if (points == 1) return x < xp[0] ? left : x > xp[0] ? right : fp[0];
        j = find_near(x, xp, points, j);
        if (j == -1) return left;
        if (j == points) return right;
        if (j == points - 1 || xp[j] == x) return fp[j];
        const double slope = slopes.empty() ? slope_at(j) : slopes[static_cast<std::size_t>(j)];
        double value = slope * (x - xp[j]) + fp[j];
        if (std::isnan(value)) {
            value = slope * (x - xp[j + 1]) + fp[j + 1];
            if (std::isnan(value) && fp[j] == fp[j + 1]) value = fp[j];
        }
        return value;
    };
    for_each_lane(out.layout->shape, -1, std::array<const TaskView*, 2>{&out, &call.views[1]},
                  [&](const std::array<std::byte*, 2>& at) {
                      *reinterpret_cast<double*>(at[0]) =
                          value_at(*reinterpret_cast<const double*>(at[1]));
                  });
}

constexpr Task searching_table[] = {{"searchsorted", searchsorted, 16},
                                    {"interp", interpolate, 16}};

}  // namespace

std::span<const Task> searching_tasks() noexcept {
    return searching_table;
}

}  // namespace refrain::array::kernels
