#pragma once

#include "graph/background.hpp"
#include "graph/lanes.hpp"
#include "graph/publishing_right.hpp"
#include "graph/sleep.hpp"
#include "graph/steal_cost.hpp"
#include "graph/worker.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <thread>
#include <vector>

namespace refrain::graph {

/// The worker threads of a runtime: they run ready points, steal from one another, and sleep when
/// there is nothing to do. Worker 0 is the launching thread: it has a queue like the others and
/// runs points while it waits, and in its launches while it runs alone (I6a) or lanes are open (I7).
///
///   ready, launched, flush                  launching thread, while it has the right to publish
///   help_until                              launching thread, without that right
///   run_unpublished                         launching thread, with that right; such points come to no queue
///   run_directly                            launching thread, while nothing is in the graph
///   submit, run_background_job              any thread
///   counters                                any thread; approximate while workers run
///
/// I1  A worker sleeps only after it has announced so and has then found all queues empty and no
///     job (sleep.hpp). The launching thread never sleeps there; while it waits it polls.
/// I2  Whoever pushes an item or submits a job then wakes a sleeper, if there is one and fewer
///     workers search than the queue has items, or stays awake and looks for the item itself (I6).
///     A worker searches from its first futile look at all queues until it takes work; the last to
///     find some wakes a sleeper. By sleep.hpp, I1 and I2, no item is left while all sleep. Worker 0
///     is never counted: it looks for work only until its condition holds.
/// I3  Ready points stay unpublished for up to `unpublished_launches_max` launches, so that chains
///     stay on one worker: those of launches that are known to be tiny, and of longer ones while few
///     are held back beside all since the launching thread last helped (SharingPolicy::publishes).
///     A launch of unknown cost publishes them together with its own, and so does every launch while
///     a worker sleeps and none searches. A worker that has found nothing for a while publishes them
///     itself if the launching thread is not in a launch, and does not sleep before
///     (publishing_right.hpp). So with two workers or more, launched work starts although the program
///     never calls again.
/// I4  Points that a launch found ready go to `launch_queue_`, oldest first; points that running
///     points made ready go to the queue of their worker, which comes first. So a program's work is
///     done in launch order, begun work is finished before new work, and few temporaries live at a
///     time. A worker that steals short launches takes several at once into its queue, the oldest
///     first; they were ready, so it starts none before its turn by more than those. Nobody pops from
///     `launch_queue_`: the launching thread takes its oldest launch as thieves do.
/// I5  A worker splits a long group of ready points only while its queue is empty: otherwise idle
///     workers find something to steal. The more workers are idle, the smaller the parts. It checks
///     again after each chunk of one or more points, so long work is never withheld. If the first
///     point of a group takes far longer than expected while a worker sleeps, the rest of the group is
///     shared, too. Source: lazy binary splitting, Tzannes et al., PPoPP 2010.
/// I6  What costs more to share than it gains runs on the launching thread, while other workers rest
///     (sharing_policy.hpp). A worker that rests first pushes its ready points to its queue and
///     looks there again after a bounded time, or as soon as another worker finds that sharing pays
///     (`recalls_`, a hint); if it runs a job instead, it wakes another worker. It does not sleep
///     meanwhile, so I1 and I2 are not concerned.
/// I6a While the launching thread runs alone (runtime/alone_switch.hpp), short launches come to no queue: they are in
///     no graph (run_directly), or run before anybody publishes them (run_unpublished, with the right to publish) and
///     are not split. Other workers find nothing and sleep, unless the first point of a group takes far longer
///     than expected (I5). Longer launches are published as ever, which wakes a sleeper, so
///     I1 and I2 hold for them.
/// I7  While lanes are open (lanes.hpp), workers look at their lanes first and do not rest. No worker
///     sleeps while a lane has not run a launch that is published.
class Workers {
  public:
    static constexpr std::uint32_t unpublished_launches_max =
        SharingPolicy::unpublished_launches_max;

    /// `count` workers including the calling thread: starts count - 1 threads. `steal_ns` fixes the
    /// latency of a steal; 0: measured continuously.
    explicit Workers(unsigned count, std::uint64_t steal_ns = 0)
        : Workers(count, Held{}, steal_ns) {}
    /// What the room above has launched and not handed to `ready` yet. `publish` hands it on; any
    /// worker may call it, with the right to publish.
    struct Held {
        void (*publish)(void* context) = nullptr;  // null: nothing is held
        void* context = nullptr;
    };
    /// Whose threads the workers but 0 run on.
    enum class Threads : std::uint8_t {
        own,      // started here; named refrain-1, refrain-2, ...
        callers,  // each calls run_worker: for tests that interleave the workers' loop
    };
    /// `fetch`: asks for the lines of points that run soon (lanes.hpp).
    Workers(unsigned count, Held held, std::uint64_t steal_ns = 0, Threads threads = Threads::own,
            FetchPoints fetch = nullptr);
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;
    Workers(Workers&&) = delete;
    Workers& operator=(Workers&&) = delete;

