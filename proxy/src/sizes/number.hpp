#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace refrain::proxy {

inline constexpr std::size_t loop_depth_max = 6;

/// Where a number was seen.
struct Setting {
    std::int64_t ranks = 1;
    std::int64_t rank = 0;
    std::int64_t size = 0;                             // of the problem; 0: not known
    std::array<std::int64_t, loop_depth_max> loops{};  // iterations, the outermost first
    std::int64_t element = 0;                          // of an array

    friend auto operator<=>(const Setting&, const Setting&) = default;
};

struct NumberSample {
    Setting setting;
    std::int64_t value = 0;
};

/// What numbers are sums of.
///
///     share       items of the problem that a rank has where they are dealt evenly: size / ranks, one more for the first
///     side        of the most even grid of ranks, the longest first
///     coordinate  of a rank in that grid, the last one changes fastest
struct Term {
    enum class Kind : std::uint8_t {
        one,
        loop,  // `axis`: which
        element,
        ranks,
        rank,
        odd,  // rank % 2
        log_ranks,
        size,
        size_by_ranks,
        share,
        largest_share,
        begin_of_share,
        side,
        coordinate,
        size_by_side,
        share_of_side,
        tile,  // share_of_side of all axes, multiplied
        squared_size,
        share_by_size,
        squared_size_by_ranks,
        blocks,  // squared_size_by_ranks, for all ranks
        share_of_element,
        begin_of_element,  // where the share of an element begins
    } kind = Kind::one;
    std::uint8_t dims = 0, axis = 0;

    [[nodiscard]] std::int64_t value(const Setting& setting) const;
    /// C; the problem's size is `problem`, loops are i0, i1, ..., an element is j.
    [[nodiscard]] std::string text() const;
};

/// A sum of terms with whole factors: 2 + 8 * share.
struct Number {
    struct Part {
        std::int64_t factor = 0;
        Term term;
    };
    std::vector<Part> parts;  // none: 0
    /// Another part of the size that has the same values in all samples as a term of the sum.
    std::optional<Term> twin;

    [[nodiscard]] static Number constant(std::int64_t value) { return {{{value, {}}}, {}}; }
    [[nodiscard]] std::int64_t value(const Setting& setting) const;
    [[nodiscard]] std::string text() const;
    /// The value, if it is the same everywhere.
    [[nodiscard]] std::optional<std::int64_t> constant() const;
    /// Whether it follows from sides or coordinates of a grid.
    [[nodiscard]] bool has_grid() const;
};

/// The simplest sum that gives all samples: fewer terms first. One with k terms is taken only if more than k different
/// samples hold it, so that each has at least one that it was not made of.
///
/// fit_number({4 ranks, size 64: 16}, {9, 90: 10}, {16, 64: 4}) -> size / ranks
///
/// Complexity: some thousand sums, each as far as the first sample that contradicts.
[[nodiscard]] std::optional<Number> fit_number(std::span<const NumberSample> samples);

/// A side of the most even grid of `dims` dimensions, the longest first: 12 ranks, 2 dimensions: 4, 3.
[[nodiscard]] std::int64_t grid_side(std::int64_t ranks, int dims, int axis);
[[nodiscard]] std::int64_t grid_coordinate(std::int64_t rank, std::int64_t ranks, int dims,
                                           int axis);

}  // namespace refrain::proxy
