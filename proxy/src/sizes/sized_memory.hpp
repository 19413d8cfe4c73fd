#pragma once

#include <utility>
#include <vector>

#include "sizes/member.hpp"

namespace refrain::proxy {

/// Memory of messages that are in use at the same time.
struct SizedSlots {
    Number count;
    std::vector<std::pair<Number, Number>> extents;  // before and behind; one for all, or one each
};
struct SizedMemory {
    SizedSlots slots;
    Number requests;
};

/// Errors: std::runtime_error that names what follows no formula
[[nodiscard]] SizedMemory fit_memory(const std::vector<SizedInput>& inputs);

}  // namespace refrain::proxy
