// room: regions
/// A task that threw: which one, and with what message (Runtime::take_failures).
///
/// Threads: a value; copies share the exception.
#pragma once

#include "refrain/error.hpp"

#include <cstdint>

namespace refrain {

struct FailedTask {
    std::uint64_t operation = 0;  ///< from 1 in launch order, as in Dependence
    std::uint32_t point = 0;      ///< of an index launch: from 0 in row-major order
    TaskError error;              ///< task, launch site, message and exception
};

}  // namespace refrain
