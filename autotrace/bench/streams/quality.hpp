#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace streams {

/// Operations looked at together when a steady state is looked for; a quarter of a stream that is
/// shorter than four times that.
inline constexpr std::size_t steady_window = 5000;
inline constexpr double steady_share = 0.99;

[[nodiscard]] inline std::size_t count_of(const std::vector<bool>& replayed, std::size_t begin,
                                          std::size_t end) {
    const auto at = [&](std::size_t i) {
        return replayed.begin() + static_cast<std::ptrdiff_t>(i);
    };
    return static_cast<std::size_t>(std::count(at(begin), at(end), true));
}

/// The share replayed from operation `begin` on.
[[nodiscard]] inline double share_from(const std::vector<bool>& replayed, std::size_t begin) {
    if (begin >= replayed.size()) return 0;
    return static_cast<double>(count_of(replayed, begin, replayed.size())) /
           static_cast<double>(replayed.size() - begin);
}

[[nodiscard]] inline std::optional<std::uint64_t> first_of(const std::vector<bool>& replayed) {
    const auto first = std::find(replayed.begin(), replayed.end(), true);
    if (first == replayed.end()) return std::nullopt;
    return static_cast<std::uint64_t>(first - replayed.begin());
}

/// The operation from which on the steady state lasts to the end: of any `window` successive ones
/// from there, 99 % or more are replayed. Nothing, if that is so of none.
///
///     100 operations not replayed, then 99,900 that are: 50 (a window may lack one in a hundred)
[[nodiscard]] inline std::optional<std::uint64_t> steady_from(const std::vector<bool>& replayed,
                                                              std::size_t window = steady_window) {
    window = std::min(window, replayed.size() / 4);
    if (window == 0) return std::nullopt;
    const auto enough = steady_share * static_cast<double>(window);
    std::size_t begin = replayed.size() - window;
    std::size_t count = count_of(replayed, begin, replayed.size());
    std::optional<std::uint64_t> steady;
    while (static_cast<double>(count) >= enough) {
        steady = begin;
        if (begin-- == 0) break;
        count += replayed[begin] ? 1 : 0;
        count -= replayed[begin + window] ? 1 : 0;
    }
    return steady;
}

}  // namespace streams
