/// Futures: the results of tasks.
///
///     Future<double> s = rt.launch("sum", [](View<const double, 1> x) { ... }, read(x));
///     rt.launch("scale", [](View<double, 1> x, double sum) { ... }, read_write(x), s);  // no wait
///     double value = s.get();                                                           // waits
///
/// A future may be an argument of later launches: these tasks run after the one that makes its
/// value. Copies share the value; it lives as long as the last of them and the tasks that need it.
///
/// Threads: the launching thread only.
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
/// Waits for the launch and returns the value of its point `index`, in row-major order.
[[nodiscard]] const void* wait_for_value(FutureState& future, std::size_t index);
[[nodiscard]] bool is_ready(FutureState& future);
[[noreturn]] void refuse_empty_future();
void refuse_future_point(const data::Coordinates& point, const data::Box& domain, int rank);
}  // namespace regions

namespace detail {

/// A counted reference to a future's state.
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

/// The result of a single task. T must be trivially copyable. A default-made future is empty.
template <class T>
class Future {
    static_assert(
        std::is_trivially_copyable_v<T>,
        "a task's result is copied to other tasks as bytes: it must be trivially copyable");

  public:
    using value_type = T;
    Future() noexcept = default;
    explicit Future(regions::FutureState* state) noexcept : handle_(state) {}

    /// Waits for the task and returns its result; runs other tasks meanwhile.
    /// Errors: TaskError if the task failed, or was skipped because a task that it depends on
    ///     failed. UsageError if the future is empty.
    [[nodiscard]] T get() const {
        return *static_cast<const T*>(regions::wait_for_value(handle_.checked(), 0));
    }
    /// Whether get() would not wait.
    /// Errors: UsageError if the future is empty.
    [[nodiscard]] bool ready() const { return regions::is_ready(handle_.checked()); }
    /// Whether the future is not empty.
    [[nodiscard]] explicit operator bool() const noexcept { return handle_.get() != nullptr; }
    [[nodiscard]] regions::FutureState* state() const noexcept { return handle_.get(); }

  private:
    detail::FutureHandle handle_;
};

/// The results of an index launch, one per point of its domain. T must be trivially copyable.
template <class T, int D>
class FutureMap {
    static_assert(
        std::is_trivially_copyable_v<T>,
        "a task's result is copied to other tasks as bytes: it must be trivially copyable");

  public:
    using value_type = T;
    FutureMap() noexcept = default;
    FutureMap(regions::FutureState* state, const Rect<D>& domain) noexcept
        : handle_(state), domain_(domain) {}

    /// Errors: UsageError if the future is empty.
    [[nodiscard]] Rect<D> domain() const {
        static_cast<void>(handle_.checked());
        return domain_;
    }
    /// Waits for the whole launch and returns the result of `point`.
    /// Errors: TaskError if any point of the launch failed or was skipped; UsageError if `point` is
    ///     outside of domain() or the future is empty.
    [[nodiscard]] T get(const Point<D>& point) const {
        static_cast<void>(handle_.checked());
        const data::Box box = data::box_of(domain_);
        const data::Coordinates at = data::coordinates_of(point);
        if (!box.contains(at)) regions::refuse_future_point(at, box, D);
        const auto index = static_cast<std::size_t>(data::linear_index(box, at));
        return *static_cast<const T*>(regions::wait_for_value(handle_.checked(), index));
    }
    /// Whether get() would not wait.
    /// Errors: UsageError if the future is empty.
    [[nodiscard]] bool ready() const { return regions::is_ready(handle_.checked()); }
    /// Whether the future is not empty.
    [[nodiscard]] explicit operator bool() const noexcept { return handle_.get() != nullptr; }
    [[nodiscard]] regions::FutureState* state() const noexcept { return handle_.get(); }

  private:
    detail::FutureHandle handle_;
    Rect<D> domain_{};
};

}  // namespace refrain
