#include "overhead/streams.hpp"

#include "base/clock.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <optional>
#include <refrain/dynamic.hpp>
#include <refrain/refrain.hpp>
#include <stdexcept>
#include <string>
#include <thread>

#include "common/stopwatch.hpp"
#include "overhead/allocation_count.hpp"

namespace overhead {
namespace {

using namespace refrain;

Options options_for(Tracing tracing, unsigned worker_count) {
    Options options;
    options.workers = worker_count;
    options.tracing.automatic = tracing == Tracing::automatic;
    if (tracing == Tracing::walks) options.analysis = Analysis::walk;
    return options;
}

/// Runs for `duration` ticks or a little longer: it reads the clock in steps.
void spin(std::uint64_t duration) {
    const std::uint64_t begin = base::ticks();
    while (base::ticks() - begin < duration) {
    }
}

/// The duration of spin() without interruption.
double seconds_of_spin(std::uint64_t duration) {
    constexpr int calls = 200;
    double fastest = 1;
    for (int round = 0; round < 9; ++round) {  // the fastest round has no interruption
        const Stopwatch watch;
        for (int i = 0; i < calls; ++i) spin(duration);
        fastest = std::min(fastest, watch.wall_seconds() / calls);
    }
    return fastest;
}

/// The stencil's regions and partitions, and one step of it.
class Stencil {
  public:
    explicit Stencil(Runtime& runtime) : rt_(runtime) {
        rt_.fill(in_, 1);
        rt_.fill(out_, 1);
    }
    void step() {
        rt_.launch(
            "step", tiles_.colours(), [](View<const int, 1>, View<int, 1>) {}, read(in_, halos_),
            write(out_, tiles_));
        std::swap(in_, out_);
    }
    void single_step() {
        for (int column = 0; column < width; ++column)
            rt_.launch(
                "step", [](View<const int, 1>, View<int, 1>) {},
                read(in_, halos_, Point<1>(column)), write(out_, tiles_, Point<1>(column)));
        std::swap(in_, out_);
    }
    void step_of(std::uint64_t ticks) {
        rt_.launch(
            "work", tiles_.colours(),
            [](View<const int, 1>, View<int, 1>, std::uint64_t duration) { spin(duration); },
            read(in_, halos_), write(out_, tiles_), ticks);
        std::swap(in_, out_);
    }

