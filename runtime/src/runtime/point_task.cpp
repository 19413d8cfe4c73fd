#include "runtime/point_task.hpp"

#include "base/clock.hpp"
#include "base/prefetch.hpp"
#include "data/box_runs.hpp"
#include "refrain/detail/sparse_partial.hpp"
#include "refrain/detail/written_elements.hpp"
#include "regions/fold_order.hpp"
#include "runtime/direct_launch.hpp"
#include "runtime/fetched_lines.hpp"
#include "runtime/operation.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace refrain::runtime {
namespace {

constexpr std::size_t partial_inline_bytes = 256;  // scalar reductions allocate no block
/// From that size of a subset on, partial results are made by the chunk, unless those of the launch site
/// are dense (docs/benchmarks.md, "cliffs", has the curve).
constexpr std::size_t sparse_bytes_min = std::size_t{256} << 10;

/// The private partial results of one point.
class Partials {
  public:
    explicit Partials(graph::TaskCost& cost) : cost_(cost) {}
    Partials(const Partials&) = delete;
    Partials& operator=(const Partials&) = delete;
    Partials(Partials&&) = delete;
    Partials& operator=(Partials&&) = delete;
    ~Partials() = default;

    /// A partial result over the bounds of the argument's subset, with identities in the subset.
    [[nodiscard]] TaskArgument open(const Argument& argument, const data::BoxSet& subset) {
        const data::Box& bounds = subset.bounds();
        data::StoragePool& pool = argument.storage->pool();
        const std::size_t bytes = bytes_of(argument, subset);
        if (bytes >= sparse_bytes_min && is_sparse(argument, subset))
            return {nullptr, &bounds, &subset,
                    new data::SparsePartial(bounds, *argument.reduction, pool)};
        void* partial = nullptr;
        if (bytes <= partial_inline_bytes - used_ && argument.order == nullptr) {
            partial = inline_.data() + used_;
            used_ += (bytes + 63) & ~std::size_t{63};
        } else {
            partial = pool.allocate(bytes);
        }
        const TaskArgument opened{partial, &bounds, &subset, nullptr};
        try {
            initialise(*argument.reduction, partial, subset);
        } catch (...) {
            release(argument, opened);
            throw;
        }
        return opened;
    }
    /// Folds the partial result, or deposits it to be folded in order. It is released even if
    /// folding throws.
    void fold(const Argument& argument, std::uint32_t point, const TaskArgument& opened) {
        if (argument.order != nullptr)
            return argument.order->deposit(point, argument.part, opened.elements);
        try {
            if (opened.sparse != nullptr) {
                cost_.density.add(opened.sparse->is_dense());
                argument.storage->fold(*argument.reduction, *opened.sparse, *opened.subset);
            } else
                argument.storage->fold(*argument.reduction, opened.elements, *opened.bounds,
                                       *opened.subset);
        } catch (...) {
            release(argument, opened);
            throw;
        }
        release(argument, opened);
    }
    void release(const Argument& argument, const TaskArgument& opened) noexcept {
        if (opened.sparse != nullptr) {
            delete opened.sparse;
            return;
        }
        // One past the end counts as inline: an empty result after those that fill the buffer.
        const void* partial = opened.elements;
        const bool is_inline =
            partial >= inline_.data() && partial <= inline_.data() + inline_.size();
        if (!is_inline)
            argument.storage->pool().release(opened.elements, bytes_of(argument, *opened.subset));
    }

