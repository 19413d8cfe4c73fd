#include "trace/tracer.hpp"

#include "refrain/error.hpp"
#include "trace/traced_analyser.hpp"

#include <gtest/gtest.h>

namespace refrain::trace::testing::tracer_test {
namespace {

using analysis::testing::reads;
using analysis::testing::reduces;
using analysis::testing::span;
using analysis::testing::updates;
using analysis::testing::writes;

constexpr auto whole = span(0, 8);
constexpr auto left = span(0, 4);
constexpr auto right = span(4, 8);

using Fragment = std::vector<Launch>;

/// The fragment with region i replaced by regions[i].
Fragment bound_to(Fragment fragment, const std::vector<std::size_t>& regions) {
    for (Launch& launch : fragment)
        for (Use& use : launch.uses) use.region = regions[use.region];
    return fragment;
}

class TracerTest : public ::testing::Test {
  protected:
    explicit TracerTest(const TracedAnalyser::Options& options = {}) : options_(options) {
        reset();
    }
    void reset() {
        analyser_ =
            std::make_unique<TracedAnalyser>(std::vector<Extents>(6, Extents{1, 8}), options_);
    }

    /// Launches and compares with the oracle.
    void launch(const Launch& next) {
        const Edges found = analyser_->launch(next);
        EXPECT_EQ(found, analyser_->expected()) << "launch " << analyser_->launched();
    }
    void run(const Fragment& fragment) {
        for (const Launch& next : fragment) launch(next);
    }
    void run_traced(TraceId trace, const Fragment& fragment) {
        analyser_->begin(trace);
        run(fragment);
        analyser_->end();
    }
    const TraceCounters& counters() { return analyser_->counters(); }

    /// Writes two regions, reads them in halves and as a whole, and updates one.
    static Fragment smooth() {
        return {{0, {writes(0, {left, right})}},
                {1, {reads(0, {whole, whole}), writes(1, {left, right})}},
                {2, {reads(1, {whole})}},
                {3, {updates(0, {left, right}), reads(1, {left, right})}}};
    }

