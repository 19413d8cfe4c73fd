/// Runs a program of launches on the task graph and checks every point: it runs once, after all its
/// predecessors, and is skipped exactly when sequential semantics says so.
#pragma once

#include "base/record_arena.hpp"
#include "graph/batch_linker.hpp"
#include "graph/lanes.hpp"
#include "graph/launch_program.hpp"
#include "graph/linker.hpp"
#include "graph/node.hpp"

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <string>

namespace refrain::graph::testing {

class WatchedRun;

struct WatchedNode : Node {
    WatchedRun* run_of = nullptr;
    std::size_t launch = 0;
};

/// Whether launches of one point are linked in batches where possible.
enum class Linking { singly, in_batches };

/// One execution of a program. The launching thread calls launch() once per launch; ready points
/// are run by execute(), or by Workers through the node's functions.
///
///   launch, retire                launching thread
///   execute, the node's run/skip  any thread
///
/// Outcomes outlive their nodes. Nodes, bundles and edges lie in arenas and retire in launch order,
/// as in the runtime; the address sanitizer reports later accesses.
class WatchedRun {
  public:
    explicit WatchedRun(const Program& program, Linking linking = Linking::singly)
        : program_(program), linking_(linking), expected_(run_sequentially(program)) {
        for (const Launch& launch : program) {
            outcomes_.emplace_back(launch.points, Outcome::none);
            auto& patterns = patterns_.emplace_back();
            for (const Dependence& dependence : launch.waits_for)
                patterns.push_back(std::make_unique<EdgePattern>(program[dependence.launch].points,
                                                                 launch.points, dependence.pairs));
        }
    }

    [[nodiscard]] std::size_t launched() const { return nodes_.size(); }
    [[nodiscard]] bool all_launched() const { return launched() == program_.size(); }
    [[nodiscard]] WatchedNode& node(std::size_t launch) { return *nodes_[launch]; }
    /// What points are expected to take.
    [[nodiscard]] TaskCost& cost() { return cost_; }

    /// Makes the next launch: publishes it, or adds it to a batch. A batch is published when it is
    /// full, and before a launch that is not batched. Calls `ready` with points that become ready.
    template <class Ready>
    WatchedNode& launch(Ready&& ready) {
        WatchedNode& node = make_node(launched());
        const Launch& launch = program_[node.launch];
        const bool batched = may_be_batched(launch);
        if (batched)
            batch_linker_.join(node);
        else
            prepare(node, ready);
        for (std::size_t i = 0; i < launch.waits_for.size(); ++i) depend(node, i);
        if (!batched)
            linker_.publish(node, ready);
        else if (batch_linker_.is_full() || all_launched())
            publish_batch(ready);
        return node;
    }
    /// Makes the next launch for lanes, which publish it: it has as many points as there are lanes, or
    /// more, and nothing has failed yet.
    struct InLanes {
        WatchedNode& node;
        const LanePlan& plan;
    };
    InLanes launch_in_lanes(unsigned lanes) {
        WatchedNode& node = make_node(launched());
        prepare_bundles(node, edges_.allocate_array<Bundle>(bundles_for(node.point_count),
                                                            node.number.value()));
        const Launch& launch = program_[node.launch];
        std::vector<LaneSource> sources;
        for (std::size_t i = 0; i < launch.waits_for.size(); ++i)
            sources.push_back({static_cast<std::uint32_t>(node.launch - launch.waits_for[i].launch),
                               patterns_[node.launch][i].get(), launch.waits_for[i].carries_data});
        return {node, lane_plans_.emplace_back(sources, lanes, node.point_count)};
    }
    template <class Ready>
    void publish_batch(Ready&& ready) {
        if (batch_linker_.is_open()) batch_linker_.publish(ready);
    }

    /// Retires finished nodes, oldest first, and recycles their memory. Does nothing while a batch
    /// is open.
    void retire() {
        if (batch_linker_.is_open()) return;
        while (oldest_ < launched() && nodes_[oldest_]->is_finished()) nodes_[oldest_++] = nullptr;
        records_.retire_below(oldest_ + 1);
        edges_.retire_below(oldest_ + 1);
    }
    [[nodiscard]] bool all_retired() const { return oldest_ == program_.size(); }

    /// Runs points as a worker does, and calls `ready` with points that become ready.
    template <class Ready>
    static void execute(ReadyPoints item, Ready&& ready) {
        Bundle& bundle = item.bundle();
        Node& node = *bundle.node;
        std::uint32_t failed = 0;
        for (std::uint32_t left = item.points(); left != 0; left &= left - 1) {
            const auto bit = static_cast<std::uint32_t>(std::countr_zero(left));
            const bool skips = (bundle.poisoned.load(std::memory_order_relaxed) >> bit & 1U) != 0;
            const bool ran = skips ? node.skip(node, bundle.first_point + bit, 0)
                                   : node.run(node, bundle.first_point, 1U << bit, 0) == 0;
            if (!ran) failed |= 1U << bit;
        }
        finish(bundle, item.points(), failed, ready);
    }

