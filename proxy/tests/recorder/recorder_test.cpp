#include "recorder/recorder.hpp"

#include "recorder/key_map.hpp"
#include "recorder/system_clock.hpp"
#include "recorder/work_clock.hpp"

#include <gtest/gtest.h>
#include <random>
#include <string>
#include <unordered_map>

#include "allocations/allocations.hpp"
#include "sample_runs.hpp"

namespace refrain::proxy::recorder_test {
namespace {

TEST(Numbers, the_smallest_free_number_is_given_out) {
    Numbers numbers;
    EXPECT_EQ(numbers.take(), 0);
    EXPECT_EQ(numbers.take(), 1);
    EXPECT_EQ(numbers.take(), 2);
    numbers.give_back(1);
    numbers.give_back(0);
    EXPECT_EQ(numbers.take(), 0);
    EXPECT_EQ(numbers.take(), 1);
    EXPECT_EQ(numbers.take(), 3);
}

TEST(Requests, live_requests_of_one_value_are_told_apart_by_their_variables) {
    Requests requests;
    for (Requests::Address at = 100; at < 104; ++at) (void)requests.add(7, at);
    EXPECT_EQ(requests.find(7, 102)->number, 2);
    requests.remove(*requests.by_name(2));
    EXPECT_EQ(requests.find(7, 101)->number, 1);
    EXPECT_EQ(requests.find(7, 103)->number, 3);
    EXPECT_EQ(requests.size(), 3u);
}

TEST(Requests, a_request_of_which_the_program_says_where_it_copied_it_is_found_there) {
    Requests requests;
    for (Requests::Address at = 100; at < 104; ++at) (void)requests.add(7, at);
    requests.copied(7, 102, 500);
    requests.copied(7, 103, 501);
    EXPECT_EQ(requests.find(7, 500)->number, 2);
    EXPECT_EQ(requests.find(7, 501)->number, 3);
    // Out of date: the copy is of another request by now, or of none.
    requests.remove(*requests.by_name(2));
    EXPECT_EQ(requests.find(7, 500)->number, 0);
    EXPECT_EQ(requests.find(8, 501), nullptr);
}

TEST(Requests, a_request_that_was_moved_is_found_by_its_value_the_oldest_first) {
    Requests requests;
    (void)requests.add(7, 100);
    (void)requests.add(7, 101);
    EXPECT_EQ(requests.find(7, 999)->number, 0);
    requests.remove(*requests.by_name(0));
    EXPECT_EQ(requests.find(7, 999)->number, 1);
    EXPECT_EQ(requests.find(8, 100), nullptr);
}

TEST(Requests, moved_ones_are_found_among_those_that_come_and_go) {
    Requests requests;
    (void)requests.add(7, 100);
    EXPECT_EQ(requests.find(7, 500)->number, 0);
    (void)requests.add(7, 101);
    (void)requests.add(9, 102, false);
    requests.remove(*requests.by_name(0));
    EXPECT_EQ(requests.find(7, 500)->number, 1);
    EXPECT_EQ(requests.find(9, 500)->address, 102u);
    (void)requests.add(9, 103);
    EXPECT_EQ(requests.find(9, 500)->address, 103u) << "recorded ones first";
    requests.remove(*requests.by_name(1));
    EXPECT_EQ(requests.find(7, 500), nullptr);
}

TEST(Requests, those_that_are_not_recorded_take_no_numbers) {
    Requests requests;
    const auto& silent = requests.add(7, 100, false);
    EXPECT_LE(Requests::name_of(silent), Requests::unrecorded_first);
    EXPECT_EQ(requests.add(7, 101).number, 0);
    EXPECT_FALSE(requests.find(7, 100)->recorded);
    EXPECT_EQ(Requests::name_of(*requests.find(7, 101)), 0);
    requests.remove(*requests.find(7, 100));
    EXPECT_EQ(requests.by_name(0)->address, 101u);
    EXPECT_EQ(requests.size(), 1u);
}

TEST(Slots, live_memory_has_a_slot_per_address) {
    Slots slots;
    EXPECT_EQ(slots.acquire(1000), 0);
    EXPECT_EQ(slots.acquire(2000), 1);
    EXPECT_EQ(slots.acquire(1000), 0);
    slots.release(0);
    EXPECT_EQ(slots.acquire(3000), 2);  // 1000 is still in use
    slots.release(0);
    EXPECT_EQ(slots.acquire(4000), 0);
}

TEST(KeyMap, finds_what_a_map_of_the_standard_library_finds) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        std::mt19937_64 random(seed);
        KeyMap<int> map;
        std::unordered_map<std::uintptr_t, int> known;
        // Few keys that differ in high or low bits only, as handles do.
        for (int step = 0; step < 2000; ++step) {
            const std::uint64_t number = random() % 40;
            const std::uintptr_t key = number % 2 == 0 ? number << 36 : 0x44000000 + number;
            if (random() % 3 != 0) {
                map[key] = step;
                known[key] = step;
            } else {
                map.erase(key);
                known.erase(key);
            }
            ASSERT_EQ(map.size(), known.size());
            for (const auto& [each, value] : known) {
                ASSERT_NE(map.find(each), nullptr) << "seed " << seed;
                ASSERT_EQ(*map.find(each), value) << "seed " << seed;
            }
            if (known.count(key) == 0) {
                ASSERT_EQ(map.find(key), nullptr);
            }
        }
    }
}

