#pragma once

#include <cstdint>
#include <string>

namespace refrain::observe {

/// Returns "1 operation", "2 operations" and so on.
[[nodiscard]] inline std::string operations(std::uint64_t count) {
    return std::to_string(count) + (count == 1 ? " operation" : " operations");
}

}  // namespace refrain::observe
