#pragma once

#include "refrain/region.hpp"

namespace refrain {
class Runtime;

/// Writes that do not mark elements: the definitions are compiled without REFRAIN_CHECK_BOUNDS.
void write_second_half_unmarked(Runtime& runtime, const Region<int, 1>& region);
void write_from_the_host_unmarked(Runtime& runtime, const Region<int, 1>& region);

}  // namespace refrain
