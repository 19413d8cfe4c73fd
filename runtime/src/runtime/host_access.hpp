#pragma once

#include "runtime/pipeline.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace refrain::runtime {

/// What the host waits for before it uses a region, or a part of one, and the failures that it would
/// otherwise miss.
///
/// Threads:  the launching thread only.
class HostAccess {
  public:
    explicit HostAccess(Pipeline& pipeline) : pipeline_(pipeline) {}

    /// Waits for what the host must wait for before it uses the whole region.
    /// Returns the failure that what it waited for suffered from, if data flows from there; null
    /// otherwise.
    regions::Failure* wait_for_region(regions::RegionRoot& root,
                                      const analysis::RequirementShape& shape);
    /// Whether the host may use a part of a region, and what that suffers from.
    struct PartState {
        bool is_ready = false;
        bool overwrites_failed = false;       // what failed has not retired
        regions::Failure* failure = nullptr;  // of what should have made the part's values
    };
    /// Looks at the pending operations, all of which are issued.
    [[nodiscard]] PartState state_of(const regions::RegionRoot& root, const data::Box& part,
                                     Privilege privilege);
    /// Runs tasks for some time, until what the last state_of() found pending has run.
    void wait_for_conflicts();

  private:
    struct Conflict {
        graph::OperationNumber operation;
        std::uint32_t point;
        bool changes_elements;
    };
    void wait_for_all_of(std::span<const analysis::Source> sources);
    void find_conflicts(const regions::RegionRoot& root, const data::Box& part,
                        Privilege privilege);
    void add_conflicts(const Operation& operation, std::size_t argument,
                       const data::BoxSet& needed);
    [[nodiscard]] bool has_run(graph::OperationNumber number, std::uint32_t point) const;

    Pipeline& pipeline_;
    std::vector<graph::OperationNumber> waiting_for_;
    std::vector<Conflict> conflicts_;  // of state_of(), newest operation first
};

}  // namespace refrain::runtime
