#pragma once

#include "base/assertion.hpp"
#include "trace/loop_memo.hpp"
#include "trace/trace_template.hpp"

#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

namespace refrain::trace {

/// A stored template with what its replays learn.
struct RecordedTrace : TraceTemplate {
    explicit RecordedTrace(TraceTemplate recorded)
        : TraceTemplate(std::move(recorded)), stored_bytes(bytes() + LoopMemo::bytes_for(*this)) {}
    mutable LoopMemo loop;
    const std::size_t stored_bytes;  // charged to the budget; `loop` included, which comes later
};

/// The templates of all traces, within a budget.
///
/// A trace has one template per sequence of operations that it was recorded with: its variants. The
/// least recently used variant or trace is evicted first. An evicted template stays readable until
/// the operations replayed from it are no longer remembered.
///
/// Threads:  the launching thread only.
class TemplateStore {
  public:
    struct Limits {
        std::size_t bytes_max;
        std::size_t variants_max;  // per trace
        std::uint32_t window;      // how long an operation is remembered
    };
    explicit TemplateStore(Limits limits) : limits_(limits) {
        REFRAIN_ASSERT(limits.variants_max > 0, "variants_max must be at least 1");
    }

    /// The most recently used variant of a trace; null if there is none.
    [[nodiscard]] const RecordedTrace* find(TraceId trace, OperationNumber now);
    /// Another variant than `known` whose first `length` operations are equal and for which `fits`
    /// holds; null if there is none.
    template <class Fits>
    [[nodiscard]] const RecordedTrace* find_variant(TraceId trace, const TraceTemplate& known,
                                                    std::size_t length, Fits&& fits) const;
    /// Marks a variant as used.
    void touch(TraceId trace, const TraceTemplate& variant);
    /// Stores a variant. Null, and nothing is stored, if it alone exceeds the budget.
    const RecordedTrace* insert(TraceId trace, TraceTemplate recorded, OperationNumber now);
    void forget(TraceId trace, OperationNumber now);
    /// Frees everything at once. Precondition: no operation is remembered.
    void clear();

    [[nodiscard]] std::size_t bytes() const { return bytes_; }
    [[nodiscard]] std::size_t traces() const { return traces_.size(); }
    [[nodiscard]] std::size_t variants() const;
    [[nodiscard]] std::uint64_t evictions() const { return evictions_; }

  private:
    using Variants = std::vector<std::unique_ptr<const RecordedTrace>>;  // most recently used first
    struct Trace {
        Variants variants;
        std::uint64_t last_use = 0;
    };
    struct Retired {
        OperationNumber readable_until;
        std::unique_ptr<const RecordedTrace> variant;
    };
    void retire(std::unique_ptr<const RecordedTrace> variant, OperationNumber now);
    void free_retired(OperationNumber now);
    void make_room(TraceId keep, OperationNumber now);

    Limits limits_;
    std::unordered_map<TraceId, Trace> traces_;
    std::deque<Retired> retired_;
    std::size_t bytes_ = 0;
    std::uint64_t uses_ = 0;
    std::uint64_t evictions_ = 0;
};

template <class Fits>
const RecordedTrace* TemplateStore::find_variant(TraceId trace, const TraceTemplate& known,
                                                 std::size_t length, Fits&& fits) const {
    const auto found = traces_.find(trace);
    if (found == traces_.end()) return nullptr;
    for (const auto& variant : found->second.variants)
        if (variant.get() != &known && variant->length() >= length &&
            TraceTemplate::common_prefix(*variant, known) >= length && fits(*variant))
            return variant.get();
    return nullptr;
}

}  // namespace refrain::trace
