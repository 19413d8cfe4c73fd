#pragma once

#include "engine/packed_message.hpp"
#include "refrain/script/run_control.hpp"

namespace refrain::script {

/// Calls the leaf of a task; what it throws becomes the failure. `results` are as on entry of Leaf::call.
[[nodiscard]] engine::CallOutcome called(const tasks::TaskDefinition& task,
                                         std::span<const Value> arguments,
                                         std::vector<Value> results, Services& services,
                                         const RunControl& control);

}  // namespace refrain::script
