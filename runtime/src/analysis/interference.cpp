#include "analysis/interference.hpp"

namespace refrain::analysis {

bool Interference::between(const RequirementShape& a, const RequirementShape& b) {
    if (commute(a, b)) return false;
    const std::uint64_t key =
        static_cast<std::uint64_t>(a.footprint) << 32 | static_cast<std::uint64_t>(b.footprint);
    const auto [interfere, is_new] = known_.try_emplace(key, false);
    if (is_new) interfere = compute(a, b);
    return interfere;
}

bool Interference::compute(const RequirementShape& a, const RequirementShape& b) const {
    const auto& ours = footprints_.get(a.footprint).subsets;
    const OverlapTree& theirs = footprints_.overlaps(b.footprint);
    for (std::uint32_t point = 0; point < ours.size(); ++point) {
        bool meets = false;
        theirs.overlapping(ours[point],
                           [&](std::uint32_t other) { meets = meets || other != point; });
        if (meets) return true;
    }
    return false;
}

}  // namespace refrain::analysis
