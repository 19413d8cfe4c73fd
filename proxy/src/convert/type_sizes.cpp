#include "convert/type_sizes.hpp"

#include "generate/call_text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
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
        const Kind kind = each.parameter->kind;
        const bool array = kind == Kind::ints_ || kind == Kind::types_ || kind == Kind::distribs_ ||
                           kind == Kind::dargs_;
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

/// Of an array that is dealt out over a grid of processes, how many elements one of them has; nothing if there is no such array.
///
/// 10 elements in blocks of 2 for 3 processes, in turns: the first one has 0, 1, 6, 7, the second one 2, 3, 8, 9
std::optional<std::int64_t> dealt_elements(const Event& event) {
    const auto extents = named(event, "gsizes"), ways = named(event, "distribs"),
               blocks = named(event, "dargs"), processes = named(event, "psizes");
    std::int64_t rank = one(event, "rank"), elements = 1;
    const std::size_t dimensions = extents.size();
    if (ways.size() != dimensions || blocks.size() != dimensions || processes.size() != dimensions)
        return std::nullopt;
    for (std::size_t i = dimensions; i-- > 0;) {  // the last dimension of the grid runs fastest
        const std::int64_t extent = extents[i], count = processes[i];
        constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
        if (extent < 0 || extent > most || count <= 0 || count > most || rank < 0)
            return std::nullopt;
        const std::int64_t place = rank % count;
        rank /= count;
        const bool in_turns = ways[i] == distribution_cyclic;
        std::int64_t block = extent;  // all of it
        if (ways[i] != distribution_none) block = blocks[i];
        if (block == distribution_default) block = in_turns ? 1 : (extent + count - 1) / count;
        if (block < 0 || block > most) return std::nullopt;
        const std::int64_t turn = block * count, turns = in_turns && turn > 0 ? extent / turn : 0;
        elements *= turns * block +
                    std::clamp<std::int64_t>(extent - turns * turn - place * block, 0, block);
    }
    return elements;
}

/// Of a number that MPI_Type_create_f90_integer, _real or _complex chooses: the smallest that has as many digits.
std::optional<std::int64_t> chosen_bytes(const Event& event) {
    const std::int64_t digits = one(event, "p"), range = one(event, "r");
    if (event.function == Function::Type_create_f90_integer_)
        return range <= 2 ? 1 : range <= 4 ? 2 : range <= 9 ? 4 : range <= 18 ? 8 : 16;
    const std::int64_t parts = event.function == Function::Type_create_f90_complex_ ? 2 : 1;
    if (digits <= 6 && range <= 37) return parts * 4;
    if (digits <= 15 && range <= 307) return parts * 8;
    return std::nullopt;
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
    if (event.function == Function::Type_create_f90_integer_ ||
        event.function == Function::Type_create_f90_real_ ||
        event.function == Function::Type_create_f90_complex_)
        return chosen_bytes(event);
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
        case Function::Type_create_darray_:
            if (const auto elements = dealt_elements(event)) return *elements * *old;
            return std::nullopt;
        case Function::Type_dup_:
        case Function::Type_create_resized_:
            return old;
        default:
            return std::nullopt;
    }
}

}  // namespace refrain::proxy