TEST(Recorder, long_work_is_expected_where_it_was_long_lately_or_is_not_known) {
    Recorder recorder;
    const Event a{Function::Barrier_, {0, 0, 2, 0}}, b{Function::Barrier_, {1, 0, 1, 0}};
    const auto turn = [&](double work) {
        recorder.append(a, 1e-6, 0);
        const bool expected = recorder.latest().expects_long_work;
        recorder.append(b, work, 0);
        return expected;
    };
    EXPECT_TRUE(turn(1e-6));  // never seen
    EXPECT_FALSE(turn(1e-6));
    EXPECT_FALSE(turn(500e-6));
    for (int i = 0; i < 64; ++i) EXPECT_TRUE(turn(1e-6)) << i;
    EXPECT_FALSE(turn(1e-6));
}

TEST(Recorder, long_work_is_expected_where_what_follows_alternates) {
    Recorder recorder;
    const Event a{Function::Barrier_, {0, 0, 2, 0}}, b{Function::Barrier_, {1, 0, 1, 0}},
        c{Function::Barrier_, {2, 0, 1, 0}};
    for (int turn = 0; turn < 4; ++turn) {
        recorder.append(a, 1e-6, 0);
        recorder.append(b, 1e-6, 0);
        recorder.append(a, 1e-6, 0);
        if (turn != 0) {
            EXPECT_TRUE(recorder.latest().expects_long_work) << turn;
        }
        recorder.append(c, 10e-3, 0);
    }
}

TEST(Recorder, time_within_a_call_is_added_behind_it) {
    Recorder recorder;
    recorder.append({Function::Barrier_, {0, 0, 2, 0}}, 0, 0);
    *recorder.latest().call_seconds += 2e-6;
    (void)recorder.open_wildcard(9);
    recorder.append({Function::Irecv_, {0, 10, 16, rank_any, 1, 0, 0, 2, 0, rank_none, 0, 0}}, 0,
                    0);
    *recorder.latest().call_seconds += 3e-6;
    recorder.match_wildcard(1, 1, 5);
    const RankRecording recording = recorder.recording();
    EXPECT_NEAR(recording.times[0].seconds, 2e-6, 1e-12);
    EXPECT_NEAR(recording.times[1].seconds, 3e-6, 1e-12);
}

TEST(Recorder, each_thread_has_numbers_of_its_own_whoever_comes_first) {
    for (const bool first_comes_first : {true, false}) {
        Recorder recorder;
        const auto begin = [&](std::uint32_t thread) {
            recorder.use(thread);
            (void)recorder.slot(0x1000, 0, 8);
            return recorder.requests.add(99, 1000 + thread).number;
        };
        const auto a = begin(first_comes_first ? 0 : 1), b = begin(first_comes_first ? 1 : 0);
        EXPECT_EQ(std::min(a, b), 0);
        EXPECT_EQ(std::max(a, b), first_number_of(1));
        EXPECT_EQ(recorder.recording().slots.size(), 1u);
        EXPECT_EQ(recorder.recording().threads.at(0).slots.size(), 1u);
    }
}

