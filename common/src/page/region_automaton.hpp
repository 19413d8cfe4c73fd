#pragma once

#include "page/site_table.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace refrain::page {

/// The states that regions of one name were in, and what led from one to the other.
///
/// Bounded: what comes after `states_max` states or `arrows_max` arrows is only counted.
struct RegionAutomaton {
    static constexpr std::size_t states_max = 24;
    static constexpr std::size_t arrows_max = 96;

    struct State {
        std::string what;         // is left of earlier operations: "write [0,8); read [0,4)"
        bool in_cell = false;     // of a cell of a divided region
        std::uint64_t times = 0;  // that an access led here
        SiteId first_site = 0;    // the launch that led here first,
        std::uint64_t first_operation = 0;  // and its number
    };
    struct Arrow {
        std::uint32_t from = 0, to = 0;  // in `states`
        SiteId site = 0;
        std::uint64_t times = 0;
    };

    std::string region;  // its name
    std::vector<State> states;
    std::vector<Arrow> arrows;
    std::uint64_t known = 0;      // accesses by known transitions
    std::uint64_t found = 0;      // by transitions that had to be found
    std::uint64_t in_log = 0;     // without states, which multiply
    std::uint64_t not_drawn = 0;  // accesses by transitions that are not in `arrows`
};

}  // namespace refrain::page
