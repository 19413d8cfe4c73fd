#pragma once

#include "base/mutex.hpp"
#include "graph/operation_number.hpp"
#include "refrain/error.hpp"
#include "refrain/failed_task.hpp"
#include "refrain/launch_site.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace refrain::regions {

/// A task that threw: which one, and its exception. The worker that ran the task makes it. After that
/// only the bookkeeping changes, which belongs to the launching thread.
///
/// Tasks fail above all where memory runs out, and a worker has nobody to throw to. So its memory comes from a
/// reserve of the process if the heap has none: enough for two windows of failed launches and those that are
/// kept unreported.
struct Failure {
    static constexpr std::size_t reserve_max = 4096;  // failures

    /// Errors: std::bad_alloc if the reserve is used up, too.
    [[nodiscard]] static void* operator new(std::size_t bytes);
    static void operator delete(void* failure) noexcept;

    graph::OperationNumber operation = 0;
    std::uint32_t point = 0;
    LaunchSite site;
    std::string message;
    std::exception_ptr cause;

    bool is_further = false;              // another point of the operation failed first
    bool is_reported = false;             // the program was told
    graph::OperationNumber last_use = 0;  // the newest operation known to have suffered from it
    std::uint32_t references = 0;         // futures and regions that remember it

    [[nodiscard]] TaskError error() const { return {site.name, site.where(), message, cause}; }
    /// Tells the program.
    [[noreturn]] void report() {
        is_reported = true;
        throw error();
    }
};

/// Makes a Failure of the exception being handled. If its memory is of the reserve, the cause is std::bad_alloc
/// instead: what was thrown may take the memory that further exceptions need.
[[nodiscard]] Failure* make_failure(graph::OperationNumber operation, std::uint32_t point,
                                    const LaunchSite& site);

/// Failures that are not their operation's first cause: it already suffers from another operation's
/// failure, or another of its points failed first. They travel to no other operation, but the
/// program must hear of them.
///   add                   any worker
///   take, take_not_kept   launching thread
class SecondaryFailures {
  public:
    static constexpr std::size_t further_max = 1000;  // beyond it, further points are only counted

    /// Takes ownership. One for which there is no memory is only counted, too.
    void add(Failure* failure) noexcept {
        const base::LockGuard lock(mutex_);
        try {
            if (!failure->is_further || failures_.size() < further_max)
                return static_cast<void>(failures_.emplace_back(failure));
        } catch (const std::bad_alloc&) {
        }
        delete failure;
        ++not_kept_;
    }
    [[nodiscard]] std::vector<std::unique_ptr<Failure>> take() {
        const base::LockGuard lock(mutex_);
        return std::exchange(failures_, {});
    }
    /// How many were not kept since the last call.
    [[nodiscard]] std::uint64_t take_not_kept() {
        const base::LockGuard lock(mutex_);
        return std::exchange(not_kept_, 0);
    }

  private:
    base::Mutex mutex_;
    std::vector<std::unique_ptr<Failure>> failures_ REFRAIN_GUARDED_BY(mutex_);
    std::uint64_t not_kept_ REFRAIN_GUARDED_BY(mutex_) = 0;
};

/// Owns the failures of a runtime, from the retirement of the task that threw until nothing refers to
/// them any more.
///
/// Threads:  the launching thread only.
class FailureLog {
  public:
    static constexpr std::size_t unreported_max = 1000;  // further ones are only counted

    /// Takes ownership of a failure when its operation retires. Errors: std::bad_alloc; then the caller still
    /// has it.
    void add(Failure* failure);
    /// Takes over all failures that are not their operation's first cause.
    void add(SecondaryFailures& failures);
    /// Operation `number` suffered from the failure, which must outlive it.
    static void note_use(Failure& failure, graph::OperationNumber number);
    /// Frees reported failures that neither a future, a region nor an operation that can still be
    /// examined refers to: all below `frontier` have retired, and `window` more are kept.
    void purge(graph::OperationNumber frontier, std::uint32_t window);
    /// The oldest unreported failure, or null. All count as reported from now on.
    [[nodiscard]] const Failure* take_unreported();
    [[nodiscard]] std::uint64_t unreported() const;
    /// The tasks that threw since the last call, in launch order: the first thrown_max. All
    /// failures count as reported from now on.
    [[nodiscard]] std::vector<FailedTask> take_thrown();
    /// The message of a point that threw; empty if it is not kept.
    [[nodiscard]] std::string message_of(graph::OperationNumber operation,
                                         std::uint32_t point) const;
    /// Whether it was added before, and is kept.
    [[nodiscard]] bool owns(const Failure& failure) const;
    /// How many threw in all.
    [[nodiscard]] std::uint64_t thrown() const { return thrown_count_; }

  private:
    /// A task that threw. What it threw lives as long as the failure, if that is not of a further
    /// point.
    struct Thrown {
        graph::OperationNumber operation;
        std::uint32_t point;
        LaunchSite site;
        std::string message;
        std::exception_ptr cause;
    };
    static constexpr std::size_t thrown_max = 1000;
    void note(const Failure& failure);

    std::vector<std::unique_ptr<Failure>> failures_;
    std::uint64_t dropped_ = 0;  // unreported, and only counted
    std::vector<Thrown> thrown_;
    std::uint64_t thrown_count_ = 0;
};

}  // namespace refrain::regions
