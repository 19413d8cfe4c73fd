/// Launches whose types are known at run time: for libraries whose element types, ranks and tasks
/// come from elsewhere, such as an array library for another language.
///
///     namespace dynamic = refrain::dynamic;
///     dynamic::AnyRegion x = dynamic::create_region(rt, {{0}, {8, 1, 1}}, 1, 8, 8, "x");
///     dynamic::AnyPartition halves = dynamic::make_partition(x.bounds(), 1, boxes);    // 2 boxes
///     const dynamic::Requirement through[] = {{Privilege::read_write}};
///     const dynamic::TaskKind scale({.name = "scale", .function = &scale_function,
///                                    .domain_rank = 1, .requirements = through});
///     const dynamic::RegionUse uses[] = {dynamic::use(x, halves)};
///     dynamic::launch(rt, scale, scale.site(), {{0}, {2, 1, 1}}, uses);
///     double* elements = static_cast<double*>(dynamic::wait_for(rt, x, part, Privilege::read));
///
/// Typed and untyped launches mix freely: untyped() gives the untyped handle of a typed region.
/// Domains, bounds and parts are boxes of three dimensions; those from the rank on are [0,1).
///
/// What may be done with regions made here, unlike others: they may be read before anything has
/// written them (their content is then unspecified), and a launch may use one of them, as it may use
/// any region, several times.
///
/// Errors:  UsageError as Runtime::launch(), and for what there is a type for: another number of
///          regions or futures than the kind has, ranks that differ, an operator for elements of
///          another size.
/// Threads: the launching thread only. Kinds and partitions may be made on any thread.
#pragma once

#include "refrain/detail/launch_description.hpp"
#include "refrain/detail/partition_factories.hpp"
#include "refrain/future.hpp"
#include "refrain/give_up.hpp"
#include "refrain/partition.hpp"
#include "refrain/region.hpp"
#include "refrain/runtime.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace refrain::dynamic {

/// Box and coordinates of rank 1 to 3.
using data::Box;
using data::Coordinates;
/// What a task is called with: addresses, bounds and subsets of its regions, its closure, values of
/// futures, memory for its result, its point.
using runtime::TaskArgument;
using runtime::TaskFrame;
using runtime::TaskFunction;
/// How a closure is moved and destroyed. No functions: it is bytes.
using runtime::ClosureKind;

/// A shared handle to a region whose element type and rank are known at run time. A default-made
/// handle is empty.
class AnyRegion {
  public:
    AnyRegion() noexcept = default;
    /// Adopts one reference.
    explicit AnyRegion(regions::RegionRoot* root) noexcept : root_(root) {}
    AnyRegion(const AnyRegion& other) noexcept : root_(other.root_) { regions::retain(root_); }
    AnyRegion(AnyRegion&& other) noexcept : root_(std::exchange(other.root_, nullptr)) {}
    AnyRegion& operator=(AnyRegion other) noexcept {
        std::swap(root_, other.root_);
        return *this;
    }
    ~AnyRegion() { regions::release(root_); }

    /// Errors: UsageError if the handle is empty.
    [[nodiscard]] const Box& bounds() const { return regions::bounds_of(checked("bounds")); }
    [[nodiscard]] int rank() const;
    [[nodiscard]] std::size_t element_bytes() const;
    /// For messages, such as "region4 'u'".
    [[nodiscard]] std::string name() const { return regions::name_of(checked("name")); }
    /// Whether the handle is not empty.
    [[nodiscard]] explicit operator bool() const noexcept { return root_ != nullptr; }
    /// Empties the handle; ends the region if it was the last one.
    void reset() noexcept { *this = AnyRegion(); }
    [[nodiscard]] regions::RegionRoot* root() const noexcept { return root_; }
    friend bool operator==(const AnyRegion& a, const AnyRegion& b) noexcept {
        return a.root_ == b.root_;
    }

  private:
    [[nodiscard]] const regions::RegionRoot& checked(const char* question) const {
        if (root_ == nullptr) regions::refuse_empty_region(question);
        return *root_;
    }

    regions::RegionRoot* root_ = nullptr;
};

/// The same region. It keeps its rule that it is written before it is read.
template <class T, int R>
[[nodiscard]] AnyRegion untyped(const Region<T, R>& region) {
    regions::retain(region.root());
    return AnyRegion(region.root());
}

/// Makes a region of unspecified content. Its memory is allocated when the first task that uses it
/// starts.
/// Errors: those of Runtime::create_region; UsageError for a rank outside of 1 to 3, elements of no
///     bytes, or an alignment that is not a power of two.
[[nodiscard]] AnyRegion create_region(Runtime& runtime, const Box& bounds, int rank,
                                      std::size_t element_bytes, std::size_t element_align,
                                      std::string_view name = {});

