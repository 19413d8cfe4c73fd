#pragma once

#include <compare>
#include <cstdint>

namespace refrain::script {

/// A place in a source file: its number in the list of files, and line and column from 1. Line 0: no place.
struct Position {
    std::uint32_t file = 0;
    std::uint32_t line = 0;
    std::uint32_t column = 0;

    friend auto operator<=>(const Position&, const Position&) = default;
};

}  // namespace refrain::script
