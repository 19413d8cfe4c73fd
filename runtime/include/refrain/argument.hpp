/// Region arguments of a launch: which region, which subset, with which privilege.
///
///     read(x)                         all of x                               View<const T, R>
///     read(x, halos)                  point p of an index launch: halos[p]   View<const T, R>
///     read(x, tiles, colour)          a single task: tiles[colour]           View<const T, R>
///     read(x, tiles, projection)      point p: tiles[projection(p)]          View<const T, R>
///     write(...)                      overwrites; old values are lost        View<T, R>
///     read_write(...)                 changes                                View<T, R>
///     reduce<Sum>(...)                folds in                               ReduceView<Sum, T, R>
///
/// A projection is a callable without state from points of the launch domain to colours, for
/// example `[](Point<1> p) { return p + 1; }`. It is evaluated once per launch domain and must
/// always give the same colours.
#pragma once

#include "refrain/detail/reduction_table.hpp"
#include "refrain/partition.hpp"
#include "refrain/privilege.hpp"
#include "refrain/region.hpp"
#include "refrain/view.hpp"

#include <type_traits>

namespace refrain {

/// The colour of point p is p itself.
struct SameColour {};

namespace detail {
template <class T, int R, Privilege P, class Op>
struct ViewFor {
    using type = View<T, R>;
};
template <class T, int R, class Op>
struct ViewFor<T, R, Privilege::read, Op> {
    using type = View<const T, R>;
};
template <class T, int R, class Op>
struct ViewFor<T, R, Privilege::reduce, Op> {
    using type = ReduceView<Op, T, R>;
};
}  // namespace detail

/// What read(), write(), ... return: a region argument, valid within the expression that launches.
template <class T, int R, Privilege P, class Op = void, class Selector = SameColour>
struct RegionArgument {
    using View = typename detail::ViewFor<T, R, P, Op>::type;
    regions::RegionRoot* region;
    const data::PartitionData* partition;
    Selector selector;
};

namespace detail {

template <class Op, class T>
constexpr const data::ReductionFunctions* reduction_of() {
    if constexpr (std::is_void_v<Op>)
        return nullptr;
    else
        return &data::reduction_functions<Op, T>();
}

template <class Selector>
inline constexpr bool is_projection_v =
    std::is_empty_v<Selector>&& std::is_default_constructible_v<Selector>;

template <Privilege P, class Op = void, class T, int R>
auto argument(const Region<T, R>& region) {
    return RegionArgument<T, R, P, Op>{region.root(), nullptr, {}};
}
template <Privilege P, class Op = void, class T, int R, int C>
auto argument(const Region<T, R>& region, const Partition<R, C>& partition) {
    return RegionArgument<T, R, P, Op>{region.root(), &partition.data(), {}};
}
template <Privilege P, class Op = void, class T, int R, int C, class Selector>
auto argument(const Region<T, R>& region, const Partition<R, C>& partition, Selector selector) {
    if constexpr (std::is_convertible_v<Selector, Point<C>>) {
        return RegionArgument<T, R, P, Op, Point<C>>{region.root(), &partition.data(), selector};
    } else {
        static_assert(
            is_projection_v<Selector>,
            "a projection must be a callable without captures: it is identified by its type");
        return RegionArgument<T, R, P, Op, Selector>{region.root(), &partition.data(), selector};
    }
}

}  // namespace detail

template <class T, int R, class... Subset>
[[nodiscard]] auto read(const Region<T, R>& region, const Subset&... subset) {
    return detail::argument<Privilege::read>(region, subset...);
}
template <class T, int R, class... Subset>
[[nodiscard]] auto write(const Region<T, R>& region, const Subset&... subset) {
    return detail::argument<Privilege::write>(region, subset...);
}
template <class T, int R, class... Subset>
[[nodiscard]] auto read_write(const Region<T, R>& region, const Subset&... subset) {
    return detail::argument<Privilege::read_write>(region, subset...);
}
template <class Op, class T, int R, class... Subset>
requires ReductionOperator<Op, T>
[[nodiscard]] auto reduce(const Region<T, R>& region, const Subset&... subset) {
    return detail::argument<Privilege::reduce, Op>(region, subset...);
}

}  // namespace refrain
