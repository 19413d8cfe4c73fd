#pragma once

#include "page/site_table.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace refrain::page {

/// Something an operation waits for, named by how many operations earlier it was launched.
struct WaitsFor {
    std::uint64_t distance = 0;
    bool carries_data = false;
};

/// What is asked of an operation only if it is listed.
struct Listed {
    std::span<const WaitsFor> sources;
    std::string tile;  // of a single task on one tile: "[2,0]"

    Listed(std::span<const WaitsFor> waits_for, std::string on_tile = {})
        : sources(waits_for), tile(std::move(on_tile)) {}
};

/// How many operations and edges may still be listed, in all fragments of a book together.
struct FragmentRoom {
    std::size_t operations = 0;
    std::size_t edges = 0;
};

/// Consecutive operations, and which of them waited for which.
struct Fragment {
    struct Operation {
        SiteId site = 0;
        std::uint32_t points = 0;
        bool looks_beyond = false;  // it also waits for something before the fragment
        std::string tile = {};      // as in Listed
    };
    /// `to` waits for `from`; at most one edge per pair.
    struct Edge {
        std::uint32_t from = 0;
        std::uint32_t to = 0;
        bool carries_data = false;
    };
    std::uint64_t length = 0;           // in operations
    std::vector<Operation> operations;  // the first ones, as many as the room allowed
    std::vector<Edge> edges;            // ordered by `to`

    void append(SiteId site, std::uint32_t points, Listed listed, FragmentRoom& room);
    /// Empties the fragment and returns its room.
    void clear(FragmentRoom& room);

  private:
    void add_edge(const Edge& edge, FragmentRoom& room);
};

}  // namespace refrain::page