  private:
    Runtime& rt_;
    Region<int, 1> in_ = rt_.create_region<int>(extents(16 * width), "in");
    Region<int, 1> out_ = rt_.create_region<int>(extents(16 * width), "out");
    Partition<1> tiles_ = tiles(in_.bounds(), width);
    Partition<1> halos_ = halo(tiles_, 1);
};

/// Runs `step` repeatedly under the given tracing mode.
template <class Step>
void run_traced(Runtime& rt, Tracing tracing, int steps, std::uint64_t& fresh_trace, Step&& step) {
    if (tracing != Tracing::recorded && tracing != Tracing::replayed) {
        for (int i = 0; i < steps; ++i) step();
        return;
    }
    for (int i = 0; i < steps; i += trace_steps) {
        const std::uint64_t trace = tracing == Tracing::recorded ? fresh_trace++ : 0;
        rt.begin_trace(trace);
        for (int j = 0; j < trace_steps; ++j) step();
        rt.end_trace(trace);
    }
}

void expect_traced(const Runtime& rt, Tracing tracing) {
    const Statistics s = rt.statistics();
    const double replayed = double(s.traces.replayed) / double(s.launches.operations);
    const double recorded = double(s.traces.recorded) / double(s.launches.operations);
    const bool is_analysed = tracing == Tracing::none || tracing == Tracing::walks;
    const bool right = is_analysed                    ? replayed == 0 && recorded == 0
                       : tracing == Tracing::recorded ? recorded > 0.95
                                                      : replayed > 0.9;
    if (!right)
        throw std::runtime_error("the stream was not traced in the mode measured:\n" +
                                 s.to_string());
}

template <class Step>
Cost measure(const Config& config, Tracing tracing, unsigned worker_count, Step&& step) {
    Runtime rt(options_for(tracing, worker_count));
    Stencil stencil(rt);
    std::uint64_t fresh_trace = 1;
    const int warm_up = std::max(config.steps / 4, 20 * trace_steps);
    run_traced(rt, tracing, warm_up, fresh_trace, [&] { step(stencil); });
    rt.wait_all();
    const Stopwatch watch;
    run_traced(rt, tracing, config.steps, fresh_trace, [&] { step(stencil); });
    rt.wait_all();
    const Cost cost = watch.per(double(config.steps) * width);
    if (!config.quick) expect_traced(rt, tracing);
    return cost;
}

}  // namespace

Cost index_launches(const Config& config, Tracing tracing, unsigned worker_count) {
    return measure(config, tracing, worker_count, [](Stencil& stencil) { stencil.step(); });
}

Cost single_launches(const Config& config, Tracing tracing, unsigned worker_count) {
    return measure(config, tracing, worker_count, [](Stencil& stencil) { stencil.single_step(); });
}

double body_share(const Config& config, double body_ns) {
    Runtime rt(options_for(Tracing::automatic, workers));
    Stencil stencil(rt);
    const std::uint64_t ticks = base::ns_to_ticks(static_cast<std::uint64_t>(body_ns));
    const int steps = config.steps / 2;
    for (int i = 0; i < steps / 2; ++i) stencil.step_of(ticks);
    rt.wait_all();
    const Stopwatch watch;
    for (int i = 0; i < steps; ++i) stencil.step_of(ticks);
    rt.wait_all();
    const double wall_seconds = watch.wall_seconds();
    return double(steps) * width * seconds_of_spin(ticks) / workers / wall_seconds;
}

double body_share_by_hand(const Config& config, double body_ns) {
    struct alignas(128) Counter {
        std::atomic<int> steps{0};
    };
    std::array<Counter, workers> done;
    const std::uint64_t ticks = base::ns_to_ticks(static_cast<std::uint64_t>(body_ns));
    const int steps = config.steps / 2;
    const auto run = [&](unsigned own) {
        for (int step = 1; step <= steps; ++step) {
            for (unsigned column = 0; column < width / workers; ++column) spin(ticks);
            done[own].steps.store(step, std::memory_order_release);
            for (const Counter& other : done)
                while (other.steps.load(std::memory_order_acquire) < step) {
                }
        }
    };
    std::atomic<bool> begin{false};
    std::thread other([&] {
        while (!begin.load(std::memory_order_acquire)) {
        }
        run(1);
    });
    const Stopwatch watch;
    begin.store(true, std::memory_order_release);
    run(0);
    other.join();
    const double wall_seconds = watch.wall_seconds();
    return double(steps) * width * seconds_of_spin(ticks) / workers / wall_seconds;
}

double sleeping_ratio(const Config& config) {
    static constexpr auto nap = std::chrono::milliseconds(5);
    constexpr unsigned sleepers = 4;
    constexpr int points = 8;
    Runtime rt(options_for(Tracing::automatic, sleepers));
    const auto region = rt.create_region<char>(extents(points), "cells");
    const auto parts = tiles(region.bounds(), points);
    std::atomic<bool> has_grown{false};
    const auto launch = [&] {
        rt.launch(
            "task", parts.colours(),
            [&has_grown](View<char, 1> v) {
                v.fill(1);
                if (has_grown.load(std::memory_order_relaxed)) std::this_thread::sleep_for(nap);
            },
            write(region, parts));
    };
    for (int i = 0; i < 500; ++i) launch();
    rt.wait_all();
    has_grown.store(true, std::memory_order_relaxed);  // published by the launches that follow
    double longest = 0;
    for (int i = 0; i < (config.quick ? 3 : 12); ++i) {
        const Stopwatch watch;
        launch();
        rt.wait_all();
        if (i > 0) longest = std::max(longest, watch.wall_seconds());
    }
    return longest / (std::chrono::duration<double>(nap).count() * points / sleepers);
}

double beyond_launch_ns(const Config& config) {
    constexpr int batch = 500;  // below the window: the launching thread runs no task meanwhile
    const int batches = std::max(4, config.steps / batch);
    const std::uint64_t ticks = base::ns_to_ticks(1000);
    const auto seconds = [&](unsigned worker_count) {
        Runtime rt(options_for(Tracing::automatic, worker_count));
        Stencil stencil(rt);
        double launching = 0;
        double all = 0;
        for (int round = -batches / 4; round < batches; ++round) {
            const Stopwatch watch;
            for (int i = 0; i < batch; ++i) {
                spin(ticks);
                stencil.step();
            }
            const double launched = watch.wall_seconds();
            rt.wait_all();
            if (round < 0) continue;
            launching += launched;
            all += watch.wall_seconds();
        }
        return worker_count == 1 ? launching : all;
    };
    const double alone = seconds(1);  // a single thread runs no task before it waits
    return (seconds(workers) - alone) * 1e9 / (double(batches) * batch * width);
}

namespace {

/// Launches over random regions.
class RandomLaunches {
  public:
    explicit RandomLaunches(Runtime& runtime) : rt_(runtime) {
        constexpr int region_count = 64;
        for (int i = 0; i < region_count; ++i) {
            regions_.push_back(rt_.create_region<int>(extents(16 * width)));
            rt_.fill(regions_.back(), 1);
        }
        pieces_ = tiles(regions_[0].bounds(), width);
    }
    void step() {
        const std::size_t from = draw();
        const std::size_t to = (from + 1 + draw() % (regions_.size() - 1)) % regions_.size();
        rt_.launch(
            "step", pieces_->colours(), [](View<const int, 1>, View<int, 1>) {},
            read(regions_[from], *pieces_), write(regions_[to], *pieces_));
    }
    /// Restarts the random sequence.
    void start_again() { state_ = seed; }

