#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace refrain::commands {

/// A window of this many traceable operations is *steady* if this share of them was replayed.
inline constexpr std::uint64_t steady_window_operations = 1000;
inline constexpr double steady_share = 0.99;

/// The share of the operations from `begin` on that was replayed.
[[nodiscard]] inline double replayed_share(const std::vector<bool>& replayed, std::size_t begin) {
    if (begin == replayed.size()) return 0;
    const auto from = replayed.begin() + static_cast<std::ptrdiff_t>(begin);
    return static_cast<double>(std::count(from, replayed.end(), true)) /
           static_cast<double>(replayed.size() - begin);
}

/// Operations before the first steady window.
[[nodiscard]] inline std::optional<std::uint64_t> first_steady_window(
    const std::vector<bool>& replayed) {
    constexpr std::uint64_t window = steady_window_operations;
    std::uint64_t count = 0;
    for (std::uint64_t end = 0; end < replayed.size(); ++end) {
        count += replayed[end] ? 1 : 0;
        if (end >= window) count -= replayed[end - window] ? 1 : 0;
        if (end + 1 >= window && static_cast<double>(count) >= steady_share * window)
            return end + 1 - window;
    }
    return std::nullopt;
}

}  // namespace refrain::commands
