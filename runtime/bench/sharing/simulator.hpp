#pragma once

/// Runs a program of launches on workers in virtual time: what workers.cpp does, with the same
/// policy, on a machine that is described by a few costs. Discrete events; deterministic.
///
/// What a cache line costs is what it costs on machines: a steal passes several lines and
/// occupies the queue's line for the others; a launch that runs elsewhere fetches its operation,
/// arguments and bundle, and the launching thread fetches what comes back when it links the next
/// launch and when it uses the record again; a push is a miss while somebody searches. A wake costs
/// the caller a system call, and the sleeper sleeps on for a while.

#include "graph/cost_estimate.hpp"
#include "graph/steal_cost.hpp"

#include <algorithm>
#include <deque>
#include <queue>
#include <span>

#include "sharing/scenario.hpp"

namespace sharing {

/// In ns, or in lines that cross.
struct Costs {
    Ns launch = 60;
    Ns item = 20;  // to take, run and finish a group of points, without its lines
    Ns push = 5;
    Ns pause = 23;
    Ns wake = 3'000;          // for the caller
    Ns awake_after = 20'000;  // for the sleeper
    Ns search = 50'000;       // before a worker sleeps
    Ns poll = 20'000;         // of the launching thread, when it has searched for as long
    Ns steal_lines = 1;
    Ns lines_out = 3;   // of a launch that runs away from its record
    Ns lines_back = 1;  // for the next launch that links to it, and at reuse
    std::uint64_t window = 1024;
};

struct Outcome {
    Ns ns = 0;
    std::uint64_t steals = 0;
    std::uint64_t waits = 0;
    Ns steal_estimate = 0;
    std::vector<std::uint64_t> points;  // per worker
};

template <class Policy>
class Simulator {
  public:
    Simulator(const Scenario& scenario, const typename Policy::Settings& settings,
              const Costs& costs = {})
        : machine_(scenario.machine), costs_(costs), program_(scenario.launches) {
        std::uint32_t kinds = 0;
        for (const Launch& launch : program_) kinds = std::max(kinds, launch.kind + 1);
        estimates_.resize(kinds);
        state_.resize(program_.size());
        queues_.resize(machine_.workers + 1);
        for (unsigned w = 0; w < machine_.workers; ++w) workers_.emplace_back(settings, w);
        outcome_.points.resize(machine_.workers);
    }

    [[nodiscard]] Outcome run() {
        for (unsigned w = 0; w < machine_.workers; ++w)
            if (w == 0 || workers_[w].policy.participates()) schedule(w, 0);
        while (!is_over_) {
            const Event event = events_.top();
            events_.pop();
            if (event.generation != workers_[event.worker].generation) continue;
            now_ = event.at;
            if (event.worker == 0)
                turn_of_launcher();
            else
                turn_of_worker(event.worker);
        }
        outcome_.ns = now_;
        outcome_.steal_estimate = steal_;
        return outcome_;
    }

  private:
    struct Event {
        Ns at;
        unsigned worker;
        std::uint64_t generation;
        friend bool operator>(const Event& a, const Event& b) {
            return a.at != b.at ? a.at > b.at : a.worker > b.worker;
        }
    };
    struct Item {
        std::uint64_t launch = 0;
        std::uint32_t points = 0;  // 0: none
    };
    struct Queue {
        std::deque<Item> items;
        std::uint64_t taken = 0;
        unsigned holder = 0;        // the thief that has the line of what was taken
        Ns held_until = 0;          // it is on its way to that
        bool is_disturbed = false;  // a thief has its lines: the owner's next access misses
    };
    struct LaunchState {
        std::uint32_t unfinished = 0;
        unsigned home = 0;  // who has its record
        bool is_launched = false;
        std::vector<std::uint64_t> successors;
    };
    enum class Phase { seeking, approaching, stealing, running, resting, sleeping };
    struct Worker {
        Worker(const typename Policy::Settings& settings, unsigned w) : policy(settings, w) {}
        Policy policy;
        typename Policy::Latency latency{Policy::steal_assumed};
        Phase phase = Phase::seeking;
        std::uint64_t generation = 0;
        Item running;  // points of it that end at the next turn
        Item next;     // to run afterwards
        bool is_measuring = false;
        std::uint64_t seen_taken = 0;
        std::uint64_t seen_items = 0;
        bool is_probing = false;  // the first point of a group that may be a surprise
        unsigned victim = 0;      // while stealing
        unsigned looked_at = 0;   // queues of others, since it last paused
        bool is_searching = false;
        Ns idle_since = 0;
        bool is_idle = false;
        std::uint64_t groups = 0;
    };

