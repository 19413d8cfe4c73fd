#pragma once

#include "ir/program.hpp"

#include <string>

namespace refrain::script::ir {

/// The text of a program, without the definitions of leaves, structs and subtypes.
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
///
/// A third number of a place is that of the source file, if it is not the script itself.
[[nodiscard]] std::string print(const Program& program);

}  // namespace refrain::script::ir
