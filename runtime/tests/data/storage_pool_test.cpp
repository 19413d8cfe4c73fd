#include "data/storage_pool.hpp"

#include "base/poison.hpp"
#include "data/error_text.hpp"
#include "interleaving/interleaving.hpp"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <thread>
#include <vector>

namespace refrain::data::storage_pool_test {
namespace {

std::atomic<std::size_t> system_bytes{0};
std::atomic<std::size_t> system_bytes_max{SIZE_MAX};

/// A system with as much memory as a test gives it.
SystemMemory small_system() {
    return {[](std::size_t alignment, std::size_t bytes) noexcept -> void* {
                if (system_bytes + bytes > system_bytes_max) return nullptr;
                system_bytes += bytes;
                return std::aligned_alloc(alignment, bytes);
            },
            [](void* block, std::size_t bytes) noexcept {
                system_bytes -= bytes;
                std::free(block);
            }};
}

class SmallSystem : public ::testing::Test {
  protected:
    SmallSystem() { system_bytes = 0; }
    ~SmallSystem() override {
        EXPECT_EQ(system_bytes, 0U) << "every block is freed";
        system_bytes_max = SIZE_MAX;
    }
};

TEST(StoragePool, blocks_are_aligned_and_waste_less_than_a_quarter) {
    StoragePool pool;
    for (std::size_t bytes = 0; bytes < 5000; bytes += 7) {
        const std::size_t rounded = StoragePool::block_bytes(bytes);
        ASSERT_GE(rounded, bytes);
        ASSERT_EQ(rounded % StoragePool::alignment, 0U);
        if (bytes > 192) {
            ASSERT_LT((rounded - bytes) * 4, rounded) << bytes;
        }
        void* const block = pool.allocate(bytes);
        ASSERT_EQ(reinterpret_cast<std::uintptr_t>(block) % StoragePool::alignment, 0U);
        std::memset(block, 0xAB, rounded);
        pool.release(block, bytes);
    }
    for (std::size_t bytes = 193; bytes < std::size_t{1} << 61; bytes += bytes / 3) {
        const std::size_t rounded = StoragePool::block_bytes(bytes);
        ASSERT_GE(rounded, bytes);
        ASSERT_LT(rounded - bytes, rounded / 4 + 1) << bytes;
        ASSERT_EQ(StoragePool::block_bytes(rounded), rounded)
            << "a block size is its own size class";
        ASSERT_GT(StoragePool::block_bytes(rounded + 1), rounded);
    }
}

TEST(StoragePool, returns_the_block_released_last) {
    StoragePool pool;
    void* const first = pool.allocate(1000);
    void* const second = pool.allocate(1000);
    EXPECT_NE(first, second);
    pool.release(first, 1000);
    pool.release(second, 1000);
    EXPECT_EQ(pool.allocate(1020), second);
    EXPECT_EQ(pool.allocate(900), first);
    pool.release(first, 900);
    pool.release(second, 1020);
}

TEST(StoragePool, reuses_without_asking_the_system) {
    StoragePool pool;
    for (int i = 0; i < 1000; ++i) {
        void* const a = pool.allocate(800);
        void* const b = pool.allocate(100'000);
        pool.release(a, 800);
        pool.release(b, 100'000);
    }
    EXPECT_EQ(pool.system_allocations(), 2U);
}

TEST(StoragePool, counts_bytes_in_use_held_and_at_peak) {
    StoragePool pool;
    void* const a = pool.allocate(64);
    void* const b = pool.allocate(128);
    EXPECT_EQ(pool.bytes_in_use(), 192U);
    pool.release(a, 64);
    EXPECT_EQ(pool.bytes_in_use(), 128U);
    EXPECT_EQ(pool.bytes_held(), 64U);
    pool.release(b, 128);
    EXPECT_EQ(pool.bytes_peak(), 192U);
    pool.trim();
    EXPECT_EQ(pool.bytes_held(), 0U);
    pool.release(nullptr, 5);
    EXPECT_EQ(pool.bytes_in_use(), 0U);
}

TEST_F(SmallSystem, held_blocks_never_exceed_the_previous_peak) {
    StoragePool pool({.system = small_system()});
    std::mt19937_64 random(4);
    std::vector<std::pair<void*, std::size_t>> blocks;
    for (int i = 0; i < 5000; ++i) {
        if (blocks.size() > 20 || (!blocks.empty() && random() % 2)) {
            const std::size_t at = random() % blocks.size();
            std::swap(blocks[at], blocks.back());
            pool.release(blocks.back().first, blocks.back().second);
            blocks.pop_back();
        } else {
            const std::size_t bytes = std::size_t{1} << random() % 18;
            blocks.emplace_back(pool.allocate(bytes), bytes);
        }
        ASSERT_LE(pool.bytes_in_use() + pool.bytes_held(), pool.bytes_peak());
        ASSERT_EQ(pool.bytes_in_use() + pool.bytes_held(), system_bytes);
    }
    for (const auto& [block, bytes] : blocks) pool.release(block, bytes);
}

TEST_F(SmallSystem, sizes_no_longer_requested_are_freed_first) {
    StoragePool pool({.system = small_system()});
    void* const old = pool.allocate(1024);
    void* const young = pool.allocate(2048);
    pool.release(old, 1024);
    pool.release(young, 2048);
    void* const other = pool.allocate(768);  // 3072 are held, the most that was ever in use
    EXPECT_EQ(pool.bytes_held(), 2048U);
    EXPECT_EQ(pool.allocate(2048), young);
    pool.release(young, 2048);
    pool.release(other, 768);
}

TEST_F(SmallSystem, holds_no_more_than_its_budget) {
    StoragePool pool({.held_bytes_max = 2048, .system = small_system()});
    void* const a = pool.allocate(1024);
    void* const b = pool.allocate(1024);
    void* const c = pool.allocate(4096);
    pool.release(a, 1024);
    pool.release(b, 1024);
    EXPECT_EQ(pool.bytes_held(), 2048U);
    pool.release(c, 4096);
    EXPECT_EQ(pool.bytes_held(), 0U)
        << "the oldest are freed first, and the new one exceeds the budget";
}

TEST_F(SmallSystem, an_error_beyond_the_limit_names_the_bytes_in_use_and_changes_nothing) {
    StoragePool pool({.limit_bytes = 4096, .system = small_system()});
    void* const a = pool.allocate(3000);
    expect_phrases(error_text<OutOfMemory>([&] { (void)pool.allocate(2000); }),
                   "no memory for a block of 2000 bytes", "3072 of at most 4096 bytes are in use",
                   "raise the limit");
    EXPECT_EQ(pool.bytes_in_use(), 3072U);
    EXPECT_EQ(pool.bytes_peak(), 3072U);
    void* const b = pool.allocate(1024);
    pool.release(a, 3000);
    pool.release(b, 1024);
}

TEST_F(SmallSystem, held_blocks_are_freed_before_the_system_counts_as_out_of_memory) {
    StoragePool pool({.system = small_system()});
    void* const large = pool.allocate(5120);
    void* const small = pool.allocate(1024);
    pool.release(large, 5120);
    pool.release(small, 1024);
    system_bytes_max = 5000;
    void* const fits = pool.allocate(4096);  // not beside the 1024 bytes that the pool may keep
    EXPECT_EQ(pool.bytes_held(), 0U);
    expect_phrases(error_text<OutOfMemory>([&] { (void)pool.allocate(3000); }),
                   "no memory for a block of 3000 bytes", "the system has no more",
                   "4096 bytes in use");
    EXPECT_EQ(pool.bytes_in_use(), 4096U);
    EXPECT_EQ(pool.bytes_peak(), 4096U) << "a refused request does not count";
    pool.release(fits, 4096);
}

TEST(StoragePool, refuses_sizes_that_no_machine_has) {
    StoragePool pool;
    EXPECT_THROW((void)pool.allocate(SIZE_MAX), OutOfMemory);
    EXPECT_THROW((void)pool.allocate((std::size_t{1} << 62) + 1), OutOfMemory);
    EXPECT_EQ(pool.bytes_in_use(), 0U);
}

TEST(StoragePool, out_of_memory_can_be_attributed_to_a_region) {
    const OutOfMemory refusal("", 800, "the system has no more");
    EXPECT_STREQ(refusal.of_region("region4 'y'").what(),
                 "no memory for region4 'y' of 800 bytes: the system has no more");
}

#if defined(REFRAIN_ADDRESS_SANITIZER)
TEST(StoragePool, held_blocks_are_poisoned) {
    StoragePool pool;
    auto* const block = static_cast<char*>(pool.allocate(1000));
    EXPECT_FALSE(__asan_address_is_poisoned(block + 900));
    pool.release(block, 1000);
    EXPECT_TRUE(__asan_address_is_poisoned(block + 900));
    EXPECT_EQ(pool.allocate(1000), block);
    EXPECT_FALSE(__asan_address_is_poisoned(block + 900));
    pool.release(block, 1000);
}
#endif

/// Three threads request a block each; the system has memory for two.
TEST_F(SmallSystem, every_interleaving_serves_or_refuses_each_request_and_keeps_count) {
    if (!interleaving::library_is_stepped) GTEST_SKIP() << "needs the preset interleaving";
    std::unique_ptr<StoragePool> pool;
    int served = 0;
    std::set<void*> in_use;
    bool distinct = true;
    const auto user = [&] {
        try {
            void* const block = pool->allocate(1000);
            distinct = distinct && in_use.insert(block).second;
            base::Scheduler::step();
            in_use.erase(block);
            pool->release(block, 1000);
            ++served;
        } catch (const OutOfMemory&) {
        }
    };
    system_bytes_max = 2048;
    const interleaving::Report report = interleaving::explore(
        {.first = 0, .count = 2000},
        [&] {
            pool.reset();
            pool = std::make_unique<StoragePool>(StoragePoolOptions{.system = small_system()});
            served = 0;
            return interleaving::Bodies{user, user, user, [&] { pool->trim(); }};
        },
        [&] {
            return distinct && served >= 2 && pool->bytes_in_use() == 0 &&
                   pool->bytes_held() == system_bytes && pool->bytes_held() <= pool->bytes_peak();
        });
    EXPECT_TRUE(report.passed()) << report;
    pool.reset();
}

/// Passes blocks from the thread that fills them to the one that checks and releases them.
class Mailbox {
  public:
    struct Block {
        unsigned char* bytes;
        std::size_t size;
        unsigned char mark;
    };
    void put(const Block& block) {
        const std::lock_guard lock(mutex_);
        blocks_.push_back(block);
    }
    bool take(Block& block) {
        const std::lock_guard lock(mutex_);
        if (blocks_.empty()) return false;
        block = blocks_.back();
        blocks_.pop_back();
        return true;
    }

  private:
    std::mutex mutex_;
    std::vector<Block> blocks_;
};

void release_checked(StoragePool& pool, const Mailbox::Block& block, std::atomic<int>& damaged) {
    for (std::size_t i = 0; i < block.size; ++i) damaged += block.bytes[i] != block.mark;
    pool.release(block.bytes, block.size);
}

TEST(StoragePool, no_two_threads_ever_have_the_same_block) {
    StoragePool pool;
    Mailbox mailbox;
    std::atomic<int> damaged{0};
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < 4; ++t) {
        threads.emplace_back([&, t] {
            std::mt19937 random(t);
            for (int i = 0; i < 5000; ++i) {
                const std::size_t size = 1 + random() % 700;
                const auto mark = static_cast<unsigned char>(random());
                auto* const bytes = static_cast<unsigned char*>(pool.allocate(size));
                std::memset(bytes, mark, size);
                mailbox.put({bytes, size, mark});
                Mailbox::Block block;
                if (random() % 3 != 0 && mailbox.take(block)) {
                    release_checked(pool, block, damaged);
                }
                if (i % 1000 == 0) pool.trim();
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    Mailbox::Block block;
    while (mailbox.take(block)) release_checked(pool, block, damaged);
    EXPECT_EQ(damaged, 0);
    EXPECT_EQ(pool.bytes_in_use(), 0U);
    EXPECT_LE(pool.bytes_held(), pool.bytes_peak());
}

}  // namespace
}  // namespace refrain::data::storage_pool_test