    void schedule(unsigned w, Ns delay) {
        events_.push({now_ + delay, w, ++workers_[w].generation});
    }
    [[nodiscard]] auto limits() const { return workers_[0].policy.limits_of(steal_); }
    [[nodiscard]] auto limits_of(unsigned w) const {
        return workers_[w].policy.limits_of(w == 0 ? steal_ : workers_[w].latency.ticks());
    }
    [[nodiscard]] Ns estimate(std::uint64_t launch) const {
        return estimates_[program_[launch].kind].ticks();
    }
    [[nodiscard]] Ns launch_estimate(std::uint64_t launch) const {
        return estimate(launch) * program_[launch].points;
    }
    [[nodiscard]] Queue& launch_queue() { return queues_[machine_.workers]; }
    [[nodiscard]] static unsigned owner_of(unsigned queue, unsigned workers) {
        return queue == workers ? 0 : queue;
    }
    [[nodiscard]] bool is_done(std::uint64_t launch) const {
        return state_[launch].is_launched && state_[launch].unfinished == 0;
    }

    // ------------------------------------------------------------------ queues, sleep
    /// What it costs its thread to push the items at once: the line of the queue crosses once.
    Ns push_several(unsigned queue, std::span<const Item> items) {
        if (items.empty()) return 0;
        Queue& q = queues_[queue];
        const unsigned owner = owner_of(queue, machine_.workers);
        if (q.items.empty()) ++nonempty_;
        q.items.insert(q.items.end(), items.begin(), items.end());
        Ns cost = costs_.push * items.size();
        if (q.is_disturbed || searching_ > (workers_[owner].is_searching ? 1U : 0U))
            cost += machine_.distance(owner, owner + 1 < machine_.workers ? owner + 1 : 0);
        q.is_disturbed = false;
        return cost;
    }
    Ns push(unsigned queue, Item item) { return push_several(queue, std::span(&item, 1)); }
    /// Workers::push: the points have become ready, or the launching thread leaves them.
    Ns push_ready(unsigned w, Item item) {
        const Ns cost = push(w, item);
        recall_for(item.launch);
        return cost + wake_for(queues_[w].items.size());
    }
    [[nodiscard]] Item take(Queue& q, bool newest) {
        const Item item = newest ? q.items.back() : q.items.front();
        if (newest)
            q.items.pop_back();
        else
            q.items.pop_front(), ++q.taken;
        if (q.items.empty()) --nonempty_;
        return item;
    }
    /// Workers that search, without the launching thread; a worker that is being woken is one.
    [[nodiscard]] unsigned searchers() const {
        return searching_ - (workers_[0].is_searching ? 1U : 0U);
    }
    /// What the wake costs its caller. Wakes nobody while as many workers search as there are items.
    Ns wake_for(std::uint64_t items) {
        if (asleep_.empty() || items <= searchers()) return 0;
        const unsigned w = asleep_.back();
        asleep_.pop_back();
        workers_[w].phase = Phase::seeking;
        workers_[w].is_idle = false;
        set_searching(w, true);
        schedule(w, costs_.awake_after);
        return costs_.wake;
    }
    [[nodiscard]] std::uint32_t idle() const {
        return searchers() + static_cast<std::uint32_t>(asleep_.size());
    }
    void set_searching(unsigned w, bool value) {
        if (workers_[w].is_searching == value) return;
        workers_[w].is_searching = value;
        searching_ += value ? 1 : -1U;
    }
    void found_work(unsigned w) {
        workers_[w].policy.found_work();
        workers_[w].is_idle = false;
        set_searching(w, false);
    }

