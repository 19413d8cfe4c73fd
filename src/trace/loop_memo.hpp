#pragma once

#include "trace/trace_template.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace refrain::trace {

/// What the requirements of a trace that look beyond it wait for when the trace follows itself.
///
/// A requirement that is not interior walks into what came before. If that is a complete execution
/// of the same template, and the walk stays within it, its result is the same the next time the
/// template follows itself and leads to the same place: the walk reads shapes, which are equal, and
/// links. Of these its own is compared, and the one by which its region came into this execution;
/// those inside an execution are fixed. What it inherits is copied from where it is inherited, since the twin's list may
/// differ.
///
///     trace  R(A,halo) W(B) | R(B,halo) W(A)     the first R waits for the last W of the execution
///                                                before: found by a walk once, by one compare from
///                                                then on
///
/// So executions back to back pay for no walk. Learned as executions pass; never wrong, because
/// never used unless link and predecessor agree.
///
/// Threads:  the launching thread only.
class LoopMemo {
  public:
    /// The link of a region's first access in an execution: to how long before the execution began,
    /// and to which requirement there.
    struct Entry {
        static constexpr OperationNumber several = ~OperationNumber{0};  // chains: not compared
        OperationNumber before = 0;                                      // 0: the region was fresh
        std::uint32_t index = 0;
        friend bool operator==(const Entry&, const Entry&) = default;
    };
    struct Requirement {
        Entry entry;
        std::uint32_t link_distance = 0;
        std::uint32_t link_index = 0;
        std::uint32_t twin_distance = 0;  // 0: nothing is inherited
        std::uint32_t twin_index = 0;
        analysis::NeededId needed_at_twin = analysis::NeededId::nothing;
        bool known = false;
        std::uint8_t attempts = 0;
        std::vector<Source> found;  // never changed once known: accesses refer to it
    };
    struct Operation {
        bool known = false;      // edges for when nothing is inherited,
        std::uint64_t held = 0;  // and these requirements did not look beyond the execution
        std::vector<Source> edges;
    };

    explicit LoopMemo(const TraceTemplate& recorded)
        : requirements_(recorded.requirements.size()), operations_(recorded.operations.size()) {}

    [[nodiscard]] Requirement& requirement(std::size_t index) { return requirements_[index]; }
    [[nodiscard]] Operation& operation(std::size_t index) { return operations_[index]; }

    /// The requirement's access links to where it did when its result was learned.
    [[nodiscard]] static bool agrees(const Requirement& known, const Entry& entry,
                                     OperationNumber number, const analysis::Access& access) {
        return known.known && known.entry == entry && access.cells.empty() &&
               access.link.sibling == analysis::ChainLink::no_sibling &&
               access.link.before.operation + known.link_distance == number &&
               access.link.before.index == known.link_index;
    }
    /// Learns from a walk of an operation that belongs to an execution behind one that began with
    /// `before_first`.
    static void learn(Requirement& requirement, const Entry& entry, OperationNumber number,
                      OperationNumber before_first, const analysis::Access& access);
    /// How a region's first access links, in an execution that began with operation `first`.
    [[nodiscard]] static Entry entry_of(const analysis::Access& access, OperationNumber first);

    [[nodiscard]] std::size_t bytes() const;

  private:
    std::vector<Requirement> requirements_;
    std::vector<Operation> operations_;
};

}  // namespace refrain::trace
