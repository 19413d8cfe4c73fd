/// Converts a typed launch to a LaunchDescription: checks at compile time that the callable fits
/// the arguments, packs callable and scalars into a closure, and generates the function that
/// unpacks the closure and calls the task.
#pragma once

#include "refrain/argument.hpp"
#include "refrain/detail/launch_description.hpp"
#include "refrain/future.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

namespace refrain::detail {

struct PlainArgument {
    static constexpr bool is_region = false, is_reduction = false, is_future = false;
    static constexpr bool is_handle = false, is_future_map = false;
};
template <class T>
struct ArgumentKind : PlainArgument {
    using Parameter = const std::decay_t<T>&;
};
template <class T, int R, Privilege P, class Op, class S, class Kept>
struct ArgumentKind<RegionArgument<T, R, P, Op, S, Kept>> : PlainArgument {
    static constexpr bool is_region = true, is_reduction = P == Privilege::reduce;
    using Parameter = typename RegionArgument<T, R, P, Op, S>::View;
};
template <class T>
struct ArgumentKind<Future<T>> : PlainArgument {
    static constexpr bool is_future = true;
    using Parameter = const T&;
};
template <class T, int R>
struct ArgumentKind<Region<T, R>> : PlainArgument {
    static constexpr bool is_handle = true;
    using Parameter = const Region<T, R>&;
};
template <class T, int D>
struct ArgumentKind<FutureMap<T, D>> : PlainArgument {
    static constexpr bool is_future_map = true;
    using Parameter = const FutureMap<T, D>&;
};
template <class T>
using KindOf = ArgumentKind<std::remove_cvref_t<T>>;

template <class>
inline constexpr bool is_point_v = false;
template <int C>
inline constexpr bool is_point_v<Point<C>> = true;
template <class>
inline constexpr bool is_rect_v = false;
template <int D>
inline constexpr bool is_rect_v<Rect<D>> = true;

/// What the closure stores for an argument: scalars themselves, nothing for the others.
struct Nothing {};
template <class T>
using Stored =
    std::conditional_t<KindOf<T>::is_region || KindOf<T>::is_future, Nothing, std::decay_t<T>>;

template <class Selector, int D>
data::Coordinates project(const data::Coordinates& point) {
    return data::coordinates_of(Selector{}(data::point_of<D>(point)));
}

// Makes views, so its symbols differ as theirs do.
inline namespace REFRAIN_VIEWS {

/// The callable and arguments of one launch. D: rank of the launch domain, 0 for a single task.
template <int D, class F, class... Arguments>
class TypedLaunch {
    static constexpr std::size_t region_count =
        (std::size_t{KindOf<Arguments>::is_region} + ... + 0);
    static constexpr std::size_t future_count =
        (std::size_t{KindOf<Arguments>::is_future} + ... + 0);
    static constexpr int point_rank = D == 0 ? 1 : D;

    // The points of an index launch share one callable and run concurrently, hence const.
    using Callable = std::conditional_t<D == 0, F&, const F&>;
    static constexpr bool takes_point =
        D != 0 &&
        std::is_invocable_v<Callable, Point<point_rank>, typename KindOf<Arguments>::Parameter...>;
    static constexpr bool fits =
        takes_point || std::is_invocable_v<Callable, typename KindOf<Arguments>::Parameter...>;
    static_assert((!KindOf<Arguments>::is_handle && ...),
                  "a task gets a region's elements, not its handle: pass read(region), "
                  "write(region), read_write(region) or reduce<Op>(region)");
    static_assert((!KindOf<Arguments>::is_future_map && ...),
                  "a task takes single futures only: pass a value, map.get(point), or the region "
                  "that holds the values");
    static_assert(
        fits,
        "the task cannot be called with these arguments: it takes (optionally, in an index launch, "
        "the Point of the domain,) then for read() a View<const T, R>, for write() and "
        "read_write() a View<T, R>, for reduce<Op>() a ReduceView<Op, T, R>, for a Future<T> a T, "
        "and scalars by value, in the order of the launch; in an index launch its operator() is "
        "const");

    template <bool WithPoint, class = void>
    struct ResultOf {
        using type = void;
    };
    template <class Dummy>
    struct ResultOf<true, Dummy> {
        using type = std::invoke_result_t<Callable, Point<point_rank>,
                                          typename KindOf<Arguments>::Parameter...>;
    };
    template <class Dummy>
    struct ResultOf<false, Dummy> {
        using type = std::invoke_result_t<Callable, typename KindOf<Arguments>::Parameter...>;
    };

  public:
    using Result = typename ResultOf<takes_point>::type;
    static constexpr bool has_result = !std::is_void_v<Result>;

    template <class G>
    TypedLaunch(G&& callable, const Arguments&... arguments)
        : closure_{std::forward<G>(callable), {store(arguments)...}} {
        [[maybe_unused]] runtime::RequirementDescription* requirement = requirements_.data();
        [[maybe_unused]] regions::FutureState** future = futures_.data();
        (add(arguments, requirement, future), ...);
    }

    /// Valid while this object and `domain` live.
    [[nodiscard]] runtime::LaunchDescription describe(const LaunchSite& site,
                                                      const data::Box& domain,
                                                      regions::FutureState* result) {
        return {.site = site,
                .kind = &kind(),
                .domain = &domain,
                .requirements = requirements_.data(),
                .futures = futures_.data(),
                .result = result,
                .closure = &closure_};
    }

  private:
    template <class T>
    static constexpr bool is_without_state = std::is_empty_v<T>&&
        std::is_trivially_copy_constructible_v<T>&& std::is_trivially_destructible_v<T>;
    /// Whether the closure has no state: none is copied, and all tasks use the same one.
    static constexpr bool is_stateless =
        is_without_state<F> && (is_without_state<Stored<Arguments>> && ...);

    struct Closure {
        F callable;
        std::tuple<Stored<Arguments>...> scalars;
    };

    template <class A>
    static Stored<A> store(const A& argument) {
        if constexpr (std::is_same_v<Stored<A>, Nothing>)
            return {};
        else
            return argument;
    }

    template <class A>
    static void add(const A& argument, runtime::RequirementDescription*& requirement,
                    regions::FutureState**& future) {
        if constexpr (KindOf<A>::is_region)
            *requirement++ = {.region = argument.region,
                              .partition = argument.partition,
                              .colour = colour_of(argument.selector)};
        if constexpr (KindOf<A>::is_future) *future++ = argument.state();
    }

    template <class Selector>
    static data::Coordinates colour_of([[maybe_unused]] const Selector& selector) {
        if constexpr (is_point_v<Selector>)
            return data::coordinates_of(selector);
        else
            return {};
    }

    template <class T, int R, Privilege P, class Op, class Selector, class Kept>
    static constexpr runtime::RequirementKind kind_of(
        const RegionArgument<T, R, P, Op, Selector, Kept>*) {
        runtime::RequirementKind kind{.privilege = P,
                                      .may_be_sparse = P == Privilege::reduce,
                                      .reduction = reduction_of<Op, T>()};
        if constexpr (is_point_v<Selector>) {
            static_assert(
                D == 0, "a fixed colour is for single tasks: in an index launch use a projection");
            kind.has_colour = true;
        } else if constexpr (!std::is_same_v<Selector, SameColour>) {
            static_assert(D != 0,
                          "a projection is for index launches: a single task takes a colour");
            kind.projection = &project<Selector, point_rank>;
        }
        return kind;
    }
    static constexpr auto requirement_kinds() {
        std::array<runtime::RequirementKind, region_count> kinds;
        [[maybe_unused]] std::size_t next = 0;
        [[maybe_unused]] const auto add_kind = [&]<class A>(const A* argument) {
            if constexpr (KindOf<A>::is_region) kinds[next++] = kind_of(argument);
        };
        (add_kind(static_cast<const Arguments*>(nullptr)), ...);
        return kinds;
    }
    static constexpr runtime::ClosureKind closure_kind() {
        runtime::ClosureKind kind;
        if constexpr (!is_stateless) kind = {.bytes = sizeof(Closure), .align = alignof(Closure)};
        if constexpr (!is_stateless && !std::is_trivially_copyable_v<Closure>)
            kind.move = [](void* to, void* from) {
                ::new (to) Closure(std::move(*static_cast<Closure*>(from)));
            };
        if constexpr (!std::is_trivially_destructible_v<Closure>)
            kind.destroy = [](void* closure) { static_cast<Closure*>(closure)->~Closure(); };
        return kind;
    }
    static Closure& closure_of(const runtime::TaskFrame& frame) {
        if constexpr (is_stateless) {
            alignas(Closure) static std::array<std::byte, sizeof(Closure)> without_state;
            return *reinterpret_cast<Closure*>(without_state.data());
        } else {
            return *static_cast<Closure*>(frame.closure);
        }
    }

    static void run(const runtime::TaskFrame& frame) {
        run_with(frame, std::index_sequence_for<Arguments...>{});
    }

    template <std::size_t... I>
    static void run_with(const runtime::TaskFrame& frame, std::index_sequence<I...>) {
        Closure& closure = closure_of(frame);
        const auto call = [&]() -> decltype(auto) {
            Callable callable = closure.callable;
            if constexpr (takes_point)
                return std::invoke(callable, data::point_of<point_rank>(frame.point),
                                   unpack<I, Arguments>(frame, closure)...);
            else
                return std::invoke(callable, unpack<I, Arguments>(frame, closure)...);
        };
        if constexpr (has_result)
            ::new (frame.result) Result(call());
        else
            call();
    }

    /// The number of region (or future) arguments before argument `index`.
    template <bool Regions>
    static constexpr std::size_t position(std::size_t index) {
        constexpr std::array<bool, sizeof...(Arguments) + 1> is = {
            (Regions ? KindOf<Arguments>::is_region : KindOf<Arguments>::is_future)..., false};
        std::size_t count = 0;
        for (std::size_t i = 0; i < index; ++i)
            if (is[i]) ++count;
        return count;
    }

    template <std::size_t I, class A>
    static decltype(auto) unpack(const runtime::TaskFrame& frame, Closure& closure) {
        if constexpr (KindOf<A>::is_region) {
            const runtime::TaskArgument& a = frame.arguments[position<true>(I)];
            using View = typename KindOf<A>::Parameter;
            data::WrittenElements* written = nullptr;
#ifdef REFRAIN_CHECK_BOUNDS
            written = data::written_elements_of(position<true>(I));
#endif
            if constexpr (KindOf<A>::is_reduction)
                return View(a.elements, *a.bounds, *a.subset, written, a.sparse);
            else
                return View(a.elements, *a.bounds, *a.subset, written);
        } else if constexpr (KindOf<A>::is_future) {
            using Value = typename std::remove_cvref_t<A>::value_type;
            return *static_cast<const Value*>(frame.futures[position<false>(I)]);
        } else {
            return std::as_const(std::get<I>(closure.scalars));
        }
    }

    static constexpr bool calls_pointer =
        std::is_member_function_pointer_v<F> ||
        (std::is_pointer_v<F> && std::is_function_v<std::remove_pointer_t<F>>);
    static const runtime::LaunchKind& kind() {
        static constexpr auto requirements = requirement_kinds();
        static constexpr runtime::LaunchKind kind{.function = &run,
                                                  .domain_rank = D,
                                                  .requirement_count = region_count,
                                                  .future_count = future_count,
                                                  .requirements = requirements.data(),
                                                  .closure = closure_kind(),
                                                  .calls_pointer = calls_pointer,
                                                  .identity = &kind};
        return kind;
    }

    Closure closure_;
    std::array<runtime::RequirementDescription, region_count> requirements_;
    std::array<regions::FutureState*, future_count> futures_;
};

}  // namespace REFRAIN_VIEWS
}  // namespace refrain::detail
