/// Rows: launches in lanes of which nothing but number and scalars is written until somebody asks.
#include "base/asymmetric_fence.hpp"
#include "refrain/dynamic.hpp"
#include "runtime/harness.hpp"

#include <array>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <vector>

namespace refrain::rows_test {
namespace {

using Number = std::uint64_t;

constexpr std::int64_t tile_count = 8;
constexpr unsigned workers = 2;

[[nodiscard]] Options all_in_lanes() {
    Options options;
    options.workers = workers;
    options.lanes = LaneUse::all;
    options.window = 128;
    return options;
}
/// Launches may have to wait for memory, so there are no rows; there is more than enough.
[[nodiscard]] Options without_rows() {
    Options options = all_in_lanes();
    options.limits.region_bytes = std::size_t{1} << 40;
    return options;
}

void add_neighbours(Point<1> tile, View<const Number, 1> from, View<Number, 1> to, Number scalar,
                    std::int64_t failing) {
    const std::int64_t i = tile[0];
    if (i == failing) throw std::runtime_error("broken");
    to[i] = 3 * (i > 0 ? from[i - 1] : 0) + 5 * from[i] + scalar;
}

/// Moves numbers from region to region, and the same in sequence.
class Wave {
  public:
    explicit Wave(std::size_t regions, const Options& options = all_in_lanes())
        : runtime_(options) {
        for (std::size_t i = 0; i < regions; ++i)
            regions_.push_back(runtime_.create_region<Number>(extents(tile_count), "wave"));
        begin();
    }

    [[nodiscard]] Runtime& runtime() { return runtime_; }
    [[nodiscard]] const Region<Number, 1>& now() const { return regions_[at_]; }
    [[nodiscard]] Number value(std::int64_t i) const {
        return values_[static_cast<std::size_t>(i)];
    }
    void begin() {
        for (const auto& region : regions_) runtime_.fill(region, 1);
        values_.assign(tile_count, 1);
    }
    void step(std::int64_t failing = -1) {
        const std::size_t next = (at_ + 1) % regions_.size();
        runtime_.launch("wave", tiles_.colours(), add_neighbours, read(regions_[at_], halos_),
                        write(regions_[next], tiles_), steps_, failing);
        at_ = next;
        std::vector<Number> after(values_.size());
        for (std::size_t i = 0; i < after.size(); ++i)
            after[i] = 3 * (i > 0 ? values_[i - 1] : 0) + 5 * values_[i] + steps_;
        values_ = std::move(after);
        ++steps_;
    }
    /// The host writes other numbers where the waves are.
    void overwrite() {
        const auto view = runtime_.write(now());
        for (std::int64_t i = 0; i < tile_count; ++i) {
            values_[static_cast<std::size_t>(i)] = steps_ + static_cast<Number>(i);
            view[i] = value(i);
        }
    }
    void steps(int count) {
        for (int i = 0; i < count; ++i) step();
    }
    [[nodiscard]] LaunchStatistics launches() const { return runtime_.statistics().launches; }
    /// Goes on until the latest launch was in a row.
    [[nodiscard]] bool reaches_row() {
        return comes_true([&] {
            steps(50);
            const Number before = launches().in_rows;
            step();
            return launches().in_rows == before + 1;
        });
    }
    void expect_values() {
        const auto view = runtime_.read(now());
        for (std::int64_t i = 0; i < tile_count; ++i)
            ASSERT_EQ(view[i], value(i)) << "element " << i;
    }

