/// The elements that regions of random programs have in Refrain, and the words that the oracle
/// keeps in their place.
///
///     word of an integer or real      its bits
///     word of a pointer               the coordinates that it points to, packed
///     word of a Block                 each of its 1024 words; any other Block is torn
#pragma once

#include "refrain/reduction.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <type_traits>

#include "property/values.hpp"

namespace refrain::property {

/// 8 KiB, so that regions of a few elements are larger than a page, than what folds exclude one
/// another on, and than partial results that are dense.
struct Block {
    std::array<std::int64_t, 1024> words;
};

/// The operator on each word.
template <class Op>
struct EachWord {
    static Block identity() {
        Block block;
        block.words.fill(identity_of<Op, std::int64_t>());
        return block;
    }
    static void fold(Block& into, const Block& value) {
        for (std::size_t i = 0; i < into.words.size(); ++i) Op::fold(into.words[i], value.words[i]);
    }
};

template <class T>
struct ElementOf {
    static T from(std::uint64_t word) {
        if constexpr (sizeof(T) == sizeof word)
            return std::bit_cast<T>(word);
        else
            return static_cast<T>(static_cast<std::int64_t>(word));
    }
    static std::uint64_t word(const T& element) {
        if constexpr (sizeof(T) == sizeof(std::uint64_t))
            return std::bit_cast<std::uint64_t>(element);
        else
            return static_cast<std::uint64_t>(std::int64_t{element});
    }
};
template <int R>
struct ElementOf<Point<R>> {
    static Point<R> from(std::uint64_t word) { return data::point_of<R>(unpacked(word, R)); }
    static std::uint64_t word(const Point<R>& element) {
        return packed(data::coordinates_of(element), R);
    }
};
template <>
struct ElementOf<Block> {
    static Block from(std::uint64_t word) {
        Block block;
        block.words.fill(std::bit_cast<std::int64_t>(word));
        return block;
    }
    static std::uint64_t word(const Block& element) {
        const auto first = static_cast<std::uint64_t>(element.words[0]);
        const auto is_first = [&](std::int64_t w) { return w == element.words[0]; };
        const bool is_whole = std::all_of(element.words.begin(), element.words.end(), is_first);
        return is_whole ? first : base::mix(~first);
    }
};

/// visit(std::type_identity<T>{}) for the T of the region's elements.
template <class Visit>
auto with_element_type(const ValueRange& range, Visit&& visit) {
    switch (range.type) {
        case ElementType::integer:
            break;
        case ElementType::real:
            return visit(std::type_identity<double>{});
        case ElementType::short_pointer:
            return visit(std::type_identity<std::int32_t>{});
        case ElementType::block:
            return visit(std::type_identity<Block>{});
        case ElementType::pointer:
            if (range.target_rank == 2) return visit(std::type_identity<Point<2>>{});
            if (range.target_rank == 3) return visit(std::type_identity<Point<3>>{});
            break;
    }
    return visit(std::type_identity<std::int64_t>{});
}

}  // namespace refrain::property
