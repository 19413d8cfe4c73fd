#pragma once

#include "base/clock.hpp"

#include <cstdint>
#include <vector>

namespace refrain::observe {

/// What the program declares to be of interest, in stretches of operations; at first everything.
///
///     operations     1 ... 3000   3001 ... 3500   ...   3601 ... 3620   ...
///                                 begin ... end         begin ... end
///
/// Operations may be issued after their stretch has ended, and after the next one has begun. Memory is
/// bounded by the number of operations that are held back.
///
/// Threads:  the launching thread only.
class Interest {
  public:
    /// From operation `next` on, until it ends. All operations up to `issued` have been issued.
    void begin(std::uint64_t next, std::uint64_t issued) {
        keep_unissued(issued);
        if (stretches_++ == 0)
            first_ = next;
        else
            paused_ += base::ticks() - ended_at_;
        from_ = next;
        to_ = open;
    }
    void end(std::uint64_t next) {
        to_ = next;
        ended_at_ = base::ticks();
    }

    [[nodiscard]] bool holds(std::uint64_t operation) const {
        if (operation >= from_) return operation < to_;
        return !unissued_.empty() && is_unissued(operation);
    }
    /// Whether what is launched now is of interest.
    [[nodiscard]] bool is_open() const { return to_ == open; }
    /// Whether the program has declared anything.
    [[nodiscard]] bool is_declared() const { return stretches_ != 0; }
    [[nodiscard]] std::uint64_t stretches() const { return stretches_; }
    /// The first operation of the first stretch, and the one behind the newest.
    [[nodiscard]] std::uint64_t first() const { return first_; }
    [[nodiscard]] std::uint64_t end() const { return to_; }
    /// Ticks of interest since `began`, when the first stretch began.
    [[nodiscard]] std::uint64_t elapsed_since(std::uint64_t began) const {
        return (is_open() ? base::ticks() : ended_at_) - began - paused_;
    }

  private:
    static constexpr std::uint64_t open = ~std::uint64_t{0};
    struct Stretch {
        std::uint64_t from, to;  // [from, to)
    };

    /// Remembers the newest stretch unless all its operations have been issued, and drops the
    /// stretches that are fully issued.
    void keep_unissued(std::uint64_t issued) {
        if (is_declared() && from_ < to_) unissued_.push_back({from_, to_});
        std::erase_if(unissued_, [&](const Stretch& stretch) { return stretch.to <= issued + 1; });
    }
    [[nodiscard]] bool is_unissued(std::uint64_t operation) const {
        for (const Stretch& stretch : unissued_)
            if (operation >= stretch.from && operation < stretch.to) return true;
        return false;
    }

    std::uint64_t stretches_ = 0;
    std::uint64_t first_ = 0;
    std::uint64_t from_ = 0;  // of the newest stretch
    std::uint64_t to_ = open;
    std::vector<Stretch> unissued_;  // earlier ones with operations that may still be issued
    std::uint64_t ended_at_ = 0;     // ticks
    std::uint64_t paused_ = 0;       // ticks between stretches
};

}  // namespace refrain::observe