    [[nodiscard]] unsigned count() const { return static_cast<unsigned>(workers_.size()); }
    /// Whether the calling thread is running points, of this or of another runtime.
    [[nodiscard]] static bool is_running_points() { return runs_points_; }

    /// The right to publish, until the end of the result's life.
    PublishingRight::Scope right_to_publish() { return PublishingRight::Scope(right_); }
    /// The same from begin_launch to end_launch, on the path of every launch. If an exception comes
    /// between, the launching thread keeps the right up to the next launch.
    void begin_launch() { right_.enter(); }
    void end_launch() {
        launches_.add(1);  // here, since a batch is linked once for several launches
        right_.leave();
    }
    /// Whether launches may leave work unpublished at all.
    [[nodiscard]] bool may_hold() const { return unpublished_max_ > 1; }
    /// Takes points that were ready when their node was linked.
    void ready(ReadyPoints points) { unpublished_.push_back(points); }
    /// A node was linked: publishes its ready points, or keeps them for now (I3).
    void launched(const Node& node);
    /// Publishes all unpublished points.
    void flush();
    /// Runs all unpublished points on the launching thread, and what becomes ready by that.
    /// Others publish nothing meanwhile, and do not sleep: for short work, or the only worker.
    void run_unpublished();
    /// Runs points that are in no graph, on the launching thread: `run()` returns those that failed.
    /// Precondition: nothing is in the graph, so other workers search or sleep.
    template <class Run>
    std::uint64_t run_directly(TaskCost& cost, std::uint32_t points, Run&& run);
    /// Whether the points of the node together are known to take less than `SharingLimits::tiny`.
    [[nodiscard]] bool is_tiny(const Node& node) const {
        return is_tiny(*node.cost, node.point_count);
    }
    [[nodiscard]] bool is_tiny(const TaskCost& cost, std::uint32_t points) const {
        return SharingPolicy::is_tiny(cost.ticks() * points, steal_cost_.limits());
    }
    /// Whether a worker sleeps and none searches. With the right to publish it misses no worker that
    /// sleeps (publishing_right.hpp), else it is a hint.
    [[nodiscard]] bool lacks_searchers() const { return sleep_.lacks_searchers(); }

    /// Runs points until `done()` is true, which it may be from the start. Calls `done` between
    /// chunks of points that take at most `SharingLimits::split`, or one point.
    template <class Done>
    void help_until(Done&& done);

    /// Launches in lanes: the launching thread's, between open_lanes and close_lanes. In between, nothing
    /// is published otherwise, and at close_lanes all of them have settled.
    [[nodiscard]] Lanes& lanes() { return lanes_; }
    [[nodiscard]] const Lanes& lanes() const { return lanes_; }
    void open_lanes();
    void close_lanes() { lanes_open_.store(0, std::memory_order_relaxed); }
    void publish_in_lanes(Node& node, const LanePlan& plan, std::size_t record_bytes) {
        begin_launch();
        lanes_.publish(node, plan, record_bytes);
        if (sleep_.has_sleepers()) [[unlikely]]  // as launches that are held: publishing_right.hpp
            sleep_.wake_for([this] { return count() - 1; });
        end_launch();
    }
    /// Runs launches of the launching thread's lane up to number `last`.
    void run_own_lane(std::uint64_t last);
    /// The same of all lanes, those of others if they make no progress for some time. Returns whether
    /// it has run any.
    bool help_lanes();

    /// Runs `job` when a worker is idle, or when a busy one has run 512 more items, outside of lanes.
    void submit(BackgroundJobs::Job job);
    /// Runs one background job if there is one.
    bool run_background_job() { return background_.run_one(); }

    /// Ends the threads once they find no ready point: for fork(), when nothing is pending, or for
    /// good. Then nothing but start_threads() is called, or submit, run_background_job and counters.
    void stop_threads() { stop(); }
    /// Starts them again, in the parent or in the child. With fewer threads than before if the system
    /// has no more.
    void start_threads() noexcept;
    /// The thread of worker i + 1 at i, those that were started; for who gives them places.
    [[nodiscard]] std::span<std::thread> threads() { return threads_; }
    /// Threads::callers: is worker `index` until stop_threads() is called.
    void run_worker(unsigned index) { main(index); }

