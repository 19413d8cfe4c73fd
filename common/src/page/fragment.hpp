#pragma once

#include "page/site_table.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace refrain::page {

/// What an operation waits for, by how many operations ago that was launched.
struct WaitsFor {
    std::uint64_t distance = 0;
    bool carries_data = false;
};

/// How many operations and edges may still be written down.
struct FragmentRoom {
    std::size_t operations = 0;
    std::size_t edges = 0;
};

/// Operations that followed one another, and what they waited for among themselves.
struct Fragment {
    struct Operation {
        SiteId site = 0;
        std::uint32_t points = 0;
        bool looks_beyond = false;  // it waits for something before the fragment
    };
    /// Between two of its operations; at most one.
    struct Edge {
        std::uint32_t from = 0;
        std::uint32_t to = 0;
        bool carries_data = false;
    };
    std::uint64_t length = 0;           // in operations
    std::vector<Operation> operations;  // the first ones: as many as there was room for
    std::vector<Edge> edges;            // in the order of their targets

    void append(SiteId site, std::uint32_t points, std::span<const WaitsFor> sources,
                FragmentRoom& room);
    /// Gives its room back.
    void clear(FragmentRoom& room);

  private:
    void add_edge(const Edge& edge, FragmentRoom& room);
};

}  // namespace refrain::page
