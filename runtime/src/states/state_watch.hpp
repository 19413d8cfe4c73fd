#pragma once

#include "analysis/access_history.hpp"

#include <cstdint>

namespace refrain::states {

/// One access to a region or to a cell of it, as it was served.
struct StateChange {
    enum class How : std::uint8_t {
        known,   // by a transition that was known: no geometry
        found,   // by one that had to be found
        in_log,  // in private mode: there is no state
    };
    const analysis::RegionHistory& region;
    bool in_cell;
    How how;
    // Of states, before and after; in a log: 0. Ids of one generation name the same states.
    std::uint32_t generation;
    std::uint32_t from, to;
};

/// Who wants to know of each access: a report.
///
/// Threads:     the launching thread only.
class StateWatch {
  public:
    virtual void changed(const StateChange& change) = 0;

  protected:
    ~StateWatch() = default;
};

}  // namespace refrain::states
