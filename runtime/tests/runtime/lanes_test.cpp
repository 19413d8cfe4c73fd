/// Loops whose launches go into lanes: values, host accesses and failures in the middle.
#include "base/asymmetric_fence.hpp"
#include "refrain/dynamic.hpp"
#include "runtime/core.hpp"
#include "runtime/harness.hpp"

#include <array>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <vector>

#include "allocations/allocations.hpp"

namespace refrain::lanes_test {

/// Private members, by an explicit instantiation, which may name them: a memo is wrong only if
/// somebody makes it so.
template <class Tag, auto member>
struct Opened {
    friend constexpr auto member_of(Tag) { return member; }
};
struct CoreOfRuntime {
    friend constexpr auto member_of(CoreOfRuntime);
};
struct PipelineOfCore {
    friend constexpr auto member_of(PipelineOfCore);
};
template struct Opened<CoreOfRuntime, &Runtime::core_>;
template struct Opened<PipelineOfCore, &runtime::Core::pipeline_>;

namespace {

using Number = std::uint64_t;
using Clock = std::chrono::steady_clock;

constexpr std::int64_t tile_count = 8;
constexpr std::int64_t elements = 16 * tile_count;
constexpr unsigned workers = 2;

/// All launches go into lanes that can, whatever they take.
[[nodiscard]] Options all_in_lanes() {
    Options options;
    options.workers = workers;
    options.lanes = LaneUse::all;
    return options;
}

[[nodiscard]] Number next_value(Number left, Number own, Number right) {
    return 3 * left + 5 * own + 7 * right + 1;
}

void relax(Point<1> tile, View<const Number, 1> from, View<Number, 1> to, std::int64_t failing) {
    if (tile[0] == failing) throw std::runtime_error("broken");
    const Rect<1> own{tile[0] * 16, (tile[0] + 1) * 16};
    for (std::int64_t i = own.lo[0]; i < own.hi[0]; ++i)
        to[i] = next_value(i > 0 ? from[i - 1] : 0, from[i], i + 1 < elements ? from[i + 1] : 0);
}

/// A three-point stencil over two regions, and the same in sequence.
class Relaxation {
  public:
    Relaxation() {
        runtime_.fill(now_, 1);
        runtime_.fill(next_, 0);
    }

    [[nodiscard]] Runtime& runtime() { return runtime_; }
    void step(std::int64_t failing = -1) {
        runtime_.launch("relax", tiles_.colours(), relax, read(now_, halos_), write(next_, tiles_),
                        failing);
        std::swap(now_, next_);
        std::vector<Number> next(values_.size());
        for (std::size_t i = 0; i < next.size(); ++i)
            next[i] = next_value(i > 0 ? values_[i - 1] : 0, values_[i],
                                 i + 1 < next.size() ? values_[i + 1] : 0);
        values_ = std::move(next);
    }
    void steps(int count) {
        for (int i = 0; i < count; ++i) step();
    }
    [[nodiscard]] std::uint64_t in_lanes() const { return runtime_.statistics().launches.in_lanes; }
    /// A loop long enough that most of it is in lanes.
    void reach_lanes() {
        constexpr int count = 4000;
        const std::uint64_t before = in_lanes();
        steps(count);
        ASSERT_GT(in_lanes(), before + count / 2) << "of a long loop";
    }
    void expect_values() {
        const auto view = runtime_.read(now_);
        for (std::int64_t i = 0; i < elements; ++i)
            ASSERT_EQ(view[i], values_[static_cast<std::size_t>(i)]) << "element " << i;
    }
    void begin_again() {
        runtime_.fill(now_, 1);
        runtime_.fill(next_, 0);
        values_.assign(elements, 1);
    }

