#pragma once

#include "base/ordinal.hpp"

namespace refrain::graph {

/// Operations are numbered from 1 in launch order; 0 is none.
using OperationNumber = base::Ordinal<struct OperationKind>;

}  // namespace refrain::graph
