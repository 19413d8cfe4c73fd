#pragma once

#include "base/assertion.hpp"
#include "trace/trace_template.hpp"

#include <optional>

namespace refrain::trace {

/// An operation of a template that was compared with one that the program launched, and found
/// equal. Only this can be replayed; that an id or a hash matched is not enough.
class ComparedOperation {
  public:
    [[nodiscard]] const TraceTemplate::Operation& get() const { return *operation_; }

  private:
    friend class Replay;
    explicit ComparedOperation(const TraceTemplate::Operation& operation)
        : operation_(&operation) {}
    const TraceTemplate::Operation* operation_;
};

/// One replay of a template: where it is, and which region stands for which slot.
///
/// Hot path: per requirement one compare of a shape and one of a slot. Guarded by bench/overhead.
/// Threads:  the launching thread only.
class Replay {
  public:
    /// `serial` is never used twice, nor by a recording. The template must outlive the replay.
    Replay(const TraceTemplate& recorded, std::uint64_t serial)
        : template_(&recorded), serial_(serial) {}

    /// Compares the operation that the program launched with the next one recorded. If they agree,
    /// moves on; if not, nothing changes. The operation's accesses must not have been linked yet.
    [[nodiscard]] std::optional<ComparedOperation> advance(const OperationSignature& launched);

    /// What an interior requirement waits for is known; false if its region was fresh when it was
    /// recorded, and was not when it was bound.
    [[nodiscard]] static bool holds(const TraceTemplate::Requirement& requirement,
                                    const RegionHistory& region) {
        return requirement.interior && !region.stale;
    }
    /// All requirements of the operation hold.
    [[nodiscard]] bool holds(const ComparedOperation& operation) const {
        return operation.get().interior && stale_slots_ == 0;
    }

    /// Goes on with another template that begins with the same operations.
    void switch_to(const TraceTemplate& other) {
        REFRAIN_ASSERT(position_ <= other.length(), "a variant is shorter than what was replayed");
        template_ = &other;
    }

    [[nodiscard]] const TraceTemplate& recorded() const { return *template_; }
    [[nodiscard]] std::uint64_t serial() const { return serial_; }
    [[nodiscard]] std::size_t position() const { return position_; }
    [[nodiscard]] bool at_end() const { return position_ == template_->length(); }
    /// The operation that was recorded at this position.
    [[nodiscard]] const TraceTemplate::Operation& expected() const {
        return template_->operations[position_];
    }

  private:
    [[nodiscard]] bool bind(const TraceTemplate::Requirement& requirement, RegionHistory& region);
    /// Takes back what `bind` did for an operation that does not agree after all.
    void unbind(std::span<RegionHistory* const> regions, std::uint32_t slots_before);

    const TraceTemplate* template_;
    std::uint64_t serial_;
    std::size_t position_ = 0;
    std::uint32_t bound_slots_ = 0;
    std::uint32_t stale_slots_ = 0;  // recorded as fresh, bound to a region that is not
};

}  // namespace refrain::trace
