/// Includes the whole public interface.
#pragma once

#include "refrain/argument.hpp"
#include "refrain/error.hpp"
#include "refrain/future.hpp"
#include "refrain/host_view.hpp"
#include "refrain/options.hpp"
#include "refrain/partition.hpp"
#include "refrain/reduction.hpp"
#include "refrain/region.hpp"
#include "refrain/runtime.hpp"
#include "refrain/statistics.hpp"
#include "refrain/view.hpp"
#include "refrain/why_not_traced.hpp"
