#pragma once

#include "overhead/config.hpp"

namespace overhead {

/// The stencil as a oneTBB flow graph of continue_nodes, built once and re-run. Throws if a task
/// did not run.
[[nodiscard]] Cost tbb_static(const Config& config);
/// The same graph in graph/, built once and re-run on the same number of workers.
[[nodiscard]] Cost refrain_static(const Config& config);

}  // namespace overhead
