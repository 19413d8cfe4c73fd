#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace refrain::proxy {

/// A call, or a loop of steps.
struct Step {
    std::uint32_t symbol = 0;  // of a call
    std::uint64_t count = 1;   // how often `body` is made
    std::vector<Step> body;    // empty: a call
    std::uint64_t hash = 0;    // of all of this

    [[nodiscard]] bool is_loop() const { return !body.empty(); }
};

/// Finds loops in a sequence of symbols: what follows itself becomes a loop, the shortest body first.
///
///     fold({a, b, b, c, b, b, c, d}) -> a, 2 x (2 x (b), c), d
///
/// Which loops are found does not depend on how often they are made, from 2 times on: so runs of one program on
/// different numbers of ranks have the same steps.
///
/// Complexity: the number of symbols times the longest body that is looked for.
/// Source: regular section descriptors, Noeth et al., ScalaTrace (2009).
[[nodiscard]] std::vector<Step> fold(std::span<const std::uint32_t> symbols,
                                     std::size_t body_max = 1024);

/// Whether two lists of steps are the same but for how often loops are made.
[[nodiscard]] bool same_form(std::span<const Step> a, std::span<const Step> b);

}  // namespace refrain::proxy
