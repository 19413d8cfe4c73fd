/// The runtime: runs a sequential stream of tasks over regions in parallel.
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
/// The result is that of running the tasks one after the other in launch order. Launches return at
/// once, or wait while too many operations are pending (the option window); those of short tasks may
/// run them, and wait for what was launched before. So a task must not wait for what the program does
/// after its launch. Waiting for a future or a region waits only for the tasks that its value depends
/// on.
///
/// Progress: with two workers or more, every launched task starts within finite time once the tasks
///           that it depends on have finished, although the program never calls the runtime again:
///           it may compute, sleep, or spin on what tasks set. With one worker tasks run while the
///           program waits, or in a launch if they are known to be short; one that polls calls
///           flush() or Future::ready() in its loop. So it does where mined tracing holds operations
///           back (option recogniser=mined).
///
/// Threads: one thread launches and waits: the one that made the runtime, unless
///          use_from_this_thread() changes that. It runs tasks while it waits. Tasks must not use
///          the runtime. Both are checked.
/// Errors:  UsageError for invalid calls; the message names the argument and the way out, and the
///          call has no effect. A task's exception becomes a TaskError where the program waits for
///          something that depends on the task, or in wait_all(). Tasks that depend on it are
///          skipped.
#pragma once

#include "refrain/detail/launch.hpp"
#include "refrain/failed_task.hpp"
#include "refrain/host_view.hpp"
#include "refrain/options.hpp"
#include "refrain/statistics.hpp"
#include "refrain/why_not_traced.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace refrain {

namespace runtime {
class Core;
}
namespace dynamic {
struct Access;
}

namespace detail {
/// Integers that regions of pointers may hold.
template <class T>
inline constexpr bool is_pointer_integer =
    std::is_same_v<T, std::int64_t> || std::is_same_v<T, std::int32_t>;
}  // namespace detail

class Runtime {
  public:
    /// Errors: UsageError for a value that is out of bounds, or a file that cannot be written.
    explicit Runtime(const Options& options);
    /// With the options of the environment.
    /// Errors: prints one line and exits with status 2 if they are wrong.
    Runtime() : Runtime(Options::from_environment_or_exit(), OrExit()) {}
    /// With the options of the environment and the `--refrain:...` arguments, which it removes.
    /// Errors: prints one line and exits with status 2 if they are wrong. A program that wants an
    ///     exception instead passes Options::from_arguments(argc, argv).
    Runtime(int& argc, char** argv)
        : Runtime(Options::from_arguments_or_exit(argc, argv), OrExit()) {}
    /// Waits for all pending tasks. Prints a failure that was not reported to standard error.
    ~Runtime();
    Runtime(const Runtime&) = delete;
    Runtime& operator=(const Runtime&) = delete;
    Runtime(Runtime&&) = delete;
    Runtime& operator=(Runtime&&) = delete;

    [[nodiscard]] const Options& options() const& noexcept;
    const Options& options() const&& = delete;
    [[nodiscard]] unsigned worker_count() const noexcept;

    /// Makes a region of elements of type T, which must be trivially copyable. `name` appears in
    /// messages.
    /// Errors: UsageError if the bounds are empty or their volume in bytes exceeds the address
    ///     space.
    /// Complexity: O(1); no memory for elements yet. Waits while destroyed regions that tasks still use
    ///     fill a quarter of the memory that the process may have.
    template <class T, int R>
    [[nodiscard]] Region<T, R> create_region(const Rect<R>& bounds, std::string_view name = {}) {
        return Region<T, R>(create_root(data::box_of(bounds), R, sizeof(T), alignof(T), name));
    }

    /// Launches a single task, called with one parameter per argument, in order: a view for a
    /// region argument (argument.hpp), a value for a future, scalars by const reference. Returns a
    /// Future<T> if the task returns a T, else nothing.
    /// Errors: UsageError for an empty or foreign region or future, a region to read that was never
    ///     written, a colour outside of its partition, a subset beyond the region's bounds, or a
    ///     conflicting open host view.
    /// Complexity: O(arguments) if replayed; otherwise plus the dependence analysis.
    template <class F, class... Arguments>
    requires(!detail::is_rect_v<std::remove_cvref_t<F>>) auto launch(LaunchSite site, F&& task,
                                                                     const Arguments&... arguments);

