#include "graph/linker.hpp"

#include "base/assertion.hpp"

#include <algorithm>
#include <bit>
#include <new>

namespace refrain::graph {

bool Linker::fits_bytes(const Node& node) {
    std::uint32_t in_degree = 0;
    for (const Pending& pending : pending_) in_degree += pending.pattern->in_degree_max();
    if (in_degree <= packed_in_degree_max) [[likely]]
        return true;
    count_in_degrees(node);
    return *std::max_element(done_wide_.begin(), done_wide_.end()) <= packed_in_degree_max;
}

void Linker::count_in_degrees(const Node& node) {
    done_wide_.assign(node.point_count, 0);
    for (const Pending& pending : pending_) count_in_degrees(*pending.pattern);
}

void Linker::count_in_degrees(const EdgePattern& pattern) {
    for (const auto& degree : pattern.in_degrees()) done_wide_[degree.target] += degree.count;
    for (const auto& word : pattern.all())
        for (std::uint32_t points = nonzero_counts(word.decrement); points != 0;
             points &= points - 1)
            ++done_wide_[word.bundle * points_per_bundle +
                         static_cast<std::uint32_t>(std::countr_zero(points))];
}

void Linker::arm(Node& node) {
    done_.resize(node.bundle_count);
    for (std::uint32_t b = 0; b < node.bundle_count; ++b)
        done_[b] = unit_counts(node.bundles[b].point_count);
    for (const Pending& pending : pending_)
        for (const auto& word : pending.pattern->packed_in_degrees())
            done_[word.bundle] += word.decrement;
    for (std::uint32_t b = 0; b < node.bundle_count; ++b) {
        node.bundles[b].counts.store(done_[b],
                                     std::memory_order_relaxed);  // published by the first edge
        done_[b] = unit_counts(node.bundles[b].point_count);
    }
}

/// As arm, with a word per point; needs count_in_degrees.
void Linker::arm_wide(Node& node) {
    REFRAIN_ASSERT(done_wide_.size() == node.point_count,
                   "predecessors were counted for another number of points");
    auto* counts =
        edges_.allocate_array<base::Atomic<std::uint32_t>>(node.point_count, node.number.value());
    for (std::uint32_t point = 0; point < node.point_count; ++point)
        ::new (counts + point) base::Atomic<std::uint32_t>(done_wide_[point] + 1);
    node.wide_counts = counts;
    done_wide_.assign(node.point_count, 1);
}

void Linker::note_done(Bundle& target, std::uint64_t decrement) {
    if (target.node->wide_counts == nullptr) {
        done_[target.first_point / points_per_bundle] += decrement;
        return;
    }
    for (std::uint32_t point = target.first_point; decrement != 0; ++point, decrement >>= 8)
        done_wide_[point] += static_cast<std::uint32_t>(decrement & 0xff);
}

void Linker::link(Node& node, const Pending& pending) {
    REFRAIN_ASSERT(pending.pattern->source_points() == pending.source->point_count,
                   "an edge pattern does not match the size of its source");
    REFRAIN_ASSERT(pending.pattern->target_points() == node.point_count,
                   "an edge pattern does not match the size of its target");
    if (!pending.pattern->all().empty()) link_whole(node, pending);
    for (const EdgePattern::Slice& slice : pending.pattern->slices())
        link_bundle(node, pending, slice);
}

void Linker::link_bundle(Node& node, const Pending& pending, const EdgePattern::Slice& slice) {
    const Node& from = *pending.source;
    REFRAIN_ASSERT(slice.source_bundle < from.bundle_count,
                   "an edge leaves a bundle that is not there");
    Bundle& source = from.bundles[slice.source_bundle];
    // For a member of a batch, `mask` selects its point of the shared bundle.
    const std::uint32_t first = from.first_point;
    const std::uint32_t mask = from.is_member() ? 1 : all_points(source);
    std::uint64_t state = source.state.load(std::memory_order_acquire);
    if ((BundleState::done(state) >> first & mask) != mask) {
        Edge* edge = edges_.make<Edge>(node.number.value());
        edge->target = &node;
        edge->slice = &slice;
        edge->carries_data = pending.carries_data;
        edge->first_point = from.first_point;
        edge->point_mask = static_cast<std::uint8_t>(mask);
        state = detail::push_edge(*edge, source, state);
        // Also if the source finished meanwhile: an unneeded locked operation does no harm.
        shared_ = true;
    }
    const std::uint32_t done = BundleState::done(state) >> first & mask;
    if (done == 0) return;
    detail::for_targets(node, slice, done, [&](Bundle& target, std::uint64_t decrement) {
        note_done(target, decrement);
    });
    const std::uint32_t failed = BundleState::failed(state) >> first & mask;
    if (failed == 0 || !pending.carries_data) return;
    detail::for_targets(node, slice, failed, [&](Bundle& target, std::uint64_t decrement) {
        detail::poison(target, nonzero_counts(decrement), from.failure_cause());
    });
}

void Linker::link_whole(Node& node, const Pending& pending) {
    REFRAIN_ASSERT(pending.source->bundle_count > 1,
                   "an edge from all points leaves a node of one bundle");
    Bundle& first = pending.source->bundles[0];
    std::uint64_t state = first.whole_state.load(std::memory_order_acquire);
    if (BundleState::done(state) == 0) {
        Edge* edge = edges_.make<Edge>(node.number.value());
        edge->target = &node;
        edge->pattern = pending.pattern;
        edge->carries_data = pending.carries_data;
        do {
            edge->next = BundleState::first_edge(state);
        } while (BundleState::done(state) == 0 &&
                 !first.whole_state.compare_exchange_weak(
                     state, BundleState::with_first_edge(state, edge), std::memory_order_acq_rel,
                     std::memory_order_acquire));  // I2
        shared_ = true;  // also if the source finished meanwhile, as above
        if (BundleState::done(state) == 0) return;
    }
    for (const auto& word : pending.pattern->all()) {
        note_done(node.bundles[word.bundle], word.decrement);
        if (BundleState::failed(state) != 0 && pending.carries_data)
            detail::poison(node.bundles[word.bundle], nonzero_counts(word.decrement),
                           pending.source->failure_cause());
    }
}

std::vector<std::uint64_t> Linker::wire_static(Node& node) {
    REFRAIN_ASSERT(node.rearm == nullptr, "a node of a static graph is wired twice");
    REFRAIN_ASSERT(fits_bytes(node),
                   "a static graph's node has more predecessors than a byte counts");
    arm(node);
    std::vector<std::uint64_t> counts(node.bundle_count);
    for (const Pending& pending : pending_) link(node, pending);
    pending_.clear();
    for (std::uint32_t b = 0; b < node.bundle_count; ++b) {
        counts[b] = node.bundles[b].counts.load(std::memory_order_relaxed) - done_[b];
        node.bundles[b].counts.store(counts[b], std::memory_order_relaxed);
    }
    return counts;
}

}  // namespace refrain::graph