  private:
    static constexpr std::uint64_t seed = 88172645463325252U;
    std::size_t draw() {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return static_cast<std::size_t>(state_ % regions_.size());
    }

    Runtime& rt_;
    std::vector<Region<int, 1>> regions_;
    std::optional<Partition<1>> pieces_;
    std::uint64_t state_ = seed;
};

}  // namespace

Cost random_launches(const Config& config, Tracing tracing, int warm_up) {
    Runtime rt(options_for(tracing, workers));
    RandomLaunches launches(rt);
    for (int i = 0; i < warm_up; ++i) launches.step();
    rt.wait_all();
    const Stopwatch watch;
    for (int i = 0; i < config.steps; ++i) launches.step();
    rt.wait_all();
    return watch.per(double(config.steps) * width);
}

double long_loop_ratio(const Config& config) {
    const int body = config.quick ? 2'000 : 100'000;
    constexpr int turns = 5;  // one to see, one to record, three to replay
    const auto seconds_per_turn = [&](Tracing tracing) {
        Options options = options_for(tracing, workers);
        options.tracing.history = 4 * static_cast<std::uint64_t>(body);
        Runtime rt(options);
        RandomLaunches launches(rt);
        for (int i = 0; i < body; ++i) launches.step();  // other operations, to warm up memory
        std::vector<double> seconds;
        for (int turn = 0; turn < turns; ++turn) {
            launches.start_again();
            rt.wait_all();
            const Stopwatch watch;
            for (int i = 0; i < body; ++i) launches.step();
            rt.wait_all();
            seconds.push_back(watch.wall_seconds());
        }
        if (tracing == Tracing::automatic && rt.statistics().traces.replayed == 0)
            throw std::runtime_error("a long loop was not replayed");
        return seconds;
    };
    std::vector<double> untraced = seconds_per_turn(Tracing::none);
    const std::vector<double> traced = seconds_per_turn(Tracing::automatic);
    std::nth_element(untraced.begin(), untraced.begin() + turns / 2, untraced.end());
    return *std::max_element(traced.begin(), traced.end()) / untraced[turns / 2];
}

namespace {

/// Single tasks that read two pieces and write a third.
class Pieces {
  public:
    explicit Pieces(Runtime& runtime) : rt_(runtime) {
        for (auto& region : regions_) {
            region = rt_.create_region<int>(extents(64), "region");
            rt_.fill(region, 1);
            untyped_.push_back(dynamic::untyped(region));
        }
    }
    /// On three regions, or on three views of one.
    void typed(bool is_one_region) {
        const Region<int, 1>& second = regions_[is_one_region ? 0 : 1];
        const Region<int, 1>& third = regions_[is_one_region ? 0 : 2];
        rt_.launch(
            "step", [](View<const int, 1>, View<const int, 1>, View<int, 1>) {},
            read(regions_[0], pieces_, Point<1>(0)), read(second, pieces_, Point<1>(1)),
            write(third, pieces_, Point<1>(4)));
    }
    void untyped() {
        const std::array uses{dynamic::use(untyped_[0], any_pieces_, 0),
                              dynamic::use(untyped_[1], any_pieces_, 1),
                              dynamic::use(untyped_[2], any_pieces_, 4)};
        dynamic::launch(rt_, kind_, site_, dynamic::single_task, uses);
    }

  private:
    static constexpr std::array<dynamic::Requirement, 3> requirements{
        {{Privilege::read}, {Privilege::read}, {Privilege::write}}};