TEST(Recorder, a_number_that_another_thread_gave_up_is_not_given_out_again) {
    Recorder recorder;
    recorder.use(1);
    recorder.use(0);
    const auto made = recorder.requests.add(99, 1000).number;
    const auto slot = recorder.slot(0x1000, 0, 8);
    recorder.use(1);
    ASSERT_NE(recorder.requests.find(99, 1000), nullptr);
    recorder.requests.remove(*recorder.requests.by_name(made));
    recorder.slots.release(slot);
    EXPECT_EQ(recorder.requests.find(99, 1000), nullptr);
    recorder.use(0);
    EXPECT_NE(recorder.requests.add(99, 1000).number, made);
    EXPECT_NE(recorder.slot(0x1000, 0, 8), slot);
}

TEST(Recorder, a_slot_knows_how_all_of_its_memory_is_aligned) {
    Recorder recorder;
    const auto use = [&](std::uintptr_t address) {
        recorder.slots.release(recorder.slot(address, 0, 8));
        return recorder.recording().slots.at(0).shift();
    };
    EXPECT_EQ(use(0x1000), 0);  // the beginning of a line, or of a page
    EXPECT_EQ(use(0x2030), 16);
    EXPECT_EQ(use(0x3020), 16);
    EXPECT_EQ(use(0x4044), 4);
    EXPECT_EQ(use(0x5000), 4);
}

TEST(Recorder, nothing_is_allocated_while_a_program_repeats) {
    Recorder recorder;
    Event send{Function::Isend_, {0, 10, 16, 1, 7, 0, 0, 2, 0, 0}};
    Event wait{Function::Wait_, {0, 0, 0, 0}};
    const auto turn = [&](std::uintptr_t buffer) {
        const std::int64_t slot = recorder.slot(buffer, 0, 80);
        const std::int64_t request = recorder.requests.add(99, 1000).number;
        send.values[0] = slot;
        recorder.append(send, 1e-6, 1e-6);
        recorder.requests.remove(*recorder.requests.by_name(request));
        recorder.slots.release(slot);
        recorder.append(wait, 1e-6, 1e-6);
    };
    for (std::uintptr_t i = 0; i < 100; ++i) turn(4096 * (1 + i));
    const std::uint64_t before = refrain::testing::allocations();
    for (std::uintptr_t i = 100; i < 1000; ++i) turn(4096 * (1 + i));
    EXPECT_EQ(refrain::testing::allocations() - before, 0U);
}

TEST(Recorder, a_receive_from_any_source_waits_for_its_match_with_all_that_follows) {
    Recorder recorder;
    Event receive{Function::Irecv_, {0, 10, 16, rank_any, 1, 0, 0, 2, 0, rank_none, 0, 0}};
    const std::uint64_t wildcard = recorder.open_wildcard(9);
    recorder.append(receive, 0, 0);
    recorder.append({Function::Barrier_, {0, 0, 2, 0}}, 0, 0);
    EXPECT_EQ(recorder.event_count(), 0u);
    EXPECT_EQ(recorder.held_back(), 2u);
    recorder.match_wildcard(wildcard, 1, 5);
    EXPECT_EQ(recorder.event_count(), 2u);
    receive.values[9] = 1;
    receive.values[10] = 5;
    EXPECT_EQ(recorder.recording().events[0], receive);
}

