#pragma once

#include "base/assertion.hpp"
#include "trace/trace_template.hpp"

#include <optional>

namespace refrain::trace {

/// An operation of a template that was compared with a launched one and is equal to it. Only these
/// can be replayed; an equal id or hash is not enough.
class ComparedOperation {
  public:
    [[nodiscard]] const TraceTemplate::Operation& get() const { return *operation_; }

  private:
    friend class Replay;
    explicit ComparedOperation(const TraceTemplate::Operation& operation)
        : operation_(&operation) {}
    const TraceTemplate::Operation* operation_;
};

/// One replay of a template: its position, and the region bound to each slot.
///
/// Hot path: per requirement one compare of a shape and one of a slot. Guarded by bench/overhead.
/// Threads:  the launching thread only.
class Replay {
  public:
    /// `serial` is unique among recordings and replays. The template must outlive the replay.
    Replay(const TraceTemplate& recorded, std::uint64_t serial)
        : template_(&recorded), serial_(serial) {}

    /// Compares the launched operation with the next recorded one. Advances if they agree;
    /// otherwise nothing changes. Precondition: the operation's accesses are not linked yet.
    [[nodiscard]] std::optional<ComparedOperation> advance(const OperationSignature& launched);

    /// Whether the recorded sources of the requirement are valid: it is interior, and not only
    /// because of a fresh region that is bound stale now (recorded as fresh, but bound when it was
    /// not).
    [[nodiscard]] static bool holds(const TraceTemplate::Requirement& requirement,
                                    const RegionHistory& region) {
        return requirement.interior && !(requirement.needs_fresh && region.stale);
    }
    /// Whether the recorded edges of the operation are valid.
    [[nodiscard]] bool holds(const ComparedOperation& operation) const {
        const TraceTemplate::Operation& recorded = operation.get();
        return recorded.interior && !(recorded.needs_fresh && stale_slots_ != 0);
    }

    /// Continues with another template. Precondition: its first position() operations are equal.
    void switch_to(const TraceTemplate& other) {
        REFRAIN_ASSERT(position_ <= other.length(), "a variant is shorter than what was replayed");
        template_ = &other;
    }

    [[nodiscard]] const TraceTemplate& recorded() const { return *template_; }
    [[nodiscard]] std::uint64_t serial() const { return serial_; }
    [[nodiscard]] std::size_t position() const { return position_; }
    [[nodiscard]] bool at_end() const { return position_ == template_->length(); }
    /// The recorded operation at this position.
    [[nodiscard]] const TraceTemplate::Operation& expected() const {
        return template_->operations[position_];
    }

  private:
    [[nodiscard]] bool bind(const TraceTemplate::Requirement& requirement, RegionHistory& region);
    /// Reverts `bind` for an operation that does not agree.
    void unbind(std::span<RegionHistory* const> regions, std::uint32_t slots_before);

    const TraceTemplate* template_;
    std::uint64_t serial_;
    std::size_t position_ = 0;
    std::uint32_t bound_slots_ = 0;
    std::uint32_t stale_slots_ = 0;
};

}  // namespace refrain::trace