  private:
    [[nodiscard]] bool is_sparse(const Argument& argument, const data::BoxSet& subset) const {
        if (!argument.may_be_sparse || argument.order != nullptr) return false;
        const auto elements = static_cast<std::size_t>(subset.volume());
        return elements * argument.reduction->element_bytes >= sparse_bytes_min &&
               cost_.density.is_by_chunk();
    }
    /// Only the subset, since its bounds may be far larger: what lies between is not even touched.
    /// Small bounds are filled whole, which takes one call.
    static void initialise(const data::ReductionFunctions& reduction, void* partial,
                           const data::BoxSet& subset) {
        const auto spanned = static_cast<std::size_t>(subset.bounds().volume());
        if (spanned * reduction.element_bytes <= partial_inline_bytes)
            return reduction.initialise(partial, spanned);
        auto* elements = static_cast<std::byte*>(partial);
        subset.for_each_box([&](const data::Box& box) {
            data::for_each_run(box, subset.bounds(), subset.bounds(),
                               [&](std::size_t at, std::size_t, std::size_t count) {
                                   reduction.initialise(elements + at * reduction.element_bytes,
                                                        count);
                               });
        });
    }
    [[nodiscard]] static std::size_t bytes_of(const Argument& argument,
                                              const data::BoxSet& subset) {
        return static_cast<std::size_t>(subset.bounds().volume()) *
               argument.reduction->element_bytes;
    }
    graph::TaskCost& cost_;
    alignas(64) std::array<std::byte, partial_inline_bytes> inline_;
    std::size_t used_ = 0;
};

[[nodiscard]] data::Coordinates point_of(const Operation& operation, std::uint32_t point) {
    if (operation.domain_shape == DomainShape::box) return data::point_at(*operation.domain, point);
    return {operation.domain->lo[0] + point, operation.domain->lo[1], operation.domain->lo[2]};
}

/// The frame of a point becomes that of another point of its index launch.
void move_to(TaskFrame& frame, const Operation& operation, std::uint32_t point) {
    frame.result = operation.result_values + std::size_t{operation.result_bytes} * point;
    frame.point = point_of(operation, point);
}

TaskFrame frame_for(const Operation& operation, std::uint32_t point,
                    const TaskArgument* arguments) {
    TaskFrame frame{.arguments = arguments,
                    .closure = operation.closure,
                    .futures = operation.future_values,
                    .result = operation.result_values,
                    .point = {}};
    if (operation.domain_shape == DomainShape::single_task) return frame;
    move_to(frame, operation, point);
    return frame;
}

/// Both pointers by one store. Compilers load the two members by one load, and a core waits when one load
/// reads what two stores have just written.
[[gnu::always_inline]] inline void store_pair(void* to, const void* first, const void* second) {
#if defined(__SSE2__)
    const auto word = [](const void* pointer) { return reinterpret_cast<long long>(pointer); };
    _mm_storeu_si128(static_cast<__m128i*>(to), _mm_set_epi64x(word(second), word(first)));
#else
    const std::array<const void*, 2> pair{first, second};
    std::memcpy(to, pair.data(), sizeof pair);
#endif
}
static_assert(offsetof(TaskArgument, subset) ==
              offsetof(TaskArgument, bounds) + sizeof(const void*));

[[gnu::always_inline]] inline void aim(TaskArgument& resolved, const analysis::Footprint& footprint,
                                       const data::Box& bounds, std::uint32_t point) {
    store_pair(reinterpret_cast<std::byte*>(&resolved) + offsetof(TaskArgument, bounds), &bounds,
               &footprint.subsets[point]);
}

[[gnu::always_inline]] inline void resolve(const Argument& argument, std::uint32_t point,
                                           TaskArgument& resolved) {
    resolved.elements = argument.storage->ensure();
    aim(resolved, *argument.footprint, argument.storage->bounds(), point);
}

/// Lets later points fold although this one contributes nothing.
void skip_turn(const Argument& argument, std::uint32_t point) {
    if (argument.order != nullptr) argument.order->deposit(point, argument.part, nullptr);
}

/// Operations with reductions or very many arguments.
void call_general(Operation& operation, std::uint32_t point) {
    const std::size_t count = operation.arguments().size();
    std::array<TaskArgument, 64> few;
    std::unique_ptr<TaskArgument[]> many;
    if (count > few.size()) many = std::make_unique<TaskArgument[]>(count);
    TaskArgument* resolved = many != nullptr ? many.get() : few.data();
    Partials partials(*operation.cost);
    std::size_t opened = 0;  // arguments resolved
    std::size_t folded = 0;  // of these, arguments whose partial result is released
    try {
        for (; opened < count; ++opened) {
            const Argument& argument = operation.arguments()[opened];
            resolve(argument, point, resolved[opened]);
            if (argument.reduction == nullptr) continue;
            resolved[opened] = partials.open(argument, *resolved[opened].subset);
        }
        operation.function(frame_for(operation, point, resolved));
        while (folded < count) {
            const std::size_t i = folded++;
            if (operation.arguments()[i].reduction != nullptr)
                partials.fold(operation.arguments()[i], point, resolved[i]);
        }
    } catch (...) {
        for (; folded < count; ++folded) {
            const Argument& argument = operation.arguments()[folded];
            if (folded < opened && argument.reduction != nullptr)
                partials.release(argument, resolved[folded]);
            try {
                skip_turn(argument, point);
            } catch (...) {  // the operator threw on deposited results; the point fails anyway
            }
        }
        throw;
    }
}

[[gnu::cold]] void fail(Operation& operation, std::uint32_t point) noexcept {
    regions::Failure* failure = regions::make_failure(operation.number, point, operation.site);
    const void* first = nullptr;
    if (operation.causes->compare_exchange_strong(first, failure, std::memory_order_acq_rel,
                                                  std::memory_order_acquire))
        return;
    // One failure per launch is reported, the first.
    failure->is_further =
        static_cast<const regions::Failure*>(first)->operation == operation.number;
    operation.context->secondary_failures.add(failure);
}

/// Moves the subset of an argument on by so many points. As in store_pair, one load and one store.
[[gnu::always_inline]] inline void advance(TaskArgument& resolved, std::ptrdiff_t points) {
    auto* const pair = reinterpret_cast<std::byte*>(&resolved) + offsetof(TaskArgument, bounds);
#if defined(__SSE2__)
    auto* const both = reinterpret_cast<__m128i*>(pair);
    const long long bytes = points * static_cast<std::ptrdiff_t>(sizeof(data::BoxSet));
    _mm_storeu_si128(both, _mm_add_epi64(_mm_loadu_si128(both), _mm_set_epi64x(bytes, 0)));
#else
    store_pair(pair, resolved.bounds, resolved.subset + points);
#endif
}

/// From point to point only the subsets change, the point and the place of its result. A task that throws
/// leaves the others.
std::uint64_t call(Operation& operation, std::uint32_t first, std::uint64_t points) {
    std::array<TaskArgument, arguments_inline_max> resolved;
    const std::uint32_t count = operation.argument_count;
    std::uint64_t left = points;
    std::uint64_t failed = 0;
    while (true) {
        std::uint32_t point = first + static_cast<std::uint32_t>(std::countr_zero(left));
        try {
            for (std::uint32_t i = 0; i < count; ++i)
                resolve(operation.first_argument[i], point, resolved[i]);
            TaskFrame frame = frame_for(operation, point, resolved.data());
            while (true) {
                operation.function(frame);
                left &= left - 1;
                if (left == 0) return failed;
                const std::uint32_t from = point;
                point = first + static_cast<std::uint32_t>(std::countr_zero(left));
                for (std::uint32_t i = 0; i < count; ++i) advance(resolved[i], point - from);
                move_to(frame, operation, point);
            }
        } catch (...) {
            fail(operation, point);
        }
        failed |= left & (0 - left);
        left &= left - 1;
        if (left == 0) return failed;
    }
}

bool call_general_guarded(graph::Node& node, std::uint32_t point, std::uint32_t) noexcept {
    auto& operation = static_cast<Operation&>(node);
    try {
        call_general(operation, point);
    } catch (...) {
        fail(operation, point);
        return false;
    }
    return true;
}

/// The marks of the elements of each region argument, while the task runs on this thread.
class WatchedTask {
  public:
    /// Errors: OutOfMemory.
    explicit WatchedTask(const Operation& operation) : arguments_(operation.arguments().size()) {
        for (std::size_t i = 0; i < arguments_.size(); ++i) {
            const regions::Storage* storage = operation.arguments()[i].storage;
            static_cast<void>(operation.arguments()[i].storage->ensure());
            arguments_[i].elements = storage->written();
        }
        writes_ = {.arguments = arguments_.data(), .count = arguments_.size()};
        data::TaskWrites::of_this_thread() = &writes_;
    }
    WatchedTask(const WatchedTask&) = delete;
    WatchedTask& operator=(const WatchedTask&) = delete;
    WatchedTask(WatchedTask&&) = delete;
    WatchedTask& operator=(WatchedTask&&) = delete;
    ~WatchedTask() { data::TaskWrites::of_this_thread() = nullptr; }

