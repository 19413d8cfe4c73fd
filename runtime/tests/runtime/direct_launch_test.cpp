/// Direct launches: with one worker, or alone, launches of a loop that run inside of the calls that launch them.
#include "refrain/dynamic.hpp"
#include "runtime/harness.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "allocations/allocations.hpp"
#include "tries.hpp"

namespace refrain::direct_launch_test {
namespace {

using Number = std::uint64_t;

constexpr std::int64_t columns = 4;

/// Every launch that can be is direct, whatever it takes.
[[nodiscard]] Options all_direct() {
    Options options;
    options.workers = 1;
    options.lanes = LaneUse::all;
    options.window = 64;  // so that the loop is known soon
    return options;
}

void add_neighbours(View<Number, 1> to, View<const Number, 1> from, std::int64_t column,
                    Number scalar, std::int64_t failing) {
    if (column == failing) throw std::runtime_error("broken");
    to[column] = 3 * (column > 0 ? from[column - 1] : 0) + 5 * from[column] + scalar;
}

struct Scalars {
    std::int64_t column;  // of the first point
    Number scalar;
    std::int64_t failing;
};
View<Number, 1> view_of(const dynamic::TaskArgument& argument) {
    return {argument.elements, *argument.bounds, *argument.subset};
}
View<const Number, 1> view_to_read(const dynamic::TaskArgument& argument) {
    return {argument.elements, *argument.bounds, *argument.subset};
}
/// The same in a task of a kind that is made at run time. Single tasks but the first write over their scalars.
void add_neighbours_of_frame(const dynamic::TaskFrame& frame) {
    auto& scalars = *static_cast<Scalars*>(frame.closure);
    const Scalars now = scalars;
    if (now.column != 0) scalars = {-1, 99, 0};
    add_neighbours(view_of(frame.arguments[0]), view_to_read(frame.arguments[1]),
                   now.column + frame.point[0], now.scalar, now.failing);
}
constexpr std::array<dynamic::Requirement, 2> writes_and_reads{
    {{Privilege::write}, {Privilege::read}}};
dynamic::TaskKind stencil_kind(int domain_rank) {
    return dynamic::TaskKind({.name = "step",
                              .function = &add_neighbours_of_frame,
                              .domain_rank = domain_rank,
                              .requirements = writes_and_reads,
                              .closure = {.bytes = sizeof(Scalars), .align = alignof(Scalars)}});
}

enum class Launches { single, index, untyped_single, untyped_index };

/// A stencil over two regions that change places, one launch per task or per step; and the same in sequence.
class Stencil {
  public:
    explicit Stencil(Launches launches, const Options& options = all_direct())
        : launches_(launches), runtime_(options) {
        begin();
    }
    [[nodiscard]] Runtime& runtime() { return runtime_; }
    [[nodiscard]] const Region<Number, 1>& now() const { return now_; }
    [[nodiscard]] const Region<Number, 1>& next() const { return next_; }
    [[nodiscard]] Number direct() const { return runtime_.statistics().launches.direct; }
    /// Of a step.
    [[nodiscard]] Number launches() const { return is_single() ? Number{columns} : 1; }
    void begin() {
        runtime_.fill(now_, 1);
        runtime_.fill(next_, 1);
        runtime_.wait_all();
        values_.assign(columns, 1);
    }
    void step(std::int64_t failing = -1) {
        if (launches_ == Launches::index) {
            runtime_.launch(
                "step", tiles_.colours(),
                [](Point<1> column, View<Number, 1> to, View<const Number, 1> from, Number scalar,
                   std::int64_t fails) { add_neighbours(to, from, column[0], scalar, fails); },
                write(next_, tiles_), read(now_, halos_), steps_, failing);
        } else if (launches_ == Launches::untyped_index) {
            launch_untyped(0, failing);
        } else if (launches_ == Launches::untyped_single) {
            for (std::int64_t column = 0; column < columns; ++column)
                launch_untyped(column, failing);
        } else {
            for (std::int64_t column = 0; column < columns; ++column)
                runtime_.launch("column", add_neighbours, write(next_, tiles_, Point<1>(column)),
                                read(now_, halos_, Point<1>(column)), column, steps_, failing);
        }
        std::swap(now_, next_);
        const std::vector<Number> from = values_;
        for (std::size_t i = 0; i < from.size(); ++i)
            values_[i] = 3 * (i > 0 ? from[i - 1] : 0) + 5 * from[i] + steps_;
        ++steps_;
    }
    void steps(int count) {
        for (int i = 0; i < count; ++i) step();
    }
    /// Until launches are direct, or long enough. What is launched before the loop is known stays pending
    /// until somebody waits.
    void warm_up() {
        const Number before = direct();
        for (int i = 0; i < 50 && direct() == before; ++i) {
            steps(50);
            runtime_.wait_all();
            steps(2);
        }
    }
    [[nodiscard]] Number value(std::int64_t i) const {
        return values_[static_cast<std::size_t>(i)];
    }
    void set_value(std::int64_t i, Number value) { values_[static_cast<std::size_t>(i)] = value; }
    void expect_values() {
        const auto view = runtime_.read(now_);
        for (std::int64_t i = 0; i < columns; ++i)
            ASSERT_EQ(view[i], values_[static_cast<std::size_t>(i)]) << "element " << i;
    }

  private:
    [[nodiscard]] bool is_single() const {
        return launches_ == Launches::single || launches_ == Launches::untyped_single;
    }
    void launch_untyped(std::int64_t column, std::int64_t failing) {
        const dynamic::AnyPartition tiles = dynamic::untyped(tiles_);
        const dynamic::AnyPartition halos = dynamic::untyped(halos_);
        const dynamic::AnyRegion to = dynamic::untyped(next_);
        const dynamic::AnyRegion from = dynamic::untyped(now_);
        Scalars scalars{column, steps_, failing};
        if (is_single()) {
            const std::array uses{dynamic::use(to, tiles, column),
                                  dynamic::use(from, halos, column)};
            dynamic::launch(runtime_, task_, task_.site(), dynamic::single_task, uses, &scalars);
        } else {
            const std::array uses{dynamic::use(to, tiles), dynamic::use(from, halos)};
            dynamic::launch(runtime_, tasks_, tasks_.site(), dynamic::line(columns), uses,
                            &scalars);
        }
        EXPECT_EQ(scalars.scalar, steps_) << "a task wrote into the program's memory";
    }

