/// The partitions: which nodes a piece owns, shares and touches, computed from two tables of
/// pointers and the piece of each node.
///
///     nodes   0 1 2 | 3 4 5               piece 0 | piece 1
///     wires   0-1 1-2 2-4 | 3-4 5-3       from-to; a wire belongs to the piece where it begins
///
///                     piece 0     piece 1
///     wires           0 1 2       3 4
///     owned nodes     0 1 2       3 4 5
///     private         0 1 2       3 5     no wire of another piece ends there
///     shared          -           4
///     ghost           4           -       owned by others, and wires of this piece end there
#pragma once

#include "refrain/refrain.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace circuit {

using Pointers = refrain::Region<std::int64_t, 1>;

struct Pieces {
    refrain::Partition<1> owned;    // nodes; disjoint and complete, as wires are
    refrain::Partition<1> wires;    // those that begin in an owned node
    refrain::Partition<1> touched;  // nodes at either end of the wires
    refrain::Partition<1> ghost;    // touched and not owned
    refrain::Partition<1> shared;   // owned, and a ghost of another piece
    refrain::Partition<1> alone;    // owned, and no piece's ghost: the private nodes
};

namespace detail {

/// Combines the subsets of two partitions, colour by colour.
template <class Combine>
[[nodiscard]] refrain::Partition<1> combined(const refrain::Partition<1>& a,
                                             const refrain::Partition<1>& b,
                                             const Combine& combine) {
    std::vector<refrain::IndexSpace<1>> list;
    for (const refrain::Point<1> colour : a.colours())
        list.push_back(combine(a[colour], b[colour]));
    return refrain::subsets(a.space(), a.colours(), list);
}

/// Gives every colour all points that have any colour.
[[nodiscard]] inline refrain::Partition<1> all_of(const refrain::Partition<1>& partition) {
    std::vector<refrain::Rect<1>> rects;
    for (const refrain::Point<1> colour : partition.colours()) {
        const refrain::IndexSpace<1> subset = partition[colour];
        rects.insert(rects.end(), subset.rects().begin(), subset.rects().end());
    }
    const refrain::IndexSpace<1> all{std::span<const refrain::Rect<1>>(rects)};
    return refrain::subsets(partition.space(), partition.colours(),
                            std::vector<refrain::IndexSpace<1>>(
                                static_cast<std::size_t>(partition.colour_count()), all));
}

}  // namespace detail

/// `piece` maps each node to its piece; `from` and `to` map each wire to its nodes.
[[nodiscard]] inline Pieces pieces_of(refrain::Runtime& runtime, std::int64_t count,
                                      const Pointers& piece, const Pointers& from,
                                      const Pointers& to) {
    using refrain::IndexSpace;
    const refrain::Rect<1> nodes = piece.bounds();
    const auto each = refrain::tiles(refrain::extents(count), count);
    const auto owned = runtime.preimage(piece, each);
    const auto wires = runtime.preimage(from, owned);
    const auto touched =
        detail::combined(runtime.image(nodes, wires, from), runtime.image(nodes, wires, to),
                         [](const IndexSpace<1>& a, const IndexSpace<1>& b) { return a | b; });
    const auto minus = [](const IndexSpace<1>& a, const IndexSpace<1>& b) { return a - b; };
    const auto ghost = detail::combined(touched, owned, minus);
    const auto all_ghosts = detail::all_of(ghost);
    const auto shared = detail::combined(
        owned, all_ghosts, [](const IndexSpace<1>& a, const IndexSpace<1>& b) { return a & b; });
    return {owned, wires, touched, ghost, shared, detail::combined(owned, shared, minus)};
}

}  // namespace circuit
