#include "sharing/affinity.hpp"

#include "graph/sharing_policy.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <deque>
#include <string>
#include <utility>

namespace sharing {
namespace {

using Limits = refrain::graph::SharingLimits;

/// What a step takes beside its lines, in ns.
constexpr Ns launch_ns = 60;
constexpr Ns item_ns = 20;
constexpr Ns search_ns = 30;
constexpr std::uint32_t bundle_points = 8;

struct Line {
    unsigned writer = 0;
    std::uint32_t copies = 1;  // a bit per core that has it
};

/// Counts the lines that cross, and says how long each takes.
class Lines {
  public:
    explicit Lines(const Machine& machine) : machine_(machine) {}
    Ns read(Line& line, unsigned core) {
        if ((line.copies >> core & 1) != 0) return 0;
        line.copies |= 1U << core;
        ++crossed_;
        return machine_.distance(core, line.writer);
    }
    Ns write(Line& line, unsigned core) {
        const std::uint32_t others = line.copies & ~(1U << core);
        const bool has_it = (line.copies >> core & 1) != 0;
        Ns ns = has_it ? 0 : machine_.distance(core, line.writer);
        for (std::uint32_t left = others; left != 0; left &= left - 1)
            ns = std::max(ns,
                          machine_.distance(core, static_cast<unsigned>(std::countr_zero(left))));
        if (others != 0 || !has_it) ++crossed_;
        line = {core, 1U << core};
        return ns;
    }
    [[nodiscard]] std::uint64_t crossed() const { return crossed_; }

  private:
    Machine machine_;
    std::uint64_t crossed_ = 0;
};

/// Points of one bundle of a launch.
struct Group {
    std::uint64_t launch = 0;
    std::uint32_t bundle = 0;
    std::uint32_t points = 0;  // a bit each; 0: none

    explicit operator bool() const { return points != 0; }
};

struct Bundle {
    Line line;                         // counts, done points, edges
    std::uint32_t first = 0;           // point
    std::uint32_t count = 0;           // points
    std::uint32_t ready = 0;           // may run and are not taken: a bit each
    std::vector<std::uint32_t> waits;  // per point: sources that have not finished
};

struct Record {
    Line operation, arguments;
    Line whole;  // for edges from all points to all
    std::vector<Bundle> bundles;
    std::uint32_t unfinished = 0;
    std::vector<bool> done;
};

class LoopSimulator {
  public:
    LoopSimulator(const Loop& loop, Handing handing)
        : loop_(loop),
          handing_(handing),
          lines_(loop.machine),
          limits_(Limits::of(loop.machine.distance(0, loop.machine.workers > 1 ? 1 : 0) + 15)),
          points_(loop.points_per_worker * loop.machine.workers),
          per_bundle_(handing == Handing::mailbox ? loop.points_per_worker : bundle_points),
          records_(loop.window),
          data_{std::vector<Line>(points_), std::vector<Line>(points_)},
          ran_by_(points_, 0),
          workers_(loop.machine.workers),
          queues_(loop.machine.workers + 1) {}

    [[nodiscard]] LoopOutcome run() {
        while (oldest_ < loop_.iterations) {
            unsigned next = 0;
            for (unsigned w = 1; w < workers_.size(); ++w)
                if (workers_[w].now < workers_[next].now) next = w;
            act(next);
        }
        Ns end = 0;
        for (const Worker& worker : workers_) end = std::max(end, worker.now);
        const auto tasks = static_cast<double>(outcome_.points);
        outcome_.lines_per_task = static_cast<double>(lines_.crossed()) / tasks;
        outcome_.body_share = tasks * static_cast<double>(loop_.body_ns) /
                              (static_cast<double>(end) * loop_.machine.workers);
        return outcome_;
    }

  private:
    struct Worker {
        Ns now = 0;
        Group running;         // ends now
        Group next;            // to run afterwards
        std::uint64_t at = 0;  // mailbox: the oldest launch of which it has points to run
        Ns idle_since = 0;
        bool is_idle = false;
    };
    struct Queue {
        Line line;
        std::deque<Group> groups;
    };

