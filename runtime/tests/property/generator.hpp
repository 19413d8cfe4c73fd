/// Random programs from seeds.
///
/// A program is made as its author would write it: variables, straight-line parts, loops whose
/// bodies repeat, phases A B A B, branches, handles that swap places, temporaries that are made
/// afresh in each iteration. Each statement is tried on the oracle and kept if it has a meaning
/// there, so programs are legal by construction. Sizes are squeezed and features switched per seed,
/// so that rare paths are common.
///
/// generate(7) gives the same program on every machine.
#pragma once

#include "property/program.hpp"

namespace refrain::property {

struct GeneratorLimits {
    int statements = 300;
    bool misuse = true;    // statements that must be refused
    bool failures = true;  // tasks that throw
    Reductions reductions = Reductions::free;
};

[[nodiscard]] Program generate(std::uint64_t seed, const GeneratorLimits& limits = {});

}  // namespace refrain::property
