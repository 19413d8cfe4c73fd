#pragma once

#include <cstdint>

namespace refrain::script {

/// Where @location has a call run. Calls pass it as one number.
struct Location {
    std::int64_t rank = 0;
    bool soft = false;     // a wish
    bool by_node = false;  // any rank of that one's node

    [[nodiscard]] std::int64_t code() const {
        return rank * 4 + (soft ? 2 : 0) + (by_node ? 1 : 0);
    }
    [[nodiscard]] static Location of_code(std::int64_t code) {
        return {code >> 2, (code & 2) != 0, (code & 1) != 0};
    }
};

}  // namespace refrain::script
