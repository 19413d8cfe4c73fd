#include "overhead/static_graph.hpp"

#include "graph/launch_program.hpp"

#include <atomic>
#include <deque>
#include <gtest/gtest.h>
#include <memory>

namespace overhead::static_graph_test {
namespace {

using namespace refrain::graph::testing;

/// A program built as a static graph whose points count their runs, after a look at the counts of
/// the points they wait for. Plain memory: the graph alone orders who writes and who reads.
class CountingGraph {
  public:
    explicit CountingGraph(const Program& program) {
        for (const Launch& launch : program) add(launch);
    }

    void add(const Launch& launch) {
        const std::size_t index = launches_.size();
        launches_.push_back(launch);
        counts_.emplace_back(launch.points, runs_);  // as if it had been there from the beginning
        names_.push_back(std::make_unique<Name>(*this, index));
        Node& node = graph_.add(launch.points, run_each<run_point>, *names_.back());
        node.skip = skip_point;
        nodes_.push_back(&node);
        for (const Dependence& dependence : launch.waits_for) {
            patterns_.push_back(std::make_unique<EdgePattern>(launches_[dependence.launch].points,
                                                              launch.points, dependence.pairs));
            graph_.depend(*nodes_[dependence.launch], node, *patterns_.back());
        }
    }
    const void* run(Workers& workers) {
        ++runs_;
        return graph_.run(workers);
    }
    [[nodiscard]] std::vector<std::vector<unsigned>> counts() const { return counts_; }
    [[nodiscard]] bool in_order() const { return in_order_; }
    [[nodiscard]] unsigned skips() const { return skips_.load(); }
    void throw_in_run(unsigned run) { throwing_run_ = run; }

  private:
    /// A node knows its kind of task by the task's cost: here, one of its own.
    struct Name : TaskCost {
        Name(CountingGraph& of, std::size_t at) : graph(of), index(at) {}
        CountingGraph& graph;
        std::size_t index;
    };
    static Name& name_of(Node& node) { return static_cast<Name&>(*node.cost); }

    bool count(Node& node, std::size_t index, std::uint32_t point) {
        for (const Dependence& dependence : launches_[index].waits_for)
            for (const Pair& pair : dependence.pairs)
                if (pair.target == point && counts_[dependence.launch][pair.source] != runs_)
                    in_order_ = false;
        if (counts_[index][point] + 1 != runs_) in_order_ = false;
        counts_[index][point] = runs_;
        if (runs_ != throwing_run_ || launches_[index].throws.empty() ||
            !launches_[index].throws[point])
            return true;
        node.bundles[0].cause.store(&launches_[index], std::memory_order_release);
        return false;
    }
    static bool run_point(Node& node, std::uint32_t point, std::uint32_t) noexcept {
        return name_of(node).graph.count(node, name_of(node).index, point);
    }
    static bool skip_point(Node& node, std::uint32_t point, std::uint32_t) noexcept {
        CountingGraph& graph = name_of(node).graph;
        graph.skips_.fetch_add(1);
        graph.counts_[name_of(node).index][point] = graph.runs_;
        return false;
    }

    std::deque<Launch> launches_;
    std::vector<Node*> nodes_;
    std::vector<std::unique_ptr<Name>> names_;
    std::vector<std::unique_ptr<EdgePattern>> patterns_;
    std::vector<std::vector<unsigned>> counts_;
    StaticGraph graph_;
    unsigned runs_ = 0;
    unsigned throwing_run_ = 0;
    std::atomic<unsigned> skips_{0};
    std::atomic<bool> in_order_{true};
};

void expect_all_to_have_run(const CountingGraph& graph, unsigned times) {
    EXPECT_TRUE(graph.in_order());
    for (const auto& launch : graph.counts())
        for (const unsigned count : launch) ASSERT_EQ(count, times);
}

class StaticGraphOn : public ::testing::TestWithParam<unsigned> {};

TEST_P(StaticGraphOn, run_again_and_again_every_point_runs_once_per_run_and_in_order) {
    Workers workers(GetParam());
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        Random random(seed);
        CountingGraph graph(random_program(random, 30, 24, 0));
        for (unsigned run = 1; run <= 50; ++run) {
            EXPECT_EQ(graph.run(workers), nullptr);
            expect_all_to_have_run(graph, run);
        }
    }
}

TEST_P(StaticGraphOn, a_stencil_runs_thousands_of_times) {
    Workers workers(GetParam());
    Program program{{4, {}, {}}};
    while (program.size() < 10)
        program.push_back({4, {{program.size() - 1, neighbours(4, 4)}}, {}});
    CountingGraph graph(program);
    for (unsigned run = 1; run <= 5000; ++run) graph.run(workers);
    expect_all_to_have_run(graph, 5000);
}

TEST_P(StaticGraphOn, a_node_that_finishes_after_its_successors_is_waited_for) {
    // Many small fans: who finishes a source may still be at it when the sinks have run. Were the
    // next run to start then, it would count down a source that is not armed yet, or run it twice.
    Workers workers(GetParam());
    Program program;
    for (std::size_t fan = 0; fan < 8; ++fan) {
        program.push_back({2, {}, {}});
        program.push_back({8, {{2 * fan, all_to_all(2, 8)}}, {}});
    }
    CountingGraph graph(program);
    for (unsigned run = 1; run <= 3000; ++run) graph.run(workers);
    expect_all_to_have_run(graph, 3000);
}

TEST_P(StaticGraphOn, a_failure_is_told_of_once_and_the_next_run_is_whole) {
    Workers workers(GetParam());
    for (const std::uint32_t points : {4U, 20U}) {
        Program program = {{points, {}, std::vector<bool>(points)},
                           {points, {{0, each_to_its_own(points)}}, {}},
                           {2, {{1, all_to_all(points, 2)}}, {}}};
        program[0].throws[1] = true;
        CountingGraph graph(program);
        graph.throw_in_run(2);
        EXPECT_EQ(graph.run(workers), nullptr);
        EXPECT_NE(graph.run(workers), nullptr);
        EXPECT_EQ(graph.skips(), 3U) << "its own successor and the two that wait for all";
        EXPECT_EQ(graph.run(workers), nullptr);
        EXPECT_EQ(graph.skips(), 3U);
        expect_all_to_have_run(graph, 3);
    }
}

TEST_P(StaticGraphOn, a_graph_may_grow_between_runs) {
    Workers workers(GetParam());
    CountingGraph graph(Program{{3, {}, {}}});
    graph.run(workers);
    graph.add({10, {{0, neighbours(3, 10)}}, {}});
    graph.run(workers);
    graph.add({2, {{1, all_to_all(10, 2)}, {0, all_to_all(3, 2)}}, {}});
    graph.run(workers);
    graph.run(workers);
    expect_all_to_have_run(graph, 4);
}

INSTANTIATE_TEST_SUITE_P(Workers, StaticGraphOn, ::testing::Values(1U, 2U, 4U),
                         [](const auto& workers) {
                             return std::to_string(workers.param) +
                                    (workers.param == 1 ? "_worker" : "_workers");
                         });

TEST(StaticGraph, without_nodes_runs_at_once) {
    Workers workers(1);
    EXPECT_EQ(StaticGraph().run(workers), nullptr);
}

}  // namespace
}  // namespace overhead::static_graph_test
