#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <refrain/refrain.hpp>
#include <stdexcept>
#include <vector>

#include "harness.hpp"

namespace refrain {
namespace {

/// Sixteen regions that launches use at random, and what they hold according to a sequential run.
class RandomProgram {
  public:
    explicit RandomProgram(Options options) : runtime(options), expected_(16, 1) {
        for (std::size_t i = 0; i < expected_.size(); ++i) {
            regions.push_back(runtime.create_region<std::uint64_t>(extents(64)));
            runtime.fill(regions.back(), 1);
        }
    }
    void step(std::size_t from, std::size_t to) {
        if (from == to) to = (to + 1) % regions.size();
        runtime.launch(
            "step",
            [](View<const std::uint64_t, 1> source, View<std::uint64_t, 1> target) {
                for (const Point<1> p : target.domain()) target[p] = 3 * target[p] + source[p];
            },
            read(regions[from]), read_write(regions[to]));
        expected_[to] = 3 * expected_[to] + expected_[from];
    }
    void random_steps(int count) {
        for (int i = 0; i < count; ++i) step(random() % 16, random() % 16);
    }
    void loop_steps(int count) {
        for (int i = 0; i < count; ++i) step(0, static_cast<std::size_t>(1 + i % 5));
    }
    void expect_values() {
        for (std::size_t i = 0; i < regions.size(); ++i) {
            const auto view = runtime.read(regions[i]);
            for (const Point<1> p : view.domain()) ASSERT_EQ(view[p], expected_[i]) << i;
        }
    }
    [[nodiscard]] std::uint64_t replayed() const { return runtime.statistics().traces.replayed; }
    [[nodiscard]] std::uint64_t skipped() const { return runtime.statistics().autotrace.skipped; }

    Runtime runtime;
    std::vector<Region<std::uint64_t, 1>> regions;
    std::mt19937_64 random{1};

  private:
    std::vector<std::uint64_t> expected_;
};

Options options_of(unsigned workers, std::uint64_t window) {
    Options options;
    options.workers = workers;
    options.window = window;
    return options;
}

TEST(Dormancy, a_loop_is_replayed_soon_after_operations_that_never_repeated) {
    for (const unsigned workers : {1, 2})
        for (const std::uint64_t window : {16, 1024}) {
            RandomProgram program(options_of(workers, window));
            program.random_steps(6000);
            EXPECT_GT(program.skipped(), 5000U) << workers << " workers, window " << window;
            program.loop_steps(1000);
            EXPECT_GT(program.replayed(), 950U) << workers << " workers, window " << window;
            program.expect_values();
        }
}

TEST(Dormancy, phases_of_both_kinds_alternate) {
    for (const std::uint64_t patience : {1, 16, 512}) {
        Options options = options_of(2, 64);
        options.tracing.patience = patience;
        RandomProgram program(options);
        for (int phase = 0; phase < 40; ++phase) {
            program.random_steps(static_cast<int>(program.random() % 1500));
            program.loop_steps(static_cast<int>(program.random() % 100));
            if (phase % 7 == 0) program.expect_values();
        }
        program.expect_values();
    }
}

/// When they sleep is a function of the program, however its tasks are timed. How many operations are
/// served may differ by a few after each wake: what has finished by then is not written down any more.
TEST(Dormancy, runs_of_one_program_leave_the_recogniser_alone_at_the_same_operations) {
    std::vector<std::uint64_t> served, skipped;
    for (const unsigned workers : {1, 2, 1, 2}) {
        RandomProgram program(options_of(workers, 1024));
        for (int phase = 0; phase < 4; ++phase) {
            program.random_steps(1700);
            program.loop_steps(300);
        }
        served.push_back(program.replayed());
        skipped.push_back(program.skipped());
    }
    for (std::size_t i = 0; i < served.size(); ++i) {
        EXPECT_EQ(skipped[i], skipped[0]);
        EXPECT_NEAR(static_cast<double>(served[i]), 1150, 50);
    }
}

TEST(Dormancy, a_trace_of_the_program_is_recorded_and_replayed_in_it) {
    RandomProgram program(options_of(2, 1024));
    program.random_steps(3000);
    for (int i = 0; i < 10; ++i) {
        program.runtime.begin_trace(1);
        program.loop_steps(50);
        program.runtime.end_trace(1);
        program.random_steps(700);
    }
    EXPECT_GE(program.replayed(), 9U * 50);
    program.expect_values();
}

TEST(Dormancy, failures_travel_through_it) {
    RandomProgram program(options_of(2, 64));
    program.random_steps(3000);
    program.runtime.launch(
        "fails", [](View<std::uint64_t, 1>) { throw std::runtime_error("broken"); },
        read_write(program.regions[0]));
    for (int i = 0; i < 200; ++i) program.step(0, 1);
    EXPECT_ANY_THROW(program.runtime.wait_all());
    EXPECT_THROW(static_cast<void>(program.runtime.read(program.regions[1])), TaskError);
}

/// A loop with temporaries, after launches on temporaries that do not repeat. Returns how many of the
/// loop's 20,000 launches were served.
std::uint64_t served_with_temporaries(Options options) {
    RandomProgram program(options);
    Runtime& runtime = program.runtime;
    const auto through_a_temporary = [&](std::size_t from, std::size_t to) {
        const auto temporary = runtime.create_region<std::uint64_t>(extents(64));
        runtime.fill(temporary, 0);
        const auto add = [](View<const std::uint64_t, 1> source, View<std::uint64_t, 1> target) {
            target[0] += source[0];
        };
        runtime.launch("add", add, read(program.regions[from]), read_write(temporary));
        runtime.launch("add", add, read(temporary), read_write(program.regions[to]));
    };
    for (int i = 0; i < 600; ++i) through_a_temporary(program.random() % 16, program.random() % 16);
    EXPECT_GT(program.skipped(), 500U);
    const std::uint64_t before = program.replayed();
    for (int i = 0; i < 2000; ++i) {
        for (std::size_t k = 0; k < 3; ++k) through_a_temporary(k, k + 1);
        program.step(0, 5);
    }
    return program.replayed() - before;
}

// Whichever record of an old region a new one gets, and however large the window is.
TEST(Dormancy, ends_for_a_loop_with_temporaries) {
    for (const unsigned workers : {1U, 2U})
        for (const std::uint64_t window : {1024U, 32768U}) {
            EXPECT_GT(served_with_temporaries(options_of(workers, window)), 19'800U)
                << workers << " workers, a window of " << window;
        }
}

TEST(Dormancy, ends_at_a_launch_of_more_points_than_the_window) {
    RandomProgram program(options_of(2, 64));
    program.random_steps(600);
    const std::uint64_t asleep = program.skipped();
    EXPECT_GT(asleep, 0U);
    const auto wide = program.runtime.create_region<int>(extents(65), "wide");
    program.runtime.launch(
        "set", extents(65), [](View<int, 1> v) { v.fill(1); },
        write(wide, tiles(wide.bounds(), 65)));
    program.random_steps(100);
    EXPECT_EQ(program.skipped(), asleep);
    program.expect_values();
}

TEST(Dormancy, a_recorded_graph_has_none) {
    Options options = options_of(2, 64);
    options.observe.record_graph = true;
    RandomProgram program(options);
    program.random_steps(3000);
    EXPECT_EQ(program.skipped(), 0U);
    program.expect_values();
}

}  // namespace
}  // namespace refrain
