#pragma once

#include "refrain/autotrace.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "streams/stream.hpp"

namespace streams {

/// A recogniser did what none may do.
class Broken : public std::logic_error {
  public:
    using std::logic_error::logic_error;
};

/// A host that believes nothing: every operation must come once and in order, begins and ends must
/// alternate, and every execution of a trace must equal the first, token by token.
///
/// Errors: Broken from the function that was called wrongly.
class Witness final : public refrain::autotrace::TraceHost {
  public:
    explicit Witness(std::span<const Line> lines);

    /// Line number `line` is launched next.
    void launching(std::size_t line);
    /// Errors: Broken if something was never handed on, or a trace is open.
    void expect_end() const;

    void issue(refrain::autotrace::OperationHandle operation) override;
    void begin_trace(refrain::autotrace::TraceId trace, std::size_t length) override;
    void end_trace(refrain::autotrace::TraceId trace) override;
    void forget_trace(refrain::autotrace::TraceId trace) override;

    /// Whether each operation with a token was replayed, in launch order.
    [[nodiscard]] const std::vector<bool>& replayed() const { return replayed_; }
    /// Operations launched after one and before it was handed on: mean and maximum over all.
    [[nodiscard]] double held_mean() const;
    [[nodiscard]] std::uint64_t held_max() const { return held_max_; }
    [[nodiscard]] std::uint64_t traces() const { return begun_.size(); }
    /// Executions of traces after their first.
    [[nodiscard]] std::uint64_t replays() const { return replays_; }

  private:
    struct Trace {
        std::size_t begin;  // of its first execution, in tokens_
        std::size_t length;
        bool is_forgotten;
    };
    void skip_waits();
    void count_as_held();
    void take(const refrain::autotrace::Token& token);

    std::span<const Line> lines_;
    std::size_t next_ = 0;                           // the line that must be issued next
    std::uint64_t launched_ = 0;                     // operations
    std::uint64_t issued_ = 0;                       // operations
    std::vector<refrain::autotrace::Token> tokens_;  // of what was issued
    std::vector<bool> replayed_;
    std::unordered_map<refrain::autotrace::TraceId, Trace> begun_;
    refrain::autotrace::TraceId open_ = 0;  // 0: none
    std::size_t open_begin_ = 0;            // of this execution, in tokens_
    std::uint64_t replays_ = 0;
    std::uint64_t held_sum_ = 0, held_max_ = 0;
};

}  // namespace streams