    [[nodiscard]] Record& record(std::uint64_t launch) { return records_[launch % loop_.window]; }
    [[nodiscard]] Queue& launch_queue() { return queues_.back(); }
    [[nodiscard]] std::uint32_t bundle_of(std::uint32_t point) const { return point / per_bundle_; }

    void act(unsigned w) {
        Worker& self = workers_[w];
        if (self.running.points != 0) self.now += finish(w, std::exchange(self.running, {}));
        if (w == 0 && self.next.points == 0 && may_launch()) {
            self.now += launch();
            return;
        }
        Group group = std::exchange(self.next, {});
        if (group.points == 0) group = handing_ == Handing::shared ? find_shared(w) : find_own(w);
        if (group.points != 0) {
            self.is_idle = false;
            start(w, group);
            return;
        }
        if (!self.is_idle) self.idle_since = self.now;
        self.is_idle = true;
        self.now += search_ns;
    }

    // ------------------------------------------------------------------ launches
    [[nodiscard]] bool may_launch() {
        if (launched_ == loop_.iterations) return false;
        if (launched_ - oldest_ >= loop_.window) is_helping_ = true;
        if (launched_ - oldest_ <= loop_.window / 2) is_helping_ = false;
        return !is_helping_;
    }
    Ns launch() {
        const std::uint64_t number = launched_;
        Record& target = record(number);
        Ns ns = launch_ns + lines_.write(target.operation, 0) + lines_.write(target.arguments, 0);
        prepare(target);
        Record* const source = number == oldest_ ? nullptr : &record(number - 1);
        for (Bundle& bundle : target.bundles) {
            ns += lines_.write(bundle.line, 0);
            for (std::uint32_t i = 0; i < bundle.count; ++i) {
                bundle.waits[i] = sources_left(source, number, bundle.first + i);
                if (bundle.waits[i] == 0) bundle.ready |= 1U << i;
            }
        }
        if (source != nullptr && loop_.pattern == Pattern::all_to_all)
            ns += lines_.write(source->whole, 0);
        else if (source != nullptr && loop_.pattern != Pattern::none)
            for (Bundle& bundle : source->bundles) ns += lines_.write(bundle.line, 0);
        ++launched_;
        if (handing_ == Handing::mailbox) return ns + lines_.write(counter_, 0);
        for (std::uint32_t b = 0; b < target.bundles.size(); ++b) {
            Bundle& bundle = target.bundles[b];
            if (bundle.ready == 0) continue;
            ns += lines_.write(launch_queue().line, 0);
            launch_queue().groups.push_back({number, b, std::exchange(bundle.ready, 0)});
        }
        return ns;
    }
    /// A record that was used before keeps its lines.
    void prepare(Record& target) {
        target.bundles.resize((points_ + per_bundle_ - 1) / per_bundle_);
        for (std::uint32_t b = 0; b < target.bundles.size(); ++b) {
            Bundle& bundle = target.bundles[b];
            bundle.first = b * per_bundle_;
            bundle.count = std::min(per_bundle_, points_ - bundle.first);
            bundle.ready = 0;
            bundle.waits.assign(bundle.count, 0);
        }
        target.unfinished = points_;
        target.done.assign(points_, false);
    }
    [[nodiscard]] std::uint32_t sources_left(const Record* source, std::uint64_t number,
                                             std::uint32_t point) const {
        if (source == nullptr) return 0;
        if (loop_.pattern == Pattern::all_to_all) return source->unfinished != 0 ? 1 : 0;
        std::uint32_t left = 0;
        for (const std::uint32_t p : sources_of(loop_.pattern, number, point, points_))
            left += source->done[p] ? 0 : 1;
        return left;
    }