TEST(Recorder, receives_that_match_in_another_order_keep_theirs) {
    Recorder recorder;
    const Event receive{Function::Irecv_, {0, 10, 16, rank_any, 1, 0, 0, 2, 0, rank_none, 0, 0}};
    const std::uint64_t first = recorder.open_wildcard(9);
    recorder.append(receive, 0, 0);
    const std::uint64_t second = recorder.open_wildcard(9);
    recorder.append(receive, 0, 0);
    recorder.match_wildcard(second, 2, 1);
    EXPECT_EQ(recorder.event_count(), 0u);
    recorder.match_wildcard(first, 3, 1);
    const RankRecording recording = recorder.recording();
    ASSERT_EQ(recording.events.size(), 2u);
    EXPECT_EQ(recording.events[0].values[9], 3);
    EXPECT_EQ(recording.events[1].values[9], 2);
}

TEST(Recorder, a_loop_has_the_same_size_however_often_it_runs) {
    const auto size = [](int steps) { return write(testing::ring(2, steps)[0]).size(); };
    EXPECT_LE(size(20000), size(10000) + 16);
    EXPECT_LE(size(10000), 600u);
}

TEST(Recorder, work_is_summed_by_the_calls_around_it) {
    testing::Rank rank(0, 2);
    for (int i = 0; i < 5; ++i)
        rank.call(Function::Barrier_, {0, 0, 2, 0}, 3e-6)
            .call(Function::Send_, {0, 1, 16, 1, 1, 0, 0, 2, 0}, 5e-6);
    const RankRecording recording = rank.finish();
    const auto find = [&](Function before, Function after) {
        for (const Work& work : recording.work)
            if (work.before != Work::start && recording.events[work.before].function == before &&
                recording.events[work.after].function == after)
                return work;
        return Work{};
    };
    EXPECT_EQ(find(Function::Barrier_, Function::Send_).count, 5u);
    EXPECT_NEAR(find(Function::Barrier_, Function::Send_).seconds, 25e-6, 1e-12);
    EXPECT_EQ(find(Function::Send_, Function::Barrier_).count, 4u);
}

TEST(Recorder, work_is_not_known_where_calls_were_left_out) {
    Recorder recorder;
    const Event barrier{Function::Barrier_, {0, 0, 2, 0}};
    recorder.append(barrier, 1e-6, 0);
    recorder.append(barrier, 3e-6, 0);
    recorder.append(barrier, Recorder::no_work, 0);
    const RankRecording recording = recorder.recording();
    ASSERT_EQ(recording.work.size(), 2u);
    EXPECT_EQ(recording.work[0].count, 1u);
    EXPECT_NEAR(recording.work[0].seconds, 3e-6, 1e-12);
}

struct FakeClock {
    static double wall() { return wall_now; }
    static double cpu() {
        ++cpu_reads;
        return cpu_now;
    }
    static void pass(double wall, double cpu) { wall_now += wall, cpu_now += cpu; }
    static inline double wall_now = 0, cpu_now = 0;
    static inline int cpu_reads = 0;
};

TEST(SlidingMedian, forgets_what_is_old_and_does_not_see_an_interrupt) {
    SlidingMedian median;
    EXPECT_EQ(median.value(), 0);
    median.add(2e-6);
    EXPECT_EQ(median.value(), 2e-6);
    for (int i = 0; i < 20; ++i) median.add(i % 4 == 0 ? 1e-3 : 1e-6);
    EXPECT_EQ(median.value(), 1e-6);
    for (int i = 0; i < 9; ++i) median.add(3e-6);
    EXPECT_EQ(median.value(), 3e-6);
}

TEST(SystemClock, a_tick_is_worth_what_two_readings_say) {
    const TickRate rate = rate_between({1000, 5.0}, {2001000, 5.001});
    EXPECT_NEAR(rate.seconds_per_tick, 5e-10, 1e-16);
    EXPECT_NEAR(rate.seconds_at(2001000), 5.001, 1e-12);
    EXPECT_NEAR(rate.seconds_at(4001000), 5.002, 1e-12);
    EXPECT_NEAR(rate.seconds_at(2000999), 5.001, 1e-9) << "another processor's, a tick behind";
}

TEST(SystemClock, the_counter_is_left_alone_where_its_rate_is_not_known) {
    EXPECT_EQ(rate_between({0, 5}, {2000, 6}).seconds_per_tick, 0) << "there is none";
    EXPECT_EQ(rate_between({1000, 5}, {2000, 5.0001}).seconds_per_tick, 0) << "too near";
    EXPECT_EQ(rate_between({2000, 5}, {1000, 6}).seconds_per_tick, 0) << "it was set back";
    EXPECT_EQ(rate_between({1000, 5}, {1000, 6}).seconds_per_tick, 0) << "it stands still";
}

