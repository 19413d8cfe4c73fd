#pragma once

#include "page/site_table.hpp"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace refrain::page {

/// A launch with tasks that threw, and the tasks that were skipped because of them.
struct FailedLaunch {
    struct Skipped {
        SiteId site = 0;
        std::uint64_t tasks = 0;
    };
    SiteId site = 0;
    std::uint64_t operation = 0;
    std::uint32_t points = 0;
    std::uint32_t threw = 0;        // of its points
    std::uint32_t first_point = 0;  // whose message is `message`
    std::string message;
    std::vector<Skipped> skipped;  // at each launch site

    [[nodiscard]] std::uint64_t skipped_tasks() const {
        std::uint64_t sum = 0;
        for (const Skipped& at : skipped) sum += at.tasks;
        return sum;
    }
};

/// The failures of a run, and what was skipped because of them.
///
/// Bounded: launches beyond `launches_max` are only counted.
///
/// Threads:  the launching thread only.
class FailureBook {
  public:
    static constexpr std::size_t launches_max = 256;

    /// Some points of a launch threw. Before those of launches that suffered from it.
    void threw(FailedLaunch launch);
    /// `tasks` of a launch were skipped because operation `cause` failed.
    void skipped(std::uint64_t cause, SiteId at, std::uint64_t tasks);

    [[nodiscard]] const std::vector<FailedLaunch>& launches() const { return launches_; }
    [[nodiscard]] std::uint64_t other_launches() const { return other_launches_; }
    [[nodiscard]] std::uint64_t threw_tasks() const { return threw_tasks_; }
    [[nodiscard]] std::uint64_t skipped_tasks() const { return skipped_tasks_; }

  private:
    std::vector<FailedLaunch> launches_;
    std::unordered_map<std::uint64_t, std::size_t> by_operation_;
    std::uint64_t other_launches_ = 0;
    std::uint64_t threw_tasks_ = 0;
    std::uint64_t skipped_tasks_ = 0;
};

}  // namespace refrain::page
