#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace refrain::graph {

/// Points per bundle: their pending counts are the bytes of one word.
inline constexpr std::uint32_t points_per_bundle = 8;

/// Source point `source` precedes target point `target`.
struct PointPair {
    std::uint32_t source;
    std::uint32_t target;
    friend constexpr auto operator<=>(const PointPair&, const PointPair&) = default;
};

/// Edges from the points of one node to the points of another, without a pair per edge where every
/// source point precedes a target.
///
///     EdgeSet e(9, 9, {0 .. 8}, {})           nine points read what nine wrote: no pair is stored
///     EdgeSet e(9, 3, {2}, {{0, 0}, {4, 1}})  target 2 waits for all, 0 and 1 for a point each
///
/// Normal form: a target that all source points precede is in after_all, and no pair leads to it.
/// If the source is one bundle, pairs are as cheap, and after_all is empty. So == means equal sets.
///
/// Complexity:  O(targets + pairs log pairs), time and memory; pairs() O(edges).
class EdgeSet {
  public:
    /// Errors: an internal failure if an edge lies outside the two nodes.
    EdgeSet(std::uint32_t source_points, std::uint32_t target_points,
            std::vector<std::uint32_t> after_all, std::vector<PointPair> others);
    /// Every source point precedes every target point.
    [[nodiscard]] static EdgeSet complete(std::uint32_t source_points, std::uint32_t target_points);

    [[nodiscard]] std::uint32_t source_points() const { return source_points_; }
    [[nodiscard]] std::uint32_t target_points() const { return target_points_; }
    [[nodiscard]] bool empty() const { return after_all_.empty() && others_.empty(); }
    /// The targets that every source point precedes, ascending.
    [[nodiscard]] std::span<const std::uint32_t> after_all() const { return after_all_; }
    /// The edges to other targets, ascending.
    [[nodiscard]] std::span<const PointPair> others() const { return others_; }
    /// All edges one by one, ascending: for tests and recorded graphs.
    [[nodiscard]] std::vector<PointPair> pairs() const;
    [[nodiscard]] std::uint64_t hash() const;
    [[nodiscard]] std::size_t bytes() const;

    /// Precondition of both: `other` connects the same two nodes.
    [[nodiscard]] EdgeSet unite(const EdgeSet& other) const;
    /// Without the edges of `other`, except those to a target that every point precedes here but
    /// not there: leaving some out would take a pair for each that stays.
    [[nodiscard]] EdgeSet without(const EdgeSet& other) const;

    friend bool operator==(const EdgeSet&, const EdgeSet&) = default;

  private:
    void assert_in_range() const;
    void expand_after_all();
    void find_after_all();
    void assert_same_nodes(const EdgeSet& other) const;

    std::uint32_t source_points_;
    std::uint32_t target_points_;
    std::vector<std::uint32_t> after_all_;
    std::vector<PointPair> others_;
};

}  // namespace refrain::graph
