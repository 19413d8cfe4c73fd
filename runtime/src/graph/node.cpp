#include "graph/node.hpp"

#include "base/assertion.hpp"

#include <algorithm>
#include <new>

namespace refrain::graph {

void prepare_bundles(Node& node, Bundle* memory) {
    REFRAIN_ASSERT(node.point_count > 0, "a node has no points and would never finish");
    REFRAIN_ASSERT(memory != nullptr, "a node has no memory for its bundles");
    node.bundles = memory;
    const std::uint32_t count = bundles_for(node.point_count);
    if (node.bundle_count != count) node.bundle_count = count;  // others may have this line
    node.causes = &memory->cause;
    for (std::uint32_t i = 0; i < node.bundle_count; ++i) {
        Bundle* bundle = ::new (memory + i) Bundle;
        bundle->node = &node;
        bundle->first_point = i * points_per_bundle;
        bundle->point_count = std::min(points_per_bundle, node.point_count - bundle->first_point);
    }
    memory->unfinished_bundles.store(node.bundle_count,
                                     std::memory_order_relaxed);  // not yet shared
}

}  // namespace refrain::graph
