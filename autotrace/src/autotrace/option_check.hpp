#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace refrain::autotrace::detail {

/// Throws the error for an invalid option: its name, its value, and the way out.
[[noreturn]] inline void reject(const std::string& option, const std::string& value,
                                const std::string& reason) {
    throw std::invalid_argument("automatic tracing: option '" + option + "' is " + value + ", " +
                                reason);
}

inline void require_between(const char* option, std::size_t value, std::size_t least,
                            std::size_t most) {
    if (value >= least && value <= most) return;
    reject(option, std::to_string(value),
           "outside [" + std::to_string(least) + ", " + std::to_string(most) +
               "]; choose a value in that range");
}

}  // namespace refrain::autotrace::detail
