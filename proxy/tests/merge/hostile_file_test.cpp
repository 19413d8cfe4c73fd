#include "generate/generate.hpp"
#include "merge/recording.hpp"

#include <gtest/gtest.h>

#include "convert/recording_json.hpp"
#include "convert/trace_recording.hpp"
#include "sample_runs.hpp"
#include "sample_traces.hpp"
#include "signed_file.hpp"

namespace refrain::proxy::hostile_file_test {
namespace {

using testing::sign;
using testing::word_at;

/// Where payloads lie.
std::vector<std::size_t> payload_bytes(const std::string& file) {
    std::vector<std::size_t> places;
    for (std::size_t at = 9; at < file.size();) {
        const std::size_t begin = at + 9,
                          end = begin + static_cast<std::size_t>(word_at(file, at + 1));
        for (std::size_t i = begin; i < end; ++i) places.push_back(i);
        at = end + 8;
    }
    return places;
}

/// What reads a recording call by call, if there are few.
void trace(const Recording& recording) {
    constexpr std::uint64_t calls_max = 1000;
    for (std::uint32_t rank = 0; rank < recording.size(); ++rank)
        if (strings::expanded_lengths(recording.grammar_of(rank))[0] > calls_max) return;
    try {
        (void)recording_of(testing::trace_of(recording));
    } catch (const std::runtime_error&) {
    }
}

TEST(HostileFile, a_file_that_is_signed_again_is_what_it_was) {
    const std::string file = write(merge(testing::ring(3, 20), {}));
    std::string again = file;
    sign(again);
    EXPECT_EQ(again, file);
}

TEST(HostileFile, any_byte_of_a_block_may_be_any_other_with_the_right_checksum) {
    std::vector<RankRecording> ranks;
    for (std::int64_t me = 0; me < 2; ++me) {
        testing::Rank rank(me, 2);
        rank.split(0, 2, me, 2);
        rank.call(Function::Isend_, {0, 1, 16, 1 - me, 1, 2, me, 2, 0, 0});
        rank.call(Function::Irecv_, {1, 1, 16, 1 - me, 1, 2, me, 2, 1, rank_none, 0, 0});
        rank.call(Function::Waitall_, {2, 2, 0, 1, 2, 0, 0, 8, 0, 0});
        for (int i = 0; i < 9; ++i) rank.send(1 - me).receive(1 - me).barrier();
        ranks.push_back(rank.finish());
    }
    const std::string file = write(merge(ranks, {}));
    std::size_t read = 0, refused = 0, generated = 0;
    for (const std::size_t place : payload_bytes(file))
        for (const char other : {'\x00', '\x05', '\xff'}) {
            std::string changed = file;
            changed[place] = other;
            sign(changed);
            try {
                const Recording recording = read_recording(changed, "hostile");
                ++read;
                (void)recording.complete();
                (void)recording_json(recording);
                trace(recording);
                if (!obstacles(recording).empty()) continue;
                ++generated;
                (void)proxy_text(recording, "hostile");
            } catch (const DamagedFile&) {
                ++refused;
            }
        }
    EXPECT_GT(read, 100u);
    EXPECT_GT(generated, 50u);
    EXPECT_GT(refused, 100u);
}

/// Whether a file with such a call is read.
bool is_read(Function function, const std::vector<std::int64_t>& values) {
    std::vector<RankRecording> ranks;
    testing::Rank rank(0, 1);
    rank.call(function, values);
    ranks.push_back(rank.finish());
    try {
        (void)read_recording(write(merge(ranks, {})), "hostile");
    } catch (const DamagedFile&) {
        return false;
    }
    return true;
}

TEST(HostileFile, what_mpi_defines_is_known) {
    const auto types = static_cast<std::int64_t>(predefined_types().size());
    const auto ops = static_cast<std::int64_t>(predefined_ops().size());
    const auto reduces = [](std::int64_t type, std::int64_t op) {
        return is_read(Function::Reduce_local_, {0, 1, 4, type, op, 0});
    };
    EXPECT_TRUE(reduces(types - 1, ops - 1));
    EXPECT_TRUE(reduces(derived_type, user_op));
    EXPECT_FALSE(reduces(types, ops - 1));
    EXPECT_FALSE(reduces(derived_type - 1, ops - 1));
    EXPECT_FALSE(reduces(types - 1, ops));
    EXPECT_FALSE(reduces(types - 1, user_op - 1));
}

TEST(HostileFile, what_was_completed_is_among_the_requests_that_a_call_names) {
    constexpr std::int64_t far = std::int64_t{1} << 40;
    for (const std::int64_t index : {std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}})
        EXPECT_TRUE(is_read(Function::Waitany_, {2, 2, 3, 4, index, 0, 0, 0})) << index;
    for (const std::int64_t index : {std::int64_t{2}, far})
        EXPECT_FALSE(is_read(Function::Waitany_, {2, 2, 3, 4, index, 0, 0, 0})) << index;
    for (const Function some : {Function::Waitsome_, Function::Testsome_}) {
        EXPECT_TRUE(is_read(some, {2, 2, 3, 4, 1, 1, 1, 1, 80, 0, 0}));
        for (const std::int64_t index : {std::int64_t{-1}, std::int64_t{2}, far})
            EXPECT_FALSE(is_read(some, {2, 2, 3, 4, 1, 1, index, 1, 80, 0, 0})) << index;
        EXPECT_FALSE(is_read(some, {2, 2, 3, 4, 2, 2, 0, 1, 1, 80, 0, 0})) << "one has no status";
    }
}

}  // namespace
}  // namespace refrain::proxy::hostile_file_test
