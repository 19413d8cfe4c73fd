/// Futures: values that tasks will return.
///
///     Future<double> s = rt.launch("sum", [](View<const double, 1> x) { ... }, read(x));
///     rt.launch("scale", [](View<double, 1> x, double sum) { ... }, read_write(x), s);
///                                     // no waiting here
///     double value = s.get();         // but here
///
/// Threads: handles belong to the launching thread.
#pragma once

#include "refrain/detail/box.hpp"
#include "refrain/error.hpp"
#include "refrain/rect.hpp"

#include <type_traits>
#include <utility>

namespace refrain {

namespace regions {
struct FutureState;
void retain(FutureState* future) noexcept;
void release(FutureState* future) noexcept;
/// Waits for the task and returns its value for point number `index`.
[[nodiscard]] const void* wait_for_value(FutureState& future, std::size_t index);
[[nodiscard]] bool is_ready(FutureState& future);
void refuse_empty_future();
void refuse_future_point(const data::Coordinates& point, const data::Box& domain, int rank);
}  // namespace regions

namespace detail {

/// Shared ownership of a future's state.
class FutureHandle {
  public:
    FutureHandle() noexcept = default;
    explicit FutureHandle(regions::FutureState* state) noexcept : state_(state) {}
    FutureHandle(const FutureHandle& other) noexcept : state_(other.state_) {
        regions::retain(state_);
    }
    FutureHandle(FutureHandle&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
    FutureHandle& operator=(FutureHandle other) noexcept {
        std::swap(state_, other.state_);
        return *this;
    }
    ~FutureHandle() { regions::release(state_); }
    [[nodiscard]] regions::FutureState* get() const noexcept { return state_; }
    [[nodiscard]] regions::FutureState& checked() const {
        if (state_ == nullptr) regions::refuse_empty_future();
        return *state_;
    }

  private:
    regions::FutureState* state_ = nullptr;
};

}  // namespace detail

/// The value that a single task returns.
template <class T>
class Future {
    static_assert(
        std::is_trivially_copyable_v<T>,
        "a task's result is handed to other tasks as bytes: it must be trivially copyable");

  public:
    using value_type = T;
    Future() noexcept = default;
    explicit Future(regions::FutureState* state) noexcept : handle_(state) {}

    /// Waits for the task, running others meanwhile.
    /// Errors: TaskError if the task failed, or was skipped because something it needed had.
    [[nodiscard]] T get() const {
        return *static_cast<const T*>(regions::wait_for_value(handle_.checked(), 0));
    }
    /// Whether get() would return or throw at once.
    [[nodiscard]] bool ready() const { return regions::is_ready(handle_.checked()); }
    [[nodiscard]] explicit operator bool() const noexcept { return handle_.get() != nullptr; }
    [[nodiscard]] regions::FutureState* state() const noexcept { return handle_.get(); }

  private:
    detail::FutureHandle handle_;
};

/// The values that the points of an index launch return.
template <class T, int D>
class FutureMap {
    static_assert(
        std::is_trivially_copyable_v<T>,
        "a task's result is handed to other tasks as bytes: it must be trivially copyable");

  public:
    using value_type = T;
    FutureMap() noexcept = default;
    FutureMap(regions::FutureState* state, const Rect<D>& domain) noexcept
        : handle_(state), domain_(domain) {}

    [[nodiscard]] const Rect<D>& domain() const noexcept { return domain_; }
    /// Waits for the launch and returns the value of one of its points.
    /// Errors: TaskError if a point of the launch failed or was skipped; UsageError if `point` is
    ///     none of domain().
    [[nodiscard]] T get(const Point<D>& point) const {
        const data::Box box = data::box_of(domain_);
        const data::Coordinates at = data::coordinates_of(point);
        if (!box.contains(at)) regions::refuse_future_point(at, box, D);
        const auto index = static_cast<std::size_t>(data::linear_index(box, at));
        return *static_cast<const T*>(regions::wait_for_value(handle_.checked(), index));
    }
    [[nodiscard]] bool ready() const { return regions::is_ready(handle_.checked()); }
    [[nodiscard]] regions::FutureState* state() const noexcept { return handle_.get(); }

  private:
    detail::FutureHandle handle_;
    Rect<D> domain_{};
};

}  // namespace refrain
