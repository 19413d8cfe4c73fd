#include "graph/workers.hpp"

#include "base/assertion.hpp"
#include "base/clock.hpp"
#include "graph/batch.hpp"
#include "graph/cost_estimate.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <utility>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace refrain::graph {
namespace {

constexpr std::uint32_t sample_interval = 16;  // items between two measurements of a point's cost
constexpr std::uint32_t background_interval = 512;  // items until a waiting job has its turn
constexpr std::uint64_t tiny_ns = 400;     // a launch that takes less may be kept for a while
constexpr std::uint64_t spin_ns = 50'000;  // look for work that long before resting

void pause(std::uint32_t times) {
    for (std::uint32_t i = 0; i < times; ++i) {
#if defined(__x86_64__)
        _mm_pause();
#else
        std::this_thread::yield();
#endif
    }
}

[[nodiscard]] std::uint64_t ticks_of(const Node& node) {      // of one point; 0: not known yet
    return node.cost->ticks.load(std::memory_order_relaxed);  // an estimate
}

[[nodiscard]] std::uint64_t ticks_of_all(const Node& node) {  // its points; 0: not known yet
    return ticks_of(node) * node.point_count;
}

/// Whether they take more than `split` ticks, or that is not known.
[[nodiscard]] bool worth_splitting(const Node& node, std::uint32_t points, std::uint64_t split) {
    if ((points & (points - 1)) == 0) return false;
    const std::uint64_t ticks = ticks_of(node);
    return ticks == 0 || ticks * count_points(points) > split;
}

/// The points of a group that are run before what waits for them hears of it: as many as take no
/// longer than `split`, and at least one.
[[nodiscard]] std::uint32_t first_batch(const Node& node, std::uint32_t points,
                                        std::uint64_t split) {
    const std::uint64_t ticks = ticks_of(node);
    if (!worth_splitting(node, points, split)) return points;
    std::uint32_t batch = 0;
    for (std::uint64_t sum = ticks; batch == 0 || (ticks != 0 && sum <= split);
         sum += ticks, points &= points - 1)
        batch |= points & (0 - points);
    return batch;
}

void update_cost(TaskCost& cost, std::uint64_t ticks_per_point) {
    const std::uint32_t old = cost.ticks.load(std::memory_order_relaxed);  // an estimate
    const std::uint32_t revised = revised_cost(old, ticks_per_point);
    if (revised != old) cost.ticks.store(revised, std::memory_order_relaxed);
}

[[gnu::cold]] void skip_points(Worker& worker, Bundle& bundle, std::uint32_t points) {
    Node& node = *bundle.node;
    worker.skipped.add(count_points(points));
    if (node.skip == nullptr) return;
    for (std::uint32_t left = points; left != 0; left &= left - 1)
        node.skip(node, bundle.first_point + static_cast<std::uint32_t>(std::countr_zero(left)),
                  worker.index);
}

/// Runs the points; returns those that failed. Points whose data was not made are skipped, and
/// count as failed.
[[nodiscard]] std::uint32_t run_points(Worker& worker, Bundle& bundle, std::uint32_t points) {
    Node& node = *bundle.node;
    // Relaxed: published by counts.
    std::uint32_t failed = bundle.poisoned.load(std::memory_order_relaxed) & points;
    if (failed != 0) [[unlikely]]
        skip_points(worker, bundle, failed);
    for (std::uint32_t left = points & ~failed; left != 0; left &= left - 1) {
        const auto point = static_cast<std::uint32_t>(std::countr_zero(left));
        if (!node.run(node, bundle.first_point + point, worker.index)) [[unlikely]]
            failed |= 1U << point;
    }
    return failed;
}

/// Of the kind of task that the first of the points is.
[[nodiscard]] TaskCost& cost_of(Node& node, std::uint32_t points) {
    if (!node.is_batch) return *node.cost;
    return *static_cast<Batch&>(node).members[std::countr_zero(points)]->cost;
}

/// The same, and every so often measures what a point costs. The points of a batch may be tasks of
/// different kinds: one of them is measured.
[[nodiscard]] std::uint32_t run_measured(Worker& worker, Bundle& bundle, std::uint32_t points) {
    const auto count = count_points(points);
    worker.points.add(count);
    worker.groups.add(1);
    const bool unknown = ticks_of(*bundle.node) == 0;
    if (--worker.items_until_sample != 0 && !unknown) return run_points(worker, bundle, points);
    worker.items_until_sample = sample_interval;
    const std::uint32_t sample = bundle.node->is_batch ? points & (0 - points) : points;
    TaskCost& cost = cost_of(*bundle.node, sample);
    const std::uint64_t begin = base::ticks();
    std::uint32_t failed = run_points(worker, bundle, sample);
    update_cost(cost, (base::ticks() - begin) / count_points(sample));
    if (sample != points) failed |= run_points(worker, bundle, points & ~sample);
    return failed;
}

/// The upper half of the points in a mask with at least two.
[[nodiscard]] std::uint32_t upper_half(std::uint32_t points) {
    std::uint32_t upper = points;
    for (std::uint32_t drop = (count_points(points) + 1) / 2; drop != 0; --drop) upper &= upper - 1;
    return upper;
}

}  // namespace

