#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace refrain::page {

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

/// Greedy: from left to right, the loop that covers most, the shortest body among equals; until there
/// are `parts_max`. What follows those is left out.
///
/// Complexity:  O(body_max) comparisons per part, and those that the loops take.
[[nodiscard]] std::vector<Fold> fold(std::span<const std::uint32_t> sequence,
                                     std::size_t parts_max = ~std::size_t{0});

/// The sequence again.
[[nodiscard]] std::vector<std::uint32_t> unfold(const std::vector<Fold>& folds);

}  // namespace refrain::page
