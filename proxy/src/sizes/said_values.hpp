#pragma once

#include "events/event.hpp"

/// Which values of a call a program says, and which of them may be formulas.
namespace refrain::proxy {

[[nodiscard]] bool may_follow_formula(Role role);
/// How many values of an argument a program says: of what comes out, only the number of a handle.
[[nodiscard]] std::size_t said_values(const Argument& argument);
[[nodiscard]] bool is_unused(Role role, std::int64_t value);

}  // namespace refrain::proxy
