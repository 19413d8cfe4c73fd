#pragma once

#include "base/mutex.hpp"
#include "refrain/error.hpp"
#include "refrain/launch_site.hpp"

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace refrain::runtime {

/// A task that threw: what it was and what it said. Made by the worker that ran it; from then on
/// read only, but for the bookkeeping, which is the launching thread's.
struct Failure {
    std::uint64_t operation = 0;
    LaunchSite site;
    std::string message;
    std::exception_ptr cause;

    bool reported = false;         // the program was told
    std::uint64_t last_use = 0;    // the youngest operation known to have suffered from it
    std::uint32_t references = 0;  // futures and regions that remember it

    [[nodiscard]] TaskError error() const { return {site.name, site.where(), message, cause}; }
};

/// Makes a Failure of the exception being handled.
[[nodiscard]] Failure* make_failure(std::uint64_t operation, const LaunchSite& site);

/// Failures of launches that already suffer from another one.
///   add    any worker
///   take   launching thread
class LateFailures {
  public:
    void add(Failure* failure) {
        const base::LockGuard lock(mutex_);
        failures_.push_back(failure);
    }
    [[nodiscard]] std::vector<Failure*> take() {
        const base::LockGuard lock(mutex_);
        return std::exchange(failures_, {});
    }

  private:
    base::Mutex mutex_;
    std::vector<Failure*> failures_ REFRAIN_GUARDED_BY(mutex_);
};

/// The failures of a runtime, from the retirement of the task that threw until nothing can refer to
/// them.
///
/// Threads:  the launching thread only.
class FailureLog {
  public:
    static constexpr std::size_t unreported_max = 1000;  // more are counted, not kept

    /// Takes a failure over when its operation retires.
    void add(Failure* failure);
    /// Operation `number` suffered from it.
    static void touch(const Failure* failure, std::uint64_t number);
    /// Frees what no operation at or above `frontier` and nothing else can refer to.
    void purge(std::uint64_t frontier, std::uint32_t window);
    /// The oldest failure that the program was not told of, or null. From now on it was told of
    /// all.
    [[nodiscard]] const Failure* take_unreported();
    [[nodiscard]] std::uint64_t unreported() const;

  private:
    std::vector<std::unique_ptr<Failure>> failures_;
    std::uint64_t dropped_ = 0;
};

}  // namespace refrain::runtime