/// Makes a region of memory from outside, row-major over the bounds, with the content it has. The
/// memory stays valid until `done` is called: once, by the launching thread, when the last handle is
/// gone and all tasks on the region are over (at a later launch or wait), or when the runtime ends.
/// `done` must not throw, launch or wait. Until then only tasks use the memory, and the program after
/// a wait_for().
/// Errors: as create_region(), then `done` is not called; UsageError for memory that is null, not
///     aligned, or part of which belongs to a region already: those would be one region with two
///     names.
[[nodiscard]] AnyRegion adopt_memory(Runtime& runtime, const Box& bounds, int rank,
                                     std::size_t element_bytes, std::size_t element_align,
                                     void* memory, std::function<void()> done,
                                     std::string_view name = {});

/// A shared handle to a partition with 1-dimensional colours 0, 1, ... A default-made handle is empty:
/// the whole region for every point.
class AnyPartition {
  public:
    AnyPartition() noexcept = default;
    explicit AnyPartition(data::PartitionHandle data) noexcept : data_(std::move(data)) {}

    [[nodiscard]] explicit operator bool() const noexcept { return data_ != nullptr; }
    /// Null for an empty handle.
    [[nodiscard]] const data::PartitionData* data() const noexcept { return data_.get(); }
    [[nodiscard]] const data::PartitionHandle& handle() const noexcept { return data_; }
    [[nodiscard]] std::int64_t colour_count() const noexcept {
        return data_ == nullptr ? 0 : static_cast<std::int64_t>(data_->subsets.size());
    }
    /// Equal numbers mean equal spaces, colours and subsets; the converse usually holds. 0: empty.
    [[nodiscard]] std::uint64_t id() const noexcept { return data_ == nullptr ? 0 : data_->id; }

  private:
    data::PartitionHandle data_;
};

/// The partition whose subset of colour c is boxes[c]. Boxes may overlap and may be empty.
/// Errors: UsageError for no box, more than 2^26, one that reaches beyond the space, or a rank
///     outside of 1 to 3.
[[nodiscard]] AnyPartition make_partition(const Box& space, int rank, std::span<const Box> boxes);

/// The same partition, untyped.
template <int R>
[[nodiscard]] AnyPartition untyped(const Partition<R, 1>& partition) {
    return AnyPartition(partition.handle());
}

/// A region argument of a kind of tasks.
struct Requirement {
    Privilege privilege = Privilege::read;
    /// Of Privilege::reduce, such as &data::reduction_functions<Sum, double>(). Lives as long as the
    /// process.
    const data::ReductionFunctions* reduction = nullptr;
};

/// A name for a kind of tasks that is the same in every process, such as a hash of what it computes.
struct StableKey {
    std::uint64_t high = 0, low = 0;  // both 0: none
    friend bool operator==(const StableKey&, const StableKey&) = default;
};

/// What a kind of tasks is made of.
struct TaskDescription {
    std::string_view name = {};  ///< for messages and reports
    TaskFunction function = nullptr;
    int domain_rank = 0;  ///< 0: a single task; else of the launch domain, 1 to 3
    std::span<const Requirement> requirements = {};
    ClosureKind closure = {};
    std::uint32_t futures = 0;     ///< that it takes
    std::size_t result_bytes = 0;  ///< that a task returns: 0 to 64
    StableKey key = {};
};

/// A kind of tasks, made at run time; a shared handle. It is known by a number that no other kind ever
/// has, so it may end at any time but in the call of a launch, where tasks may run: pending launches of
/// it still run, and no later kind is taken for it. The code of its function stays until they have run.
///
/// Errors:  UsageError that names the kind, for no function, a rank outside of 0 to 3, more than 65535
///          requirements, `reduce` without an operator or an operator without `reduce`, results beyond
///          64 bytes, or a closure whose alignment is not a power of two.
class TaskKind {
  public:
    TaskKind() noexcept = default;  ///< no kind; may not be launched
    explicit TaskKind(const TaskDescription& description);

    [[nodiscard]] explicit operator bool() const noexcept { return made_ != nullptr; }
    /// The name, kept as long as the process lives.
    [[nodiscard]] const char* name() const noexcept { return made_->name; }
    [[nodiscard]] std::uint64_t number() const noexcept { return made_->number; }
    [[nodiscard]] const StableKey& key() const noexcept { return made_->key; }
    [[nodiscard]] std::size_t result_bytes() const noexcept { return made_->result_bytes; }
    [[nodiscard]] const runtime::LaunchKind& launch_kind() const noexcept { return made_->launch; }
    /// A launch of it at the caller's line.
    [[nodiscard]] LaunchSite site(const char* file = __builtin_FILE(),
                                  std::uint32_t line = __builtin_LINE()) const noexcept {
        LaunchSite site("", file, line);
        site.name = made_->name;  // kept already
        return site;
    }
    /// Whether a requirement reduces.
    [[nodiscard]] bool reduces() const noexcept { return made_->reduces; }

  private:
    struct Made {
        runtime::LaunchKind launch;
        std::uint64_t number;
        std::unique_ptr<runtime::RequirementKind[]> requirements;
        const char* name;
        std::size_t result_bytes;
        bool reduces;
        StableKey key;
    };
    std::shared_ptr<const Made> made_;
};

