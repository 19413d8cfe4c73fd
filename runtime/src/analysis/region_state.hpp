#pragma once

#include "analysis/cell_grid.hpp"
#include "analysis/counted_vector.hpp"
#include "base/pages.hpp"
#include "graph/operation_number.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

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

/// An access in private mode.
struct LoggedAccess {
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    std::uint64_t access = 0;  // a states::AccessKey
    graph::OperationNumber operation = 0;
    std::uint32_t commuting = 0;  // 0: no class; else equal for accesses that commute
    std::uint32_t run = 1;        // accesses of this class in a row, this one included
    std::uint32_t change = none;  // the place of the newest older access that does not only read
    bool is_change = false;       // it does not only read itself
    bool is_gone = false;         // a later access overwrites all that it uses
};

/// The state of an undivided region or of one cell of a divided one: its name, and for each group of
/// that state the operations that are in it.
struct CellState {
    explicit CellState(std::size_t* counted)
        : slots(CountingAllocator<Member>(counted)),
          private_groups(CountingAllocator<std::uint32_t>(counted)),
          log(CountingAllocator<LoggedAccess>(counted)) {}

    std::uint32_t state = 0;          // an id of states::StateTable; 0: no group
    std::uint32_t generation = 0;     // of the tables that gave the ids
    graph::OperationNumber last = 0;  // the newest operation that used it
    CountedVector<Member> slots;      // by group: of the state, or of private_groups

    bool is_private = false;
    std::uint32_t uses = 0;          // since the last look at `misses`
    std::uint32_t misses = 0;        // uses that met no known transition
    std::uint32_t private_uses = 0;  // before states are tried again
    std::uint32_t private_span = 0;  // the value that private_uses began with
    // Private mode: the groups that it began with, instead of `state`, and all accesses since.
    CountedVector<std::uint32_t> private_groups;
    CountedVector<LoggedAccess> log;                   // by age
    std::uint32_t newest_change = LoggedAccess::none;  // as LoggedAccess::change
    std::size_t log_limit = 0;                         // the size at which it is tidied up

    /// It is as new. Keeps memory for the next one.
    void forget() {
        last = 0;  // so nothing else counts
        is_private = false;
        private_groups.clear();
        log.clear();
        uses = misses = private_span = 0;
    }
};

/// What the analysis by region states (states/) keeps of one region. Absent if dependences are found
/// by walks. Its memory counts (analysis-bytes).
struct RegionState {
    /// `counted` adds up the memory of all regions.
    explicit RegionState(std::shared_ptr<std::size_t> counted)
        : counter(std::move(counted)),
          whole(counter.get()),
          cells(CountingAllocator<CellState>(counter.get())) {}

    std::shared_ptr<std::size_t> counter;
    CellState whole;                      // unless the region is divided
    graph::OperationNumber marked = 0;    // the operation that is being analysed
    std::array<std::int64_t, 3> piece{};  // the largest extents overwritten lately; 0: nothing
    const CellGrid* grid = nullptr;       // null: undivided
    CountedVector<CellState> cells;       // by cell of the grid
    std::uint64_t coarse_links = 0;       // cells that accesses to many cells touched
    std::uint64_t fine_links = 0;         // cells that the other accesses touched

    /// The region is as new. Keeps memory for the next one.
    void forget() {
        drop_cells();
        piece = {};
        whole.forget();
    }
    /// From now on there is a state per cell.
    void take_cells(const CellGrid& by) {
        grid = &by;
        cells.reserve(by.cell_count());
        base::fetch_pages(cells.data(), by.cell_count() * sizeof(CellState));
        cells.assign(by.cell_count(), CellState(counter.get()));
        coarse_links = fine_links = 0;
    }
    void drop_cells() {
        if (grid == nullptr) return;
        grid = nullptr;
        free_all(cells);
    }
};

}  // namespace refrain::analysis