    // ------------------------------------------------------------------ the launching thread
    void turn_of_launcher() {
        Worker& self = workers_[0];
        if (!is_helping_) return go_on_launching();
        switch (self.phase) {
            case Phase::running: {
                const Ns cost = finish(0);
                if (is_helped_enough()) return stop_helping(cost);
                schedule_next(0, cost);
                return;
            }
            case Phase::approaching:
                return begin_steal(0);
            case Phase::stealing:
                return end_steal(0);
            default:
                if (is_helped_enough()) return stop_helping(0);
                return seek(0);
        }
    }
    [[nodiscard]] bool is_helped_enough() {
        while (oldest_ < next_launch_ && is_done(oldest_)) ++oldest_;
        return help_target_ == all ? oldest_ == next_launch_
                                   : next_launch_ - oldest_ <= help_target_;
    }
    void help(std::uint64_t target) {
        is_helping_ = true;
        help_target_ = target;
        workers_[0].policy.helps();
        workers_[0].phase = Phase::seeking;
        workers_[0].is_idle = false;
        schedule(0, flush());
    }
    void stop_helping(Ns cost) {
        Worker& self = workers_[0];
        is_helping_ = false;
        set_searching(0, false);
        if (self.next.points != 0) cost += push_ready(0, std::exchange(self.next, {}));
        self.phase = Phase::seeking;
        if (next_launch_ == program_.size() && oldest_ == next_launch_)
            is_over_ = true;
        else
            schedule(0, cost);
    }
    void go_on_launching() {
        if (next_launch_ == program_.size()) return help(all);
        const Launch& launch = program_[next_launch_];
        if (launch.waits && !has_waited_) {
            has_waited_ = true;
            return help(all);
        }
        if (launch.away_ns != 0 && !was_away_) {
            was_away_ = true;
            return schedule(0, launch.away_ns);
        }
        while (oldest_ < next_launch_ && is_done(oldest_)) ++oldest_;
        if (next_launch_ - oldest_ >= costs_.window) return help(costs_.window / 2);
        was_away_ = has_waited_ = false;
        schedule(0, issue(next_launch_++));
    }
    Ns issue(std::uint64_t launch) {
        LaunchState& state = state_[launch];
        Ns cost = costs_.launch;
        if (launch >= costs_.window)
            cost += costs_.lines_back * machine_.distance(0, state_[launch - costs_.window].home);
        state.is_launched = true;
        state.unfinished = program_[launch].points;
        ++launches_;
        bool is_ready = true;
        if (const std::int64_t after = program_[launch].after; after >= 0) {
            LaunchState& source = state_[static_cast<std::size_t>(after)];
            if (source.unfinished != 0) {
                cost += costs_.lines_back * machine_.distance(0, source.home);
                source.successors.push_back(launch);
                is_ready = false;
            }
        }
        if (is_ready) held_.push_back(launch);
        if (held_.empty()) return cost;
        const bool lacks_searchers = !asleep_.empty() && searchers() == 0;
        if (workers_[0].policy.publishes(launch_estimate(launch), lacks_searchers, limits()))
            cost += flush();
        recall_for(launch);
        return cost;
    }
    Ns flush() {
        workers_[0].policy.published();
        if (held_.empty()) return 0;
        std::vector<Item> items;
        for (const std::uint64_t launch : held_)
            for (std::uint32_t left = program_[launch].points; left != 0;) {
                const std::uint32_t bundle = std::min(left, 8U);
                items.push_back({launch, bundle});
                left -= bundle;
            }
        held_.clear();
        const Ns cost = push_several(machine_.workers, items);
        return cost + wake_for(launch_queue().items.size());
    }

