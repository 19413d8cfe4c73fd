#include "events/event.hpp"

#include <gtest/gtest.h>

namespace refrain::proxy::event_test {
namespace {

const Event send{Function::Send_, {0, 100, 16, 3, 7, 0, 2, 4, 0}};

TEST(Event, arguments_are_described_by_name) {
    EXPECT_EQ(describe(send, {}, false),
              "MPI_Send(buf buffer0, count 100, datatype MPI_DOUBLE, dest 3, tag 7, comm world "
              "(rank 2 of 4))");
    const Event waitall{Function::Waitall_, {2, 2, 0, 5, 2, 80, 0, 0, 1, 0}};
    EXPECT_EQ(describe(waitall, {}, false),
              "MPI_Waitall(count 2, requests [request0 request5]) -> statuses [80 B 0 0 B 1]");
}

TEST(Event, values_that_do_not_fit_their_function_are_refused) {
    ASSERT_TRUE(split(send));
    for (std::size_t size = 0; size < send.values.size(); ++size) {
        Event cut = send;
        cut.values.resize(size);
        EXPECT_FALSE(split(cut)) << size;
    }
    Event longer = send;
    longer.values.push_back(0);
    EXPECT_FALSE(split(longer));
    EXPECT_FALSE(split({Function::Waitall_, {2, std::int64_t{1} << 60, 0}}));
    EXPECT_FALSE(split({Function::Waitall_, {2, -1, 0, 0}}));
}

TEST(Event, a_rank_of_a_larger_group_survives_each_encoding) {
    for (std::int64_t rank = 0; rank < 9; ++rank)
        for (const RankMode mode : {RankMode::absolute, RankMode::relative, RankMode::exclusive})
            EXPECT_EQ(decode_rank(encode_rank(rank, mode, 1, 2), 1, 2), rank);
}

TEST(Event, a_nonblocking_call_has_the_parameters_of_the_blocking_one_and_a_request) {
    for (const char* const name :
         {"Barrier", "Alltoallw", "Reduce_scatter", "Neighbor_alltoallv"}) {
        std::string behind = name;
        behind[0] = static_cast<char>(behind[0] - 'A' + 'a');
        const FunctionInfo &blocking = info(function_named(name)),
                           &other = info(function_named("I" + behind));
        ASSERT_EQ(other.parameters.size(), blocking.parameters.size() + 1) << name;
        for (std::size_t i = 0; i < blocking.parameters.size(); ++i)
            EXPECT_EQ(other.parameters[i].kind, blocking.parameters[i].kind) << name;
        EXPECT_EQ(other.parameters.back().kind, Kind::newrequest_) << name;
    }
}

TEST(Event, words_are_described) {
    const Event set{Function::Info_set_, {0, 0, 1, 0}};
    EXPECT_EQ(describe(set, std::vector<std::string>{"io", "fast"}, false),
              "MPI_Info_set(info info0, key \"io\", value \"fast\")");
}

TEST(Event, ranks_survive_each_encoding) {
    for (std::int64_t size = 1; size <= 9; ++size)
        for (std::int64_t me = 0; me < size; ++me)
            for (std::int64_t rank = -4; rank < size; ++rank)
                for (const RankMode mode :
                     {RankMode::absolute, RankMode::relative, RankMode::exclusive})
                    EXPECT_EQ(decode_rank(encode_rank(rank, mode, me, size), me, size), rank);
}

TEST(Event, neighbours_have_one_encoding_on_all_ranks) {
    for (std::int64_t me = 0; me < 8; ++me) {
        EXPECT_EQ(encode_rank((me + 7) % 8, RankMode::relative, me, 8),
                  encode_rank(7, RankMode::relative, 0, 8));
        EXPECT_EQ(encode_rank(me ^ 4, RankMode::exclusive, me, 8),
                  encode_rank(4, RankMode::exclusive, 0, 8));
    }
}

TEST(FunctionTable, every_function_is_found_by_its_name) {
    for (std::size_t i = 0; i < function_count; ++i)
        EXPECT_EQ(function_named(info(static_cast<Function>(i)).name), static_cast<Function>(i));
    EXPECT_EQ(function_named("Comm_spawn"), Function::by_name);
}

}  // namespace
}  // namespace refrain::proxy::event_test
