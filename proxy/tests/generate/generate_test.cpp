#include "generate/generate.hpp"

#include "generate/call_text.hpp"
#include "generate/long_body.hpp"

#include <gtest/gtest.h>

#include "sample_runs.hpp"

namespace refrain::proxy::generate_test {
namespace {

using testing::Rank;

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

Recording alone(Rank rank) {
    return merge({rank.finish()}, {});
}

std::string only_obstacle(const Recording& recording) {
    const auto all = obstacles(recording);
    return all.size() == 1 ? all[0] : "there are " + std::to_string(all.size()) + " obstacles";
}

TEST(Generate, a_loop_is_a_loop_over_a_function_per_rule) {
    const Recording recording = merge(testing::ring(4, 50), {});
    ASSERT_TRUE(obstacles(recording).empty());
    const std::string text = proxy_text(recording, "A ring.");
    EXPECT_TRUE(has(
        text, "MPI_Send(buffer(0), scaled(10), MPI_DOUBLE, neighbour(0, 1), 1, MPI_COMM_WORLD);"));
    EXPECT_TRUE(
        has(text,
            "MPI_Recv(buffer(0), room_for(10), MPI_DOUBLE, neighbour(0, -1), 1, MPI_COMM_WORLD, "
            "MPI_STATUS_IGNORE);"));
    EXPECT_TRUE(has(text, "for (long i = 0; i < times[STEP_OF_2]; i++)"));
    EXPECT_TRUE(has(text, "{\"step_of_21\", \"step_of_2\"};\nstatic long times[] = {5, 10};"));
    EXPECT_TRUE(has(text, "/* 21 calls: 10 step_of_2, Barrier */"));
    EXPECT_FALSE(has(text, "until_done"));
}

TEST(Generate, seconds_are_numbers_of_c_however_long_they_are) {
    EXPECT_EQ(decimal(12.25e-6), "12.25e-6");
    EXPECT_EQ(decimal(9.999e-3), "9999e-6");
    EXPECT_EQ(decimal(0.0122), "0.0122");
    EXPECT_EQ(decimal(3), "3");
    Rank rank(0, 1);
    rank.barrier()
        .call(Function::Barrier_, {0, 0, 1, 0}, 0.0155)
        .call(Function::Barrier_, {1, 0, 1, 0}, 0.0211);
    EXPECT_TRUE(has(proxy_text(alone(rank), ""), "work(0.0211);"));
}

TEST(Generate, an_array_without_elements_is_one_all_the_same) {
    const auto type = testing::double_type;
    Rank rank(0, 1);
    rank.call(Function::Neighbor_allgatherv_,
              {buffer_null, 0, type, buffer_null, 0, 0, type, 0, 0, 1, 0});
    EXPECT_TRUE(has(proxy_text(alone(rank), ""),
                    "MPI_Neighbor_allgatherv(NULL, 0, MPI_DOUBLE, NULL, (int[1]){0}, (int[1]){0}, "
                    "MPI_DOUBLE, MPI_COMM_WORLD);"));
}

TEST(Generate, a_long_program_is_several_functions_that_are_not_optimised) {
    Rank rank(0, 1);
    for (int count = 1; count <= 1000; ++count) rank.send(0, 1, count);
    const std::string text = proxy_text(alone(rank), "");
    EXPECT_TRUE(has(text, "static AS_WRITTEN void program_part_1(void)"));
    EXPECT_LT(text.find("#define AS_WRITTEN"), text.find("static AS_WRITTEN"));
    EXPECT_TRUE(has(text, "MPI_Send(buffer(0), scaled(row[k].n[0]), MPI_DOUBLE, "));
    Rank small(0, 1);
    small.send(0, 1, 1);
    EXPECT_FALSE(has(proxy_text(alone(small), ""), "AS_WRITTEN"));
}

TEST(Generate, a_long_function_is_several) {
    Rank rank(0, 1);
    for (int round = 0; round < 2; ++round)
        for (int count = 1; count <= 1000; ++count) rank.send(0, 1, count);
    const std::string text = proxy_text(alone(rank), "");
    EXPECT_TRUE(has(text, "static NOINLINE void step_of_1000_part_1(void)"));
    EXPECT_TRUE(has(text,
                    "static void step_of_1000(void)\n{\n    step_of_1000_part_1();\n    "
                    "step_of_1000_part_2();\n"));
    std::size_t longest = 0;
    for (std::size_t at = 0; at != std::string::npos;) {
        const std::size_t next = text.find("\n}\n", at + 1);
        longest = std::max(longest, (next == std::string::npos ? text.size() : next) - at);
        at = next;
    }
    EXPECT_LT(longest, 2 * LongBody::part_bytes);
}

TEST(Generate, memory_is_aligned_as_it_was_at_the_rank_where_it_was_aligned_least) {
    std::vector<RankRecording> ranks;
    for (std::int64_t me = 0; me < 2; ++me) {
        Rank rank(me, 2);
        // Live at once, 80 bytes each: at the beginning of a line; 16 behind, 8 behind at the other rank; 16 and 56 before it.
        (void)rank.recorder.slot(0x1000, 0, 80);
        (void)rank.recorder.slot(me == 0 ? 0x2010 : 0x2028, 0, 80);
        (void)rank.recorder.slot(0x3000, 56, 24);
        rank.call(Function::Reduce_local_, {0, 1, 10, testing::double_type, 3, 0});
        ranks.push_back(rank.finish());
    }
    const std::string text = proxy_text(merge(std::move(ranks), {}), "");
    EXPECT_TRUE(has(text, "static const size_t place[] = {0, 136, 320};"));
    EXPECT_TRUE(has(text, "posix_memalign(&lines, 64, all)"));
}

TEST(Generate, ranks_that_differ_stand_under_conditions) {
    std::vector<RankRecording> ranks;
    for (std::int64_t me = 0; me < 4; ++me) {
        Rank rank(me, 4);
        rank.barrier();
        if (me == 0) rank.send(3);
        if (me == 1 || me == 2) rank.call(Function::Barrier_, {1, 0, 1, 0});
        if (me == 3) rank.receive(0);
        ranks.push_back(rank.barrier().finish());
    }
    const std::string text = proxy_text(merge(ranks, {}), "");
    EXPECT_TRUE(has(text, "if (me[0] == 0) {"));
    EXPECT_TRUE(has(text, "if (me[0] >= 1 && me[0] <= 2) {"));
    EXPECT_TRUE(has(text, "if (me[0] == 3) {") || has(text, "if (me[0] >= 3) {"));
}

TEST(Generate, windows_know_their_ranks_and_files_are_scratch) {
    std::vector<RankRecording> ranks;
    for (std::int64_t me = 0; me < 3; ++me) {
        Rank rank(me, 3);
        const auto name = rank.recorder.text("/home/somebody/data");
        rank.call(Function::Win_create_, {0, 8, 8, -1, 0, me, 3, 0, 0});
        rank.call(Function::Put_, {1, 1, 16, (me + 1) % 3, buffer_unused, 5, 1, 16, 0, me, 3, 0});
        rank.call(Function::Win_lock_all_, {1, 0, me, 3, 0});
        rank.call(Function::File_open_, {0, me, 3, name, 9, -1, 0, 4096, 0});
        rank.call(Function::File_seek_, {0, 64, 2, 0}).call(Function::File_close_, {0, 0});
        ranks.push_back(rank.finish());
    }
    const Recording recording = merge(ranks, {});
    ASSERT_TRUE(obstacles(recording).empty()) << obstacles(recording)[0];
    const std::string text = proxy_text(recording, "");
    for (const char* const part :
         {"MPI_Win_create(buffer(0), 8, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &window[0])",
          "me[COMMS + 0] = me[0]", "enum { COMMS = 2 }", "static int me[3]",
          "neighbour(COMMS + 0, 1), 5, 1, MPI_DOUBLE, window[0])",
          "MPI_Win_lock_all(MPI_MODE_NOCHECK, window[0])",
          "MPI_File_open(MPI_COMM_WORLD, scratch_file(0, 4096), MPI_MODE_CREATE | MPI_MODE_RDWR, "
          "MPI_INFO_NULL, &file[0])",
          "MPI_File_seek(file[0], 64, MPI_SEEK_END)", "--scratch", "remove_scratch();"})
        EXPECT_TRUE(has(text, part)) << part << text;
    EXPECT_FALSE(has(text, "somebody"));
}

TEST(Generate, messages_are_checked_where_each_is_known) {
    const std::string text = proxy_text(merge(testing::ring(2, 5), {}), "");
    for (const char* const part : {"static int checks;", "#define MPI_Send(", "--check   "})
        EXPECT_TRUE(has(text, part)) << part;
    Rank rank(0, 1);
    rank.call(Function::Send_init_, {0, 1, 16, 0, 1, 0, 0, 1, 0, 0});
    const std::string other = proxy_text(alone(std::move(rank.receive(0))), "");
    EXPECT_FALSE(has(other, "static int checks;"));
    EXPECT_FALSE(has(other, "arrived"));
}

TEST(Generate, what_cannot_run_alone_is_refused_with_the_reason) {
    Recording recording = merge(testing::ring(2, 5), {});
    recording.gaps = {"something is missing"};
    EXPECT_TRUE(has(only_obstacle(recording), "cannot run alone: something is missing"));
}

TEST(Generate, a_receive_from_any_source_gets_its_match) {
    const std::string text = proxy_text(alone(Rank(0, 1).receive(rank_any, tag_any, 0, 5)), "");
    EXPECT_TRUE(has(text, "me[0], 5, MPI_COMM_WORLD") ||
                has(text, "MPI_DOUBLE, 0, 5, MPI_COMM_WORLD"));
    EXPECT_FALSE(has(text, "MPI_ANY"));
}

TEST(Generate, a_test_that_said_no_leaves_the_request_alone) {
    Rank rank(0, 1);
    rank.call(Function::Isend_, {0, 1, 16, 0, 1, 0, 0, 1, 0, 0});
    rank.call(Function::Test_, {0, 0, 0, 0, 0}).call(Function::Test_, {0, 1, 0, 0, 0});
    const std::string text = proxy_text(alone(std::move(rank)), "");
    EXPECT_TRUE(has(text, "ask(&request[0]);"));
    EXPECT_TRUE(has(text, "    test(&request[0]);"));
    EXPECT_TRUE(has(text, "until_done(*waiting);"));
    EXPECT_TRUE(has(text, "MPI_Test(waiting, &answer, MPI_STATUS_IGNORE);"));
}

TEST(Generate, arrays_of_a_nonblocking_call_outlive_it) {
    Rank rank(0, 1);
    rank.call(Function::Ialltoallv_, {0, 1, 7, 1, 0, 16, 1, 1, 8, 1, 0, 16, 0, 0, 1, 0, 0});
    rank.call(Function::Wait_, {0, 0, 0, 0});
    rank.call(Function::Alltoallv_, {0, 1, 9, 1, 0, 16, 1, 1, 8, 1, 0, 16, 0, 0, 1, 0});
    const std::string text = proxy_text(alone(std::move(rank)), "");
    EXPECT_TRUE(has(text, "static int sendcounts[1];\n    sendcounts[0] = scaled(7);"));
    EXPECT_TRUE(has(text,
                    "MPI_Ialltoallv(buffer(0), sendcounts, sdispls, MPI_DOUBLE, buffer(1), "
                    "recvcounts, rdispls, MPI_DOUBLE, MPI_COMM_WORLD, &request[0]);"));
    EXPECT_TRUE(has(text, "MPI_Alltoallv(buffer(0), (int[]){scaled(9)}"));
}

TEST(Generate, persistent_requests_are_started_together_where_they_follow_each_other) {
    Rank rank(0, 1);
    for (std::int64_t request = 0; request < 3; ++request)
        rank.call(Function::Recv_init_, {0, 1, 16, 0, 1, 0, 0, 1, request, 0});
    rank.call(Function::Startall_, {3, 3, 0, 1, 2, 0});
    rank.call(Function::Startall_, {2, 2, 2, 0, 0});
    const std::string text = proxy_text(alone(std::move(rank)), "");
    EXPECT_TRUE(has(text, "MPI_Startall(3, &request[0]);"));
    EXPECT_TRUE(has(text, "start_all(2, (int[]){2, 0});"));
}

TEST(Generate, words_are_spelled_so_that_C_reads_the_same) {
    Rank rank(0, 1);
    const auto key = rank.recorder.text("key"), value = rank.recorder.text("a \"b\"?\?/\n\\");
    rank.call(Function::Info_create_, {0, 0}).call(Function::Info_set_, {0, key, value, 0});
    const std::string text = proxy_text(alone(std::move(rank)), "");
    EXPECT_TRUE(has(text, R"(MPI_Info_set(info[0], "key", "a \042b\042\077\077/\012\134");)"));
}

TEST(Generate, neighbours_of_a_graph_are_relative_to_the_caller) {
    std::vector<RankRecording> ranks;
    for (std::int64_t me = 0; me < 4; ++me) {
        Rank rank(me, 4);
        rank.call(Function::Dist_graph_create_adjacent_,
                  {0, me, 4, 1, 1, (me + 3) % 4, 1, unweighted, 1, 1, (me + 1) % 4, 1, unweighted,
                   null_handle, 0, 2, me, 4, 0});
        ranks.push_back(rank.finish());
    }
    const std::string text = proxy_text(merge(ranks, {}), "");
    EXPECT_TRUE(
        has(text, "1, (int[]){neighbour(0, -1)}, unweighted(), 1, (int[]){neighbour(0, 1)}"));
}

TEST(Generate, elements_of_a_derived_datatype_may_need_more_memory_than_the_slot) {
    Rank rank(0, 1);
    rank.call(Function::Type_contiguous_, {3, 16, derived_type, 0});
    rank.call(Function::Send_, {0, 2, derived_type, 0, 1, 0, 0, 1, 0});
    rank.call(Function::Recv_, {0, 2, derived_type, 0, 1, 0, 0, 1, 0, 1, 48, 0, 0});
    const std::string text = proxy_text(alone(std::move(rank)), "");
    EXPECT_TRUE(has(text, "MPI_Send(stretch(0, scaled(2), type[0]), scaled(2), type[0], "));
    EXPECT_TRUE(has(text, "MPI_Recv(stretch(0, room_for(2), type[0]), room_for(2), type[0], "));
}

TEST(Generate, collectives_with_a_derived_datatype_keep_their_sizes_at_all_ranks) {
    Rank rank(0, 1);
    rank.call(Function::Type_contiguous_, {3, 16, derived_type, 0});
    rank.call(Function::Bcast_, {0, 1, derived_type, 0, 0, 0, 1, 0});
    rank.call(Function::Bcast_, {0, 3, 16, 0, 0, 0, 1, 0});
    rank.call(Function::Allreduce_, {0, 1, 3, 16, 3, 0, 0, 1, 0});
    const std::string text = proxy_text(alone(std::move(rank)), "");
    EXPECT_TRUE(has(text, "MPI_Bcast(buffer(0), 1, type[0], "));
    EXPECT_TRUE(has(text, "MPI_Bcast(buffer(0), 3, MPI_DOUBLE, "));
    EXPECT_TRUE(has(text, "MPI_Allreduce(buffer(0), buffer(1), scaled(3), MPI_DOUBLE, "));
}

TEST(Generate, the_tag_of_polls_is_one_that_the_program_never_uses) {
    EXPECT_EQ(unused_tag(alone(Rank(0, 1).send(0, 32767).receive(0, 32766))), 32765);
}

TEST(Obstacles, a_function_recorded_by_name_is_refused_with_its_place) {
    Rank rank(0, 1);
    const auto name = rank.recorder.text("MPI_Put"),
               site = rank.recorder.text("./app+0x12 (solve)");
    const std::string reason =
        only_obstacle(alone(std::move(rank.call(Function::by_name, {name, site}))));
    EXPECT_TRUE(has(reason, "MPI_Put(...) called from ./app+0x12 (solve)")) << reason;
}

TEST(ProxyText, computes_in_as_many_openmp_threads_as_the_program_for_as_long) {
    Rank rank(0, 1);
    rank.recorder.append({Function::Barrier_, {0, 0, 1, 0}}, 5e-3, 1e-7, nullptr, {4e-3, 3});
    const Recording recording =
        read_recording(write(alone(std::move(rank))), "what was written and read");
    const std::string text = proxy_text(recording, "a proxy");
    EXPECT_TRUE(has(text, "work_in_team(1000e-6, 3, 4000e-6)")) << text;
    EXPECT_TRUE(has(text, "#pragma omp parallel num_threads(threads)"));
    EXPECT_TRUE(has(makefile_text(text), "-fopenmp"));
}

TEST(Obstacles, what_a_proxy_cannot_repeat_is_refused_with_the_call) {
    EXPECT_TRUE(
        has(only_obstacle(alone(Rank(0, 1).call(Function::Barrier_, {unknown_handle, 0, 1, 0}))),
            "MPI_Barrier(comm comm?): uses a handle"));
    EXPECT_TRUE(has(only_obstacle(alone(Rank(0, 1).call(Function::Barrier_, {0, 0, 1, 5}))),
                    "returned an error"));
    EXPECT_TRUE(has(only_obstacle(alone(Rank(0, 1).call(Function::Send_,
                                                        {buffer_bottom, 1, 16, 0, 1, 0, 0, 1, 0}))),
                    "MPI_BOTTOM"));
    RankRecording cut = Rank(0, 1).finish();
    cut.ending = Ending::unfinished;
    EXPECT_TRUE(has(only_obstacle(merge({cut}, {})), "does not reach MPI_Finalize"));
}

TEST(Obstacles, a_persistent_receive_from_any_source_is_refused) {
    EXPECT_TRUE(has(only_obstacle(alone(Rank(0, 1).call(Function::Recv_init_,
                                                        {0, 1, 16, rank_any, 1, 0, 0, 1, 0, 0}))),
                    "each start of this request"));
}

TEST(Obstacles, a_cancellation_that_came_too_late_is_refused) {
    Rank rank(0, 1);
    rank.call(Function::Irecv_, {0, 1, 16, 0, 1, 0, 0, 1, 0, rank_none, 0, 0});
    rank.call(Function::Cancel_, {0, 0}).call(Function::Wait_, {0, 8, 0, 0});
    EXPECT_TRUE(has(only_obstacle(alone(std::move(rank))), "came too late for 1 of 1"));
}

}  // namespace
}  // namespace refrain::proxy::generate_test
