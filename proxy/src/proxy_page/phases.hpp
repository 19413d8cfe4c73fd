#pragma once

#include "proxy_page/rank_means.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace refrain::proxy {

/// A phase of a run as the main rules have it: a loop, or what lies between two.
struct PhaseRuns {
    /// What ranks that make the same calls do in it, once.
    struct Part {
        RankSet ranks;
        std::uint32_t before = Work::start;  // the call that comes before; of a loop, its last one
        std::vector<strings::Run> runs;
        std::uint64_t turns = 1;  // how often
    };
    bool is_loop = false;
    std::vector<Part> parts;
};

/// In the order of the run; `times`: by rank; not more than `loops_max` loops, those that take longest.
[[nodiscard]] std::vector<PhaseRuns> phases_of(const Recording& recording, const RuleBook& book,
                                               std::span<const RuleTimes> times,
                                               std::size_t loops_max);

}  // namespace refrain::proxy
