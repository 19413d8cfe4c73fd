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
/// template follows itself and the requirement's region enters from the same place: the walk reads
/// shapes, which are equal, and links. Inside an execution the template fixes them, between two
/// there is one per region: from its first use to its last in the execution before, its entry
/// (RegionHistory::entry). That one is compared. It is not enough to compare the requirement's own
/// link, which may lead to an earlier use in the same execution. What was inherited is inherited
/// again, since the twin's list may differ.
///
///     trace  R(A,halo) W(B) | R(B,halo) W(A)     the first R waits for the last W of the execution
///                                                before: found by a walk once, by one compare from
///                                                then on
///
/// So executions back to back pay for no walk. Learned as executions pass; never wrong, because
/// never used unless entry and predecessor agree.
///
/// Threads:  the launching thread only.
class LoopMemo {
  public:
    struct Requirement {
        std::uint32_t entry_distance = 0;  // from the first operation of the execution
        std::uint32_t entry_index = 0;
        std::uint32_t twin_distance = 0;  // 0: nothing is inherited
        std::uint32_t twin_index = 0;
        analysis::NeededId needed_at_twin = analysis::NeededId::nothing;
        bool known = false;
        std::uint8_t attempts = 0;
        std::vector<Source> found;  // never changed once known: accesses refer to it
    };
    struct Operation {
        bool known = false;           // edges for when nothing is inherited
        std::uint64_t from_loop = 0;  // and these requirements are served from here, others not
        std::vector<Source> edges;
    };

    explicit LoopMemo(const TraceTemplate& recorded)
        : requirements_(recorded.requirements.size()), operations_(recorded.operations.size()) {}

    [[nodiscard]] Requirement& requirement(std::size_t index) { return requirements_[index]; }
    [[nodiscard]] Operation& operation(std::size_t index) { return operations_[index]; }

    /// A region enters the execution that begins with `first` from where it did when the result was
    /// learned.
    [[nodiscard]] static bool agrees(const Requirement& known, OperationNumber first,
                                     const analysis::AccessRef& entry) {
        return known.known && entry.operation + known.entry_distance == first &&
               entry.index == known.entry_index;
    }
    /// Where an execution stands that follows one of the same template.
    struct Place {
        OperationNumber before_first;  // where the execution before began
        OperationNumber first;
        OperationNumber number;
    };
    /// Learns from a walk on behalf of an access whose region has entered from `entry`.
    static void learn(Requirement& requirement, const Place& place,
                      const analysis::AccessRef& entry, const analysis::Access& access);

    [[nodiscard]] std::size_t bytes() const;

  private:
    std::vector<Requirement> requirements_;
    std::vector<Operation> operations_;
};

}  // namespace refrain::trace
