#include "trace/dormancy.hpp"

#include "base/hash.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <random>

namespace refrain::trace {
namespace {

constexpr std::uint64_t patience = 512;

/// Gives fingerprints, operation by operation, and tells where dormancy ends.
struct Sleeper {
    Dormancy dormancy{patience};
    OperationNumber now = 1;

    void fall_asleep() {
        ASSERT_TRUE(dormancy.should_begin(now, patience));
        dormancy.begin(now);
    }
    [[nodiscard]] bool give(std::uint64_t fingerprint) {
        const bool ends = dormancy.should_end(now, fingerprint);
        now = now + 1;
        return ends;
    }
    /// Takes this many operations without repeats; whether it slept through them.
    [[nodiscard]] bool sleeps_through_new(std::uint64_t count) {
        for (std::uint64_t i = 0; i < count; ++i)
            if (give(random())) return false;
        return true;
    }
    /// The operation before which it wakes, counted from the first turn of a loop.
    [[nodiscard]] std::optional<std::uint64_t> wakes_in_loop(std::uint64_t period) {
        const std::uint64_t seed = random();
        for (std::uint64_t i = 0; i < 4 * period + 4096; ++i)
            if (give(base::mix(seed + i % period))) return i;
        return std::nullopt;
    }
    std::mt19937_64 random{7};
};

TEST(Dormancy, begins_after_its_patience) {
    const Dormancy dormancy(patience);
    EXPECT_FALSE(dormancy.should_begin(1000, patience - 1));
    EXPECT_TRUE(dormancy.should_begin(1000, patience));
}

TEST(Dormancy, lasts_while_nothing_repeats) {
    Sleeper sleeper;
    sleeper.fall_asleep();
    EXPECT_TRUE(sleeper.sleeps_through_new(200'000));
}

TEST(Dormancy, ends_as_soon_as_promised_in_a_loop_of_any_length) {
    for (std::uint64_t period = 1; period <= 200; ++period)
        for (const std::uint64_t before : {0, 5, 1003}) {
            Sleeper sleeper;
            sleeper.fall_asleep();
            ASSERT_TRUE(sleeper.sleeps_through_new(before));
            const auto at = sleeper.wakes_in_loop(period);
            ASSERT_TRUE(at) << period;
            EXPECT_LE(*at, period + 7 + Dormancy::grain) << period << " after " << before;
            EXPECT_GE(*at, period + 7) << period << " after " << before;
        }
}

TEST(Dormancy, finds_loops_of_twenty_thousand_operations_although_few_of_them_are_remembered) {
    Sleeper sleeper;
    sleeper.fall_asleep();
    const auto at = sleeper.wakes_in_loop(20'000);
    ASSERT_TRUE(at);
    EXPECT_LE(*at, 20'000U + 15 + 10 * Dormancy::grain);
}

TEST(Dormancy, leaves_a_loop_two_turns_to_be_known) {
    Sleeper sleeper;
    sleeper.fall_asleep();
    ASSERT_TRUE(sleeper.wakes_in_loop(3000));
    sleeper.dormancy.end();
    EXPECT_FALSE(sleeper.dormancy.should_begin(sleeper.now + (2 * 3000 - 2), 1'000'000));
    EXPECT_TRUE(sleeper.dormancy.should_begin(sleeper.now + (2 * 3000 - 1), 1'000'000));
}

/// Repeats `length` operations of long ago, once.
bool wakes_of_a_repeat(Sleeper& sleeper, std::uint64_t length) {
    const std::uint64_t seed = sleeper.random();
    bool wakes = false;
    for (int turn = 0; turn < 2; ++turn) {
        for (std::uint64_t i = 0; i < length; ++i)
            wakes = sleeper.give(base::mix(seed + i)) || wakes;
        if (turn == 0 && !sleeper.sleeps_through_new(100)) return false;
    }
    return sleeper.give(sleeper.random()) || wakes;
}

TEST(Dormancy, wants_twice_the_evidence_after_a_wake_that_brought_nothing) {
    Sleeper sleeper;
    sleeper.fall_asleep();
    for (std::uint64_t evidence = 8; evidence <= Dormancy::evidence_max; evidence *= 2) {
        if (evidence > 16) {
            EXPECT_FALSE(wakes_of_a_repeat(sleeper, evidence - 8)) << evidence;
        }
        ASSERT_TRUE(sleeper.sleeps_through_new(100));
        EXPECT_TRUE(wakes_of_a_repeat(sleeper, evidence + 16)) << evidence;
        sleeper.dormancy.end();
        while (!sleeper.dormancy.should_begin(sleeper.now, patience)) sleeper.now = sleeper.now + 1;
        sleeper.dormancy.begin(sleeper.now);
    }
}

TEST(Dormancy, believes_again_after_a_wake_that_brought_repeats) {
    Sleeper sleeper;
    sleeper.fall_asleep();
    for (int i = 0; i < 5; ++i) {
        ASSERT_TRUE(wakes_of_a_repeat(sleeper, 2000));
        sleeper.dormancy.end();
        while (!sleeper.dormancy.should_begin(sleeper.now, patience)) sleeper.now = sleeper.now + 1;
        if (i == 4) sleeper.now = sleeper.now + 10'000;
        sleeper.dormancy.begin(sleeper.now);
    }
    const auto at = sleeper.wakes_in_loop(50);
    ASSERT_TRUE(at);
    EXPECT_LE(*at, 50 + 7 + Dormancy::grain);
}

}  // namespace
}  // namespace refrain::trace
