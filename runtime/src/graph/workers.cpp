#include "graph/workers.hpp"

#include "base/assertion.hpp"
#include "base/clock.hpp"
#include "graph/batch.hpp"
#include "graph/cost_estimate.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <pthread.h>
#include <string>
#include <utility>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace refrain::graph {
namespace {

constexpr std::uint32_t background_interval = 512;  // items until a busy worker runs a job
constexpr std::uint32_t lane_polls = 256;  // looks at a lane before a worker looks elsewhere
static_assert(lane_polls >= Lanes::lag_polls, "a lane that lags would never run its last launches");
constexpr std::uint64_t spin_ns = 50'000;  // how long a worker looks for work before it sleeps

void pause(std::uint32_t times) {
    for (std::uint32_t i = 0; i < times; ++i) {
#if defined(__x86_64__)
        _mm_pause();
#else
        std::this_thread::yield();
#endif
    }
}

/// The estimated cost of one point; 0: unknown.
[[nodiscard]] std::uint64_t point_ticks(const Node& node) {
    return node.cost->ticks();
}

/// The estimated cost of all points of a node; 0: unknown.
[[nodiscard]] std::uint64_t launch_ticks(const Node& node) {
    return point_ticks(node) * node.point_count;
}

/// The estimated cost of the points; 0: unknown.
[[nodiscard]] std::uint64_t item_ticks(ReadyPoints item) {
    return point_ticks(*item.bundle().node) * count_points(item.points());
}

/// Whether the points are split where others may want some: more than `share` points of a group.
[[nodiscard]] bool is_long(const SharingPolicy& policy, const Bundle& bundle, std::uint32_t points,
                           std::uint32_t share, const SharingLimits& limits) {
    if ((points & (points - 1)) == 0) return false;
    const std::uint32_t count = count_points(points);
    return policy.is_long(count, point_ticks(*bundle.node),
                          count > share || points == all_points(bundle), limits);
}

/// The points of a group that run before their successors are counted down: as many as take at most
/// `limits.split`, and at least one.
[[nodiscard]] std::uint32_t first_chunk(const SharingPolicy& policy, const Bundle& bundle,
                                        std::uint32_t points, const SharingLimits& limits) {
    const std::uint64_t ticks = point_ticks(*bundle.node);
    if (!is_long(policy, bundle, points, count_points(points), limits)) return points;
    std::uint32_t chunk = 0;
    for (std::uint64_t sum = ticks; chunk == 0 || (ticks != 0 && sum <= limits.split);
         sum += ticks, points &= points - 1)
        chunk |= points & (0 - points);
    return chunk;
}

/// Bit i of `points` stands for point first + i.
[[gnu::cold]] void skip_points(Worker& worker, Node& node, std::uint32_t first,
                               std::uint64_t points) {
    worker.skipped.add(static_cast<std::uint64_t>(std::popcount(points)));
    if (node.skip == nullptr) return;
    for (std::uint64_t left = points; left != 0; left &= left - 1)
        node.skip(node, first + static_cast<std::uint32_t>(std::countr_zero(left)), worker.index);
}

/// Runs the points, but stops after the first of several if `stop(first, others)` says so. Poisoned
/// points are skipped and count as failed.
template <class Stop>
[[nodiscard, gnu::always_inline]] inline Ran run_points(Worker& worker, Bundle& bundle,
                                                        std::uint32_t points, Stop&& stop) {
    Node& node = *bundle.node;
    // Relaxed: published by counts.
    std::uint32_t failed = bundle.poisoned.load(std::memory_order_relaxed) & points;
    if (failed != 0) [[unlikely]]
        skip_points(worker, node, bundle.first_point, failed);
    const auto run = [&](std::uint32_t some) {
        failed |=
            static_cast<std::uint32_t>(node.run(node, bundle.first_point, some, worker.index));
    };
    std::uint32_t left = points & ~failed;
    if (const std::uint32_t others = left & (left - 1); others != 0) {
        const std::uint32_t first = left ^ others;
        run(first);
        if (stop(first, others)) [[unlikely]]
            return {points & ~others, failed};
        left = others;
    }
    if (left != 0) run(left);
    return {points, failed};
}

/// The cost estimate of the first of the points.
[[nodiscard]] TaskCost& cost_of(Node& node, std::uint32_t points) {
    if (!node.is_batch) return *node.cost;
    return *static_cast<Batch&>(node).members[std::countr_zero(points)]->cost;
}

/// Whether it was far longer than expected that the first point took, and the others would take too
/// long here. Then its cost is believed.
[[nodiscard]] bool was_surprise(TaskCost& cost, std::uint64_t ticks, std::uint32_t others,
                                std::uint64_t split_ticks) {
    if (ticks * count_points(others) <= split_ticks ||
        ticks <= CostEstimate::surprise_factor * cost.ticks())
        return false;
    cost.measured(ticks);
    return true;
}

/// As run_points; measures the cost of a point. Points of a batch may be tasks of different kinds:
/// only the first is measured. Stops after the first if that was a surprise.
[[nodiscard, gnu::noinline]] Ran run_measured(Worker& worker, Bundle& bundle, std::uint32_t points,
                                              std::uint64_t split_ticks) {
    worker.policy.measured();
    const bool is_batch = bundle.node->is_batch;
    TaskCost& cost = cost_of(*bundle.node, points);
    const std::uint64_t begin = base::ticks();
    std::uint64_t of_first = 0;
    const Ran ran = run_points(worker, bundle, points, [&](std::uint32_t, std::uint32_t others) {
        of_first = base::ticks() - begin;
        return was_surprise(cost, of_first, others, split_ticks);
    });
    worker.clock = base::ticks();
    if (is_batch && of_first != 0 && ran.points == points)
        cost.measured(of_first);
    else if (ran.points == points)
        cost.measured((worker.clock - begin) / count_points(points));
    return ran;
}

/// The upper half, rounded down, of at least two points.
[[nodiscard]] std::uint32_t upper_half(std::uint32_t points) {
    std::uint32_t upper = points;
    for (std::uint32_t drop = (count_points(points) + 1) / 2; drop != 0; --drop) upper &= upper - 1;
    return upper;
}

}  // namespace