    /// Launches one task per point of `domain`; they run in parallel. An argument through a
    /// partition gets the subset of the point's colour. The task may take the Point<D> as first
    /// parameter. Returns a FutureMap<T, D> if the task returns a T, else nothing.
    /// Errors: as for a single task; UsageError if points of the launch conflict with one another,
    ///     or are more than 2^24.
    template <int D, class F, class... Arguments>
    auto launch(LaunchSite site, const Rect<D>& domain, F&& task, const Arguments&... arguments);

    /// Sets every element of the region in one task, or the subsets of a partition in one task per
    /// colour.
    template <class T, int R>
    void fill(const Region<T, R>& region, const std::type_identity_t<T>& value,
              LaunchSite site = {"fill", __builtin_FILE(), __builtin_LINE()});
    template <class T, int R, int C>
    void fill(const Region<T, R>& region, const Partition<R, C>& partition,
              const std::type_identity_t<T>& value,
              LaunchSite site = {"fill", __builtin_FILE(), __builtin_LINE()});

    /// Waits for the region's last writers; returns a view to read its elements. While the view
    /// lives, launches that write the region are errors.
    /// Errors: TaskError if a writer failed; UsageError if nothing has written the region, or
    ///     another host view conflicts.
    template <class T, int R>
    [[nodiscard]] HostView<const T, R> read(const Region<T, R>& region);
    /// Waits for all tasks that use the region; returns a view to read and write its elements.
    /// While the view lives, launches that use the region are errors.
    /// Errors: as read().
    template <class T, int R>
    [[nodiscard]] HostView<T, R> read_write(const Region<T, R>& region);
    /// As read_write(), for a program that sets every element: old values, and failures of their
    /// writers, do not matter.
    template <class T, int R>
    [[nodiscard]] HostView<T, R> write(const Region<T, R>& region);

    /// refrain::image with the values of a region, for whose writers it waits: per colour of
    /// `source`, the points of `target_space` that the elements of the subset point to.
    /// Errors: those of refrain::image and read().
    template <int T, int R, int C>
    [[nodiscard]] Partition<T, C> image(const Rect<T>& target_space, const Partition<R, C>& source,
                                        const Region<Point<T>, R>& pointers,
                                        Negative negative = Negative::is_error);
    template <class T, int R, int C>
    requires(detail::is_pointer_integer<T>)
        [[nodiscard]] Partition<1, C> image(const Rect<1>& target_space,
                                            const Partition<R, C>& source,
                                            const Region<T, R>& pointers,
                                            Negative negative = Negative::is_error);
    /// refrain::preimage with the values of a region, for whose writers it waits: per colour of
    /// `target`, the elements of `pointers` whose values are in the subset.
    /// Errors: those of refrain::preimage and read().
    template <int R, int T, int C>
    [[nodiscard]] Partition<R, C> preimage(const Region<Point<T>, R>& pointers,
                                           const Partition<T, C>& target);
    template <class T, int R, int C>
    requires(detail::is_pointer_integer<T>)
        [[nodiscard]] Partition<R, C> preimage(const Region<T, R>& pointers,
                                               const Partition<1, C>& target);

    /// Orders all later launches after all earlier ones. Does not wait.
    void fence(LaunchSite site = {"fence", __builtin_FILE(), __builtin_LINE()});
    /// Hands all launched tasks to the workers now; else they may start some 50 microseconds later,
    /// and with mined tracing later still. Does not wait for them. With one worker, runs a task that
    /// is ready, if there is one.
    void flush();
    /// Waits for all tasks launched so far.
    /// Errors: TaskError for the first failure not yet reported. The runtime stays usable.
    void wait_all();
    /// Waits for all tasks launched so far. Returns the tasks that threw since the last call, in
    /// launch order, reported or not; from then on all count as reported. Tasks that were skipped
    /// because they depend on these are not among them.
    ///
    ///     for (const FailedTask& failed : rt.take_failures()) std::puts(failed.error.what());
    ///
    /// At most 1000 are kept between two calls; LaunchStatistics::failed counts all.
    [[nodiscard]] std::vector<FailedTask> take_failures();

