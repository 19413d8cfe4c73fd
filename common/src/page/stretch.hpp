#pragma once

#include "page/site_table.hpp"

#include <cstdint>
#include <vector>

namespace refrain::page {

/// When the tasks of neighbouring operations ran, and which waited for which: a part of a timeline.
struct Stretch {
    struct Task {
        std::uint32_t worker = 0;
        double begin = 0;  // seconds since the run began
        double end = 0;
        SiteId site = 0;
        std::uint64_t operation = 0;
        std::uint32_t point = 0;
    };
    /// `to` waited for `from`, both in `tasks`.
    struct Arrow {
        std::uint32_t from = 0;
        std::uint32_t to = 0;
        bool carries_data = false;
    };
    std::uint64_t first_operation = 0;
    std::uint64_t last_operation = 0;
    std::vector<Task> tasks;
    std::vector<Arrow> arrows;
    std::uint64_t tasks_left_out = 0;   // of the last operation, because they are too many
    std::uint64_t arrows_left_out = 0;  // likewise
};

}  // namespace refrain::page
