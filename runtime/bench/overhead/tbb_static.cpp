#include <atomic>
#include <memory>
#include <stdexcept>
#include <tbb/flow_graph.h>
#include <tbb/global_control.h>
#include <vector>

#include "common/stopwatch.hpp"
#include "overhead/static_graphs.hpp"

namespace overhead {

std::optional<Cost> tbb_static(const Config& config) {
    using Node = tbb::flow::continue_node<tbb::flow::continue_msg>;
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, workers);
    tbb::flow::graph graph;
    tbb::flow::broadcast_node<tbb::flow::continue_msg> start(graph);
    std::vector<std::unique_ptr<Node>> nodes;
    const auto at = [&](int step, int column) -> Node& {
        return *nodes[static_cast<std::size_t>(step * width + column)];
    };
    int last_step_runs = 0;  // counted by a task of the last step
    for (int step = 0; step < static_steps; ++step)
        for (int column = 0; column < width; ++column) {
            const bool last = step == static_steps - 1 && column == 0;
            if (last)
                nodes.push_back(std::make_unique<Node>(
                    graph, [&](const tbb::flow::continue_msg&) { ++last_step_runs; }));
            else
                nodes.push_back(
                    std::make_unique<Node>(graph, [](const tbb::flow::continue_msg&) {}));
            if (step == 0) tbb::flow::make_edge(start, at(step, column));
            for (int from = column - 1; from <= column + 1; ++from)
                if (step > 0 && from >= 0 && from < width)
                    tbb::flow::make_edge(at(step - 1, from), at(step, column));
        }
    const auto run = [&] {
        start.try_put(tbb::flow::continue_msg());
        graph.wait_for_all();
    };
    run();
    const Stopwatch watch;
    for (int i = 0; i < config.static_runs; ++i) run();
    const Cost cost = watch.per(double(config.static_runs) * static_steps * width);
    if (last_step_runs != config.static_runs + 1) throw std::runtime_error("oneTBB lost tasks");
    return cost;
}

}  // namespace overhead
