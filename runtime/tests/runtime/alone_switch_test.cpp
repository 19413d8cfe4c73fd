/// When the launching thread runs a loop alone, by a clock that the test sets.
#include "runtime/alone_switch.hpp"

#include "refrain/refrain.hpp"

#include <gtest/gtest.h>
#include <thread>

namespace refrain::runtime::alone_switch_test {
namespace {

using Number = graph::OperationNumber;

/// A loop that goes on and on; unless told otherwise, of one launch.
class Loop final : public AloneSwitch::Host {
  public:
    static constexpr std::uint64_t window = 16;

    explicit Loop(std::uint64_t turn = 1) : length(turn) {}

    std::uint64_t ticks_alone = 0;   // of a launch
    std::uint64_t ticks_shared = 0;  // likewise
    bool is_too_long = false;        // to run alone
    std::uint64_t length;            // 0: no loop goes on

    /// Returns how many of them the launching thread was to run alone.
    std::uint64_t launch(std::uint64_t launches) {
        std::uint64_t alone = 0;
        for (std::uint64_t i = 0; i < launches; ++i) {
            if (next_ >= switch_.next_look()) switch_.look(next_, (next_ - 1).value(), length);
            alone += alone_ ? 1 : 0;
            shared_ += alone_ && is_too_long ? 1 : 0;
            now_ += alone_ ? ticks_alone : ticks_shared;
            ++next_;
        }
        return alone;
    }

    [[nodiscard]] bool may_alternate() const override { return true; }
    [[nodiscard]] bool measures_alone() const override { return true; }
    [[nodiscard]] std::uint64_t launches_to_try(std::uint64_t) override { return window; }
    [[nodiscard]] bool runs_alone() const override { return alone_; }
    void run_alone(bool alone) override { alone_ = alone; }
    [[nodiscard]] std::uint64_t shared_when_alone() const override { return shared_; }
    void finish_all() override {}
    [[nodiscard]] std::uint64_t ticks() const override { return now_; }

