/// Compares the observed effects of a program with those that the oracle expects.
#pragma once

#include <string>

#include "property/execute.hpp"
#include "property/oracle.hpp"

namespace refrain::property {

/// The first difference, in words; empty if there is none.
[[nodiscard]] std::string difference(const Program& program, const std::vector<Seen>& expected,
                                     const Execution& run);

/// The same of a run for which there was too little memory: what it got is right, whatever it did not
/// get is an OutOfMemory, and no task ran twice.
[[nodiscard]] std::string difference_when_starved(const Program& program,
                                                  const std::vector<Seen>& expected,
                                                  const Execution& run);

}  // namespace refrain::property
