#include "refrain/autotrace.h"

#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace {

struct Counts {
    std::vector<std::uint64_t> issued;
    std::uint64_t begun = 0;
    std::uint64_t ended = 0;
    std::uint64_t forgotten = 0;
    int submitted = 0;
};

void issue(void* context, std::uint64_t operation) {
    static_cast<Counts*>(context)->issued.push_back(operation);
}
void begin_trace(void* context, std::uint64_t /*trace*/, std::size_t /*length*/) {
    ++static_cast<Counts*>(context)->begun;
}
void end_trace(void* context, std::uint64_t /*trace*/) {
    ++static_cast<Counts*>(context)->ended;
}
void forget_trace(void* context, std::uint64_t /*trace*/) {
    ++static_cast<Counts*>(context)->forgotten;
}

refrain_autotrace_host host_of(Counts& counts) {
    return {.context = &counts,
            .issue = issue,
            .begin_trace = begin_trace,
            .end_trace = end_trace,
            .forget_trace = forget_trace,
            .leave_trace = nullptr};
}

refrain_autotracer* create(Counts& counts, const refrain_autotrace_options* options = nullptr,
                           const refrain_autotrace_executor* executor = nullptr) {
    const refrain_autotrace_host host = host_of(counts);
    refrain_autotracer* tracer = nullptr;
    char message[256] = "";
    EXPECT_EQ(refrain_autotrace_create(options, &host, executor, &tracer, message, sizeof message),
              REFRAIN_AUTOTRACE_OK)
        << message;
    return tracer;
}

TEST(CInterface, traces_a_loop) {
    Counts counts;
    refrain_autotracer* tracer = create(counts);
    for (std::uint64_t i = 0; i < 3050; ++i) {
        ASSERT_EQ(refrain_autotrace_operation(tracer, {1, i % 100}, i), REFRAIN_AUTOTRACE_OK);
    }
    EXPECT_GT(refrain_autotrace_held(tracer), 0U);
    EXPECT_EQ(refrain_autotrace_holds(tracer, 3049), 1);
    EXPECT_EQ(refrain_autotrace_holds(tracer, 0), 0);
    EXPECT_EQ(refrain_autotrace_ignorable(tracer, 3050), REFRAIN_AUTOTRACE_OK);
    EXPECT_EQ(refrain_autotrace_flush(tracer), REFRAIN_AUTOTRACE_OK);
    EXPECT_EQ(refrain_autotrace_untraceable(tracer, 3051), REFRAIN_AUTOTRACE_OK);
    refrain_autotrace_statistics statistics;
    EXPECT_EQ(refrain_autotrace_get_statistics(tracer, &statistics), REFRAIN_AUTOTRACE_OK);
    EXPECT_EQ(statistics.operations, 3052U);
    EXPECT_EQ(statistics.traceable, 3050U);
    EXPECT_EQ(statistics.untraceable, 1U);
    EXPECT_EQ(statistics.ignorable, 1U);
    EXPECT_EQ(statistics.flushes, 1U);
    EXPECT_GT(statistics.replayed, 2000U);
    EXPECT_EQ(statistics.traces, 1U);
    EXPECT_GT(statistics.history_bytes, 0U);
    refrain_autotrace_destroy(tracer);
    EXPECT_EQ(counts.begun, counts.ended);
    ASSERT_EQ(counts.issued.size(), 3052U);
    for (std::uint64_t i = 0; i < 3052; ++i) ASSERT_EQ(counts.issued[i], i);
}

