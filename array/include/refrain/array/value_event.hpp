/// What happened to values: a division by zero, an overflow, ... that a loop noticed.
///
/// room: stores
#pragma once

#include "refrain/array/site.hpp"

#include <cstdint>
#include <string_view>

namespace refrain::array {

/// Bits of ValueEvent::flags, as NumPy numbers them.
enum ValueFlag : unsigned {
    value_divided_by_zero = 1,
    value_overflowed = 2,
    value_underflowed = 4,
    value_invalid = 8,
};

/// Which flags of the operations from now on are events, and what becomes of them.
struct ValuePolicy {
    std::uint8_t wanted = value_divided_by_zero | value_overflowed | value_invalid;
    std::uint16_t tag = 0;  ///< of the caller's own; comes back with the event
};

/// One operation in whose values something happened.
struct ValueEvent {
    std::uint64_t order = 0;    ///< operations are numbered in program order
    Site site;                  ///< the line that issued it
    std::string_view function;  ///< of Ufunc; "reduce", "accumulate" or "cast"; lives for ever
    unsigned flags = 0;
    std::uint16_t tag = 0;
};

}  // namespace refrain::array