Workers::Workers(unsigned count, Held held, std::uint64_t steal_ns, Threads threads,
                 FetchPoints fetch)
    : measures_steals_(steal_ns == 0),
      held_(held),
      lanes_(std::max(1U, count), fetch),
      unpublished_max_(count <= 1 || base::has_asymmetric_fence() ? unpublished_launches_max : 1) {
    if (!measures_steals_) steal_cost_.revise(base::ns_to_ticks(steal_ns));
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    spin_ticks_ = base::ns_to_ticks(count <= cores ? spin_ns : spin_ns / 10);
    for (unsigned i = 0; i < std::max(1U, count); ++i)
        workers_.push_back(std::make_unique<Worker>(i, steal_cost_));
    workers_[0]->set_running(false);
    if (threads == Threads::callers) {
        spin_ticks_ = 0;  // a turn of the loop is a step, not a time
        return;
    }
    try {
        for (unsigned i = 1; i < count; ++i) start_thread(i);
    } catch (...) {  // the system has no more threads
        stop();
        throw;
    }
}

Workers::~Workers() {
    stop();
    while (background_.run_one()) {
    }
}

void Workers::stop() {
    stopping_.store(1, std::memory_order_seq_cst);  // published like work (sleep.hpp)
    sleep_.wake_all();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
}

void Workers::start_threads() noexcept {
    stopping_.store(0, std::memory_order_seq_cst);
    try {
        for (unsigned i = 1; i < count(); ++i) start_thread(i);
    } catch (...) {  // the launching thread does the rest
    }
}

