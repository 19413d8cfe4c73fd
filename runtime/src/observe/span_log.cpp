#include "observe/span_log.hpp"

#include <algorithm>

namespace refrain::observe {

const char* name_of(SpanKind kind) {
    static constexpr const char* names[] = {"launch",    "matching", "analysis",
                                            "recording", "replay",   "linking",
                                            "mining",    "waiting",  "task"};
    return names[static_cast<std::size_t>(kind)];
}

double SpanLog::median_ticks(SpanKind kind) const {
    std::vector<std::uint64_t> ticks;
    for (const Span& span : spans_)
        if (span.kind == kind) ticks.push_back(span.end - span.begin);
    if (ticks.empty()) return 0;
    const auto middle = ticks.begin() + static_cast<std::ptrdiff_t>(ticks.size() / 2);
    std::nth_element(ticks.begin(), middle, ticks.end());
    return static_cast<double>(*middle);
}

/// Stops at the last level, even if the log is still full.
void SpanLog::thin_out() {
    while (spans_.size() == capacity_ && level_ < Sampling::level_max) {
        ++level_;
        std::erase_if(spans_, [&](const Span& span) { return !is_kept(span); });
    }
}

}  // namespace refrain::observe
