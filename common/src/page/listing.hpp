#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace refrain::page {

/// A symbol, or a loop over a shorter sequence: a sequence with its loops folded is a list of these.
///
///     fold({1, 2, 2, 2, 3, 1, 2, 2, 2, 3})  ->  2 x ( 1, 3 x ( 2 ), 3 )
///
struct Fold {
    std::uint32_t times = 1;
    std::uint32_t symbol = 0;  // if the body is empty
    std::vector<Fold> body;

    [[nodiscard]] bool is_loop() const { return !body.empty(); }
    friend bool operator==(const Fold&, const Fold&) = default;
};

/// Folds greedily from left to right: at each place it takes the loop that covers most, and among equals
/// the one with the shortest body. Stops after `parts_max` parts; the rest of the sequence is left out.
///
/// Complexity:  O(body_max) comparisons per part, and one per symbol of each loop tried.
[[nodiscard]] std::vector<Fold> fold(std::span<const std::uint32_t> sequence,
                                     std::size_t parts_max = ~std::size_t{0});

/// The inverse of fold().
[[nodiscard]] std::vector<std::uint32_t> unfold(const std::vector<Fold>& folds);

}  // namespace refrain::page