void Workers::start_thread(unsigned index) {
    threads_.emplace_back([this, index] { main(index); });
    const std::string name = "refrain-" + std::to_string(index);
    // A name that the system refuses is not missed.
    static_cast<void>(pthread_setname_np(threads_.back().native_handle(), name.c_str()));
}

void Workers::launched(const Node& node) {
    if (unpublished_.empty()) return;
    if (publishing_.publishes(launch_ticks(node), sleep_.lacks_searchers(), unpublished_max_,
                              steal_cost_.limits()))  // I3
        flush();
    recall_for(node);
}

void Workers::flush() {
    REFRAIN_ASSERT(!may_hold() || right_.is_held(), "work is published without the right to do so");
    publishing_.published();
    if (unpublished_.empty()) return;
    launch_queue_.push_several(unpublished_);
    unpublished_.clear();
    sleep_.wake_for([this] { return launch_queue_.size(); });  // I2
}

void Workers::run_unpublished() {
    Worker& self = *workers_[0];
    const Helping helping(self);
    publishing_.published();
    self.keeps_groups = true;
    for (ReadyPoints next : unpublished_)  // no task launches
        while (next) {
            next = step(self, next);
            if (!next) next = self.queue.pop();
        }
    self.keeps_groups = false;
    unpublished_.clear();
}

void Workers::submit(BackgroundJobs::Job job) {
    background_.submit(job);
    sleep_.wake_for([] { return 1U; });  // I2
}

void Workers::push(Worker& worker, ReadyPoints item) {
    worker.queue.push(item);
    sleep_.wake_for([&] { return worker.queue.size(); });
    recall_for(*item.bundle().node);
}

inline void Workers::end_search(Worker& worker) {
    if (worker.is_searching) [[unlikely]] {
        worker.is_searching = false;
        sleep_.end_search();
    }
}

/// Runs the points, but only the first of them if that takes unexpectedly long and the others are
/// to be shared. At one group of 16, and while the cost is unknown or in doubt, it measures. Else
/// it looks at the clock only while a worker sleeps: sharing is urgent, and time is not.
[[gnu::always_inline]] inline Ran Workers::run_group(Worker& worker, Bundle& bundle,
                                                     std::uint32_t points) {
    if (worker.policy.measures() || !bundle.node->cost->estimate().is_settled())
        return run_measured(worker, bundle, points, worker.limits().split);
    if ((points & (points - 1)) != 0) return run_several(worker, bundle, points);
    return run_points(worker, bundle, points, [](std::uint32_t, std::uint32_t) { return false; });
}

Ran Workers::run_several(Worker& worker, Bundle& bundle, std::uint32_t points) {
    if (sleep_.has_sleepers()) [[unlikely]]
        worker.clock = base::ticks();
    return run_points(worker, bundle, points, [&](std::uint32_t first, std::uint32_t others) {
        if (!sleep_.has_sleepers()) [[likely]]
            return false;
        // If none slept before, one has found nothing to do while this point ran, and the clock
        // was read before that: the point took long.
        const std::uint64_t now = base::ticks();
        const std::uint64_t of_first = now - std::exchange(worker.clock, now);
        return was_surprise(cost_of(*bundle.node, first), of_first, others, worker.limits().split);
    });
}

inline auto Workers::lane_runner(Worker& worker) {
    return [&worker](Node& node, std::uint64_t points, std::uint64_t skipped) {
        const bool measures = worker.policy.measures() || !node.cost->estimate().is_settled();
        const std::uint64_t begin = measures ? base::ticks() : 0;
        std::uint64_t failed = skipped;
        if (skipped != 0) [[unlikely]]
            skip_points(worker, node, 0, skipped);
        if (points != skipped) [[likely]]
            failed |= node.run(node, 0, points & ~skipped, worker.index);
        const auto count = static_cast<unsigned>(std::popcount(points));
        worker.points.add(count);
        worker.groups.add(1);
        if (measures) [[unlikely]] {
            worker.policy.measured();
            node.cost->measured((base::ticks() - begin) / count);
        }
        return failed;
    };
}

