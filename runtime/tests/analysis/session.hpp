/// A program written launch by launch and analysed at once.
#pragma once

#include "analysis/analyser.hpp"

#include <initializer_list>

namespace refrain::analysis::testing {

class Session {
  public:
    explicit Session(std::vector<Extents> regions, std::uint32_t window = 1024,
                     const DependenceWalk::Limits& limits = {})
        : program_{std::move(regions), {}}, analyser_(tables_, program_, window, limits) {}

    /// Launches and returns what the launch waits for.
    Edges launch(std::vector<Use> uses) {
        program_.steps.push_back({std::move(uses), std::move(made_)});
        made_.clear();
        return analyser_.launch_next();
    }
    /// Replaces the region by a new one in the same record before the next launch.
    void renew(std::size_t region) { made_.push_back(region); }

    [[nodiscard]] const Access& access(std::size_t step, std::size_t index) {
        return analyser_.access(step, index);
    }

  private:
    Tables tables_;
    AccessProgram program_;
    std::vector<std::size_t> made_;
    Analyser analyser_;
};

/// Edges from the single tasks of these steps to a single task: true dependences.
[[nodiscard]] inline Edges for_data_of(std::initializer_list<std::size_t> steps) {
    Edges edges;
    for (const std::size_t step : steps) edges.push_back({step, 0, 0, true});
    return edges;
}
/// The same for dependences of order only.
[[nodiscard]] inline Edges for_their_end(std::initializer_list<std::size_t> steps) {
    Edges edges;
    for (const std::size_t step : steps) edges.push_back({step, 0, 0, false});
    return edges;
}
[[nodiscard]] inline Edges both(Edges a, const Edges& b) {
    a.insert(a.end(), b.begin(), b.end());
    return DependenceOracle::normalised(std::move(a));
}
[[nodiscard]] inline Edges nothing() {
    return {};
}

}  // namespace refrain::analysis::testing
