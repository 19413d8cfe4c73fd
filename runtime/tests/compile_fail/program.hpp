/// Declarations that every snippet may use: a runtime, regions, a partition.
#pragma once

#include "refrain/refrain.hpp"

#include <string>
#include <vector>

using namespace refrain;

extern Runtime rt;
extern Region<double, 1> x;
extern Region<double, 2> m;
extern Region<int, 1> n;
extern Partition<1> pieces;