void Workers::open_lanes() {
    lanes_.opened();
    lanes_open_.store(1, std::memory_order_relaxed);
    recall();
}

void Workers::run_own_lane(std::uint64_t last) {
    Worker& self = *workers_[0];
    const Helping helping(self);
    if (lanes_.run(0, last, 0, lane_runner(self))) self.idle_since = 0;  // as found_work does
}

bool Workers::help_lanes() {
    Worker& self = *workers_[0];
    const Helping helping(self);
    return run_lanes(self);
}

/// The worker's own lane; and those of others, if it has been idle for half of the time after which
/// workers sleep. A launching thread that has just run one of those runs the next at once: it waits,
/// and that lane's worker is not there.
bool Workers::run_lanes(Worker& worker) {
    constexpr std::uint64_t all = ~std::uint64_t{0};
    bool ran = lanes_.run(worker.index, all, lane_polls, lane_runner(worker));
    if (!ran) {
        const std::uint64_t now = base::ticks();
        if (worker.idle_since == 0) worker.idle_since = now;
        if (worker.ran_others_lane || 2 * (now - worker.idle_since) >= spin_ticks_)
            for (unsigned i = 1; i < count() && !ran; ++i)
                ran = lanes_.run_for_other((worker.index + i) % count(), lane_runner(worker)) ==
                      Lanes::Attempt::ran;
        worker.ran_others_lane = ran && worker.index == 0;
    }
    if (ran) {
        end_search(worker);
        worker.found_work();
    }
    return ran;
}

ReadyPoints Workers::step(Worker& worker, ReadyPoints item) {
    Bundle& bundle = item.bundle();
    std::uint32_t points = item.points();
    std::uint32_t chunk = points;
    if ((points & (points - 1)) != 0) {
        const SharingLimits limits = worker.limits();
        if (count() > 1 && !worker.keeps_groups && worker.queue.looks_empty())
            points = split_and_push(worker, bundle, points, limits);  // I5
        chunk = first_chunk(worker.policy, bundle, points, limits);
    }
    const Ran ran = run_group(worker, bundle, chunk);
    worker.points.add(count_points(ran.points));
    worker.groups.add(1);
    ReadyPoints next;
    if (points != ran.points) {
        next = ReadyPoints(&bundle, points & ~ran.points);
        if (chunk != ran.points) [[unlikely]]
            worker.keeps_groups = false;  // the first took far longer than expected: I5
    }
    finish(bundle, ran.points, ran.failed, [&](ReadyPoints ready) {
        if (!next)
            next = ready;
        else
            push(worker, ready);
    });
    return next;
}

std::uint32_t Workers::split_and_push(Worker& worker, Bundle& bundle, std::uint32_t points,
                                      const SharingLimits& limits) {
    const std::uint32_t count = count_points(points);
    if (!worker.policy.is_long(count, point_ticks(*bundle.node), true, limits)) return points;
    const std::uint32_t share = worker.policy.share_of(count, sleep_.idle());
    bool pushed = false;
    while (is_long(worker.policy, bundle, points, share, limits)) {
        const std::uint32_t upper = upper_half(points);
        worker.queue.push(ReadyPoints(&bundle, upper));
        points &= ~upper;
        pushed = true;
    }
    if (pushed) sleep_.wake_for([&] { return worker.queue.size(); });  // I2
    return points;
}

