/// Launches of random programs through the public face: Runtime::launch with typed views, closures,
/// scalars and futures.
#pragma once

#include "refrain/refrain.hpp"

#include <optional>
#include <vector>

#include "property/handles.hpp"
#include "property/random_task.hpp"

namespace refrain::property {

/// The handles of a launch, in the order of its requirements and futures.
struct LaunchHandles {
    std::vector<const AnyRegion*> regions;
    std::vector<const AnyPartition*> partitions;  // null: the whole region
    std::vector<const AnyFuture*> futures;
};

/// Launches what `bound` says if that has one of some dozen shapes; else does nothing and returns
/// nothing. The future is that of a single task, and otherwise empty.
[[nodiscard]] std::optional<Future<std::int64_t>> launch_typed(Runtime& runtime, LaunchSite site,
                                                               const BoundLaunch& bound,
                                                               const LaunchHandles& handles);

}  // namespace refrain::property
