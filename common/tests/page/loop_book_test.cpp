#include "page/loop_book.hpp"

#include <gtest/gtest.h>

namespace refrain::page::loop_book_test {
namespace {

using Sources = std::vector<WaitsFor>;

void serve(LoopBook& book, std::uint64_t distance, std::uint64_t number, SiteId site,
           const Sources& sources = {}) {
    book.operation(distance, number, 4, site, [&] { return std::span<const WaitsFor>(sources); });
}

std::vector<SiteId> sites(const LoopRecord& loop) {
    std::vector<SiteId> sites;
    for (const Fragment::Operation& operation : loop.operations) sites.push_back(operation.site);
    return sites;
}

TEST(LoopBook, lists_one_iteration_and_counts_the_others) {
    LoopBook book;
    for (std::uint64_t i = 0; i < 9; ++i)
        serve(book, 3, 10 + i, static_cast<SiteId>(i % 3), {{1, true}, {2, false}});
    ASSERT_EQ(book.loops().size(), 1U);
    const LoopRecord& loop = book.loops()[0];
    EXPECT_EQ(loop.distance, 3U);
    EXPECT_EQ(loop.served, 9U);
    EXPECT_EQ(loop.first_operation, 10U);
    EXPECT_EQ(loop.last_operation, 18U);
    EXPECT_EQ(sites(loop), (std::vector<SiteId>{0, 1, 2}));
    EXPECT_TRUE(loop.has_whole_iteration());
    EXPECT_TRUE(loop.operations[1].looks_beyond) << "two operations back is before the iteration";
    EXPECT_FALSE(loop.operations[2].looks_beyond);
    ASSERT_EQ(loop.edges.size(), 3U);
    EXPECT_EQ(loop.edges[2].from, 0U);
    EXPECT_EQ(loop.edges[2].to, 2U);
}

TEST(LoopBook, counts_operations_together_once_an_iteration_is_listed) {
    LoopBook book;
    EXPECT_FALSE(book.has_listed(3));
    for (std::uint64_t i = 0; i < 4; ++i) {
        EXPECT_EQ(book.has_listed(3), i == 3) << i;
        serve(book, 3, 10 + i, static_cast<SiteId>(i % 3));
    }
    EXPECT_FALSE(book.has_listed(4)) << "another loop";
    book.passed(0);
    book.passed(100);
    serve(book, 3, 114, 2);
    const LoopRecord& loop = book.loops()[0];
    EXPECT_EQ(loop.served, 105U);
    EXPECT_EQ(loop.last_operation, 114U);
    EXPECT_EQ(sites(loop), (std::vector<SiteId>{0, 1, 2})) << "the run was not interrupted";
}

TEST(LoopBook, lists_an_interrupted_iteration_again) {
    LoopBook book;
    serve(book, 3, 1, 7);
    serve(book, 3, 2, 8);
    serve(book, 5, 3, 9);  // another loop
    serve(book, 3, 4, 0);
    serve(book, 3, 5, 1);
    serve(book, 3, 7, 2);  // an operation that was not served lies between
    EXPECT_FALSE(book.loops()[0].has_whole_iteration());
    EXPECT_EQ(sites(book.loops()[0]), (std::vector<SiteId>{2}));
    serve(book, 3, 8, 3);
    serve(book, 3, 9, 4);
    serve(book, 5, 10, 9);
    serve(book, 3, 11, 5);
    EXPECT_EQ(sites(book.loops()[0]), (std::vector<SiteId>{2, 3, 4}))
        << "a whole iteration is kept";
    EXPECT_EQ(book.loops()[0].served, 8U);
    EXPECT_EQ(book.loops()[1].served, 2U);
}

TEST(LoopBook, keeps_the_loops_that_served_most_and_counts_the_others) {
    LoopBook book;
    std::uint64_t number = 0;
    for (int i = 0; i < 100; ++i) serve(book, 50, ++number, 0);
    for (std::uint64_t distance = 1000; distance < 1000 + 5 * LoopBook::loops_max; ++distance)
        for (int i = 0; i < 40; ++i) serve(book, distance, ++number, 1);
    std::uint64_t served = book.others_served();
    std::size_t listed = 0;
    bool keeps_the_first = false;
    for (const LoopRecord& loop : book.loops()) {
        served += loop.served;
        listed += loop.operations.size();
        keeps_the_first |= loop.distance == 50 && loop.served == 100;
    }
    EXPECT_EQ(served, number);
    EXPECT_TRUE(keeps_the_first);
    EXPECT_LE(book.loops().size(), LoopBook::loops_max);
    EXPECT_EQ(book.loops().size() + book.other_count(), 5 * LoopBook::loops_max + 1);
    EXPECT_LE(listed, LoopBook::operations_max);
    EXPECT_EQ(listed, 50 + 40 * (book.loops().size() - 1)) << "dropped loops return their room";
}

TEST(LoopBook, lists_at_most_operations_max_operations) {
    LoopBook book;
    std::uint64_t number = 0;
    for (std::uint64_t distance : {100'000U, 60'000U})
        for (std::uint64_t i = 0; i < distance; ++i) serve(book, distance, ++number, 1);
    EXPECT_EQ(book.loops()[0].operations.size(), 100'000U);
    EXPECT_EQ(book.loops()[1].operations.size(), LoopBook::operations_max - 100'000);
    EXPECT_TRUE(book.loops()[1].has_whole_iteration()) << "its length is still known";
}

}  // namespace
}  // namespace refrain::page::loop_book_test
