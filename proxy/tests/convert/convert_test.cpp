#include <algorithm>
#include <gtest/gtest.h>
#include <random>

#include "convert/recording_json.hpp"
#include "convert/ti_trace.hpp"
#include "convert/type_sizes.hpp"
#include "sample_runs.hpp"
#include "tries.hpp"

namespace refrain::proxy::convert_test {
namespace {

using testing::double_type;
using testing::Rank;
using Lines = std::vector<std::string>;

/// The trace of rank 0 of a run of one rank, without computation.
Lines trace(Rank rank, std::int64_t size = 1) {
    std::vector<RankRecording> ranks{rank.finish()};
    for (std::int64_t me = 1; me < size; ++me) ranks.push_back(Rank(me, size).finish());
    const Recording recording = merge(ranks, {});
    const TiTrace trace(recording, 0);
    EXPECT_EQ(trace.obstacles(), Lines());
    Lines lines;
    trace.write(0, [&](const std::string& line) { lines.push_back(line); });
    return lines;
}

std::string obstacle(Rank rank, std::int64_t size = 1) {
    std::vector<RankRecording> ranks{rank.finish()};
    for (std::int64_t me = 1; me < size; ++me) ranks.push_back(Rank(me, size).finish());
    const auto all = TiTrace(merge(ranks, {}), 1e9).obstacles();
    return all.size() == 1 ? all[0] : std::to_string(all.size()) + " obstacles";
}

TEST(TiTrace, messages_are_bytes_between_ranks) {
    EXPECT_EQ(trace(Rank(0, 2).send(1, 7, 100).receive(rank_any, tag_any, 1, 5).barrier(), 2),
              (Lines{"0 init", "0 send 1 7 800 6", "0 recv 1 5 80 6", "0 barrier", "0 finalize"}));
}

TEST(TiTrace, computation_is_time_at_a_speed) {
    Lines lines;
    const Recording recording =
        merge({Rank(0, 1).call(Function::Barrier_, {0, 0, 1, 0}, 2e-3).finish()}, {});
    TiTrace(recording, 1e9).write(0, [&](const std::string& line) { lines.push_back(line); });
    EXPECT_EQ(lines, (Lines{"0 init", "0 compute 2000000", "0 compute 1000", "0 finalize"}));
}

TEST(TiTrace, requests_are_waited_for_by_their_messages) {
    Rank rank(0, 2);
    rank.call(Function::Irecv_, {0, 2, 16, 1, 4, 0, 0, 2, 0, rank_none, 0, 0});
    rank.call(Function::Isend_, {1, 3, 8, 1, 9, 0, 0, 2, 1, 0});
    rank.call(Function::Isend_, {2, 3, 8, rank_null, 9, 0, 0, 2, 2, 0});
    rank.call(Function::Test_, {0, 0, 0, 0, 0});
    rank.call(Function::Waitany_, {3, 3, 0, 1, 2, 1, 0, 0, 0});
    rank.call(Function::Waitall_, {3, 3, 0, null_handle, 2, 3, 16, 0, 0, 0, 0, 0, 0});
    EXPECT_EQ(trace(std::move(rank), 2), (Lines{"0 init", "0 irecv 1 4 16 6", "0 isend 1 9 12 6",
                                                "0 wait 0 1 9", "0 wait 1 0 4", "0 finalize"}));
}

TEST(TiTrace, a_wait_for_all_that_was_begun_is_one_word) {
    Rank rank(0, 2);
    rank.call(Function::Irecv_, {0, 2, 16, 1, 4, 0, 0, 2, 0, rank_none, 0, 0});
    rank.call(Function::Isend_, {1, 3, 8, 1, 9, 0, 0, 2, 1, 0});
    rank.call(Function::Waitall_, {2, 2, 0, 1, 2, 16, 0, 0, 0, 0});
    EXPECT_EQ(trace(std::move(rank), 2)[3], "0 waitall 2");
}

TEST(TiTrace, what_the_format_has_no_word_for_is_named) {
    EXPECT_NE(obstacle(Rank(0, 2)
                           .call(Function::Ibarrier_, {0, 0, 2, 0, 0})
                           .call(Function::Wait_, {0, 0, 0, 0}),
                       2)
                  .find("MPI_Ibarrier"),
              std::string::npos);
    Rank split(0, 2);
    split.split(0, 2, 1, 2).call(Function::Barrier_, {2, 1, 2, 0});
    EXPECT_NE(obstacle(std::move(split), 2).find("in its order"), std::string::npos);
}

TEST(TiTrace, a_recording_that_claims_more_calls_than_a_disk_holds_is_not_expanded) {
    Recording recording = merge(testing::ring(2, 30), {});
    recording.rules[0][0].count = std::uint64_t{1000000000000000000};
    const auto all = TiTrace(recording, 1e9).obstacles();
    ASSERT_EQ(all.size(), 1u);
    EXPECT_NE(all[0].find("each of which would be a line"), std::string::npos) << all[0];
}

TEST(TypeSizes, datatypes_that_the_program_makes_have_the_bytes_of_their_elements) {
    TypeSizes sizes;
    EXPECT_EQ(sizes.bytes(16), 8);
    sizes.follow({Function::Type_vector_, {3, 2, 7, 16, derived_type, 0}});
    EXPECT_EQ(sizes.bytes(derived_type), 48);
    sizes.follow({Function::Type_create_struct_,
                  {2, 2, 5, 1, 2, 0, 99, 2, 8, derived_type, derived_type + 1, 0}});
    EXPECT_EQ(sizes.bytes(derived_type + 1), 68);
    sizes.follow(
        {Function::Type_create_subarray_, {2, 2, 9, 9, 2, 3, 4, 2, 0, 0, 0, 8, derived_type, 0}});
    EXPECT_EQ(sizes.bytes(derived_type), 48);
    EXPECT_FALSE(sizes.bytes(derived_type + 7));
    sizes.follow({Function::Type_create_f90_integer_, {9, derived_type, 0}});
    EXPECT_EQ(sizes.bytes(derived_type), 4);
    sizes.follow({Function::Type_create_f90_complex_, {12, 100, derived_type, 0}});
    EXPECT_EQ(sizes.bytes(derived_type), 16);
    sizes.follow({Function::Type_create_f90_real_, {30, 400, derived_type, 0}});
    EXPECT_FALSE(sizes.bytes(derived_type));
}

TEST(TypeSizes, an_array_that_is_dealt_out_has_the_elements_that_are_dealt_to_the_process) {
    std::mt19937 random(1);
    const auto draw = [&](std::int64_t least, std::int64_t most) {
        return least +
               static_cast<std::int64_t>(random() % static_cast<unsigned>(most - least + 1));
    };
    for (std::uint64_t i = 0; i < tries(1000); ++i) {
        const auto dimensions = static_cast<std::size_t>(draw(1, 3));
        std::vector<std::int64_t> extents, ways, blocks, grid;
        std::int64_t ranks = 1;
        for (std::size_t d = 0; d < dimensions; ++d) {
            extents.push_back(draw(0, 20));
            ways.push_back(draw(distribution_block, distribution_none));
            grid.push_back(ways[d] == distribution_none ? 1 : draw(1, 4));
            // Blocks are large enough for all of the dimension, unless they are dealt out in turns.
            const std::int64_t least = (extents[d] + grid[d] - 1) / grid[d];
            blocks.push_back(draw(0, 2) == 0 ? distribution_default
                             : ways[d] == distribution_cyclic
                                 ? draw(1, 7)
                                 : std::max<std::int64_t>(1, least) + draw(0, 3));
            ranks *= grid[d];
        }
        const std::int64_t rank = draw(0, ranks - 1);
        std::vector<std::int64_t> values{ranks, rank, static_cast<std::int64_t>(dimensions)};
        for (const auto* each : {&extents, &ways, &blocks, &grid}) {
            values.push_back(static_cast<std::int64_t>(dimensions));
            values.insert(values.end(), each->begin(), each->end());
        }
        values.insert(values.end(), {0, double_type, derived_type, 0});

        std::int64_t mine = 1, below = ranks;
        for (std::size_t d = 0; d < dimensions; ++d) {
            below /= grid[d];
            const std::int64_t place = rank / below % grid[d];
            std::int64_t dealt = 0;
            for (std::int64_t element = 0; element < extents[d]; ++element) {
                const std::int64_t whole = (extents[d] + grid[d] - 1) / grid[d];
                const std::int64_t block = blocks[d] != distribution_default ? blocks[d]
                                           : ways[d] == distribution_cyclic  ? 1
                                                                             : whole;
                const std::int64_t owner =
                    ways[d] == distribution_none ? 0 : element / block % grid[d];
                dealt += owner == place;
            }
            mine *= dealt;
        }
        TypeSizes sizes;
        sizes.follow({Function::Type_create_darray_, values});
        EXPECT_EQ(sizes.bytes(derived_type), 8 * mine) << ::testing::PrintToString(values);
    }
}

TEST(RecordingJson, rules_and_ranks_stand_as_they_are_stored) {
    const std::string json = recording_json(merge(testing::ring(4, 50), {}));
    EXPECT_NE(json.find("\"function\":\"MPI_Send\""), std::string::npos);
    EXPECT_NE(json.find("{\"ranks\":[[0,3]],\"rule\":"), std::string::npos) << json;
    EXPECT_NE(json.find("\"times\":10}"), std::string::npos);
}

}  // namespace
}  // namespace refrain::proxy::convert_test
