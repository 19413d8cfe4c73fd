#pragma once

#include "events/choices.hpp"

#include <cstdint>
#include <optional>

namespace refrain::proxy {

/// Which calls of a run are recorded: all, or those between two points and where MPI_Pcontrol allows it.
class Selection {
  public:
    Selection() = default;
    Selection(const std::optional<RunPoint>& start, const std::optional<RunPoint>& stop)
        : start_(start), stop_(stop), started_(!start), has_points_(start || stop) {
        if (start && start->kind == RunPoint::Kind::pcontrol) started_ = true, paused_ = true;
    }

    /// A call begins: the rank's `calls`-th, `seconds` after MPI_Init.
    void pass(std::uint64_t calls, double seconds) {
        if (!has_points_) return;
        started_ = started_ || is_reached(*start_, calls, seconds);
        stopped_ = stopped_ || (stop_ && is_reached(*stop_, calls, seconds));
    }
    /// MPI_Pcontrol: 0 pauses, anything else goes on.
    void control(int level) { paused_ = level == 0; }
    /// Whether all calls are, as long as nobody calls `control`.
    [[nodiscard]] bool is_all() const { return !has_points_ && is_on(); }
    [[nodiscard]] bool is_on() const { return started_ && !stopped_ && !paused_; }

  private:
    [[nodiscard]] static bool is_reached(const RunPoint& point, std::uint64_t calls,
                                         double seconds) {
        return point.kind == RunPoint::Kind::seconds ? seconds >= point.seconds
                                                     : calls >= point.calls;
    }

    std::optional<RunPoint> start_, stop_;
    bool started_ = true, stopped_ = false, paused_ = false;
    bool has_points_ = false;
};

}  // namespace refrain::proxy
