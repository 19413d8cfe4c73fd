#pragma once

#include "analysis/access_history.hpp"
#include "analysis/footprint.hpp"
#include "runtime/operation.hpp"

namespace refrain::runtime {

/// What failed operations leave behind in regions: elements that were never written as they should
/// have been.
///
/// While a failed operation is in the graph, failure travels along edges. When it retires, the
/// regions remember which elements it spoiled, until they are overwritten; operations that would
/// see them do not run.
///
/// Threads:  the launching thread only.
class Taints {
  public:
    Taints(analysis::AccessHistory& history, const analysis::FootprintTable& footprints)
        : history_(history), footprints_(footprints) {}

    /// `operation` has failed and retires; operations up to `newest` have been issued since.
    /// Failures of the future kind and the like are the caller's.
    void remember(const Operation& operation, std::uint64_t newest);
    /// Before `operation` is published: marks the points that would see spoiled elements, and
    /// forgets elements that it overwrites.
    static void apply(Operation& operation);
    /// Whether any region was ever spoiled.
    [[nodiscard]] bool there_were_some() const { return there_were_some_; }
    /// The failure that spoiled some of the region's elements, or null.
    [[nodiscard]] static Failure* any(const RegionRoot& root);
    /// The host sets all elements.
    static void clear(RegionRoot& root);

  private:
    void remember(RegionRoot& root, RegionRoot::Taint taint, std::uint64_t since,
                  std::uint64_t newest);

    analysis::AccessHistory& history_;
    const analysis::FootprintTable& footprints_;
    bool there_were_some_ = false;
};

/// A point in the masks of its bundle.
[[nodiscard]] inline std::uint32_t graph_bit(const Operation& operation, std::uint32_t point) {
    return 1U << (operation.first_point + point % graph::points_per_bundle);
}
/// Whether a point failed or was skipped; meaningful once it is done.
[[nodiscard]] inline bool point_failed(const Operation& operation, std::uint32_t point) {
    const graph::Bundle& bundle = operation.bundles[point / graph::points_per_bundle];
    const std::uint32_t failed =
        graph::BundleState::failed(bundle.state.load(std::memory_order_acquire));
    return (failed & graph_bit(operation, point)) != 0;
}

/// Marks a point of an operation that is not yet published as one that must not run.
void poison_unpublished(Operation& operation, std::uint32_t point, const Failure* failure);

}  // namespace refrain::runtime
