#pragma once

#include "base/atomic.hpp"

#include <cstdint>
#include <string>

namespace refrain::proxy {

/// What a command does for as long as this lives. On a terminal, a line says it where that takes long.
///
///     Stage reading("reading the ranks", 64);
///     for (...) reading.advance();
///
///     12 s, reading the ranks: 3 of 64
///
/// A stage within another one stands in its place. The command prints nothing while it has a stage.
///
///   begin, end, advance   the thread of the command
class Stage {
  public:
    /// total   how many steps it has; 0: nobody knows
    explicit Stage(std::string what, std::uint64_t total = 0);
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;
    ~Stage();

    void advance() noexcept { done_.fetch_add(1, std::memory_order_relaxed); }
    [[nodiscard]] std::string words() const;

    /// No line from now on.
    static void be_quiet();

  private:
    std::string what_;
    std::uint64_t total_;
    base::Atomic<std::uint64_t> done_{0};  // read by the line's thread, alone: it publishes nothing
    Stage* outer_;
};

}  // namespace refrain::proxy