TEST(CInterface, rejects_invalid_arguments) {
    Counts counts;
    refrain_autotrace_host host = host_of(counts);
    refrain_autotracer* tracer = nullptr;
    char message[64];
    const auto reason = [&](const refrain_autotrace_options* options,
                            const refrain_autotrace_host* of,
                            const refrain_autotrace_executor* executor) {
        std::memset(message, 'x', sizeof message);
        EXPECT_EQ(refrain_autotrace_create(options, of, executor, &tracer, message, sizeof message),
                  REFRAIN_AUTOTRACE_BAD_ARGUMENT);
        EXPECT_EQ(tracer, nullptr);
        EXPECT_LT(std::strlen(message), sizeof message);
        return std::string(message);
    };
    EXPECT_EQ(reason(nullptr, nullptr, nullptr).find("argument 'host' is null"), 0U);
    const refrain_autotrace_executor executor{};
    EXPECT_EQ(reason(nullptr, &host, &executor).find("argument 'executor' lacks"), 0U);
    refrain_autotrace_options options;
    refrain_autotrace_default_options(&options);
    options.trace_length_max = 1;
    EXPECT_NE(reason(&options, &host, nullptr).find("'trace_length_max' is 1"), std::string::npos);
    host.issue = nullptr;
    EXPECT_EQ(reason(nullptr, &host, nullptr).find("argument 'host' lacks"), 0U);

    EXPECT_EQ(refrain_autotrace_create(nullptr, nullptr, nullptr, nullptr, nullptr, 0),
              REFRAIN_AUTOTRACE_BAD_ARGUMENT);
    EXPECT_EQ(refrain_autotrace_operation(nullptr, {0, 0}, 0), REFRAIN_AUTOTRACE_BAD_ARGUMENT);
    EXPECT_EQ(refrain_autotrace_flush(nullptr), REFRAIN_AUTOTRACE_BAD_ARGUMENT);
    EXPECT_EQ(refrain_autotrace_get_statistics(nullptr, nullptr), REFRAIN_AUTOTRACE_BAD_ARGUMENT);
    EXPECT_EQ(refrain_autotrace_holds(nullptr, 0), 0);
    refrain_autotrace_destroy(nullptr);
}

TEST(CInterface, submits_mining_jobs_to_the_executor) {
    Counts counts;
    const refrain_autotrace_executor executor = {
        .context = &counts,
        .submit =
            [](void* context, void (*run)(void*), void* job) {
                ++static_cast<Counts*>(context)->submitted;
                run(job);
            },
        .help = [](void*) {}};
    refrain_autotracer* tracer = create(counts, nullptr, &executor);
    for (std::uint64_t i = 0; i < 3000; ++i) refrain_autotrace_operation(tracer, {0, i % 10}, i);
    EXPECT_GT(counts.submitted, 0);
    refrain_autotrace_destroy(tracer);
    EXPECT_GT(counts.begun, 0U);
}

TEST(CInterface, has_the_defaults_of_the_class) {
    refrain_autotrace_options options;
    refrain_autotrace_default_options(&options);
    EXPECT_EQ(options.trace_length_min, 5U);
    EXPECT_EQ(options.trace_length_max, 5000U);
    EXPECT_EQ(options.result_delay_operations, REFRAIN_AUTOTRACE_DELAY_BY_SLICE);
    Counts with;
    Counts without;
    for (Counts* counts : {&with, &without}) {
        refrain_autotracer* tracer = create(*counts, counts == &with ? &options : nullptr);
        for (std::uint64_t i = 0; i < 9000; ++i) {
            refrain_autotrace_operation(tracer, {0, i % 333}, i);
        }
        refrain_autotrace_destroy(tracer);
    }
    EXPECT_EQ(with.begun, without.begun);
}

TEST(CInterface, calls_forget_trace_for_evicted_traces) {
    Counts counts;
    refrain_autotrace_options options;
    refrain_autotrace_default_options(&options);
    options.candidate_bytes_max = std::size_t{64} << 10;
    refrain_autotracer* tracer = create(counts, &options);
    std::uint64_t handle = 0;
    for (std::uint64_t phase = 0; phase < 20; ++phase) {
        for (std::uint64_t i = 0; i < 4000; ++i) {
            refrain_autotrace_operation(tracer, {phase, i % 200}, handle++);
        }
    }
    refrain_autotrace_destroy(tracer);
    EXPECT_GT(counts.forgotten, 5U);
}

}  // namespace
