#pragma once

#include "analysis/cell_grid.hpp"
#include "analysis/pattern_table.hpp"
#include "analysis/requirement_shape.hpp"
#include "base/assertion.hpp"
#include "base/record_arena.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace refrain::analysis {

/// Operations are numbered from 1 in launch order; 0 is none.
using OperationNumber = std::uint64_t;

/// One requirement of one operation. Both halves matter: a link by operation alone does not say
/// which of its requirements used the region, and two programs that differ there would look alike.
struct AccessRef {
    OperationNumber operation = 0;
    std::uint32_t index = 0;
    friend bool operator==(const AccessRef&, const AccessRef&) = default;
};

/// Names what a walk still looks for when it comes to an access (walk_table.hpp).
enum class NeededId : std::uint32_t { nothing = 0 };

/// An operation that must finish first, as seen from the one that waits: how many operations ago,
/// which of its points precede which of ours, and whether data flows.
struct Source {
    std::uint32_t distance = 0;
    PatternId pattern = PatternId::none;
    bool carries_data = false;

    // For those that inherit it: by which requirement it was found, and what was needed there.
    std::uint16_t index = 0;
    NeededId needed = NeededId::nothing;

    friend bool operator==(const Source& a, const Source& b) {
        return a.distance == b.distance && a.pattern == b.pattern &&
               a.carries_data == b.carries_data;
    }
};
static_assert(sizeof(Source) == 16, "lists of sources are copied");

/// How to go on backwards from an access: the one before it on the same chain.
struct ChainLink {
    static constexpr std::uint32_t no_sibling = ~std::uint32_t{0};
    AccessRef before;                    // of an older operation
    std::uint32_t sibling = no_sibling;  // an earlier requirement of the operation on this chain
    std::uint32_t cell = CellGrid::whole;
};

/// What a walk found by itself, without what it inherited.
struct OwnWalk {
    AccessRef twin;  // what it inherited from, if that is one; operation 0: none
    OperationNumber oldest_visited;
    NeededId needed_at_twin;
    std::uint32_t found;  // so many of the sources, which come first
    std::uint32_t reach;  // as Access::reach
    bool is_alone;        // it met no beginning of a chain, and at most one twin
};

/// What is remembered of one requirement of a past operation.
struct Access {
    Access() = default;
    Access(RequirementShape used, std::uint64_t serial) : shape(used), region(serial) {}

    RequirementShape shape;
    std::uint64_t region = 0;          // serial number of the region
    ChainLink link;                    // of a region with one chain
    std::span<const ChainLink> cells;  // of one with a chain per cell, instead: by ascending cell
    const CellGrid* grid = nullptr;    // whose cells they are
    std::span<const Source> sources;  // everything that it waits for on account of this requirement
    OperationNumber oldest_seen = 0;  // the oldest operation that had a say in `sources`
    // What `sources` depend on: the descriptions (trace/) of the operation and of so many before it,
    // and nothing else. At most the window.
    std::uint32_t reach = 0;
    bool saw_beginning = false;  // the region's having no older access had a say in `sources`, too
    OwnWalk own;                 // set by the walk; nobody asks later operations

    /// How to go on along the chain of a cell; null if it is on none.
    [[nodiscard]] const ChainLink* link_in(std::uint32_t cell) const {
        const auto at = std::lower_bound(cells.begin(), cells.end(), cell,
                                         [](const ChainLink& link_there, std::uint32_t wanted) {
                                             return link_there.cell < wanted;
                                         });
        return at == cells.end() || at->cell != cell ? nullptr : &*at;
    }
};

/// A region as the analysis sees it: where its chains of accesses begin.
///
/// A region that is used whole or by index launches has one chain. One that many single tasks use
/// piecewise gets a chain per cell of a grid, so that tasks on different pieces do not walk past
/// one another (cell_grid.hpp).
struct RegionHistory {
    std::uint64_t serial = 0;  // never used twice
    data::Box bounds;
    AccessRef last;                     // its newest access; with one chain, where that begins
    const CellGrid* grid = nullptr;     // a chain per cell, or null
    std::vector<AccessRef> heads;       // by cell: the newest access of its chain
    std::uint32_t long_walks = 0;       // hops of long walks past other elements, on the one chain
    std::uint64_t coarse_links = 0;     // links of accesses that touch many cells
    std::uint64_t fine_links = 0;       // links of others
    std::uint64_t described_by = 0;     // which description mentioned it last,
    std::uint32_t described_index = 0;  // and for which requirement first (trace/)
    std::uint64_t bound_by = 0;         // which replay or recording numbered it last,
    std::uint32_t slot = 0;             // how,
    AccessRef entry;                    // what `last` was then, if it had one chain,
    bool stale = false;  // and whether it was fresh when recorded, and not then (trace/)

