/// Runs the threads of a protocol against each other: in the preset `interleaving` under a seeded
/// scheduler that switches at every atomic step, in all other builds on real threads.
#pragma once

#include "interleaving/interleaving.hpp"

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

#include "tries.hpp"

namespace refrain::testing {

using interleaving::Bodies;
using interleaving::Body;
using interleaving::Report;

/// Whether a protocol's steps are interleaved by the scheduler in this build.
inline constexpr bool scheduled = interleaving::library_is_stepped;

/// Thrown when the protocol under test breaks a promise.
class Violation : public std::logic_error {
  public:
    using std::logic_error::logic_error;
};

inline void require(bool holds, const std::string& claim) {
    if (!holds) throw Violation("broken: " + claim);
}

/// Yields inside a loop that waits for another thread.
inline void let_others_run() {
    if (base::Scheduler::is_set())
        base::Scheduler::step();
    else
        std::this_thread::yield();
}

/// Keeps the message of the first exception of several threads.
class FirstFailure {
  public:
    void run(const Body& body) noexcept {
        try {
            body();
        } catch (const std::exception& error) {
            const std::lock_guard lock(mutex_);
            if (what_.empty()) what_ = error.what();
        }
    }
    [[nodiscard]] const std::string& what() const { return what_; }

  private:
    std::mutex mutex_;
    std::string what_;
};

/// Runs the bodies on threads that start at the same moment. Returns the message of the first
/// exception; empty if there is none.
inline std::string run_on_threads(const Bodies& bodies) {
    FirstFailure failure;
    std::atomic<std::size_t> arrived{0};
    std::vector<std::thread> threads;
    for (const Body& body : bodies)
        threads.emplace_back([&] {
            arrived.fetch_add(1, std::memory_order_acq_rel);
            while (arrived.load(std::memory_order_acquire) < bodies.size())
                std::this_thread::yield();
            failure.run(body);
        });
    for (std::thread& thread : threads) thread.join();
    return failure.what();
}

/// As interleaving::explore with `schedules` seeds, or on as many sets of real threads; on fewer with a
/// sanitizer, which sees a race in whatever order it runs.
inline Report try_schedules(std::uint64_t schedules, const std::function<Bodies()>& make_bodies,
                            const std::function<bool()>& check) {
    if (scheduled)
        return interleaving::explore({.first = 0, .count = schedules}, make_bodies, check);
    Report report;
    while (report.runs < tries(schedules) && report.passed()) {
        ++report.runs;
        report.failure = run_on_threads(make_bodies());
        if (!report.passed()) return report;
        try {
            if (!check()) report.failure = "the check after the run is false";
        } catch (const std::exception& error) {
            report.failure = error.what();
        }
    }
    return report;
}

}  // namespace refrain::testing
