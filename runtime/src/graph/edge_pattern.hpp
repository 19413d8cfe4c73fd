#pragma once

#include "graph/edge_set.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace refrain::graph {

/// The most predecessors that a packed count can hold. A packed count is a byte whose top bit stays
/// clear, so that zero bytes are found without carries; one unit belongs to the launch itself while
/// it is being linked.
inline constexpr std::uint32_t packed_in_degree_max = 120;

[[nodiscard]] constexpr std::uint32_t bundles_for(std::uint32_t points) {
    return (points + points_per_bundle - 1) / points_per_bundle;
}

/// Which points of one node precede which points of another, precomputed as what each finishing
/// point subtracts from the counts of its successors.
///
///     EdgePattern p(4, 4, {{0,0}, {0,1}, {1,0}, {1,1}, {1,2}, ...});   // a three-point stencil of
///                                                                      // width 4
///     p.slices()[0].decrement[1]  -> 0x00'00'00'00'00'01'01'01         // point 1 counts down
///                                                                      // targets 0, 1 and 2
///
/// Each source bundle has a slice in one of two forms. `single`: all edges enter one target bundle
/// (always so for launches of up to eight points), one word per source point. `spread`: a list of
/// (target bundle, word) per source point.
///
/// If there are several source bundles, a target that all source points precede has no edge in a
/// slice: the last source point to finish counts it down, once. A pattern whose targets are all of
/// this kind is `from_all`.
///
/// Complexity:  construction O(t + p log p) for t targets and the p pairs of EdgeSet::others(); so
///              O(t) where all precede all. Immutable afterwards.
/// Threads:     any thread may read.
class EdgePattern {
  public:
    using Pair = PointPair;
    /// What one source point subtracts from the counts of one target bundle.
    struct Word {
        std::uint32_t bundle;
        std::uint64_t decrement;
    };
    /// How many source points precede a target point.
    struct InDegree {
        std::uint32_t target;
        std::uint32_t count;
    };
    /// The words of source point p are words[begin[p]] to words[begin[p + 1]].
    struct Spread {
        std::array<std::uint32_t, points_per_bundle + 1> begin{};
        std::vector<Word> words;
    };
    /// The edges that leave one source bundle.
    struct Slice {
        std::array<std::uint64_t, points_per_bundle> decrement{};  // single: per source point
        std::uint32_t target_bundle = 0;                           // single: of all edges
        std::uint32_t source_bundle = 0;
        const Spread* spread = nullptr;  // null: single
    };

    explicit EdgePattern(EdgeSet edges);
    /// Errors: an internal failure if a pair lies outside the two nodes.
    EdgePattern(std::uint32_t source_points, std::uint32_t target_points, std::vector<Pair> pairs)
        : EdgePattern(EdgeSet(source_points, target_points, {}, std::move(pairs))) {}
    EdgePattern(const EdgePattern&) = delete;
    EdgePattern& operator=(const EdgePattern&) = delete;
    EdgePattern(EdgePattern&&) = delete;
    EdgePattern& operator=(EdgePattern&&) = delete;
    ~EdgePattern() = default;

    [[nodiscard]] std::uint32_t source_points() const { return edges_.source_points(); }
    [[nodiscard]] std::uint32_t target_points() const { return edges_.target_points(); }
    [[nodiscard]] const EdgeSet& edges() const { return edges_; }
    /// All edges, one by one: EdgeSet::pairs().
    [[nodiscard]] std::vector<Pair> pairs() const { return edges_.pairs(); }
    [[nodiscard]] bool from_all() const { return !all_.empty() && slices_.empty(); }
    /// By ascending source bundle, without bundles that no edge leaves.
    [[nodiscard]] std::span<const Slice> slices() const { return slices_; }
    /// What the last source point subtracts, per target bundle: of targets that all precede.
    [[nodiscard]] std::span<const Word> all() const { return all_; }

    /// What the pattern adds to the packed counts of target bundles, without bundles that no edge
    /// enters. Valid if in_degree_max() <= packed_in_degree_max.
    [[nodiscard]] std::span<const Word> packed_in_degrees() const { return packed_; }
    /// Of targets that not all source points precede; the others, in all(), count one.
    [[nodiscard]] std::span<const InDegree> in_degrees() const { return in_degrees_; }
    [[nodiscard]] std::uint32_t in_degree_max() const { return in_degree_max_; }

    [[nodiscard]] std::size_t bytes() const;

  private:
    void build_all();
    void count_in_degrees();
    void pack_in_degrees();
    void build_slices();
    void build_slice(std::size_t index, std::span<const Pair> pairs);

    EdgeSet edges_;
    std::uint32_t in_degree_max_ = 0;
    std::vector<Slice> slices_;
    std::vector<Spread> spreads_;  // per slice; empty for single ones
    std::vector<Word> all_;
    std::vector<Word> packed_;
    std::vector<InDegree> in_degrees_;
};

}  // namespace refrain::graph
