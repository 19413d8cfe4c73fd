#include "base/record_arena.hpp"

#include <cstring>
#include <deque>
#include <gtest/gtest.h>
#include <random>

namespace refrain::base::record_arena_test {
namespace {

constexpr std::size_t chunk_bytes = 4096;

struct Record {
    std::uint64_t number;
    std::uint32_t weight;
};

bool aligned(const void* pointer, std::size_t align) {
    return reinterpret_cast<std::uintptr_t>(pointer) % align == 0;
}

TEST(RecordArena, a_record_is_constructed_in_place_and_aligned) {
    RecordArena arena(chunk_bytes);
    EXPECT_EQ(arena.bytes_held(), 0U);
    const Record* record = arena.make<Record>(7, 7U, 3U);
    EXPECT_EQ(record->number, 7U);
    EXPECT_EQ(record->weight, 3U);
    for (const std::size_t align : {1U, 2U, 8U, 64U, 256U, 1024U}) {
        EXPECT_TRUE(aligned(arena.allocate(1, align, 7), align)) << align;
    }
    EXPECT_EQ(arena.allocate_array<Record>(0, 7), nullptr);
}

TEST(RecordArena, a_chunk_is_reused_once_its_records_have_retired) {
    RecordArena arena(chunk_bytes);
    const void* first = arena.allocate(64, 64, 1);
    arena.retire_below(1);
    EXPECT_NE(arena.allocate(64, 64, 1), first) << "record 1 is still alive";
    arena.retire_below(2);
    EXPECT_EQ(arena.allocate(64, 64, 2), first);
}

TEST(RecordArena, the_chunk_that_retired_last_is_reused_first) {
    RecordArena arena(chunk_bytes);
    const std::size_t most = chunk_bytes - 64 - 64;
    const void* a = arena.allocate(most, 64, 1);
    const void* b = arena.allocate(most, 64, 2);
    const void* c = arena.allocate(most, 64, 3);
    arena.retire_below(3);
    EXPECT_EQ(arena.allocate(most, 64, 3), b);
    EXPECT_EQ(arena.allocate(most, 64, 3), a);
    EXPECT_NE(arena.allocate(most, 64, 3), c);
}

TEST(RecordArena, a_chunk_is_kept_while_one_of_its_records_is_alive) {
    RecordArena arena(chunk_bytes);
    std::vector<std::byte*> records;
    for (std::uint64_t number = 0; number < 100; ++number) {
        auto* record = static_cast<std::byte*>(arena.allocate(512, 8, number));
        std::memset(record, static_cast<int>(number), 512);
        records.push_back(record);
    }
    arena.retire_below(50);
    for (std::uint64_t number = 100; number < 150; ++number) {
        std::memset(arena.allocate(512, 8, number), 0xee, 512);
    }
    for (std::size_t number = 50; number < 100; ++number) {
        for (std::size_t i = 0; i < 512; ++i) ASSERT_EQ(records[number][i], std::byte(number));
    }
}

TEST(RecordArena, a_record_larger_than_a_chunk_gets_a_chunk_that_is_reused) {
    RecordArena arena(chunk_bytes);
    void* large = arena.allocate(10 * chunk_bytes, 128, 1);
    EXPECT_TRUE(aligned(large, 128));
    std::memset(large, 1, 10 * chunk_bytes);
    const std::size_t held = arena.bytes_held();
    EXPECT_GE(held, 10 * chunk_bytes);
    arena.retire_below(2);
    EXPECT_EQ(arena.allocate(9 * chunk_bytes, 128, 2), large);
    EXPECT_EQ(arena.bytes_held(), held);
}

TEST(RecordArena, allocates_nothing_from_the_system_after_warm_up) {
    RecordArena arena(chunk_bytes);
    std::mt19937_64 random(5);
    const std::uint64_t window = 64;
    std::size_t held_after_warm_up = 0;
    for (std::uint64_t number = 0; number < 100'000; ++number) {
        if (number > window) arena.retire_below(number - window);
        static_cast<void>(arena.allocate(16 + random() % 400, 8, number));
        if (number == 20'000) held_after_warm_up = arena.bytes_held();
    }
    // The window's records take 64 * 216 bytes on average and 64 * 416 at most.
    EXPECT_LE(arena.bytes_held(), held_after_warm_up + 2 * chunk_bytes);
    EXPECT_LE(arena.bytes_held(), 64 * 416 + 3 * chunk_bytes);
}

void expect_no_overlap(RecordArena& arena) {
    std::mt19937_64 random(11);
    struct Live {
        std::uint64_t number;
        unsigned char* begin;
        std::size_t bytes;
    };
    std::deque<Live> live;
    std::uint64_t number = 0;
    std::uint64_t retired = 0;
    for (int step = 0; step < 20'000; ++step) {
        number += random() % 3;
        const std::size_t bytes = random() % 50 == 0 ? 1 + random() % 20'000 : 1 + random() % 300;
        const std::size_t align = std::size_t{1} << (random() % 8);
        auto* begin = static_cast<unsigned char*>(arena.allocate(bytes, align, number));
        ASSERT_TRUE(aligned(begin, align));
        std::memset(begin, static_cast<int>(number % 251), bytes);
        live.push_back({number, begin, bytes});
        if (random() % 4 == 0) retired += random() % (number - retired + 1);
        while (!live.empty() && live.front().number < retired) {
            const Live& dead = live.front();
            for (std::size_t i = 0; i < dead.bytes; ++i) {
                ASSERT_EQ(dead.begin[i], dead.number % 251) << "record " << dead.number;
            }
            live.pop_front();
        }
        arena.retire_below(retired);
    }
}

TEST(RecordArena, records_of_random_sizes_never_overlap_while_they_live) {
    RecordArena arena(chunk_bytes);
    expect_no_overlap(arena);
}

TEST(RecordArena, prefetching_for_cross_thread_sharing_changes_no_bytes) {
    RecordArena arena(chunk_bytes, RecordArena::Sharing::cross_thread);
    expect_no_overlap(arena);
}

TEST(RecordArena, reserved_bytes_are_not_allocated_again_later) {
    RecordArena arena(chunk_bytes);
    arena.reserve(10 * chunk_bytes);
    const std::size_t held = arena.bytes_held();
    EXPECT_EQ(held, 10 * chunk_bytes);
    for (std::uint64_t number = 0; arena.bytes_allocated() < 8 * chunk_bytes; ++number)
        static_cast<void>(arena.allocate(100, 8, number));
    EXPECT_EQ(arena.bytes_held(), held);
    arena.reserve(chunk_bytes);
    EXPECT_EQ(arena.bytes_held(), held);
}

TEST(RecordArena, counts_allocated_bytes) {
    RecordArena arena(chunk_bytes);
    EXPECT_EQ(arena.bytes_allocated(), 0U);
    for (std::uint64_t number = 0; number < 1000; ++number) {
        static_cast<void>(arena.allocate(64, 8, number));
        EXPECT_EQ(arena.bytes_allocated(), 64 * (number + 1)) << "in the current chunk, too";
        if (number % 3 != 0) arena.retire_below(number + 1);
    }
}

TEST(RecordArena, free_chunks_can_be_returned_to_the_system) {
    RecordArena arena(chunk_bytes);
    for (std::uint64_t number = 0; number < 100; ++number) {
        static_cast<void>(arena.allocate(1024, 8, number));
    }
    arena.retire_below(100);
    EXPECT_GE(arena.bytes_held(), 25 * chunk_bytes);
    arena.release_free();
    EXPECT_LE(arena.bytes_held(), chunk_bytes) << "only the current chunk stays";
}

TEST(RecordArena, numbers_may_restart_after_all_records_have_retired) {
    RecordArena arena(chunk_bytes);
    for (std::uint64_t number = 900; number < 1000; ++number)
        static_cast<void>(arena.allocate(1024, 8, number));
    const std::size_t held = arena.bytes_held();
    arena.retire_all();
    for (std::uint64_t number = 1; number < 100; ++number)
        static_cast<void>(arena.allocate(1024, 8, number));
    EXPECT_EQ(arena.bytes_held(), held) << "chunks are used again";
    arena.retire_below(100);
}

#if defined(REFRAIN_ADDRESS_SANITIZER)
TEST(RecordArenaDeathTest, the_address_sanitizer_sees_a_record_used_after_it_has_retired) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    RecordArena arena(chunk_bytes);
    auto* record = arena.make<Record>(1, 1U, 1U);
    record->weight = 2;
    arena.retire_below(2);
    EXPECT_DEATH(record->weight = 3, "use-after-poison");
}
#endif

TEST(RecordArena, a_decreasing_number_is_an_internal_failure) {
    throw_on_internal_failure = true;
    RecordArena arena(chunk_bytes);
    static_cast<void>(arena.allocate(8, 8, 5));
    EXPECT_THROW(static_cast<void>(arena.allocate(8, 8, 4)), InternalError);
    throw_on_internal_failure = false;
}

}  // namespace
}  // namespace refrain::base::record_arena_test
