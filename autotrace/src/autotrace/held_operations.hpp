#pragma once

#include "autotrace/history.hpp"
#include "base/assertion.hpp"
#include "refrain/autotrace.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace refrain::autotrace {

/// Operations that were launched and not yet handed on, in launch order.
///
///     positions      base            end
///                     |  a   b   c  |          traceable, one per position
///                       ^     ^                carried along: each stands before a position
///
/// Hot path: push is one 8-byte store; issuing one operation is one load and the host's call.
///
/// H1  Traceable operations are those of positions [base_, end_); carried ones ascend by position.
/// H2  What is handed on is forgotten before the host sees it: a host that throws gets it once.
/// H3  Both rings have room for what is held: the caller issues everything when full() says so.
class HeldOperations {
  public:
    HeldOperations(std::size_t capacity, TraceHost& host, detail::HeldWindow& window)
        : traceable_(std::bit_ceil(capacity + 1)),
          carried_(traceable_.size()),
          mask_(traceable_.size() - 1),
          host_(host),
          window_(window) {}

    void push(OperationHandle operation) {
        traceable_[end_++ & mask_] = operation;
        note_newest(operation);
    }

    /// Keeps an operation without a token before the next traceable one.
    void carry(OperationHandle operation) {
        REFRAIN_ASSERT(!full(), "more operations are held than there is room for");
        carried_[carried_end_++ & mask_] = {end_, operation};
        note_newest(operation);
    }

    [[nodiscard]] Position base() const { return base_; }
    [[nodiscard]] Position end() const { return end_; }
    [[nodiscard]] bool empty() const { return base_ == end_ && carried_begin_ == carried_end_; }
    [[nodiscard]] bool full() const {
        return end_ - base_ == mask_ || carried_end_ - carried_begin_ == mask_;
    }
    [[nodiscard]] std::size_t size() const {
        return (end_ - base_) + (carried_end_ - carried_begin_);
    }
    /// Operations carried along that will be handed on before the next traceable one.
    [[nodiscard]] std::uint64_t carried_before_base() const {
        std::uint64_t at = carried_begin_;
        while (at != carried_end_ && carried_[at & mask_].before <= base_) ++at;
        return at - carried_begin_;
    }

    /// Hands on everything before the operation at `position`. What is carried before that one
    /// stays with it, unless nothing traceable remains.
    void issue_until(Position position) {
        if (base_ >= position && (base_ != end_ || carried_begin_ == carried_end_)) return;
        const WindowUpdate update{*this};
        issue_range(position);
        if (base_ == end_) issue_carried(end_);
    }

    /// Hands on [base, end) as one execution of a trace.
    void issue_trace(TraceId trace, Position end) {
        REFRAIN_ASSERT(base_ < end, "a trace has no operations");
        REFRAIN_ASSERT(end <= end_, "a trace ends beyond what is held");
        const WindowUpdate update{*this};
        issue_carried(base_);
        host_.begin_trace(trace, end - base_);
        try {
            issue_range(end);
        } catch (...) {
            host_.end_trace(trace);
            throw;
        }
        host_.end_trace(trace);
        if (base_ == end_) issue_carried(end_);
    }

    /// An execution begins with what is held. The caller issues it, and says when it ends.
    void begin_trace(TraceId trace, std::size_t length) {
        issue_carried(base_);
        host_.begin_trace(trace, length);
    }
    void end_trace(TraceId trace) { host_.end_trace(trace); }
    void leave_trace(TraceId trace) { host_.leave_trace(trace); }

    /// Hands one on at once. Needs nothing held.
    void pass(OperationHandle operation) {
        base_ = ++end_;  // H2
        host_.issue(operation);
    }

    /// Passes over a position that has no operation. Needs nothing held.
    void skip_position() {
        REFRAIN_ASSERT(empty(), "a break is passed only when nothing is held");
        base_ = ++end_;
    }

    [[nodiscard]] std::size_t bytes() const {
        return traceable_.size() * sizeof(OperationHandle) + carried_.size() * sizeof(Carried);
    }

  private:
    struct Carried {
        Position before;
        OperationHandle operation;
    };

    /// Tells the questions of AutoTracer what is held once the host has been served.
    struct WindowUpdate {
        HeldOperations& held;
        explicit WindowUpdate(HeldOperations& operations) : held(operations) {}
        WindowUpdate(const WindowUpdate&) = delete;
        WindowUpdate& operator=(const WindowUpdate&) = delete;
        ~WindowUpdate() { held.window_.oldest = held.oldest(); }
    };

    void note_newest(OperationHandle operation) {
        if (operation < window_.oldest) window_.oldest = operation;
        window_.newest = operation;
    }

    [[nodiscard]] OperationHandle oldest() const {
        const bool is_carried = carried_begin_ != carried_end_;
        if (is_carried && (base_ == end_ || carried_[carried_begin_ & mask_].before <= base_)) {
            return carried_[carried_begin_ & mask_].operation;
        }
        return base_ == end_ ? detail::HeldWindow{}.oldest : traceable_[base_ & mask_];
    }

    void issue_range(Position end) {
        while (base_ < end) {
            if (carried_begin_ != carried_end_) issue_carried(base_);
            const OperationHandle operation = traceable_[base_++ & mask_];  // H2
            host_.issue(operation);
        }
    }

    void issue_carried(Position position) {
        while (carried_begin_ != carried_end_ &&
               carried_[carried_begin_ & mask_].before <= position) {
            const OperationHandle operation = carried_[carried_begin_++ & mask_].operation;  // H2
            host_.issue(operation);
        }
    }

    std::vector<OperationHandle> traceable_;
    std::vector<Carried> carried_;
    std::size_t mask_;
    Position base_ = 0;
    Position end_ = 0;
    std::uint64_t carried_begin_ = 0;
    std::uint64_t carried_end_ = 0;
    TraceHost& host_;
    detail::HeldWindow& window_;
};

}  // namespace refrain::autotrace