/// A region argument of a launch. Region and partition need to live during the call only.
using RegionUse = runtime::RequirementDescription;

/// All of the region for every point.
[[nodiscard]] inline RegionUse use(const AnyRegion& region) noexcept {
    return {region.root(), nullptr, {}};
}
/// For point p of a launch domain the subset of colour p; all of the region if the partition is empty.
[[nodiscard]] inline RegionUse use(const AnyRegion& region,
                                   const AnyPartition& partition) noexcept {
    return {region.root(), partition.data(), {}};
}
/// For a single task the subset of a colour.
[[nodiscard]] inline RegionUse use(const AnyRegion& region, const AnyPartition& partition,
                                   std::int64_t colour) noexcept {
    return {region.root(), partition.data(), {colour, 0, 0}};
}

/// The result of a launch, of 1 to 64 bytes per point. A default-made future is empty.
class AnyFuture {
  public:
    AnyFuture() noexcept = default;
    /// Adopts one reference.
    explicit AnyFuture(regions::FutureState* state) noexcept : handle_(state) {}
    template <class T>
    explicit AnyFuture(const Future<T>& future) noexcept : AnyFuture(future.state()) {
        regions::retain(future.state());
    }

    [[nodiscard]] explicit operator bool() const noexcept { return handle_.get() != nullptr; }
    /// Whether wait_for() would not wait.
    /// Errors: UsageError if the future is empty.
    [[nodiscard]] bool ready() const { return regions::is_ready(handle_.checked()); }
    [[nodiscard]] regions::FutureState* state() const noexcept { return handle_.get(); }
    friend bool operator==(const AnyFuture& a, const AnyFuture& b) noexcept {
        return a.state() == b.state();
    }

  private:
    detail::FutureHandle handle_;
};

/// The domain of a single task.
inline constexpr const Box& single_task = runtime::single_task_domain;
/// The points [0, count).
[[nodiscard]] constexpr Box line(std::int64_t count) noexcept {
    return {.lo = {0, 0, 0}, .hi = {count, 1, 1}};
}

/// Launches a task per point of the domain, which is `single_task` for kinds of single tasks. The
/// closure is moved from, as the kind says; null if it has none. The k-th future argument is
/// frame.futures[k] in the task.
/// Errors: see above; then the closure is as before.
void launch(Runtime& runtime, const TaskKind& kind, const LaunchSite& site, const Box& domain,
            std::span<const RegionUse> uses, void* closure = nullptr,
            std::span<const AnyFuture> futures = {});
/// The same for kinds that return something (TaskDescription::result_bytes).
[[nodiscard]] AnyFuture launch_for_result(Runtime& runtime, const TaskKind& kind,
                                          const LaunchSite& site, const Box& domain,
                                          std::span<const RegionUse> uses, void* closure = nullptr,
                                          std::span<const AnyFuture> futures = {});

/// Giving up a wait (give_up.hpp).
using refrain::GiveUp;
using refrain::WaitGivenUp;

/// Waits until the program may use `part` of the region as the privilege says: for the pending tasks
/// that conflict on elements of the part, and what these wait for; others stay pending. Returns the
/// address of the region's first element. No view stays open: the program may use the part until it
/// next launches a task that conflicts.
///
///     read         waits for the tasks that write
///     read_write   waits for all tasks; for a program that changes elements
///     write        the same, for a program that sets every element of the part: failures of former
///                  writers do not matter
///
/// Errors: UsageError for an empty or foreign region, Privilege::reduce, a part beyond the bounds, a
///     typed region that nothing has written, or an open host view that conflicts; TaskError if a task
///     that should have made values of the part failed; WaitGivenUp; OutOfMemory.
/// Complexity: O(1) if nothing on the region is pending; else O(pending launches).
void* wait_for(Runtime& runtime, const AnyRegion& region, const Box& part, Privilege privilege,
               GiveUp give_up = {});
/// Whether wait_for() would not wait. Starts what was launched, as Future::ready() does.
[[nodiscard]] bool is_ready(Runtime& runtime, const AnyRegion& region, const Box& part,
                            Privilege privilege);

/// The value of point number `point`, in row-major order, once the whole launch has run; valid while
/// the future lives.
/// Errors: TaskError if the launch failed or was skipped; UsageError if the future is empty or has no
///     such point; WaitGivenUp.
[[nodiscard]] const void* wait_for(Runtime& runtime, const AnyFuture& future, std::size_t point = 0,
                                   GiveUp give_up = {});

/// Runtime::wait_all that can be given up.
/// Errors: those of Runtime::wait_all; WaitGivenUp.
void wait_all(Runtime& runtime, GiveUp give_up);

/// Runtime::launch waits while too many operations are pending. A program that must be able to give
/// up such a wait, too, calls this before it launches: it returns when the next launch need not wait.
/// Errors: WaitGivenUp.
void wait_for_room(Runtime& runtime, GiveUp give_up);

}  // namespace refrain::dynamic
