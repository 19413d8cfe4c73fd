#include "graph/lanes.hpp"

namespace refrain::graph {

bool Lanes::has_pending() const {
    for (unsigned lane = 0; lane < count_; ++lane)
        if (has_pending(lane)) return true;
    return false;
}

void Lanes::settle() {
    const std::uint64_t end = done();
    if (has_failures() && end != published_) return;  // I4
    settle_up_to(end);
}

void Lanes::settle_unmarked_from(std::uint64_t first) {
    const std::uint64_t end = done();
    if (has_failures()) return;  // asked after done(): I4
    if (settled_ + 1 < first) settle_up_to(std::min(end, first - 1));
    settled_ = std::max(settled_, end);
}

void Lanes::settle_up_to(std::uint64_t end) {
    while (settled_ < end) {
        Node& node = *entry(++settled_).node;
        Failed& noted = this->failed(settled_);
        std::uint64_t failed = has_failures() ? noted.points.load(std::memory_order_relaxed) : 0;
        for (std::uint32_t b = 0; b < node.bundle_count; ++b, failed >>= points_per_bundle)
            node.bundles[b].state.store(all_points(node.bundles[b]) | (failed & 0xff) << 8,
                                        std::memory_order_relaxed);
        node.bundles[0].finished.store(1, std::memory_order_release);
        if (has_failures()) {
            noted.points.store(0, std::memory_order_relaxed);
            noted.cause.store(nullptr, std::memory_order_relaxed);
        }
    }
}

/// The points that a failed one precedes along an edge that carries data.
std::uint64_t Lanes::poisoned(const Entry& entry) const {
    const std::uint64_t number = entry.sequence.load(std::memory_order_relaxed);
    std::uint64_t points = 0;
    for (const LaneSource& from : entry.plan->sources()) {
        const bool is_settled = from.distance >= reach || from.distance >= number - opened_;
        if (!from.carries_data || is_settled) continue;  // I3
        const Failed& source = this->failed(number - from.distance);
        const std::uint64_t failed = source.points.load(std::memory_order_acquire);
        if (failed == 0) continue;
        std::uint64_t reached = 0;
        for (const PointPair& pair : from.pattern->pairs())
            if ((failed >> pair.source & 1) != 0) reached |= std::uint64_t{1} << pair.target;
        const void* none = nullptr;
        if (reached != 0)
            entry.node->causes->compare_exchange_strong(
                none, source.cause.load(std::memory_order_acquire), std::memory_order_acq_rel,
                std::memory_order_relaxed);
        points |= reached;
    }
    return points;
}

void Lanes::note_failed(Entry& entry, std::uint64_t failed) {
    const void* none = nullptr;
    Failed& noted = this->failed(entry.sequence.load(std::memory_order_relaxed));
    noted.cause.compare_exchange_strong(none, entry.node->causes->load(std::memory_order_acquire),
                                        std::memory_order_acq_rel, std::memory_order_relaxed);
    noted.points.fetch_or(failed, std::memory_order_release);
    failures_.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace refrain::graph
