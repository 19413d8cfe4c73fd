/// Region arguments of a launch: which region, which subset, with which privilege.
///
///     argument                     subset                             the task's parameter
///     read(x)                      all of x                           View<const T, R>
///     read(x, halos)               halos[p], for point p of an        View<const T, R>
///                                  index launch
///     read(x, tiles, colour)       tiles[colour], in a single task    View<const T, R>
///     read(x, tiles, projection)   tiles[projection(p)], for point p  View<const T, R>
///
///     privilege                    the task                           the task's parameter
///     read(...)                    reads                              View<const T, R>
///     write(...)                   overwrites; old values are lost    View<T, R>
///     read_write(...)              reads and overwrites               View<T, R>
///     reduce<Sum>(...)             folds values in                    ReduceView<Sum, T, R>
///
/// A projection is a stateless callable from points of the launch domain to colours, for example
/// `[](Point<1> p) { return p + 1; }`. It must be a pure function: the runtime evaluates it once
/// per launch domain and keeps the result.
///
/// Shapes:  region and partition have the same rank R; colours have the partition's colour rank C;
///          a projection takes Point<D> for a launch domain of rank D.
/// Errors:  misuse does not compile; the launch throws UsageError for a colour that the partition
///          does not have.
/// Lifetime: an argument may be kept, and used in several launches. It refers to the handles of its
///          region and its partition, which must live as long; it owns those that had no name, as in
///          `const auto in = read(x, halo(pieces, 1));`.
/// Threads: the launching thread only.
#pragma once

#include "refrain/detail/reduction_table.hpp"
#include "refrain/partition.hpp"
#include "refrain/privilege.hpp"
#include "refrain/region.hpp"
#include "refrain/view.hpp"

#include <type_traits>
#include <utility>

namespace refrain {

/// The default projection: the colour of point p is p.
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

namespace detail {
/// What a region argument owns: handles that had no name.
struct NoHandles {};
template <class T, int R>
struct KeptHandles {
    Region<T, R> region;
    data::PartitionHandle partition;
};
}  // namespace detail

/// The result of read(), write(), read_write() and reduce().
template <class T, int R, Privilege P, class Op = void, class Selector = SameColour,
          class Kept = detail::NoHandles>
struct RegionArgument {
    using View = typename detail::ViewFor<T, R, P, Op>::type;
    regions::RegionRoot* region;
    const data::PartitionData* partition;
    Selector selector;
    [[no_unique_address]] Kept kept;
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
    return RegionArgument<T, R, P, Op>{region.root(), nullptr, {}, {}};
}
template <Privilege P, class Op = void, class T, int R, int C>
auto argument(const Region<T, R>& region, const Partition<R, C>& partition) {
    return RegionArgument<T, R, P, Op>{region.root(), &partition.data(), {}, {}};
}
template <Privilege P, class Op = void, class T, int R, int C, class Selector>
auto argument(const Region<T, R>& region, const Partition<R, C>& partition, Selector selector) {
    if constexpr (std::is_convertible_v<Selector, Point<C>>) {
        return RegionArgument<T, R, P, Op, Point<C>>{
            region.root(), &partition.data(), selector, {}};
    } else {
        static_assert(
            is_projection_v<Selector>,
            "a projection must be a callable without captures: it is identified by its type");
        return RegionArgument<T, R, P, Op, Selector>{
            region.root(), &partition.data(), selector, {}};
    }
}

/// The handle of the first of these that is a partition; null if none is.
inline data::PartitionHandle partition_handle() {
    return nullptr;
}
template <int R, int C, class... Selector>
data::PartitionHandle partition_handle(const Partition<R, C>& partition, const Selector&...) {
    return partition.handle();
}

template <class T, int R, Privilege P, class Op, class Selector, class... Subset>
auto keeping(const RegionArgument<T, R, P, Op, Selector>& argument, const Region<T, R>& region,
             const Subset&... subset) {
    return RegionArgument<T, R, P, Op, Selector, KeptHandles<T, R>>{
        argument.region,
        argument.partition,
        argument.selector,
        {region, partition_handle(subset...)}};
}

template <class>
inline constexpr bool is_partition_v = false;
template <int R, int C>
inline constexpr bool is_partition_v<Partition<R, C>> = true;
template <int R, int C>
inline constexpr bool is_partition_v<const Partition<R, C>> = true;

/// Of arguments as they were given: a type that is no reference had no name.
template <Privilege P, class Op = void, class T, int R, class... Subset>
auto argument_of(const Region<T, R>& region, Subset&&... subset) {
    const auto lent = argument<P, Op>(region, subset...);
    if constexpr ((is_partition_v<Subset> || ...))
        return keeping(lent, region, subset...);
    else
        return lent;
}

}  // namespace detail

/// The task reads the subset.
template <class T, int R, class... Subset>
[[nodiscard]] auto read(const Region<T, R>& region, Subset&&... subset) {
    return detail::argument_of<Privilege::read>(region, std::forward<Subset>(subset)...);
}
template <class T, int R, class... Subset>
[[nodiscard]] auto read(Region<T, R>&& region, Subset&&... subset) {
    return detail::keeping(detail::argument<Privilege::read>(region, subset...), region, subset...);
}
/// The task writes every element before it reads it; old values of the subset are lost.
template <class T, int R, class... Subset>
[[nodiscard]] auto write(const Region<T, R>& region, Subset&&... subset) {
    return detail::argument_of<Privilege::write>(region, std::forward<Subset>(subset)...);
}
template <class T, int R, class... Subset>
[[nodiscard]] auto write(Region<T, R>&& region, Subset&&... subset) {
    return detail::keeping(detail::argument<Privilege::write>(region, subset...), region,
                           subset...);
}
/// The task reads and overwrites the subset.
template <class T, int R, class... Subset>
[[nodiscard]] auto read_write(const Region<T, R>& region, Subset&&... subset) {
    return detail::argument_of<Privilege::read_write>(region, std::forward<Subset>(subset)...);
}
template <class T, int R, class... Subset>
[[nodiscard]] auto read_write(Region<T, R>&& region, Subset&&... subset) {
    return detail::keeping(detail::argument<Privilege::read_write>(region, subset...), region,
                           subset...);
}
/// The task folds values into the subset with Op (reduction.hpp).
template <class Op, class T, int R, class... Subset>
requires ReductionOperator<Op, T>
[[nodiscard]] auto reduce(const Region<T, R>& region, Subset&&... subset) {
    return detail::argument_of<Privilege::reduce, Op>(region, std::forward<Subset>(subset)...);
}
template <class Op, class T, int R, class... Subset>
requires ReductionOperator<Op, T>
[[nodiscard]] auto reduce(Region<T, R>&& region, Subset&&... subset) {
    return detail::keeping(detail::argument<Privilege::reduce, Op>(region, subset...), region,
                           subset...);
}

}  // namespace refrain
