#include "graph/batch_linker.hpp"

#include "base/assertion.hpp"
#include "base/prefetch.hpp"

namespace refrain::graph {
namespace {

/// If another core launched the batch, the next member is still in that core's cache.
void prefetch_next(const Batch& batch, std::uint32_t point) {
    if (point + 1 == points_per_bundle || batch.members[point + 1] == nullptr) return;
    const auto* next = reinterpret_cast<const char*>(batch.members[point + 1]);
    base::prefetch_for_read(next);
    base::prefetch_for_read(next + base::line_bytes);
}

bool run_member(Node& node, std::uint32_t point, std::uint32_t worker) noexcept {
    const Batch& batch = static_cast<Batch&>(node);
    prefetch_next(batch, point);
    Node& member = *batch.members[point];
    return member.run(member, 0, 1, worker) == 0;
}

bool skip_member(Node& node, std::uint32_t point, std::uint32_t worker) noexcept {
    Node& member = *static_cast<Batch&>(node).members[point];
    return member.skip == nullptr ? false : member.skip(member, 0, worker);
}

}  // namespace

void BatchLinker::open(Node& launch) {
    REFRAIN_ASSERT(incoming_.empty(), "a batch begins with the edges of another");
    batch_ = arena_.make<Batch>(launch.number.value());
    batch_->run = run_each<run_member>;
    batch_->skip = skip_member;
    batch_->cost = launch.cost;
    batch_->number = launch.number;
    batch_->is_batch = true;
    batch_->bundles = &batch_->bundle;
    batch_->bundle_count = 1;
    batch_->bundle.node = batch_;
    batch_->causes = batch_->member_causes.data();
    size_ = 0;
    ++opened_;
    in_degrees_ = 0;
}

TaskCost* BatchLinker::costlier(TaskCost* a, TaskCost* b) {
    return a->ticks() < b->ticks() ? b : a;
}

EdgePattern::Slice& BatchLinker::find_or_make_slice(Bundle& source, bool carries_data) {
    constexpr std::size_t search_depth = 8;  // a batch has few distinct source bundles
    const std::uintptr_t key = key_of(source, carries_data);
    const std::size_t known = incoming_.size();
    const std::size_t end = known < search_depth ? 0 : known - search_depth;
    for (std::size_t i = known; i != end; --i)
        if (incoming_[i - 1].key == key) {
            last_used_ = incoming_[i - 1];
            return last_used_.edge->slice;
        }
    return make_slice(source, carries_data);
}

EdgePattern::Slice& BatchLinker::make_slice(Bundle& source, bool carries_data) {
    base::prefetch_for_write(&source);  // the misses of several sources overlap
    REFRAIN_ASSERT(batch_ != nullptr, "an edge leads to a batch that is not open");
    auto* made = arena_.make<BatchEdge>(batch_->members[size_ - 1]->number.value());
    made->edge.target = batch_;
    made->edge.slice = &made->slice;
    made->edge.carries_data = carries_data;
    last_used_ = {key_of(source, carries_data), made};
    incoming_.push_back(last_used_);
    return made->slice;
}

void BatchLinker::add(Node& source, const EdgePattern& pattern, bool carries_data) {
    if (pattern.edges().empty()) return;
    if (source.point_count == 1) return add_point(source, carries_data);
    REFRAIN_ASSERT(pattern.all().empty(), "an edge from all points leads into a batch");
    for (const EdgePattern::Slice& slice : pattern.slices()) {
        EdgePattern::Slice& into = slice_from(source.bundles[slice.source_bundle], carries_data);
        for (std::uint32_t point = 0; point < points_per_bundle; ++point)
            if (slice.decrement[point] != 0) count(into.decrement[point]);
    }
}

void BatchLinker::arm() {
    REFRAIN_ASSERT(batch_ != nullptr, "a batch is published that was not opened");
    REFRAIN_ASSERT(size_ != 0, "a batch is published without members");
    REFRAIN_ASSERT((in_degrees_ & 0x8080808080808080U) == 0,
                   "a member waits for more points than a byte counts");
    batch_->point_count = size_;
    batch_->bundle.point_count = size_;
    batch_->bundle.counts.store(in_degrees_ + unit_counts(size_), std::memory_order_relaxed);
}

void BatchLinker::link(const Incoming& incoming, Outcome& outcome) {
    Edge& edge = incoming.edge->edge;
    Bundle& source = source_of(incoming);
    if (&source == &batch_->bundle) {  // no other thread knows it yet
        const std::uint64_t state = source.state.load(std::memory_order_relaxed);
        edge.next = BundleState::first_edge(state);
        source.state.store(BundleState::with_first_edge(state, &edge), std::memory_order_relaxed);
        return;
    }
    std::uint64_t state = source.state.load(std::memory_order_acquire);
    if (BundleState::done(state) != all_points(source)) {
        state = detail::push_edge(edge, source, state);
        // Also if the source finished meanwhile: an unneeded locked operation does no harm.
        outcome.shared = true;
    }
    const std::uint32_t done = BundleState::done(state);
    outcome.done += detail::sum_decrements(*edge.slice, done);
    if (BundleState::failed(state) != 0 && edge.carries_data) [[unlikely]]
        detail::poison_targets(edge, *source.node, BundleState::failed(state));
}

}  // namespace refrain::graph
