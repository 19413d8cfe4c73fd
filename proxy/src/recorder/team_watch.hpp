#pragma once

#include "events/metrics.hpp"

#include <cstdint>
#include <utility>

namespace refrain::proxy {

/// Divides what a thread counts around and in the regions of OpenMP: a watch with a hand for its work in them and a hand for
/// what is none. Outside of regions neither moves.
///
///     go_to(waiting, 100)   a region begins: the library makes threads and wakes them
///     go_to(working, 180)   this thread has its part
///     go_to(waiting, 980)   it has done it, and waits for others
///     go_to(outside, 990)   take_worked() == 800, take_waited() == 90
class TeamWatch {
  public:
    enum class State : std::uint8_t { outside, waiting, working };

    [[nodiscard]] State state() const { return state_; }
    /// `now`: what the thread has counted. `cost`: what is counted from one reading to the next if nothing lies in between; of
    /// work, that is waiting.
    void go_to(State next, const Counts& now, const Counts& cost = {}) {
        const Counts since = without(now, mark_);
        if (state_ == State::working) {
            const Counts work = without(since, cost);
            add(worked_, work);
            add(waited_, without(since, work));
        } else if (state_ == State::waiting) {
            add(waited_, since);
        }
        mark_ = now;
        state_ = next;
    }
    /// What was counted outside and is no work either.
    void note_waited(const Counts& cost) { add(waited_, cost); }
    /// Since it was taken the last time.
    [[nodiscard]] Counts take_worked() { return std::exchange(worked_, {}); }
    [[nodiscard]] Counts take_waited() { return std::exchange(waited_, {}); }

  private:
    State state_ = State::outside;
    Counts mark_{}, worked_{}, waited_{};
};

}  // namespace refrain::proxy
