#include "base/pages.hpp"

#include "base/gradual_vector.hpp"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace refrain::base::pages_test {
namespace {

constexpr std::size_t step = PagesAhead::step_bytes;

std::uintptr_t first_page_in(const void* begin) {
    return (reinterpret_cast<std::uintptr_t>(begin) + page_bytes - 1) / page_bytes * page_bytes;
}
/// How many pages lie in the range as a whole.
std::size_t pages_in(const void* begin, std::size_t bytes) {
    return (reinterpret_cast<std::uintptr_t>(begin) + bytes - first_page_in(begin)) / page_bytes;
}
/// How many of them the system has given.
std::size_t pages_given(const void* begin, std::size_t bytes) {
    std::vector<unsigned char> pages(pages_in(begin, bytes));
    EXPECT_EQ(mincore(reinterpret_cast<void*>(first_page_in(begin)), pages.size() * page_bytes,
                      pages.data()),
              0);
    return static_cast<std::size_t>(
        std::count_if(pages.begin(), pages.end(), [](unsigned char page) { return page & 1; }));
}

/// Whether the system gives pages before they are used.
bool gives_pages() {
    const ZeroPages pages(step);
    static_cast<void>(fetch_pages(pages.begin(), pages.bytes()));
    return pages_given(pages.begin(), pages.bytes()) == step / page_bytes;
}

class Pages : public ::testing::Test {
  protected:
    void SetUp() override {
        if (!gives_pages()) GTEST_SKIP() << "the system gives pages when they are used";
    }
};

TEST_F(Pages, memory_that_is_there_stays_as_it_is) {
    ZeroPages pages(step);
    pages.begin()[5000] = std::byte{7};
    EXPECT_TRUE(fetch_pages(pages.begin() + 100, step - 200));
    EXPECT_EQ(pages.begin()[5000], std::byte{7});
    EXPECT_EQ(pages.begin()[5001], std::byte{0});
}

TEST_F(Pages, a_range_beyond_all_memory_is_told) {
    ZeroPages pages(2 * step);
    pages.give_back(step);
    EXPECT_FALSE(fetch_pages(pages.begin(), 2 * step));
}

TEST_F(Pages, come_a_step_ahead_of_who_writes_from_front_to_back) {
    const ZeroPages pages(4 * step);
    PagesAhead ahead;
    constexpr std::size_t block = 240, distance = 256;
    for (std::size_t at = 0; at + block <= 3 * step; at += distance) {
        ahead.reach(pages.begin() + at, block);
        EXPECT_EQ(pages_given(pages.begin(), at + block), (at + block) / page_bytes);
        EXPECT_LE(pages_given(pages.begin(), 4 * step), (at + block + step) / page_bytes + 1);
    }
}

TEST_F(Pages, of_blocks_that_do_not_follow_one_another_come_once_in_a_step) {
    const ZeroPages pages(64 * step);
    PagesAhead ahead;
    for (std::size_t i = 0; i < 32; ++i) ahead.reach(pages.begin() + 2 * i * step, page_bytes);
    EXPECT_LE(pages_given(pages.begin(), 64 * step), 3 * (step / page_bytes + 1));
}

TEST_F(Pages, a_growing_vector_has_those_of_the_part_that_it_fills) {
    GradualVector<std::uint64_t> vector;
    vector.grow_to((std::size_t{1} << 20) + 1);  // the last block begins with the last element
    EXPECT_EQ(pages_given(&vector.back(), step), pages_in(&vector.back(), step));
    EXPECT_EQ(pages_given(&vector.back() + 2 * step / sizeof(std::uint64_t), step), 0U);
}

}  // namespace
}  // namespace refrain::base::pages_test
