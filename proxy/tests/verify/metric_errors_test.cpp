#include "verify/metric_errors.hpp"

#include "generate/computations.hpp"
#include "generate/generate.hpp"

#include <algorithm>
#include <gtest/gtest.h>

#include "sample_runs.hpp"

namespace refrain::proxy::metric_errors_test {
namespace {

using testing::Rank;

/// Two ranks with a barrier, a send of rank 0 and another barrier; so much is counted before each barrier.
Recording counted(std::uint64_t first, std::uint64_t second) {
    std::vector<RankRecording> ranks;
    for (std::int64_t me = 0; me < 2; ++me) {
        Rank rank(me, 2);
        Counts counts{};
        counts[0] = first;
        rank.recorder.append({Function::Barrier_, {0, me, 2, 0}}, 1e-5, 1e-7, &counts);
        if (me == 0)
            rank.send(1);
        else
            rank.receive(0);
        counts[0] = second;
        rank.recorder.append({Function::Barrier_, {0, me, 2, 0}}, 1e-5, 1e-7, &counts);
        ranks.push_back(rank.finish());
        ranks.back().source = Source::counts;
    }
    return merge(ranks, {});
}

TEST(MetricErrors, equal_counts_have_no_error_and_what_is_never_counted_is_left_out) {
    const std::vector<MetricError> errors = metric_errors(counted(100, 300), counted(100, 300));
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_EQ(errors[0].name, "instructions");
    EXPECT_EQ(errors[0].original, 800);
    EXPECT_EQ(errors[0].mean, 0);
    EXPECT_EQ(errors[0].per_event, 0);
}

TEST(MetricErrors, errors_of_events_do_not_cancel_where_those_of_totals_do) {
    const std::vector<MetricError> errors = metric_errors(counted(100, 300), counted(300, 100));
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_EQ(errors[0].mean, 0);
    EXPECT_DOUBLE_EQ(errors[0].per_event, 1.0);
}

TEST(MetricErrors, a_timed_recording_takes_over_the_counts_of_each_computation) {
    Recording timed = counted(0, 0);
    timed.source = Source::time;
    add_counts(timed, counted(100, 300));
    EXPECT_EQ(timed.source, Source::time_and_counts);
    EXPECT_EQ(metric_errors(counted(100, 300), timed)[0].per_event, 0);
}

TEST(MetricErrors, counts_and_their_source_outlive_the_file) {
    const Recording recording = counted(100, 300);
    const Recording again = read_recording(write(recording), "run.rpx");
    EXPECT_EQ(again.source, Source::counts);
    EXPECT_EQ(metric_errors(recording, again)[0].per_event, 0);
}

TEST(CountedProxy, a_long_program_is_optimised_since_what_stands_between_calls_counts) {
    Machine machine;
    machine.blocks = {{"chain_64", {66, 0, 0, 0, 0, 0, 0, 0, 2e-8}}};
    Rank rank(0, 1);
    for (int count = 1; count <= 1000; ++count) rank.send(0, 1, count);
    std::vector<RankRecording> ranks;
    ranks.push_back(rank.finish());
    ranks.back().source = Source::counts;
    const Recording recording = merge(ranks, {});
    const Computations computations(recording, machine);
    const std::string text = proxy_text(recording, "A proxy.", &computations);
    EXPECT_NE(text.find("static NOINLINE void program_part_1(void)"), std::string::npos);
    EXPECT_EQ(text.find("AS_WRITTEN"), std::string::npos);
}

TEST(CountedProxy, computation_is_made_of_blocks_and_small_events_are_left_out) {
    Machine machine;
    machine.entry[0] = 20;
    machine.share[0] = 20;
    machine.blocks = {{"chain_64", {66, 0, 0, 0, 0, 0, 0, 0, 2e-8}}};
    const Recording recording = counted(10, 6640);
    const Computations computations(recording, machine);
    const std::string text = proxy_text(recording, "A proxy.", &computations);
    EXPECT_NE(text.find("compute_event(event_0)"), std::string::npos);
    // One behind the send, one behind the receive.
    EXPECT_EQ(text.find("compute_event(event_2)"), std::string::npos)
        << "10 instructions are too few";
    // 6,640 instructions: 40 to begin, and 100 repetitions of 66.
    EXPECT_NE(text.find("{100, 0, 0}"), std::string::npos) << text;
    EXPECT_EQ(proxy_text(counted(10, 6640), "A proxy.").find("compute_event"), std::string::npos);
}

/// What a proxy counts wherever the program does.
Computations::Measured measured(const Recording& recording, std::uint64_t instructions) {
    Computations::Measured all;
    for (const Recording::MergedWork& work : recording.work) {
        all.emplace_back();
        for (std::size_t i = 0; i < work.ranks.size(); ++i)
            all.back().push_back({Counts{work.ranks[i].counts[0] == 0 ? 0 : instructions}});
    }
    return all;
}

TEST(CountedProxy,
     what_a_run_does_beyond_its_blocks_is_taken_off_them_and_the_best_choice_is_kept) {
    Machine machine;
    machine.entry[0] = 20;
    machine.share[0] = 20;
    machine.blocks = {{"chain_64", {66, 0, 0, 0, 0, 0, 0, 0, 2e-8}}};
    const Recording recording = counted(6640, 6640);
    Computations computations(recording, machine);
    const auto repetitions = [&] { return computations.events().at(0).rates.at(0).second; };
    EXPECT_EQ(repetitions(), 100);
    computations.learn(measured(recording, 6640 + 660), 0.1);
    EXPECT_EQ(repetitions(), 90) << "ten too many were seen";
    computations.learn(measured(recording, 6640 + 66), 0.01);
    EXPECT_EQ(repetitions(), 89)
        << "one more, by what these 90 did: what was missed before is not added up";
    computations.learn(measured(recording, 3000), 0.5);
    EXPECT_GT(repetitions(), 100);
    computations.settle();
    EXPECT_EQ(repetitions(), 90) << "that had the least error";
}

TEST(CountedProxy, what_a_small_computation_does_too_much_a_large_one_of_the_rank_does_less) {
    Machine machine;
    machine.entry[0] = 20;
    machine.share[0] = 20;
    machine.blocks = {{"chain_64", {66, 0, 0, 0, 0, 0, 0, 0, 2e-8}}};
    const Recording recording = counted(106, 66000 + 40);
    Computations computations(recording, machine);
    const auto repetitions = [&] {
        std::vector<double> all;
        for (const BlockEvent& event : computations.events())
            all.push_back(event.rates.at(0).second);
        std::sort(all.begin(), all.end());
        return all;
    };
    EXPECT_EQ(repetitions(), (std::vector<double>{1, 1000, 1000}));
    // The small one has 660 instructions around it, where 106 are wanted: no choice of blocks is less than none.
    Computations::Measured done;
    for (const Recording::MergedWork& work : recording.work) {
        done.emplace_back();
        for (const Recording::RankWork& rank : work.ranks) {
            done.back().push_back({rank.counts});
            if (rank.counts[0] == 106) done.back().back()[0][0] += 660;
        }
    }
    computations.learn(done, 0.1);
    ASSERT_EQ(repetitions().size(), 2u) << "of each rank, what it computes behind its message";
    for (const double each : repetitions()) EXPECT_NEAR(each, 1000 - (660 - 106) / 66.0, 0.6);
}

TEST(MetricErrors, one_figure_leaves_out_what_is_rare) {
    const MetricError instructions{"instructions", 1e6, 1.01e6, 0.01, 0.01, 0.02};
    const MetricError rare{"flops", 4e3, 8e3, 1, 1, 1};                // less than 5 of 1,000
    const MetricError often{"tlb_misses", 4e2, 4.4e2, 0.1, 0.1, 0.1};  // more than 3 of 10,000
    EXPECT_DOUBLE_EQ(error_in_all({instructions}), 0.01 + 0.3 * 0.02);
    EXPECT_DOUBLE_EQ(error_in_all({instructions, rare}), error_in_all({instructions}));
    EXPECT_GT(error_in_all({instructions, rare, often}), error_in_all({instructions}));
}

TEST(CountedProxy, counts_of_a_proxy_are_found_by_the_work_of_the_original) {
    const Recording original = counted(100, 300), proxy = counted(50, 70);
    const auto counts = counts_of_proxy(original, proxy);
    ASSERT_EQ(counts.size(), original.work.size());
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        ASSERT_EQ(counts[i].size(), original.work[i].ranks.size());
        for (const std::vector<Counts>& parts : counts[i]) sum += parts.at(0)[0];
    }
    EXPECT_EQ(sum, 2u * (50 + 70));
}

/// Two ranks with two barriers. Before the second, one thread executes `alone` instructions, and then each of a team its own.
Recording in_teams(std::uint64_t alone, const std::vector<std::uint64_t>& team) {
    std::vector<RankRecording> ranks;
    for (std::int64_t me = 0; me < 2; ++me) {
        Rank rank(me, 2);
        rank.barrier();
        Counts all{alone};
        std::vector<Counts> threads;
        for (const std::uint64_t each : team) {
            threads.push_back(Counts{each});
            all[0] += each;
        }
        Computed computed;
        computed.seconds = 1e-5;
        computed.counts = &all;
        computed.team = {5e-6, static_cast<std::uint32_t>(std::max<std::size_t>(team.size(), 1))};
        computed.team_counts = threads;
        const Event barrier{Function::Barrier_, {0, me, 2, 0}};
        rank.recorder.append(barrier, computed, 1e-7);
        ranks.push_back(rank.finish());
        ranks.back().source = Source::counts;
    }
    return merge(ranks, {});
}

TEST(TeamCounts, each_threads_outlive_files_of_ranks_and_of_the_whole_and_cost_nothing_elsewhere) {
    const Recording recording = in_teams(500, {6640, 3320});
    const Recording again = read_recording(write(recording), "run.rpx");
    ASSERT_EQ(again.work.size(), recording.work.size());
    std::size_t teams = 0;
    for (const Recording::MergedWork& work : again.work)
        for (const Recording::RankWork& rank : work.ranks) {
            if (rank.team_counts.empty()) continue;
            ++teams;
            const std::vector<Counts> parts = parts_of(rank.counts, rank.team_counts);
            ASSERT_EQ(parts.size(), 3u);
            EXPECT_EQ(parts[0][0], 500u);
            EXPECT_EQ(parts[1][0], 6640u);
            EXPECT_EQ(parts[2][0], 3320u);
        }
    EXPECT_EQ(teams, 2u);
    Recording bare = in_teams(500, {});
    const std::size_t bytes = write(bare).size();
    for (Recording::MergedWork& work : bare.work)
        for (Recording::RankWork& rank : work.ranks)
            rank.team_counts = TeamCounts(std::vector{Counts{1}, Counts{1}});
    EXPECT_EQ(write(bare).size(), bytes) << "of one thread nothing more is written";
}

TEST(TeamCounts, errors_of_threads_do_not_cancel) {
    const Recording original = in_teams(500, {6000, 3000}), other = in_teams(500, {3000, 6000});
    EXPECT_EQ(metric_errors(original, other)[0].mean, 0);
    EXPECT_DOUBLE_EQ(metric_errors(original, other)[0].per_event, 6000.0 / 9500);
    const auto threads = thread_errors(original, other);
    ASSERT_EQ(threads.size(), 2u);
    EXPECT_DOUBLE_EQ(threads[0][0].mean, 0.5);
    EXPECT_DOUBLE_EQ(threads[1][0].mean, 1.0);
    EXPECT_TRUE(thread_errors(in_teams(500, {}), other).empty());
}

TEST(TeamCounts, a_timed_recording_takes_them_over) {
    Recording timed = in_teams(0, {0, 0});
    timed.source = Source::time;
    add_counts(timed, in_teams(500, {6000, 3000}));
    EXPECT_EQ(thread_errors(in_teams(500, {6000, 3000}), timed)[1][0].per_event, 0);
}

TEST(CountedProxy, each_thread_of_a_team_has_a_computation_of_its_own) {
    Machine machine;
    machine.entry[0] = 20;
    machine.share[0] = 20;
    machine.blocks = {{"chain_64", {66, 0, 0, 0, 0, 0, 0, 0, 2e-8}}};
    const Recording recording = in_teams(1360, {6640, 3340});
    Computations computations(recording, machine);
    const auto repetitions = [&] {
        std::vector<double> all;
        for (const BlockEvent& event : computations.events())
            all.push_back(event.rates.at(0).second);
        return all;
    };
    EXPECT_EQ(repetitions(), (std::vector<double>{20, 100, 50})) << "alone, and two threads";
    const std::string text = proxy_text(recording, "A proxy.", &computations);
    EXPECT_NE(text.find("compute_in_team(event_"), std::string::npos) << text;
    EXPECT_NE(text.find("#pragma omp threadprivate(hot, "), std::string::npos);
    EXPECT_NE(makefile_text(text).find("-fopenmp"), std::string::npos);
    // Thread 1 is found to do ten repetitions too many: it alone does less.
    Computations::Measured measured;
    for (const Recording::MergedWork& work : recording.work) {
        measured.emplace_back();
        for (const Recording::RankWork& rank : work.ranks) {
            measured.back().push_back(parts_of(rank.counts, rank.team_counts));
            if (!rank.team_counts.empty()) measured.back().back()[2][0] += 660;
        }
    }
    computations.learn(measured, 0.1);
    EXPECT_EQ(repetitions(), (std::vector<double>{20, 100, 40}));
    const Recording single = in_teams(1360, {});
    const Computations alone(single, machine);
    EXPECT_EQ(proxy_text(single, "A proxy.", &alone).find("#pragma"), std::string::npos);
}

TEST(CountedProxy, blocks_do_less_by_what_a_team_costs) {
    Machine machine;
    machine.entry[0] = 20;
    machine.share[0] = 20;
    machine.team_part[0] = 20 + 132;
    machine.team_begin[0] = 66;
    machine.blocks = {{"chain_64", {66, 0, 0, 0, 0, 0, 0, 0, 2e-8}}};
    const Computations computations(in_teams(1360, {6640, 3340}), machine);
    std::vector<double> repetitions;
    for (const BlockEvent& event : computations.events())
        repetitions.push_back(event.rates.at(0).second);
    EXPECT_EQ(repetitions, (std::vector<double>{19, 98, 48}));
}

TEST(CountedProxy, time_that_a_tool_takes_divides_no_computation) {
    Machine machine;
    machine.blocks = {{"chain_64", {66, 0, 0, 0, 0, 0, 0, 0, 2e-8}}};
    Recording recording = in_teams(1320, {6600, 3300});
    for (Recording::MergedWork& work : recording.work)
        for (Recording::RankWork& rank : work.ranks) rank.team.seconds *= 1 + rank.rank;
    EXPECT_EQ(Computations(recording, machine).events().size(), 3u) << "alone, and two threads";
}

}  // namespace
}  // namespace refrain::proxy::metric_errors_test
