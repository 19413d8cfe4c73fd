#pragma once

#include "ir/program.hpp"

#include <map>

namespace refrain::script::ir {

/// How a statement uses the variables that are declared outside of it, blocks in it included.
struct Usage {
    bool reads = false;
    bool writes = false;
};
using UsageMap = std::map<VariableId, Usage>;

[[nodiscard]] UsageMap usage_of(const Statement& statement);
/// Of a block, without the variables that it declares itself.
[[nodiscard]] UsageMap usage_of(const Block& block);

}  // namespace refrain::script::ir
