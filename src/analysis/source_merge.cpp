#include "analysis/source_merge.hpp"

#include <algorithm>

namespace refrain::analysis {

void SourceMerge::add(const Source& source) {
    Source* data = nullptr;
    Source* order = nullptr;
    for (Source& own : merged_) {
        if (own.distance != source.distance) continue;
        (own.carries_data ? data : order) = &own;
    }
    Source* same_kind = source.carries_data ? data : order;
    if (same_kind != nullptr)
        same_kind->pattern = patterns_.unite(same_kind->pattern, source.pattern);
    else
        merged_.push_back(source);
    if (data == nullptr && order == nullptr) return;
    // Both kinds may be there now: pairs of points that share data need no second edge.
    const PatternId with_data = source.carries_data
                                    ? (same_kind != nullptr ? same_kind->pattern : source.pattern)
                                    : (data != nullptr ? data->pattern : PatternId::none);
    if (with_data == PatternId::none) return;
    for (Source& own : merged_)
        if (own.distance == source.distance && !own.carries_data)
            own.pattern = patterns_.minus(own.pattern, with_data);
    std::erase_if(merged_, [](const Source& own) { return own.pattern == PatternId::none; });
}

}  // namespace refrain::analysis