  private:
    Runtime runtime_;
    std::vector<Region<Number, 1>> regions_;
    Partition<1> tiles_ = tiles(extents(tile_count), tile_count);
    Partition<1> halos_ = halo(tiles_, 1);
    std::vector<Number> values_;
    std::size_t at_ = 0;  // the region that has the numbers
    Number steps_ = 0;
};

class Rows : public ::testing::Test {
  protected:
    void SetUp() override {
        if (!base::has_asymmetric_fence()) GTEST_SKIP() << "lanes need membarrier(2)";
    }
};

TEST_F(Rows, pass_scalars_to_regions_that_change_places) {
    for (const std::size_t regions : {2U, 3U}) {
        Wave program(regions);
        ASSERT_TRUE(program.reaches_row()) << regions << " regions";
        program.steps(1000);
        program.expect_values();
    }
}

TEST_F(Rows, end_where_the_host_reads_and_begin_again) {
    Wave program(2);
    for (int i = 0; i < 40; ++i) {
        ASSERT_TRUE(program.reaches_row());
        program.steps(i);
        program.expect_values();
    }
}

/// Counted: of the launches between two reads all but the first are in a row.
TEST_F(Rows, begin_again_at_once_after_the_host_has_read) {
    constexpr Number rounds = 30;
    constexpr int length = 10;
    ASSERT_TRUE(comes_true([&] {
        Wave program(2);
        if (!program.reaches_row()) return false;
        const Number before = program.launches().in_rows;
        for (Number i = 0; i < rounds; ++i) {
            program.expect_values();
            program.steps(length);
        }
        program.expect_values();
        return program.launches().in_rows - before == rounds * (length - 1);
    }));
}

/// Counted: all of them, and one row has more launches than any window.
TEST_F(Rows, stay_open_while_the_program_waits_for_all_launches) {
    constexpr Number rounds = 30;  // 300 launches: more than a window
    constexpr int length = 10;
    ASSERT_TRUE(comes_true([&] {
        Wave program(2);
        if (!program.reaches_row()) return false;
        const Number before = program.launches().in_rows;
        for (Number i = 0; i < rounds; ++i) {
            program.runtime().wait_all();
            program.steps(length);
        }
        program.expect_values();
        return program.launches().in_rows - before == rounds * length;
    }));
}

TEST_F(Rows, tell_a_program_that_waits_what_has_failed) {
    Wave program(2);
    ASSERT_TRUE(program.reaches_row());
    program.runtime().wait_all();
    program.steps(5);
    program.step(3);
    program.steps(5);
    EXPECT_THROW(program.runtime().wait_all(), TaskError);
    program.begin();
    program.steps(100);
    program.runtime().wait_all();
    program.expect_values();
}

/// A convergence check every few steps, of launches that do not go into lanes and a read.
TEST_F(Rows, span_launches_of_the_loop_that_do_not_go_into_lanes) {
    const auto run = [] {
        Wave program(2);
        Runtime& runtime = program.runtime();
        const Partition<1> each = tiles(extents(tile_count), tile_count);
        const auto sum = runtime.create_region<Number>(extents(1), "sum");
        for (int check = 0; check < 60; ++check) {
            program.steps(24);
            runtime.fill(sum, 0);
            runtime.launch(
                "sum", each.colours(),
                [](Point<1> tile, View<const Number, 1> from, ReduceView<Sum, Number, 1> to) {
                    to.reduce(0, from[tile]);
                },
                read(program.now(), each), reduce<Sum>(sum));
            Number expected = 0;
            for (std::int64_t i = 0; i < tile_count; ++i) expected += program.value(i);
            EXPECT_EQ(runtime.read(sum)[0], expected);
        }
        program.expect_values();
        return program.launches();
    };
    ASSERT_TRUE(comes_true([&] {
        const LaunchStatistics launches = run();
        return launches.in_rows > launches.operations / 4;
    }));
}

/// While the host holds a view, what it forbids is refused, in rows as ever.
TEST_F(Rows, refuse_what_a_view_of_the_host_forbids) {
    Wave program(2);
    const auto other = program.runtime().create_region<Number>(extents(1), "other");
    program.runtime().fill(other, 0);
    for (const bool holds_another : {false, true}) {
        std::optional<HostView<const Number, 1>> another;
        if (holds_another) another.emplace(program.runtime().read(other));
        for (int i = 0; i < 5; ++i) {
            ASSERT_TRUE(program.reaches_row());
            {
                const auto view = program.runtime().read(program.now());
                program.step();  // reads it
                EXPECT_THROW(program.step(), UsageError);
            }
            program.steps(20);
            program.expect_values();
        }
    }
}

TEST_F(Rows, end_where_the_host_overwrites_a_region) {
    Wave program(2);
    for (int i = 0; i < 20; ++i) {
        ASSERT_TRUE(program.reaches_row());
        program.steps(i);
        program.expect_values();
        const Number before = program.launches().in_rows;
        program.overwrite();
        program.steps(40);
        EXPECT_EQ(program.launches().in_rows, before);
        program.expect_values();
    }
}

TEST_F(Rows, end_where_the_host_writes_a_region) {
    Wave program(2);
    for (int i = 0; i < 20; ++i) {
        ASSERT_TRUE(program.reaches_row());
        program.steps(i);
        Number sum = 0;
        {
            const auto view = program.runtime().read_write(program.now());
            for (std::int64_t at = 0; at < tile_count; ++at) {
                ASSERT_EQ(view[at], program.value(at));
                view[at] = view[at];
                sum += view[at];
            }
        }
        ASSERT_NE(sum, 0U);
        program.steps(100);
        program.expect_values();
    }
}

TEST_F(Rows, are_waited_for_by_parts) {
    Wave program(2);
    for (std::int64_t i = 0; i < 3 * tile_count; ++i) {
        ASSERT_TRUE(program.reaches_row());
        const std::int64_t at = i % tile_count;
        const dynamic::AnyRegion region = dynamic::untyped(program.now());
        const dynamic::Box part{.lo = {at, 0, 0}, .hi = {at + 1, 1, 1}};
        if (i % 2 == 0) {
            while (!dynamic::is_ready(program.runtime(), region, part, Privilege::read)) {
            }
        }
        const auto* elements = static_cast<const Number*>(
            dynamic::wait_for(program.runtime(), region, part, Privilege::read));
        ASSERT_EQ(elements[at], program.value(at));
    }
}

TEST_F(Rows, end_with_other_launches_that_wait_for_theirs) {
    Wave program(2);
    const Partition<1> halves = tiles(extents(tile_count), 2);
    const auto copy = program.runtime().create_region<Number>(extents(tile_count), "copy");
    for (int i = 0; i < 20; ++i) {
        ASSERT_TRUE(program.reaches_row());
        program.steps(i % 7);
        program.runtime().launch(
            "copy", halves.colours(),
            [](Point<1>, View<const Number, 1> from, View<Number, 1> to) {
                for (Point<1> p : to.domain()) to[p] = from[p];
            },
            read(program.now(), halves), write(copy, halves));
        std::vector<Number> expected;
        for (std::int64_t at = 0; at < tile_count; ++at) expected.push_back(program.value(at));
        program.steps(i);
        program.runtime().fence();
        program.steps(3);
        const auto view = program.runtime().read(copy);
        for (std::int64_t at = 0; at < tile_count; ++at)
            ASSERT_EQ(view[at], expected[static_cast<std::size_t>(at)]);
    }
    program.expect_values();
}

TEST_F(Rows, end_with_a_failure_that_reaches_all_that_read_its_values) {
    Wave program(2);
    for (int later = 0; later < 60; later += 3) {
        ASSERT_TRUE(program.reaches_row());
        program.step(3);
        program.steps(later);
        EXPECT_THROW(program.runtime().wait_all(), TaskError);
        EXPECT_THROW(program.expect_values(), TaskError);
        program.begin();
        program.steps(30);
        program.expect_values();
    }
    EXPECT_EQ(program.launches().failed, 20U);
}

/// What a failed launch leaves in its record stays there, and the loop itself overwrites what it should have written.
TEST_F(Rows, end_with_a_failure_that_the_loop_itself_mends) {
    Runtime runtime(all_in_lanes());
    const auto x = runtime.create_region<Number>(extents(tile_count), "x");
    const Partition<1> each = tiles(x.bounds(), tile_count);
    runtime.fill(x, 0);
    Number value = 0;
    const auto step = [&](bool fails = false) {
        runtime.launch(
            "set", each.colours(),
            [](Point<1> tile, View<Number, 1> to, Number scalar, bool breaks) {
                if (breaks && tile[0] == 3) throw std::runtime_error("broken");
                to[tile] = scalar;
            },
            write(x, each), ++value, fails);
    };
    const auto in_rows = [&] { return runtime.statistics().launches.in_rows; };
    for (Number round = 1; round <= 10; ++round) {
        ASSERT_TRUE(comes_true([&] {
            for (int i = 0; i < 200; ++i) step();
            const Number before = in_rows();
            step();
            return in_rows() == before + 1;
        }));
        step(true);
        for (Number i = 0; i < round; ++i) step();
        EXPECT_THROW(runtime.wait_all(), TaskError);
        for (int i = 0; i < 500; ++i) step();
        EXPECT_NO_THROW(runtime.wait_all());
        EXPECT_EQ(runtime.statistics().launches.failed, round);
        EXPECT_EQ(runtime.read(x)[3], value);
    }
}

TEST_F(Rows, return_the_memory_of_regions_that_have_died) {
    Wave program(2);
    constexpr std::int64_t many = 1 << 20;
    constexpr std::size_t many_bytes = many * sizeof(Number);
    std::optional<Region<Number, 1>> other =
        program.runtime().create_region<Number>(extents(many), "other");
    program.runtime().fill(*other, 1);
    ASSERT_TRUE(program.reaches_row());
    const auto bytes = [&] { return program.runtime().statistics().storage.bytes_in_use; };
    ASSERT_GE(bytes(), many_bytes);
    other.reset();
    ASSERT_TRUE(comes_true([&] {
        program.step();
        return bytes() < many_bytes;
    }));
    ASSERT_TRUE(program.reaches_row());
    program.expect_values();
}

/// A part of a region that dies was last used in the row, and another region gets its record.
TEST_F(Rows, forget_regions_that_have_died) {
    Wave program(2);
    for (int i = 0; i < 10; ++i) {
        ASSERT_TRUE(program.reaches_row());
        program.steps(i);
        {
            const auto copy = program.runtime().create_region<Number>(extents(tile_count), "copy");
            program.runtime().launch(
                "copy", [](View<const Number, 1> from, View<Number, 1> to) { to[0] = from[0]; },
                read(program.now()), write(copy));
            ASSERT_EQ(program.runtime().read(copy)[0], program.value(0));
        }
        program.steps(100);
    }
    program.expect_values();
}

struct Add {
    void operator()(Point<1> tile, View<Number, 1> to, Number scalar) const { to[tile] += scalar; }
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

TEST_F(Rows, go_on_after_a_callable_threw_while_it_was_moved) {
    bool breaks = false;
    const Fragile fragile(breaks);
    Runtime runtime(all_in_lanes());
    const auto x = runtime.create_region<Number>(extents(tile_count), "x");
    const Partition<1> each = tiles(x.bounds(), tile_count);
    runtime.fill(x, 0);
    Number sum = 0;
    const auto step = [&] {
        runtime.launch("add", each.colours(), fragile, read_write(x, each), Number{1});
        ++sum;
    };
    const auto in_rows = [&] { return runtime.statistics().launches.in_rows; };
    ASSERT_TRUE(comes_true([&] {
        for (int i = 0; i < 100; ++i) step();
        breaks = true;
        EXPECT_THROW(step(), std::runtime_error);
        breaks = false;
        const Number before = in_rows();
        step();
        return in_rows() == before + 1;
    }));
    EXPECT_EQ(runtime.read(x)[tile_count - 1], sum);
}

/// A task, or its cost, may be another although the types are the same.
TEST_F(Rows, tell_launches_apart_by_the_function_that_they_call) {
    const auto add = [](Point<1> tile, View<Number, 1> to) { ++to[tile]; };
    const auto twice = [](Point<1> tile, View<Number, 1> to) { to[tile] *= 2; };
    using Function = void (*)(Point<1>, View<Number, 1>);
    Runtime runtime(all_in_lanes());
    const auto x = runtime.create_region<Number>(extents(tile_count), "x");
    const Partition<1> each = tiles(x.bounds(), tile_count);
    runtime.fill(x, 0);
    Number value = 0;
    const auto step = [&](Function function) {
        runtime.launch("step", each.colours(), function, read_write(x, each));
        value = function == Function(add) ? value + 1 : value * 2;
    };
    const auto in_rows = [&] { return runtime.statistics().launches.in_rows; };
    for (int i = 0; i < 5; ++i) {
        ASSERT_TRUE(comes_true([&] {
            for (int j = 0; j < 100; ++j) step(add);
            const Number before = in_rows();
            step(add);
            return in_rows() == before + 1;
        }));
        step(twice);
        step(add);
        step(twice);
    }
    EXPECT_EQ(runtime.read(x)[0], value);
}

TEST_F(Rows, end_with_the_first_launch_on_another_region) {
    Runtime runtime(all_in_lanes());
    const Partition<1> each = tiles(extents(tile_count), tile_count);
    std::array<Region<Number, 1>, 2> regions;
    std::array<Number, 2> sums{};
    for (auto& region : regions) {
        region = runtime.create_region<Number>(extents(tile_count));
        runtime.fill(region, 0);
    }
    const auto step = [&](std::size_t at) {
        runtime.launch("add", each.colours(), Add(), read_write(regions[at], each), Number{1});
        ++sums[at];
    };
    const auto in_rows = [&] { return runtime.statistics().launches.in_rows; };
    for (std::size_t i = 0; i < 8; ++i) {
        ASSERT_TRUE(comes_true([&] {
            for (int j = 0; j < 100; ++j) step(i % 2);
            const Number before = in_rows();
            step(i % 2);
            return in_rows() == before + 1;
        }));
        const Number before = in_rows();
        step((i + 1) % 2);
        EXPECT_EQ(in_rows(), before);
    }
    for (std::size_t at = 0; at < 2; ++at) EXPECT_EQ(runtime.read(regions[at])[0], sums[at]);
}

/// Of what the analysis has done, and of what it keeps.
void expect_same(const Statistics& found, const Statistics& expected) {
    EXPECT_EQ(found.launches.operations, expected.launches.operations);
    EXPECT_EQ(found.launches.tasks, expected.launches.tasks);
    EXPECT_EQ(found.analysis.hops, expected.analysis.hops);
    EXPECT_EQ(found.analysis.patterns, expected.analysis.patterns);
    EXPECT_EQ(found.analysis.walk_steps, expected.analysis.walk_steps);
    EXPECT_EQ(found.traces.analysed, expected.traces.analysed);
    EXPECT_EQ(found.traces.recorded, expected.traces.recorded);
    EXPECT_EQ(found.traces.replayed, expected.traces.replayed);
    EXPECT_EQ(found.autotrace.examined, expected.autotrace.examined);
    EXPECT_EQ(found.autotrace.predicted, expected.autotrace.predicted);
    EXPECT_EQ(found.autotrace.compiled, expected.autotrace.compiled);
    EXPECT_EQ(found.autotrace.memos, expected.autotrace.memos);
}

/// What is analysed after a row finds what it would find without: as many accesses are visited, as many launches served
/// from memory.
TEST_F(Rows, leave_the_history_that_other_launches_would_have_left) {
    const auto run = [](Wave& program) {
        const Partition<1> pairs = tiles(extents(tile_count), tile_count / 2);
        const auto other = program.runtime().create_region<Number>(extents(tile_count), "other");
        program.runtime().fill(other, 0);
        for (int round = 0; round < 12; ++round) {
            program.steps(700 + round);
            for (int i = 0; i < round; ++i)
                program.runtime().launch(
                    "pairs", pairs.colours(),
                    [](Point<1>, View<const Number, 1> from, View<Number, 1> to) {
                        for (Point<1> p : to.domain()) to[p] += from[p];
                    },
                    read(program.now(), pairs), read_write(other, pairs));
        }
        program.runtime().wait_all();
    };
    Wave plain(2, without_rows());
    run(plain);
    const Statistics expected = plain.runtime().statistics();
    EXPECT_EQ(expected.launches.in_rows, 0U);
    // Each try is compared; the last one was in rows.
    ASSERT_TRUE(comes_true([&] {
        Wave program(2);
        run(program);
        const Statistics found = program.runtime().statistics();
        expect_same(found, expected);
        return found.launches.in_rows > found.launches.operations / 4;
    }));
}

/// Programs that last longer than a window, or less, before somebody asks.
/// A loop longer than half a window, of which the first launch writes one half of a region; after some turns and
/// launches more, a task reads all of it. What its walk finds holds only where the half was written as long
/// ago: where another task has written the other half meanwhile, it must wait for that, too.
class Halves {
  public:
    Halves(unsigned used_workers, LaneUse lanes) : runtime_(options(used_workers, lanes)) {
        for (auto& region : counts_) {
            region = runtime_.create_region<Number>(extents(2), "counts");
            runtime_.fill(region, 0);
        }
        for (const auto* region : {&halves_, &sum_, &chain_}) runtime_.fill(*region, 0);
        std::mt19937 random(1);  // nothing repeats within a turn
        for (std::size_t& region : order_) region = random() % counts_.size();
    }
    /// How many launches, of those whose dependences were known, looked for some of them.
    [[nodiscard]] Number walked() {
        for (int episode = 0; episode < 4; ++episode) {
            for (int turn = 0; turn < 30; ++turn) {
                begin_turn();
                counts(0, length);
            }
            expect_sum(0);
            counts(30, 90);
        }
        in_rows_ = runtime_.statistics().launches.in_rows;
        for (int i = 0; i < 20; ++i)
            runtime_.launch(
                "chain",
                [](View<Number, 1> v) {
                    for (volatile int left = 100'000; left != 0;) left = left - 1;
                    ++v[0];
                },
                read_write(chain_));
        runtime_.launch(
            "other half", [](View<const Number, 1>, View<Number, 1> v) { v[2] = 1; }, read(chain_),
            write(halves_, tiles(extents(4), 2), Point<1>(1)));
        counts(length - 70, length);
        expect_sum(1);
        return runtime_.statistics().traces.walked_in_replay;
    }
    [[nodiscard]] Number in_rows() const { return in_rows_; }

  private:
    static constexpr unsigned length = 119;

    [[nodiscard]] static Options options(unsigned used_workers, LaneUse lanes) {
        Options options = all_in_lanes();
        options.workers = used_workers;
        options.lanes = lanes;
        return options;
    }
    void begin_turn() {
        ++turns_;
        runtime_.launch(
            "half", tiles(extents(2), 2).colours(),
            [](Point<1> p, View<Number, 1> v, Number turn) { v[p[0]] = turn; },
            write(halves_, quarters_), turns_);
    }
    void counts(unsigned begin, unsigned end) {
        for (std::size_t i = begin; i < end; ++i)
            runtime_.launch(
                "count", pair_.colours(), [](Point<1> p, View<Number, 1> v) { ++v[p[0]]; },
                read_write(counts_[order_[i]], pair_));
    }
    void expect_sum(Number other_half) {
        begin_turn();
        counts(0, 20);
        runtime_.launch(
            "sum", [](View<const Number, 1> v, View<Number, 1> s) { s[0] = 10 * v[0] + v[2]; },
            read(halves_), write(sum_));
        EXPECT_EQ(runtime_.read(sum_)[0], 10 * turns_ + other_half);
    }

    Runtime runtime_;
    std::array<std::size_t, length> order_;
    std::array<Region<Number, 1>, 5> counts_;
    Region<Number, 1> halves_ = runtime_.create_region<Number>(extents(4), "halves");
    Region<Number, 1> sum_ = runtime_.create_region<Number>(extents(1), "sum");
    Region<Number, 1> chain_ = runtime_.create_region<Number>(extents(1), "chain");
    Partition<1> quarters_ = tiles(extents(4), 4);
    Partition<1> pair_ = tiles(extents(2), 2);
    Number turns_ = 0;
    Number in_rows_ = 0;
};

TEST_F(Rows, leave_links_as_short_as_they_were) {
    for (const unsigned used_workers : {1U, workers}) {
        Halves without(used_workers, LaneUse::none);
        const Number walked = without.walked();
        Halves program(used_workers, LaneUse::all);
        EXPECT_EQ(program.walked(), walked) << used_workers << " workers";
        EXPECT_GT(program.in_rows(), 0U);
        EXPECT_EQ(without.in_rows(), 0U);
    }
}

TEST_F(Rows, are_as_long_as_the_program_does_nothing_else) {
    for (const int length : {1, 31, 32, 33, 127, 128, 129, 1000}) {
        Wave program(2);
        ASSERT_TRUE(program.reaches_row());
        program.steps(length);
        program.runtime().launch(
            "double",
            [](View<Number, 1> all) {
                for (Point<1> p : all.domain()) all[p] *= 2;
            },
            read_write(program.now()));
        const auto view = program.runtime().read(program.now());
        for (std::int64_t i = 0; i < tile_count; ++i) ASSERT_EQ(view[i], 2 * program.value(i));
    }
}

/// A turn of several kinds of launches, one of which uses a region twice.
TEST_F(Rows, have_turns_of_several_launches) {
    Runtime runtime(all_in_lanes());
    const Partition<1> each = tiles(extents(tile_count), tile_count);
    const Partition<1> beside = halo(each, 1);
    std::array<Region<Number, 1>, 3> x;
    for (auto& region : x) {
        region = runtime.create_region<Number>(extents(tile_count));
        runtime.fill(region, 1);
    }
    std::array<Number, 3> sums{1, 1, 1};
    const auto turn = [&] {
        runtime.launch(
            "sum", each.colours(),
            [](Point<1> tile, View<const Number, 1> a, View<const Number, 1> b,
               View<Number, 1> to) { to[tile] = a[tile] + b[tile]; },
            read(x[0], each), read(x[0], beside), write(x[1], each));
        runtime.launch(
            "grow", each.colours(), [](Point<1> tile, View<Number, 1> v) { ++v[tile]; },
            read_write(x[2], each));
        runtime.launch(
            "mix", each.colours(),
            [](Point<1> tile, View<const Number, 1> a, View<const Number, 1> b,
               View<Number, 1> to) { to[tile] = a[tile] + b[tile]; },
            read(x[1], each), read(x[2], beside), write(x[0], each));
        sums[1] = 2 * sums[0];
        ++sums[2];
        sums[0] = sums[1] + sums[2];
    };
    const auto in_rows = [&] { return runtime.statistics().launches.in_rows; };
    for (int i = 0; i < 6; ++i) {
        ASSERT_TRUE(comes_true([&] {
            for (int j = 0; j < 50; ++j) turn();
            const Number before = in_rows();
            turn();
            return in_rows() == before + 3;
        }));
        for (std::size_t at = 0; at < 3; ++at) ASSERT_EQ(runtime.read(x[at])[1], sums[at]);
    }
}

/// What a loop only reads was written before it, at a distance that grows with each turn.
TEST_F(Rows, read_what_was_written_before_the_loop) {
    Runtime runtime(all_in_lanes());
    const Partition<1> each = tiles(extents(tile_count), tile_count);
    const auto input = runtime.create_region<Number>(extents(tile_count), "input");
    const auto sum = runtime.create_region<Number>(extents(tile_count), "sum");
    runtime.fill(input, 3);
    runtime.fill(sum, 0);
    Number turns = 0;
    ASSERT_TRUE(comes_true([&] {
        const Number before = runtime.statistics().launches.in_rows;
        for (int i = 0; i < 100; ++i, ++turns)
            runtime.launch(
                "add", each.colours(),
                [](Point<1> tile, View<const Number, 1> from, View<Number, 1> to) {
                    to[tile] += from[tile];
                },
                read(input, each), read_write(sum, each));
        return runtime.statistics().launches.in_rows == before + 100;
    }));
    runtime.fill(input, 5);
    runtime.launch(
        "add", [](View<const Number, 1> from, View<Number, 1> to) { to[0] += from[0]; },
        read(input), read_write(sum));
    EXPECT_EQ(runtime.read(sum)[0], 3 * turns + 5);
}

TEST_F(Rows, are_not_begun_where_each_launch_is_verified) {
    Options options = all_in_lanes();
    options.checks.verify = 3;
    Wave program(2, options);
    program.steps(2000);
    program.expect_values();
    EXPECT_EQ(program.launches().in_rows, 0U);
    EXPECT_EQ(program.runtime().statistics().traces.verify_failures, 0U);
}

/// The host forgets how the second region of a turn was used; the launch on the first still repeats.
TEST_F(Rows, begin_anew_once_all_of_a_turn_has_repeated) {
    const auto run = [](const Options& options) {
        Runtime runtime(options);
        const Partition<1> each = tiles(extents(tile_count), tile_count);
        std::array<Region<Number, 1>, 2> x;
        for (auto& region : x) {
            region = runtime.create_region<Number>(extents(tile_count));
            runtime.fill(region, 0);
        }
        Number value = 0;
        for (int round = 0; round < 6; ++round) {
            for (int i = 0; i < 500; ++i, ++value)
                for (auto& region : x)
                    runtime.launch("add", each.colours(), Add(), read_write(region, each),
                                   Number{1});
            const auto view = runtime.write(x[1]);
            for (Point<1> p : view.domain()) view[p] = value;
        }
        for (const auto& region : x) EXPECT_EQ(runtime.read(region)[0], value);
        return runtime.statistics();
    };
    const Statistics expected = run(without_rows());
    EXPECT_EQ(expected.launches.in_rows, 0U);
    ASSERT_TRUE(comes_true([&] {
        const Statistics found = run(all_in_lanes());
        expect_same(found, expected);
        return found.launches.in_rows > found.launches.operations / 8;
    }));
}

/// The records of two turns name the same two regions in turn, but each time these are others.
TEST_F(Rows, are_not_begun_while_each_turn_makes_a_region) {
    Runtime runtime(all_in_lanes());
    const Partition<1> each = tiles(extents(tile_count), tile_count);
    const auto x = runtime.create_region<Number>(extents(tile_count), "x");
    runtime.fill(x, 1);
    Number value = 1;
    for (int turn = 0; turn < 60; ++turn) {
        const auto copy = runtime.create_region<Number>(extents(tile_count), "copy");
        runtime.launch(
            "copy", each.colours(),
            [](Point<1> tile, View<const Number, 1> from, View<Number, 1> to) {
                to[tile] = from[tile];
            },
            read(x, each), write(copy, each));
        for (int i = 0; i < 62; ++i, ++value)
            runtime.launch("add", each.colours(), Add(), read_write(x, each), Number{1});
        runtime.launch(
            "sum", each.colours(),
            [](Point<1> tile, View<const Number, 1> from, View<Number, 1> to) {
                to[tile] += from[tile];
            },
            read(copy, each), read_write(x, each));
        value += value - 62;
    }
    EXPECT_EQ(runtime.read(x)[0], value);
    EXPECT_GT(runtime.statistics().launches.in_lanes, 0U);
    EXPECT_EQ(runtime.statistics().launches.in_rows, 0U);
}

/// Closures with destructors have no records that are kept, so their launches are in lanes but in no row.
TEST_F(Rows, destroy_what_launches_between_them_own) {
    struct Counted {
        explicit Counted(std::int64_t& alive) : alive_(&alive) { ++*alive_; }
        Counted(const Counted& other) : alive_(other.alive_) { ++*alive_; }
        Counted& operator=(const Counted&) = delete;
        ~Counted() { --*alive_; }
        void operator()(Point<1> tile, View<Number, 1> to) const { ++to[tile]; }
        std::int64_t* alive_;
    };
    std::int64_t alive = 0;
    {
        Runtime runtime(all_in_lanes());
        const auto x = runtime.create_region<Number>(extents(tile_count), "x");
        const Partition<1> each = tiles(x.bounds(), tile_count);
        runtime.fill(x, 0);
        const auto in_rows = [&] { return runtime.statistics().launches.in_rows; };
        ASSERT_TRUE(comes_true([&] {
            for (int i = 0; i < 100; ++i) {
                runtime.launch("count", each.colours(), Counted(alive), read_write(x, each));
                for (int j = 0; j < 4; ++j)
                    runtime.launch("add", each.colours(), Add(), read_write(x, each), Number{1});
            }
            return in_rows() > 300;
        }));
        runtime.wait_all();
        EXPECT_EQ(alive, 0);
    }
}

}  // namespace
}  // namespace refrain::rows_test
