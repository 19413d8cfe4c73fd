#pragma once

#include "ir/program.hpp"

namespace refrain::script::passes {

struct ValueNumbering {
    bool fold_constants = true;  // constant-fold
    bool finality = true;        // finalized-var: what is known to be final is not waited for
    bool number = true;          // value-number: an operation on values is done once
};

/// Follows values down the tree of blocks: what a task has stored or loaded, computed, or knows from a branch.
///
///     store [x] [3]  wait [x] { load [v] [x]  compute_now plus_int [w] [v, 1] ... }   ->   store [x] [3]  ... w is 4
///
/// Afterwards: no task waits for a datum, or loads it, whose value it has. A wait with nothing left to wait for has become
/// part of its block, or guards it where a value may have failed. No pure operation has only constant inputs (unless it
/// would fail). No operation on values is done twice on one path. No branch has a constant condition. In each block
/// assignments of known values stand before the tasks that may need them.
///
/// Folding runs the function of the library that the run would call: equal in every digit.
///
/// Source: the paper, 4.5, forward data flow; P. Briggs, K. Cooper, L. Simpson, Value numbering (1997).
[[nodiscard]] ir::Program number_values(ir::Program program, const ValueNumbering& switches = {});

}  // namespace refrain::script::passes
