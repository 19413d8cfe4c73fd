#include "graph/batch_linker.hpp"

#include "base/assertion.hpp"

#include <algorithm>
#include <new>

namespace refrain::graph {
namespace {

constexpr std::size_t looked_through = 8;  // bundles that predecessors of one batch mostly lie in

bool run_member(Node& node, std::uint32_t point, std::uint32_t worker) noexcept {
    Node& member = *static_cast<Batch&>(node).members[point];
    return member.run(member, 0, worker);
}

bool skip_member(Node& node, std::uint32_t point, std::uint32_t worker) noexcept {
    Node& member = *static_cast<Batch&>(node).members[point];
    return member.skip == nullptr ? false : member.skip(member, 0, worker);
}

/// The more expensive of two kinds of task.
TaskCost* dearer(TaskCost* a, TaskCost* b) {
    const auto ticks = [](const TaskCost* cost) {
        return cost->ticks.load(std::memory_order_relaxed);  // an estimate
    };
    return ticks(a) < ticks(b) ? b : a;
}

}  // namespace

void BatchLinker::open(Node& launch) {
    batch_ = arena_.make<Batch>(launch.number);
    batch_->run = run_member;
    batch_->skip = skip_member;
    batch_->cost = launch.cost;
    batch_->number = launch.number;
    batch_->is_batch = true;
    batch_->bundles = &batch_->bundle;
    batch_->bundle_count = 1;
    batch_->bundle.node = batch_;
    batch_->causes = batch_->member_causes.data();
    size_ = 0;
    in_degrees_ = 0;
}

void BatchLinker::join(Node& launch) {
    REFRAIN_ASSERT(launch.point_count == 1, "a launch of several points joins a batch");
    if (batch_ == nullptr) open(launch);
    REFRAIN_ASSERT(!is_full(), "a launch joins a batch that is full");
    launch.bundles = &batch_->bundle;
    launch.bundle_count = 1;
    launch.first_point = static_cast<std::uint8_t>(size_);
    launch.causes = &batch_->member_causes[size_];
    batch_->cost = dearer(batch_->cost, launch.cost);
    batch_->members[size_] = &launch;
    unit_ = std::uint64_t{1} << (8 * size_);
    ++size_;
}

EdgePattern::Slice& BatchLinker::slice_from(Bundle& source, bool carries_data) {
    const std::size_t begin = incoming_.size() - std::min(incoming_.size(), looked_through);
    for (std::size_t i = begin; i < incoming_.size(); ++i)
        if (incoming_[i].source == &source && incoming_[i].joint->edge.carries_data == carries_data)
            return incoming_[i].joint->slice;
    __builtin_prefetch(&source, 1);  // several sources' lines come at the same time
    auto* joint = arena_.make<Joint>(batch_->members[size_ - 1]->number);
    joint->edge.target = batch_;
    joint->edge.slice = &joint->slice;
    joint->edge.carries_data = carries_data;
    incoming_.push_back({&source, joint});
    return joint->slice;
}

void BatchLinker::count(std::uint64_t* decrement) {
    *decrement += unit_;
    in_degrees_ += unit_;
}

void BatchLinker::add(Node& source, const EdgePattern& pattern, bool carries_data) {
    if (pattern.pairs().empty()) return;
    if (source.point_count == 1)
        return count(&slice_from(source.bundles[0], carries_data).decrement[source.first_point]);
    for (const EdgePattern::Slice& slice : pattern.slices()) {
        EdgePattern::Slice& into = slice_from(source.bundles[slice.source_bundle], carries_data);
        for (std::uint32_t point = 0; point < points_per_bundle; ++point)
            if (slice.decrement[point] != 0) count(&into.decrement[point]);
    }
}

void BatchLinker::arm() {
    REFRAIN_ASSERT(batch_ != nullptr, "a batch is published that was not opened");
    batch_->point_count = size_;
    batch_->bundle.point_count = size_;
    batch_->bundle.unfinished_bundles.store(1, std::memory_order_relaxed);
    done_ = unit_counts(size_);
    shared_ = false;
    batch_->bundle.counts.store(in_degrees_ + done_, std::memory_order_relaxed);
}

void BatchLinker::link(const Incoming& incoming) {
    Edge& edge = incoming.joint->edge;
    Bundle& source = *incoming.source;
    if (&source == &batch_->bundle) {  // nobody else knows it yet
        const std::uint64_t state = source.state.load(std::memory_order_relaxed);
        edge.next = BundleState::first_edge(state);
        source.state.store(BundleState::with_first_edge(state, &edge), std::memory_order_relaxed);
        return;
    }
    const std::uint64_t state =
        detail::hang(edge, source, source.state.load(std::memory_order_acquire));
    const std::uint32_t done = BundleState::done(state);
    shared_ = shared_ || done != all_points(source);
    done_ += detail::sum_decrements(*edge.slice, done);
    if (BundleState::failed(state) != 0 && edge.carries_data) [[unlikely]]
        detail::poison_targets(edge, *source.node, BundleState::failed(state));
}

}  // namespace refrain::graph
