#include "refrain/autotrace.hpp"

#include <gtest/gtest.h>

#include "allocations/allocations.hpp"
#include "recording_host.hpp"
#include "streams.hpp"

namespace refrain::autotrace::testing::bounded_memory_test {
namespace {

/// Stores nothing.
class SilentHost final : public TraceHost {
  public:
    std::int64_t recorded = 0;  ///< traces recorded and not forgotten
    TraceId newest = TraceId::none;

    void issue(OperationHandle) override {}
    void begin_trace(TraceId trace, std::size_t) override {
        if (trace > newest) {
            newest = trace;
            ++recorded;
        }
    }
    void end_trace(TraceId) override {}
    void forget_trace(TraceId) override { --recorded; }
};

std::uint64_t allocations_during(AutoTracer& tracer, const std::vector<std::uint64_t>& stream,
                                 OperationHandle& handle) {
    const std::uint64_t before = refrain::testing::allocations();
    for (const std::uint64_t token : stream) tracer.operation(Token{0, token}, handle++);
    return refrain::testing::allocations() - before;
}

TEST(BoundedMemory, nothing_is_allocated_in_the_steady_state_of_a_loop) {
    for (const std::uint64_t period : {1, 7, 100, 900}) {
        for (const bool mine_always : {false, true}) {
            SilentHost host;
            Options options;
            options.mine_every_slice = mine_always;
            AutoTracer tracer(options, host);
            OperationHandle handle = 0;
            allocations_during(tracer, loop(period, 60'000 / period * period), handle);
            const std::vector<std::uint64_t> stream = loop(period, 60'000);
            EXPECT_EQ(allocations_during(tracer, stream, handle), 0U)
                << "period " << period << ", mining " << mine_always;
        }
    }
}

TEST(BoundedMemory, nothing_is_allocated_while_nothing_repeats) {
    SilentHost host;
    AutoTracer tracer({}, host);
    OperationHandle handle = 0;
    allocations_during(tracer, no_repeats(60'000), handle);
    std::vector<std::uint64_t> stream = no_repeats(60'000);
    for (std::uint64_t& token : stream) token += 1'000'000;
    EXPECT_EQ(allocations_during(tracer, stream, handle), 0U);
}

void expect_bounded(const std::vector<std::uint64_t>& stream, const char* name) {
    constexpr std::size_t budget = std::size_t{256} << 10;
    SilentHost host;
    Options options;
    options.candidate_bytes_max = budget;
    const std::int64_t before = refrain::testing::allocated_bytes();
    AutoTracer tracer(options, host);
    OperationHandle handle = 0;
    std::int64_t most_in_first_half = 0;
    std::int64_t most_in_second_half = 0;
    for (std::size_t i = 0; i < stream.size(); ++i) {
        tracer.operation(Token{0, stream[i]}, handle++);
        if (i % 64 != 0) continue;
        std::int64_t& most = i < stream.size() / 2 ? most_in_first_half : most_in_second_half;
        most = std::max(most, refrain::testing::allocated_bytes() - before);
        ASSERT_LE(tracer.statistics().candidate_bytes, budget) << name;
        ASSERT_LE(tracer.held(), 2 * options.trace_length_max) << name;
        ASSERT_LE(host.recorded, static_cast<std::int64_t>(tracer.statistics().candidates)) << name;
    }
    EXPECT_LE(tracer.statistics().candidate_bytes_max, budget) << name;
    EXPECT_LE(most_in_second_half, most_in_first_half + static_cast<std::int64_t>(budget) / 2)
        << name;
    EXPECT_LE(most_in_second_half, 4 << 20) << name;
}

TEST(BoundedMemory, adversarial_streams_stay_within_the_budget) {
    constexpr std::uint64_t length = 150'000;
    expect_bounded(no_repeats(length), "no repeats");
    expect_bounded(thue_morse(length), "Thue-Morse");
    expect_bounded(fibonacci_word(length), "Fibonacci");
    expect_bounded(random_symbols(length, 2, 1), "two symbols");
    expect_bounded(random_symbols(length, 4, 2), "four symbols");
    expect_bounded(random_symbols(length, 30, 3), "thirty symbols");
    expect_bounded(random_branches(length / 40, 64, 40, 4), "branches");
    expect_bounded(loop(1, length), "one operation");
}

TEST(BoundedMemory, evicted_candidates_are_forgotten_and_freed) {
    SilentHost host;
    Options options;
    options.candidate_bytes_max = std::size_t{64} << 10;
    AutoTracer tracer(options, host);
    OperationHandle handle = 0;
    // Forty phases, each with a different loop: together far more than fits.
    for (std::uint64_t phase = 0; phase < 40; ++phase) {
        for (std::uint64_t i = 0; i < 6000; ++i) {
            tracer.operation(Token{phase + 1, i % 150}, handle++);
        }
    }
    const Statistics& counts = tracer.statistics();
    EXPECT_GE(counts.traces, 40U) << "each phase is traced";
    EXPECT_GT(counts.candidates_evicted, 20U);
    EXPECT_LT(host.recorded, 10);
    EXPECT_LE(counts.candidate_bytes_max, options.candidate_bytes_max);
    EXPECT_GT(static_cast<double>(counts.replayed), 0.8 * static_cast<double>(counts.traceable));
}

}  // namespace
}  // namespace refrain::autotrace::testing::bounded_memory_test