    Launches launches_;
    // One for all programs: recognisers hash the address of a kind, so that two may find a repeat at different launches.
    inline static const dynamic::TaskKind task_ = stencil_kind(0);
    inline static const dynamic::TaskKind tasks_ = stencil_kind(1);
    Runtime runtime_;
    Region<Number, 1> now_ = runtime_.create_region<Number>(extents(columns), "now");
    Region<Number, 1> next_ = runtime_.create_region<Number>(extents(columns), "next");
    Partition<1> tiles_ = tiles(extents(columns), columns);
    Partition<1> halos_ = halo(tiles_, 1);
    std::vector<Number> values_;
    Number steps_ = 0;
};

class DirectLaunches : public ::testing::TestWithParam<Launches> {};
INSTANTIATE_TEST_SUITE_P(, DirectLaunches,
                         ::testing::Values(Launches::single, Launches::index,
                                           Launches::untyped_single, Launches::untyped_index),
                         [](const ::testing::TestParamInfo<Launches>& given) {
                             switch (given.param) {
                                 case Launches::single:
                                     return "of_tasks";
                                 case Launches::index:
                                     return "of_steps";
                                 case Launches::untyped_single:
                                     return "of_untyped_tasks";
                                 case Launches::untyped_index:
                                     break;
                             }
                             return "of_untyped_steps";
                         });

/// Counted: all of a loop that goes on, across waits and reads.
TEST_P(DirectLaunches, are_all_launches_of_a_loop_that_goes_on) {
    Stencil program(GetParam());
    program.warm_up();
    const Number before = program.direct();
    for (int round = 0; round < 20; ++round) {
        program.steps(50);
        program.runtime().wait_all();
        program.expect_values();
    }
    EXPECT_EQ(program.direct() - before, 20 * 50 * program.launches());
    const Statistics statistics = program.runtime().statistics();
    // Each read ends a row, and the launch behind it is in none.
    EXPECT_GE(statistics.launches.in_rows, 19 * (50 * program.launches() - 1));
    EXPECT_EQ(statistics.launches.tasks, statistics.workers[0].tasks);
}

/// A sample of progress counts the direct launch at which it is taken, as it does any other launch.
TEST_P(DirectLaunches, count_as_replayed_in_samples_of_progress) {
    Stencil program(GetParam());
    program.warm_up();
    program.steps(2000);
    program.runtime().wait_all();
    const Statistics statistics = program.runtime().statistics();
    const std::uint64_t not_replayed = statistics.launches.operations - statistics.traces.replayed;
    ASSERT_GE(statistics.progress.size(), 2U);
    for (const ProgressSample& sample : statistics.progress)
        EXPECT_EQ(sample.operations - sample.replayed, not_replayed) << sample.operations;
}

/// Tasks of some nanoseconds, without a word from the program: how long they take decides.
TEST_P(DirectLaunches, are_those_that_are_known_to_be_tiny) {
    if (is_sanitized) GTEST_SKIP() << "no task is tiny under a sanitizer";
    Options options = all_direct();
    options.lanes = LaneUse::automatic;
    Stencil program(GetParam(), options);
    EXPECT_TRUE(comes_true([&] {
        program.steps(100);
        program.runtime().wait_all();
        const Number before = program.direct();
        program.steps(10);
        return program.direct() - before == 10 * program.launches();
    }));
    program.expect_values();
}

TEST_P(DirectLaunches, are_none_while_somebody_wants_to_know_of_each) {
    std::vector<Options> all(5, all_direct());
    all[0].lanes = LaneUse::none;
    all[1].observe.record_graph = true;
    all[2].limits.region_bytes = std::size_t{1} << 30;
    all[3].checks.strict_reads = true;
    all[4].observe.time_phases = true;
    for (const Options& options : all) {
        Stencil program(GetParam(), options);
        program.warm_up();
        program.expect_values();
        EXPECT_EQ(program.direct(), 0U);
    }
}

TEST_P(DirectLaunches, wait_for_what_is_pending) {
    Stencil program(GetParam());
    Runtime& runtime = program.runtime();
    program.warm_up();
    const auto sum = runtime.create_region<Number>(extents(1), "sum");
    for (int round = 0; round < 30; ++round) {
        program.steps(10);
        runtime.fill(sum, 0);
        const Future<Number> first = runtime.launch(
            "first", [](View<const Number, 1> from) { return from[0]; }, read(program.now()));
        runtime.launch(
            "sum",
            [](View<Number, 1> to, View<const Number, 1> from, Number one) {
                for (std::int64_t i = 0; i < columns; ++i) to[0] += from[i];
                to[0] += one;
            },
            read_write(sum), read(program.now()), first);
        program.steps(3);
    }
    program.expect_values();
}

/// The failure, what suffers from it, and what goes on.
TEST_P(DirectLaunches, that_fail_tell_the_program_and_spare_what_needs_their_output) {
    Stencil program(GetParam());
    Runtime& runtime = program.runtime();
    for (int round = 0; round < 5; ++round) {
        program.begin();
        program.warm_up();
        const Number rows = runtime.statistics().launches.in_rows;
        program.steps(100);
        EXPECT_GT(runtime.statistics().launches.in_rows, rows);
        const Number before = program.direct();
        program.step(2);
        EXPECT_GT(program.direct(), before);
        program.steps(2);
        try {
            runtime.wait_all();
            ADD_FAILURE() << "nobody told of the failure";
        } catch (const TaskError& error) {
            EXPECT_NE(std::string(error.what()).find("broken"), std::string::npos) << error.what();
        }
        EXPECT_THROW((void)runtime.read(program.now()), TaskError);
        EXPECT_GT(runtime.statistics().workers[0].skipped, 0U);
    }
    program.begin();
    program.warm_up();
    program.expect_values();
}

TEST(DirectLaunch, tells_of_each_point_that_failed) {
    Runtime runtime(all_direct());
    const auto x = runtime.create_region<Number>(extents(8), "x");
    const Partition<1> each = tiles(x.bounds(), 8);
    runtime.fill(x, 0);
    const auto step = [&](Number failing) {
        runtime.launch(
            "step", each.colours(),
            [](Point<1> point, View<Number, 1> v, Number fails) {
                if ((fails >> static_cast<unsigned>(point[0]) & 1U) != 0)
                    throw std::runtime_error("point " + std::to_string(point[0]));
                ++v[point];
            },
            read_write(x, each), failing);
    };
    for (int i = 0; i < 200; ++i) step(0);
    runtime.wait_all();
    step(0);
    const Number before = runtime.statistics().launches.direct;
    step(0b10100010);
    EXPECT_EQ(runtime.statistics().launches.direct, before + 1);
    const std::vector<FailedTask> failed = runtime.take_failures();
    ASSERT_EQ(failed.size(), 3U);
    for (std::size_t i = 0; i < failed.size(); ++i) {
        const std::uint32_t point = std::array<std::uint32_t, 3>{1, 5, 7}[i];
        EXPECT_EQ(failed[i].point, point);
        EXPECT_NE(std::string(failed[i].error.what()).find("point " + std::to_string(point)),
                  std::string::npos);
    }
    step(0);  // five of its points have sound input
    EXPECT_THROW((void)runtime.read(x), TaskError);
    EXPECT_EQ(runtime.statistics().workers[0].skipped, 3U);
}

TEST(DirectLaunch, that_fails_for_ever_takes_no_memory) {
    Runtime runtime(all_direct());
    const auto x = runtime.create_region<Number>(extents(1), "x");
    runtime.fill(x, 0);
    const auto look = [&](bool fails) {
        runtime.launch(
            "look",
            [](View<const Number, 1>, bool broken) {
                if (broken) throw std::runtime_error("broken");
            },
            read(x), fails);
    };
    for (int i = 0; i < 200; ++i) look(false);
    runtime.wait_all();
    const Number before = runtime.statistics().launches.direct;
    for (int i = 0; i < 3000; ++i) look(true);
    EXPECT_EQ(runtime.statistics().launches.direct, before + 3000);
    EXPECT_THROW(runtime.wait_all(), TaskError);
    EXPECT_EQ(runtime.statistics().launches.failed, 3000U);
}

TEST(DirectLaunch, returns_values_and_failures_by_futures) {
    Runtime runtime(all_direct());
    const auto x = runtime.create_region<Number>(extents(3), "x");
    const Partition<1> each = tiles(x.bounds(), 3);
    runtime.fill(x, 5);
    for (Number i = 0; i < 400; ++i) {
        if (i == 200) runtime.wait_all();
        const bool fails = i % 100 == 99;
        const auto one = runtime.launch(
            "one",
            [](View<const Number, 1> v, Number scalar, bool broken) {
                if (broken) throw std::runtime_error("broken");
                return v[1] + scalar;
            },
            read(x), i, fails);
        const auto three = runtime.launch(
            "three", each.colours(),
            [](Point<1> point, View<const Number, 1> v, Number scalar) {
                return v[point] + scalar + static_cast<Number>(point[0]);
            },
            read(x, each), i);
        if (fails)
            EXPECT_THROW((void)one.get(), TaskError);
        else
            EXPECT_EQ(one.get(), 5 + i);
        for (std::int64_t p = 0; p < 3; ++p)
            EXPECT_EQ(three.get(Point<1>(p)), 5 + i + static_cast<Number>(p));
    }
    EXPECT_GT(runtime.statistics().launches.direct, 300U);
}

TEST(DirectLaunch, does_not_let_its_task_launch_or_wait) {
    Runtime runtime(all_direct());
    const auto nothing = [&](bool launches) {
        runtime.launch("outer", [&runtime, launches] {
            if (launches) runtime.launch("inner", [] {});
        });
    };
    for (int i = 0; i < 200; ++i) nothing(false);
    runtime.wait_all();
    nothing(false);
    const Number before = runtime.statistics().launches.direct;
    nothing(true);
    EXPECT_EQ(runtime.statistics().launches.direct, before + 1);
    try {
        runtime.wait_all();
        ADD_FAILURE() << "a task has launched";
    } catch (const TaskError& error) {
        EXPECT_NE(std::string(error.what()).find("from inside a task"), std::string::npos);
    }
    nothing(false);
    runtime.wait_all();
}

/// What a task captures lives as long as the task, and not longer.
TEST(DirectLaunch, gives_up_what_its_task_holds) {
    Runtime runtime(all_direct());
    const auto held = std::make_shared<Number>(0);
    const auto add = [&](bool fails) {
        runtime.launch("add", [held, fails] {
            ++*held;
            if (fails) throw std::runtime_error("broken");
        });
    };
    for (int i = 0; i < 200; ++i) add(false);
    runtime.wait_all();
    for (int i = 0; i < 50; ++i) {
        const Number before = runtime.statistics().launches.direct;
        add(i % 10 == 9);
        ASSERT_EQ(runtime.statistics().launches.direct, before + 1);
        ASSERT_EQ(held.use_count(), 1);
    }
    EXPECT_EQ(*held, 250U);
    EXPECT_EQ(runtime.take_failures().size(), 5U);
}

/// A closure of a kind that is made at run time is the program's own memory.
TEST(DirectLaunch, leaves_the_memory_of_the_program_as_it_was) {
    Runtime runtime(all_direct());
    const dynamic::TaskKind kind(
        {.name = "add",
         .function =
             [](const dynamic::TaskFrame& frame) { ++*static_cast<Number*>(frame.closure); },
         .closure = {.bytes = sizeof(Number), .align = alignof(Number)}});
    for (int i = 0; i < 300; ++i) {
        Number scalar = 7;
        dynamic::launch(runtime, kind, kind.site(), dynamic::single_task, {}, &scalar);
        if (i == 200) runtime.wait_all();
        ASSERT_EQ(scalar, 7U);
    }
    EXPECT_GT(runtime.statistics().launches.direct, 99U);
}

/// What a task of a kind that is made at run time holds. To move it may fail.
struct Held {
    std::shared_ptr<Number> sum;
    Region<char, 1> region;
    bool moves_badly = false;
    bool fails = false;