    /// The task has run: marks what it may have written where its views do not mark.
    void ran(const Operation& operation, std::uint32_t point) {
        for (std::size_t i = 0; i < arguments_.size(); ++i) {
            const Argument& argument = operation.arguments()[i];
            if (arguments_[i].was_asked)
                operation.context->has_checked_reads.store(true, std::memory_order_relaxed);
            else if (arguments_[i].elements != nullptr && argument.privilege != Privilege::read &&
                     argument.privilege != Privilege::reduce)
                arguments_[i].elements->add(argument.footprint->subsets[point]);
        }
    }

  private:
    std::vector<data::TaskWrites::Argument> arguments_;
    data::TaskWrites writes_;
};

bool run_watched_point(graph::Node& node, std::uint32_t point, std::uint32_t worker) noexcept {
    const auto& operation = static_cast<Operation&>(node);
    std::optional<WatchedTask> task;
    try {
        task.emplace(operation);
    } catch (...) {  // without memory for elements or marks; the task meets the first by itself
    }
    const bool ran = run_points(node, point, 1, worker) == 0;
    if (ran && task) task->ran(operation, point);
    return ran;
}

/// A task that has run until now.
void note_task(observe::TaskLog& log, observe::Span span) noexcept {
    span.end = base::ticks();
    span.kind = observe::SpanKind::task;
    try {
        log.ran(span);
    } catch (const std::bad_alloc&) {  // the task is not timed
    }
}

bool run_logged_point(graph::Node& node, std::uint32_t point, std::uint32_t worker) noexcept {
    const auto& operation = static_cast<Operation&>(node);
    const std::uint64_t begin = base::ticks();
    const bool ran = operation.context->run(node, point, 1, worker) == 0;
    const observe::TaskLogs& logs = *operation.context->task_logs.load(std::memory_order_acquire);
    note_task(*logs[worker], {.begin = begin,
                              .name = operation.site.name,
                              .operation = operation.number.value(),
                              .point = point,
                              .site = operation.site_number});
    return ran;
}

}  // namespace

