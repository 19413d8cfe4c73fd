#pragma once

#include "observe/span_log.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace refrain::observe {

/// How many operations of a run are sampled: the level of Sampling (span_log.hpp) that is in force at each of them.
///
///     operations   0 .............. 500,000 ................. 1,000,000 .....
///     level        1                4, they cost too much     2, tasks are longer
///
/// What a sample costs, some microseconds, does not depend on what the tasks take: clocks are read, dependences are noted,
/// tasks are timed, and a row ends. So with an interval that never changes, a report slowed programs of tiny tasks down by
/// a tenth, and others not at all. Hence the clock says what samples cost: what a block of them takes, less what as many of
/// the launches before it took. The level is the lowest at which that is `share_max` of the time.
///
/// R1  Interrupts and waits of the program make a block dearer, not cheaper, and hit few: of the latest two blocks the
///     cheaper counts.
/// R2  A period is a sixteenth of the run at most, so that the end of a run is sampled, too, and sums are right however
///     soon it ends. So the level of the first 124,928 operations is 1, whatever the clock says.
/// R3  Times vary: the level falls only if two levels less would do. After `changes_max` changes it stays.
///
/// Threads: one thread measures; any may ask. Of an operation all is known when it is launched: changes are for operations
///          to come, and each is written once, before it is published.
class SamplingRate {
  public:
    static constexpr double share_max = 0.02;
    static constexpr std::uint64_t periods_min = 16;  // in a run, before one is so long
    static constexpr std::size_t changes_max = 64;

    SamplingRate() = default;
    SamplingRate(const SamplingRate&) = delete;
    SamplingRate& operator=(const SamplingRate&) = delete;
    SamplingRate(SamplingRate&&) = delete;
    SamplingRate& operator=(SamplingRate&&) = delete;
    ~SamplingRate() = default;

    /// Operations count from 0.
    [[nodiscard]] bool includes(std::uint64_t operation) const {
        return Sampling::is_kept(operation, change_at(operation).level);
    }
    /// How many operations a sampled one stands for, where those of `level` are left. The first block after a change stands
    /// for all since then.
    [[nodiscard]] double weight(std::uint64_t operation, unsigned level = 1) const {
        const Change change = change_at(operation);
        if (level > change.level || change.first == 0)
            return Sampling::weight(operation, std::max(level, change.level));
        const std::uint64_t end =
            Sampling::next_sampled(change.first, change.level) + Sampling::block_operations;
        if (operation >= end) return Sampling::weight(operation, change.level);
        return static_cast<double>(end - change.first) /
               static_cast<double>(Sampling::block_operations);
    }
    /// The first sampled operation that is not before this one, unless the level changes before it.
    [[nodiscard]] std::uint64_t next_sampled(std::uint64_t operation) const {
        return Sampling::next_sampled(operation, change_at(operation).level);
    }
    /// The highest level so far.
    [[nodiscard]] unsigned level_max() const {
        unsigned highest = 1;
        for (std::size_t i = 0; i < count_.load(std::memory_order_acquire); ++i)
            highest = std::max(highest, changes_[i].level);
        return highest;
    }

    /// A sampled operation begins to be launched, by a clock in any unit. In ascending order; some may be left out. With the
    /// last of a block, the level of those to come may change.
    void sampled(std::uint64_t operation, std::uint64_t ticks) {
        if (operation / Sampling::block_operations != block_.first / Sampling::block_operations) {
            between_ = {operation - newest_.first, ticks - newest_.ticks};
            block_ = {operation, ticks};
        }
        newest_ = {operation, ticks};
        if (operation % Sampling::block_operations == Sampling::block_operations - 1) end_block();
    }

  private:
    /// From its first operation on.
    struct Change {
        std::uint64_t first = 0;
        unsigned level = 1;
    };
    struct Moment {
        std::uint64_t first = 0;  // operation
        std::uint64_t ticks = 0;
    };
    struct Stretch {
        std::uint64_t operations = 0;
        std::uint64_t ticks = 0;

        [[nodiscard]] double each() const {
            return static_cast<double>(ticks) / static_cast<double>(operations);
        }
    };

    [[nodiscard]] Change change_at(std::uint64_t operation) const {
        // Pairs with change(): what applies to an operation was published before that was launched.
        std::size_t count = count_.load(std::memory_order_acquire);
        while (count != 0 && changes_[count - 1].first > operation) --count;
        return count == 0 ? Change() : changes_[count - 1];
    }
    void end_block() {
        constexpr std::uint64_t least = Sampling::block_operations / 2;  // to be compared
        const Stretch told{newest_.first - block_.first, newest_.ticks - block_.ticks};
        if (told.operations < least || between_.operations < least) return;
        const double cost = std::max(0.0, told.each() - between_.each());
        choose(newest_.first + 1, std::min(cost, latest_cost_));  // R1
        latest_cost_ = cost;
    }
    /// A sampled operation costs so much more than others.
    void choose(std::uint64_t next, double cost) {
        const auto is_dear = [&](unsigned level) {
            return cost * static_cast<double>(Sampling::block_operations) >
                   share_max * static_cast<double>(Sampling::period_operations(level)) *
                       between_.each();
        };
        const auto is_soon = [&](unsigned level) {
            return periods_min * Sampling::period_operations(level) > next;
        };
        unsigned wanted = 1;
        while (is_dear(wanted) && !is_soon(wanted + 1)) ++wanted;  // R2
        const unsigned level = change_at(next).level;
        if (wanted > level || wanted + 1 < level) change(next, wanted);  // R3
    }
    void change(std::uint64_t first, unsigned level) {
        const std::size_t count = count_.load(std::memory_order_relaxed);  // only written here
        if (count == changes_max) return;
        changes_[count] = {first, level};
        count_.store(count + 1, std::memory_order_release);  // publishes the change
    }

    std::array<Change, changes_max> changes_;
    std::atomic<std::size_t> count_{0};
    // Of the thread that measures:
    Moment block_;     // the first of the latest block that was noted,
    Moment newest_;    // and the latest
    Stretch between_;  // that block and the one before
    double latest_cost_ = 0;
};

/// SamplingRate::includes for operations in ascending order, mostly with one comparison. The level changes only at the end
/// of a sampled block, so it cannot change before the operation that is waited for.
class SamplingCursor {
  public:
    [[nodiscard]] bool includes(std::uint64_t operation, const SamplingRate& rate) {
        return operation >= next_ && look(operation, rate);
    }

  private:
    bool look(std::uint64_t operation, const SamplingRate& rate) {
        next_ = rate.next_sampled(operation);
        return operation == next_;
    }

    std::uint64_t next_ = 0;  // no operation between the latest question and this one is sampled
};

}  // namespace refrain::observe
