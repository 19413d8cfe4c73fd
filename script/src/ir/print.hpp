#pragma once

#include "ir/program.hpp"

#include <string>

namespace refrain::script::ir {

/// The text of a program; parse_program reads it back.
///
///     function fib (output o int) (input n int) {
///       datum t boolean
///       compute less_int [t] [n, 2] @3:7
///       wait [t] @3:3 {
///         local v boolean
///         load [v] [t] @3:3
///         if v {
///           copy [o] [n] @4:5
///         } else {
///         }
///       }
///     }
[[nodiscard]] std::string print(const Program& program);
[[nodiscard]] std::string print(const Function& function);

}  // namespace refrain::script::ir
