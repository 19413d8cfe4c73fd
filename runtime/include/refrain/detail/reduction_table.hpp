/// A reduction operator on one element type as plain functions over arrays.
///
/// There is one ReductionFunctions per (operator, element type) in a program; its address is the
/// operator's identity: equal addresses mean that partial results may be folded in any order.
#pragma once

#include <cstddef>

namespace refrain::data {

struct ReductionFunctions {
    const char* name;                                       ///< for messages: "Sum"
    void (*initialise)(void* elements, std::size_t count);  ///< constructs identities
    void (*fold)(void* into, const void* from, std::size_t count);
    std::size_t element_bytes;
};

}  // namespace refrain::data
