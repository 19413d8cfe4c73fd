/// The analysis as the runtime uses it, run on an AccessProgram.
#pragma once

#include "analysis/access_program.hpp"
#include "analysis/dependence_oracle.hpp"
#include "analysis/dependence_walk.hpp"
#include "analysis/source_merge.hpp"

#include <deque>
#include <memory>

namespace refrain::analysis::testing {

/// Tables that outlive a program, as in a runtime that analyses one phase after the other.
struct Tables {
    FootprintTable footprints;
    PatternTable patterns;
    WalkTable walks{footprints, patterns};
};

class Analyser {
  public:
    Analyser(Tables& tables, const AccessProgram& program, std::uint32_t window,
             const DependenceWalk::Limits& limits = {})
        : tables_(tables),
          program_(program),
          history_(window),
          walk_(history_, tables.walks, tables.footprints, limits),
          merge_(tables.patterns),
          regions_(program.regions.size()) {
        for (std::size_t region = 0; region < regions_.size(); ++region) make(region);
    }

    /// Launches the next step and returns what it waits for.
    Edges launch_next() {
        const Step& step = program_.steps[(launched_++).value()];
        for (const std::size_t region : step.renewed_before) make(region);
        link(step);
        merge_.clear();
        for (std::uint32_t i = 0; i < step.uses.size(); ++i)
            merge_.add(walk_.walk(launched_, i, regions_[step.uses[i].region]).sources);
        return edges(merge_.merged(), launched_);
    }
    /// What the host must wait for before it uses elements of a region now.
    Edges ask_for_host(const Use& use) {
        const auto sources = walk_.walk_for_host(launched_ + 1, shape(use), regions_[use.region]);
        return edges(sources, launched_ + 1);
    }

    [[nodiscard]] std::size_t launched() const { return launched_.value(); }
    [[nodiscard]] const RegionHistory& region(std::size_t index) const { return regions_[index]; }
    [[nodiscard]] const DependenceWalk& walk() const { return walk_; }
    /// The recorded access of a step's requirement.
    [[nodiscard]] const Access& access(std::size_t step, std::size_t index) {
        return history_.accesses(OperationNumber::at(step + 1))[index];
    }

  private:
    /// Replaces the region by a new one in the same record.
    void make(std::size_t region) {
        regions_[region] = {};
        regions_[region].serial = ++serials_;
        regions_[region].bounds = bounds(program_.regions[region]);
    }
    RequirementShape shape(const Use& use) {
        std::vector<data::BoxSet> subsets;
        for (const Elements elements : use.elements)
            subsets.push_back(box_set(elements, program_.regions[use.region]));
        return {tables_.footprints.intern(std::move(subsets)), use.privilege, use.reduction};
    }
    void link(const Step& step) {
        std::vector<RequirementShape> shapes;
        std::vector<RegionHistory*> used;
        for (const Use& use : step.uses) {
            shapes.push_back(shape(use));
            used.push_back(&regions_[use.region]);
        }
        (void)history_.append(launched_, shapes, used, tables_.footprints);
    }
    Edges edges(std::span<const Source> sources, OperationNumber number) const {
        Edges found;
        for (const Source& source : sources)
            for (const auto& pair : tables_.patterns.get(source.pattern).pairs())
                found.push_back({(number - source.distance - 1).value(), pair.source, pair.target,
                                 source.carries_data});
        return DependenceOracle::normalised(std::move(found));
    }

    Tables& tables_;
    const AccessProgram& program_;
    AccessHistory history_;
    DependenceWalk walk_;
    SourceMerge merge_;
    std::vector<RegionHistory> regions_;
    OperationNumber launched_ = 0;
    std::uint64_t serials_ = 0;
};

}  // namespace refrain::analysis::testing
