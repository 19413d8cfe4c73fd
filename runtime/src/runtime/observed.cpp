#include "runtime/observed.hpp"

#include "refrain/detail/partition_data.hpp"
#include "runtime/operation_failure.hpp"

#include <span>

namespace refrain::runtime {

std::optional<observe::Tile> tile_of(const LaunchDescription& launch) {
    if (launch.kind->domain_rank != 0) return std::nullopt;
    const RequirementDescription* found = nullptr;
    for (std::uint32_t i = 0; i < launch.kind->requirement_count; ++i) {
        const RequirementKind& kind = launch.kind->requirements[i];
        if (!kind.has_colour) continue;
        const bool is_changed = kind.privilege != Privilege::read;
        if (found == nullptr || is_changed) found = &launch.requirements[i];
        if (is_changed) break;
    }
    if (found == nullptr || found->partition == nullptr) return std::nullopt;
    return observe::Tile{found->colour, found->partition->colour_rank};
}

observe::DependenceLog::Edge logged(std::uint64_t source, const graph::EdgeSet& edges,
                                    bool carries_data) {
    constexpr std::size_t pairs_max = 512;
    observe::DependenceLog::Edge edge{source, carries_data, {}};
    const std::uint64_t after_all = edges.after_all().size() * edges.source_points();
    if (edges.others().size() > pairs_max || after_all > pairs_max) {
        edge.left_out = edges.others().size() + after_all;
        return edge;
    }
    edge.pairs.reserve(edges.others().size() + after_all);
    const auto add = [&](std::span<const graph::PointPair> pairs) {
        for (const graph::PointPair& pair : pairs) edge.pairs.push_back({pair.source, pair.target});
    };
    if (after_all == 0)
        add(edges.others());
    else
        add(edges.pairs());
    return edge;
}

observe::ObservedFailure observed_failure(const Operation& operation,
                                          const regions::FailureLog& log) {
    observe::ObservedFailure seen{.operation = observed(operation), .message = {}};
    bool is_first = true;
    for (std::uint32_t point = 0; point < operation.point_count; ++point) {
        if (!point_failed(operation, point)) continue;
        if (was_skipped(operation, point)) {
            ++seen.skipped;
            continue;
        }
        ++seen.threw;
        if (is_first) seen.first_point = point;
        is_first = false;
    }
    if (seen.threw != 0) seen.message = log.message_of(operation.number, seen.first_point);
    // Points do not wait for one another: what was skipped beside a point that threw has a cause that
    // is not kept.
    const graph::OperationNumber cause = failure_of(operation)->operation;
    seen.cause = cause == operation.number ? 0 : cause.value();
    return seen;
}

}  // namespace refrain::runtime