    // ------------------------------------------------------------------ workers
    void turn_of_worker(unsigned w) {
        switch (workers_[w].phase) {
            case Phase::running:
                return after_item(w, finish(w));
            case Phase::approaching:
                return begin_steal(w);
            case Phase::stealing:
                return end_steal(w);
            case Phase::resting:
                std::erase(resters_, w);
                return seek(w);
            default:
                return seek(w);
        }
    }
    void after_item(unsigned w, Ns cost) {
        if (!rests(w, cost)) schedule_next(w, cost);
    }
    [[nodiscard]] bool rests(unsigned w, Ns cost) {
        Worker& self = workers_[w];
        if (w == 0 || !self.policy.backing_off()) return false;
        const bool was_resting = self.policy.is_resting();
        const Ns wait = self.policy.next_wait(now_, {launches_ + workers_[0].groups, is_helping_},
                                              resters_.size(), limits_of(w));
        if (wait == 0) {
            if (was_resting) recall();
            return false;
        }
        set_searching(w, false);
        if (self.next.points != 0) cost += push(w, std::exchange(self.next, {}));
        ++outcome_.waits;
        self.phase = Phase::resting;
        schedule(w, cost + wait);
        resters_.push_back(w);
        return true;
    }
    /// Work is worth sharing again: nobody rests any longer.
    [[nodiscard]] bool has_idle_workers() const {
        return searching_ != 0 || !asleep_.empty() || !resters_.empty();
    }
    void recall() {
        for (const unsigned w : resters_) schedule(w, machine_.across);
    }
    /// A launch is ready that is shared whatever else is known. Parts of one that were ready before,
    /// and what resting workers leave, recall nobody.
    void recall_for(std::uint64_t launch) {
        if (!resters_.empty() && Policy::recalls(launch_estimate(launch), limits())) recall();
    }
    void schedule_next(unsigned w, Ns cost) {
        workers_[w].phase = Phase::seeking;
        schedule(w, cost);
    }
    void seek(unsigned w) {
        Worker& self = workers_[w];

        if (self.next.points != 0) return start(w, std::exchange(self.next, {}), 0);
        Queue& own = queues_[w];
        if (!own.items.empty()) {
            if (self.policy.is_resting()) self.policy.nobody_took_it();
            const Ns cost =
                costs_.push + (std::exchange(own.is_disturbed, false) ? machine_.within : 0);
            return start(w, take(own, true), cost);
        }
        if (w == 0 && !launch_queue().items.empty()) {
            const Ns cost =
                costs_.push +
                (std::exchange(launch_queue().is_disturbed, false) ? machine_.within : 0);
            return start(0, take(launch_queue(), false), cost);
        }
        look_at_others(w, 0);
    }
    [[nodiscard]] bool runs(unsigned w) const {
        return w == 0 ? is_helping_ : workers_[w].phase != Phase::resting;
    }
    /// The queues of others from the i-th on, launches first. A worker that misses goes on to the next
    /// queue, and pauses when it has looked at all.
    void look_at_others(unsigned w, unsigned i) {
        Worker& self = workers_[w];
        if (nonempty_ != 0)
            for (; i < machine_.workers; ++i) {
                const unsigned queue = i == 0 ? machine_.workers : (w + i) % machine_.workers;
                if (queues_[queue].items.empty()) continue;
                self.victim = queue;
                self.looked_at = i + 1;
                self.phase = Phase::approaching;
                const bool owner_runs = runs(owner_of(queue, machine_.workers));
                return schedule(w,
                                owner_runs ? costs_.pause * self.policy.pauses_before_steal() : 0);
            }
        if (w == 0 || !self.policy.backing_off()) return idle(w);
        if (!rests(w, 0)) schedule_next(w, 0);
    }

