#include "analysis/source_merge.hpp"

#include <algorithm>

namespace refrain::analysis {

void SourceMerge::add(const Source& source) {
    if (source.carries_data)
        add_data(source);
    else
        add_order(source);
}

/// Sorts by operation, then merges each operation's sources apart from the others.
void SourceMerge::add_many(std::span<const Source> sources) {
    std::vector<Source> all = std::move(merged_);
    all.insert(all.end(), sources.begin(), sources.end());
    std::sort(all.begin(), all.end(),
              [](const Source& a, const Source& b) { return a.distance < b.distance; });
    std::vector<Source> result;
    result.reserve(all.size());
    for (std::size_t begin = 0; begin < all.size();) {
        merged_.clear();
        const std::uint32_t distance = all[begin].distance;
        for (; begin < all.size() && all[begin].distance == distance; ++begin) add(all[begin]);
        result.insert(result.end(), merged_.begin(), merged_.end());
    }
    merged_ = std::move(result);
}

void SourceMerge::add_data(const Source& source) {
    PatternId with_data = source.pattern;
    if (Source* own = find(source.distance, true))
        with_data = own->pattern = patterns_.unite(own->pattern, source.pattern);
    else
        merged_.push_back(source);
    Source* order = find(source.distance, false);
    if (order == nullptr) return;
    order->pattern = patterns_.minus(order->pattern, with_data);
    if (order->pattern == PatternId::none)
        merged_.erase(merged_.begin() + (order - merged_.data()));
}

void SourceMerge::add_order(const Source& source) {
    PatternId left = source.pattern;
    if (const Source* data = find(source.distance, true))
        left = patterns_.minus(left, data->pattern);
    if (left == PatternId::none) return;
    if (Source* own = find(source.distance, false))
        own->pattern = patterns_.unite(own->pattern, left);
    else
        merged_.push_back({source.distance, left, false});
}

Source* SourceMerge::find(std::uint32_t distance, bool carries_data) {
    for (Source& own : merged_)
        if (own.distance == distance && own.carries_data == carries_data) return &own;
    return nullptr;
}

}  // namespace refrain::analysis
