/// The runtime: finds the parallelism in a sequential stream of tasks over regions.
///
///     refrain::Runtime rt(argc, argv);
///     auto x = rt.create_region<double>(extents(n), "x");
///     auto pieces = tiles(x.bounds(), 8);
///     rt.fill(x, 1.0);
///     for (int step = 0; step < 100; ++step)
///         rt.launch("scale", pieces.colours(), [](View<double, 1> v, double a) {
///             for (auto p : v.domain()) v[p] *= a;
///         }, read_write(x, pieces), 1.01);
///
/// A program's result is what running its tasks one after the other in launch order would give.
/// Launching returns at once; waiting for a future or for a region's data waits for what that needs
/// and nothing else.
///
/// Threads: one thread at a time launches and waits, the one that made the runtime unless
///          use_from_this_thread() says otherwise; it runs tasks while it waits. Tasks do not
///          launch. Both are checked.
/// Errors:  UsageError for a launch that has no meaning, naming the argument and the way out;
///          nothing was launched then. A task that throws: see wait_all().
#pragma once

#include "refrain/detail/launch.hpp"
#include "refrain/host_view.hpp"
#include "refrain/options.hpp"
#include "refrain/statistics.hpp"
#include "refrain/why_not_traced.hpp"

#include <memory>
#include <vector>

namespace refrain {

namespace runtime {
class Core;
}

class Runtime {
  public:
    explicit Runtime(const Options& options = Options::from_environment());
    /// Takes the runtime's own options out of the arguments.
    Runtime(int& argc, char** argv) : Runtime(Options::from_arguments(argc, argv)) {}
    /// Waits for all pending work. A failure that nobody was told of is printed to standard error.
    ~Runtime();
    Runtime(const Runtime&) = delete;
    Runtime& operator=(const Runtime&) = delete;
    Runtime(Runtime&&) = delete;
    Runtime& operator=(Runtime&&) = delete;

    [[nodiscard]] const Options& options() const noexcept;
    [[nodiscard]] unsigned worker_count() const noexcept;

    /// A region of elements of type T. `name` is for messages.
    /// Errors: UsageError if the bounds are empty or their volume in bytes exceeds the address
    ///     space.
    template <class T, int R>
    [[nodiscard]] Region<T, R> create_region(const Rect<R>& bounds, const char* name = "") {
        return Region<T, R>(create_root(data::box_of(bounds), R, sizeof(T), alignof(T), name));
    }

    /// Launches one task: task(views..., scalars...), in the order of `arguments` (argument.hpp).
    /// Returns a Future<T> if the task returns a T, nothing if it returns nothing.
    template <class F, class... Arguments>
    requires(!detail::is_rect_v<std::remove_cvref_t<F>>) auto launch(LaunchSite site, F&& task,
                                                                     const Arguments&... arguments);

    /// Launches one task per point of `domain`, which run in parallel: a read or write argument
    /// through a partition gets the subset of the point's own colour. A task may take the Point<D>
    /// first. Returns a FutureMap<T, D> if the task returns a T.
    /// Errors: UsageError if points of the launch would conflict with one another.
    template <int D, class F, class... Arguments>
    auto launch(LaunchSite site, const Rect<D>& domain, F&& task, const Arguments&... arguments);

    /// Sets every element; as one task, or as one per colour of a partition.
    template <class T, int R>
    void fill(const Region<T, R>& region, const std::type_identity_t<T>& value,
              LaunchSite site = {"fill", __builtin_FILE(), __builtin_LINE()});
    template <class T, int R, int C>
    void fill(const Region<T, R>& region, const Partition<R, C>& partition,
              const std::type_identity_t<T>& value,
              LaunchSite site = {"fill", __builtin_FILE(), __builtin_LINE()});

    /// Waits until the region's last writers are done, and gives its elements to look at. While the
    /// view lives, launches that write the region are errors.
    /// Errors: TaskError if what wrote the region failed.
    template <class T, int R>
    [[nodiscard]] HostView<const T, R> read(const Region<T, R>& region);
    /// Waits until all tasks that use the region are done, and gives its elements to change. While
    /// the view lives, launches that use the region are errors.
    template <class T, int R>
    [[nodiscard]] HostView<T, R> read_write(const Region<T, R>& region);
    /// The same for elements that will all be set: what was there before, and whether it failed,
    /// does not matter.
    template <class T, int R>
    [[nodiscard]] HostView<T, R> write(const Region<T, R>& region);

    /// The subset of `target_space` that the values of `pointers` point to, per colour of `source`;
    /// waits for the values.
    template <int T, int R, int C>
    [[nodiscard]] Partition<T, C> image(const Rect<T>& target_space, const Partition<R, C>& source,
                                        const Region<Point<T>, R>& pointers,
                                        Negative negative = Negative::is_error);
    template <int R, int C>
    [[nodiscard]] Partition<1, C> image(const Rect<1>& target_space, const Partition<R, C>& source,
                                        const Region<std::int64_t, R>& pointers,
                                        Negative negative = Negative::is_error);
    /// The elements of `pointers` whose values lie in each subset of `target`; waits for the
    /// values.
    template <int R, int T, int C>
    [[nodiscard]] Partition<R, C> preimage(const Region<Point<T>, R>& pointers,
                                           const Partition<T, C>& target);
    template <int R, int C>
    [[nodiscard]] Partition<R, C> preimage(const Region<std::int64_t, R>& pointers,
                                           const Partition<1, C>& target);

