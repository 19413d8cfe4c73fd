#pragma once

#include "analysis/access_history.hpp"
#include "analysis/footprint.hpp"
#include "graph/node.hpp"
#include "observe/task_log.hpp"
#include "refrain/detail/launch_description.hpp"
#include "regions/failure.hpp"
#include "regions/future_state.hpp"
#include "regions/region_root.hpp"
#include "runtime/launch_key.hpp"
#include "runtime/operation.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace refrain::runtime {

/// A *direct* launch: one of a compiled loop whose points run inside of the call that launches them, so that no
/// operation is made of it, no edge, and nothing for workers:
///
///     launch    agrees with the expected one   its accesses are noted   its points run   it has retired
///
/// D1  When. The launching thread runs alone, as the only worker or because sharing would be slower
///     (alone_switch.hpp), and nothing is pending: all that the launch may wait for has run, on whatever worker, and
///     has been seen to be finished. So other workers find no work while the points run. A memo serves the launch,
///     and its points together are known to be short: they would run at the end of the launch anyway
///     (docs/sharing.md).
/// D2  What others see. All that is asked of a launch that has retired is written: accesses, last uses, what
///     regions were written, its result; in a row (launch_row.hpp) all but the result late, before anybody can
///     ask. What is noted is what an operation of the launch would note. There is no record in the ring, since
///     nobody asks for one of a retired operation; and tasks, which are all that runs meanwhile, may not ask.
/// D3  The closure. That of a kind known by its address is used where it is, in the caller's launch, which lives as
///     long as the call. That of a kind known by a number is the caller's own memory, where a task must not write,
///     and which is moved from: it is moved here, as it would be to an operation, and destroyed once the points have
///     run. Moving it comes first, since it may throw: then nothing has changed. Destroying it comes last, since it
///     may give up regions, and may run code of the caller's: all that is asked of the launch is written.
///     The kind itself, its closure's functions included, lives as long as the call.
/// D4  Failures. If a point throws, an operation is made after all, as it would look after its points have run,
///     and retires (Pipeline::retire_failed_direct). While anything is tainted no launch is direct, so no point
///     need be skipped.
///
/// D5  Reductions of one element: each point has a partial result of its own, which is folded when the point has
///     run, as outside of direct launches; so what a point that throws has reduced is lost, as there. Points run in
///     order, and all launches before have run, so that is also the order of deterministic reductions.
///
/// D6  Observers. A launch that is told (observe/quiet_loop.hpp) takes the same way: what an observer is told of an
///     operation is known here, too. Its sources are those of the memo. Its tasks are timed one by one, in the log of
///     worker 0, where the launching thread's tasks are.
///
/// Not direct are launches with other reductions, with futures as arguments, of many points or many arguments, and of
/// kinds known by a number with a large closure; and none is while somebody asks for each operation (a log of the
/// stream, a recorded graph, a log of level debug, time-phases), with a limit of memory or with strict reads.
///
/// Threads:  the launching thread only.
class DirectLaunch {
  public:
    static constexpr std::uint32_t points_max = graph::points_per_bundle;
    static constexpr std::size_t partial_bytes_max = 64;
    static constexpr std::size_t closure_bytes_max = 256;  // that are moved
    static constexpr std::size_t closure_align_max = alignof(std::max_align_t);

    /// Whether launches that agree with `launch`, of which `checked` is, may be direct.
    [[nodiscard]] static bool suits(const LaunchDescription& launch, const CheckedLaunch& checked) {
        const LaunchKind& kind = *launch.kind;
        if (checked.points > points_max || kind.requirement_count > arguments_inline_max ||
            kind.future_count != 0 || (is_known_by_number(kind) && !has_room_for(kind.closure)))
            return false;
        for (std::uint32_t i = 0; i < kind.requirement_count; ++i)
            if (kind.requirements[i].reduction != nullptr &&
                !reduces_one_element(*kind.requirements[i].reduction,
                                     *checked.requirements[i].footprint))
                return false;
        return launch.domain->extent(1) == 1 && launch.domain->extent(2) == 1;
    }

