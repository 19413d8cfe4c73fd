#pragma once

#include <cstdint>

namespace refrain::page {

/// What is known of the time of one launch site's tasks: an estimate from those that were timed.
struct SiteTime {
    std::uint64_t timed = 0;     // tasks; 0: nothing is known
    double seconds = 0;          // of all its tasks together
    double mean_seconds = 0;     // of one task
    double longest_seconds = 0;  // of those that were timed
    double path_share = 0;       // of the critical path: from 0 to 1
};

}  // namespace refrain::page
