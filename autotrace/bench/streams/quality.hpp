#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace streams {

/// Window for the steady state, in operations; at most a quarter of the stream.
inline constexpr std::size_t steady_window = 5000;
inline constexpr double steady_share = 0.99;

[[nodiscard]] inline std::size_t count_of(const std::vector<bool>& replayed, std::size_t begin,
                                          std::size_t end) {
    const auto at = [&](std::size_t i) {
        return replayed.begin() + static_cast<std::ptrdiff_t>(i);
    };
    return static_cast<std::size_t>(std::count(at(begin), at(end), true));
}

/// The share of the operations from `begin` on that was replayed.
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

/// The beginning of the steady state: the first operation from which on 99 % or more of every
/// `window` successive operations are replayed; nothing if there is none.
///
///     100 operations not replayed, then 99,900 replayed: 50 (1 % of a window need not be replayed)
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
