// peer onetbb: package=libtbb-dev header=tbb/flow_graph.h flags=-ltbb

#include <memory>
#include <stdexcept>
#include <tbb/flow_graph.h>
#include <tbb/global_control.h>
#include <tbb/task_group.h>
#include <vector>

#include "graphs/system.hpp"

/// oneTBB: a flow graph that is built once and run repeatedly ("Dependence Flow Graph" in its
/// guide), and task groups with a wait after each step.

namespace graphs {
namespace {

/// One continue_node per task, one edge per predecessor.
class FlowGraph : public System {
  public:
    FlowGraph(const TaskGraph& graph, unsigned threads)
        : limit_(tbb::global_control::max_allowed_parallelism, threads),
          width_(graph.shape().width),
          rows_(width_) {
        nodes_.resize(static_cast<std::size_t>(graph.shape().steps * width_));
        for (int step = 0; step < graph.shape().steps; ++step) {
            const Columns active = graph.columns(step);
            for (int c = active.first; c < active.first + active.count; ++c) add(graph, step, c);
        }
    }

    void run(const Work& work) override {
        work_ = &work;
        start_.try_put(Message());
        flow_.wait_for_all();
    }

  private:
    using Message = tbb::flow::continue_msg;
    using Node = tbb::flow::continue_node<Message>;

    [[nodiscard]] std::unique_ptr<Node>& node(int step, int column) {
        return nodes_[static_cast<std::size_t>(step * width_ + column)];
    }
    void add(const TaskGraph& graph, int step, int column) {
        node(step, column) = std::make_unique<Node>(
            flow_, [this, step, column](const Message&) { execute(*work_, step, column, rows_); });
        const auto before = graph.predecessors(step, column);
        if (before.empty()) tbb::flow::make_edge(start_, *node(step, column));
        for (const Predecessor& p : before)
            tbb::flow::make_edge(*node(step - p.steps_back, p.column), *node(step, column));
    }

    tbb::global_control limit_;
    int width_;
    OutputRows rows_;
    tbb::flow::graph flow_;
    tbb::flow::broadcast_node<Message> start_{flow_};
    std::vector<std::unique_ptr<Node>> nodes_;
    const Work* work_ = nullptr;
};

/// One task group per step; the next step starts when all tasks have run.
class TaskGroups : public System {
  public:
    TaskGroups(const TaskGraph& graph, unsigned threads)
        : limit_(tbb::global_control::max_allowed_parallelism, threads),
          graph_(graph),
          rows_(graph.shape().width) {}
    ~TaskGroups() noexcept override {}  // run() has waited for group_

    void run(const Work& work) override {
        for (int step = 0; step < graph_.shape().steps; ++step) {
            const Columns active = graph_.columns(step);
            for (int c = active.first; c < active.first + active.count; ++c)
                group_.run([&work, this, step, c] { execute(work, step, c, rows_); });
            if (graph_.has_outputs()) group_.wait();
        }
        group_.wait();
    }

  private:
    tbb::global_control limit_;
    const TaskGraph& graph_;
    OutputRows rows_;
    tbb::task_group group_;
};

}  // namespace

std::vector<Way> ways() {
    return {{"flow_graph", "the whole graph by hand, before it runs", true},
            {"task_group", "which tasks run together, and a wait after them", true}};
}

std::unique_ptr<System> make_system(const std::string& way, const TaskGraph& graph,
                                    unsigned threads) {
    if (way == "flow_graph") return std::make_unique<FlowGraph>(graph, threads);
    if (way == "task_group") return std::make_unique<TaskGroups>(graph, threads);
    throw std::invalid_argument("oneTBB has the ways flow_graph and task_group, but not '" + way +
                                "'");
}

}  // namespace graphs