std::uint64_t run_points(graph::Node& node, std::uint32_t first, std::uint64_t points,
                         std::uint32_t worker) noexcept {
    auto& operation = static_cast<Operation&>(node);
    if (operation.is_general) [[unlikely]]
        return graph::run_each<call_general_guarded>(node, first, points, worker);
    return call(operation, first, points);
}

std::uint64_t DirectLaunch::run() noexcept {
    if (log_ != nullptr) [[unlikely]]
        return run_timed();
    return checked_.reduces ? run_points<true, false>() : run_points<false, false>();
}

std::uint64_t DirectLaunch::run_timed() noexcept {
    const observe::TaskLog::InLaunch in_launch(log_);
    return checked_.reduces ? run_points<true, true>() : run_points<false, true>();
}

void DirectLaunch::note_time(std::uint32_t point, std::uint64_t begin) noexcept {
    note_task(*log_, {.begin = begin,
                      .name = launch_.site.name,
                      .operation = number_.value(),
                      .point = point,
                      .site = site_number_});
}

/// As `call`. A point that finds no memory for elements leaves the others.
template <bool has_reductions, bool is_timed>
std::uint64_t DirectLaunch::run_points() noexcept {
    struct alignas(64) Partial {
        std::byte bytes[partial_bytes_max];
    };
    std::array<TaskArgument, arguments_inline_max> resolved;
    std::array<Partial, arguments_inline_max> partials;  // of reductions
    const LaunchKind& kind = *launch_.kind;
    const std::uint32_t count = kind.requirement_count;
    TaskFrame frame{.arguments = resolved.data(),
                    .closure = closure_,
                    .futures = nullptr,
                    .result = launch_.result == nullptr ? nullptr : launch_.result->values(),
                    .point = launch_.domain->lo};
    std::uint64_t failed = 0;
    for (std::uint32_t point = 0; true;) {
        [[maybe_unused]] const std::uint64_t begin = is_timed ? base::ticks() : 0;
        try {
            for (std::uint32_t i = 0; i < count; ++i) {
                regions::Storage& storage = *launch_.requirements[i].region->storage;
                resolved[i].elements = storage.ensure();
                aim(resolved[i], *checked_.requirements[i].footprint, storage.bounds(), point);
            }
            [[maybe_unused]] const auto for_each_reduction = [&](const auto& visit) {
                for (std::uint32_t i = 0; i < count; ++i)
                    if (const data::ReductionFunctions* const reduction =
                            kind.requirements[i].reduction)
                        visit(*reduction, resolved[i], i);
            };
            if constexpr (has_reductions)
                for_each_reduction([&](const data::ReductionFunctions& reduction,
                                       TaskArgument& argument, std::uint32_t i) {
                    reduction.initialise(partials[i].bytes, 1);
                    argument = {partials[i].bytes, &argument.subset->bounds(), argument.subset,
                                nullptr};
                });
            kind.function(frame);
            if constexpr (has_reductions)
                for_each_reduction([&](const data::ReductionFunctions& reduction,
                                       const TaskArgument& argument, std::uint32_t i) {
                    launch_.requirements[i].region->storage->fold(
                        reduction, argument.elements, *argument.bounds, *argument.subset);
                });
        } catch (...) {
            fail(point);
            failed |= std::uint64_t{1} << point;
        }
        if constexpr (is_timed) note_time(point, begin);
        if (++point == checked_.points) return failed;
        ++frame.point[0];
        if (launch_.result != nullptr)
            frame.result = static_cast<std::byte*>(frame.result) + launch_.result->value_bytes;
    }
}