  private:
    Runtime runtime_{all_in_lanes()};
    Region<Number, 1> now_ = runtime_.create_region<Number>(extents(elements), "now");
    Region<Number, 1> next_ = runtime_.create_region<Number>(extents(elements), "next");
    Partition<1> tiles_ = tiles(now_.bounds(), tile_count);
    Partition<1> halos_ = halo(tiles_, 1);
    std::vector<Number> values_ = std::vector<Number>(elements, 1);
};

class Lanes : public ::testing::Test {
  protected:
    void SetUp() override {
        if (!base::has_asymmetric_fence()) GTEST_SKIP() << "lanes need membarrier(2)";
        if (std::thread::hardware_concurrency() < workers)
            GTEST_SKIP() << "lanes need a core per worker";
    }
};

class LaunchesInLanes : public Lanes {
  protected:
    Relaxation program_;
};

TEST_F(LaunchesInLanes, compute_what_the_same_program_computes_in_sequence) {
    program_.reach_lanes();
    program_.expect_values();
}

TEST_F(LaunchesInLanes, are_read_by_the_host_in_the_middle_and_go_on) {
    program_.reach_lanes();
    for (int i = 0; i < 20; ++i) {
        program_.steps(i);
        program_.expect_values();
    }
    program_.reach_lanes();
    program_.expect_values();
}

TEST_F(LaunchesInLanes, run_to_their_end_though_the_program_never_calls_again) {
    program_.reach_lanes();
    program_.steps(10);
    const std::uint64_t launched = program_.runtime().statistics().launches.tasks;
    const auto run = [&] {
        std::uint64_t tasks = 0;
        for (const WorkerStatistics& worker : program_.runtime().statistics().workers)
            tasks += worker.tasks;
        return tasks;
    };
    EXPECT_TRUE(comes_true([&] { return run() == launched; })) << run() << " of " << launched;
}

TEST_F(LaunchesInLanes, a_task_that_throws_fails_all_that_read_its_values_and_nothing_afterwards) {
    program_.reach_lanes();
    program_.step(3);
    program_.steps(40);
    EXPECT_THROW(program_.runtime().wait_all(), TaskError);
    program_.begin_again();
    program_.steps(30);
    program_.expect_values();
}

TEST_F(LaunchesInLanes, go_on_once_what_a_failure_left_is_overwritten) {
    program_.reach_lanes();
    program_.step(3);
    program_.steps(40);
    EXPECT_THROW(program_.runtime().wait_all(), TaskError);
    program_.begin_again();
    program_.reach_lanes();
    program_.expect_values();
}

/// Lanes may close before each record of a loop is used, and open again at any time.
TEST_F(Lanes, take_memory_for_all_records_of_a_loop_with_its_first_turn) {
    Options options = all_in_lanes();
    options.window = 128;
    Runtime runtime(options);
    const auto x = runtime.create_region<Number>(extents(elements), "x");
    runtime.fill(x, 1);
    constexpr int launches = 30;
    std::vector<Partition<1>> parts;
    for (int i = 0; i < launches; ++i) parts.push_back(tiles(extents(elements), 4 + i));
    // Memory for a window of operations is reserved after 256 operations, after 512, and so on.
    for (int i = 0; i < 1100; ++i) runtime.launch("before", [] {});
    runtime.wait_all();
    const auto turn = [&] {
        for (const Partition<1>& of : parts)
            runtime.launch(
                "turn", of.colours(), [](View<Number, 1>) {}, read_write(x, of));
    };
    const auto in_lanes = [&] { return runtime.statistics().launches.in_lanes; };
    while (in_lanes() < launches && runtime.statistics().launches.operations < 1600) turn();
    const std::uint64_t at_first = in_lanes();
    const std::uint64_t before = testing::allocations();
    for (int i = 0; i < 10; ++i) turn();
    EXPECT_EQ(testing::allocations(), before);
    EXPECT_EQ(in_lanes(), at_first + 10 * launches);
}

/// What the launches of a loop wait for is found out once, not each time that lanes open.
TEST_F(Lanes, that_open_again_take_no_memory) {
    Runtime runtime(all_in_lanes());
    auto now = runtime.create_region<Number>(extents(elements), "now");
    auto next = runtime.create_region<Number>(extents(elements), "next");
    const auto other = runtime.create_region<Number>(extents(1), "other");
    for (const auto& region : {now, next, other}) runtime.fill(region, 1);
    const auto tiles_of_elements = tiles(extents(elements), tile_count);
    const auto halos = halo(tiles_of_elements, 1);
    const auto turn = [&] {
        for (int i = 0; i < 30; ++i) {
            runtime.launch("relax", tiles_of_elements.colours(), relax, read(now, halos),
                           write(next, tiles_of_elements), std::int64_t{-1});
            std::swap(now, next);
        }
        runtime.launch(
            "other", [](View<Number, 1> v) { ++v[0]; }, read_write(other));  // outside of lanes
        runtime.write(other)[0] = 1;  // so that no row relies on what was before
    };
    constexpr int turns = 100;
    for (int i = 0; i < 3 * turns; ++i) turn();
    runtime.wait_all();
    const std::uint64_t in_lanes = runtime.statistics().launches.in_lanes;
    const std::uint64_t before = testing::allocations();
    for (int i = 0; i < turns; ++i) turn();
    EXPECT_LE(testing::allocations(), before + turns) << "more than the program's views take";
    EXPECT_GT(runtime.statistics().launches.in_lanes, in_lanes + 20 * turns);
}

/// Whether launches take long enough and not too long is measured, in steals. One of these lengths is in the
/// middle of the right ones for any steal between 30 and 1,000 ns (more is not believed).
TEST_F(Lanes, are_used_unasked_by_a_long_loop_of_short_launches) {
    constexpr int rounds_max = 100;
    Options options;
    options.workers = workers;
    Runtime runtime(options);
    const Region<Number, 1> x = runtime.create_region<Number>(extents(tile_count), "x");
    const Partition<1> each = tiles(x.bounds(), tile_count);
    runtime.fill(x, 0);
    const auto spin = [](Point<1> tile, View<Number, 1> v, std::uint64_t launch_ns) {
        const auto end = Clock::now() + std::chrono::nanoseconds(launch_ns / tile_count);
        while (Clock::now() < end) {
        }
        ++v[tile];
    };
    const auto in_lanes = [&] { return runtime.statistics().launches.in_lanes; };
    for (int round = 0; round < rounds_max && in_lanes() == 0; ++round)
        for (const std::uint64_t launch_ns : {2'000U, 6'000U, 18'000U})
            for (int i = 0; i < 400; ++i)
                runtime.launch("spin", each.colours(), spin, read_write(x, each), launch_ns);
    EXPECT_GT(in_lanes(), 0U);
}

[[nodiscard]] const runtime::Pipeline& pipeline_of(const Runtime& runtime) {
    return *(runtime.*member_of(CoreOfRuntime{})).*member_of(PipelineOfCore{});
}

/// A sum that is moved from region to region, and grows by a scalar at each step.
class Rotation {
  public:
    explicit Rotation(std::size_t regions, const Options& options = all_in_lanes())
        : runtime_(options) {
        for (std::size_t i = 0; i < regions; ++i) {
            regions_.push_back(runtime_.create_region<Number>(extents(tile_count)));
            runtime_.fill(regions_.back(), 0);
        }
    }
    template <class Task>
    void step(const Task& task, Number scalar) {
        const std::size_t next = (at_ + 1) % regions_.size();
        runtime_.launch("add", tiles_.colours(), task, read(regions_[at_], neighbours_),
                        write(regions_[next], tiles_), scalar);
        at_ = next;
    }
    [[nodiscard]] std::vector<Number> values() {
        const auto view = runtime_.read(regions_[at_]);
        std::vector<Number> values;
        for (std::int64_t i = 0; i < tile_count; ++i) values.push_back(view[i]);
        return values;
    }
    [[nodiscard]] std::uint64_t in_lanes() const { return runtime_.statistics().launches.in_lanes; }
    [[nodiscard]] Runtime& runtime() { return runtime_; }

  private:
    Runtime runtime_;
    std::vector<Region<Number, 1>> regions_;
    Partition<1> tiles_ = tiles(extents(tile_count), tile_count);
    Partition<1> neighbours_ = halo(tiles_, 1);
    std::size_t at_ = 0;  // the region that has the sum
};

/// Both move a callable when a launch is built.
struct Add {
    void operator()(Point<1> tile, View<const Number, 1> from, View<Number, 1> to,
                    Number scalar) const {
        to[tile] = from[tile] + scalar;
    }
};
struct Fragile : Add {
    explicit Fragile(const bool& breaks) : breaks_(&breaks) {}
    Fragile(const Fragile&) = default;
    Fragile(Fragile&& other) : Add(other), breaks_(other.breaks_) {
        if (*breaks_) throw std::runtime_error("moved");
    }
    Fragile& operator=(const Fragile&) = delete;
    Fragile& operator=(Fragile&&) = delete;
    ~Fragile() = default;

    const bool* breaks_;
};

class RecordsOfLaunchesInLanes : public ::testing::Test {
  protected:
    void SetUp() override {
        if (!base::has_asymmetric_fence()) GTEST_SKIP() << "lanes need membarrier(2)";
    }
    static constexpr Number steps = 4000;
};

TEST_F(RecordsOfLaunchesInLanes, pass_each_turn_its_own_scalars_and_regions) {
    for (const std::size_t regions : {2U, 3U, 5U, 7U}) {
        Rotation program(regions);
        Number sum = 0;
        for (Number step = 0; step < steps; sum += step++) program.step(Add(), step);
        EXPECT_EQ(program.values(), std::vector<Number>(tile_count, sum)) << regions << " regions";
        EXPECT_GT(program.in_lanes(), steps / 2) << regions << " regions";
    }
}

/// Between the turns that run in lanes, launches on ever new pieces fill the tables until all is forgotten: also the
/// patterns that the plans of the lanes name.
TEST_F(RecordsOfLaunchesInLanes, wait_for_the_same_after_all_tables_were_forgotten) {
    Options options = all_in_lanes();
    options.limits.analysis_bytes = std::uint64_t{1} << 20;
    Rotation program(3, options);
    const auto other = program.runtime().create_region<char>(extents(100'000));
    program.runtime().fill(other, 0);
    Number sum = 0;
    for (Number phase = 0; phase < 4; ++phase) {
        for (Number step = 0; step < steps; sum += step++) program.step(Add(), step);
        for (std::int64_t i = 0; i < 500; ++i) {
            const std::int64_t from = 150 * i + phase;
            const auto piece =
                rectangles(other.bounds(), extents(1), {Rect<1>{from, from + 40 + i}});
            program.runtime().launch(
                "piece", [](View<char, 1>) {}, read_write(other, piece, Point<1>(0)));
        }
    }
    EXPECT_EQ(program.values(), std::vector<Number>(tile_count, sum));
    EXPECT_GE(program.runtime().statistics().analysis.table_resets, 2U);
    EXPECT_GT(program.in_lanes(), 2 * steps);
}

TEST_F(RecordsOfLaunchesInLanes, are_used_again_after_a_callable_threw_while_it_was_moved) {
    bool breaks = false;
    for (const std::size_t regions : {2U, 5U}) {
        Rotation program(regions);
        Number sum = 0;
        for (Number step = 0; step < steps; ++step) {
            program.step(Fragile(breaks), 1);
            ++sum;
        }
        EXPECT_GT(program.in_lanes(), steps / 2);
        const Fragile fragile(breaks);
        for (Number step = 0; step < steps; ++step) {
            breaks = step % 97 == 0;
            if (breaks) {
                EXPECT_THROW(program.step(fragile, 1), std::runtime_error);
            } else {
                program.step(fragile, 1);
                ++sum;
            }
        }
        breaks = false;
        EXPECT_EQ(program.values(), std::vector<Number>(tile_count, sum)) << regions << " regions";
    }
}

TEST_F(RecordsOfLaunchesInLanes, name_regions_that_are_made_anew_each_turn) {
    Runtime runtime(all_in_lanes());
    const Partition<1> own = tiles(extents(tile_count), tile_count);
    const Partition<1> neighbours = halo(own, 1);
    auto now = runtime.create_region<Number>(extents(tile_count));
    runtime.fill(now, 0);
    Number sum = 0;
    for (Number step = 0; step < steps; sum += step++) {
        auto next = runtime.create_region<Number>(extents(tile_count));
        runtime.launch("add", own.colours(), Add(), read(now, neighbours), write(next, own), step);
        now = std::move(next);  // the region before may end, and another may take its place
    }
    EXPECT_GT(runtime.statistics().launches.in_lanes, steps / 2);
    const auto view = runtime.read(now);
    for (std::int64_t i = 0; i < tile_count; ++i) EXPECT_EQ(view[i], sum) << "element " << i;
}

TEST_F(RecordsOfLaunchesInLanes, hold_nothing_that_a_callable_owns) {
    const auto token = std::make_shared<int>(1);
    Rotation program(2);
    for (Number step = 0; step < steps; ++step)
        program.step([token](Point<1> tile, View<const Number, 1> from, View<Number, 1> to,
                             Number scalar) { to[tile] = from[tile] + scalar; },
                     1);
    EXPECT_GT(program.in_lanes(), steps / 2);
    program.runtime().wait_all();
    EXPECT_EQ(token.use_count(), 1);
}

TEST_F(RecordsOfLaunchesInLanes, take_no_more_memory_each_time_that_a_callable_throws) {
    bool breaks = false;
    const Fragile fragile(breaks);
    Rotation program(2);
    for (Number step = 0; step < steps && program.in_lanes() == 0; ++step) program.step(fragile, 1);
    ASSERT_GT(program.in_lanes(), 0U);
    const auto bytes = [&] { return program.runtime().statistics().autotrace.compiled_bytes; };
    breaks = true;
    EXPECT_THROW(program.step(fragile, 1),
                 std::runtime_error);  // in a record that none has used yet
    const std::uint64_t before = bytes();
    for (Number step = 0; step < steps; ++step)
        EXPECT_THROW(program.step(fragile, 1), std::runtime_error);
    breaks = false;
    EXPECT_EQ(bytes(), before);
}

TEST_F(RecordsOfLaunchesInLanes, move_no_closure_that_has_no_bytes) {
    static int moves;
    moves = 0;
    constexpr std::array<dynamic::Requirement, 1> changes{{{Privilege::read_write}}};
    const dynamic::TaskKind kind({.name = "count",
                                  .function =
                                      [](const dynamic::TaskFrame& frame) {
                                          ++static_cast<Number*>(
                                              frame.arguments[0].elements)[frame.point[0]];
                                      },
                                  .domain_rank = 1,
                                  .requirements = changes,
                                  .closure = {.move = [](void*, void*) { ++moves; }}});
    Runtime runtime(all_in_lanes());
    Region<Number, 1> counts = runtime.create_region<Number>(extents(tile_count));
    runtime.fill(counts, 0);
    const dynamic::AnyRegion any_counts = dynamic::untyped(counts);
    const dynamic::AnyPartition any_tiles =
        dynamic::untyped(tiles(extents(tile_count), tile_count));
    const std::array uses{dynamic::use(any_counts, any_tiles)};
    for (Number step = 0; step < steps; ++step)
        dynamic::launch(runtime, kind, kind.site(), dynamic::line(tile_count), uses);
    EXPECT_GT(runtime.statistics().launches.in_lanes, steps / 2);
    EXPECT_EQ(runtime.read(counts)[tile_count - 1], steps);
    EXPECT_EQ(moves, 0);
}

/// A turn grows six regions and gathers them, so the gathering launch waits for seven.
class Gathering {
  public:
    explicit Gathering(Runtime& runtime) : runtime_(runtime) {
        for (auto& region : parts_) {
            region = runtime_.create_region<Number>(extents(tile_count), "part");
            runtime_.fill(region, 0);
        }
        runtime_.fill(sum_, 0);
    }
    void turns(int count) {
        for (int i = 0; i < count; ++i) turn();
    }
    void expect_values() {
        Number part = 0;
        Number sum = 0;
        for (int i = 0; i < turns_; ++i) sum += parts_.size() * ++part;
        const auto view = runtime_.read(sum_);
        for (std::int64_t i = 0; i < tile_count; ++i) EXPECT_EQ(view[i], sum) << "element " << i;
    }

  private:
    using Own = View<const Number, 1>;

    void turn() {
        ++turns_;
        for (auto& part : parts_)
            runtime_.launch(
                "grow", tiles_.colours(),
                [](Point<1> tile, View<Number, 1> own) { ++own[tile[0]]; },
                read_write(part, tiles_));
        runtime_.launch(
            "gather", tiles_.colours(),
            [](Point<1> tile, Own a, Own b, Own c, Own d, Own e, Own f, View<Number, 1> sum) {
                const std::int64_t i = tile[0];
                sum[i] += a[i] + b[i] + c[i] + d[i] + e[i] + f[i];
            },
            read(parts_[0], tiles_), read(parts_[1], tiles_), read(parts_[2], tiles_),
            read(parts_[3], tiles_), read(parts_[4], tiles_), read(parts_[5], tiles_),
            read_write(sum_, tiles_));
    }

    Runtime& runtime_;
    std::array<Region<Number, 1>, 6> parts_;
    Region<Number, 1> sum_ = runtime_.create_region<Number>(extents(tile_count), "sum");
    Partition<1> tiles_ = tiles(sum_.bounds(), tile_count);
    int turns_ = 0;
};

/// Leaves one source in each memo. Returns how many memos had more.
int make_memos_wrong(const Runtime& runtime) {
    const trace::Tracer& tracer = pipeline_of(runtime).tracer();
    int wrong = 0;
    for (std::uint64_t i = 0; i < 10'000; ++i) {
        const trace::OperationMemo* memo = tracer.memo_in_loop(trace::Position::at(i));
        if (memo == nullptr || memo->edges.size() <= 1) continue;
        auto& edges = const_cast<trace::OperationMemo*>(memo)->edges;  // no memo is created const
        edges = edges.first(1);
        ++wrong;
    }
    return wrong;
}

TEST_F(Lanes, wait_for_all_that_verification_finds) {
    Options options = all_in_lanes();
    options.checks.verify = 1;
    Runtime runtime(options);
    Gathering program(runtime);
    program.turns(200);
    ASSERT_EQ(runtime.statistics().traces.verify_failures, 0U);
    ASSERT_GT(runtime.statistics().launches.in_lanes, 0U);
    ASSERT_GT(make_memos_wrong(runtime), 0);
    program.turns(20);
    program.expect_values();
    EXPECT_GE(runtime.statistics().traces.verify_failures, 20U);
}

}  // namespace
}  // namespace refrain::lanes_test
