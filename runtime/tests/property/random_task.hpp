/// The tasks of random programs as the runtime runs them: they compute the values of values.hpp
/// through their views, count their executions, and throw where the program says so.
#pragma once

#include "refrain/refrain.hpp"

#include <atomic>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "property/program.hpp"
#include "property/values.hpp"

namespace refrain::property {

inline constexpr int task_kinds = 16;

/// The data that the tasks of one launch share. Must outlive the runtime.
struct BoundLaunch {
    struct Argument {
        Requirement requirement;
        Space space;
        ValueRange range;
    };
    Launch launch;
    std::vector<Argument> arguments;
    std::unique_ptr<std::atomic<int>[]> runs;  // by point
    std::atomic<int>* live_closures = nullptr;
    bool dawdles = false;  // some tasks are slow, so that others overtake them
};

/// The closure of a launch. Counts live copies, to detect lost and doubly destroyed ones. One that was moved from is
/// of no launch.
class Closure {
  public:
    explicit Closure(const BoundLaunch& launch)
        : launch_(&launch), live_closures_(launch.live_closures) {
        count(1);
    }
    Closure(const Closure& other) noexcept
        : launch_(other.launch_), live_closures_(other.live_closures_) {
        count(1);
    }
    Closure(Closure&& other) noexcept
        : launch_(std::exchange(other.launch_, nullptr)), live_closures_(other.live_closures_) {
        count(1);
    }
    Closure& operator=(const Closure&) = delete;
    Closure& operator=(Closure&&) = delete;
    ~Closure() { count(-1); }

    [[nodiscard]] const BoundLaunch& launch() const { return *launch_; }
    [[nodiscard]] bool is_moved_from() const { return launch_ == nullptr; }
    [[nodiscard]] static runtime::ClosureKind kind();

  private:
    void count(int change) const {
        live_closures_->fetch_add(change, std::memory_order_relaxed);  // read at the end
    }
    const BoundLaunch* launch_;
    std::atomic<int>* live_closures_;
};

/// The functions that run tasks: one per kind and rank of the launch domain (0: a single task),
/// with equal bodies, so that launches differ in their function as those of templates do.
[[nodiscard]] runtime::TaskFunction task_function(int kind, int domain_rank);
[[nodiscard]] const char* task_name(int kind);

/// The file that launch sites of random programs name.
inline constexpr const char* program_file = "program.cpp";

/// The operator as the runtime knows it, on elements of the type.
[[nodiscard]] const data::ReductionFunctions* reduction_functions(ElementType type, Operator op);

}  // namespace refrain::property
