/// Tasks of one's own: a callable whose parameters say what it does to which arrays.
///
///     const TypedTask axpy("axpy(x, y, a)",
///                          [](Read<double> x, ReadWrite<double> y, double a) {
///                              for (const Extent i : y.indices()) y(i) += a * x(i);
///                          },
///                          {align("x", "y")});
///     axpy(x, y, 2.0);            // returns at once
///     axpy(x, y, sum(x));         // a value still to come: the task waits for it, not the caller
///
/// Parameters are views (typed_views.hpp) and scalars, the numbers that arrays hold; the first argument names the task and
/// them. Constraints (constraint.hpp) name parameters. If there are any, large arrays are cut into tiles, each of which is a
/// call; else there is one call, for the whole arrays. An array that no constraint names is cut on its own. Scalars are the
/// same in each tile.
///
/// A task lives as long as its last call: the object may go before. It may be called for any Machine, but only with arrays of
/// one.
///
/// Errors:  UsageError for a first argument that does not name the parameters, and for constraints that name something else;
///          ArrayError for an array of another type or rank, one that is read-only and would be written, a value that has
///          several elements or cannot become the scalar's type, and constraints that cannot be satisfied. What the callable
///          throws comes at the wait for what it should have written.
/// Threads: the launching thread calls; the callable runs on any, several times at once.
#pragma once

#include "refrain/array/typed_views.hpp"

#include <concepts>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace refrain::array {

/// A constraint between parameters by their names.
struct NamedConstraint {
    Constraint constraint;
    std::string from;
    std::string to{};
    std::vector<int> dims{};
};
/// As constraint.hpp has them.
[[nodiscard]] inline NamedConstraint align(std::string_view a, std::string_view b,
                                           int line = __builtin_LINE()) {
    return {align(0, 0, line), std::string(a), std::string(b)};
}
/// Without dims: no tile cuts the array.
[[nodiscard]] inline NamedConstraint broadcast(std::string_view a,
                                               std::initializer_list<int> dims = {},
                                               int line = __builtin_LINE()) {
    return {broadcast(0, all_dims, line), std::string(a), {}, dims};
}
[[nodiscard]] inline NamedConstraint scale(std::string_view a, std::string_view b, Extents factors,
                                           int line = __builtin_LINE()) {
    return {scale(0, 0, std::move(factors), line), std::string(a), std::string(b)};
}
[[nodiscard]] inline NamedConstraint bloat(std::string_view a, std::string_view b, Extents low,
                                           Extents high, int line = __builtin_LINE()) {
    return {bloat(0, 0, std::move(low), std::move(high), line), std::string(a), std::string(b)};
}
[[nodiscard]] inline NamedConstraint image(std::string_view pointers, std::string_view target,
                                           int line = __builtin_LINE()) {
    return {image(0, 0, line), std::string(pointers), std::string(target)};
}

namespace detail {

/// What is known of a parameter.
struct TaskParameter {
    bool is_view = false;
    DType dtype = DType::float64;
    int rank = 0;                           // of a view
    Privilege privilege = Privilege::read;  // of a view
    Ufunc fold = Ufunc::add;                // of a view that is reduced
    std::size_t at = 0;                     // number of the view, or first byte of the scalar
};

/// An argument: an array, or a number.
struct TaskArgument {
    const Array* array = nullptr;
    Scalar value;
};

/// A task without its callable.
class TaskSignature {
  public:
    /// `parameters` live as long as the process.
    TaskSignature(std::string_view text, std::span<const TaskParameter> parameters,
                  std::span<const NamedConstraint> constraints);
    void issue(std::span<const TaskArgument> arguments, WorkFunction function,
               std::shared_ptr<const void> callable) const;

  private:
    [[nodiscard]] int view_named(const NamedConstraint& constraint, const std::string& name) const;
    void check(const TaskParameter& parameter, std::string_view name, const Array& array) const;