ReadyPoints Workers::find_work(Worker& worker) {
    if (const ReadyPoints own = worker.queue.pop()) {
        if (worker.policy.is_resting()) worker.policy.nobody_took_it();
        return own;
    }
    // Launches before parts of others' groups: whole groups cost fewer lines, and there are more of them, so
    // thieves meet less often. And the oldest launch is what the window waits for.
    const ReadyPoints oldest =
        worker.index == 0 ? launch_queue_.steal() : steal(worker, launch_queue_, *workers_[0]);
    if (oldest) return oldest;
    const unsigned workers = count();
    for (unsigned i = 1; i < workers; ++i) {
        Worker& victim = *workers_[(worker.index + i) % workers];
        if (const ReadyPoints item = steal(worker, victim.queue, victim)) return item;
    }
    return {};
}

ReadyPoints Workers::steal(Worker& thief, WorkQueue& queue, const Worker& owner) {
    const std::uint64_t begin = base::ticks();  // the first look brings a line that its owner wrote
    if (queue.looks_empty()) return {};
    thief.clock = begin;
    const bool is_new = thief.sees_anew(queue);
    const std::size_t waiting = queue.size();
    const ReadyPoints item = queue.steal();
    if (!item) {
        thief.policy.missed(thief.limits());
        return {};
    }
    // The steal is over when the thief knows the item's cost.
    const std::uint64_t cost = launch_ticks(*item.bundle().node);
    if (measures_steals_ && is_new && thief.steal_latency.add(base::ticks_after_loads() - begin))
        steal_cost_.revise(thief.steal_latency.ticks());
    thief.steals.add(1);
    if (&queue == &launch_queue_)
        take_more(thief, SharingPolicy::steals(waiting, cost, count(), thief.limits()) - 1);
    const std::size_t left = queue.size();
    const bool owner_runs = owner.running.load(std::memory_order_relaxed) != 0;  // a hint
    thief.policy.stole(left, sleep_.idle() - (thief.is_searching ? 1 : 0),
                       &queue != &launch_queue_ && owner_runs);
    if (left != 0) sleep_.wake_for([&] { return queue.size(); });  // I2
    return item;
}

void Workers::take_more(Worker& thief, std::size_t items) {
    if (items == 0) return;
    std::array<ReadyPoints, SharingPolicy::steals_max> taken;
    items = launch_queue_.steal_several(std::span(taken).first(std::min(items, taken.size())));
    if (items == 0) return;
    std::reverse(taken.begin(), taken.begin() + static_cast<std::ptrdiff_t>(items));
    thief.queue.push_several(
        std::span(taken).first(items));                   // the oldest is the first to be popped
    sleep_.wake_for([&] { return thief.queue.size(); });  // I2
}

void Workers::main(unsigned index) {
    Worker& self = *workers_[index];
    runs_points_ = true;
    ReadyPoints next;
    while (true) {
        const bool in_lanes = lanes_open_.load(std::memory_order_relaxed) != 0;
        if (!next && in_lanes && run_lanes(self)) continue;
        if (!next) next = find_work(self);
        if (!next) {
            if (stopping_.load(std::memory_order_relaxed) != 0) return end_search(self);
            if (self.policy.backing_off() && !in_lanes)
                back_off(self, next);
            else
                idle(self);
            continue;
        }
        end_search(self);
        if (self.policy.before_item(item_ticks(next), self.limits())) [[unlikely]]
            recall();
        next = step(self, next);
        self.found_work();
        if (self.policy.backing_off()) [[unlikely]]
            back_off(self, next);
        if (background_.has_jobs() && ++self.items_until_background > background_interval) {
            self.items_until_background = 0;
            if (background_.run_one()) self.background_jobs.add(1);
        }
    }
}

