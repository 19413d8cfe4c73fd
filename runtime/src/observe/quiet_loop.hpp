#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

namespace refrain::observe {

/// A *quiet* stretch of a loop that goes on: its launches are counted, and nothing else is recorded of them. So they run
/// as without an observer (directly, in lanes, in rows or alone), and observing one costs a few additions.
///
///     launches of a loop   told   told   quiet ............ quiet   told ... told   quiet ...
///                                     prepare, begin                end         begin
///                                                                   sampled: its tasks are timed
///
/// A *pause* counts what has passed, and the stretch goes on. So who only reads sums, as the curve does, has no launch told.
///
/// Q1  Path. Whether a launch is told or quiet does not decide how it is served or where it runs. A direct launch
///     (runtime/direct_launch.hpp) that is told runs inside of its call, too, in a row if there is one: its sources
///     are those of the memo that serves it, which the row keeps. Only a row of launches in lanes ends before a launch
///     that is told, since its record must say that tasks are timed; the next quiet launch may begin another.
/// Q2  Counts are exact. Each launch is told (Observer::served), or has passed (Observer::passed), never both: passed
///     counts nothing once the stretch has ended. Either way it counts for its own launch site, with its points,
///     as replayed. Only the expected launch of a folded loop passes, which a memo serves; any other ends the stretch
///     before it is told. What is counted by launch site (passed_launches.hpp), and sums in which the launches of a
///     stretch are all alike, as how many the loop has served, grow when it ends or pauses, and that is before anybody
///     reads or changes them.
/// Q3  Times. No sampled operation is quiet, since a stretch ends before the next one (sampling_rate.hpp). So the
///     sample is the same as without quiet stretches, where the same level is in force, and so are the weights; nor
///     does a report lose a listed operation: no stretch begins before an iteration of the loop is listed.
/// Q4  What is of interest begins and ends outside of quiet stretches. Inside of one, all is of interest or nothing is.
///
/// There is none while the stream is logged, since each operation has a line there, nor while somebody else asks for
/// each operation (Observer::asks_each).
///
/// Threads:  the launching thread only.
class QuietLoop {
  public:
    /// Whether operation `number` is quiet if it is the expected one of its loop.
    [[nodiscard]] bool holds(std::uint64_t number) const { return number < until_; }
    [[nodiscard]] bool goes_on() const { return until_ != 0; }

    /// A launch is told: after the one before it, nothing was prepared.
    void forget() { next_until_ = 0; }
    /// From the next launch on, up to operation `end`, unless that is forgotten. With a pause before operation `pause`.
    void prepare(std::uint64_t end, std::uint64_t pause) {
        next_end_ = end;
        next_until_ = std::min(end, pause);
    }
    /// The launch that is told has ended.
    void begin() {
        end_ = next_end_;
        until_ = next_until_;
    }
    /// One more is quiet.
    void passed() { ++passed_; }
    /// Whether there is a pause before operation `number`, which is not quiet before the stretch goes on.
    [[nodiscard]] bool pauses_before(std::uint64_t number) const {
        return goes_on() && number >= until_ && number < end_;
    }
    /// Returns how many were quiet since the stretch began or paused.
    std::uint64_t pause() { return std::exchange(passed_, 0); }
    void go_on(std::uint64_t pause) { until_ = std::min(end_, pause); }
    /// Returns the same.
    std::uint64_t end() {
        until_ = next_until_ = 0;
        return pause();
    }

  private:
    std::uint64_t until_ = 0;  // its end or the next pause; 0: there is none
    std::uint64_t end_ = 0;
    std::uint64_t next_until_ = 0;
    std::uint64_t next_end_ = 0;
    std::uint64_t passed_ = 0;
};

}  // namespace refrain::observe
