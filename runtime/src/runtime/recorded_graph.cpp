#include "runtime/recorded_graph.hpp"

namespace refrain::runtime {

std::vector<Dependence> RecordedGraph::dependences() const {
    std::vector<Dependence> all;
    for (const Edge& edge : edges_)
        for (const auto& pair : edge.pairs)
            all.push_back({edge.source.value(), pair.source, edge.target.value(), pair.target,
                           edge.carries_data});
    return all;
}

}  // namespace refrain::runtime
