#include "page/folded_graph.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace refrain::page {
namespace {

constexpr std::uint32_t no_node = ~std::uint32_t{0};

/// The edges of the longest path to each operation.
std::vector<std::uint32_t> depths(const Fragment& fragment) {
    std::vector<std::uint32_t> depth(fragment.operations.size(), 0);
    for (const Fragment::Edge& edge : fragment.edges)  // ordered by `to`
        depth[edge.to] = std::max(depth[edge.to], depth[edge.from] + 1);
    return depth;
}

}  // namespace

FoldedGraph::FoldedGraph(const Fragment& fragment, std::size_t nodes_max) {
    struct Group {
        std::size_t operations = 0;
        std::uint32_t node = no_node;
        std::string last_tile;
    };
    const std::vector<std::uint32_t> depth = depths(fragment);
    std::map<std::pair<SiteId, std::uint32_t>, Group> groups;
    const auto group_of = [&](std::size_t i) -> Group& {
        return groups[{fragment.operations[i].site, depth[i]}];
    };
    for (std::size_t i = 0; i < depth.size(); ++i) ++group_of(i).operations;

    std::vector<std::uint32_t> node_of(depth.size(), no_node);
    for (std::uint32_t i = 0; i < depth.size(); ++i) {
        const Fragment::Operation& operation = fragment.operations[i];
        Group& group = group_of(i);
        const bool is_folded = group.operations > side_by_side_max;
        if (is_folded && group.node != no_node) {
            Node& node = nodes[group.node];
            ++node.operations;
            node.points += operation.points;
            node.looks_beyond = node.looks_beyond || operation.looks_beyond;
            node_of[i] = group.node;
            group.last_tile = operation.tile;
        } else if (nodes.size() < nodes_max) {
            node_of[i] = group.node = static_cast<std::uint32_t>(nodes.size());
            nodes.push_back(
                {operation.site, 1, operation.points, operation.looks_beyond, i, operation.tile});
        } else {
            is_cut = true;
            break;  // what is drawn is the first operations
        }
    }
    for (const auto& [place, group] : groups)
        if (group.node != no_node && !group.last_tile.empty())
            nodes[group.node].tiles += " … " + group.last_tile;
    add_edges(fragment, node_of);
}

void FoldedGraph::add_edges(const Fragment& fragment, const std::vector<std::uint32_t>& node_of) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, bool> carries_data;  // by `to`, `from`
    for (const Fragment::Edge& edge : fragment.edges) {
        const std::uint32_t from = node_of[edge.from];
        const std::uint32_t to = node_of[edge.to];
        if (from == no_node || to == no_node) continue;
        bool& carries = carries_data[{to, from}];
        carries = carries || edge.carries_data;
    }
    for (const auto& [ends, carries] : carries_data)
        edges.push_back({ends.second, ends.first, carries});
}

}  // namespace refrain::page
