#pragma once

#include "ir/program.hpp"
#include "leaves/leaf.hpp"

namespace refrain::script {

/// A function of C, called through libffi: docs/other_languages.md says by which parameters. The compiler has refused types that
/// do not pass.
[[nodiscard]] std::unique_ptr<Leaf> c_leaf(const ir::LeafDefinition& definition, void* symbol);

}  // namespace refrain::script
