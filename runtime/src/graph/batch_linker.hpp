#pragma once

#include "base/assertion.hpp"
#include "base/record_arena.hpp"
#include "graph/batch.hpp"
#include "graph/linker.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace refrain::graph {

/// Links launches of one point into the running graph, up to eight as one node (batch.hpp).
///
///     linker.join(a);                             opens a batch
///     linker.add(source, pattern, true);          for each predecessor of a that may be unfinished
///     linker.join(b);                             the same batch
///     linker.add(a, pattern, true);               an edge within the batch
///     linker.publish(ready);                      workers may run both from here on
///
/// The protocol is Linker's (linker.hpp): the batch's counts are complete, with one unit per point,
/// before a worker can see its first edge. The edge from the batch to itself is in the list before
/// any other thread knows the batch, so it is counted down like any other.
///
/// Hot path:    one locked operation per source bundle and one for the batch, shared by its
///              members.
/// Threads:     the launching thread joins and adds; it, or a worker that has borrowed the right to
///              publish (publishing_right.hpp), publishes. No node may retire while a batch is
///              open, since publish pushes edges onto the lists of the sources.
class BatchLinker {
  public:
    /// Batches and edges are cut from `arena`, numbered by the newest member at that time.
    explicit BatchLinker(base::RecordArena& arena) : arena_(arena) {}

    [[nodiscard]] bool is_open() const { return batch_ != nullptr; }
    /// Batches opened so far.
    [[nodiscard]] std::uint64_t opened() const { return opened_; }
    [[nodiscard]] bool is_full() const { return is_open() && size_ == points_per_bundle; }

    /// Adds a member: a launch of one point. Its predecessors are added next, at most
    /// packed_in_degree_max. The batch must not be full.
    void join(Node& launch);
    /// Adds the edges of `pattern`, whose all() is empty, from `source` to the newest member.
    void add(Node& source, const EdgePattern& pattern, bool carries_data);
    /// Adds the edge from the only point of `source` to the newest member.
    void add_point(Node& source, bool carries_data) {
        count(slice_from(source.bundles[0], carries_data).decrement[source.first_point]);
    }
    /// Closes the open batch and hands it to the workers; calls `ready(ReadyPoints)` with the
    /// points that wait for nothing.
    template <class Ready>
    Batch& publish(Ready&& ready);

  private:
    /// All edges into the batch from one bundle, as one edge.
    struct BatchEdge {
        Edge edge;
        EdgePattern::Slice slice;
    };
    struct Incoming {
        std::uintptr_t key;
        BatchEdge* edge;
    };
    /// The source bundle's address; the lowest bit says whether the edge carries data.
    [[nodiscard]] static std::uintptr_t key_of(Bundle& source, bool carries_data) {
        return reinterpret_cast<std::uintptr_t>(&source) | (carries_data ? 1U : 0U);
    }
    [[nodiscard]] static Bundle& source_of(const Incoming& incoming) {
        return *reinterpret_cast<Bundle*>(incoming.key & ~std::uintptr_t{1});
    }
    void open(Node& launch);
    [[nodiscard]] static TaskCost* costlier(TaskCost* a, TaskCost* b);
    [[nodiscard]] EdgePattern::Slice& slice_from(Bundle& source, bool carries_data) {
        const std::uintptr_t key = key_of(source, carries_data);
        return last_used_.key == key ? last_used_.edge->slice
                                     : find_or_make_slice(source, carries_data);
    }
    [[nodiscard]] EdgePattern::Slice& find_or_make_slice(Bundle& source, bool carries_data);
    [[nodiscard]] EdgePattern::Slice& make_slice(Bundle& source, bool carries_data);
    void count(std::uint64_t& decrement) {
        decrement += unit_;
        in_degrees_ += unit_;
    }
    /// The result of pushing a batch's edges onto the lists of its sources.
    struct Outcome {
        std::uint64_t done;   // units to take off: finished predecessors, and one per member
        bool shared = false;  // an edge was published: workers may touch the counts
    };
    void arm();
    void link(const Incoming& incoming, Outcome& outcome);

    base::RecordArena& arena_;
    Batch* batch_ = nullptr;  // null: none is open
    std::uint32_t size_ = 0;
    std::uint64_t opened_ = 0;
    std::uint64_t unit_ = 0;  // of the newest member
    std::uint64_t in_degrees_ = 0;
    std::vector<Incoming> incoming_;
    Incoming last_used_{};
};

inline void BatchLinker::join(Node& launch) {
    REFRAIN_ASSERT(launch.point_count == 1, "a launch of several points joins a batch");
    if (batch_ == nullptr) open(launch);
    REFRAIN_ASSERT(!is_full(), "a launch joins a batch that is full");
    launch.bundles = &batch_->bundle;
    launch.bundle_count = 1;
    launch.first_point = static_cast<std::uint8_t>(size_);
    launch.causes = &batch_->member_causes[size_];
    if (launch.cost != batch_->cost) batch_->cost = costlier(batch_->cost, launch.cost);
    batch_->members[size_] = &launch;
    unit_ = std::uint64_t{1} << (8 * size_);
    ++size_;
}

template <class Ready>
inline Batch& BatchLinker::publish(Ready&& ready) {
    arm();
    Outcome outcome{unit_counts(size_)};
    for (const Incoming& incoming : incoming_) link(incoming, outcome);
    incoming_.clear();
    last_used_ = {};
    Batch& batch = *std::exchange(batch_, nullptr);
    if (outcome.shared) {
        detail::count_down(batch.bundle, outcome.done, ready);
    } else {  // no other thread knows this batch
        const std::uint64_t left =
            batch.bundle.counts.load(std::memory_order_relaxed) - outcome.done;
        REFRAIN_ASSERT((left & 0x8080808080808080U) == 0,
                       "a member waits for fewer points than have finished");
        batch.bundle.counts.store(left, std::memory_order_relaxed);  // published by the queue
        const std::uint32_t points = zero_counts(left) & all_points(batch.bundle);
        ready(ReadyPoints(&batch.bundle, points));  // the first member at least
    }
    return batch;
}

}  // namespace refrain::graph