Workers::Workers(unsigned count, std::uint64_t hand_over_ns) : measures_(hand_over_ns == 0) {
    if (!measures_) hand_over_.revise(base::ns_to_ticks(hand_over_ns));
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    spin_ticks_ = base::ns_to_ticks(count <= cores ? spin_ns : spin_ns / 10);
    for (unsigned i = 0; i < std::max(1U, count); ++i)
        workers_.push_back(std::make_unique<Worker>(i));
    workers_[0]->set_running(false);
    try {
        for (unsigned i = 1; i < count; ++i) threads_.emplace_back([this, i] { main(i); });
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
    stopping_.store(1, std::memory_order_seq_cst);  // before the look at who rests, as all work
    sleep_.wake_all();
    for (std::thread& thread : threads_) thread.join();
}

bool Workers::is_tiny(const Node& node) {
    static const std::uint64_t limit = base::ns_to_ticks(tiny_ns);
    const std::uint64_t ticks = ticks_of_all(node);
    return ticks != 0 && ticks < limit;
}

void Workers::launched(const Node& node) {
    launches_.add(1);
    if (kept_.empty()) return;
    ++kept_launches_;
    if (kept_launches_ < batch_launches && is_tiny(node) && !sleep_.someone_rests()) return;  // I3
    flush();
}

void Workers::flush() {
    kept_launches_ = 0;
    if (kept_.empty()) return;
    for (const ReadyPoints points : kept_) launched_.push(points);
    kept_.clear();
    sleep_.wake_one();  // I2
}

void Workers::submit(BackgroundJobs::Job job) {
    background_.submit(job);
    sleep_.wake_one();  // I2
}

ReadyPoints Workers::step(Worker& worker, ReadyPoints item) {
    Bundle& bundle = item.bundle();
    std::uint32_t points = item.points();
    if (count() > 1 && worker.queue.looks_empty())
        points = share_out(worker, bundle, points);  // I5
    const std::uint32_t batch = first_batch(*bundle.node, points, hand_over_.split());
    ReadyPoints next;
    if (points != batch) next = ReadyPoints(&bundle, points & ~batch);
    const std::uint32_t failed = run_measured(worker, bundle, batch);
    finish(bundle, batch, failed, [&](ReadyPoints ready) {
        if (!next) {
            next = ready;
            return;
        }
        worker.queue.push(ready);
        sleep_.wake_one();  // I2
    });
    return next;
}

std::uint32_t Workers::share_out(Worker& worker, Bundle& bundle, std::uint32_t points) {
    bool pushed = false;
    while (worth_splitting(*bundle.node, points, hand_over_.split())) {
        const std::uint32_t upper = upper_half(points);
        worker.queue.push(ReadyPoints(&bundle, upper));
        points &= ~upper;
        pushed = true;
    }
    if (pushed) sleep_.wake_one();  // I2
    return points;
}

ReadyPoints Workers::find_work(Worker& worker) {
    if (const ReadyPoints own = worker.queue.pop()) return own;
    if (worker.index == 0) {
        if (const ReadyPoints oldest = launched_.steal()) return oldest;
    }
    const unsigned workers = count();
    for (unsigned i = 1; i < workers; ++i) {
        Worker& victim = *workers_[(worker.index + i) % workers];
        if (const ReadyPoints item = steal(worker, victim.queue, victim)) return item;
    }
    return worker.index == 0 ? ReadyPoints() : steal(worker, launched_, *workers_[0]);
}

ReadyPoints Workers::steal(Worker& thief, WorkQueue& queue, const Worker& owner) {
    if (queue.looks_empty()) return {};
    const bool owner_runs = owner.running.load(std::memory_order_relaxed) != 0;  // a hint
    if (owner_runs) pause(thief.backoff.steal_pauses());
    const std::uint64_t begin = base::ticks();
    const ReadyPoints item = queue.steal();
    if (!item) return {};
    const bool tiny = is_tiny(*item.bundle().node);
    const std::uint64_t least = thief.probe.took(base::ticks_after_loads() - begin);
    if (least != 0 && measures_) hand_over_.revise(least);
    thief.steals.add(1);
    if (tiny)
        thief.backoff.stole_tiny();
    else
        thief.backoff.stole_coarse();
    if (!queue.looks_empty()) sleep_.wake_one();  // I2
    return item;
}

void Workers::main(unsigned index) {
    Worker& self = *workers_[index];
    runs_points_ = true;
    ReadyPoints next;
    while (true) {
        if (!next) next = find_work(self);
        if (!next) {
            if (stopping_.load(std::memory_order_relaxed) != 0) return;
            idle(self);
            continue;
        }
        self.throttle.about_to_run(ticks_of_all(*next.bundle().node), hand_over_.worth());
        next = step(self, next);
        self.found_work();
        if (self.throttle.is_due()) [[unlikely]]
            leave_to_launcher(self, next);
        if (background_.waiting() && ++self.items_until_background > background_interval) {
            self.items_until_background = 0;
            if (background_.run_one()) self.background_jobs.add(1);
        }
    }
}

void Workers::leave_to_launcher(Worker& worker, ReadyPoints& next) {
    REFRAIN_ASSERT(worker.index != 0, "the launching thread leaves work to itself");
    REFRAIN_ASSERT(worker.throttle.is_due(), "a worker waits that is not due to");
    const Worker& launcher = *workers_[0];
    const std::uint64_t now = base::ticks();
    const std::uint64_t wait_ns = worker.throttle.next_wait_ns(
        now, launches_.get() + launcher.groups.get(), hand_over_.worth());
    if (wait_ns == 0) return;
    if (next) worker.queue.push(std::exchange(next, ReadyPoints()));  // I6: it looks again itself
    worker.waits.add(1);
    worker.set_running(false);
    const std::uint64_t end = now + base::ns_to_ticks(wait_ns);
    if (background_.waiting()) {
        sleep_.wake_one();  // I6
        if (background_.run_one()) worker.background_jobs.add(1);
    }
    while (base::ticks() < end && stopping_.load(std::memory_order_relaxed) == 0)
        pause(Backoff::pauses_max);
    worker.set_running(true);
}

void Workers::idle(Worker& worker) {
    if (background_.waiting() && (worker.index != 0 || count() == 1) && background_.run_one()) {
        worker.background_jobs.add(1);
        worker.idle_since = 0;
        return;
    }
    const std::uint64_t now = base::ticks();
    if (worker.idle_since == 0) worker.idle_since = now;
    const std::uint64_t idle_ticks = now - worker.idle_since;
    pause(worker.backoff.next_pauses());
    if (idle_ticks < spin_ticks_) return;
    if (worker.index != 0) return rest(worker);
    // The launching thread waits for something only it knows: it looks again, ever less often.
    std::this_thread::sleep_for(std::chrono::microseconds(20));
}

bool Workers::has_work() const {
    return stopping_.load(std::memory_order_seq_cst) != 0 || background_.is_waiting_ordered() ||
           !launched_.is_empty_ordered() ||
           std::any_of(workers_.begin(), workers_.end(),
                       [](const auto& worker) { return !worker->queue.is_empty_ordered(); });
}

void Workers::rest(Worker& worker) {
    REFRAIN_ASSERT(worker.index != 0, "the launching thread rests");
    sleep_.rest([&] {  // I1
        const bool stays_awake = has_work();
        if (!stays_awake) worker.rests.add(1);
        return stays_awake;
    });
    worker.idle_since = 0;
}

WorkerCounters Workers::counters(unsigned worker) const {
    const Worker& w = *workers_[worker];
    return {w.points.get(), w.skipped.get(),         w.groups.get(), w.steals.get(),
            w.rests.get(),  w.background_jobs.get(), w.waits.get()};
}

}  // namespace refrain::graph