    // ------------------------------------------------------------------ what to run
    Group find_shared(unsigned w) {
        Worker& self = workers_[w];
        Queue& own = queues_[w];
        if (!own.groups.empty()) {
            self.now += lines_.write(own.line, w);
            const Group newest = own.groups.back();
            own.groups.pop_back();
            return newest;
        }
        if (w == 0 && !launch_queue().groups.empty()) return take_oldest(0, launch_queue());
        for (unsigned i = 1; i < workers_.size(); ++i) {
            Queue& victim = queues_[(w + i) % workers_.size()];
            self.now += lines_.read(victim.line, w);
            if (!victim.groups.empty()) return take_oldest(w, victim);
        }
        self.now += lines_.read(launch_queue().line, w);
        return launch_queue().groups.empty() ? Group{} : take_oldest(w, launch_queue());
    }
    Group take_oldest(unsigned w, Queue& queue) {
        workers_[w].now += lines_.write(queue.line, w);
        const Group oldest = queue.groups.front();
        queue.groups.pop_front();
        return oldest;
    }
    /// Its own points of the oldest launches, else, after it has idled for a while, somebody's.
    Group find_own(unsigned w) {
        Worker& self = workers_[w];
        self.now += lines_.read(counter_, w);
        self.at = std::max(self.at, oldest_);
        while (self.at < launched_ && is_finished_by(w, self.at)) ++self.at;
        if (const Group group = take_ready(w, w, self.at)) return group;
        if (!self.is_idle || self.now - self.idle_since < limits_.worth) return {};
        for (unsigned i = 1; i < workers_.size(); ++i) {
            const auto victim = static_cast<unsigned>((w + i) % workers_.size());
            if (const Group group = take_ready(w, victim, oldest_)) return group;
        }
        return {};
    }
    [[nodiscard]] bool is_finished_by(unsigned w, std::uint64_t launch) {
        const Bundle& bundle = record(launch).bundles[w];
        for (std::uint32_t i = 0; i < bundle.count; ++i)
            if (!record(launch).done[bundle.first + i]) return false;
        return true;
    }
    Group take_ready(unsigned w, unsigned owner, std::uint64_t from) {
        const std::uint64_t end = std::min<std::uint64_t>(launched_, from + 3);
        for (std::uint64_t launch = from; launch < end; ++launch) {
            Bundle& bundle = record(launch).bundles[owner];
            workers_[w].now += lines_.read(bundle.line, w);
            std::uint32_t take = bundle.ready;
            if (take == 0) continue;
            if (w != owner)  // half of them
                for (int left = std::popcount(take) / 2; left > 0; --left) take &= take - 1;
            workers_[w].now += lines_.write(bundle.line, w);
            bundle.ready &= ~take;
            return {launch, owner, take};
        }
        return {};
    }

