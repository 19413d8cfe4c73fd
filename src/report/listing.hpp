#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace refrain::report {

/// A sequence with its loops folded.
///
///     fold({1, 2, 2, 2, 3, 1, 2, 2, 2, 3})  ->  2 x ( 1, 3 x ( 2 ), 3 )
///
struct Fold {
    std::uint32_t times = 1;
    std::uint32_t symbol = 0;  // if there is no body
    std::vector<Fold> body;

    [[nodiscard]] bool is_loop() const { return !body.empty(); }
    friend bool operator==(const Fold&, const Fold&) = default;
};

/// Greedy: from left to right, the loop that covers most, the shortest body among equals.
///
/// Complexity:  O(n * body_max) comparisons per level of nesting, mostly far fewer.
[[nodiscard]] std::vector<Fold> fold(std::span<const std::uint32_t> sequence);

/// The sequence again.
[[nodiscard]] std::vector<std::uint32_t> unfold(const std::vector<Fold>& folds);

}  // namespace refrain::report