  private:
    bool alone_ = false;
    std::uint64_t shared_ = 0;
    std::uint64_t now_ = 0;
    Number next_ = 1;
    AloneSwitch switch_{*this, window};
};

constexpr std::uint64_t until_alone = 3 * Loop::window - 1;  // the switch looks, rests, shares
constexpr std::uint64_t trial = 7 * Loop::window;
constexpr std::uint64_t rest = graph::AlonePolicy::rest_min * Loop::window;

TEST(AloneSwitch, runs_a_loop_alone_once_that_was_faster) {
    Loop loop;
    loop.ticks_alone = 100;
    loop.ticks_shared = 110;
    EXPECT_EQ(loop.launch(until_alone), 0U);
    loop.launch(trial);
    EXPECT_EQ(loop.launch(rest / 2), rest / 2);
}

TEST(AloneSwitch, goes_on_sharing_what_was_not_faster_alone) {
    Loop loop;
    loop.ticks_alone = 110;
    loop.ticks_shared = 100;
    loop.launch(until_alone + trial);
    EXPECT_EQ(loop.launch(rest / 2), 0U);
}

/// Launches that are too long to run alone are shared in both halves of a trial, and which half took longer is chance.
/// They were run alone once they became shorter, if the alone half happened to be faster, for 32 stretches.
TEST(AloneSwitch, learns_nothing_from_launches_that_were_shared_both_times) {
    Loop loop;
    loop.is_too_long = true;
    loop.ticks_alone = 100;
    loop.ticks_shared = 110;
    EXPECT_GT(loop.launch(until_alone + trial), 0U) << "it was tried";
    loop.is_too_long = false;
    EXPECT_EQ(loop.launch(rest / 2), 0U);
}

/// A trial of a loop of thousands of long launches ran four stretches of two turns each in the slower way, a sixth of a program
/// of forty turns.
TEST(AloneSwitch, tries_no_more_of_a_long_loop_than_it_must) {
    constexpr std::uint64_t turn = 10 * Loop::window;
    Loop loop(turn);
    loop.ticks_alone = 130;
    loop.ticks_shared = 100;
    EXPECT_EQ(loop.launch(40 * turn), 2 * (Loop::window + turn))
        << "data moves, then a turn is timed";
}

TEST(AloneSwitch, times_whole_turns_of_a_short_loop) {
    constexpr std::uint64_t turn = Loop::window / 3;
    Loop loop(turn);
    loop.ticks_alone = 130;
    loop.ticks_shared = 100;
    EXPECT_EQ(loop.launch(20 * Loop::window), 2 * (Loop::window + 4 * turn));
}

TEST(AloneSwitch, shares_again_what_has_become_too_long) {
    Loop loop;
    loop.ticks_alone = 100;
    loop.ticks_shared = 110;
    loop.launch(until_alone + trial);
    EXPECT_EQ(loop.launch(rest / 2), rest / 2);
    loop.is_too_long = true;
    loop.launch(rest + trial);  // until the next trial, and that
    EXPECT_EQ(loop.launch(4 * Loop::window), 0U);
}

constexpr std::uint64_t until_irregular = 10 * Loop::window - 1;  // it rests as long as a trial

TEST(AloneSwitch, runs_alone_what_is_in_no_loop_if_that_is_faster) {
    Loop loop(0);
    loop.ticks_alone = 100;
    loop.ticks_shared = 110;
    EXPECT_EQ(loop.launch(until_irregular), 0U);
    loop.launch(trial);
    EXPECT_EQ(loop.launch(rest / 2), rest / 2);
}

/// Trials of such loops were always left, so programs of them shared launches of 100 ns with two workers.
TEST(AloneSwitch, decides_for_loops_that_all_end_within_a_trial) {
    Loop loop;
    loop.ticks_alone = 100;
    loop.ticks_shared = 200;
    const auto launch_loops = [&](int loops) {
        std::uint64_t alone = 0;
        for (int i = 0; i < loops; ++i) {
            loop.length = i % 2 == 0 ? 8 * Loop::window + static_cast<std::uint64_t>(i) : 0;
            alone += loop.launch(2 * Loop::window);
        }
        return alone;
    };
    launch_loops(100);
    EXPECT_GT(launch_loops(10), 10 * Loop::window);
}

/// A loop that came before anything was decided, and always ended within a trial, was shared for ever.
TEST(AloneSwitch, runs_a_loop_that_no_trial_decides_as_what_is_in_no_loop) {
    Loop loop;
    loop.ticks_alone = 100;
    loop.ticks_shared = 200;
    const auto launch_loops = [&](int loops) {
        std::uint64_t alone = 0;
        for (int i = 0; i < loops; ++i) {
            loop.length = 1;
            alone += loop.launch(2 * Loop::window);
            loop.length = 0;
            loop.launch(2 * Loop::window);
        }
        return alone;
    };
    EXPECT_EQ(launch_loops(1), 0U);
    launch_loops(100);
    EXPECT_GT(launch_loops(10), 15 * Loop::window);
}

TEST(AloneSwitch, begins_with_a_loop_as_the_program_is_run) {
    Loop loop(0);
    loop.ticks_alone = 100;
    loop.ticks_shared = 200;
    loop.launch(until_irregular + trial);
    loop.length = 1;
    EXPECT_EQ(loop.launch(2 * Loop::window), 2 * Loop::window);
}

/// Launches that ran on the launching thread before their call returned, of 4,000 without automatic tracing.
[[nodiscard]] int ran_in_their_calls(LaneUse lanes) {
    Options options;
    options.workers = 2;
    options.window = 128;
    options.tracing.automatic = false;
    options.lanes = lanes;
    Runtime runtime(options);
    const auto x = runtime.create_region<int>(extents(1), "x");
    runtime.fill(x, 0);
    struct {
        std::thread::id thread = std::this_thread::get_id();
        bool is_launching = false;  // the other fields are of this thread only
        int ran = 0;
    } here;
    for (int i = 1; i <= 4'000; ++i) {
        here.is_launching = true;
        runtime.launch(
            "tick",
            [](View<int, 1> inside, auto* of) {
                ++inside[0];
                if (std::this_thread::get_id() == of->thread && of->is_launching) ++of->ran;
            },
            read_write(x), &here);
        here.is_launching = false;
        if (i % 50 == 0) runtime.wait_all();  // before a call has to help
    }
    EXPECT_EQ(runtime.read(x)[0], 4'000);
    return here.ran;
}

TEST(AloneSwitch, decides_for_launches_without_automatic_tracing) {
    const int ran = ran_in_their_calls(LaneUse::turns);
    EXPECT_GT(ran, 500);
    EXPECT_LT(ran, 3'500);
    EXPECT_LT(ran_in_their_calls(LaneUse::none), 100);
}

}  // namespace
}  // namespace refrain::runtime::alone_switch_test