    // ------------------------------------------------------------------ points
    void start(unsigned w, Group group) {
        Worker& self = workers_[w];
        Record& r = record(group.launch);
        Bundle& bundle = r.bundles[group.bundle];
        if (handing_ == Handing::shared) group.points = split(w, group);
        std::uint32_t chunk = first_chunk(group);
        self.next = {group.launch, group.bundle, group.points & ~chunk};
        self.now += item_ns + lines_.read(r.operation, w) + lines_.read(r.arguments, w) +
                    lines_.read(bundle.line, w);
        self.running = {group.launch, group.bundle, chunk};
        for (; chunk != 0; chunk &= chunk - 1) {
            const std::uint32_t point =
                bundle.first + static_cast<std::uint32_t>(std::countr_zero(chunk));
            if (group.launch != 0)
                for (const std::uint32_t p :
                     sources_of(loop_.pattern, group.launch, point, points_))
                    self.now += lines_.read(data_[(group.launch + 1) % 2][p], w);
            self.now += lines_.write(data_[group.launch % 2][point], w) + loop_.body_ns;
            if (std::exchange(ran_by_[point], w) != w) ++outcome_.moved;
            ++outcome_.points;
        }
    }
    [[nodiscard]] bool is_long(std::uint32_t points, bool is_whole) const {
        return policy_.is_long(static_cast<std::uint32_t>(std::popcount(points)), loop_.body_ns,
                               is_whole, limits_);
    }
    [[nodiscard]] bool is_whole(const Group& group) const {
        const std::uint32_t first = group.bundle * per_bundle_;
        return static_cast<std::uint32_t>(std::popcount(group.points)) ==
               std::min(per_bundle_, points_ - first);
    }
    std::uint32_t split(unsigned w, Group group) {
        Queue& own = queues_[w];
        if (workers_.size() == 1 || !own.groups.empty()) return group.points;
        while (is_long(group.points, is_whole(group))) {
            std::uint32_t upper = group.points;
            for (int drop = (std::popcount(upper) + 1) / 2; drop > 0; --drop) upper &= upper - 1;
            workers_[w].now += lines_.write(own.line, w);
            own.groups.push_back({group.launch, group.bundle, upper});
            group.points &= ~upper;
        }
        return group.points;
    }
    /// As many points as run before their successors are told.
    [[nodiscard]] std::uint32_t first_chunk(const Group& group) const {
        if (!is_long(group.points, is_whole(group))) return group.points;
        const Ns most = std::max<Ns>(1, limits_.split / loop_.body_ns);
        std::uint32_t rest = group.points;
        for (Ns i = 0; i < most && rest != 0; ++i) rest &= rest - 1;
        return group.points & ~rest;
    }
    Ns finish(unsigned w, const Group& group) {
        Record& r = record(group.launch);
        Bundle& bundle = r.bundles[group.bundle];
        Ns ns = lines_.write(bundle.line, w);
        std::vector<std::uint32_t> finished;
        for (std::uint32_t left = group.points; left != 0; left &= left - 1)
            finished.push_back(bundle.first + static_cast<std::uint32_t>(std::countr_zero(left)));
        for (const std::uint32_t point : finished) r.done[point] = true;
        r.unfinished -= static_cast<std::uint32_t>(finished.size());
        if (group.launch + 1 < launched_) ns += tell_successors(w, group.launch + 1, finished);
        while (oldest_ < launched_ && record(oldest_).unfinished == 0) ++oldest_;
        return ns;
    }
    /// Counts the successors of the finished points down, one write per bundle of theirs.
    Ns tell_successors(unsigned w, std::uint64_t launch,
                       const std::vector<std::uint32_t>& finished) {
        Record& target = record(launch);
        Ns ns = 0;
        if (loop_.pattern == Pattern::all_to_all) {
            Record& source = record(launch - 1);
            ns += lines_.write(source.whole, w);
            if (source.unfinished != 0) return ns;
        }
        for (std::uint32_t b = 0; b < target.bundles.size(); ++b) {
            Bundle& bundle = target.bundles[b];
            std::uint32_t now_ready = 0;
            bool is_told = false;
            for (std::uint32_t i = 0; i < bundle.count; ++i) {
                const std::uint32_t fewer = counted_down(launch, bundle.first + i, finished);
                if (fewer == 0) continue;
                is_told = true;
                bundle.waits[i] -= fewer;
                if (bundle.waits[i] == 0) now_ready |= 1U << i;
            }
            if (is_told) ns += lines_.write(bundle.line, w);
            if (now_ready != 0) ns += hand_on(w, {launch, b, now_ready});
        }
        return ns;
    }
    [[nodiscard]] std::uint32_t counted_down(std::uint64_t launch, std::uint32_t point,
                                             const std::vector<std::uint32_t>& finished) const {
        if (loop_.pattern == Pattern::none) return 0;
        if (loop_.pattern == Pattern::all_to_all) return 1;
        std::uint32_t fewer = 0;
        for (const std::uint32_t p : sources_of(loop_.pattern, launch, point, points_))
            fewer += std::find(finished.begin(), finished.end(), p) != finished.end() ? 1 : 0;
        return fewer;
    }
    Ns hand_on(unsigned w, const Group& group) {
        if (handing_ == Handing::mailbox) {
            record(group.launch).bundles[group.bundle].ready |= group.points;
            return 0;  // its worker looks at the counts, which have been written anyway
        }
        Worker& self = workers_[w];
        if (self.next.points == 0) {
            self.next = group;
            return 0;
        }
        const Ns ns = lines_.write(queues_[w].line, w);
        queues_[w].groups.push_back(group);
        return ns;
    }

