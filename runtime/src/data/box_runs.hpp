#pragma once

#include "refrain/detail/box.hpp"

#include <cstddef>

namespace refrain::data {

/// Calls f(position in a, position in b, count) for runs of points of `box` that are contiguous in
/// two arrays, dense and row-major over the boxes `a` and `b`: one for all of an array, else one
/// per line. Precondition: both contain `box`.
template <class F>
void for_each_run(const Box& box, const Box& a, const Box& b, F&& f) {
    if (box.empty()) return;
    if (box.extent(0) == 1 && box.extent(1) == 1) {  // one element, or one line of rank 3
        f(static_cast<std::size_t>(linear_index(a, box.lo)),
          static_cast<std::size_t>(linear_index(b, box.lo)),
          static_cast<std::size_t>(box.extent(2)));
        return;
    }
    // Dimensions behind `run` are spanned entirely by all three.
    int run = rank_max - 1;
    while (run > 0 && box.extent(run) == a.extent(run) && box.extent(run) == b.extent(run)) --run;
    Box starts = box;
    std::int64_t count = 1;
    for (int d = run; d < rank_max; ++d) {
        const auto i = static_cast<std::size_t>(d);
        starts.hi[i] = starts.lo[i] + 1;
        count *= box.extent(d);
    }
    for (std::int64_t i = starts.lo[0]; i < starts.hi[0]; ++i)
        for (std::int64_t j = starts.lo[1]; j < starts.hi[1]; ++j) {
            const Coordinates start{i, j, starts.lo[2]};
            f(static_cast<std::size_t>(linear_index(a, start)),
              static_cast<std::size_t>(linear_index(b, start)), static_cast<std::size_t>(count));
        }
}

}  // namespace refrain::data
