#include "graphs/task_graph.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>

namespace graphs::task_graph_test {
namespace {

std::vector<int> list(std::span<const int> columns) {
    return {columns.begin(), columns.end()};
}
using Ints = std::vector<int>;

TEST(Pattern, names_map_back_to_patterns) {
    for (const Pattern pattern : all_patterns())
        EXPECT_EQ(pattern_named(name_of(pattern)), pattern);
    EXPECT_EQ(all_patterns().size(), 10U);
    EXPECT_FALSE(pattern_named("random"));
}

TEST(Pattern, dependences_equal_those_of_task_bench) {
    const auto of = [](Pattern pattern, int width, int set, int column, int radix = 5) {
        return dependences({pattern, width, 100, radix}, set, column);
    };
    EXPECT_EQ(of(Pattern::trivial, 8, 0, 3), Ints{});
    EXPECT_EQ(of(Pattern::no_comm, 8, 0, 3), Ints{3});
    EXPECT_EQ(of(Pattern::stencil_1d, 8, 0, 3), (Ints{2, 3, 4}));
    EXPECT_EQ(of(Pattern::stencil_1d, 8, 0, 0), (Ints{0, 1}));
    EXPECT_EQ(of(Pattern::stencil_1d_periodic, 8, 0, 0), (Ints{0, 1, 7}));
    EXPECT_EQ(of(Pattern::stencil_1d_periodic, 2, 0, 0), (Ints{0, 1}));
    EXPECT_EQ(of(Pattern::dom, 8, 0, 3), (Ints{2, 3}));
    EXPECT_EQ(of(Pattern::tree, 8, 0, 5), Ints{2});
    EXPECT_EQ(of(Pattern::fft, 8, 0, 5), (Ints{4, 5, 6}));
    EXPECT_EQ(of(Pattern::fft, 8, 2, 5), (Ints{1, 5}));
    EXPECT_EQ(of(Pattern::nearest, 8, 0, 3), (Ints{1, 2, 3, 4, 5}));
    EXPECT_EQ(of(Pattern::nearest, 8, 0, 3, 4), (Ints{1, 2, 3, 4}));
    EXPECT_EQ(of(Pattern::spread, 8, 0, 1, 4), (Ints{1, 3, 5, 7}));
    EXPECT_EQ(of(Pattern::spread, 8, 1, 1, 4), (Ints{0, 1, 4, 6}));
    EXPECT_EQ(of(Pattern::all_to_all, 3, 0, 1), (Ints{0, 1, 2}));
}

TEST(Pattern, fft_and_spread_alternate_between_their_sets) {
    EXPECT_EQ(dependence_sets({Pattern::fft, 8}), 3);
    EXPECT_EQ(dependence_set({Pattern::fft, 8}, 1), 0);
    EXPECT_EQ(dependence_set({Pattern::fft, 8}, 3), 2);
    EXPECT_EQ(dependence_sets({Pattern::fft, 1}), 1);
    EXPECT_EQ(dependence_sets({Pattern::spread, 16, 100, 5}), 3);
    EXPECT_EQ(dependence_sets({Pattern::spread, 2, 100, 5}), 1);
    EXPECT_EQ(dependence_set({Pattern::spread, 16, 100, 5}, 4), 1);
}

TEST(Pattern, dom_and_tree_grow_and_dom_shrinks_at_the_end) {
    const Shape dom{Pattern::dom, 4, 10};
    EXPECT_EQ(columns_of(dom, 0).count, 1);
    EXPECT_EQ(columns_of(dom, 2).count, 3);
    EXPECT_EQ(columns_of(dom, 5).count, 4);
    EXPECT_EQ(columns_of(dom, 9).first, 3);
    EXPECT_EQ(columns_of(dom, 9).count, 1);
    EXPECT_EQ(columns_of(dom, 10).count, 0);
    const Shape tree{Pattern::tree, 6, 10};
    EXPECT_EQ(columns_of(tree, 0).count, 1);
    EXPECT_EQ(columns_of(tree, 2).count, 4);
    EXPECT_EQ(columns_of(tree, 3).count, 6);
}

/// Calls `check` for every task of small graphs of every pattern.
template <class Check>
void for_many_shapes(Check&& check) {
    for (const Pattern pattern : all_patterns())
        for (const int width : {1, 2, 3, 4, 7, 8, 16})
            for (const int steps : {1, 2, 3, 9, 40})
                for (const int radix : {1, 4, 5}) check(Shape{pattern, width, steps, radix});
}

TEST(TaskGraph, tables_equal_the_definitions) {
    for_many_shapes([](const Shape& shape) {
        const TaskGraph graph(shape);
        std::int64_t tasks = 0;
        for (int step = 0; step < shape.steps; ++step) {
            const Columns active = graph.columns(step);
            tasks += active.count;
            for (int c = active.first; c < active.first + active.count; ++c) {
                SCOPED_TRACE(std::string(name_of(shape.pattern)) + " width " +
                             std::to_string(shape.width) + " step " + std::to_string(step) +
                             " column " + std::to_string(c));
                ASSERT_EQ(list(graph.inputs(step, c)), inputs_of(shape, step, c));
                const auto before = graph.predecessors(step, c);
                ASSERT_EQ(std::vector<Predecessor>(before.begin(), before.end()),
                          predecessors_of(shape, step, c));
            }
        }
        ASSERT_EQ(graph.task_count(), tasks);
    });
}

/// True if the predecessors order `from` before `to`; searches backwards.
bool is_after(const TaskGraph& graph, int step, int column, int from_step, int from_column) {
    if (step == from_step && column == from_column) return true;
    if (step <= from_step) return false;
    for (const Predecessor& p : graph.predecessors(step, column))
        if (is_after(graph, step - p.steps_back, p.column, from_step, from_column)) return true;
    return false;
}

bool contains(const Ints& columns, int column) {
    return std::find(columns.begin(), columns.end(), column) != columns.end();
}

TEST(TaskGraph, an_output_is_overwritten_after_its_writer_and_its_readers) {
    for (const Pattern pattern : all_patterns()) {
        if (pattern == Pattern::trivial) continue;
        SCOPED_TRACE(name_of(pattern));
        const TaskGraph graph({pattern, 6, 14});
        for (int step = 2; step < 14; ++step)
            for (int c = 0; c < 6; ++c) {
                if (!graph.columns(step).contains(c)) continue;
                const bool is_overwritten = graph.columns(step - 2).contains(c);
                EXPECT_TRUE(!is_overwritten || is_after(graph, step, c, step - 2, c));
                for (int reader = 0; reader < 6; ++reader) {
                    const bool reads = graph.columns(step - 1).contains(reader) &&
                                       contains(inputs_of(graph.shape(), step - 1, reader), c);
                    EXPECT_TRUE(!reads || is_after(graph, step, c, step - 1, reader));
                }
            }
    }
}

TEST(TaskGraph, it_repeats_with_its_period_between_its_ramps) {
    for_many_shapes([](const Shape& shape) {
        const TaskGraph graph(shape);
        for (int step = graph.first_steady_step(); step + graph.period() < graph.last_steady_step();
             ++step)
            for (int c = 0; c < shape.width; ++c)
                ASSERT_EQ(inputs_of(shape, step, c), inputs_of(shape, step + graph.period(), c));
        ASSERT_EQ(graph.period() % 2, 0);
    });
}

}  // namespace
}  // namespace graphs::task_graph_test