void Workers::back_off(Worker& worker, ReadyPoints& next) {
    REFRAIN_ASSERT(worker.index != 0, "the launching thread backs off");
    const Worker& launcher = *workers_[0];
    const std::uint64_t now = base::ticks();
    const bool has_rested = worker.policy.is_resting();
    const LauncherSeen seen{.items = launches_.get() + launcher.groups.get(),
                            .helps = launcher.running.load(std::memory_order_relaxed) != 0};
    const std::uint64_t wait = worker.policy.next_wait(
        now, seen, resting_.load(std::memory_order_relaxed), worker.limits());
    if (wait == 0) {
        if (has_rested) recall();
        return;
    }
    if (next) worker.queue.push(std::exchange(next, ReadyPoints()));  // I6: others may take it
    worker.waits.add(1);
    worker.set_running(false);
    if (worker.is_searching) sleep_.pause_search();
    const std::uint32_t recalls = recalls_.load(std::memory_order_relaxed);
    resting_.fetch_add(1, std::memory_order_relaxed);
    if (background_.has_jobs()) {
        sleep_.wake_for([] { return 1U; });  // I6
        if (background_.run_one()) worker.background_jobs.add(1);
    }
    while (base::ticks() - now < wait && stopping_.load(std::memory_order_relaxed) == 0 &&
           recalls_.load(std::memory_order_relaxed) == recalls)
        pause(SharingPolicy::search_pauses_max);
    resting_.fetch_sub(1, std::memory_order_relaxed);
    if (worker.is_searching) sleep_.resume_search();
    worker.set_running(true);
}

void Workers::recall() {
    recalls_.fetch_add(1, std::memory_order_relaxed);
}

inline void Workers::recall_for(const Node& ready) {
    if (resting_.load(std::memory_order_relaxed) != 0 &&
        SharingPolicy::recalls(launch_ticks(ready), steal_cost_.limits()))
        recall();
}

void Workers::idle(Worker& worker) {
    if (background_.has_jobs() && (worker.index != 0 || count() == 1)) {
        end_search(worker);
        if (background_.run_one()) worker.background_jobs.add(1);
        worker.idle_since = 0;
        return;
    }
    if (worker.index != 0 && !worker.is_searching) {
        worker.is_searching = true;
        sleep_.begin_search();
    }
    const std::uint64_t now = base::ticks();
    if (worker.idle_since == 0) worker.idle_since = now;
    const std::uint64_t idle_ticks = now - worker.idle_since;
    pause(worker.policy.next_search_pauses());
    if (idle_ticks < spin_ticks_) return;
    if (lanes_.has_pending()) {
        // It does not sleep (I7): it yields to who runs what it waits for, and goes on looking for lanes
        // that nobody runs.
        std::this_thread::yield();
        if (worker.index != 0) return;
    }
    if (worker.index != 0) return sleep(worker);
    // The launching thread waits for a condition that only it can check: it polls.
    std::this_thread::sleep_for(std::chrono::microseconds(20));
}

bool Workers::publish_held() {
    if (!may_hold()) return true;
    return right_.borrow([this] {  // I3
        if (held_.publish != nullptr) held_.publish(held_.context);
        flush();
    });
}

bool Workers::has_work() const {
    return stopping_.load(std::memory_order_seq_cst) != 0 || background_.has_jobs_ordered() ||
           !launch_queue_.is_empty_ordered() || lanes_.has_pending() ||
           std::any_of(workers_.begin(), workers_.end(),
                       [](const auto& worker) { return !worker->queue.is_empty_ordered(); });
}

void Workers::sleep(Worker& worker) {
    REFRAIN_ASSERT(worker.index != 0, "the launching thread sleeps");
    sleep_.sleep_unless([&] {  // I1
        const bool found = !publish_held() || has_work();
        if (!found) worker.sleeps.add(1);
        return found;
    });
    worker.idle_since = 0;
}

WorkerCounters Workers::counters(unsigned worker) const {
    const Worker& w = *workers_[worker];
    return {.points = w.points.get(),
            .skipped = w.skipped.get(),
            .groups = w.groups.get(),
            .steals = w.steals.get(),
            .sleeps = w.sleeps.get(),
            .background_jobs = w.background_jobs.get(),
            .waits = w.waits.get()};
}

}  // namespace refrain::graph
