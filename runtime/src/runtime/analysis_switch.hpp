#pragma once

#include "analysis/dependence_walk.hpp"
#include "runtime/operation_ring.hpp"
#include "trace/tracer.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "states/region_states.hpp"

namespace refrain::runtime {

/// What finds dependences: walks, or states of regions. Changes from one to the other while operations
/// are pending, and nobody waits.
///
///            begin_dormancy                  learn_pending, until the states know what is pending
///     walks ────────────────▶ walks at first ────────────────────────────────────────────▶ states
///       ▲                                                                                    │
///       └── end_dormancy: what is pending is written down in the history, without walks ─────┘
///
/// Threads:  the launching thread only.
class AnalysisSwitch {
  public:
    struct Parts {
        const OperationRing& operations;
        const analysis::FootprintTable& footprints;
        analysis::PatternTable& patterns;
        analysis::AccessHistory& history;
        analysis::DependenceWalk& walk;
        trace::Tracer& tracer;
    };
    struct Options {
        std::uint32_t window;
        std::size_t state_bytes;  // of the tables of states, before they are forgotten
    };
    /// Operations that were issued and have not retired.
    struct Pending {
        graph::OperationNumber oldest;
        graph::OperationNumber end;  // one past the newest
    };

    /// By walks.
    AnalysisSwitch(const Options& options, const Parts& parts) : options_(options), parts_(parts) {}

    [[nodiscard]] bool is_by_states() const { return by_ == By::states; }
    /// Null if they were never asked for.
    [[nodiscard]] const states::RegionStates* states() const {
        return states_ ? &*states_ : nullptr;
    }
    [[nodiscard]] states::RegionStates* states() { return states_ ? &*states_ : nullptr; }

    /// From the first operation on.
    void begin_with_states();
    /// From now on there are no states. The tables were reset since the last operation.
    void end_states();
    /// States are to come as soon as they have learned what is pending.
    void begin_dormancy();
    /// Whether learn_pending() is to be called before the next operation.
    [[nodiscard]] bool is_learning() const { return by_ == By::walks_at_first; }
    void learn_pending(const Pending& pending);
    /// By walks, from the next operation on.
    void end_dormancy(const Pending& pending);

    /// What the host must wait for.
    [[nodiscard]] std::span<const analysis::Source> sources_of_host(
        graph::OperationNumber next, const analysis::RequirementShape& shape,
        analysis::RegionHistory& region);
    /// Operation `number` has failed. Taints look into the history, which states do not keep: what was
    /// issued after it is written down now.
    void note_failed(graph::OperationNumber number, graph::OperationNumber end) {
        if (is_by_states()) catch_up_history(number, end);
    }
    /// Forgets what was learned. Nothing is pending.
    void clear(graph::OperationNumber next) {
        if (states_) states_->clear(next);
    }

  private:
    enum class By : std::uint8_t { walks, walks_at_first, states };

    void make_states();
    void change_to_states();
    void catch_up_history(graph::OperationNumber number, graph::OperationNumber end);

    Options options_;
    Parts parts_;
    std::optional<states::RegionStates> states_;
    By by_ = By::walks;
    graph::OperationNumber states_next_ = 0;  // the next that they learn; 0: they have not begun
    graph::OperationNumber states_end_ = 0;   // one past the last that they knew before
    graph::OperationNumber caught_up_ = 0;    // the newest that was written down in the history
};

}  // namespace refrain::runtime
