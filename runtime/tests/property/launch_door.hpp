/// Launches whose arguments are known at run time only.
///
/// Programs launch through templates, which fix rank, element type and privilege of each argument
/// when they are compiled. A random program draws them when it runs, and the templates' only way
/// into the runtime is private. This is that way.
#pragma once

#include "refrain/runtime.hpp"

#include <cstddef>

namespace refrain::property {

/// Runtime::submit.
void submit(Runtime& runtime, const runtime::LaunchDescription& launch);
/// Runtime::new_future.
[[nodiscard]] regions::FutureState* new_future(Runtime& runtime, std::size_t value_bytes,
                                               std::size_t count);

}  // namespace refrain::property
