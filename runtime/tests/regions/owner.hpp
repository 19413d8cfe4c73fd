/// The record of a region, for tests of its storage.
#pragma once

#include "regions/region_table.hpp"

namespace refrain::regions {

struct Owner : RegionRoot {
    explicit Owner(data::StoragePool& pool) : regions(pool, &next) { table = &regions; }

    graph::OperationNumber next = 1;
    RegionTable regions;
};

}  // namespace refrain::regions
