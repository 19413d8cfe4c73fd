#include <stdexcept>

#include "common/stopwatch.hpp"
#include "overhead/static_graph.hpp"
#include "overhead/static_graphs.hpp"

namespace overhead {
namespace {

int last_step_runs = 0;

bool run_empty(refrain::graph::Node&, std::uint32_t, std::uint32_t) noexcept {
    return true;
}
bool run_last(refrain::graph::Node&, std::uint32_t point, std::uint32_t) noexcept {
    if (point == 0) ++last_step_runs;
    return true;
}

}  // namespace

Cost refrain_static(const Config& config) {
    std::vector<EdgePattern::Pair> pairs;
    for (std::uint32_t target = 0; target < width; ++target)
        for (std::uint32_t source = target == 0 ? 0 : target - 1;
             source <= target + 1 && source < width; ++source)
            pairs.push_back({source, target});
    const EdgePattern stencil(width, width, pairs);
    TaskCost cost_of_step;
    StaticGraph graph;
    Node* before = nullptr;
    for (int step = 0; step < static_steps; ++step) {
        Node& node =
            graph.add(width, step == static_steps - 1 ? &run_each<run_last> : &run_each<run_empty>,
                      cost_of_step);
        if (before != nullptr) graph.depend(*before, node, stencil);
        before = &node;
    }
    Workers pool(workers);
    last_step_runs = 0;
    graph.run(pool);
    const Stopwatch watch;
    for (int i = 0; i < config.static_runs; ++i) graph.run(pool);
    const Cost cost = watch.per(double(config.static_runs) * static_steps * width);
    if (last_step_runs != config.static_runs + 1)
        throw std::runtime_error("the static graph lost tasks");
    return cost;
}

}  // namespace overhead