    /// Reads the queue's indices now; takes its oldest item if nobody has taken one until the
    /// lines have crossed.
    void begin_steal(unsigned w) {
        Worker& self = workers_[w];
        Queue& q = queues_[self.victim];
        if (q.items.empty()) return look_at_others(w, self.looked_at);
        q.is_disturbed = true;
        self.seen_taken = q.taken;
        self.seen_items = q.items.size();
        self.phase = Phase::stealing;
        schedule(w, steal_ns(w, self.victim));
    }
    [[nodiscard]] Ns steal_ns(unsigned thief, unsigned queue) const {
        return costs_.steal_lines * machine_.distance(thief, owner_of(queue, machine_.workers)) +
               15;
    }
    /// The exchange that ends it, in vain or not, needs the line alone: those of many thieves come one
    /// after the other.
    void end_steal(unsigned w) {
        Worker& self = workers_[w];
        Queue& q = queues_[self.victim];
        if (now_ < q.held_until) return schedule(w, q.held_until - now_);
        q.held_until = now_ + machine_.distance(std::exchange(q.holder, w), w);
        self.phase = Phase::seeking;
        q.is_disturbed = true;
        if (q.taken != self.seen_taken || q.items.empty()) {  // another was faster
            self.policy.missed(limits_of(w));
            return look_at_others(w, self.looked_at);
        }
        const Item item = take(q, false);
        if (self.latency.add(steal_ns(w, self.victim))) revise_steal(self.latency.ticks());
        ++outcome_.steals;
        const bool is_launch = self.victim == machine_.workers;
        Ns cost = is_launch ? take_more(w, item.launch) : 0;
        self.policy.stole(launch_estimate(item.launch), q.items.size(),
                          idle() - (w != 0 && self.is_searching ? 1U : 0U),
                          !is_launch && runs(self.victim), limits_of(w));
        const bool was_searching = w != 0 && self.is_searching;
        set_searching(w, false);
        const std::uint64_t left = std::max(q.items.size(), queues_[w].items.size());
        if (was_searching)
            cost += wake_for(std::max<std::uint64_t>(left, 1));  // the last searcher wakes another
        else if (left != 0)
            cost += wake_for(left);
        start(w, item, cost);
    }
    /// What the launching thread knows: StealCost::revise.
    void revise_steal(Ns estimate) {
        if (std::max(steal_, estimate) - std::min(steal_, estimate) > steal_ / 4) steal_ = estimate;
    }
    /// Several launches of a steal: the others go to the thief's queue.
    [[nodiscard]] Ns take_more(unsigned w, std::uint64_t launch) {
        Worker& self = workers_[w];
        std::vector<Item> more;
        for (auto left = self.policy.steals(self.seen_items, launch_estimate(launch),
                                            machine_.workers, limits_of(w));
             left > 1; --left)
            more.push_back(take(launch_queue(), false));
        std::ranges::reverse(more);
        return push_several(w, more);
    }
    void idle(unsigned w) {
        Worker& self = workers_[w];
        self.phase = Phase::seeking;
        if (!self.is_idle) self.idle_since = now_;
        self.is_idle = true;
        set_searching(w, true);
        if (now_ - self.idle_since < costs_.search)
            return schedule(w, costs_.pause * self.policy.next_search_pauses() + machine_.workers);
        if (w == 0) return schedule(0, costs_.poll);
        set_searching(w, false);
        if (!is_helping_ && !held_.empty()) {  // it publishes what launches have left
            (void)flush();
            self.is_idle = false;
            return schedule(w, machine_.within);
        }
        self.phase = Phase::sleeping;
        asleep_.push_back(w);
    }

