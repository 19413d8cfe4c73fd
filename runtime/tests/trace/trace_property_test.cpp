/// Random streams: each launch waits for exactly the same with and without tracing.

#include "trace/trace_stream.hpp"
#include "trace/traced_analyser.hpp"

#include <gtest/gtest.h>
#include <sstream>

#include "tries.hpp"

namespace refrain::trace::testing::trace_property_test {
namespace {

std::string list(const Edges& edges) {
    std::ostringstream out;
    for (const auto& edge : edges) out << edge << "; ";
    return out.str();
}

/// Runs a stream and describes the first launch that differs from the oracle; empty if none does.
std::string first_difference(TracedAnalyser& analyser, const TraceStream& stream) {
    std::string difference;
    for (const Event& event : stream.events) {
        if (const auto* launch = std::get_if<Launch>(&event)) {
            const Edges found = analyser.launch(*launch);
            const Edges expected = analyser.expected();
            if (found != expected)
                return "launch " + std::to_string(analyser.launched() - 1) + ": " + list(found) +
                       "instead of " + list(expected);
        } else if (const auto* begin = std::get_if<BeginTrace>(&event)) {
            analyser.begin(begin->trace);
        } else if (const auto* renewed = std::get_if<RenewRegion>(&event)) {
            analyser.renew(renewed->region);
        } else {
            analyser.end();
        }
    }
    return "";
}

/// Coverage of all streams together.
struct Tried {
    std::uint64_t replayed = 0, replays = 0, mismatches = 0, walked = 0, verified = 0;
    std::uint64_t verify_failures = 0, evictions = 0, splits = 0;

    void add(const TracedAnalyser& analyser) {
        const TraceCounters& counters = analyser.counters();
        replayed += counters.replayed;
        replays += counters.replays;
        mismatches += counters.mismatches;
        walked += counters.walked_in_replay;
        verified += counters.verified;
        verify_failures += counters.verify_failures;
        evictions += analyser.store().evictions();
        splits += analyser.walk().splits();
    }
};

enum class Regions { whole, divided };

TracedAnalyser::Options random_options(Random& random, Regions regions) {
    TracedAnalyser::Options options;
    options.window = 8U << random() % 6;
    options.variants = 1 + random() % 4;
    options.template_bytes = random() % 3 == 0 ? 4000 + random() % 8000 : std::size_t{1} << 20;
    options.verify_interval = random() % 2 == 0 ? 0 : 1 + static_cast<std::uint32_t>(random() % 3);
    if (regions == Regions::divided)
        options.divisions = {.usual_misses = static_cast<std::uint32_t>(random() % 2),
                             .long_walks = 1 + static_cast<std::uint32_t>(random() % 3),
                             .pieces = 2 + static_cast<std::int64_t>(random() % 3),
                             .coarse_rounds = random() % 2};
    return options;
}

Tried expect_agreement(std::uint64_t first_seed, std::uint64_t streams, std::size_t events_max,
                       Regions regions) {
    Tried tried;
    for (std::uint64_t seed = first_seed; seed < first_seed + tries(streams); ++seed) {
        Random random(seed);
        const TraceStream stream = StreamMaker(seed).make(events_max);
        TracedAnalyser analyser(stream.regions, random_options(random, regions));
        const std::string difference = first_difference(analyser, stream);
        tried.add(analyser);
        EXPECT_EQ(difference, "") << "seed " << seed;
        if (!difference.empty()) break;
    }
    EXPECT_EQ(tried.verify_failures, 0U);
    return tried;
}

TEST(TraceProperty, random_streams_have_equal_dependences_with_and_without_tracing) {
    const Tried tried = expect_agreement(0, 4000, 100, Regions::whole);
    EXPECT_GT(tried.replays, tries(10'000));
    EXPECT_GT(tried.replayed, tries(50'000));
    EXPECT_GT(tried.mismatches, tries(5'000));
    EXPECT_GT(tried.verified, tries(10'000));
    EXPECT_GT(tried.evictions, tries(1'000));
    EXPECT_LT(tried.walked, 2 * tried.replayed)
        << "replays served at least some requirements without a walk";
}

TEST(TraceProperty,
     random_streams_on_divided_regions_have_equal_dependences_with_and_without_tracing) {
    const Tried tried = expect_agreement(100'000, 3000, 100, Regions::divided);
    EXPECT_GT(tried.replays, tries(5'000));
    EXPECT_GT(tried.splits, tries(1'000));
}

TEST(TraceProperty, long_random_streams_have_equal_dependences_with_and_without_tracing) {
    expect_agreement(200'000, 60, 1000, Regions::whole);
    expect_agreement(300'000, 60, 1000, Regions::divided);
}

TEST(TracePropertySlow,
     twenty_five_thousand_streams_have_equal_dependences_with_and_without_tracing) {
    expect_agreement(1'000'000, 15'000, 100, Regions::whole);
    expect_agreement(2'000'000, 10'000, 100, Regions::divided);
}

}  // namespace
}  // namespace refrain::trace::testing::trace_property_test
