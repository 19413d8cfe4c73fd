#pragma once

#include "merge/recording.hpp"

namespace refrain::proxy {

/// Names the places of calls by what the programs' symbols and lines say: "./app+0x1234" becomes "halo.c:41" in function
/// "exchange". A place of which nothing is known stays as it is; without libdw, all do.
void name_sites(Recording& recording);

}  // namespace refrain::proxy
