/// Access to Runtime's private, type-erased launch functions.
///
/// The public launch templates fix rank, element type and privilege of each argument at compile
/// time; random programs choose them at run time.
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
