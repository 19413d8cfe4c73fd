#pragma once

#include <optional>

#include "overhead/config.hpp"

namespace overhead {

/// The stencil as a oneTBB flow graph of continue_nodes, built once and re-run. Empty if this
/// program was built without oneTBB.
///
/// Errors: std::runtime_error if a task did not run.
[[nodiscard]] std::optional<Cost> tbb_static(const Config& config);
/// The same graph in graph/, built once and re-run on as many workers.
[[nodiscard]] Cost refrain_static(const Config& config);

}  // namespace overhead