#if defined(__x86_64__) && defined(__linux__)
TEST(SystemClock, the_counter_of_any_such_processor_is_read_behind_what_came_before) {
    const ClockReading before = SystemClock::reading(), behind = SystemClock::reading();
    EXPECT_NE(before.ticks, 0);
    EXPECT_GT(behind.ticks, before.ticks);
}
#endif

TEST(SystemClock, a_tick_is_worth_the_same_after_days_and_where_the_counter_begins_anew) {
    constexpr std::uint64_t hertz = 5000000000, days = 10, ticks = days * 86400 * hertz;
    constexpr std::uint64_t half = std::uint64_t{1} << 63;
    // It stood there when the process began: after some days, 58 years, and just before it is at its end.
    for (const std::uint64_t origin : {ticks, half - hertz, half, std::uint64_t(0) - 2 * hertz}) {
        const TickRate rate = rate_between({origin, 1e6}, {origin + hertz, 1e6 + 1});
        EXPECT_NEAR(rate.seconds_at(origin + hertz + ticks), 1e6 + 1 + days * 86400, 1e-6);
        EXPECT_NEAR(
            rate.seconds_at(origin + hertz + ticks + 5) - rate.seconds_at(origin + hertz + ticks),
            1e-9, 5e-10);
        EXPECT_NEAR(rate.seconds_at(origin), 1e6, 1e-6) << "before it was calibrated";
    }
}

TEST(SystemClock,
     a_counter_that_jumps_is_noticed_and_one_that_the_system_is_slewed_against_is_not) {
    const TickRate rate = rate_between({1000, 5}, {2001000, 5.001});
    const ClockReading before{2001000, 5.001};
    EXPECT_TRUE(rate.holds_between(before, {2001000 + 20000000000, 15.001}));
    EXPECT_TRUE(rate.holds_between(before, {2001000 + 20000000000, 15.001 * 1.0005}));
    EXPECT_FALSE(rate.holds_between(before, {1000, 15.001})) << "the machine slept: it begins anew";
    EXPECT_FALSE(rate.holds_between(before, {2001000 + 40000000000, 15.001})) << "it went on";
    EXPECT_FALSE(rate.holds_between(before, {2001000 + 10000000000, 15.001})) << "its rate changed";
}

TEST(Recorder, where_the_clock_jumps_nothing_takes_less_than_no_time) {
    Recorder recorder;
    const Event event{Function::Barrier_, {0, 0, 2, 0}};
    recorder.append(event, 1e-6, 2e-6);
    recorder.append(event, Computed{1e-6, nullptr, {-3, 2}}, -3);
    const RankRecording recording = recorder.recording();
    ASSERT_EQ(recording.times.size(), 1);
    EXPECT_DOUBLE_EQ(recording.times[0].seconds, 2e-6);
    for (const Work& work : recording.work) EXPECT_GE(work.team.seconds, 0);
}

TEST(SystemClock, the_counter_shows_the_systems_time) {
    const auto system = [] {
        timespec now{};
        clock_gettime(CLOCK_MONOTONIC, &now);
        return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
    };
    const ClockReading first = SystemClock::reading();
    while (system() - first.seconds < 2e-3) {
    }
    // By the system's function, then by the counter, if it is a clock.
    for (int i = 0; i < 2; ++i) {
        double before = system(), now = SystemClock::wall();
        for (int k = 0; k < 1000; ++k) {
            const double after = system();
            // The rate is right to some 0.001 %, or to 0.1 % where the readings were disturbed each time.
            const double slack = 1e-4 + 1e-3 * (after - first.seconds);
            EXPECT_GT(now, before - slack);
            EXPECT_LT(now, after + slack);
            before = after;
            now = SystemClock::wall();
        }
        SystemClock::use_counter(first);
    }
}