    /// Everything launched later starts after everything launched before. Does not wait.
    void fence(LaunchSite site = {"fence", __builtin_FILE(), __builtin_LINE()});
    /// Waits until everything launched so far is done.
    /// Errors: TaskError for the first failure that nobody was told of yet; the runtime can go on.
    void wait_all();

    /// Between the two, operations are recorded the first time and replayed from then on (what
    /// repeats by itself is found without them). The trace's identity is `id`.
    /// Errors: UsageError for traces that nest or do not match up; TraceMismatch from a launch or
    ///     from end_trace if the operations are not those recorded and CheckOptions::strict_traces is
    ///     set.
    void begin_trace(std::uint64_t id);
    void end_trace(std::uint64_t id);

    /// From now on the calling thread launches. No other thread may be using the runtime.
    /// Errors: UsageError from inside a task.
    void use_from_this_thread();

    [[nodiscard]] Statistics statistics() const;
    /// What became of the operations of each launch site, in the order of their first launches, and
    /// why those that were not replayed were not. Needs ObserveOptions::explain.
    /// Errors: UsageError if nothing was counted.
    [[nodiscard]] std::vector<LaunchSiteReport> why_not_traced() const;
    /// The dependences found so far, if ObserveOptions::record_graph is set.
    [[nodiscard]] std::vector<Dependence> dependences() const;

  private:
    [[nodiscard]] regions::RegionRoot* create_root(const data::Box& bounds, int rank,
                                                   std::size_t element_bytes,
                                                   std::size_t element_align, const char* name);
    void submit(const runtime::LaunchDescription& launch);
    [[nodiscard]] regions::FutureState* new_future(std::size_t value_bytes, std::size_t count);
    [[nodiscard]] HostMapping map(regions::RegionRoot* region, Privilege privilege);

    std::unique_ptr<runtime::Core> core_;
};

template <class F, class... Arguments>
requires(!detail::is_rect_v<std::remove_cvref_t<F>>) auto Runtime::launch(
    LaunchSite site, F&& task, const Arguments&... arguments) {
    using Typed = detail::TypedLaunch<0, std::decay_t<F>, Arguments...>;
    Typed typed(std::forward<F>(task), arguments...);
    if constexpr (Typed::has_result) {
        Future<typename Typed::Result> future(new_future(sizeof(typename Typed::Result), 1));
        submit(typed.describe(site, runtime::single_task_domain, future.state()));
        return future;
    } else {
        submit(typed.describe(site, runtime::single_task_domain, nullptr));
    }
}

template <int D, class F, class... Arguments>
auto Runtime::launch(LaunchSite site, const Rect<D>& domain, F&& task,
                     const Arguments&... arguments) {
    using Typed = detail::TypedLaunch<D, std::decay_t<F>, Arguments...>;
    const data::Box box = data::box_of(domain);
    Typed typed(std::forward<F>(task), arguments...);
    if constexpr (Typed::has_result) {
        using Result = typename Typed::Result;
        const auto count = static_cast<std::size_t>(domain.volume());
        FutureMap<Result, D> futures(new_future(sizeof(Result), count), domain);
        submit(typed.describe(site, box, futures.state()));
        return futures;
    } else {
        submit(typed.describe(site, box, nullptr));
    }
}

namespace detail {
template <class T, int R>
struct FillTask {
    void operator()(View<T, R> view, const T& value) const {
        for (const Rect<R>& rect : view.rects())
            for (const Point<R>& point : rect) view[point] = value;
    }
};
}  // namespace detail

template <class T, int R>
void Runtime::fill(const Region<T, R>& region, const std::type_identity_t<T>& value,
                   LaunchSite site) {
    launch(site, detail::FillTask<T, R>{}, refrain::write(region), value);
}

template <class T, int R, int C>
void Runtime::fill(const Region<T, R>& region, const Partition<R, C>& partition,
                   const std::type_identity_t<T>& value, LaunchSite site) {
    launch(site, partition.colours(), detail::FillTask<T, R>{}, refrain::write(region, partition),
           value);
}

template <class T, int R>
HostView<const T, R> Runtime::read(const Region<T, R>& region) {
    return HostView<const T, R>(map(region.root(), Privilege::read));
}
template <class T, int R>
HostView<T, R> Runtime::read_write(const Region<T, R>& region) {
    return HostView<T, R>(map(region.root(), Privilege::read_write));
}
template <class T, int R>
HostView<T, R> Runtime::write(const Region<T, R>& region) {
    return HostView<T, R>(map(region.root(), Privilege::write));
}

template <int T, int R, int C>
Partition<T, C> Runtime::image(const Rect<T>& target_space, const Partition<R, C>& source,
                               const Region<Point<T>, R>& pointers, Negative negative) {
    return refrain::image(target_space, source, read(pointers).elements(), negative);
}
template <int R, int C>
Partition<1, C> Runtime::image(const Rect<1>& target_space, const Partition<R, C>& source,
                               const Region<std::int64_t, R>& pointers, Negative negative) {
    return refrain::image(target_space, source, read(pointers).elements(), negative);
}
template <int R, int T, int C>
Partition<R, C> Runtime::preimage(const Region<Point<T>, R>& pointers,
                                  const Partition<T, C>& target) {
    return refrain::preimage(pointers.bounds(), read(pointers).elements(), target);
}
template <int R, int C>
Partition<R, C> Runtime::preimage(const Region<std::int64_t, R>& pointers,
                                  const Partition<1, C>& target) {
    return refrain::preimage(pointers.bounds(), read(pointers).elements(), target);
}

}  // namespace refrain
