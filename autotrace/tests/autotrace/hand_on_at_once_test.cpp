#include "refrain/autotrace.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <stdexcept>

#include "recording_host.hpp"
#include "streams.hpp"

namespace refrain::autotrace::testing::hand_on_at_once_test {
namespace {

Options at_once() {
    Options options;
    options.hand_on_at_once = true;
    options.synchronous_mining = true;
    return options;
}

/// A tracer with eager replay, for a host that implements leave_trace.
class HandOnAtOnce : public ::testing::Test {
  protected:
    void run(const std::vector<std::uint64_t>& stream) {
        for (const std::uint64_t token : stream) launch_.operation(token);
    }
    [[nodiscard]] const Statistics& statistics() const { return tracer_.statistics(); }
    [[nodiscard]] std::size_t events(Event::Kind kind) const {
        return static_cast<std::size_t>(
            std::count_if(host_.events.begin(), host_.events.end(),
                          [&](const Event& event) { return event.kind == kind; }));
    }

    RecordingHost host_;
    AutoTracer tracer_{at_once(), host_};
    Launcher launch_{tracer_, host_};
};

TEST_F(HandOnAtOnce, holds_nothing_back_in_a_recorded_loop) {
    run(loop(100, 4000));
    for (const std::uint64_t token : loop(100, 4000)) {
        launch_.operation(token);
        ASSERT_FALSE(tracer_.holds_any());
    }
    EXPECT_EQ(statistics().traces_left, 0U);
    EXPECT_GT(statistics().replayed, 7000U);
}

TEST_F(HandOnAtOnce, leaves_a_trace_when_the_program_differs) {
    run(loop(100, 4000));
    run(loop(100, 50));
    EXPECT_TRUE(host_.in_trace());
    const std::uint64_t left = statistics().traces_left;
    launch_.operation(777);
    EXPECT_FALSE(host_.in_trace());
    EXPECT_EQ(statistics().traces_left, left + 1);
    EXPECT_EQ(events(Event::Kind::leave), statistics().traces_left);
    const std::uint64_t replayed = statistics().replayed;
    run(loop(100, 500));
    EXPECT_GT(statistics().replayed, replayed + 300) << "replays again";
}

TEST_F(HandOnAtOnce, continues_a_trace_across_waits_since_nothing_is_held) {
    run(loop(100, 4000));
    const std::uint64_t replayed = statistics().replayed;
    for (int i = 0; i < 100; ++i) {
        run(loop(100, 100));
        tracer_.flush();
    }
    EXPECT_EQ(statistics().replayed, replayed + 10'000);
    EXPECT_EQ(statistics().traces_left, 0U);
}

TEST_F(HandOnAtOnce, leaves_a_trace_when_it_is_interrupted) {
    run(loop(100, 4000));
    run(loop(100, 50));
    ASSERT_TRUE(host_.in_trace());
    tracer_.interrupt();
    EXPECT_FALSE(host_.in_trace());
    tracer_.interrupt();
    EXPECT_EQ(events(Event::Kind::leave), 1U);
}

TEST_F(HandOnAtOnce, leaves_a_trace_before_an_untraceable_operation) {
    run(loop(100, 4000));
    run(loop(100, 50));
    launch_.untraceable();
    EXPECT_FALSE(host_.in_trace());
    EXPECT_EQ(host_.issued_count, launch_.launched());
}

TEST(HandOnAtOnceTracer, leaves_the_trace_when_the_host_throws_and_continues) {
    class Thrower final : public TraceHost {
      public:
        void issue(OperationHandle operation) override {
            ++issued;
            if (operation == bad) throw std::runtime_error("no");
        }
        void begin_trace(TraceId, std::size_t) override { ++open; }
        void end_trace(TraceId) override { --open; }
        void leave_trace(TraceId) override { --open; }
        OperationHandle bad = 0;
        std::uint64_t issued = 0;
        int open = 0;
    } host;
    AutoTracer tracer(at_once(), host);
    OperationHandle handle = 0;
    for (const std::uint64_t token : loop(100, 4050)) tracer.operation({1, token}, ++handle);
    ASSERT_EQ(host.open, 1);
    host.bad = handle + 1;
    EXPECT_THROW(tracer.operation({1, 50}, ++handle), std::runtime_error);
    EXPECT_EQ(host.open, 0);
    for (const std::uint64_t token : loop(100, 1000)) tracer.operation({1, token}, ++handle);
    tracer.interrupt();
    EXPECT_EQ(host.open, 0);
    EXPECT_EQ(host.issued, handle) << "each operation was issued once";
}

TEST(HandOnAtOnceTracer, replays_as_much_of_programs_with_branches_as_holding_back) {
    for (unsigned seed = 0; seed < 5; ++seed) {
        double covered[2];
        for (const bool now : {false, true}) {
            Options options = at_once();
            options.hand_on_at_once = now;
            RecordingHost host;
            host.keep_events = false;
            AutoTracer tracer(options, host);
            Launcher launch(tracer, host);
            std::mt19937 random(seed);
            for (int i = 0; i < 3000; ++i) {
                const std::uint64_t way = random() % 3 == 0 ? 1000 : 0;
                for (std::uint64_t token = 0; token < 40; ++token) launch.operation(way + token);
            }
            covered[now ? 1 : 0] = static_cast<double>(tracer.statistics().replayed);
        }
        EXPECT_GT(covered[1], 0.95 * covered[0]) << seed;
    }
}

}  // namespace
}  // namespace refrain::autotrace::testing::hand_on_at_once_test
