#pragma once

#include "commands/inline_stream.hpp"
#include "refrain/autotrace.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "streams/host.hpp"
#include "streams/stream.hpp"

namespace streams {

/// A recogniser violated a guarantee.
class Broken : public std::logic_error {
  public:
    using std::logic_error::logic_error;
};

/// A host that checks everything: every operation is issued once and in order, begins and ends
/// alternate, every execution of a trace equals the first, token by token, and every operation
/// equals its precedent with the whole context.
///
/// An operation is *replayed* in an execution of a trace after the first. Outside of traces, it is
/// replayed if it repeats a precedent in a context of `context_asked` operations and the precedent
/// did so, too: then a runtime has kept the results of the precedent. A loop is thus replayed from
/// its third iteration on.
///
/// Errors: every function throws Broken for an invalid call.
class Witness final : public Host {
  public:
    explicit Witness(std::span<const Line> lines);

    /// Call before line number `line` is launched.
    void launching(std::size_t line);
    /// Errors: Broken if an operation was never issued, or a trace is open.
    void expect_end() const;

    void issue(refrain::autotrace::OperationHandle operation) override;
    void begin_trace(refrain::autotrace::TraceId trace, std::size_t length) override;
    void end_trace(refrain::autotrace::TraceId trace) override;
    void leave_trace(refrain::autotrace::TraceId trace) override;
    void forget_trace(refrain::autotrace::TraceId trace) override;
    void repeats(refrain::autotrace::OperationHandle precedent, std::uint32_t context) override;

    static constexpr std::uint32_t context_asked = refrain::commands::InlineStream::context_asked;

    /// Whether each operation with a token was replayed, in launch order.
    [[nodiscard]] const std::vector<bool>& replayed() const { return replayed_; }
    /// Mean and maximum number of operations launched between one and its issue.
    [[nodiscard]] double held_mean() const;
    [[nodiscard]] std::uint64_t held_max() const { return held_max_; }
    [[nodiscard]] std::uint64_t traces() const { return begun_.size(); }
    /// Executions of traces after their first.
    [[nodiscard]] std::uint64_t replays() const { return replays_; }
    /// Operations outside of traces with a precedent.
    [[nodiscard]] std::uint64_t repeats() const { return repeats_; }

  private:
    /// An operation with a token.
    struct Operation {
        refrain::autotrace::Token token;
        std::uint64_t run;  // number of untraceable operations before it
        bool is_repeat;     // in a context of context_asked operations
    };
    struct Repeat {
        std::size_t precedent;  // in operations_
        std::uint32_t context;
    };
    struct Trace {
        std::size_t begin;  // of its first execution, in operations_
        std::size_t length;
        bool is_forgotten;
    };
    static constexpr std::size_t no_token = ~std::size_t{0};

    void skip_waits();
    void count_as_held();
    void count(const refrain::autotrace::Token& token);
    [[nodiscard]] bool count_in_trace(const refrain::autotrace::Token& token);
    [[nodiscard]] bool count_repeat();
    void expect_equal_context(std::size_t earlier, std::uint32_t context) const;

    std::span<const Line> lines_;
    std::size_t next_ = 0;                    // the line that must be issued next
    std::uint64_t launched_ = 0;              // operations
    std::uint64_t issued_ = 0;                // operations
    std::uint64_t untraceable_ = 0;           // of these
    std::vector<Operation> operations_;       // of these, those with a token
    std::vector<std::size_t> index_of_line_;  // in operations_; no_token for others
    std::vector<bool> replayed_;
    std::optional<Repeat> repeat_;  // of the next operation
    std::uint64_t repeats_ = 0;
    std::unordered_map<refrain::autotrace::TraceId, Trace> begun_;
    refrain::autotrace::TraceId open_ = refrain::autotrace::TraceId::none;
    std::size_t open_begin_ = 0;  // of this execution, in operations_
    std::uint64_t replays_ = 0;
    std::uint64_t held_sum_ = 0, held_max_ = 0;
};

}  // namespace streams
