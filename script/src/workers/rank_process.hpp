#pragma once

#include "engine/engine.hpp"
#include "refrain/script/run_control.hpp"
#include "workers/leaf_call.hpp"

namespace refrain::script {

/// What runs in the process of a rank: its engine, until the hub at the other end of the socket closes it. Long calls and
/// output are the hub's. Returns the status of the process.
int run_rank(const tasks::TaskProgram& program, engine::Rank rank, engine::Rank ranks,
             Services& services, FailurePolicy failures, RunClock clock, int socket);

}  // namespace refrain::script
