/// Whether a statement has a meaning where it stands, and if not, who is to say so.
#pragma once

#include "property/oracle.hpp"

namespace refrain::property {

enum class Legality : std::uint8_t {
    legal,
    /// Meaningless in a way that the runtime promises to refuse: points of a launch conflict, a
    /// colour that there is not, a region that the host holds open, values of a region that nothing
    /// has written.
    refused,
    /// Nothing that a program may do, and nobody promises to notice: a handle that is not alive,
    /// values that were never written, an order of reductions within one task.
    senseless,
};

/// Judges the statement as the next one of the oracle's program.
[[nodiscard]] Legality judge(const Oracle& oracle, const Statement& statement);

/// Drops every statement that has no sense where it stands, or none without others that are gone,
/// and closes what is left open.
[[nodiscard]] Program repaired(const Program& program);

}  // namespace refrain::property
