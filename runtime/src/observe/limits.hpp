#pragma once

#include <cstdint>

namespace refrain::observe {

/// Options of the run that explanations quote.
struct Limits {
    std::uint64_t history = 0;           // operations
    std::uint64_t window = 0;            // operations
    std::uint64_t trace_min_length = 0;  // operations
    std::uint64_t multi_scale_factor = 0;
    std::uint64_t trace_bytes = 0;
    std::uint64_t analysis_bytes = 0;
};

}  // namespace refrain::observe
