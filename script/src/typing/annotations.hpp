#pragma once

#include "ir/leaf_policy.hpp"
#include "syntax/tree.hpp"

namespace refrain::script {

/// Refuses annotations that there are not, and those of leaf functions before a function that is none.
/// Errors: Rejection.
void check_annotations(const FunctionTree& tree);

/// What the annotations of an app or an extension function say about its calls. Errors: Rejection.
[[nodiscard]] ir::LeafPolicy leaf_policy_of(const FunctionTree& tree);

/// Errors: Rejection for an annotation that the statement cannot have, and for two that contradict each other.
void check_annotations(const Statement& statement);

}  // namespace refrain::script
