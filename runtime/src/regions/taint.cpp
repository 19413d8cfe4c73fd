#include "regions/taint.hpp"

#include <vector>

namespace refrain::regions {

void Taints::record(const Failed& failed, const RegionAccess& access) {
    RegionRoot& region = access.region;
    if (access.privilege == Privilege::read || failed.operation < region.host_wrote_before) return;
    std::vector<data::BoxSet> unwritten;
    unwritten.reserve(failed.points.size());
    for (const std::uint32_t point : failed.points)
        unwritten.push_back(access.footprint.subsets[point]);
    data::BoxSet elements = not_overwritten(data::BoxSet::unite_all(unwritten), region, failed);
    if (elements.empty()) return;
    ++failed.failure->references;
    region.taints.push_back({std::move(elements), failed.failure, access.unordered_reduction});
    regions_.add_taint();
}

data::BoxSet Taints::not_overwritten(data::BoxSet elements, const RegionRoot& region,
                                     const Failed& failed) const {
    for (graph::OperationNumber number = failed.operation + 1;
         number <= failed.newest && !elements.empty(); ++number)
        for (const analysis::Access& later : history_.accesses(number))
            if (later.region == region.serial && later.shape.privilege == Privilege::write)
                elements = elements.subtract(footprints_.get(later.shape.footprint).all);
    return elements;
}

void Taints::overwrite(RegionRoot& region, const data::BoxSet& elements) {
    for (RegionRoot::Taint& taint : region.taints) {
        taint.elements = taint.elements.subtract(elements);
        if (taint.elements.empty()) region.table->remove_taint(taint);
    }
    region.taints.erase_if([](const auto& taint) { return taint.elements.empty(); });
}

void Taints::clear(RegionRoot& region) {
    for (const RegionRoot::Taint& taint : region.taints) region.table->remove_taint(taint);
    region.taints.clear();
}

Failure* Taints::failure_of(const RegionRoot& region) {
    return region.taints.empty() ? nullptr : region.taints.front().failure;
}

}  // namespace refrain::regions
