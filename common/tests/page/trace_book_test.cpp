#include "page/trace_book.hpp"

#include <gtest/gtest.h>

namespace refrain::page::trace_book_test {
namespace {

using Sources = std::vector<TraceBook::Source>;

void record(TraceBook& book, SiteId site, const Sources& sources = {}) {
    Served served;
    served.how = Served::How::recorded;
    served.reason = NotReplayed::recording;
    served.points = 4;
    book.operation(served, site, [&] { return std::span<const TraceBook::Source>(sources); });
}

void replay(TraceBook& book, SiteId site) {
    Served served;
    served.how = Served::How::replayed;
    book.operation(served, site, []() -> std::span<const TraceBook::Source> {
        ADD_FAILURE() << "a replayed operation is not listed";
        return {};
    });
}

TEST(TraceBook, lists_the_first_execution_and_counts_the_others) {
    TraceBook book;
    book.begin(7, true, 100);
    record(book, 0, {{3, true}});
    record(book, 1, {{1, false}, {9, true}});
    book.end();
    EXPECT_FALSE(book.is_open());
    for (int i = 0; i < 3; ++i) {
        book.begin(7, true, 200);
        replay(book, 0);
        replay(book, 1);
        book.end();
    }
    ASSERT_EQ(book.traces().size(), 1U);
    const TraceRecord& trace = book.traces()[0];
    EXPECT_EQ(trace.first_operation, 100U);
    EXPECT_EQ(trace.length, 2U);
    EXPECT_EQ(trace.executions, 4U);
    EXPECT_EQ(trace.replayed, 6U);
    EXPECT_TRUE(trace.operations[0].looks_beyond);
    EXPECT_TRUE(trace.operations[1].looks_beyond);
    ASSERT_EQ(trace.edges.size(), 1U);
    EXPECT_EQ(trace.edges[0].from, 0U);
    EXPECT_EQ(trace.edges[0].to, 1U);
}

TEST(TraceBook, has_one_edge_between_two_operations) {
    TraceBook book;
    book.begin(1, false, 1);
    record(book, 0);
    record(book, 0, {{1, false}, {1, true}, {1, false}});
    ASSERT_EQ(book.traces()[0].edges.size(), 1U);
    EXPECT_TRUE(book.traces()[0].edges[0].carries_data);
}

TEST(TraceBook, counts_traces_and_operations_beyond_its_bounds) {
    TraceBook book;
    for (std::uint64_t id = 1; id <= TraceBook::traces_max + 10; ++id) {
        book.begin(id, true, id);
        for (int i = 0; i < 200; ++i) record(book, 0);
        book.end();
        book.begin(id, true, id);
        replay(book, 0);
        book.end();
    }
    EXPECT_EQ(book.traces().size(), TraceBook::traces_max);
    EXPECT_EQ(book.other_count(), 10U);
    EXPECT_EQ(book.others().executions, 20U);
    EXPECT_EQ(book.others().replayed, 10U);
    std::size_t listed = 0;
    for (const TraceRecord& trace : book.traces()) {
        EXPECT_EQ(trace.length, 200U);
        listed += trace.operations.size();
    }
    EXPECT_EQ(listed, TraceBook::operations_max);
}

}  // namespace
}  // namespace refrain::page::trace_book_test