    /// The first broken rule; empty if there is none.
    [[nodiscard]] std::string violation() const {
        const char* broken = violation_.load(std::memory_order_acquire);
        return broken == nullptr ? "" : broken;
    }
    /// Once everything has run: the first error, or nothing.
    [[nodiscard]] std::string verdict() const {
        if (!violation().empty()) return violation();
        for (std::size_t launch = 0; launch < program_.size(); ++launch)
            for (std::uint32_t point = 0; point < program_[launch].points; ++point)
                if (outcomes_[launch][point] != expected_[launch][point])
                    return "point " + std::to_string(point) + " of launch " +
                           std::to_string(launch) + " has another outcome than in sequence";
        return "";
    }

  private:
    void report(const char* broken) {
        const char* none = nullptr;
        violation_.compare_exchange_strong(none, broken, std::memory_order_acq_rel);
    }

    WatchedNode& make_node(std::size_t launch) {
        const auto number = OperationNumber::at(launch + 1);
        auto* node = records_.make<WatchedNode>(number.value());
        node->run = run_each<run_point>;
        node->skip = skip_point;
        node->cost = &cost_;
        node->number = number;
        node->point_count = program_[launch].points;
        node->run_of = this;
        node->launch = launch;
        nodes_.push_back(node);
        return *node;
    }
    template <class Ready>
    void prepare(WatchedNode& node, Ready& ready) {
        publish_batch(ready);
        prepare_bundles(node, edges_.allocate_array<Bundle>(bundles_for(node.point_count),
                                                            node.number.value()));
    }
    [[nodiscard]] bool may_be_batched(const Launch& launch) const {
        if (linking_ == Linking::singly || launch.points != 1) return false;
        std::uint32_t predecessors = 0;
        for (const Dependence& dependence : launch.waits_for) {
            predecessors += program_[dependence.launch].points;
            if (program_[dependence.launch].points > points_per_bundle) return false;
        }
        return predecessors <= packed_in_degree_max;
    }

    void depend(WatchedNode& node, std::size_t index) {
        const Dependence& dependence = program_[node.launch].waits_for[index];
        const EdgePattern& pattern = *patterns_[node.launch][index];
        if (dependence.launch >= oldest_ && node.is_member())
            return batch_linker_.add(*nodes_[dependence.launch], pattern, dependence.carries_data);
        if (dependence.launch >= oldest_)
            return linker_.add(*nodes_[dependence.launch], pattern, dependence.carries_data);
        for (const Pair& pair : dependence.pairs)  // the source has retired: its outcome is known
            if (dependence.carries_data && failed(outcomes_[dependence.launch][pair.source]))
                detail::poison(node.bundles[pair.target / points_per_bundle],
                               1U << (node.first_point + pair.target % points_per_bundle), this);
    }

    void note(std::size_t launch, std::uint32_t point, Outcome outcome_now) {
        for (const Dependence& dependence : program_[launch].waits_for)
            for (const Pair& pair : dependence.pairs)
                if (pair.target == point &&
                    outcomes_[dependence.launch][pair.source] == Outcome::none)
                    report("a point ran before one of its predecessors");
        if (outcomes_[launch][point] != Outcome::none) report("a point ran twice");
        outcomes_[launch][point] = outcome_now;
    }
    static bool run_point(Node& node, std::uint32_t point, std::uint32_t) noexcept {
        auto& own = static_cast<WatchedNode&>(node);
        const Launch& launch = own.run_of->program_[own.launch];
        const bool throws = !launch.throws.empty() && launch.throws[point];
        own.run_of->note(own.launch, point, throws ? Outcome::threw : Outcome::succeeded);
        if (!throws) return true;
        const void* none = nullptr;
        node.causes->compare_exchange_strong(none, own.run_of, std::memory_order_acq_rel,
                                             std::memory_order_relaxed);
        return false;
    }
    static bool skip_point(Node& node, std::uint32_t point, std::uint32_t) noexcept {
        auto& own = static_cast<WatchedNode&>(node);
        own.run_of->note(own.launch, point, Outcome::skipped);
        if (node.failure_cause() != own.run_of)
            own.run_of->report("a point was skipped without the expected cause");
        return false;
    }

    const Program& program_;
    Linking linking_;
    Outcomes expected_;
    Outcomes outcomes_;  // plain memory: only the graph orders its readers and writers
    std::vector<std::vector<std::unique_ptr<EdgePattern>>> patterns_;
    std::deque<LanePlan> lane_plans_;
    TaskCost cost_;
    base::RecordArena records_{1024};  // small chunks, so that retired memory is soon poisoned
    base::RecordArena edges_{1024};
    Linker linker_{edges_};
    BatchLinker batch_linker_{edges_};
    std::vector<WatchedNode*> nodes_;
    std::size_t oldest_ = 0;
    std::atomic<const char*> violation_{nullptr};
};

}  // namespace refrain::graph::testing
