#include "trace/template_store.hpp"

#include "base/assertion.hpp"

#include <algorithm>

namespace refrain::trace {

const RecordedTrace* TemplateStore::find(TraceId trace, OperationNumber now) {
    free_retired(now);
    const auto found = traces_.find(trace);
    if (found == traces_.end()) return nullptr;
    REFRAIN_ASSERT(!found->second.variants.empty(), "a trace is kept without a variant");
    found->second.last_use = ++uses_;
    return found->second.variants.front().get();
}

void TemplateStore::touch(TraceId trace, const TraceTemplate& variant) {
    const auto found = traces_.find(trace);
    if (found == traces_.end() || found->second.variants.front().get() == &variant) return;
    Variants& variants = found->second.variants;
    const auto at = std::find_if(variants.begin(), variants.end(),
                                 [&](const auto& v) { return v.get() == &variant; });
    if (at != variants.end()) std::rotate(variants.begin(), at, at + 1);
}

const RecordedTrace* TemplateStore::insert(TraceId trace, TraceTemplate recorded,
                                           OperationNumber now) {
    auto kept = std::make_unique<const RecordedTrace>(std::move(recorded));
    const std::size_t bytes = kept->stored_bytes;
    if (bytes > limits_.bytes_max) return nullptr;
    Trace& entry = traces_[trace];
    entry.last_use = ++uses_;
    entry.variants.insert(entry.variants.begin(), std::move(kept));
    bytes_ += bytes;
    while (entry.variants.size() > limits_.variants_max) {
        retire(std::move(entry.variants.back()), now);
        entry.variants.pop_back();
    }
    make_room(trace, now);
    REFRAIN_ASSERT(bytes_ <= limits_.bytes_max, "templates take more than their budget");
    return traces_.at(trace).variants.front().get();
}

void TemplateStore::make_room(TraceId keep, OperationNumber now) {
    while (bytes_ > limits_.bytes_max) {
        auto oldest = traces_.end();
        for (auto trace = traces_.begin(); trace != traces_.end(); ++trace)
            if (trace->first != keep &&
                (oldest == traces_.end() || trace->second.last_use < oldest->second.last_use))
                oldest = trace;
        if (oldest != traces_.end()) {
            forget(oldest->first, now);
            continue;
        }
        Variants& variants = traces_.at(keep).variants;
        REFRAIN_ASSERT(variants.size() > 1, "the newest variant does not fit into the budget");
        retire(std::move(variants.back()), now);
        variants.pop_back();
    }
}

void TemplateStore::forget(TraceId trace, OperationNumber now) {
    const auto found = traces_.find(trace);
    if (found == traces_.end()) return;
    for (auto& variant : found->second.variants) retire(std::move(variant), now);
    traces_.erase(found);
}

void TemplateStore::retire(std::unique_ptr<const RecordedTrace> variant, OperationNumber now) {
    REFRAIN_ASSERT(variant->stored_bytes <= bytes_, "more bytes are given back than were taken");
    bytes_ -= variant->stored_bytes;
    ++evictions_;
    retired_.push_back({now + limits_.window, std::move(variant)});
}

void TemplateStore::free_retired(OperationNumber now) {
    while (!retired_.empty() && retired_.front().readable_until < now) retired_.pop_front();
}

void TemplateStore::clear() {
    traces_.clear();
    retired_.clear();
    bytes_ = 0;
}

std::size_t TemplateStore::variants() const {
    std::size_t count = 0;
    for (const auto& [id, trace] : traces_) count += trace.variants.size();
    return count;
}

}  // namespace refrain::trace