    const Loop loop_;
    const Handing handing_;
    Lines lines_;
    const Limits limits_;
    const std::uint32_t points_;
    const std::uint32_t per_bundle_;
    const refrain::graph::SharingPolicy policy_;
    std::vector<Record> records_;   // a ring
    std::vector<Line> data_[2];     // by parity of the iteration, by point
    std::vector<unsigned> ran_by_;  // by point
    std::vector<Worker> workers_;
    std::vector<Queue> queues_;  // by worker; the last is of launches
    Line counter_;               // mailbox: of launches
    std::uint64_t launched_ = 0;
    std::uint64_t oldest_ = 0;
    bool is_helping_ = false;
    LoopOutcome outcome_;
};

void print_row(const char* machine_name, const Machine& machine, Pattern pattern) {
    const Loop loop{.machine = machine, .pattern = pattern};
    const LoopOutcome shared = simulate_loop(loop, Handing::shared);
    const LoopOutcome mailbox = simulate_loop(loop, Handing::mailbox);
    std::printf("%-10s %7u  %-10s  %6.2f  %6.2f  %6.2f  %6.2f\n", machine_name, machine.workers,
                std::string(name_of(pattern)).c_str(), shared.lines_per_task,
                mailbox.lines_per_task, shared.body_share, mailbox.body_share);
}

}  // namespace

std::string_view name_of(Pattern pattern) {
    static constexpr std::string_view names[] = {"none",   "stencil", "nearest",
                                                 "spread", "fft",     "all to all"};
    return names[static_cast<std::size_t>(pattern)];
}

std::vector<std::uint32_t> sources_of(Pattern pattern, std::uint64_t iteration, std::uint32_t point,
                                      std::uint32_t points) {
    std::vector<std::uint32_t> sources;
    const auto add_near = [&](std::int64_t distance) {
        const std::int64_t source = std::int64_t{point} + distance;
        if (source >= 0 && source < std::int64_t{points})
            sources.push_back(static_cast<std::uint32_t>(source));
    };
    switch (pattern) {
        case Pattern::none:
            break;
        case Pattern::stencil:
            for (const std::int64_t distance : {-1, 0, 1}) add_near(distance);
            break;
        case Pattern::nearest:
            for (const std::int64_t distance : {-2, -1, 0, 1, 2}) add_near(distance);
            break;
        case Pattern::spread:
            for (std::uint32_t i = 0; i < 5; ++i)
                sources.push_back((point + i * points / 5 + (i == 0 ? 0 : 1)) % points);
            break;
        case Pattern::fft: {
            const auto turns = std::max(1U, static_cast<unsigned>(std::bit_width(points)) - 1);
            const std::int64_t distance = std::int64_t{1} << (iteration % turns);
            for (const std::int64_t d : {-distance, std::int64_t{0}, distance}) add_near(d);
            break;
        }
        case Pattern::all_to_all:
            for (std::uint32_t p = 0; p < points; ++p) sources.push_back(p);
            break;
    }
    std::sort(sources.begin(), sources.end());
    sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
    return sources;
}

LoopOutcome simulate_loop(const Loop& loop, Handing handing) {
    return LoopSimulator(loop, handing).run();
}

void print_affinity() {
    std::printf("%-10s %7s  %-10s  %14s  %14s\n", "", "", "", "lines per task", "share of bodies");
    std::printf("%-10s %7s  %-10s  %6s  %6s  %6s  %6s\n", "cores", "workers", "pattern", "shared",
                "mailbox", "shared", "mailbox");
    for (const unsigned workers : {2U, 4U, 8U, 16U})
        for (const Pattern pattern : patterns) {
            print_row("near", {workers, 55, 55}, pattern);
            print_row("far", {workers, 280, 280}, pattern);
            print_row("2 sockets", {workers, 55, 280, workers / 2}, pattern);
        }
}

}  // namespace sharing
