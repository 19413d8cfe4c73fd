#include "generate/threads.hpp"

#include "generate/generate.hpp"
#include "verify/verify.hpp"

#include <gtest/gtest.h>

#include "sample_runs.hpp"

/// Threads that call MPI at once: what may be made again, and where each begins and ends.
namespace refrain::proxy::threads_test {
namespace {

using testing::Rank;

constexpr std::int64_t second_comm = 2;

/// MPI_Send with a tag in a communicator, to the only rank.
std::vector<std::int64_t> send(std::int64_t tag, std::int64_t comm = 0, std::int64_t slot = 0) {
    return {slot, 10, testing::double_type, 0, tag, comm, 0, 1, 0};
}
std::vector<std::int64_t> barrier(std::int64_t comm) {
    return {comm, 0, 1, 0};
}
std::vector<std::int64_t> dup(std::int64_t made) {
    return {0, 0, 1, made, 0, 1, 0};
}

Recording run(Rank& rank) {
    return merge({rank.finish()}, {});
}
bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}
std::string only_obstacle(Rank& rank) {
    const auto all = obstacles(run(rank));
    return all.size() == 1 ? all[0] : std::to_string(all.size()) + " obstacles";
}
/// Whether the parts stand in the text in this order, from `program` on.
::testing::AssertionResult in_order(const std::string& text,
                                    const std::vector<std::string>& parts) {
    std::size_t at = text.find("static void program");
    for (const std::string& part : parts) {
        const std::size_t next = text.find(part, at);
        if (next == std::string::npos)
            return ::testing::AssertionFailure() << part << " is not there in order:\n" << text;
        at = next + part.size();
    }
    return ::testing::AssertionSuccess();
}

TEST(Threads, classes_of_errors_that_two_threads_add_are_refused) {
    Rank rank(0, 1);
    rank.beside(1, Function::Add_error_class_, {0});
    rank.beside(1, Function::Add_error_code_, {0});
    EXPECT_TRUE(obstacles(run(rank)).empty()) << "one thread may";
    Rank two(0, 1);
    two.beside(1, Function::Add_error_class_, {0}).call(Function::Add_error_code_, {0});
    two.beside(1, Function::Send_, send(6));
    const std::string told = only_obstacle(two);
    EXPECT_TRUE(has(told, "thread 0 (MPI_Add_error_code) and thread 1 (MPI_Add_error_class)"))
        << told;
    EXPECT_TRUE(has(told, "errors that was added last")) << told;
}

TEST(Threads, messages_with_one_tag_to_one_rank_from_two_threads_are_refused_with_both_calls) {
    Rank rank(0, 1);
    rank.beside(1, Function::Send_, send(5)).call(Function::Send_, send(5));
    rank.beside(1, Function::Send_, send(6));
    const std::string told = only_obstacle(rank);
    EXPECT_TRUE(has(told, "thread 0 (MPI_Send) and thread 1 (MPI_Send)")) << told;
    EXPECT_TRUE(has(told, "messages to rank 0 with tag 5 in comm0")) << told;
}

TEST(Threads, of_many_conflicts_the_first_of_each_kind_is_told_and_the_rest_counted) {
    Rank rank(0, 1);
    for (std::uint32_t thread = 1; thread <= 3; ++thread)
        for (std::int64_t tag = 5; tag <= 7; ++tag)
            rank.beside(thread, Function::Send_, send(tag)).call(Function::Send_, send(tag));
    for (std::uint32_t thread = 1; thread <= 3; ++thread)
        rank.beside(thread, Function::Ssend_, send(8));
    const auto alike = obstacles(run(rank));
    // Of three threads three pairs, and three with the first: each with three tags, and each two with the tag of Ssend.
    ASSERT_EQ(alike.size(), 2u);
    EXPECT_TRUE(has(alike[0], "thread 0 (MPI_Send) and thread 1 (MPI_Send)"));
    EXPECT_TRUE(has(alike[0], "; 17 more like it"));
    EXPECT_TRUE(has(alike[1], "(MPI_Ssend)")) << alike[1];
    EXPECT_TRUE(has(alike[1], "; 2 more like it")) << alike[1];

    Rank many(0, 1);
    std::int64_t tag = 5;
    for (const Function function :
         {Function::Send_, Function::Ssend_, Function::Bsend_, Function::Rsend_}) {
        many.beside(1, function, send(tag)).call(function, send(tag));
        ++tag;
    }
    many.call(Function::Barrier_, barrier(0)).beside(1, Function::Barrier_, barrier(0));
    const auto told = obstacles(run(many));
    ASSERT_EQ(told.size(), 5u);
    EXPECT_TRUE(has(told[3], "(MPI_Rsend)")) << told[3];
    EXPECT_EQ(told[4], "1 more conflict of threads, between other calls");
}

TEST(Threads, other_tags_and_other_communicators_are_no_obstacle) {
    Rank rank(0, 1);
    rank.call(Function::Comm_dup_, dup(second_comm));
    rank.beside(1, Function::Send_, send(5)).beside(1, Function::Barrier_, barrier(0));
    rank.call(Function::Send_, send(6)).call(Function::Barrier_, barrier(second_comm));
    rank.beside(1, Function::Send_, send(5));
    EXPECT_TRUE(obstacles(run(rank)).empty());
}

TEST(Threads, collective_calls_of_two_threads_in_one_communicator_are_refused) {
    Rank rank(0, 1);
    rank.beside(1, Function::Barrier_, barrier(0)).beside(2, Function::Barrier_, barrier(0));
    rank.beside(1, Function::Send_, send(5));
    const std::string told = only_obstacle(rank);
    EXPECT_TRUE(has(told, "thread 1 (MPI_Barrier) and thread 2 (MPI_Barrier)")) << told;
    EXPECT_TRUE(has(told, "collective calls in comm0")) << told;
}

TEST(Threads, what_is_made_while_a_thread_runs_that_uses_it_is_refused) {
    Rank rank(0, 1);
    rank.beside(1, Function::Send_, send(5)).call(Function::Comm_dup_, dup(second_comm));
    rank.beside(1, Function::Send_, send(5, second_comm));
    EXPECT_TRUE(has(only_obstacle(rank), "both use communicator 2"));
}

TEST(Threads, a_thread_begins_behind_what_it_needs_and_ends_before_what_needs_it) {
    Rank rank(0, 1);
    rank.call(Function::Comm_dup_, dup(second_comm));
    rank.beside(1, Function::Barrier_, barrier(second_comm));
    rank.call(Function::Barrier_, barrier(0));
    rank.beside(1, Function::Barrier_, barrier(second_comm));
    rank.call(Function::Comm_free_, {second_comm, 0, 1, 0});
    const Recording recording = run(rank);
    ASSERT_TRUE(obstacles(recording).empty());
    const std::string text = proxy_text(recording, "a proxy");
    EXPECT_TRUE(
        in_order(text, {"comm_dup_", "start_thread(1, thread_1)", "MPI_Barrier(MPI_COMM_WORLD)",
                        "join_thread(1)", "MPI_Comm_free(", "MPI_Finalize("}));
    EXPECT_TRUE(has(text, "static void *thread_1(void *unused)"));
    EXPECT_TRUE(has(makefile_text(text), "-pthread"));
    EXPECT_FALSE(has(makefile_text(""), "-pthread"));
}

TEST(Threads, a_loop_in_which_a_thread_began_stays_whole_unless_the_thread_needs_its_midst) {
    for (const bool needs : {false, true}) {
        Rank rank(0, 1);
        for (int i = 0; i < 4; ++i) rank.call(Function::Send_, send(6));
        rank.beside(1, Function::Send_, send(needs ? 6 : 5));
        for (int i = 0; i < 6; ++i) rank.call(Function::Send_, send(6));
        const std::string text = proxy_text(run(rank), "a proxy");
        if (needs)
            EXPECT_TRUE(in_order(text, {"i < 4;", "start_thread", "join_thread", "i < 6;"}));
        else
            EXPECT_TRUE(in_order(text, {"start_thread", "i < 10;", "join_thread"}));
    }
}

TEST(Threads, of_two_threads_that_need_an_order_the_later_begins_when_the_earlier_has_ended) {
    Rank rank(0, 1);
    rank.beside(1, Function::Barrier_, barrier(0)).beside(2, Function::Barrier_, barrier(0));
    EXPECT_TRUE(in_order(proxy_text(run(rank), "a proxy"),
                         {"start_thread(1", "join_thread(1", "start_thread(2", "join_thread(2"}));
}

TEST(Threads, what_a_thread_makes_has_variables_and_memory_of_its_own) {
    Rank rank(0, 1);
    const std::int64_t own = first_number_of(1);
    rank.call(Function::Comm_dup_, dup(second_comm)).call(Function::Send_, send(6));
    rank.recorder.use(1);
    (void)rank.recorder.slot(0x100, 0, 80);
    rank.recorder.use(0);
    (void)rank.recorder.slot(0x100, 0, 80);
    rank.beside(1, Function::Comm_dup_, {1, 0, 1, own + second_comm, 0, 1, 0});
    rank.beside(1, Function::Send_, send(5, own + second_comm, own));
    const std::string text = proxy_text(run(rank), "a proxy");
    EXPECT_TRUE(has(text, "MPI_Comm_dup(MPI_COMM_SELF, &comm[3])"));
    EXPECT_TRUE(has(text, "MPI_Send(buffer(1), scaled(10), MPI_DOUBLE, 0, 5, comm[3])")) << text;
}

TEST(Threads, memory_of_mpi_is_numbered_by_thread_and_freed_in_a_known_order) {
    const std::int64_t own = first_number_of(1);
    Rank apart(0, 1), across(0, 1);
    apart.call(Function::Alloc_mem_, {64, null_handle, 0, 0});
    apart.beside(1, Function::Alloc_mem_, {32, null_handle, own, 0});
    apart.beside(1, Function::Free_mem_, {own, 0}).call(Function::Free_mem_, {0, 0});
    const Recording recording = run(apart);
    ASSERT_TRUE(obstacles(recording).empty());
    const std::string text = proxy_text(recording, "a proxy");
    EXPECT_TRUE(has(text, "MPI_Alloc_mem(32, MPI_INFO_NULL, &allocated[1])")) << text;
    EXPECT_TRUE(has(text, "MPI_Free_mem(allocated[1])")) << text;

    across.beside(1, Function::Alloc_mem_, {32, null_handle, own, 0});
    across.call(Function::Free_mem_, {own, 0}).beside(1, Function::Send_, send(5));
    EXPECT_TRUE(has(only_obstacle(across), "both use memory of MPI_Alloc_mem 0"))
        << only_obstacle(across);
}

TEST(Threads, a_long_thread_is_split_as_a_long_program_is) {
    Rank rank(0, 1);
    rank.beside(1, Function::Send_, send(1));
    for (std::int64_t tag = 1; tag <= 1000; ++tag) rank.beside(1, Function::Send_, send(tag));
    const std::string text = proxy_text(run(rank), "a proxy");
    EXPECT_TRUE(has(text, "static AS_WRITTEN void thread_1_part_1(void)"));
    EXPECT_TRUE(has(text, "    begin_thread(1);\n    thread_1_part_1();\n"));
    EXPECT_FALSE(has(text, "program_part_"));
}

TEST(Threads, streams_are_compared_one_by_one_however_they_follow_each_other) {
    Rank early(0, 1), late(0, 1), other(0, 1);
    early.beside(1, Function::Send_, send(5)).barrier();
    late.barrier().beside(1, Function::Send_, send(5));
    other.barrier().beside(1, Function::Send_, send(4));
    const Recording first = run(early);
    EXPECT_FALSE(compare(first, run(late), Equality::strict).difference);
    const auto difference = compare(first, run(other), Equality::strict).difference;
    ASSERT_TRUE(difference);
    EXPECT_TRUE(has(difference->first, "thread 1: MPI_Send")) << difference->first;
}

}  // namespace
}  // namespace refrain::proxy::threads_test