    TracedAnalyser::Options options_;
    std::unique_ptr<TracedAnalyser> analyser_;
};

TEST_F(TracerTest, the_first_execution_records_and_later_ones_replay) {
    for (int i = 0; i < 3; ++i) run_traced(TraceId{7}, smooth());
    EXPECT_EQ(counters().recordings, 1U);
    EXPECT_EQ(counters().recorded, 4U);
    EXPECT_EQ(counters().replays, 2U);
    EXPECT_EQ(counters().replayed, 8U);
    EXPECT_EQ(counters().mismatches, 0U);
}

TEST_F(TracerTest, a_replay_waits_for_whatever_precedes_it) {
    run_traced(TraceId{7}, smooth());
    run({{4, {reads(0, {whole})}}, {4, {reduces(1, {left})}}});
    run_traced(TraceId{7}, smooth());
    run({{4, {updates(0, {right})}}});
    run_traced(TraceId{7}, smooth());
    run_traced(TraceId{7}, smooth());
    EXPECT_EQ(counters().replays, 3U);
}

TEST_F(TracerTest, a_replay_may_use_other_regions) {
    run_traced(TraceId{7}, smooth());
    run_traced(TraceId{7}, bound_to(smooth(), {2, 3}));
    run_traced(TraceId{7}, bound_to(smooth(), {1, 0}));
    run_traced(TraceId{7}, bound_to(smooth(), {3, 4}));
    EXPECT_EQ(counters().replays, 3U);
    EXPECT_EQ(counters().mismatches, 0U);
}

TEST_F(TracerTest, one_region_in_place_of_two_is_a_mismatch) {
    run_traced(TraceId{7}, smooth());
    run_traced(TraceId{7}, bound_to(smooth(), {2, 2}));
    EXPECT_EQ(counters().mismatches, 1U);
    EXPECT_EQ(counters().replayed, 1U) << "up to the second region";
    run_traced(TraceId{7}, bound_to(smooth(), {3, 3}));
    run_traced(TraceId{7}, bound_to(smooth(), {4, 5}));
    EXPECT_EQ(counters().mismatches, 1U) << "both variants are known now";
}

TEST_F(TracerTest, two_regions_in_place_of_one_are_a_mismatch) {
    run_traced(TraceId{7}, bound_to(smooth(), {0, 0}));
    run_traced(TraceId{7}, bound_to(smooth(), {2, 3}));
    EXPECT_EQ(counters().mismatches, 1U);
    EXPECT_EQ(counters().replayed, 1U);
}

TEST_F(TracerTest, a_region_that_was_new_at_recording_may_be_old_at_replay) {
    const Fragment with_temporary = {{0, {reduces(0, {left, right})}},
                                     {1, {reads(0, {whole}), updates(1, {left})}},
                                     {2, {reads(0, {right}), reads(1, {left})}}};
    run_traced(TraceId{7}, with_temporary);
    run({{4, {updates(2, {whole})}}, {4, {reads(3, {whole})}}});
    run_traced(TraceId{7}, bound_to(with_temporary, {2, 3}));
    run_traced(TraceId{7}, bound_to(with_temporary, {4, 2}));
    analyser_->renew(0);
    run_traced(TraceId{7}, bound_to(with_temporary, {0, 1}));
    EXPECT_EQ(counters().mismatches, 0U);
    EXPECT_EQ(counters().replays, 3U);
}

TEST_F(TracerTest, a_variant_recorded_behind_a_replay_on_new_regions_may_run_on_old_ones) {
    const Fragment usual = {{0, {reads(0, {left})}}, {1, {updates(0, {left})}}};
    const Fragment variant = {{0, {reads(0, {left})}}, {2, {reads(0, {left})}}};
    run_traced(TraceId{7}, usual);
    run_traced(TraceId{7}, bound_to(variant, {1}));
    run({{4, {updates(2, {whole})}}});
    run_traced(TraceId{7}, bound_to(variant, {2}));
    EXPECT_EQ(counters().mismatches, 1U);
    EXPECT_EQ(counters().replays, 1U);
}

TEST_F(TracerTest, a_region_that_was_old_at_recording_may_be_new_at_replay) {
    run({{4, {updates(0, {whole})}}, {4, {updates(1, {left})}}});
    run_traced(TraceId{7}, smooth());
    analyser_->renew(0);
    analyser_->renew(1);
    run_traced(TraceId{7}, smooth());
    EXPECT_EQ(counters().replays, 1U);
}

TEST_F(TracerTest, a_trace_may_begin_and_end_inside_a_reduction) {
    const Fragment reduction = {{0, {reduces(0, {whole, whole})}},
                                {0, {reduces(0, {left, right})}}};
    for (int i = 0; i < 4; ++i) {
        run({{1, {reduces(0, {whole}, i % 2 == 0 ? 1 : 2)}}});
        run_traced(TraceId{7}, reduction);
        run({{1, {reduces(0, {right})}}});
        if (i % 2 == 1) run({{2, {reads(0, {whole})}}});
    }
    EXPECT_EQ(counters().replays, 3U);
}

TEST_F(TracerTest, a_difference_at_any_position_falls_back_and_names_both_operations) {
    const Fragment usual = smooth();
    for (std::size_t at = 0; at < usual.size(); ++at) {
        reset();
        run_traced(TraceId{7}, usual);
        Fragment other = usual;
        other[at] = {5, {reads(0, {right}), updates(3, {left})}};
        run_traced(TraceId{7}, other);
        EXPECT_EQ(counters().mismatches, 1U);
        EXPECT_EQ(counters().replayed, at);
        EXPECT_EQ(counters().recorded, usual.size() + usual.size() - at);
        const std::string& told = counters().last_mismatch;
        EXPECT_NE(told.find("trace 7, operation " + std::to_string(at)), std::string::npos) << told;
        EXPECT_NE(told.find(TracedAnalyser::site(usual[at].task).describe()), std::string::npos)
            << told;
        EXPECT_NE(told.find("'copy' (solver.cpp:15)"), std::string::npos) << told;
    }
}

TEST_F(TracerTest, equal_requirements_of_another_task_are_a_mismatch) {
    run_traced(TraceId{7}, smooth());
    Fragment other = smooth();
    other[2].task = 5;
    run_traced(TraceId{7}, other);
    EXPECT_EQ(counters().mismatches, 1U);
}

TEST_F(TracerTest, variants_with_a_common_prefix_are_all_kept) {
    const auto variant = [](unsigned end) {
        Fragment fragment = smooth();
        fragment.push_back({end, {updates(end % 2, {left}), reads(2, {right})}});
        return fragment;
    };
    for (const unsigned end : {0U, 1U, 2U}) run_traced(TraceId{7}, variant(end));
    EXPECT_EQ(counters().recordings, 3U);
    EXPECT_EQ(counters().mismatches, 2U);
    for (int round = 0; round < 3; ++round)
        for (const unsigned end : {2U, 0U, 1U}) run_traced(TraceId{7}, variant(end));
    EXPECT_EQ(counters().mismatches, 2U);
    EXPECT_EQ(counters().replays, 9U);
    EXPECT_EQ(analyser_->store().variants(), 3U);
}

TEST_F(TracerTest, a_trace_that_ends_early_becomes_a_variant) {
    const Fragment usual = smooth();
    const Fragment shorter(usual.begin(), usual.begin() + 2);
    run_traced(TraceId{7}, usual);
    run_traced(TraceId{7}, shorter);
    EXPECT_EQ(counters().mismatches, 1U);
    EXPECT_NE(counters().last_mismatch.find("nothing more"), std::string::npos);
    for (int round = 0; round < 4; ++round) {
        run_traced(TraceId{7}, usual);
        run_traced(TraceId{7}, shorter);
    }
    EXPECT_EQ(counters().mismatches, 1U) << "both are known";
    EXPECT_EQ(counters().replays, 8U);
    EXPECT_EQ(analyser_->store().variants(), 2U);
}

TEST_F(TracerTest, a_trace_that_continues_past_its_template_reports_the_end) {
    Fragment longer = smooth();
    run_traced(TraceId{7}, longer);
    longer.push_back({5, {reads(0, {whole})}});
    run_traced(TraceId{7}, longer);
    EXPECT_EQ(counters().mismatches, 1U);
    EXPECT_NE(counters().last_mismatch.find("recorded the end"), std::string::npos)
        << counters().last_mismatch;
    run_traced(TraceId{7}, longer);
    run_traced(TraceId{7}, smooth());
    EXPECT_EQ(counters().mismatches, 1U);
}

TEST_F(TracerTest, a_strict_trace_throws_before_anything_is_recorded_and_is_left) {
    run_traced(TraceId{7}, smooth());
    analyser_->begin(TraceId{7}, Tracer::OnMismatch::fail);
    launch(smooth()[0]);
    EXPECT_THROW(analyser_->expect_refusal({5, {reads(0, {whole})}}), TraceMismatch);
    EXPECT_FALSE(analyser_->tracer().active());
    run({{5, {reads(0, {whole})}}, {4, {updates(0, {whole})}}});
    run_traced(TraceId{7}, smooth());
    EXPECT_EQ(counters().replays, 1U);
}

TEST_F(TracerTest, a_strict_trace_that_ends_early_throws_and_is_left) {
    run_traced(TraceId{7}, smooth());
    analyser_->begin(TraceId{7}, Tracer::OnMismatch::fail);
    launch(smooth()[0]);
    EXPECT_THROW(analyser_->end(), TraceMismatch);
    EXPECT_FALSE(analyser_->tracer().active());
    run_traced(TraceId{7}, smooth());
}

TEST_F(TracerTest, an_empty_trace_is_not_recorded) {
    run_traced(TraceId{7}, {});
    run_traced(TraceId{7}, {});
    EXPECT_EQ(counters().recordings, 0U);
    run_traced(TraceId{7}, smooth());
    run_traced(TraceId{7}, smooth());
    EXPECT_EQ(counters().replays, 1U);
}

TEST_F(TracerTest, learned_sources_hold_only_for_regions_with_the_same_entry) {
    // Learned sources are valid only if the regions have the same entries. Here the second launch
    // is always linked to the first one, but what precedes the first one changes.
    const Fragment fragment = {
        {0, {reads(0, {left})}}, {1, {reads(0, {whole})}}, {2, {writes(1, {whole})}}};
    const std::vector<std::size_t> straight = {0, 1};
    const std::vector<std::size_t> crossed = {1, 0};
    for (const auto& regions : {straight, crossed, straight, crossed, straight, straight, crossed,
                                crossed, straight, straight, straight})
        run_traced(TraceId{7}, bound_to(fragment, regions));
    EXPECT_EQ(counters().mismatches, 0U);
}

class TracerWithVerification : public TracerTest {
  protected:
    TracerWithVerification() : TracerTest({.verify_interval = 1}) {}
};

TEST_F(TracerWithVerification, finds_no_failure_in_correct_replays) {
    for (int i = 0; i < 10; ++i) {
        run_traced(TraceId{7}, bound_to(smooth(), {static_cast<std::size_t>(i % 3), 3}));
        if (i % 4 == 0) run({{4, {updates(0, {right})}}});
    }
    EXPECT_EQ(counters().verified, counters().replayed);
    EXPECT_EQ(counters().verify_failures, 0U);
}

TEST_F(TracerWithVerification, detects_a_wrong_template) {
    const Fragment before = {{0, {writes(0, {left, right})}}, {1, {reads(0, {right, left})}}};
    const Fragment after = {{0, {writes(0, {left, left})}}, {1, {reads(0, {whole, left})}}};
    analyser_->launch({4, {updates(0, {left, right})}});
    analyser_->begin(TraceId{7});
    for (const Launch& next : before) analyser_->launch(next);
    analyser_->end();
    analyser_->reuse_content_ids();
    analyser_->begin(TraceId{7});
    for (const Launch& next : after) analyser_->launch(next);
    analyser_->end();
    EXPECT_EQ(counters().replays, 1U) << "the ids are the same";
    EXPECT_GT(counters().verify_failures, 0U) << "the contents are not";
}

}  // namespace
}  // namespace refrain::trace::testing::tracer_test
