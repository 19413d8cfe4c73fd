#include <gtest/gtest.h>

#include "convert/run_trace.hpp"
#include "convert/trace_recording.hpp"
#include "sample_traces.hpp"

namespace refrain::proxy::trace_test {
namespace {

using testing::expanded;
using testing::mixed_run;
using testing::Rank;
using testing::trace_of;
using Kind = TraceRecord::Kind;
using Members = std::vector<std::uint32_t>;

std::vector<Kind> kinds(const TraceCall& call) {
    std::vector<Kind> all;
    for (const TraceRecord& each : call.records) all.push_back(each.kind);
    return all;
}

/// The functions of a rank, without MPI_.
std::vector<std::string> functions(const Recording& recording, std::uint32_t rank) {
    std::vector<std::string> names;
    for (const Event& event : expanded(recording, rank))
        names.emplace_back(info(event.function).name);
    return names;
}

TEST(Communicators, ranks_that_split_equally_are_together_in_the_order_they_found) {
    const Communicators found(mixed_run());
    ASSERT_EQ(found.size(), 4);
    EXPECT_EQ(found.group(0, 0), 3);
    EXPECT_EQ(found.group(1, 0), 3);
    EXPECT_EQ(found.members(3), (Members{1, 0}));
    EXPECT_EQ(found.group(0, 1), no_group);
}

TEST(Communicators, a_communicator_of_a_communicator_has_ranks_of_the_run) {
    std::vector<RankRecording> ranks;
    for (std::int64_t me = 0; me < 4; ++me) {
        Rank rank(me, 4);
        rank.split(me % 2, 2, me / 2, 2);
        rank.call(Function::Comm_dup_, {2, me / 2, 2, 3, me / 2, 2, 0});
        ranks.push_back(rank.finish());
    }
    const Communicators found(merge(std::move(ranks), {}));
    EXPECT_EQ(found.members(found.group(3, 1)), (Members{1, 3}));
    EXPECT_EQ(found.members(found.group(0, 1)), (Members{0, 2}));
}

TEST(Communicators, a_long_chain_of_duplicates_is_followed_to_its_end) {
    constexpr std::int64_t links = 500;
    std::vector<RankRecording> ranks;
    for (std::int64_t me = 0; me < 2; ++me) {
        testing::Rank rank(me, 2);
        // Each is one of the one before, but for the first.
        for (std::int64_t i = 0; i < links; ++i)
            rank.call(Function::Comm_dup_, {i == 0 ? 0 : i + 1, me, 2, i + 2, me, 2, 0});
        ranks.push_back(rank.finish());
    }
    const Communicators found(merge(std::move(ranks), {}));
    for (std::size_t i = 0; i < links; ++i) {
        ASSERT_NE(found.group(0, i), no_group);
        EXPECT_EQ(found.group(0, i), found.group(1, i));
        EXPECT_EQ(found.members(found.group(0, i)), (std::vector<std::uint32_t>{0, 1}));
    }
    EXPECT_NE(found.group(0, 0), found.group(0, links - 1));
}

TEST(Communicators, those_that_only_some_ranks_make_are_not_told) {
    Rank rank(0, 1);
    rank.call(Function::Comm_create_group_, {0, 0, 1, 0, 7, 2, 0, 1, 0});
    EXPECT_EQ(Communicators(merge({rank.finish()}, {})).group(0, 0), no_group);
}

TEST(RunTrace, a_request_ends_with_what_came) {
    const Trace trace = trace_of(mixed_run());
    const auto& calls = trace.ranks[0];
    ASSERT_EQ(calls[1].function, "MPI_Comm_split");
    EXPECT_EQ(kinds(calls[1]), (std::vector{Kind::collective, Kind::make_communicator}));
    EXPECT_EQ(kinds(calls[2]), (std::vector{Kind::begin_receive}));
    EXPECT_EQ(kinds(calls[4]), (std::vector{Kind::test}));
    ASSERT_EQ(kinds(calls[5]), (std::vector{Kind::end_receive, Kind::end_send}));
    EXPECT_EQ(calls[5].records[0],
              (TraceRecord{Kind::end_receive, 2, 0, 9, 24, 0, 0, Function::by_name}));
}

TEST(RunTrace, collective_operations_count_what_a_rank_gives_to_all) {
    const Trace trace = trace_of(mixed_run());
    EXPECT_EQ(trace.ranks[0][6].records[0],
              (TraceRecord{Kind::collective, 0, -1, 0, 32, 32, 0, Function::Allreduce_}));
    EXPECT_EQ(trace.ranks[0][7].records[0],
              (TraceRecord{Kind::collective, 0, 0, 0, 5, 10, 0, Function::Gather_}));
    EXPECT_EQ(trace.ranks[1][7].records[0],
              (TraceRecord{Kind::collective, 0, 0, 0, 5, 0, 0, Function::Gather_}));
}

TEST(RunTrace, times_are_sums_of_means) {
    const auto calls = trace_of(merge({Rank(0, 1).barrier().finish()}, {})).ranks[0];
    EXPECT_NEAR(calls[1].begin, calls[0].end + 1e-6, 1e-12);
    EXPECT_NEAR(calls[1].end - calls[1].begin, 1e-7, 1e-12);
}

TEST(RunTrace, a_recording_that_claims_more_calls_than_a_disk_holds_is_not_expanded) {
    Recording recording = merge(testing::ring(2, 30), {});
    recording.rules[0][0].count = std::uint64_t{1000000000000000000};
    EXPECT_THROW(RunTrace{recording}, std::runtime_error);
}

TEST(RunTrace, what_has_no_record_is_named) {
    Rank rank(0, 1);
    rank.call(Function::Win_fence_, {0, 0, 0, 1, 0});
    const Recording recording = merge({rank.finish()}, {});
    RunTrace trace(recording);
    trace.write(0, [](const TraceCall&) {});
    EXPECT_EQ(trace.without_record, (std::set<std::string>{"MPI_Win_fence"}));
}

TEST(RecordingOfTrace, sizes_and_order_are_kept) {
    const Recording found = recording_of(trace_of(mixed_run()));
    EXPECT_EQ(
        functions(found, 0),
        (std::vector<std::string>{"Init", "Comm_split", "Irecv", "Isend", "Waitall", "Allreduce",
                                  "Gather", "Irecv", "Isend", "Waitall", "Allreduce", "Gather",
                                  "Irecv", "Isend", "Waitall", "Allreduce", "Gather", "Finalize"}));
    const auto events = expanded(found, 1);
    using Values = std::vector<std::int64_t>;
    EXPECT_EQ(events[1].values, (Values{0, 1, 2, 0, 0, 2, 0, 2, 0}));
    EXPECT_EQ(events[2].values, (Values{0, 24, 4, 1, 9, 2, 0, 2, 0, rank_none, 0, 0}));
    EXPECT_EQ(events[3].values, (Values{1, 24, 4, 1, 9, 2, 0, 2, 1, 0}));
    EXPECT_EQ(events[4].values, (Values{2, 2, 0, 1, 2, 24, 0, 0, 0, 0}));
    EXPECT_EQ(events[5].values, (Values{0, 1, 16, 4, 8, 0, 1, 2, 0}));
    EXPECT_EQ(events[6].values, (Values{0, 5, 4, buffer_unused, -1, -1, 0, 0, 1, 2, 0}));
}

TEST(RecordingOfTrace, what_is_invented_is_said) {
    std::string all;
    for (const std::string& each : recording_of(trace_of(mixed_run())).invented) all += each + "\n";
    EXPECT_NE(all.find("MPI_BYTE"), std::string::npos) << all;
    EXPECT_NE(all.find("MPI_BOR"), std::string::npos) << all;
    EXPECT_NE(all.find("communicators: 1,"), std::string::npos) << all;
    EXPECT_NE(all.find("MPI_Test (6)"), std::string::npos) << all;
}

TEST(RecordingOfTrace, a_recording_of_a_trace_of_a_recording_of_a_trace_is_the_same) {
    const Recording once = recording_of(trace_of(mixed_run()));
    const Recording twice = recording_of(trace_of(once));
    for (const std::uint32_t rank : {0u, 1u})
        EXPECT_EQ(expanded(once, rank), expanded(twice, rank));
}

TEST(RecordingOfTrace, both_ends_of_an_alltoallv_invent_the_same_amounts) {
    std::vector<RankRecording> ranks;
    for (std::int64_t me = 0; me < 2; ++me) {
        Rank rank(me, 2);
        // 0 gives 3 and 5 bytes, 1 gives 7 and 1.
        const std::vector<std::int64_t> out =
            me == 0 ? std::vector<std::int64_t>{3, 5} : std::vector<std::int64_t>{7, 1};
        const std::vector<std::int64_t> in =
            me == 0 ? std::vector<std::int64_t>{3, 7} : std::vector<std::int64_t>{5, 1};
        rank.call(Function::Alltoallv_,
                  {0, 2, out[0], out[1], 2, 0, 8, 4, 1, 2, in[0], in[1], 2, 0, 8, 4, 0, me, 2, 0});
        ranks.push_back(rank.finish());
    }
    const Recording found = recording_of(trace_of(merge(std::move(ranks), {})));
    const auto first = expanded(found, 0)[1].values, second = expanded(found, 1)[1].values;
    // Values: slot, counts (2), displacements (2), type, slot, counts (2), ...
    EXPECT_EQ(first[3], second[10]);  // what 0 gives to 1
    EXPECT_EQ(second[2], first[11]);  // what 1 gives to 0
    EXPECT_EQ(first[2] + first[3], 8);
}

TEST(RecordingOfTrace, ranks_that_disagree_about_an_operation_are_refused) {
    Trace trace = trace_of(mixed_run());
    trace.ranks[1][6].records[0].operation = Function::Barrier_;
    try {
        (void)recording_of(trace);
        FAIL() << "it was taken";
    } catch (const std::runtime_error& error) {
        EXPECT_NE(std::string(error.what()).find("operation 1 on communicator 'MPI_COMM_WORLD'"),
                  std::string::npos)
            << error.what();
    }
}

TEST(RecordingOfTrace, messages_that_are_not_received_are_refused) {
    Trace trace = trace_of(merge(testing::ring(2, 3), {}));
    trace.ranks[1][2].records.clear();
    try {
        (void)recording_of(trace);
        FAIL() << "it was taken";
    } catch (const std::runtime_error& error) {
        EXPECT_NE(std::string(error.what())
                      .find("sends 3 messages with tag 1 to rank 1, and the trace tells of 2"),
                  std::string::npos)
            << error.what();
    }
}

TEST(RecordingOfTrace, a_message_that_no_count_has_room_for_is_refused) {
    Trace trace = trace_of(merge(testing::ring(2, 1), {}));
    trace.ranks[0][1].records[0].bytes = std::uint64_t{1} << 32;
    EXPECT_THROW((void)recording_of(trace), std::runtime_error);
}

}  // namespace
}  // namespace refrain::proxy::trace_test