void DirectLaunch::fail(std::uint32_t point) {
    failures_[failure_count_++] = regions::make_failure(number_, point, launch_.site);
}

void fetch_points(const graph::Node& node, std::uint32_t first, std::uint64_t points) noexcept {
    for_each_fetched_line(static_cast<const Operation&>(node).arguments(), first, points,
                          [](const std::byte* address, Privilege privilege) {
                              if (privilege == Privilege::read)
                                  base::prefetch_for_read(address);
                              else
                                  base::prefetch_for_write(address);
                          });
}

std::uint64_t run_watched_points(graph::Node& node, std::uint32_t first, std::uint64_t points,
                                 std::uint32_t worker) noexcept {
    return graph::run_each<run_watched_point>(node, first, points, worker);
}

std::uint64_t run_logged_points(graph::Node& node, std::uint32_t first, std::uint64_t points,
                                std::uint32_t worker) noexcept {
    return graph::run_each<run_logged_point>(node, first, points, worker);
}

bool skip_point(graph::Node& node, std::uint32_t point, std::uint32_t) noexcept {
    try {
        for (const Argument& argument : static_cast<Operation&>(node).arguments())
            skip_turn(argument, point);
    } catch (...) {
        fail(static_cast<Operation&>(node), point);  // the operator threw on deposited results
    }
    return false;
}

std::uint64_t run_nothing(graph::Node&, std::uint32_t, std::uint64_t, std::uint32_t) noexcept {
    return 0;
}

}  // namespace refrain::runtime
