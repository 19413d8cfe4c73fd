#include "page/fragment.hpp"

namespace refrain::page {

void Fragment::append(SiteId site, std::uint32_t points, Listed listed, FragmentRoom& room) {
    const auto position = static_cast<std::uint32_t>(length++);
    if (room.operations == 0) return;
    --room.operations;
    Operation operation{site, points, false, std::move(listed.tile)};
    for (const WaitsFor& source : listed.sources) {
        if (source.distance > position) {
            operation.looks_beyond = true;
        } else {
            add_edge({position - static_cast<std::uint32_t>(source.distance), position,
                      source.carries_data},
                     room);
        }
    }
    operations.push_back(std::move(operation));
}

/// If there are several reasons to wait, the edge shows data flow.
void Fragment::add_edge(const Edge& edge, FragmentRoom& room) {
    for (auto known = edges.rbegin(); known != edges.rend() && known->to == edge.to; ++known) {
        if (known->from != edge.from) continue;
        known->carries_data = known->carries_data || edge.carries_data;
        return;
    }
    if (room.edges == 0) return;
    --room.edges;
    edges.push_back(edge);
}

void Fragment::clear(FragmentRoom& room) {
    room.operations += operations.size();
    room.edges += edges.size();
    length = 0;
    operations.clear();
    edges.clear();
}

}  // namespace refrain::page
