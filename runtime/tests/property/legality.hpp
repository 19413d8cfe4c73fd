/// Whether a statement is legal at its place in a program; if not, whether Refrain must refuse it.
#pragma once

#include "property/oracle.hpp"

namespace refrain::property {

enum class Legality : std::uint8_t {
    legal,
    /// Meaningless, and the runtime must refuse it: points of a launch conflict, a colour does not
    /// exist, a conflicting host view is open, or a region to read was never written.
    refused,
    /// Meaningless, and the runtime need not notice: an invalid handle, elements that were never
    /// written, reductions within one task whose order is open.
    undefined,
};

/// Judges the statement as the next one of the program that the oracle has executed so far.
[[nodiscard]] Legality judge(const Oracle& oracle, const Statement& statement);

/// Drops every statement that is undefined at its place, or became so by earlier drops, and appends
/// statements that close open traces and views.
[[nodiscard]] Program repaired(const Program& program);

}  // namespace refrain::property