    const char* name_;  // lives as long as the process
    std::span<const TaskParameter> parameters_;
    std::vector<std::string> names_;  // of the parameters
    std::vector<Constraint> constraints_;
};

template <class T>
concept TaskView = requires {
    typename T::Element;
    { T::privilege } -> std::convertible_to<Privilege>;
    requires std::derived_from<T, PartView<typename T::Element, T::rank>>;
};
template <class T>
concept TaskScalar = std::is_arithmetic_v<T> || std::same_as<T, std::complex<float>> ||
    std::same_as<T, std::complex<double>>;

/// An argument for a scalar: a number of its type, or an array with one element.
template <TaskScalar T>
struct ScalarArgument {
    ScalarArgument(const T& number) noexcept : argument{nullptr, Scalar::of(number)} {}
    ScalarArgument(const Array& value) noexcept : argument{&value, {}} {}
    TaskArgument argument;
};
template <class P>
struct ArgumentFor {
    static_assert(TaskScalar<P>,
                  "a task takes Read, Write, ReadWrite, Reduce, and numbers that arrays hold");
    using Type = ScalarArgument<P>;
};
template <TaskView P>
struct ArgumentFor<P> {
    using Type = const Array&;
};

template <class... Ps>
constexpr std::array<TaskParameter, sizeof...(Ps)> parameters_of() noexcept {
    std::array<TaskParameter, sizeof...(Ps)> all;
    std::size_t number = 0;
    std::size_t views = 0;
    std::size_t bytes = 0;
    const auto describe = [&]<class P>(std::type_identity<P>) {
        TaskParameter& parameter = all[number++];
        if constexpr (TaskView<P>) {
            parameter = {true, P::dtype, P::rank, P::privilege, Ufunc::add, views++};
            if constexpr (P::privilege == Privilege::reduce) parameter.fold = P::ufunc;
        } else {
            bytes = (bytes + alignof(P) - 1) / alignof(P) * alignof(P);
            parameter = {.dtype = dtype_of<P>(), .at = bytes};
            bytes += sizeof(P);
        }
    };
    (describe(std::type_identity<Ps>()), ...);
    return all;
}

template <class... Ps>
struct TaskParameters {
    static_assert((TaskView<Ps> || ...), "a task has an array");
    static constexpr auto all = parameters_of<Ps...>();
    static constexpr std::size_t scalar_bytes = [] {
        std::size_t bytes = 0;
        for (const TaskParameter& parameter : all)
            if (!parameter.is_view) bytes = parameter.at + bytes_of(parameter.dtype);
        return bytes;
    }();
    static_assert(scalar_bytes <= work_bytes_max, "the scalars of a task have 128 bytes at most");
    static constexpr bool writes = [] {
        for (const TaskParameter& parameter : all)
            if (parameter.is_view && parameter.privilege != Privilege::read) return true;
        return false;
    }();
    static_assert(writes, "a task writes an array, or reduces one");
};

template <class P>
P parameter_in(const WorkFrame& frame, std::size_t at) {
    if constexpr (TaskView<P>) {
        return P(frame.views[at]);
    } else {
        P number;
        std::memcpy(&number, frame.bytes + at, sizeof number);
        return number;
    }
}

template <class F>
struct CallableOf : CallableOf<decltype(&F::operator())> {};
template <class R, class... Ps>
struct CallableOf<R (*)(Ps...)> {
    using Type = void(std::remove_cvref_t<Ps>...);
};
template <class R, class... Ps>
struct CallableOf<R (*)(Ps...) noexcept> {
    using Type = void(std::remove_cvref_t<Ps>...);
};
template <class C, class R, class... Ps>
struct CallableOf<R (C::*)(Ps...) const> {
    using Type = void(std::remove_cvref_t<Ps>...);
};
template <class C, class R, class... Ps>
struct CallableOf<R (C::*)(Ps...) const noexcept> {
    using Type = void(std::remove_cvref_t<Ps>...);
};

}  // namespace detail

template <class Function>
class TypedTask;

template <class... Ps>
class TypedTask<void(Ps...)> {
    using Parameters = detail::TaskParameters<Ps...>;

  public:
    /// `signature`: "axpy(x, y, a)".
    template <class F>
    requires std::invocable<const F&, Ps...> TypedTask(
        std::string_view signature, F callable,
        const std::vector<NamedConstraint>& constraints = {})
        : signature_(signature, Parameters::all, constraints),
          function_(&run<F>),
          callable_(std::make_shared<const F>(std::move(callable))) {}

    /// An array for each view; for each scalar a number, or an array with one element.
    void operator()(typename detail::ArgumentFor<Ps>::Type... arguments) const {
        const std::array<detail::TaskArgument, sizeof...(Ps)> all{argument_of(arguments)...};
        signature_.issue(all, function_, callable_);
    }

  private:
    static detail::TaskArgument argument_of(const Array& array) noexcept { return {&array, {}}; }
    template <class T>
    static detail::TaskArgument argument_of(const detail::ScalarArgument<T>& number) noexcept {
        return number.argument;
    }
    template <class F>
    static void run(const WorkFrame& frame) {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            std::invoke(*static_cast<const F*>(frame.owner),
                        detail::parameter_in<Ps>(frame, Parameters::all[I].at)...);
        }
        (std::index_sequence_for<Ps...>());
    }

    detail::TaskSignature signature_;
    WorkFunction function_;
    std::shared_ptr<const void> callable_;
};

template <class F>
TypedTask(std::string_view, F) -> TypedTask<typename detail::CallableOf<F>::Type>;
template <class F>
TypedTask(std::string_view, F, std::initializer_list<NamedConstraint>)
    -> TypedTask<typename detail::CallableOf<F>::Type>;
template <class F>
TypedTask(std::string_view, F, std::vector<NamedConstraint>)
    -> TypedTask<typename detail::CallableOf<F>::Type>;

}  // namespace refrain::array
