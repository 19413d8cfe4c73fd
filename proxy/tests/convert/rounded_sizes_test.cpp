#include "convert/rounded_sizes.hpp"

#include "refrain/error.hpp"

#include <gtest/gtest.h>
#include <random>

#include "sample_runs.hpp"
#include "tries.hpp"

namespace refrain::proxy::convert_test {
namespace {

using testing::Rank;
using Values = std::vector<std::int64_t>;

Recording rounded(Rank rank, std::vector<Rank> others = {}) {
    std::vector<RankRecording> ranks{rank.finish()};
    for (Rank& other : others) ranks.push_back(other.finish());
    Recording recording = merge(ranks, {});
    round_sizes(recording);
    return recording;
}

/// The values of a call of rank 0, from the first one on that is not MPI_Init.
Values values(const Recording& recording, std::size_t call = 1) {
    return testing::expanded(recording, 0)[call].values;
}

TEST(RoundedSizes, numbers_keep_their_first_two_binary_digits) {
    EXPECT_EQ(rounded_down(4099), 4096);
    EXPECT_EQ(rounded_down(12345), 12288);
    EXPECT_EQ(rounded_up(12345), 16384);
    for (const std::int64_t small : {-1, 0, 1, 2, 3, 4, 6, 8, 12}) {
        EXPECT_EQ(rounded_down(small), small);
        EXPECT_EQ(rounded_up(small), small);
    }
    std::mt19937_64 random(1);
    for (std::uint64_t i = 0; i < 100 * tries(10); ++i) {
        const auto number = static_cast<std::int64_t>(random() >> (2 + random() % 60));
        EXPECT_LE(rounded_down(number), number);
        EXPECT_GE(rounded_up(number), number);
        EXPECT_LE(rounded_down(number), rounded_down(number + 1));
        EXPECT_LE(number - rounded_down(number), number / 3);
        if (number < std::int64_t{1} << 55) {
            EXPECT_EQ(rounded_down(8 * number), 8 * rounded_down(number));
        }
    }
}

TEST(RoundedSizes, sender_receiver_and_status_agree) {
    Rank rank(0, 1);
    rank.send(0, 1, 4099);
    rank.call(Function::Recv_, {0, 12345, 16, 0, 1, 0, 0, 1, 0, 1, 8 * 4099, 0, 0});
    rank.call(Function::Irecv_, {0, 4099, 16, 0, 4099, 0, 0, 1, 0, rank_none, 0, 0});
    rank.call(Function::Wait_, {0, 8 * 4099, 0, 0});
    rank.call(Function::Waitall_, {2, 2, 0, 1, 2, 8 * 4099, 0, 12345, 0, 0});
    const Recording recording = rounded(std::move(rank));
    EXPECT_EQ(values(recording, 1)[1], 4096);
    EXPECT_EQ(values(recording, 2), (Values{0, 12288, 16, 0, 1, 0, 0, 1, 0, 1, 32768, 0, 0}));
    EXPECT_EQ(values(recording, 3), (Values{0, 4096, 16, 0, 4099, 0, 0, 1, 0, rank_none, 0, 0}))
        << "a tag is no size";
    EXPECT_EQ(values(recording, 4), (Values{0, 32768, 0, 0}));
    EXPECT_EQ(values(recording, 5), (Values{2, 2, 0, 1, 2, 32768, 0, 12288, 0, 0}));
    ASSERT_EQ(recording.notes.size(), 1u);
    EXPECT_EQ(recording.notes[0],
              "sizes of messages are rounded down to their two leading binary digits");
    EXPECT_TRUE(has_rounded_sizes(recording));
}

TEST(RoundedSizes, what_was_apart_stays_apart_and_what_overlapped_overlaps) {
    Rank rank(0, 1);
    // A hole of 3 elements, nothing at all, and twice the same place.
    rank.call(Function::Alltoallv_,
              {0, 3, 5, 7, 0, 3, 0, 8, 999, 16, 1, 3, 5, 5, 9, 3, 20, 20, 40, 16, 0, 0, 1, 0});
    EXPECT_EQ(values(rounded(std::move(rank))),
              (Values{0, 3, 4, 6, 0, 3, 0, 4, 0, 16, 1, 3, 4, 4, 8, 3, 0, 0, 4, 16, 0, 0, 1, 0}));
}

TEST(RoundedSizes, no_block_ends_behind_where_it_did_and_none_overlap_that_did_not) {
    std::mt19937_64 random(2);
    for (std::uint64_t i = 0; i < tries(200); ++i) {
        const std::size_t blocks = 1 + random() % 6;
        Values all{0, 9, 16, buffer_unused}, counts{static_cast<std::int64_t>(blocks)},
            places = counts;
        all[3] = 1;
        for (std::size_t k = 0; k < blocks; ++k) {
            counts.push_back(static_cast<std::int64_t>(random() % 50));
            places.push_back(static_cast<std::int64_t>(random() % 300));
        }
        all.insert(all.end(), counts.begin(), counts.end());
        all.insert(all.end(), places.begin(), places.end());
        all.insert(all.end(), {16, 0, 0, 1, 0});
        Rank rank(0, 1);
        rank.call(Function::Allgatherv_, all);
        const Values now = values(rounded(std::move(rank)));
        const auto count = [&](const Values& of, std::size_t k) { return of[5 + k]; };
        const auto place = [&](const Values& of, std::size_t k) { return of[6 + blocks + k]; };
        for (std::size_t a = 0; a < blocks; ++a) {
            EXPECT_LE(place(now, a) + count(now, a), place(all, a) + count(all, a)) << i;
            for (std::size_t b = 0; b < blocks; ++b) {
                if (count(all, a) == 0 || count(all, b) == 0) continue;
                if (place(all, a) + count(all, a) <= place(all, b)) {
                    EXPECT_LE(place(now, a) + count(now, a), place(now, b)) << i;
                }
            }
        }
    }
}

TEST(RoundedSizes, a_message_of_a_datatype_that_stays_is_received_whole_and_it_is_said) {
    Rank rank(0, 1);
    rank.call(Function::Type_indexed_, {1, 1, 4098, 1, 0, 4, derived_type, 0});
    rank.call(Function::Send_, {0, 1, derived_type, 0, 1, 0, 0, 1, 0});
    rank.call(Function::Recv_, {0, 5000, 4, 0, 1, 0, 0, 1, 0, 1, 4098, 0, 0});
    rank.call(Function::Send_, {0, 1030, 8, 0, 1, 0, 0, 1, 0});
    const Recording recording = rounded(std::move(rank));
    EXPECT_EQ(values(recording, 1)[2], 4098);
    EXPECT_EQ(values(recording, 3), (Values{0, 4120, 4, 0, 1, 0, 0, 1, 0, 1, 4098, 0, 0}));
    EXPECT_EQ(values(recording, 4)[1], 1030) << "1024.5 integers cannot be sent";
    EXPECT_NE(recording.notes[0].find("1 that make datatypes, 1 that use datatypes"),
              std::string::npos)
        << recording.notes[0];
}

TEST(RoundedSizes, a_column_is_rounded_as_the_row_that_receives_it) {
    const auto columns = [](std::int64_t sent, std::int64_t length = 1) {
        Rank rank(0, 1);
        rank.call(Function::Type_vector_, {4099, length, 4101, 16, derived_type, 0});
        rank.call(Function::Send_, {0, sent, derived_type, 0, 1, 0, 0, 1, 0});
        rank.call(Function::Recv_, {0, 12345, 16, 0, 1, 0, 0, 1, 0, 1, 8 * 4099 * sent, 0, 0});
        return rounded(std::move(rank));
    };
    const Recording one = columns(1), two = columns(2);
    EXPECT_EQ(values(one, 1), (Values{4096, 1, 4096, 16, derived_type, 0}));
    EXPECT_EQ(values(one, 3)[10], 8 * 4096);
    EXPECT_EQ(values(two, 2)[1], 2);
    EXPECT_EQ(values(two, 3)[10], 2 * 8 * 4096);
    EXPECT_EQ(one.notes[0].find("could not"), std::string::npos);
    // Three of what was rounded are not what three of them become, nor are three in a block.
    EXPECT_EQ(values(columns(3), 1)[0], 4099);
    EXPECT_EQ(values(columns(1, 3), 1)[0], 4099);
}

TEST(RoundedSizes, a_column_that_is_used_elsewhere_stays) {
    Rank rank(0, 1);
    rank.call(Function::Type_vector_, {4099, 1, 4101, 16, derived_type, 0});
    rank.call(Function::Type_create_resized_, {derived_type, 0, 8, derived_type + 1, 0});
    rank.call(Function::Send_, {0, 1, derived_type, 0, 1, 0, 0, 1, 0});
    EXPECT_EQ(values(rounded(std::move(rank)))[0], 4099);
    // Between 33,000 bytes that stay and what they become lies the size of a column.
    Rank other(0, 1);
    other.call(Function::Type_vector_, {4125, 1, 4200, 16, derived_type, 0});
    other.call(Function::Type_contiguous_, {32900, 4, derived_type + 1, 0});
    other.call(Function::Type_dup_, {derived_type + 1, derived_type + 2, 0});
    other.call(Function::Send_, {0, 1, derived_type, 0, 1, 0, 0, 1, 0});
    other.call(Function::Send_, {0, 1, derived_type + 1, 0, 1, 0, 0, 1, 0});
    EXPECT_EQ(values(rounded(std::move(other)))[0], 4125);
}

TEST(RoundedSizes, files_and_windows_stay_and_memory_has_room) {
    Rank rank(0, 1);
    rank.call(Function::Win_create_, {0, 12345, 8, -1, 0, 0, 1, 0, 0});
    rank.call(Function::Put_, {1, 4099, 16, 0, buffer_unused, 5, 4099, 16, 0, 0, 1, 0});
    rank.call(Function::Buffer_attach_, {4099, 0});
    rank.call(Function::Buffer_detach_, {4099, 0});
    Recording recording = merge({rank.finish()}, {});
    recording.slots = {{5, 4099}};
    recording.counts = {"Put 1 32792\nto 0: 3 12345\n"};
    round_sizes(recording);
    EXPECT_EQ(values(recording, 2)[1], 4099);
    EXPECT_EQ(values(recording, 3)[0], 6144);
    EXPECT_EQ(values(recording, 4)[0], 6144);
    EXPECT_EQ(recording.slots[0].before, 6);
    EXPECT_EQ(recording.slots[0].behind, 6144);
    EXPECT_EQ(recording.counts[0], "Put 1 32768\nto 0: 3 12288\n");
    EXPECT_NE(recording.notes[0].find("those of 2 calls could not be: 2 that access windows"),
              std::string::npos)
        << recording.notes[0];
}

TEST(RoundedSizes, what_a_file_told_behind_a_request_stays_and_so_do_messages_of_this_size) {
    Rank rank(0, 1);
    rank.call(Function::File_iread_, {0, 0, 5003, 16, 0, 0});
    rank.call(Function::Irecv_, {0, 12345, 16, 0, 1, 0, 0, 1, 1, rank_none, 0, 0});
    // The file had less than was asked for: 4099 numbers.
    rank.call(Function::Waitall_, {2, 2, 0, 1, 2, 8 * 4099, 0, 8 * 12345, 0, 0});
    for (const std::int64_t count : {4099, 4100, 5003, 4098}) rank.send(0, 1, count);
    rank.call(Function::Irecv_, {0, 5003, 16, 0, 1, 0, 0, 1, 0, rank_none, 0, 0});
    rank.call(Function::Testsome_, {1, 1, 0, 1, 1, 0, 1, 8 * 5003, 0, 0});
    const Recording recording = rounded(std::move(rank));
    EXPECT_EQ(values(recording, 1)[2], 5003);
    EXPECT_EQ(values(recording, 3), (Values{2, 2, 0, 1, 2, 8 * 4099, 0, 8 * 12288, 0, 0}));
    for (const std::size_t call : {4, 5, 6}) EXPECT_EQ(values(recording, call)[1], 4099) << call;
    EXPECT_EQ(values(recording, 7)[1], 4096);
    EXPECT_EQ(values(recording, 9), (Values{1, 1, 0, 1, 1, 0, 1, 8 * 4099, 0, 0}))
        << "the number of a request of a file is given to a message";
    EXPECT_NE(recording.notes[0].find("1 that access files"), std::string::npos)
        << recording.notes[0];
}

TEST(RoundedSizes, what_another_thread_began_may_be_a_file) {
    Rank rank(0, 1);
    rank.call(Function::Irecv_, {0, 4099, 16, 0, 1, 0, 0, 1, 0, rank_none, 0, 0});
    const std::int64_t others = first_number_of(1);
    rank.beside(1, Function::File_iread_, {0, others, 5003, 16, others, 0});
    rank.call(Function::Wait_, {others, 8 * 5003, 0, 0});
    rank.call(Function::Wait_, {0, 8 * 4099, 0, 0});
    const Recording recording = rounded(std::move(rank));
    EXPECT_EQ(values(recording, 2)[1], 8 * 5003);
    EXPECT_EQ(values(recording, 3)[1], 8 * 4096);
}

TEST(RoundedSizes, an_array_that_is_dealt_out_stays_as_a_message_does_of_it) {
    Rank rank(0, 1);
    rank.call(Function::Type_create_darray_,
              {2, 0, 2, 2, 3, 8197, 2, distribution_none, distribution_block, 2, -1, -1, 2, 1, 2, 0,
               16, derived_type, 0});
    rank.call(Function::Send_, {0, 1, derived_type, 0, 1, 0, 0, 1, 0});
    rank.call(Function::Recv_, {0, 20000, 16, 0, 1, 0, 0, 1, 0, 1, 8 * 3 * 4099, 0, 0});
    EXPECT_EQ(values(rounded(std::move(rank)), 3)[10], 8 * 3 * 4099);
}

TEST(RoundedSizes, what_is_not_known_to_stay_consistent_is_refused) {
    Rank failed(0, 1);
    failed.call(Function::Recv_, {0, 10, 16, 0, 1, 0, 0, 1, 0, 1, 80, 0, 15});
    EXPECT_THROW((void)rounded(std::move(failed)), UsageError);
}

}  // namespace
}  // namespace refrain::proxy::convert_test