    [[nodiscard]] bool is_fresh() const { return last.operation == 0 && grid == nullptr; }
    /// All that used the region has finished, and is not asked for again.
    void forget_accesses() {
        last = {};
        grid = nullptr;
        heads.clear();
    }
};

/// The accesses of the last `window` operations, the current one included. Together with the heads
/// of the chains this is the whole state of the analysis: there is nothing to refine and nothing to
/// catch up, and recording an operation is appending to it.
///
/// Operations `window` or more ago have finished (the launching thread sees to that), so nobody
/// asks for them.
///
/// Threads:     the launching thread only.
class AccessHistory {
  public:
    /// `window` is a power of two.
    explicit AccessHistory(std::uint32_t window);

    [[nodiscard]] std::uint32_t window() const { return mask_ + 1; }

    /// Operation `number`, the successor of the one before: each of its requirements becomes the
    /// newest access of its region's chains. As many shapes as regions.
    std::span<Access> append(OperationNumber number, std::span<const RequirementShape> shapes,
                             std::span<RegionHistory* const> regions,
                             const FootprintTable& footprints);
    [[nodiscard]] std::span<Access> accesses(OperationNumber number) {
        return ring_[number & mask_];
    }
    [[nodiscard]] bool remembers(OperationNumber number, OperationNumber now) const {
        return number >= floor_ && now - number <= mask_;
    }

    /// Memory that lives as long as operation `number` is remembered.
    template <class T>
    [[nodiscard]] T* allocate(std::size_t count, OperationNumber number) {
        return arena_.allocate_array<T>(count, number);
    }
    /// Operations before `number` are as good as never launched: they have finished, and nobody may
    /// ask what they did.
    void forget_before(OperationNumber number) { floor_ = number; }
    /// Nothing was ever launched: the next operation may have any number.
    void restart();
    [[nodiscard]] std::size_t bytes() const { return arena_.bytes_held(); }

  private:
    void link(Access& access, AccessRef self, RegionHistory& region,
              const FootprintTable& footprints);
    void link_cells(Access& access, AccessRef self, RegionHistory& region,
                    std::span<const std::uint32_t> cells);

    std::uint32_t mask_;
    OperationNumber floor_ = 1;
    std::vector<std::span<Access>> ring_;
    base::RecordArena arena_;
};

inline std::span<Access> AccessHistory::append(OperationNumber number,
                                               std::span<const RequirementShape> shapes,
                                               std::span<RegionHistory* const> regions,
                                               const FootprintTable& footprints) {
    REFRAIN_ASSERT(shapes.size() <= UINT16_MAX,
                   "an operation has more requirements than sources can name");
    REFRAIN_ASSERT(shapes.size() == regions.size(),
                   "an operation has not as many regions as shapes");
    if (number > mask_) arena_.retire_below(number - mask_);
    Access* accesses = arena_.allocate_array<Access>(shapes.size(), number);
    ring_[number & mask_] = {accesses, shapes.size()};
    for (std::uint32_t i = 0; i < shapes.size(); ++i) {
        RegionHistory& region = *regions[i];
        Access& access = *::new (accesses + i) Access(shapes[i], region.serial);
        link(access, {number, i}, region, footprints);
    }
    return {accesses, shapes.size()};
}

inline void AccessHistory::link(Access& access, AccessRef self, RegionHistory& region,
                                const FootprintTable& footprints) {
    if (region.grid != nullptr) [[unlikely]] {
        link_cells(access, self, region, region.grid->cells_of(access.shape.footprint, footprints));
    } else if (region.last.operation == self.operation) [[unlikely]] {  // it uses the region twice
        access.link.before = accesses(self.operation)[region.last.index].link.before;
        access.link.sibling = region.last.index;
    } else {
        access.link.before = region.last;
    }
    region.last = self;
}

}  // namespace refrain::analysis
