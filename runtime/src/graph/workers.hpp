#pragma once

#include "graph/background.hpp"
#include "graph/hand_over.hpp"
#include "graph/sleep.hpp"
#include "graph/worker.hpp"

#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace refrain::graph {

/// The workers of a runtime: who runs ready points, when they look for work elsewhere, and how they
/// rest.
///
/// Worker 0 is the launching thread: it has a queue like the others, and runs points only while it
/// waits.
///
///   ready, launched, flush, help_until      launching thread only
///   submit, run_background_job              any thread
///   counters                                any thread; approximate while workers run
///
/// I1  A worker rests only after announcing it and finding all queues empty and no job waiting
///     after that (sleep.hpp). The launching thread never rests; while it waits it looks again and
///     again.
/// I2  Whoever pushes an item or submits a job wakes a sleeper afterwards, if there is one, or stays
///     awake and looks itself (I6): by the order of sleep.hpp no item waits while everybody sleeps.
/// I3  Points whose cost is known to be tiny are kept for up to `batch_launches` launches before
///     they are published, so that chains stay on one worker; anything else is published at once,
///     and with it what was kept, and so is everything while a worker rests.
/// I4  What launches left ready lies in a queue of its own, from which the oldest is taken; what
///     running points made ready lies with the worker that ran them, and is taken before. So what
///     a program does first is done first, what was begun is finished before something else is
///     begun, and few temporaries live at a time.
/// I5  Ready points of one bundle that together take long are shared out only by a worker whose
///     queue is empty: as long as there is something in it, idle workers have something to take.
///     The worker looks again after each batch of at least one point, so nothing long is kept from
///     others. Source: lazy binary splitting, Tzannes et al., PPoPP 2010.
/// I6  What takes less than `HandOver::worth` is left to the launching thread as long as that is at
///     work (throttle.hpp). A worker that waits has put what was ready into its queue before, and
///     looks there again after 64 µs at most; if it runs a job instead of waiting, it wakes another.
class Workers {
  public:
    static constexpr std::uint32_t batch_launches = 16;

    /// `count` workers, the calling thread being the first: count - 1 threads are started.
    /// `hand_over_ns`: what it takes to take work over from another, as for HandOver; 0: it is
    /// measured all the while.
    explicit Workers(unsigned count, std::uint64_t hand_over_ns = 0);
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;
    Workers(Workers&&) = delete;
    Workers& operator=(Workers&&) = delete;

    [[nodiscard]] unsigned count() const { return static_cast<unsigned>(workers_.size()); }
    /// Whether the calling thread is running points now, of these workers or of others.
    [[nodiscard]] static bool is_running_points() { return runs_points_; }

    /// Takes points that became ready while a node was published.
    void ready(ReadyPoints points) { kept_.push_back(points); }
    /// A node was published: decides whether what is kept goes out now.
    void launched(const Node& node);
    /// Publishes what is kept.
    void flush();
    /// Whether all points of the node together are known to take less than 400 ns.
    [[nodiscard]] static bool is_tiny(const Node& node);
    /// Whether a worker waits to be woken.
    [[nodiscard]] bool someone_rests() const { return sleep_.someone_rests(); }

    /// Runs points until `done()`; returns at once if it is true already. `done` is asked between
    /// batches of points that take `HandOver::split`, or one point.
    template <class Done>
    void help_until(Done&& done);

    /// Runs `job` some time, when a worker has nothing better to do or has not looked for a while.
    void submit(BackgroundJobs::Job job);
    /// Runs one background job if there is one.
    bool run_background_job() { return background_.run_one(); }

    [[nodiscard]] WorkerCounters counters(unsigned worker) const;
    [[nodiscard]] const HandOver& hand_over() const { return hand_over_; }

  private:
    void main(unsigned index);
    inline static thread_local bool runs_points_ = false;

    [[nodiscard]] ReadyPoints find_work(Worker& worker);  // I4
    [[nodiscard]] ReadyPoints steal(Worker& thief, WorkQueue& queue, const Worker& owner);
    void idle(Worker& worker);
    void rest(Worker& worker);
    void leave_to_launcher(Worker& worker, ReadyPoints& next);  // I6
    [[nodiscard]] bool has_work() const;
    void stop();
    /// Runs points of one item; what is left of it, or else one of the items that became ready, is
    /// returned, and the others are pushed.
    [[nodiscard]] ReadyPoints step(Worker& worker, ReadyPoints item);
    /// Pushes what others may take; returns what is left.
    [[nodiscard]] std::uint32_t share_out(Worker& worker, Bundle& bundle, std::uint32_t points);

    // What all of them read, and hardly anybody writes.
    std::vector<std::unique_ptr<Worker>> workers_;
    std::uint64_t spin_ticks_;
    HandOver hand_over_;
    const bool measures_;  // what a hand-over takes
    base::Atomic<std::uint32_t> stopping_{0};
    BackgroundJobs background_;

    // What the launching thread writes with every launch.
    alignas(64) std::vector<ReadyPoints> kept_;  // ready, not yet published
    std::uint32_t kept_launches_ = 0;
    OwnedCounter launches_;
    WorkQueue launched_;  // what launches left ready; the launching thread pushes

    Sleep sleep_;
    std::vector<std::thread> threads_;
};

template <class Done>
void Workers::help_until(Done&& done) {
    flush();
    Worker& self = *workers_[0];
    self.set_running(true);
    runs_points_ = true;
    self.found_work();  // it did something else in between
    ReadyPoints next;
    while (!done()) {
        if (!next) next = find_work(self);
        if (next) {
            next = step(self, next);
            self.found_work();
        } else {
            idle(self);
        }
    }
    if (next) {
        self.queue.push(next);
        sleep_.wake_one();  // I2
    }
    runs_points_ = false;
    self.set_running(false);
}

}  // namespace refrain::graph