    /// `launch` agrees with the compiled launch that `checked` is of, and suits. Errors: what moving its closure
    /// throws; then nothing has changed.
    DirectLaunch(const LaunchDescription& launch, const CheckedLaunch& checked,
                 graph::OperationNumber number)
        : launch_(launch), checked_(checked), number_(number) {
        const LaunchKind& kind = *launch.kind;
        if (kind.closure.bytes != 0) {
            closure_ = launch.closure;
            if (is_known_by_number(kind)) take_closure(kind.closure);
        }
        if (launch.result != nullptr) launch.result->operation = number;
    }
    /// Notes that its regions are used. Not in a row, where earlier turns have marked what is written.
    void note_uses() {
        const LaunchKind& kind = *launch_.kind;
        for (std::uint32_t i = 0; i < kind.requirement_count; ++i) {
            regions::RegionRoot& root = *launch_.requirements[i].region;
            regions_[i] = &root;
            root.last_use = number_;
            if (kind.requirements[i].privilege != Privilege::read) root.use.mark_written();
        }
    }
    ~DirectLaunch() {
        if (destroy_closure_ != nullptr || failure() != nullptr) [[unlikely]]
            give_up();
    }
    DirectLaunch(const DirectLaunch&) = delete;
    DirectLaunch& operator=(const DirectLaunch&) = delete;
    DirectLaunch(DirectLaunch&&) = delete;
    DirectLaunch& operator=(DirectLaunch&&) = delete;

    [[nodiscard]] const LaunchDescription& launch() const { return launch_; }
    [[nodiscard]] const CheckedLaunch& checked() const { return checked_; }
    [[nodiscard]] graph::OperationNumber number() const { return number_; }
    [[nodiscard]] std::uint32_t points() const { return checked_.points; }
    [[nodiscard]] std::span<const analysis::RequirementShape> shapes() const {
        return {checked_.shapes, launch_.kind->requirement_count};
    }
    /// After note_uses().
    [[nodiscard]] std::span<analysis::RegionHistory* const> regions() const {
        return {regions_.data(), launch_.kind->requirement_count};
    }

    /// Its points will be timed: in this log, as of that launch site.
    void time_points(observe::TaskLog* log, std::uint32_t site_number) {
        log_ = log;
        site_number_ = site_number;
    }
    /// Runs the points (point_task.cpp). Returns those that failed.
    [[nodiscard]] std::uint64_t run() noexcept;
    /// That of the first point that has failed, until it is taken, and then of the next; null: no more. The caller
    /// owns those that are taken.
    [[nodiscard]] regions::Failure* failure() const {
        return failures_taken_ == failure_count_ ? nullptr : failures_[failures_taken_];
    }
    void failure_is_taken() { ++failures_taken_; }
    /// The points have run: destroys the closure if it was moved here.
    void give_up_closure() noexcept {
        if (destroy_closure_ != nullptr) std::exchange(destroy_closure_, nullptr)(closure_);
    }

  private:
    [[nodiscard]] static bool has_room_for(const ClosureKind& closure) {
        return closure.bytes <= closure_bytes_max && closure.align <= closure_align_max;
    }
    [[gnu::noinline]] void give_up() noexcept {
        give_up_closure();
        for (; failure() != nullptr; failure_is_taken()) delete failure();  // memory has run out
    }
    void take_closure(const ClosureKind& kind) {
        move_closure(kind, closure_room_.data(), closure_);
        closure_ = closure_room_.data();
        destroy_closure_ = kind.destroy;
    }
    [[nodiscard]] static bool reduces_one_element(const data::ReductionFunctions& reduction,
                                                  const analysis::Footprint& footprint) {
        return reduction.element_bytes <= partial_bytes_max &&
               std::ranges::all_of(footprint.subsets, [](const data::BoxSet& subset) {
                   return subset.is_box() && subset.volume() == 1;
               });
    }
    template <bool has_reductions, bool is_timed>
    [[nodiscard]] std::uint64_t run_points() noexcept;
    [[gnu::noinline]] std::uint64_t run_timed() noexcept;
    void note_time(std::uint32_t point, std::uint64_t begin) noexcept;
    [[gnu::cold]] void fail(std::uint32_t point);

    const LaunchDescription& launch_;
    const CheckedLaunch& checked_;
    graph::OperationNumber number_;
    observe::TaskLog* log_ = nullptr;  // null: its points are not timed
    std::uint32_t site_number_ = 0;
    std::uint32_t failure_count_ = 0;
    std::uint32_t failures_taken_ = 0;
    void* closure_ = nullptr;  // null: without state
    void (*destroy_closure_)(void* closure) = nullptr;
    // As far as they are used:
    std::array<analysis::RegionHistory*, arguments_inline_max> regions_;
    std::array<regions::Failure*, points_max> failures_;
    alignas(closure_align_max) std::array<std::byte, closure_bytes_max> closure_room_;
};

}  // namespace refrain::runtime
