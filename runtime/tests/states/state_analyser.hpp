/// The analysis by region states, run on an AccessProgram.
#pragma once

#include "analysis/access_program.hpp"
#include "analysis/dependence_oracle.hpp"

#include <vector>

#include "states/region_states.hpp"

namespace refrain::states::testing {

using analysis::testing::AccessProgram;
using analysis::testing::Edges;

/// Tables that outlive a program, as in a runtime that analyses one phase after the other.
class StateAnalyser {
  public:
    explicit StateAnalyser(std::uint32_t window, const RegionStates::Limits& limits = {})
        : states_(window, footprints_, patterns_, limits) {}

    /// From now on the steps of this program are launched, on new regions. What was launched before
    /// has finished.
    void begin(const AccessProgram& program) {
        program_ = &program;
        first_ = launched_;
        for (analysis::RegionHistory& region : regions_) region.forget_accesses();
        regions_.clear();
        regions_.resize(program.regions.size());
        for (std::size_t region = 0; region < regions_.size(); ++region) make(region);
    }
    /// Launches the next step and returns what it waits for.
    Edges launch_next() {
        const auto& step = program_->steps[launched_ - first_];
        for (const std::size_t region : step.renewed_before) make(region);
        std::vector<analysis::RequirementShape> shapes;
        std::vector<analysis::RegionHistory*> used;
        for (const auto& use : step.uses) {
            shapes.push_back(shape(use));
            used.push_back(&regions_[use.region]);
        }
        ++launched_;
        return edges(states_.dependences(launched_, shapes, used), launched_);
    }
    /// What the host must wait for before it uses elements of a region now.
    Edges ask_for_host(const analysis::testing::Use& use) {
        const auto next = launched_ + 1;
        return edges(states_.dependences_of_host(next, shape(use), regions_[use.region]), next);
    }
    /// Everything launched has finished, and everything known is forgotten.
    void clear() {
        for (analysis::RegionHistory& region : regions_) region.forget_all();
        states_.clear(launched_ + 1);
        patterns_.clear();
        footprints_.clear();
    }
    [[nodiscard]] const RegionStates& states() const { return states_; }

  private:
    void make(std::size_t region) {
        regions_[region].forget_accesses();
        regions_[region] = {};
        regions_[region].serial = ++serials_;
        regions_[region].bounds = bounds(program_->regions[region]);
    }
    analysis::RequirementShape shape(const analysis::testing::Use& use) {
        std::vector<data::BoxSet> subsets;
        for (const auto elements : use.elements)
            subsets.push_back(box_set(elements, program_->regions[use.region]));
        return {footprints_.intern(std::move(subsets)), use.privilege, use.reduction};
    }
    [[nodiscard]] Edges edges(std::span<const analysis::Source> sources,
                              analysis::OperationNumber number) const {
        Edges found;
        for (const analysis::Source& source : sources)
            for (const auto& pair : patterns_.get(source.pattern).pairs())
                found.push_back({static_cast<std::size_t>(number - source.distance - 1 - first_),
                                 pair.source, pair.target, source.carries_data});
        return analysis::testing::DependenceOracle::normalised(std::move(found));
    }

    analysis::FootprintTable footprints_;
    analysis::PatternTable patterns_;
    RegionStates states_;
    const AccessProgram* program_ = nullptr;
    std::vector<analysis::RegionHistory> regions_;
    analysis::OperationNumber launched_ = 0;
    analysis::OperationNumber first_ = 0;
    std::uint64_t serials_ = 0;
};

}  // namespace refrain::states::testing