    static void move(void* to, void* from) {
        auto& held = *static_cast<Held*>(from);
        if (held.moves_badly) throw std::domain_error("moved badly");
        ::new (to) Held(std::move(held));
    }
    static void destroy(void* held) { static_cast<Held*>(held)->~Held(); }
    static void run(const dynamic::TaskFrame& frame) {
        const auto& held = *static_cast<const Held*>(frame.closure);
        ++*held.sum;
        ++view_of(frame.arguments[0])[0];
        if (held.fails) throw std::runtime_error("broken");
    }
};

class HeldLaunches {
  public:
    explicit HeldLaunches(const Options& options = all_direct()) : runtime_(options) {
        runtime_.fill(counts_, 0);
        for (int i = 0; i < 200; ++i) launch({sum_, {}});
        runtime_.wait_all();
        launch({sum_, {}});
    }
    [[nodiscard]] Runtime& runtime() { return runtime_; }
    [[nodiscard]] Number direct() const { return runtime_.statistics().launches.direct; }
    void launch(Held&& held) {
        const std::array uses{dynamic::use(any_counts_)};
        dynamic::launch(runtime_, kind_, kind_.site(), dynamic::single_task, uses, &held);
    }
    void add() { launch({sum_, {}}); }
    void reset() { runtime_.fill(counts_, 0); }
    [[nodiscard]] const std::shared_ptr<Number>& sum() const { return sum_; }
    [[nodiscard]] Number count() { return runtime_.read(counts_)[0]; }

  private:
    static constexpr std::array<dynamic::Requirement, 1> changes{{{Privilege::read_write}}};

