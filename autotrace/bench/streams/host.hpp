#pragma once

#include "refrain/autotrace.hpp"

#include <cstdint>

namespace streams {

/// Receives the operations in order, and what the recogniser found: either traces, between begin
/// and end, or the precedent of each operation.
class Host : public refrain::autotrace::TraceHost {
  public:
    /// The operation issued next equals the earlier operation `precedent`, and the `context` - 1
    /// traceable operations before them are equal pair by pair. No context spans an untraceable
    /// operation.
    virtual void repeats(refrain::autotrace::OperationHandle precedent, std::uint32_t context) = 0;
};

}  // namespace streams