    Runtime& rt_;
    std::array<Region<int, 1>, 3> regions_;
    Partition<1> pieces_ = tiles(extents(64), 8);
    std::vector<dynamic::AnyRegion> untyped_;
    dynamic::AnyPartition any_pieces_ = dynamic::untyped(pieces_);
    dynamic::TaskKind kind_{{.name = "step",
                             .function = [](const dynamic::TaskFrame&) {},
                             .requirements = requirements}};
    LaunchSite site_ = kind_.site();
};

/// The nanoseconds of launching alone, in batches below the window, for each of two ways to launch.
template <class First, class Second>
std::array<double, 2> launching_ns(const Config& config, First&& first, Second&& second) {
    constexpr int batch = 500;
    const int batches = std::max(20, config.steps / batch);
    Runtime rt(options_for(Tracing::automatic, 1));
    Pieces pieces(rt);
    std::array<std::vector<double>, 2> ns;
    const auto measure_batches = [&](std::vector<double>& of, auto& launch) {
        for (int round = -batches / 4; round < batches; ++round) {
            const Stopwatch watch;
            for (int i = 0; i < batch; ++i) launch(pieces);
            const double seconds = watch.wall_seconds();
            rt.wait_all();
            if (round >= 0) of.push_back(seconds * 1e9 / batch);
        }
    };
    for (int turn = 0; turn < 4; ++turn) {
        measure_batches(ns[0], first);
        measure_batches(ns[1], second);
    }
    for (auto& all : ns) std::nth_element(all.begin(), all.begin() + all.size() / 2, all.end());
    return {ns[0][ns[0].size() / 2], ns[1][ns[1].size() / 2]};
}

}  // namespace

double dynamic_launch_ns(const Config& config) {
    const auto [typed, untyped] = launching_ns(
        config, [](Pieces& pieces) { pieces.typed(false); },
        [](Pieces& pieces) { pieces.untyped(); });
    return untyped - typed;
}

double region_thrice_ratio(const Config& config) {
    const auto [three, one] = launching_ns(
        config, [](Pieces& pieces) { pieces.typed(false); },
        [](Pieces& pieces) { pieces.typed(true); });
    return one / three;
}

std::uint64_t allocations_in_dynamic_launches(std::uint64_t operations) {
    Runtime rt(options_for(Tracing::automatic, workers));
    Pieces pieces(rt);
    for (int round = 0; round < 5; ++round) {
        for (int i = 0; i < 20'000; ++i) pieces.untyped();
        rt.wait_all();
    }
    const std::uint64_t before = allocation_count();
    for (std::uint64_t i = 0; i < operations; ++i) pieces.untyped();
    rt.wait_all();
    return allocation_count() - before;
}

namespace {

/// How a stream is served, as far as it has to be prepared: nothing, lanes, or rows of them.
int ways_of(const LaunchStatistics& launches) {
    return (launches.in_lanes != 0 ? 1 : 0) + (launches.in_rows != 0 ? 1 : 0);
}

std::uint64_t allocations_in_replay(std::uint64_t operations, LaneUse lanes) {
    Options options = options_for(Tracing::automatic, workers);
    options.lanes = lanes;
    Runtime rt(options);
    Stencil stencil(rt);
    // Waits interrupt the stream, and the fragments around them are learned once.
    for (int round = 0; round < 5; ++round) {
        for (int i = 0; i < 20'000; ++i) stencil.step();
        rt.wait_all();
    }
    while (true) {
        const Statistics before = rt.statistics();
        const std::uint64_t allocations_before = allocation_count();
        for (std::uint64_t i = 0; i < operations; ++i) stencil.step();
        rt.wait_all();
        const std::uint64_t allocations = allocation_count() - allocations_before;
        const Statistics after = rt.statistics();
        if (after.traces.replayed - before.traces.replayed < operations / 100 * 99)
            throw std::runtime_error("the stream was not replayed");
        if (ways_of(after.launches) == ways_of(before.launches)) return allocations;
        // Some launches were the first of their loop in lanes, for which it makes plans: that was warm-up, too.
    }
}

}  // namespace

std::uint64_t allocations_in_replay(std::uint64_t operations) {
    std::uint64_t most = 0;
    for (const LaneUse lanes : {LaneUse::none, LaneUse::automatic, LaneUse::all})
        most = std::max(most, allocations_in_replay(operations, lanes));
    return most;
}

}  // namespace overhead
