#pragma once

#include "trace/trace_template.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace refrain::trace {

/// What the boundary requirements of a trace wait for when the trace follows itself.
///
/// A boundary requirement walks into what came before the trace. Suppose that is a complete
/// execution of the same template and the walk stays within it. Then the result holds whenever the
/// template follows itself and the requirement's region has the same *entry*. For the walk reads
/// shapes, which are equal, and links. Links inside an execution are fixed by the template. Between
/// two executions there is one link per region, from its first use in the later one to its last use
/// in the earlier one: its entry (RegionHistory::entry), which is compared. The requirement's own
/// link is not enough, since it may lead to an earlier use in the same execution. Inherited sources
/// are inherited again, since the twin's list may differ.
///
///     trace  R(A,halo) W(B) | R(B,halo) W(A)     the first R waits for the last W of the previous
///                                                execution: one walk, later one compare
///
/// So back-to-back executions need no walk. Results are learned during execution, and used only if
/// entry and predecessor agree.
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
        std::vector<Source> own_sources;  // immutable once known: accesses refer to it
    };
    struct Operation {
        bool known = false;
        std::uint64_t from_loop = 0;  // bit set of requirements served from this memo
        std::vector<Source> edges;    // valid if exactly those are, and nothing is inherited
    };

    /// Before `recorded` follows itself. Most traces that are recorded never do.
    void prepare(const TraceTemplate& recorded) {
        requirements_.resize(recorded.requirements.size());
        operations_.resize(recorded.operations.size());
    }
    /// What it takes once it is prepared.
    [[nodiscard]] static std::size_t bytes_for(const TraceTemplate& recorded) {
        return sizeof(LoopMemo) + recorded.requirements.size() * sizeof(Requirement) +
               recorded.operations.size() * sizeof(Operation);
    }

    [[nodiscard]] Requirement& requirement(std::size_t index) { return requirements_[index]; }
    [[nodiscard]] Operation& operation(std::size_t index) { return operations_[index]; }

    /// Whether a region that enters the execution starting at `first` has the entry of the known
    /// result.
    [[nodiscard]] static bool agrees(const Requirement& known, OperationNumber first,
                                     const analysis::AccessRef& entry) {
        return known.known && entry.operation + known.entry_distance == first &&
               entry.index == known.entry_index;
    }
    /// An operation of an execution that follows one of the same template.
    struct Place {
        OperationNumber previous_first;  // first operation of the previous execution
        OperationNumber first;           // first operation of this one
        OperationNumber number;
    };
    /// Learns from the walk of an access whose region has this entry.
    static void learn(Requirement& requirement, const Place& place,
                      const analysis::AccessRef& entry, const analysis::Access& access);

  private:
    std::vector<Requirement> requirements_;
    std::vector<Operation> operations_;
};

}  // namespace refrain::trace