    [[nodiscard]] WorkerCounters counters(unsigned worker) const;
    [[nodiscard]] const StealCost& steal_cost() const { return steal_cost_; }

  private:
    void main(unsigned index);
    void start_thread(unsigned index);
    inline static thread_local bool runs_points_ = false;
    /// The launching thread runs points, until the end of the object's life.
    class Helping {
      public:
        explicit Helping(Worker& self) : self_(self) {
            self_.set_running(true);
            runs_points_ = true;
        }
        ~Helping() {
            runs_points_ = false;
            self_.set_running(false);
        }
        Helping(const Helping&) = delete;
        Helping& operator=(const Helping&) = delete;
        Helping(Helping&&) = delete;
        Helping& operator=(Helping&&) = delete;

      private:
        Worker& self_;
    };

    [[nodiscard]] auto lane_runner(Worker& worker);
    [[nodiscard]] bool run_lanes(Worker& worker);
    [[nodiscard]] ReadyPoints find_work(Worker& worker);  // I4
    [[nodiscard]] ReadyPoints steal(Worker& thief, WorkQueue& queue, const Worker& owner);
    /// Moves up to `items` of the oldest launches into the thief's queue.
    void take_more(Worker& thief, std::size_t items);  // I2, I4
    void push(Worker& worker, ReadyPoints item);       // I2
    void end_search(Worker& worker);                   // I2
    void idle(Worker& worker);
    void sleep(Worker& worker);
    void back_off(Worker& worker, ReadyPoints& next);  // I6
    /// Ends all rests: work is worth sharing again.
    void recall();
    /// The same if a launch that is now ready outweighs what sharing costs, whatever else is known.
    void recall_for(const Node& ready);
    /// Publishes what launches have not published; false if the launching thread is in a launch.
    [[nodiscard]] bool publish_held();
    [[nodiscard]] bool has_work() const;
    void stop();
    /// Runs a chunk of the item. Returns the item to run next: the rest of this one, else one that
    /// became ready; pushes all others.
    [[nodiscard]] ReadyPoints step(Worker& worker, ReadyPoints item);
    [[nodiscard]] Ran run_group(Worker& worker, Bundle& bundle, std::uint32_t points);  // I5
    [[nodiscard]] Ran run_several(Worker& worker, Bundle& bundle, std::uint32_t points);
    /// Pushes halves of the points while they take long; returns what is left.
    [[nodiscard]] std::uint32_t split_and_push(Worker& worker, Bundle& bundle, std::uint32_t points,
                                               const SharingLimits& limits);

    // Read by all workers, rarely written.
    std::vector<std::unique_ptr<Worker>> workers_;
    std::uint64_t spin_ticks_;
    StealCost steal_cost_;
    const bool measures_steals_;
    const Held held_;
    Lanes lanes_;
    base::Atomic<std::uint32_t> lanes_open_{0};  // a hint
    const std::uint32_t unpublished_max_;  // launches, of I3; 1 where no worker could publish them
    base::Atomic<std::uint32_t> stopping_{0};
    BackgroundJobs background_;

    PublishingRight right_;
    // Written with every launch, with the right to publish.
    alignas(64) std::vector<ReadyPoints> unpublished_;  // I3
    SharingPolicy publishing_;
    OwnedCounter launches_;
    WorkQueue launch_queue_;  // I4; who has the right to publish pushes

    // Written when a worker begins or ends a rest, or ends those of all; relaxed: hints.
    alignas(64) base::Atomic<std::uint32_t> recalls_{0};
    base::Atomic<std::uint32_t> resting_{0};

    Sleep sleep_;
    std::vector<std::thread> threads_;
};

template <class Run>
inline std::uint64_t Workers::run_directly(TaskCost& cost, std::uint32_t points, Run&& run) {
    Worker& self = *workers_[0];
    const Helping helping(self);
    const bool measures = self.policy.measures() || !cost.estimate().is_settled();
    const std::uint64_t begin = measures ? base::ticks() : 0;
    const std::uint64_t failed = run();
    self.points.add(points);
    self.groups.add(1);
    if (measures) [[unlikely]] {
        self.policy.measured();
        cost.measured((base::ticks() - begin) / points);
    }
    return failed;
}

template <class Done>
void Workers::help_until(Done&& done) {
    {
        const auto right = right_to_publish();
        flush();
        publishing_.helps();
    }
    Worker& self = *workers_[0];
    const Helping helping(self);
    self.found_work();  // time outside of here was not idle
    self.clock = base::ticks();
    self.steal_latency.assume(steal_cost_.ticks());
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
    if (next) push(self, next);
}

}  // namespace refrain::graph
