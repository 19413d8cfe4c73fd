#include "convert/type_sizes.hpp"

#include "generate/call_text.hpp"

#include <array>
#include <cstddef>
#include <numeric>
#include <vector>

namespace refrain::proxy {
namespace {

/// In the order of predefined_types(), on 64-bit Linux.
constexpr std::array<std::int64_t, 57> predefined_bytes = {
    0,  1, 1, 1, 1, 4,  2,  2, 4, 4,  8, 8, 8, 8, 8, 4, 8,  16, 1,  1, 2, 4, 8, 1, 2, 4, 8, 1, 8,
    16, 8, 8, 8, 8, 12, 12, 6, 8, 20, 1, 4, 4, 4, 8, 8, 16, 8,  16, 8, 1, 2, 4, 8, 4, 8, 8, 16};

/// The values of the parameter of this name; of an array without its length.
std::vector<std::int64_t> named(const Event& event, std::string_view name) {
    for (const Argument& each : arguments_of(event)) {
        if (each.parameter == nullptr || each.parameter->name != name) continue;
        const auto begin = event.values.begin() + static_cast<std::ptrdiff_t>(each.begin);
        const bool array =
            each.parameter->kind == Kind::ints_ || each.parameter->kind == Kind::types_;
        return {begin + (array ? 1 : 0), begin + static_cast<std::ptrdiff_t>(each.count)};
    }
    return {};
}

std::int64_t one(const Event& event, std::string_view name) {
    const auto values = named(event, name);
    return values.empty() ? 0 : values[0];
}

std::int64_t sum(const std::vector<std::int64_t>& values) {
    return std::accumulate(values.begin(), values.end(), std::int64_t{0});
}

}  // namespace

void TypeSizes::follow(const Event& event) {
    if (event.function == Function::by_name) return;
    const auto number = values_of(event, Kind::newtype_);
    if (!number.empty() && number[0] >= 0) derived_[number[0]] = made(event);
}

std::optional<std::int64_t> TypeSizes::bytes(std::int64_t type) const {
    if (type < 0) return 0;
    if (type < static_cast<std::int64_t>(predefined_bytes.size()))
        return predefined_bytes[static_cast<std::size_t>(type)];
    const auto found = derived_.find(type);
    return found == derived_.end() ? std::nullopt : found->second;
}

std::optional<std::int64_t> TypeSizes::made(const Event& event) const {
    if (event.function == Function::Type_create_struct_) {
        const auto lengths = named(event, "blocklengths"), types = named(event, "types");
        std::int64_t all = 0;
        for (std::size_t i = 0; i < lengths.size() && i < types.size(); ++i) {
            const auto each = bytes(types[i]);
            if (!each) return std::nullopt;
            all += lengths[i] * *each;
        }
        return all;
    }
    const auto old = bytes(one(event, "oldtype"));
    if (!old) return std::nullopt;
    switch (event.function) {
        case Function::Type_contiguous_:
            return one(event, "count") * *old;
        case Function::Type_vector_:
        case Function::Type_create_hvector_:
        case Function::Type_create_indexed_block_:
        case Function::Type_create_hindexed_block_:
            return one(event, "count") * one(event, "blocklength") * *old;
        case Function::Type_indexed_:
        case Function::Type_create_hindexed_:
            return sum(named(event, "blocklengths")) * *old;
        case Function::Type_create_subarray_: {
            std::int64_t elements = 1;
            for (const std::int64_t size : named(event, "subsizes")) elements *= size;
            return elements * *old;
        }
        case Function::Type_dup_:
        case Function::Type_create_resized_:
            return old;
        default:
            return std::nullopt;
    }
}

}  // namespace refrain::proxy