    /// Mark a fragment of the program as the trace `id`, below 2^63: its operations are recorded
    /// the first time and replayed afterwards. Optional: automatic tracing finds repetition by
    /// itself.
    /// Errors: UsageError for nested or unmatched calls, or an id of 2^63 or more. With
    ///     CheckOptions::strict_traces, TraceMismatch from a launch or from end_trace if the operations
    ///     differ from those recorded.
    void begin_trace(std::uint64_t id);
    void end_trace(std::uint64_t id);

    /// Between these, what the program launches is of interest: once it has called begin_interest(),
    /// reports, timelines and why_not_traced() count and time nothing else. Several stretches are
    /// added up; one that is not ended lasts until the end. Neither waits, nor changes how anything
    /// runs.
    ///
    ///     set_up(rt);
    ///     rt.begin_interest();
    ///     for (int step = 0; step < 1000; ++step) advance(rt);
    ///     rt.end_interest();
    ///     write_results(rt);
    ///
    /// Errors: UsageError for nested or unmatched calls.
    void begin_interest();
    void end_interest();

    /// Makes the calling thread the one that launches. No other thread may be using the runtime.
    /// Errors: UsageError from inside a task.
    void use_from_this_thread();

    [[nodiscard]] Statistics statistics() const;
    /// Per launch site, in the order of first launches: how many operations were replayed, and why
    /// the others were not.
    /// Errors: UsageError without ObserveOptions::explain.
    [[nodiscard]] std::vector<LaunchSiteReport> why_not_traced() const;
    /// The dependences found so far; empty without ObserveOptions::record_graph.
    [[nodiscard]] std::vector<Dependence> dependences() const;

  private:
    friend struct dynamic::Access;  // refrain/dynamic.hpp
    struct OrExit {};

    /// For a main function, which has nobody to catch an error.
    Runtime(const Options& options, OrExit);

    [[nodiscard]] regions::RegionRoot* create_root(const data::Box& bounds, int rank,
                                                   std::size_t element_bytes,
                                                   std::size_t element_align,
                                                   std::string_view name);
    void submit(const runtime::LaunchDescription& launch);
    [[nodiscard]] regions::FutureState* new_future(const LaunchSite& site, const data::Box& domain,
                                                   int rank, std::size_t value_bytes);
    [[nodiscard]] HostMapping map(regions::RegionRoot* region, Privilege privilege);

    std::unique_ptr<runtime::Core> core_;
};

template <class F, class... Arguments>
requires(!detail::is_rect_v<std::remove_cvref_t<F>>) auto Runtime::launch(
    LaunchSite site, F&& task, const Arguments&... arguments) {
    using Typed = detail::TypedLaunch<0, std::decay_t<F>, Arguments...>;
    Typed typed(std::forward<F>(task), arguments...);
    if constexpr (Typed::has_result) {
        Future<typename Typed::Result> future(
            new_future(site, runtime::single_task_domain, 0, sizeof(typename Typed::Result)));
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
        FutureMap<Result, D> futures(new_future(site, box, D, sizeof(Result)), domain);
        submit(typed.describe(site, box, futures.state()));
        return futures;
    } else {
        submit(typed.describe(site, box, nullptr));
    }
}

namespace detail {
inline namespace REFRAIN_VIEWS {
template <class T, int R>
struct FillTask {
    void operator()(View<T, R> view, const T& value) const { view.fill(value); }
};
}  // namespace REFRAIN_VIEWS
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
template <class T, int R, int C>
requires(detail::is_pointer_integer<T>) Partition<1, C> Runtime::image(
    const Rect<1>& target_space, const Partition<R, C>& source, const Region<T, R>& pointers,
    Negative negative) {
    return refrain::image(target_space, source, read(pointers).elements(), negative);
}
template <int R, int T, int C>
Partition<R, C> Runtime::preimage(const Region<Point<T>, R>& pointers,
                                  const Partition<T, C>& target) {
    return refrain::preimage(pointers.bounds(), read(pointers).elements(), target);
}
template <class T, int R, int C>
requires(detail::is_pointer_integer<T>) Partition<R, C> Runtime::preimage(
    const Region<T, R>& pointers, const Partition<1, C>& target) {
    return refrain::preimage(pointers.bounds(), read(pointers).elements(), target);
}

}  // namespace refrain
