#include "trace/template_store.hpp"

#include "base/assertion.hpp"

#include <gtest/gtest.h>

namespace refrain::trace::template_store_test {
namespace {

constexpr std::uint32_t window = 64;

/// A recording of `length` launches without requirements that cycle through the given tasks.
TraceTemplate recording(std::size_t length, const std::vector<unsigned>& tasks = {0}) {
    static const int names[16] = {};
    TraceTemplate made;
    for (std::size_t i = 0; i < length; ++i) {
        TraceTemplate::Operation operation;
        operation.task = &names[tasks[i % tasks.size()]];
        operation.point_count = 1;
        operation.interior = true;
        made.operations.push_back(operation);
    }
    made.operations.shrink_to_fit();
    return made;
}
std::size_t stored_bytes(std::size_t length) {
    return RecordedTrace(recording(length)).stored_bytes;
}
constexpr auto always = [](const TraceTemplate&) { return true; };

TEST(TemplateStore, finds_the_variant_recorded_or_used_last) {
    TemplateStore store({.bytes_max = 1 << 20, .variants_max = 4, .window = window});
    EXPECT_EQ(store.find(TraceId{1}, 1), nullptr);
    const auto* first = store.insert(TraceId{1}, recording(3, {0}), 1);
    const auto* second = store.insert(TraceId{1}, recording(3, {0, 1}), 1);
    EXPECT_EQ(store.find(TraceId{1}, 2), second);
    store.touch(TraceId{1}, *first);
    EXPECT_EQ(store.find(TraceId{1}, 2), first);
    EXPECT_EQ(store.find(TraceId{2}, 2), nullptr);
    EXPECT_EQ(store.variants(), 2U);
}

TEST(TemplateStore, finds_a_variant_by_its_prefix) {
    TemplateStore store({.bytes_max = 1 << 20, .variants_max = 4, .window = window});
    const auto* a = store.insert(TraceId{1}, recording(4, {0, 1, 2, 3}), 1);
    const auto* b = store.insert(TraceId{1}, recording(4, {0, 1, 2, 4}), 1);
    const auto* c = store.insert(TraceId{1}, recording(2, {0, 1}), 1);
    EXPECT_EQ(store.find_variant(TraceId{1}, *a, 3, always), b);
    EXPECT_EQ(store.find_variant(TraceId{1}, *a, 2, [](const auto& v) { return v.length() == 2; }),
              c);
    EXPECT_EQ(store.find_variant(TraceId{1}, *a, 4, always), nullptr);
    EXPECT_EQ(store.find_variant(TraceId{1}, *a, 3, [](const auto&) { return false; }), nullptr);
    EXPECT_EQ(store.find_variant(TraceId{2}, *a, 0, always), nullptr);
}

TEST(TemplateStore, evicts_the_least_recently_used_variant_beyond_variants_max) {
    TemplateStore store({.bytes_max = 1 << 20, .variants_max = 2, .window = window});
    const auto* a = store.insert(TraceId{1}, recording(2, {1}), 1);
    (void)store.insert(TraceId{1}, recording(2, {2}), 1);
    store.touch(TraceId{1}, *a);
    const auto* c = store.insert(TraceId{1}, recording(2, {3}), 1);
    EXPECT_EQ(store.variants(), 2U);
    EXPECT_EQ(store.evictions(), 1U);
    EXPECT_EQ(store.find(TraceId{1}, 2), c);
    EXPECT_EQ(store.find_variant(TraceId{1}, *c, 0, always), a);
}

TEST(TemplateStore, evicts_the_least_recently_used_trace_beyond_its_budget) {
    TemplateStore store({.bytes_max = 3 * stored_bytes(10), .variants_max = 4, .window = window});
    for (const TraceId trace : {TraceId{1}, TraceId{2}, TraceId{3}})
        (void)store.insert(trace, recording(10), 1);
    EXPECT_EQ(store.traces(), 3U);
    (void)store.find(TraceId{1}, 2);
    EXPECT_NE(store.insert(TraceId{4}, recording(10), 2), nullptr);
    EXPECT_EQ(store.find(TraceId{2}, 3), nullptr);
    for (const TraceId trace : {TraceId{1}, TraceId{3}, TraceId{4}})
        EXPECT_NE(store.find(trace, 3), nullptr);
    EXPECT_EQ(store.evictions(), 1U);
}

TEST(TemplateStore, stays_within_its_budget) {
    const std::size_t most = 5 * stored_bytes(10);
    TemplateStore store({.bytes_max = most, .variants_max = 3, .window = window});
    std::uint32_t state = 1;
    for (OperationNumber now = 1; now < 3000; ++now) {
        state = state * 1664525 + 1013904223;
        (void)store.insert(TraceId{state >> 28},
                           recording(1 + (state >> 10) % 30, {now % 8 == 0 ? 1U : 0U}), now);
        ASSERT_LE(store.bytes(), most);
        ASSERT_LE(store.variants(), 3 * store.traces());
    }
    EXPECT_GT(store.evictions(), 1000U);
}

TEST(TemplateStore, a_trace_larger_than_the_budget_is_not_kept_and_evicts_nothing) {
    TemplateStore store({.bytes_max = stored_bytes(10), .variants_max = 4, .window = window});
    const auto* kept = store.insert(TraceId{1}, recording(10), 1);
    EXPECT_EQ(store.insert(TraceId{1}, recording(1000), 1), nullptr);
    EXPECT_EQ(store.insert(TraceId{2}, recording(1000), 1), nullptr);
    EXPECT_EQ(store.find(TraceId{1}, 2), kept);
    EXPECT_EQ(store.evictions(), 0U);
}

TEST(TemplateStore, an_evicted_template_stays_readable_for_a_window) {
    TemplateStore store({.bytes_max = 1 << 20, .variants_max = 1, .window = window});
    const auto* gone = store.insert(TraceId{1}, recording(5, {3}), 10);
    (void)store.insert(TraceId{1}, recording(5, {4}), 100);
    for (OperationNumber now = 100; now <= OperationNumber{100} + window; ++now) {
        (void)store.find(TraceId{1}, now);
        ASSERT_EQ(gone->length(), 5U);
        ASSERT_EQ(TraceTemplate::common_prefix(*gone, recording(5, {3})), 5U);
    }
    store.forget(TraceId{1}, 200);
    EXPECT_EQ(store.traces(), 0U);
    EXPECT_EQ(store.bytes(), 0U);
}

TEST(TemplateStore, variants_max_of_0_fails_an_assertion) {
    base::throw_on_internal_failure = true;
    EXPECT_THROW(TemplateStore({.bytes_max = 1 << 20, .variants_max = 0, .window = window}),
                 base::InternalError);
    base::throw_on_internal_failure = false;
}

}  // namespace
}  // namespace refrain::trace::template_store_test
