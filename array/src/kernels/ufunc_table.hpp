/// What is known of each elementwise function: the one table that types, flags, reductions and costs are
/// read from.
///
// room: kernels
#pragma once

#include "refrain/array/ufunc.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace refrain::array {

/// The output's type: the loop's, boolean, or the type of a complex number's parts.
enum class Result : std::uint8_t { same, boolean, real };
/// What a reduction starts with.
enum class Identity : std::uint8_t { none, zero, one, all_bits, minus_infinity };

/// Traits of a function, a set.
/// It computes in the operands' common type, and in no other; the loops of the others are tried one after
/// the other.
inline constexpr unsigned common_type = 1;
/// What a comparison with NaN or moving a value sets in the machine is no flag of its values.
inline constexpr unsigned raises_nothing = 2;
/// Reductions may pair elements as they like.
inline constexpr unsigned any_order = 4;

struct UfuncFacts {
    std::string_view name;
    std::uint8_t inputs = 1;
    /// The loops in the order in which NumPy tries them, a letter for each, which is the type of all
    /// operands: e is float16, F and D are complex.
    std::string_view loops;
    Result result = Result::same;
    unsigned traits = 0;
    Identity identity = Identity::none;
    /// Of an element, in bytes that could be touched instead.
    std::uint8_t cost = 1;

    [[nodiscard]] constexpr bool has(unsigned trait) const noexcept {
        return (traits & trait) != 0;
    }
};

extern const std::array<UfuncFacts, ufunc_count> ufunc_table;
[[nodiscard]] inline const UfuncFacts& facts_of(Ufunc function) noexcept {
    return ufunc_table[static_cast<std::size_t>(function)];
}

}  // namespace refrain::array
