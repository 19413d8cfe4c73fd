#include "overhead/static_graph.hpp"

#include "base/assertion.hpp"

namespace overhead {

using refrain::graph::bundles_for;
using refrain::graph::zero_counts;

Node& StaticGraph::add(std::uint32_t points, RunPoints run_points, TaskCost& cost) {
    wire_last();
    Entry& entry = entries_.emplace_back();
    entry.bundles = std::make_unique<Bundle[]>(bundles_for(points));
    entry.node.run = run_points;
    entry.node.cost = &cost;
    entry.node.point_count = points;
    entry.node.number = refrain::graph::OperationNumber::at(entries_.size());
    prepare_bundles(entry.node, entry.bundles.get());
    entry.bundles[0].finished.store(runs_, std::memory_order_relaxed);  // as all that ran so often
    last_wired_ = false;
    return entry.node;
}

void StaticGraph::depend(Node& source, Node& target, const EdgePattern& pattern) {
    REFRAIN_ASSERT(!entries_.empty() && &target == &entries_.back().node && !last_wired_,
                   "an edge of a static graph must lead to the node added last");
    linker_.add(source, pattern, true);
    entries_[(source.number - 1).value()].has_successor = true;
}

void StaticGraph::wire_last() {
    if (last_wired_) return;
    Entry& entry = entries_.back();
    entry.counts = linker_.wire_static(entry.node);
    entry.node.rearm = entry.counts.data();
    for (std::uint32_t b = 0; b < entry.node.bundle_count; ++b) {
        Bundle& bundle = entry.bundles[b];
        const std::uint32_t all = (1U << bundle.point_count) - 1;
        const std::uint32_t roots = zero_counts(entry.counts[b]) & all;
        if (roots != 0) roots_.emplace_back(&bundle, roots);
    }
    last_wired_ = true;
}

void StaticGraph::choose_order_of_waiting() {
    waited_for_.clear();
    for (const bool has_successor : {false, true})
        for (const Entry& entry : entries_)
            if (entry.has_successor == has_successor) waited_for_.push_back(&entry.node);
}

const void* StaticGraph::run(Workers& workers) {
    wire_last();
    if (waited_for_.size() != entries_.size()) choose_order_of_waiting();
    ++runs_;
    {
        const auto right = workers.right_to_publish();
        for (const ReadyPoints root : roots_) workers.ready(root);
    }
    std::size_t next = 0;
    bool failed = false;
    workers.help_until([&] {
        for (; next < waited_for_.size(); ++next) {
            const Bundle& first = waited_for_[next]->bundles[0];
            if (first.finished.load(std::memory_order_acquire) != runs_) return false;
            failed = failed || waited_for_[next]->failure_cause() != nullptr;
        }
        return true;
    });
    return failed ? take_failure() : nullptr;
}

const void* StaticGraph::take_failure() {
    const void* first = nullptr;
    for (Entry& entry : entries_) {
        const void* cause = entry.bundles[0].cause.exchange(nullptr, std::memory_order_relaxed);
        if (first == nullptr) first = cause;
    }
    return first;
}

}  // namespace overhead
