#pragma once

#include "strings/index.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace refrain::autotrace {

/// The smallest p > 0 with s[i] == s[i + p] wherever both exist; n if no shorter one does.
///
/// smallest_period(abcabca) -> 3
///
/// Complexity:  O(n); `borders` keeps its memory between calls.
/// Source:      Knuth, Morris, Pratt, 1977.
[[nodiscard]] inline std::size_t smallest_period(std::span<const strings::Symbol> symbols,
                                                 std::vector<std::uint32_t>& borders) {
    const std::size_t n = symbols.size();
    if (n == 0) return 0;
    borders.resize(std::max(borders.size(), n));
    borders[0] = 0;
    std::uint32_t border = 0;
    for (std::size_t i = 1; i < n; ++i) {
        while (border > 0 && symbols[i] != symbols[border]) border = borders[border - 1];
        if (symbols[i] == symbols[border]) ++border;
        borders[i] = border;
    }
    return n - border;
}

/// The offset of the smallest rotation in the order `less` of elements.
///
/// least_rotation(cab) -> 1
///
/// Complexity:  O(n) comparisons, no memory.
/// Source:      Shiloach, "Fast canonization of circular strings", 1981.
template <class At, class Less>
[[nodiscard]] std::size_t least_rotation(std::size_t n, At at, Less less) {
    std::size_t i = 0;
    std::size_t j = 1;
    std::size_t same = 0;
    while (i < n && j < n && same < n) {
        const auto& a = at((i + same) % n);
        const auto& b = at((j + same) % n);
        if (less(a, b)) {
            j += same + 1;
        } else if (less(b, a)) {
            i += same + 1;
        } else {
            ++same;
            continue;
        }
        if (i == j) ++j;
        same = 0;
    }
    return std::min(i, j);
}

}  // namespace refrain::autotrace
