/// What a launch must wait for, computed by the plainest code: element by element, access by
/// access.
#pragma once

#include "analysis/access_program.hpp"

#include <algorithm>
#include <bitset>
#include <compare>
#include <ostream>
#include <tuple>
#include <vector>

namespace refrain::analysis::testing {

/// A point of an earlier launch that a point of a later one waits for.
struct Edge {
    std::size_t source;  // step
    std::uint32_t source_point;
    std::uint32_t target_point;
    bool carries_data;
    friend auto operator<=>(const Edge&, const Edge&) = default;
    friend std::ostream& operator<<(std::ostream& out, const Edge& edge) {
        return out << "step " << edge.source << '.' << edge.source_point << " -> ."
                   << edge.target_point << (edge.carries_data ? " data" : "");
    }
};
using Edges = std::vector<Edge>;  // sorted; one per pair of points

/// Whether two uses of one element may happen in either order.
[[nodiscard]] inline bool commute(const Use& a, const Use& b) {
    return a.privilege == b.privilege &&
           (a.privilege == Privilege::read ||
            (a.privilege == Privilege::reduce && a.reduction == b.reduction));
}

class DependenceOracle {
  public:
    /// Launches `window` or more steps ago count as finished.
    DependenceOracle(const AccessProgram& program, std::size_t window)
        : program_(program), window_(window) {}

    /// All pairs of points that use a common element in ways that do not commute.
    [[nodiscard]] Edges conflicts(std::size_t step) const {
        return collect(step, [&](const Use& earlier, const Use& own, Elements common, Elements,
                                 Elements) { return !commute(earlier, own) && common != 0; });
    }

    /// The conflicts that no operation in between covers:
    ///   - a use before an operation that overwrites the element precedes that operation;
    ///   - if the later use discards the old value, an earlier overwrite that precedes another use
    ///     of the element is ordered by that use.
    [[nodiscard]] Edges direct_conflicts(std::size_t step) const {
        return collect(step, [&](const Use& earlier, const Use& own, Elements common,
                                 Elements overwritten, Elements used) {
            if (commute(earlier, own)) return false;
            common &= ~overwritten;
            if (own.privilege == Privilege::write && overwrites(earlier.privilege)) common &= ~used;
            return common != 0;
        });
    }

    /// The pairs between which values flow: written or reduced by the earlier one, read or reduced
    /// onto by the later one, and not overwritten in between.
    [[nodiscard]] Edges flows(std::size_t step) const {
        return collect(step, [&](const Use& earlier, const Use& own, Elements common,
                                 Elements overwritten, Elements) {
            return !commute(earlier, own) && earlier.privilege != Privilege::read &&
                   own.privilege != Privilege::write && (common & ~overwritten) != 0;
        });
    }

  private:
    /// Calls counts(earlier use, own use, common elements, elements overwritten in between,
    /// elements used in between) for each pair of points and uses, newest step first.
    template <class Counts>
    Edges collect(std::size_t step, Counts&& counts) const {
        Edges edges;
        for (const Use& own : program_.steps[step].uses) {
            Elements overwritten = 0;
            Elements used = 0;
            for (std::size_t before = step; before > 0 && !made_at(own.region, before);) {
                --before;
                if (step - before >= window_) break;
                collect_pairs(edges, before, own, overwritten, used, counts);
                for (const Use& earlier : program_.steps[before].uses) {
                    if (earlier.region != own.region) continue;
                    for (const Elements elements : earlier.elements) {
                        used |= elements;
                        if (overwrites(earlier.privilege)) overwritten |= elements;
                    }
                }
            }
        }
        return normalised(std::move(edges));
    }
    template <class Counts>
    void collect_pairs(Edges& edges, std::size_t before, const Use& own, Elements overwritten,
                       Elements used, Counts& counts) const {
        for (const Use& earlier : program_.steps[before].uses) {
            if (earlier.region != own.region) continue;
            for (std::uint32_t p = 0; p < earlier.elements.size(); ++p)
                for (std::uint32_t q = 0; q < own.elements.size(); ++q) {
                    const Elements common = earlier.elements[p] & own.elements[q];
                    if (common != 0 && counts(earlier, own, common, overwritten, used))
                        edges.push_back({before, p, q,
                                         earlier.privilege != Privilege::read &&
                                             own.privilege != Privilege::write});
                }
        }
    }
    /// Whether a new region takes this number just before `step`.
    [[nodiscard]] bool made_at(std::size_t region, std::size_t step) const {
        const auto& made = program_.steps[step].renewed_before;
        return std::find(made.begin(), made.end(), region) != made.end();
    }

  public:
    /// Sorts, and leaves one edge per pair of points, which carries data if one of several does.
    static Edges normalised(Edges edges) {
        std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
            return std::tie(a.source, a.source_point, a.target_point, b.carries_data) <
                   std::tie(b.source, b.source_point, b.target_point, a.carries_data);
        });
        const auto same_pair = [](const Edge& a, const Edge& b) {
            return std::tie(a.source, a.source_point, a.target_point) ==
                   std::tie(b.source, b.source_point, b.target_point);
        };
        edges.erase(std::unique(edges.begin(), edges.end(), same_pair), edges.end());
        return edges;
    }

  private:
    const AccessProgram& program_;
    std::size_t window_;
};

/// Which points precede which, along the edges found so far.
class Precedence {
  public:
    static constexpr std::size_t points_max = 1024;

    /// Adds the next step with its edges.
    void add(std::uint32_t points, const Edges& edges) {
        first_point_.push_back(before_.size());
        for (std::uint32_t point = 0; point < points; ++point) before_.emplace_back();
        for (const Edge& edge : edges) {
            auto& own = before_[first_point_.back() + edge.target_point];
            own |= before_[index(edge.source, edge.source_point)];
            own.set(index(edge.source, edge.source_point));
        }
    }
    /// Whether the source of `edge` precedes its target in the latest step.
    [[nodiscard]] bool holds(const Edge& edge) const {
        return before_[first_point_.back() + edge.target_point].test(
            index(edge.source, edge.source_point));
    }

  private:
    [[nodiscard]] std::size_t index(std::size_t step, std::uint32_t point) const {
        return first_point_[step] + point;
    }
    std::vector<std::size_t> first_point_;
    std::vector<std::bitset<points_max>> before_;
};

}  // namespace refrain::analysis::testing
