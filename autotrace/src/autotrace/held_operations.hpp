#pragma once

#include "autotrace/history.hpp"
#include "base/assertion.hpp"
#include "refrain/autotrace.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace refrain::autotrace {

/// Operations that were launched but not yet issued, in launch order.
///
///     positions      base            end
///                     |  a   b   c  |          traceable, one per position
///                       ^     ^                carried (ignorable), each before a position
///
/// Hot path: push is one 8-byte store; issuing an operation is one load and the host's call.
///
/// H1  Traceable operations have the positions [base_, end_); carried ones ascend by position.
/// H2  An operation is removed before the host gets it, so a host that throws gets it only once.
/// H3  Both rings have room: the caller issues everything when full() is true.
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

    /// Adds an ignorable operation, before the next traceable one.
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
    /// Carried operations before the first traceable one.
    [[nodiscard]] std::uint64_t carried_before_base() const {
        std::uint64_t at = carried_begin_;
        while (at != carried_end_ && carried_[at & mask_].before <= base_) ++at;
        return at - carried_begin_;
    }

    /// Issues all operations before the one at `position`. Those carried directly before that one
    /// stay held, unless nothing traceable remains.
    void issue_until(Position position) {
        if (base_ >= position && (base_ != end_ || carried_begin_ == carried_end_)) return;
        const WindowUpdate update{*this};
        issue_range(position);
        if (base_ == end_) issue_carried(end_);
    }

    /// Issues [base, end) as one execution of a trace.
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

    /// Begins an execution with the held operations, which the caller issues.
    void begin_trace(TraceId trace, std::size_t length) {
        issue_carried(base_);
        host_.begin_trace(trace, length);
    }
    void end_trace(TraceId trace) { host_.end_trace(trace); }
    void leave_trace(TraceId trace) { host_.leave_trace(trace); }

    /// Issues an operation that was not pushed. Only if nothing is held, so that the launch order
    /// is kept.
    void issue_directly(OperationHandle operation) {
        base_ = ++end_;  // H2
        host_.issue(operation);
    }

    /// Skips the position of a break. Only if nothing is held.
    void skip_position() {
        REFRAIN_ASSERT(empty(), "a break comes while operations are held");
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

    /// Updates AutoTracer's window of held operations after issuing, also if the host throws.
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
