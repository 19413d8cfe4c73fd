/// A reduction operator on one element type, as functions over arrays.
///
/// There is one ReductionFunctions per (operator, element type) in a program, identified by its
/// address: reductions with equal addresses commute.
#pragma once

#include <cstddef>

namespace refrain::data {

struct ReductionFunctions {
    const char* name;                                       ///< such as "Sum"; for messages
    void (*initialise)(void* elements, std::size_t count);  ///< constructs identity values
    void (*fold)(void* into, const void* from, std::size_t count);
    std::size_t element_bytes;
};

}  // namespace refrain::data
