#include "refrain/autotrace.hpp"

#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <string>

#include "recording_host.hpp"

namespace refrain::autotrace::testing::options_test {
namespace {

std::string message_of(const std::function<void(Options&)>& spoil) {
    Options options;
    spoil(options);
    RecordingHost host;
    try {
        const AutoTracer tracer(options, host);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "accepted";
}

void expect_message(const std::function<void(Options&)>& spoil, const std::string& part) {
    const std::string message = message_of(spoil);
    EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(Options, defaults_are_valid) {
    EXPECT_NO_THROW(validate(Options{}));
}

TEST(Options, an_invalid_value_is_reported_with_the_way_out) {
    expect_message([](Options& o) { o.trace_length_min = 0; },
                   "option 'trace_length_min' is 0, outside [1, ");
    expect_message([](Options& o) { o.trace_length_max = 4; },
                   "option 'trace_length_max' is 4, less than trace_length_min 5; raise one");
    expect_message([](Options& o) { o.history_tokens = 1; },
                   "option 'history_tokens' is 1, outside [2, ");
    expect_message([](Options& o) { o.multi_scale_factor = 0; },
                   "option 'multi_scale_factor' is 0");
    expect_message([](Options& o) { o.multi_scale_factor = 10'000; },
                   "option 'multi_scale_factor' is 10000, more than history_tokens 8192");
    expect_message([](Options& o) { o.result_delay_operations = std::size_t{1} << 40; },
                   "option 'result_delay_operations'");
    expect_message([](Options& o) { o.history_bytes_max = 1000; },
                   "option 'history_bytes_max' is 1000, but a history of 8192 tokens");
    expect_message([](Options& o) { o.visits_max = 0.5; }, "option 'visits_max'");
    expect_message([](Options& o) { o.visits_max = std::numeric_limits<double>::quiet_NaN(); },
                   "option 'visits_max'");
    expect_message([](Options& o) { o.visit_decay = 0; }, "option 'visit_decay'");
    expect_message([](Options& o) { o.visit_decay = 1.01; }, "option 'visit_decay'");
    expect_message([](Options& o) { o.replay_bonus = 0.9; }, "option 'replay_bonus'");
    expect_message([](Options& o) { o.back_to_back_max = 0; }, "option 'back_to_back_max'");
}

TEST(Options, history_stays_within_its_budget) {
    Options options;
    options.trace_length_max = 100;
    options.history_tokens = 1000;
    RecordingHost host;
    const AutoTracer tracer(options, host);
    EXPECT_LE(tracer.statistics().history_bytes, 2048U * 24);
    EXPECT_GE(tracer.statistics().history_bytes, 1000U * 16);
}

}  // namespace
}  // namespace refrain::autotrace::testing::options_test
