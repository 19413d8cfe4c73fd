#pragma once

#include <optional>
#include <span>
#include <string>

#include "sizes/number.hpp"

namespace refrain::proxy {

/// A rank that a call names, and the caller's place in its communicator.
struct PartnerSample {
    Setting setting;
    std::int64_t me = 0;
    std::int64_t size = 1;
    std::int64_t value = 0;  // or rank_null
};

/// Which rank a call names.
struct Partner {
    enum class Kind : std::uint8_t {
        nobody,     // MPI_PROC_NULL
        absolute,   // `number`
        from_end,   // size - 1 - `number`
        ring,       // `number` places on, around the end
        row,        // `number` places on; behind the end nobody
        exclusive,  // me xor `number`
        doubling,   // me xor 2 to the `number`
        grid,   // `distance` places on along an axis of the most even grid; behind the edge nobody
        torus,  // the same, around the edge
        transposed,  // in a square grid, row and column exchanged
    } kind = Kind::nobody;
    Number number{};
    int dims = 0, axis = 0, distance = 0;
    bool ascending = false;  // the grid's shortest side comes first

    /// rank_null if there is nobody.
    [[nodiscard]] std::int64_t value(const PartnerSample& at) const;
    /// C; `place`: of the communicator in the arrays of ranks and sizes.
    [[nodiscard]] std::string text(const std::string& place) const;
    [[nodiscard]] bool has_grid() const { return dims != 0 || kind == Kind::transposed; }
};

/// The simplest that gives all samples; nothing if there is none, or if samples cannot tell the neighbour before from the
/// one behind. `grid_dims`: dimensions of the communicator's grid; 0 if it has none.
[[nodiscard]] std::optional<Partner> fit_partner(std::span<const PartnerSample> samples,
                                                 int grid_dims = 0);

}  // namespace refrain::proxy
