#pragma once

#include "graph/operation_number.hpp"

#include <cstdint>
#include <vector>

namespace refrain::analysis {

/// A list of operations, newest first: the newest one, and the list of those before it.
///
/// Lists are immutable, so that several may share their ends. A record lives at least as long as the
/// operation in front of it may be unfinished; a reader stops at the first finished operation and
/// never looks behind it.
struct Member {
    graph::OperationNumber operation = 0;
    const Member* before = nullptr;
};

/// Some groups of a region in private mode, each with its members, in any order.
struct PrivateGroups {
    std::vector<std::uint32_t> groups;
    std::vector<Member> slots;
};

/// What the analysis by region states (states/) keeps of one region: the name of its state, and for
/// each group of that state the operations that are in it. Absent if dependences are found by walks.
struct RegionState {
    std::uint32_t state = 0;            // an id of states::StateTable; 0: no group
    std::uint32_t generation = 0;       // of the tables that gave the ids
    graph::OperationNumber last = 0;    // the newest operation that used the region
    graph::OperationNumber marked = 0;  // the operation that is being analysed
    std::vector<Member> slots;          // by group of the state

    bool is_private = false;
    std::uint32_t uses = 0;            // since the last look at `misses`
    std::uint32_t misses = 0;          // uses that met no known transition
    std::uint32_t private_uses = 0;    // before states are tried again
    std::uint32_t private_span = 0;    // the value that private_uses began with
    int grid_bits = 0;                 // of the grid that divides them
    std::vector<PrivateGroups> lists;  // private mode: instead of `state` and `slots`

    /// The region is as new. Keeps memory for the next one.
    void forget() {
        last = 0;  // so nothing else counts
        is_private = false;
        lists.clear();
        uses = misses = private_span = 0;
    }
};

}  // namespace refrain::analysis
