/// Compares what the runtime let a program see with what the oracle says it must see.
#pragma once

#include <string>

#include "property/execute.hpp"
#include "property/oracle.hpp"

namespace refrain::property {

/// The first difference, in words; empty if there is none.
[[nodiscard]] std::string difference(const Program& program, const std::vector<Seen>& expected,
                                     const Execution& run);

}  // namespace refrain::property
