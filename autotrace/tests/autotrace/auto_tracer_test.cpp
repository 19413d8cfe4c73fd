#include "refrain/autotrace.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <string>

#include "recording_host.hpp"
#include "streams.hpp"

namespace refrain::autotrace::testing::auto_tracer_test {
namespace {

/// A tracer, its host, and a launcher.
struct Session {
    explicit Session(const Options& options = {}) : tracer(options, host), launch(tracer, host) {}

    void run(const std::vector<std::uint64_t>& stream) {
        for (const std::uint64_t token : stream) launch.operation(token);
    }
    [[nodiscard]] const Statistics& statistics() const { return tracer.statistics(); }

    RecordingHost host;
    AutoTracer tracer;
    Launcher launch;
};

Options small_options(unsigned seed) {
    std::mt19937 random(seed);
    Options options;
    options.trace_length_min = 1 + random() % 6;
    options.trace_length_max = options.trace_length_min + random() % 50;
    options.loop_length = random() % 40;
    options.multi_scale_factor = 8 + random() % 30;
    options.history_tokens = options.multi_scale_factor * (1 + random() % 12);
    if (random() % 2 == 0) options.result_delay_operations = random() % 100;
    options.mine_every_slice = random() % 2 == 0;
    options.hand_on_at_once = random() % 2 == 0;
    if (random() % 2 == 0) options.candidate_bytes_max = (12 + random() % 30) << 10;
    return options;
}

void run_random_program(unsigned seed) {
    Session session(small_options(seed));
    std::mt19937 random(seed);
    const std::uint64_t body = 1 + random() % 20;
    const std::uint64_t noise = 2 + random() % 60;
    for (std::uint64_t i = 0; i < 4000; ++i) {
        const std::uint64_t kind = random() % noise;
        if (kind == 0) {
            switch (random() % 4) {
                case 0:
                    session.launch.untraceable();
                    break;
                case 1:
                    session.launch.ignorable();
                    break;
                case 2:
                    session.launch.operation(1000 + random() % 3);
                    break;
                default:
                    session.tracer.flush();
                    break;
            }
            ASSERT_EQ(session.tracer.holds_any(), session.tracer.held() != 0) << "seed " << seed;
        }
        session.launch.operation(i % body);
    }
    session.tracer.flush();
    ASSERT_EQ(session.host.issued_count, session.launch.launched()) << "seed " << seed;
    for (OperationHandle i = 0; i < session.launch.launched(); ++i) {
        ASSERT_EQ(session.host.issued[i], i + 1) << "seed " << seed;
    }
    const Statistics& counts = session.statistics();
    EXPECT_EQ(counts.recorded + counts.replayed, session.host.traced_count) << "seed " << seed;
    EXPECT_EQ(counts.traces, session.host.traces.size()) << "seed " << seed;
    EXPECT_EQ(counts.traceable + counts.untraceable + counts.ignorable, counts.operations);
    session.tracer.interrupt();
    EXPECT_FALSE(session.host.in_trace());
}

TEST(AutoTracer, issues_each_operation_once_and_in_order_in_random_programs) {
    for (unsigned seed = 1; seed <= 80; ++seed) ASSERT_NO_FATAL_FAILURE(run_random_program(seed));
}

void expect_steady_loop(std::uint64_t period) {
    Session session;
    session.host.keep_events = false;
    // Enough operations for the longest slice that is needed to be mined and its result applied.
    const std::uint64_t settled = std::max<std::uint64_t>(2000 / period + 1, 16) * period;
    session.run(loop(period, settled));
    const std::uint64_t traces = session.host.traces.size();
    const std::uint64_t replays = session.statistics().replays;
    session.run(loop(period, settled));
    EXPECT_LT(session.host.last_plain_at, settled) << "an operation was issued outside of traces";
    EXPECT_LT(session.host.last_change_at, settled) << "another trace, or another rotation";
    EXPECT_EQ(session.host.traces.size(), traces);
    EXPECT_GT(session.statistics().replays, replays);
}

TEST(AutoTracer, replays_one_trace_back_to_back_in_the_steady_state_of_a_loop) {
    for (std::uint64_t period = 1; period <= 50; ++period) {
        SCOPED_TRACE("period " + std::to_string(period));
        expect_steady_loop(period);
    }
    for (const std::uint64_t period : {64, 100, 333, 900, 2500, 4000}) {
        SCOPED_TRACE("period " + std::to_string(period));
        expect_steady_loop(period);
    }
}

TEST(AutoTracer, keeps_few_traces_of_a_loop_that_runs_long) {
    for (const std::uint64_t period : {1, 2, 7, 37, 100, 333}) {
        Options options;
        options.mine_every_slice = true;  // so that every slice proposes its rotation
        Session session(options);
        session.host.keep_events = false;
        session.run(loop(period, 60'000));
        EXPECT_LE(session.statistics().candidates, 3U) << "period " << period;
        EXPECT_LE(session.statistics().candidates_taken, 4U) << "period " << period;
    }
}

TEST(AutoTracer, replays_a_loop_of_100_operations_before_its_fifth_iteration) {
    Session session;
    session.run(loop(100, 2000));
    EXPECT_LT(session.statistics().first_replay, 500U);
}

double replayed_in_second_half(const std::vector<std::uint64_t>& stream) {
    Session session;
    session.host.keep_events = false;
    const std::size_t half = stream.size() / 2;
    session.run({stream.begin(), stream.begin() + static_cast<std::ptrdiff_t>(half)});
    session.tracer.flush();
    const std::uint64_t before = session.statistics().replayed;
    session.run({stream.begin() + static_cast<std::ptrdiff_t>(half), stream.end()});
    session.tracer.flush();
    return static_cast<double>(session.statistics().replayed - before) /
           static_cast<double>(stream.size() - half);
}

TEST(AutoTracer, replays_most_of_programs_with_branches_or_foreign_operations) {
    EXPECT_GT(replayed_in_second_half(random_branches(1500, 2, 100, 1)), 0.85);
    EXPECT_GT(replayed_in_second_half(random_branches(4000, 2, 12, 2)), 0.85);
    std::vector<std::uint64_t> foreign = loop(100, 150'000);
    std::mt19937 random(3);
    for (std::uint64_t& token : foreign) {
        if (random() % 1000 == 0) token = 1'000'000 + random();
    }
    EXPECT_GT(replayed_in_second_half(foreign), 0.85);
}

TEST(AutoTracer, finds_the_outer_loop_around_an_inner_one) {
    std::vector<std::uint64_t> nested;
    while (nested.size() < 30'000) {
        for (int i = 0; i < 10; ++i) {
            for (std::uint64_t at = 0; at < 10; ++at) nested.push_back(at);
        }
        for (std::uint64_t at = 0; at < 3; ++at) nested.push_back(100 + at);
    }
    EXPECT_GT(replayed_in_second_half(nested), 0.98);
}

TEST(AutoTracer, replays_whole_loops_between_waits) {
    Session session;
    for (std::uint64_t i = 1; i <= 40'000; ++i) {
        session.launch.operation(i % 10);
        if (i % 50 == 0) session.tracer.flush();
        if (i == 20'000) session.host.plain_count = 0;
    }
    EXPECT_EQ(session.host.plain_count, 0U);
}

TEST(AutoTracer, replays_before_and_after_an_untraceable_operation) {
    Session session;
    for (std::uint64_t i = 1; i <= 40'000; ++i) {
        session.launch.operation(i % 25);
        if (i % 100 == 0) session.launch.untraceable();
        if (i == 20'000) session.host.plain_count = 0;
    }
    session.tracer.flush();
    EXPECT_EQ(session.host.plain_count, 0U);
    EXPECT_EQ(session.statistics().untraceable, 400U);
}

TEST(AutoTracer, issues_ignorable_operations_inside_traces) {
    Session session;
    std::mt19937 random(5);
    std::uint64_t carried_inside = 0;
    for (std::uint64_t i = 0; i < 20'000; ++i) {
        session.launch.operation(i % 10);
        if (random() % 7 == 0) session.launch.ignorable();
    }
    session.tracer.flush();
    bool open = false;
    for (const Event& event : session.host.events) {
        if (event.kind == Event::Kind::begin) open = true;
        if (event.kind == Event::Kind::end) open = false;
        carried_inside +=
            open && event.kind == Event::Kind::issue && !session.host.tokens.contains(event.value);
    }
    EXPECT_GT(carried_inside, 2000U);
    EXPECT_GT(session.host.traced_count, 19'000U);
}

TEST(AutoTracer, holds_a_bounded_number_of_ignorable_operations) {
    Session session;
    session.run(loop(100, 3050));
    ASSERT_GT(session.tracer.held(), 0U);
    for (int i = 0; i < 100'000; ++i) session.launch.ignorable();
    EXPECT_LE(session.tracer.held(), 32'768U);
}

TEST(AutoTracer, reports_which_operations_it_holds) {
    Session session;
    session.run(loop(100, 3050));
    const std::size_t held = session.tracer.held();
    ASSERT_GT(held, 0U);
    ASSERT_LE(held, 100U);
    const OperationHandle newest = session.launch.launched();
    EXPECT_TRUE(session.tracer.holds(newest));
    EXPECT_TRUE(session.tracer.holds(newest - held + 1));
    EXPECT_FALSE(session.tracer.holds(newest - held));
    EXPECT_FALSE(session.tracer.holds(newest + 1));
    EXPECT_TRUE(session.tracer.holds_any());
    session.tracer.flush();
    EXPECT_FALSE(session.tracer.holds(newest));
    EXPECT_FALSE(session.tracer.holds_any());
    EXPECT_EQ(session.host.issued_count, newest);
}

TEST(AutoTracer, issues_all_held_operations_on_destruction) {
    RecordingHost host;
    {
        AutoTracer tracer({}, host);
        Launcher launch(tracer, host);
        for (const std::uint64_t token : loop(100, 3050)) launch.operation(token);
        ASSERT_GT(tracer.held(), 0U);
    }
    EXPECT_EQ(host.issued_count, 3050U);
}

TEST(AutoTracer, compares_all_128_bits_of_tokens) {
    Session session;
    for (std::uint64_t i = 0; i < 20'000; ++i) {
        // Two loops in random order whose tokens differ in the upper half only.
        const std::uint64_t branch = (i / 10) * 0x9e3779b97f4a7c15U >> 63;
        session.launch.operation(Token{branch, i % 10});
    }
    session.tracer.flush();
    EXPECT_GT(session.host.traced_count, 15'000U);  // the host compares all executions
}

class ThrowingHost final : public TraceHost {
  public:
    std::vector<OperationHandle> issued;
    int begun = 0;
    int ended = 0;
    OperationHandle throw_at = 0;

    void issue(OperationHandle operation) override {
        issued.push_back(operation);
        if (operation == throw_at) throw std::runtime_error("the host failed");
    }
    void begin_trace(TraceId, std::size_t) override { ++begun; }
    void end_trace(TraceId) override { ++ended; }
};

TEST(AutoTracer, continues_after_the_host_has_thrown) {
    for (OperationHandle failing = 2000; failing < 2110; ++failing) {
        ThrowingHost host;
        AutoTracer tracer({}, host);
        host.throw_at = failing;
        int thrown = 0;
        for (OperationHandle i = 1; i <= 4000; ++i) {
            try {
                tracer.operation(Token{0, i % 100}, i);
            } catch (const std::runtime_error&) {
                ++thrown;
            }
        }
        tracer.flush();
        EXPECT_EQ(thrown, 1);
        EXPECT_EQ(host.begun, host.ended);
        ASSERT_EQ(host.issued.size(), 4000U) << failing;
        for (OperationHandle i = 0; i < 4000; ++i) ASSERT_EQ(host.issued[i], i + 1) << failing;
    }
}

}  // namespace
}  // namespace refrain::autotrace::testing::auto_tracer_test
