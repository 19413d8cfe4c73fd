/// A program written down launch by launch, analysed as it goes.
#pragma once

#include "analysis/analyser.hpp"

#include <initializer_list>

namespace refrain::analysis::testing {

class Session {
  public:
    explicit Session(std::vector<Extents> regions, std::uint32_t window = 1024,
                     const DependenceWalk::Limits& limits = {})
        : program_{std::move(regions), {}}, analyser_(tables_, program_, window, limits) {}

    /// What the next launch waits for.
    Edges launch(std::vector<Use> uses) {
        program_.steps.push_back({std::move(uses), std::move(made_)});
        made_.clear();
        return analyser_.launch_next();
    }
    /// A new region takes the place, and the record, of one that is gone.
    void make_anew(std::size_t region) { made_.push_back(region); }

    [[nodiscard]] const Access& access(std::size_t step, std::size_t index) {
        return analyser_.access(step, index);
    }

  private:
    Tables tables_;
    AccessProgram program_;
    std::vector<std::size_t> made_;
    Analyser analyser_;
};

/// Single tasks that a single task waits for.
[[nodiscard]] inline Edges for_data_of(std::initializer_list<std::size_t> steps) {
    Edges edges;
    for (const std::size_t step : steps) edges.push_back({step, 0, 0, true});
    return edges;
}
[[nodiscard]] inline Edges for_their_end(std::initializer_list<std::size_t> steps) {
    Edges edges;
    for (const std::size_t step : steps) edges.push_back({step, 0, 0, false});
    return edges;
}
[[nodiscard]] inline Edges both(Edges a, const Edges& b) {
    a.insert(a.end(), b.begin(), b.end());
    return DependenceOracle::normal(std::move(a));
}
[[nodiscard]] inline Edges nothing() {
    return {};
}

}  // namespace refrain::analysis::testing
