#pragma once

#include "refrain/autotrace.hpp"

#include <cstdint>

namespace streams {

/// What a recogniser hands operations on to, in order, and tells what it recognised: either whole
/// traces, with begins and ends around them, or what each operation repeats.
class Host : public refrain::autotrace::TraceHost {
  public:
    /// The operation that is handed on next equals `precedent`, an earlier one; and so do the
    /// `context` - 1 operations with a token before either, one by one. No context spans an
    /// operation that is not traceable.
    virtual void repeats(refrain::autotrace::OperationHandle precedent, std::uint32_t context) = 0;
};

}  // namespace streams