    // ------------------------------------------------------------------ items
    [[nodiscard]] bool is_whole(Item item) const {
        return item.points == std::min(program_[item.launch].points, 8U);
    }
    void start(unsigned w, Item item, Ns cost) {
        Worker& self = workers_[w];
        found_work(w);
        const Ns known = estimate(item.launch);
        if (w != 0 && self.policy.before_item(known * item.points, limits_of(w))) recall();
        if (machine_.workers > 1 && queues_[w].items.empty()) {
            const std::uint32_t share = self.policy.share_of(item.points, idle());
            while (self.policy.is_long(item.points, known, item.points > share || is_whole(item),
                                       limits_of(w))) {
                const std::uint32_t upper = item.points / 2;
                cost += push(w, {item.launch, upper});
                item.points -= upper;
            }
            if (!queues_[w].items.empty()) cost += wake_for(queues_[w].items.size());
        }
        std::uint32_t chunk = item.points;
        if (self.policy.is_long(item.points, known, is_whole(item), limits_of(w)))
            chunk = known == 0 ? 1
                               : std::clamp(static_cast<std::uint32_t>(limits_of(w).split / known),
                                            1U, item.points);
        // Measured, and stopped after the first point if that took far longer than expected.
        const auto& estimate = estimates_[program_[item.launch].kind];
        const Ns real = program_[item.launch].point_ns;
        const bool measures = self.policy.measures() || !estimate.is_settled();
        const bool may_surprise =
            chunk > 1 && real > refrain::graph::CostEstimate::surprise_factor * estimate.ticks() &&
            real * (chunk - 1) > limits_of(w).split;
        self.is_measuring = measures;
        self.is_probing = may_surprise;
        if (measures) self.policy.measured();
        LaunchState& state = state_[item.launch];
        cost += costs_.item + costs_.lines_out * machine_.distance(w, state.home);
        if (const std::int64_t after = program_[item.launch].after; after >= 0)
            cost += machine_.distance(w, state_[static_cast<std::size_t>(after)].home);
        state.home = w;
        if (may_surprise) chunk = 1;
        self.running = {item.launch, chunk};
        self.next = {item.launch, item.points - chunk};
        self.phase = Phase::running;
        schedule(w, cost + chunk * real);
    }
    /// The points have run. Returns what else it costs.
    Ns finish(unsigned w) {
        Worker& self = workers_[w];
        LaunchState& state = state_[self.running.launch];
        outcome_.points[w] += self.running.points;
        ++self.groups;
        state.unfinished -= self.running.points;
        auto& estimate = estimates_[program_[self.running.launch].kind];
        if (self.is_measuring || (self.is_probing && has_idle_workers()))
            estimate = estimate.after(program_[self.running.launch].point_ns);
        if (state.unfinished != 0) return 0;
        state.home = w;
        Ns cost = 0;
        for (const std::uint64_t successor : state.successors) {
            cost += machine_.distance(w, state_[successor].home);
            for (std::uint32_t left = program_[successor].points; left != 0;) {
                const std::uint32_t bundle = std::min(left, 8U);
                left -= bundle;
                if (self.next.points == 0)
                    self.next = {successor, bundle};
                else
                    cost += push_ready(w, {successor, bundle});
            }
        }
        state.successors = {};
        return cost;
    }

    static constexpr std::uint64_t all = ~std::uint64_t{0};
    const Machine machine_;
    const Costs costs_;
    const std::vector<Launch>& program_;
    std::vector<refrain::graph::CostEstimate> estimates_;  // by kind
    std::vector<LaunchState> state_;                       // by launch
    std::vector<Queue> queues_;                            // by worker; the last is of launches
    std::vector<Worker> workers_;
    std::vector<std::uint64_t> held_;  // launched and ready, not published
    std::vector<unsigned> asleep_;
    std::vector<unsigned> resters_;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
    Ns now_ = 0;
    Ns steal_ = Policy::steal_assumed;
    unsigned searching_ = 0;
    unsigned nonempty_ = 0;

    std::uint64_t next_launch_ = 0;
    std::uint64_t oldest_ = 0;
    std::uint64_t launches_ = 0;
    std::uint64_t help_target_ = all;
    bool is_helping_ = false;
    bool was_away_ = false;
    bool has_waited_ = false;
    bool is_over_ = false;
    Outcome outcome_;
};

}  // namespace sharing
