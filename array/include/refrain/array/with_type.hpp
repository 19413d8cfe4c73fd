/// From an element type known at run time to one that the compiler knows.
///
///     with_type(DType::int16, []<class T>(T) { return sizeof(T); })      2
///
/// Threads: any.
///
// room: layout
#pragma once

#include "refrain/array/dtype.hpp"

#include <complex>
#include <cstdint>

namespace refrain::array {

/// Calls body with a value of the type, T(); every call of it returns the same type.
template <class Body>
decltype(auto) with_type(DType type, const Body& body) {
    switch (type) {
        case DType::boolean:
            return body(bool{});
        case DType::int8:
            return body(std::int8_t{});
        case DType::uint8:
            return body(std::uint8_t{});
        case DType::int16:
            return body(std::int16_t{});
        case DType::uint16:
            return body(std::uint16_t{});
        case DType::int32:
            return body(std::int32_t{});
        case DType::uint32:
            return body(std::uint32_t{});
        case DType::int64:
            return body(std::int64_t{});
        case DType::uint64:
            return body(std::uint64_t{});
        case DType::float32:
            return body(float{});
        case DType::float64:
            return body(double{});
        case DType::complex64:
            return body(std::complex<float>{});
        case DType::complex128:
            break;
    }
    return body(std::complex<double>{});
}

}  // namespace refrain::array
