#include "refrain/array/dtype.hpp"

namespace refrain::array {

namespace {

struct TypeFacts {
    std::string_view name;
    std::size_t bytes;
    DTypeKind kind;
};
constexpr std::array<TypeFacts, dtype_count> facts{{
    {"bool", 1, DTypeKind::boolean},
    {"int8", 1, DTypeKind::integer},
    {"uint8", 1, DTypeKind::integer},
    {"int16", 2, DTypeKind::integer},
    {"uint16", 2, DTypeKind::integer},
    {"int32", 4, DTypeKind::integer},
    {"uint32", 4, DTypeKind::integer},
    {"int64", 8, DTypeKind::integer},
    {"uint64", 8, DTypeKind::integer},
    {"float32", 4, DTypeKind::inexact},
    {"float64", 8, DTypeKind::inexact},
    {"complex64", 8, DTypeKind::inexact},
    {"complex128", 16, DTypeKind::inexact},
}};
const TypeFacts& facts_of(DType type) {
    return facts[static_cast<std::size_t>(type)];
}

}  // namespace

std::size_t bytes_of(DType type) noexcept {
    return facts_of(type).bytes;
}
std::string_view name_of(DType type) noexcept {
    return facts_of(type).name;
}
DTypeKind kind_of(DType type) noexcept {
    return facts_of(type).kind;
}

}  // namespace refrain::array
