#pragma once

#include "ir/program.hpp"

namespace refrain::script::passes {

/// Two loops of a block that go over the same, range loops of equal ends or loops over one array, become one, if a turn of the
/// second needs an element that the same turn of the first assigns, or adds to it, too.
///
///     range counter i int in [1, n, 1] { store [A[i]] [i] }   range counter j int in [1, n, 1] { wait [A[j]] { B } }
///     ->  range counter j int in [1, n, 1] { store [A[j]] [j]  wait [A[j]] { B } }
///
/// The first moves to the second. Loops that do not build on one another stay apart: what one assigns would be final only when
/// the other has ended, and nothing would be saved. Turns of both are brief, as of loops that expand_loops() takes: what they
/// start are tasks of their own, which run side by side, and no assignment comes to stand behind a call.
///
/// Afterwards: no two such loops are left, unless a call stands between them.
///
/// STC's name: controlflow-fusion. Source: the paper, 4.5.
[[nodiscard]] ir::Program fuse_loops(ir::Program program);

}  // namespace refrain::script::passes
