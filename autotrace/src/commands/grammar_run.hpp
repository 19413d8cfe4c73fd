#pragma once

#include "commands/operation_reader.hpp"

#include <cstdint>
#include <functional>
#include <iosfwd>

namespace refrain::commands {

/// Prints the grammar of a stream (strings::RunGrammar), a rule on each line; rule 0 is the whole stream:
///
///     1 2 3 1 2 3 1 2 3 !     R0 = R1^3 !
///                             R1 = 1 2 3
///
/// `progress` is called with the number of lines read about every million lines.
/// Errors:     MalformedLine
/// Complexity: time linear in the stream, memory in its grammar and its different operations.
void print_grammar(std::ostream& out, OperationReader& reader,
                   const std::function<void(std::uint64_t)>& progress);

}  // namespace refrain::commands