    std::shared_ptr<Number> sum_ = std::make_shared<Number>(0);
    dynamic::TaskKind kind_{{.name = "hold",
                             .function = &Held::run,
                             .requirements = changes,
                             .closure = {.bytes = sizeof(Held),
                                         .align = alignof(Held),
                                         .move = &Held::move,
                                         .destroy = &Held::destroy}}};
    Runtime runtime_;
    Region<Number, 1> counts_ = runtime_.create_region<Number>(extents(1), "counts");
    dynamic::AnyRegion any_counts_ = dynamic::untyped(counts_);
};

/// Also where the task fails: what it held is given up with the call.
TEST(DirectLaunch, takes_what_an_untyped_task_holds_and_gives_it_up) {
    HeldLaunches program;
    for (int i = 0; i < 100; ++i) {
        const Number before = program.direct();
        Held held{program.sum(), {}};
        held.fails = i == 60;
        program.launch(std::move(held));
        ASSERT_EQ(held.sum, nullptr);
        if (i > 60) continue;  // some are pending
        ASSERT_EQ(program.direct(), before + 1);
        ASSERT_EQ(program.sum().use_count(), 1);
        if (i < 60) continue;
        EXPECT_EQ(program.runtime().take_failures().size(), 1U);
        program.reset();
    }
    EXPECT_EQ(program.count(), 39U);
    EXPECT_EQ(*program.sum(), 301U);
}

/// As it would give up the memory of a region that is in the closure of an operation.
TEST(DirectLaunch, gives_back_the_memory_of_a_region_that_its_closure_held) {
    constexpr std::int64_t bytes = std::int64_t{8} << 20;
    HeldLaunches program;
    Runtime& runtime = program.runtime();
    for (int i = 0; i < 100; ++i) program.add();
    auto region = runtime.create_region<char>(extents(bytes), "held");
    runtime.fill(region, 1);
    runtime.wait_all();
    for (int i = 0; i < 200; ++i) program.add();
    const Statistics before = runtime.statistics();
    program.launch({program.sum(), std::move(region)});
    EXPECT_EQ(program.direct(), before.launches.direct + 1);
    EXPECT_LE(runtime.statistics().storage.bytes_in_use + bytes, before.storage.bytes_in_use);
}

/// In a row and elsewhere; then the launch has not happened, and the next ones go on.
TEST(DirectLaunch, has_not_happened_if_its_closure_cannot_be_moved) {
    for (const bool is_in_row : {true, false}) {
        HeldLaunches program;
        Number launched = 201;
        for (int round = 0; round < 20; ++round) {
            for (int i = 0; i < 50; ++i, ++launched) program.add();
            if (!is_in_row) static_cast<void>(program.count());  // the row ends
            const Statistics before = program.runtime().statistics();
            Held held{program.sum(), {}};
            held.moves_badly = true;
            EXPECT_THROW(program.launch(std::move(held)), std::domain_error);
            EXPECT_EQ(held.sum, program.sum());
            held.moves_badly = false;
            const Statistics after = program.runtime().statistics();
            EXPECT_EQ(after.launches.direct, before.launches.direct);
            EXPECT_EQ(after.launches.operations, before.launches.operations);
            program.launch(std::move(held));
            ++launched;
            EXPECT_EQ(program.direct(), before.launches.direct + 1);
        }
        EXPECT_EQ(*program.sum(), launched);
        EXPECT_EQ(program.count(), launched);
        EXPECT_GT(program.runtime().statistics().launches.in_rows, 0U);
    }
}

template <std::size_t Bytes, std::size_t Align = alignof(Number)>
struct alignas(Align) Large {
    std::array<std::byte, Bytes> bytes;
};

/// They would need room in each call. Those of types are used where they are.
TEST(DirectLaunch, has_no_large_closure_of_an_untyped_kind) {
    const auto direct = []<class Closure>(const Closure& given) {
        Closure closure = given;
        Runtime runtime(all_direct());
        const dynamic::TaskKind kind(
            {.name = "large",
             .function =
                 [](const dynamic::TaskFrame& frame) {
                     const auto& taken = *static_cast<Closure*>(frame.closure);
                     if (reinterpret_cast<std::uintptr_t>(&taken) % alignof(Closure) != 0)
                         throw std::runtime_error("not aligned");
                     if (taken.bytes.front() != std::byte{3} || taken.bytes.back() != std::byte{4})
                         throw std::runtime_error("not what was given");
                 },
             .closure = {.bytes = sizeof(Closure), .align = alignof(Closure)}});
        closure.bytes.front() = std::byte{3};
        closure.bytes.back() = std::byte{4};
        for (int i = 0; i < 300; ++i) {
            dynamic::launch(runtime, kind, kind.site(), dynamic::single_task, {}, &closure);
            if (i == 200) runtime.wait_all();
        }
        runtime.wait_all();
        return runtime.statistics().launches.direct;
    };
    EXPECT_GT(direct(Large<256>{}), 99U);
    EXPECT_EQ(direct(Large<264>{}), 0U);
    EXPECT_GT(direct(Large<64, 16>{}), 99U);
    EXPECT_EQ(direct(Large<64, 32>{}), 0U);
}

/// Kinds of equal contents and places, each with a function of its own: the later one is not taken for the former,
/// although all else of the row repeats.
TEST(DirectLaunch, of_a_kind_that_has_ended_is_not_the_next_of_a_row) {
    constexpr std::array<dynamic::Requirement, 1> changes{{{Privilege::read_write}}};
    Runtime runtime(all_direct());
    const auto counts = runtime.create_region<Number>(extents(1), "counts");
    runtime.fill(counts, 0);
    const std::array uses{dynamic::use(dynamic::untyped(counts))};
    Number expected = 0;
    for (int round = 0; round < 12; ++round) {
        const bool is_odd = round % 2 != 0;
        const dynamic::TaskKind kind(
            {.name = "count",
             .function =
                 is_odd
                     ? +[](const dynamic::TaskFrame& frame) { view_of(frame.arguments[0])[0] += 2; }
                     : +[](const dynamic::TaskFrame&
                               frame) { view_of(frame.arguments[0])[0] *= 3; },
             .requirements = changes});
        for (int i = 0; i < 150; ++i) {
            const LaunchStatistics before = runtime.statistics().launches;
            dynamic::launch(runtime, kind, kind.site(), dynamic::single_task, uses);
            if (i == 0) {
                EXPECT_EQ(runtime.statistics().launches.direct, before.direct);
                EXPECT_EQ(runtime.statistics().launches.in_rows, before.in_rows);
            }
            expected = is_odd ? expected + 2 : expected * 3;
        }
        if (round % 3 == 0) runtime.wait_all();
    }
    EXPECT_GT(runtime.statistics().launches.in_rows, 0U);
    EXPECT_EQ(runtime.read(counts)[0], expected);
}

/// By futures, and failures by the words that a resolver has for its site.
TEST(DirectLaunch, of_an_untyped_kind_returns_values_and_failures) {
    constexpr std::array<dynamic::Requirement, 1> reads{{{Privilege::read}}};
    Runtime runtime(all_direct());
    const auto x = runtime.create_region<Number>(extents(3), "x");
    const dynamic::AnyPartition each = dynamic::untyped(tiles(x.bounds(), 3));
    runtime.fill(x, 5);
    const dynamic::TaskKind kind(
        {.name = "add",
         .function =
             [](const dynamic::TaskFrame& frame) {
                 const auto scalar = *static_cast<const Number*>(frame.closure);
                 const auto point = static_cast<Number>(frame.point[0]);
                 if (scalar % 100 == 99 && point == 2) throw std::runtime_error("broken");
                 ::new (frame.result)
                     Number(view_to_read(frame.arguments[0])[frame.point[0]] + scalar + point);
             },
         .domain_rank = 1,
         .requirements = reads,
         .closure = {.bytes = sizeof(Number), .align = alignof(Number)},
         .result_bytes = sizeof(Number)});
    const SiteResolver resolver([](std::uint64_t word, std::uint32_t detail) {
        return SiteResolver::Place{"program" + std::to_string(word) + ".py", detail + 1};
    });
    const std::array uses{dynamic::use(dynamic::untyped(x), each)};
    for (Number i = 0; i < 400; ++i) {
        if (i == 200) runtime.wait_all();
        Number scalar = i;
        const dynamic::AnyFuture sums =
            dynamic::launch_for_result(runtime, kind, LaunchSite(kind.name(), resolver, 4, 7),
                                       dynamic::line(3), uses, &scalar);
        if (i % 100 == 99) {
            try {
                static_cast<void>(dynamic::wait_for(runtime, sums, 0));
                ADD_FAILURE() << "nobody told of the failure";
            } catch (const TaskError& error) {
                EXPECT_NE(std::string(error.what()).find("program4.py:8"), std::string::npos)
                    << error.what();
            }
            continue;
        }
        for (std::size_t p = 0; p < 3; ++p)
            EXPECT_EQ(*static_cast<const Number*>(dynamic::wait_for(runtime, sums, p)), 5 + i + p);
    }
    EXPECT_GT(runtime.statistics().launches.direct, 150U);
}

/// Sums whose order matters, through kinds that are made at run time.
TEST(DirectLaunch, of_an_untyped_kind_may_reduce_one_element) {
    constexpr std::int64_t points = 4;
    const std::array<dynamic::Requirement, 2> requirements{
        {{Privilege::read}, {Privilege::reduce, &data::reduction_functions<Sum, double>()}}};
    std::array<double, 2> sums{};
    for (const bool is_direct : {false, true}) {
        Options options = all_direct();
        if (!is_direct) options.lanes = LaneUse::none;
        options.deterministic_reductions = true;
        Runtime runtime(options);
        const dynamic::TaskKind kind(
            {.name = "sum",
             .function =
                 [](const dynamic::TaskFrame& frame) {
                     const auto point = static_cast<std::size_t>(frame.point[0]);
                     *static_cast<double*>(frame.arguments[1].elements) +=
                         static_cast<const double*>(frame.arguments[0].elements)[point] / 3;
                 },
             .domain_rank = 1,
             .requirements = requirements});
        const auto values = runtime.create_region<double>(extents(points), "values");
        const auto sum = runtime.create_region<double>(extents(1), "sum");
        const auto colours = tiles(extents(points), points);
        {
            const auto view = runtime.write(values);
            for (std::int64_t i = 0; i < points; ++i)
                view[i] = 1e-3 + 1e12 / static_cast<double>(1 + i);
        }
        runtime.fill(sum, 0.0);
        const std::array uses{dynamic::use(dynamic::untyped(values), dynamic::untyped(colours)),
                              dynamic::use(dynamic::untyped(sum))};
        for (int i = 0; i < 600; ++i)
            dynamic::launch(runtime, kind, kind.site(), dynamic::line(points), uses);
        EXPECT_EQ(runtime.statistics().launches.direct > 300, is_direct);
        EXPECT_EQ(runtime.statistics().launches.in_rows > 300, is_direct);
        sums[is_direct ? 1 : 0] = runtime.read(sum)[0];
    }
    EXPECT_EQ(sums[0], sums[1]);
}

/// The program reads and writes parts of regions, without views, between launches of a row.
TEST_P(DirectLaunches, see_what_the_program_writes_into_parts) {
    Stencil program(GetParam());
    Runtime& runtime = program.runtime();
    program.warm_up();
    for (int round = 0; round < 40; ++round) {
        program.steps(60 + round % 5);
        const dynamic::AnyRegion now = dynamic::untyped(program.now());
        const dynamic::Box part{.lo = {round % columns, 0, 0}, .hi = {round % columns + 1, 1, 1}};
        const bool writes = round % 3 == 0;
        auto* const elements = static_cast<Number*>(dynamic::wait_for(
            runtime, now, part, writes ? Privilege::read_write : Privilege::read));
        ASSERT_EQ(elements[round % columns], program.value(round % columns));
        if (writes) program.set_value(round % columns, elements[round % columns] ^= 0x55);
    }
    program.expect_values();
}

TEST(DirectLaunch, gives_back_the_memory_of_dead_regions) {
    Runtime runtime(all_direct());
    constexpr std::int64_t bytes = 1 << 20;
    const auto sum = runtime.create_region<Number>(extents(1), "sum");
    runtime.fill(sum, 0);
    for (int i = 0; i < 400; ++i) {
        if (i == 200) runtime.wait_all();
        const auto temporary = runtime.create_region<char>(extents(bytes), "temporary");
        runtime.launch(
            "make", [](View<char, 1> v) { v[0] = 1; }, write(temporary));
        runtime.launch(
            "use",
            [](View<const char, 1> v, View<Number, 1> s) { s[0] += static_cast<Number>(v[0]); },
            read(temporary), read_write(sum));
    }
    EXPECT_GT(runtime.statistics().launches.direct, 300U);
    EXPECT_EQ(runtime.read(sum)[0], 400U);
    EXPECT_LE(runtime.statistics().storage.bytes_held, std::size_t{8 * bytes});
}

/// A step, then another task on what it wrote, after more steps or fewer: where the task leads back to, and so
/// whether it repeats one before, is told by what the row has noted late.
TEST_P(DirectLaunches, in_rows_are_what_later_launches_lead_back_to) {
    const auto replayed = [&](LaneUse lanes) {
        Options options = all_direct();
        options.lanes = lanes;
        Stencil program(GetParam(), options);
        program.steps(400);
        program.runtime().wait_all();
        for (int round = 0; round < 60; ++round) {
            program.steps(60 + round % 7);
            program.runtime().launch(
                "look", [](View<const Number, 1>) {}, read(program.now()));
        }
        program.expect_values();
        const Statistics statistics = program.runtime().statistics();
        EXPECT_EQ(statistics.launches.in_rows > 0, lanes == LaneUse::all);
        return statistics.traces.replayed;
    };
    EXPECT_EQ(replayed(LaneUse::all), replayed(LaneUse::none));
}

/// The launch that comes instead of the next one of a row, on its region; or the trace, without launches.
enum class Other { kind, colour, partition, trace };

class DirectRows : public ::testing::TestWithParam<Other> {};
INSTANTIATE_TEST_SUITE_P(EndWith, DirectRows,
                         ::testing::Values(Other::kind, Other::colour, Other::partition,
                                           Other::trace));

/// Adds one to the element that its closure names, if that is in the task's subset.
dynamic::TaskKind count_kind() {
    static constexpr std::array<dynamic::Requirement, 1> changes{{{Privilege::read_write}}};
    return dynamic::TaskKind(
        {.name = "count",
         .function =
             [](const dynamic::TaskFrame& frame) {
                 const auto at = *static_cast<const std::int64_t*>(frame.closure);
                 const dynamic::TaskArgument& argument = frame.arguments[0];
                 if (argument.subset->bounds().lo[0] <= at && at < argument.subset->bounds().hi[0])
                     ++view_of(argument)[at];
             },
         .requirements = changes,
         .closure = {.bytes = sizeof(std::int64_t), .align = alignof(std::int64_t)}});
}

TEST_P(DirectRows, leave_what_others_need) {
    const auto replayed = [&](LaneUse lanes, bool is_untyped) {
        Options options = all_direct();
        options.lanes = lanes;
        Runtime runtime(options);
        const auto counts = runtime.create_region<Number>(extents(columns), "counts");
        const Partition<1> ones = tiles(extents(columns), columns);
        const Partition<1> wider = halo(ones, 1);
        runtime.fill(counts, 0);
        Number steps = 0;
        const std::array kinds{count_kind(), count_kind()};
        const auto column_of = [&](std::size_t kind, std::int64_t i, const Partition<1>& tiles) {
            const std::array uses{
                dynamic::use(dynamic::untyped(counts), dynamic::untyped(tiles), i)};
            dynamic::launch(runtime, kinds[kind], kinds[kind].site(), dynamic::single_task, uses,
                            &i);
        };
        const auto column = [&](std::int64_t i, const Partition<1>& tiles) {
            if (is_untyped) return column_of(0, i, tiles);
            runtime.launch(
                "count", [](View<Number, 1> v, std::int64_t at) { ++v[at]; },
                read_write(counts, tiles, Point<1>(i)), i);
        };
        const auto step = [&](bool is_usual) {
            column(0, ones);
            if (is_usual || GetParam() == Other::trace)
                column(1, ones);
            else if (GetParam() == Other::partition)
                column(1, wider);
            else if (GetParam() == Other::colour)
                column(2, ones);
            else if (is_untyped)
                column_of(1, 1, ones);
            else
                runtime.launch(
                    "other", [](View<Number, 1> v) { ++v[1]; },
                    read_write(counts, ones, Point<1>(1)));
            column(!is_usual && GetParam() == Other::colour ? 1 : 2, ones);
            column(3, ones);
            ++steps;
        };
        for (int round = 0; round < 10; ++round) {
            for (int i = 0; i < 100; ++i) step(true);
            runtime.wait_all();
            for (int i = 0; i < 100; ++i) step(true);
            if (GetParam() == Other::trace) {
                runtime.begin_trace(1);
                runtime.end_trace(1);
            }
            step(false);
        }
        const auto view = runtime.read(counts);
        for (std::int64_t i = 0; i < columns; ++i) EXPECT_EQ(view[i], steps);
        const Statistics statistics = runtime.statistics();
        EXPECT_EQ(statistics.launches.in_rows > 0, lanes == LaneUse::all);
        return statistics.traces.replayed;
    };
    for (const bool is_untyped : {false, true})
        EXPECT_EQ(replayed(LaneUse::all, is_untyped), replayed(LaneUse::none, is_untyped));
}

/// A launch of the loop that uses another region than the launch before which the row would repeat, for once. It was
/// used as long ago, so the loop goes on.
TEST(DirectLaunch, on_another_region_ends_a_row_but_not_its_loop) {
    constexpr std::size_t length = 70;  // longer than a window
    const auto replayed = [&](LaneUse lanes) {
        Options options = all_direct();
        options.lanes = lanes;
        Runtime runtime(options);
        std::array<Region<Number, 1>, 7> turns;
        std::array<Region<Number, 1>, 5> counts;
        for (auto& region : turns) region = runtime.create_region<Number>(extents(1), "turn");
        for (auto& region : counts) {
            region = runtime.create_region<Number>(extents(1), "counts");
            runtime.fill(region, 0);
        }
        std::mt19937 random(1);  // nothing repeats within a turn
        std::array<std::size_t, length> order;
        for (std::size_t& region : order) region = random() % counts.size();
        Number made = 0;
        const auto turn = [&](std::size_t used) {
            runtime.launch(
                "make", [](View<Number, 1> v, Number n) { v[0] = n; }, write(turns[used]), ++made);
            runtime.launch(
                "use", [](View<const Number, 1> v, View<Number, 1> c) { c[0] += v[0]; },
                read(turns[used]), read_write(counts[0]));
            for (std::size_t i = 2; i < length; ++i)
                runtime.launch(
                    "count", [](View<Number, 1> v) { ++v[0]; }, read_write(counts[order[i]]));
        };
        for (std::size_t i = 0; i < 60; ++i) {
            turn(i % 6);
            if (i < 30) runtime.wait_all();
        }
        const LaunchStatistics before = runtime.statistics().launches;
        for (std::size_t round = 0; round < 4; ++round) {
            for (std::size_t i = 0; i < 5; ++i) turn(i);
            turn(6);
            for (std::size_t i = 0; i < 18; ++i) turn(i % 6);
        }
        const Statistics after = runtime.statistics();
        if (lanes == LaneUse::all) {
            EXPECT_EQ(after.launches.direct - before.direct, 4 * 24 * length);
            EXPECT_GT(after.launches.in_rows - before.in_rows, 4 * 10 * length);
            EXPECT_LT(after.launches.in_rows - before.in_rows, 4 * 23 * length);
        }
        Number expected = 0;
        for (Number n = 1; n <= made; ++n) expected += n;
        for (std::size_t i = 2; i < length; ++i) expected += order[i] == 0 ? made : 0;
        EXPECT_EQ(runtime.read(counts[0])[0], expected);
        return after.traces.replayed;
    };
    EXPECT_EQ(replayed(LaneUse::all), replayed(LaneUse::none));
}

/// A region dies before a launch at which the pipeline looks at what has retired.
TEST(DirectLaunch, of_a_row_that_ends_when_a_region_has_died_is_what_the_next_leads_back_to) {
    const auto replayed = [](LaneUse lanes) {
        Options options = all_direct();
        options.lanes = lanes;
        Stencil program(Launches::index, options);
        Runtime& runtime = program.runtime();
        program.steps(400);
        runtime.wait_all();
        program.steps(100);
        for (int round = 0; round < 5; ++round) {
            auto temporary = runtime.create_region<Number>(extents(1), "temporary");
            while (runtime.statistics().launches.operations % 32 != 31) program.step();
            temporary = {};
            program.steps(100);
        }
        program.expect_values();
        const Statistics statistics = runtime.statistics();
        EXPECT_EQ(statistics.launches.in_rows > 0, lanes == LaneUse::all);
        return statistics.traces.replayed;
    };
    EXPECT_EQ(replayed(LaneUse::all), replayed(LaneUse::none));
}

/// A wait ends no row, but is when their memory can be given back; so is the end of the next launch.
TEST(DirectLaunch, in_a_row_leaves_no_dead_regions_behind_a_wait_or_a_launch) {
    constexpr std::size_t bytes = std::size_t{8} << 20;
    for (const bool waits : {true, false}) {
        Stencil program(Launches::index);
        Runtime& runtime = program.runtime();
        program.warm_up();
        auto temporary =
            runtime.create_region<Number>(extents(bytes / sizeof(Number)), "temporary");
        runtime.fill(temporary, 0);
        program.steps(400);
        const Statistics before = runtime.statistics();
        program.step();
        EXPECT_EQ(runtime.statistics().launches.in_rows, before.launches.in_rows + 1);
        temporary = {};
        if (waits)
            runtime.wait_all();
        else
            program.step();
        EXPECT_LE(runtime.statistics().storage.bytes_in_use + bytes, before.storage.bytes_in_use);
        program.steps(100);
        program.expect_values();
    }
}

TEST(DirectLaunch, of_fewer_points_is_in_no_row) {
    Runtime runtime(all_direct());
    const auto counts = runtime.create_region<Number>(extents(columns), "counts");
    const Partition<1> ones = tiles(extents(columns), columns);
    runtime.fill(counts, 0);
    const auto step = [&](std::int64_t points) {
        runtime.launch(
            "count", extents(points), [](Point<1> i, View<Number, 1> v) { ++v[i]; },
            read_write(counts, ones));
    };
    constexpr Number rounds = 5, steps = 200;
    for (Number round = 0; round < rounds; ++round) {
        for (Number i = 0; i < steps; ++i) step(columns);
        runtime.wait_all();
        for (Number i = 0; i < steps; ++i) step(columns);
        step(1);
    }
    EXPECT_GT(runtime.statistics().launches.in_rows, 0U);
    const auto view = runtime.read(counts);
    for (std::int64_t i = 0; i < columns; ++i)
        EXPECT_EQ(view[i], 2 * rounds * steps + (i == 0 ? rounds : 0));
}

/// Sums of values whose order matters: direct launches fold partial results as others do, also where one point fails.
TEST(DirectLaunch, may_reduce_one_element) {
    constexpr std::int64_t points = 4;
    constexpr int steps = 600;
    const auto colours = tiles(extents(points), points);
    std::array<double, 2> sums{};
    for (const bool is_direct : {false, true}) {
        Options options = all_direct();
        if (!is_direct) options.lanes = LaneUse::none;
        options.deterministic_reductions = true;
        Runtime runtime(options);
        const auto values = runtime.create_region<double>(extents(points), "values");
        const auto sum = runtime.create_region<double>(extents(1), "sum");
        const auto broken = runtime.create_region<double>(extents(1), "broken");
        runtime.fill(values, 1.0);
        runtime.fill(sum, 0.0);
        runtime.fill(broken, 0.0);
        const auto add = [&](const Region<double, 1>& into, bool fails) {
            runtime.launch(
                "sum", colours.colours(),
                [](Point<1> point, View<const double, 1> v, ReduceView<Sum, double, 1> s,
                   bool is_bad) {
                    s.reduce(0, v[point] / 3);
                    if (is_bad && point[0] == 2) throw std::runtime_error("broken");
                },
                read(values, colours), reduce<Sum>(into), fails);
        };
        const auto step = [&](int number) {
            runtime.launch(
                "grow", colours.colours(),
                [](Point<1> point, View<double, 1> v, int n) {
                    v[point] = 1e-3 * n + 1e12 / static_cast<double>(1 + point[0]);
                },
                read_write(values, colours), number);
            add(sum, false);
        };
        for (int i = 0; i < steps; ++i) step(i);
        const Statistics before = runtime.statistics();
        EXPECT_EQ(before.launches.direct > steps, is_direct);  // half of the launches reduce
        EXPECT_EQ(before.launches.in_rows > steps, is_direct);
        sums[is_direct ? 1 : 0] = runtime.read(sum)[0];

        for (int i = 0; i < 100; ++i) {
            step(i);
            add(broken, i == 90);
        }
        EXPECT_EQ(runtime.take_failures().size(), 1U);
        EXPECT_THROW(static_cast<void>(runtime.read(broken)), TaskError);
        EXPECT_NO_THROW(static_cast<void>(runtime.read(sum)));
    }
    EXPECT_EQ(sums[0], sums[1]);
}

/// What is noted of them is what an operation would note: with deterministic reductions they are ordered.
TEST(DirectLaunch, notes_reductions_as_operations_do) {
    constexpr std::int64_t points = 4;
    const auto colours = tiles(extents(points), points);
    for (const bool is_deterministic : {false, true}) {
        Options options = all_direct();
        options.deterministic_reductions = is_deterministic;
        options.checks.verify = 1;
        Runtime runtime(options);
        const auto values = runtime.create_region<Number>(extents(points), "values");
        const auto sum = runtime.create_region<Number>(extents(1), "sum");
        runtime.fill(values, 1);
        runtime.fill(sum, 0);
        constexpr int steps = 600;
        for (int i = 0; i < 2 * steps; ++i)
            runtime.launch(
                "sum", colours.colours(),
                [](Point<1> point, View<const Number, 1> v, ReduceView<Sum, Number, 1> s) {
                    s.reduce(0, v[point]);
                },
                read(values, colours), reduce<Sum>(sum));
        const Statistics seen = runtime.statistics();
        EXPECT_GT(seen.launches.direct, 1U * steps);
        EXPECT_GT(seen.traces.verified, 1U * steps);
        EXPECT_EQ(seen.traces.verify_failures, 0U);
        EXPECT_EQ(values_of(runtime, sum)[0], Number{2 * steps * points});
    }
}

/// Each reduction of a launch has a partial result of its own, also where elements are tiles of a larger region.
TEST(DirectLaunch, may_reduce_several_regions_and_tiles_of_one_element) {
    constexpr std::int64_t points = 4;
    constexpr int steps = 1200;
    Runtime runtime(all_direct());
    const auto colours = tiles(extents(points), points);
    const auto counts = runtime.create_region<Number>(extents(points), "counts");
    const auto sum = runtime.create_region<Number>(extents(1), "sum");
    const auto top = runtime.create_region<Number>(extents(1), "top");
    for (const auto& region : {counts, sum, top}) runtime.fill(region, 0);
    for (Number i = 0; i < steps; ++i)
        runtime.launch(
            "reduce", colours.colours(),
            [](Point<1> point, ReduceView<Sum, Number, 1> c, ReduceView<Sum, Number, 1> s,
               ReduceView<Maximum, Number, 1> t, Number turn) {
                c.reduce(point, 1 + static_cast<Number>(point[0]));
                s.reduce(0, 1);
                t.reduce(0, turn);
            },
            reduce<Sum>(counts, colours), reduce<Sum>(sum), reduce<Maximum>(top), i);
    EXPECT_GT(runtime.statistics().launches.in_rows, steps / 2U);
    EXPECT_EQ(values_of(runtime, counts),
              (std::vector<Number>{steps, 2 * steps, 3 * steps, 4 * steps}));
    EXPECT_EQ(values_of(runtime, sum)[0], Number{steps * points});
    EXPECT_EQ(values_of(runtime, top)[0], Number{steps - 1});
}

struct Wide {
    std::array<std::int64_t, 9> words;  // 72 bytes
};
struct WideSum {
    static Wide identity() { return {}; }
    static void fold(Wide& into, const Wide& value) {
        for (std::size_t i = 0; i < into.words.size(); ++i) into.words[i] += value.words[i];
    }
};

TEST(DirectLaunch, does_not_reduce_large_elements) {
    constexpr int steps = 1200;
    Runtime runtime(all_direct());
    const auto sum = runtime.create_region<Wide>(extents(1), "sum");
    runtime.fill(sum, Wide{});
    for (int i = 0; i < steps; ++i)
        runtime.launch(
            "sum", extents(4),
            [](Point<1> point, ReduceView<WideSum, Wide, 1> s) {
                Wide value{};
                value.words[8] = 1 + point[0];
                s.reduce(0, value);
            },
            reduce<WideSum>(sum));
    EXPECT_EQ(runtime.statistics().launches.direct, 0U);
    EXPECT_EQ(runtime.read(sum)[0].words[8], 10 * steps);
}

TEST(DirectLaunch, does_not_reduce_where_one_point_has_several_elements) {
    constexpr int steps = 1200;
    Runtime runtime(all_direct());
    const auto sums = runtime.create_region<Number>(extents(3), "sums");
    const auto own = tiles(extents(3), 3);
    const auto parts = halo(own, 1, 0);  // 0 | 0 1 | 1 2
    runtime.fill(sums, 0);
    for (int i = 0; i < steps; ++i)
        runtime.launch(
            "sums", parts.colours(),
            [](ReduceView<Sum, Number, 1> s) {
                for (const Point<1>& p : s.domain()) s.reduce(p, 1);
            },
            reduce<Sum>(sums, parts));
    EXPECT_EQ(runtime.statistics().launches.direct, 0U);
    EXPECT_EQ(values_of(runtime, sums), (std::vector<Number>{2 * steps, 2 * steps, steps}));
}

/// Partial results of more elements have memory of their own.
TEST(DirectLaunch, does_not_reduce_several_elements) {
    Runtime runtime(all_direct());
    const auto sums = runtime.create_region<Number>(extents(2), "sums");
    runtime.fill(sums, 0);
    for (int i = 0; i < 1200; ++i)
        runtime.launch(
            "sums", extents(3),
            [](Point<1> point, ReduceView<Sum, Number, 1> s) { s.reduce(point[0] % 2, 1); },
            reduce<Sum>(sums));
    EXPECT_EQ(runtime.statistics().launches.direct, 0U);
    EXPECT_EQ(values_of(runtime, sums), (std::vector<Number>{2400, 1200}));
}

TEST(DirectLaunch, is_refused_where_the_host_holds_a_view) {
    Stencil program(Launches::index);
    program.warm_up();
    for (int i = 0; i < 5; ++i) {
        {
            const auto view = program.runtime().read(program.now());
            program.step();  // reads it
            EXPECT_THROW(program.step(), UsageError);
        }
        program.steps(20);
    }
}

/// With several workers, launches are direct while the launching thread runs alone (runtime/alone_switch.hpp).
[[nodiscard]] Options in_turns(unsigned workers) {
    Options options = all_direct();
    options.workers = workers;
    options.lanes = LaneUse::turns;
    options.window = 128;
    return options;
}

TEST_P(DirectLaunches, take_turns_with_shared_ones_on_several_workers) {
    for (const unsigned workers : {2U, 4U}) {
        Stencil stencil(GetParam(), in_turns(workers));
        for (int part = 0; part < 40; ++part) {
            stencil.steps(300);
            stencil.expect_values();
        }
        const Statistics statistics = stencil.runtime().statistics();
        EXPECT_GT(statistics.launches.direct, statistics.launches.operations / 8);
        EXPECT_LT(statistics.launches.direct, statistics.launches.operations * 7 / 8);
        EXPECT_GT(statistics.launches.in_rows, 0U);
    }
}

TEST_P(DirectLaunches, that_fail_between_shared_ones_taint_what_they_write) {
    Stencil stencil(GetParam(), in_turns(2));
    stencil.steps(1'000);
    std::mt19937 random(7);
    for (int part = 0; part < 60; ++part) {
        stencil.steps(static_cast<int>(random() % 200));
        stencil.step(static_cast<std::int64_t>(random() % columns));
        stencil.steps(3);
        EXPECT_THROW(stencil.runtime().wait_all(), TaskError);
        EXPECT_THROW((void)stencil.runtime().read(stencil.now()), TaskError);
        static_cast<void>(stencil.runtime().take_failures());
        stencil.begin();
        stencil.steps(150);
        stencil.expect_values();
    }
    EXPECT_GT(stencil.direct(), 0U);
}

/// There nobody looks whether it still pays.
TEST_P(DirectLaunches, are_no_reason_to_run_alone_in_a_manual_trace) {
    Stencil stencil(GetParam(), in_turns(2));
    Runtime& runtime = stencil.runtime();
    const auto x = runtime.create_region<Number>(extents(1), "x");
    runtime.fill(x, 0);
    for (int round = 0; round < 3; ++round) {
        ASSERT_TRUE(comes_true([&] {
            const Number before = stencil.direct();
            stencil.step();
            return stencil.direct() != before;
        }));
        std::atomic<bool> has_returned = false;
        runtime.begin_trace(1);
        runtime.launch(
            "look",
            [](View<Number, 1> inside, std::atomic<bool>* returned) {
                if (!comes_true([&] { return returned->load(); })) inside[0] = 1;
            },
            read_write(x), &has_returned);
        has_returned = true;
        runtime.end_trace(1);
        ASSERT_EQ(runtime.read(x)[0], 0U) << "it ran inside of its call";
    }
}

/// Tiny tasks outside of the loop join a batch, which the other worker publishes before it sleeps.
TEST(DirectLaunch, alone_has_no_say_in_the_first_launch_that_is_shared_again) {
    Stencil stencil(Launches::index, in_turns(2));
    Runtime& runtime = stencil.runtime();
    const auto x = runtime.create_region<Number>(extents(1), "x");
    const auto late = runtime.create_region<Number>(extents(1), "late");
    runtime.fill(x, 0);
    runtime.fill(late, 0);
    const auto tick = [&] {
        runtime.launch(
            "tick", [](View<Number, 1> inside) { ++inside[0]; }, read_write(x));
    };
    for (int i = 0; i < 100; ++i) tick();  // their cost is known
    for (int round = 0; round < 10; ++round) {
        ASSERT_TRUE(comes_true([&] {
            const Number before = stencil.direct();
            stencil.step();
            return stencil.direct() != before;
        }));
        runtime.fill(late, 0);  // the other worker looks for work
        for (int i = 0; i < 3; ++i) tick();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        std::atomic<bool> has_returned = false;
        runtime.begin_trace(1);  // from here on launches are shared
        runtime.launch(
            "look",
            [](View<Number, 1> inside, std::atomic<bool>* returned) {
                if (!comes_true([&] { return returned->load(); })) inside[0] = 1;
            },
            read_write(late), &has_returned);
        has_returned = true;
        runtime.end_trace(1);
        ASSERT_EQ(runtime.read(late)[0], 0U) << "it ran inside of its call";
    }
}

/// Launches that need records are as many as may be pending, after many that needed none.
TEST(DirectLaunch, leaves_memory_reserved_for_a_window_of_launches_with_records) {
    Options options;
    options.workers = 1;  // so that long tasks wait for the program to wait
    Runtime runtime(options);
    const auto x = runtime.create_region<Number>(extents(1), "x");
    runtime.fill(x, 0);
    const auto launch_short = [&] {
        runtime.launch(
            "short", [](View<Number, 1> inside) { ++inside[0]; }, read_write(x));
    };
    const auto launch_long = [&] {
        runtime.launch(
            "long",
            [](View<Number, 1> inside) {
                const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(50);
                while (std::chrono::steady_clock::now() < end) ++inside[0];
            },
            read_write(x));
    };
    const auto after_each = [&](std::uint64_t count, const auto& launch) {
        for (std::uint64_t i = 0; i < count; ++i) {
            launch();
            runtime.wait_all();
        }
    };
    after_each(100, launch_short);  // so that their cost is known
    const auto direct = [&] { return runtime.statistics().launches.direct; };
    for (int tries = 0; tries < 1'000 && direct() < 20 * options.window; ++tries)
        for (std::uint64_t i = 0; i < options.window; ++i) launch_short();
    after_each(options.window + 100, launch_long);  // what else takes memory has it
    const std::uint64_t before = testing::allocations();
    for (std::uint64_t i = 0; i < options.window - 2; ++i) launch_long();
    EXPECT_EQ(testing::allocations(), before);
}

/// Whenever a row ends, the accesses of up to a window of its launches are noted. How many pieces of memory that takes
/// depends on where the latest one ends, so an end took one more than all before, at any time.
TEST(DirectLaunch, rows_take_memory_for_what_they_note_late_before_they_begin) {
    Options options;
    options.workers = 1;
    options.lanes = LaneUse::all;
    options.window = 128;
    for (int lead = 0; lead < 4; ++lead) {
        Runtime runtime(options);
        std::array<Region<Number, 1>, 4> x;
        for (auto& region : x) {
            region = runtime.create_region<Number>(extents(1), "x");
            runtime.fill(region, 0);
        }
        const auto turn = [&] {
            runtime.launch(
                "turn",
                [](View<Number, 1> a, View<Number, 1> b, View<Number, 1> c, View<Number, 1> d) {
                    a[0] += b[0] + c[0] + d[0];
                },
                read_write(x[0]), read_write(x[1]), read_write(x[2]), read_write(x[3]));
        };
        const auto launches = [&] { return runtime.statistics().launches; };
        for (int i = 0; i < lead; ++i) runtime.fill(x[0], 0);
        while (launches().in_rows == 0 && launches().operations < 10'000) turn();
        ASSERT_GT(launches().in_rows, 0U);
        // Memory for a window of operations is reserved after 256 operations, after 512, and so on.
        while (launches().operations < 17'000) turn();
        const auto end_rows = [&](std::uint64_t rows, std::uint64_t more) {
            const std::uint64_t before = testing::allocations();
            for (std::uint64_t row = 0; row < rows; ++row) {
                for (std::uint64_t i = 0; i <= row * more; ++i) turn();
                EXPECT_EQ(runtime.read(x[1])[0], 0U);
            }
            return testing::allocations() - before;
        };
        (void)end_rows(40, 0);
        const std::uint64_t of_views = end_rows(40, 0);
        EXPECT_EQ(end_rows(40, 9), of_views) << lead;
    }
}

TEST_P(DirectLaunches, are_tried_on_several_workers_where_launches_are_short) {
    Options options;
    options.workers = 2;
    options.window = 16;
    Stencil stencil(GetParam(), options);
    for (int tries = 0; tries < 1'000 && stencil.direct() == 0; ++tries) stencil.steps(500);
    EXPECT_GT(stencil.direct(), 0U);
    stencil.steps(5'000);
    stencil.expect_values();
}

}  // namespace
}  // namespace refrain::direct_launch_test