TEST(WorkClock, work_that_seems_to_end_before_it_begins_took_no_time) {
    FakeClock::wall_now = FakeClock::cpu_now = 1;
    WorkClock<FakeClock> clock;
    clock.start();
    FakeClock::pass(-1e-8, 0);  // the thread is on another processor, whose counter is behind
    EXPECT_EQ(clock.stop(), 0);
}

TEST(WorkClock, long_intervals_are_processor_time_and_short_ones_cost_no_system_call) {
    FakeClock::wall_now = FakeClock::cpu_now = 0;
    WorkClock<FakeClock> clock;
    clock.start();
    FakeClock::cpu_reads = 0;
    FakeClock::pass(5e-6, 5e-6);
    EXPECT_NEAR(clock.stop(), 5e-6, 1e-12);
    FakeClock::pass(2e-6, 2e-6);  // a short call
    clock.resume();
    EXPECT_EQ(FakeClock::cpu_reads, 0);
    FakeClock::pass(1e-3, 4e-4);  // another process had the processor
    EXPECT_NEAR(clock.stop(), 4e-4, 1e-9);
    FakeClock::pass(1e-3, 1e-5);  // a call that waits
    clock.resume();
    FakeClock::pass(1e-4, 1e-4);
    EXPECT_NEAR(clock.stop(), 1e-4, 1e-9);
}

TEST(WorkClock, work_within_a_slice_of_time_costs_no_system_call_and_a_call_that_may_wait_does) {
    FakeClock::wall_now = FakeClock::cpu_now = 0;
    WorkClock<FakeClock> clock;
    clock.start();
    FakeClock::cpu_reads = 0;
    for (int i = 0; i < 3; ++i) {
        FakeClock::pass(190e-6, 190e-6);
        EXPECT_NEAR(clock.stop(), 190e-6, 1e-12);
        FakeClock::pass(2e-6, 2e-6);
        clock.resume();
    }
    EXPECT_EQ(FakeClock::cpu_reads, 0);
    FakeClock::pass(190e-6, 190e-6);
    (void)clock.stop();
    FakeClock::pass(30e-6, 1e-6);  // it gave the processor away
    clock.resume();
    EXPECT_EQ(FakeClock::cpu_reads, 1);
    FakeClock::pass(1e-3, 1e-3);
    EXPECT_NEAR(clock.stop(), 1e-3, 1e-9);
}

TEST(WorkClock, after_a_long_call_the_processors_clock_is_read_where_long_work_is_expected) {
    FakeClock::wall_now = FakeClock::cpu_now = 0;
    WorkClock<FakeClock> clock;
    clock.start();
    (void)clock.stop();
    FakeClock::cpu_reads = 0;
    FakeClock::pass(1e-3, 1e-3);  // a call that waits busily
    EXPECT_NEAR(clock.resume(false), 1e-3, 1e-12);
    FakeClock::pass(3e-6, 3e-6);
    EXPECT_NEAR(clock.stop(), 3e-6, 1e-12);
    EXPECT_EQ(FakeClock::cpu_reads, 0);
    FakeClock::pass(1e-3, 1e-3);
    (void)clock.resume(false);
    FakeClock::pass(4e-3, 1e-6);  // another process had the processor: it is not known how long
    EXPECT_NEAR(clock.stop(), WorkClock<FakeClock>::unknown_seconds, 1e-12);
    FakeClock::pass(1e-6, 1e-6);
    (void)clock.resume(false);
    FakeClock::pass(1e-3, 7e-4);  // known again
    EXPECT_NEAR(clock.stop(), 7e-4, 1e-9);
    FakeClock::pass(1e-3, 1e-3);
    (void)clock.resume(false);
    FakeClock::pass(5e-6, 5e-6);
    (void)clock.stop();
    FakeClock::pass(1e-6, 1e-6);  // a short call, behind which long work is expected
    (void)clock.resume(true);
    FakeClock::pass(10e-3, 10e-3);
    EXPECT_NEAR(clock.stop(), 10e-3, 1e-9);
}

}  // namespace
}  // namespace refrain::proxy::recorder_test
