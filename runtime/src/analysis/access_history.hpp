#pragma once

#include "analysis/cell_grid.hpp"
#include "analysis/pattern_table.hpp"
#include "analysis/region_state.hpp"
#include "analysis/requirement_shape.hpp"
#include "analysis/table_bytes.hpp"
#include "base/assertion.hpp"
#include "base/record_arena.hpp"
#include "data/shared_space.hpp"
#include "graph/operation_number.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace refrain::analysis {

using graph::OperationNumber;

/// One requirement of one operation. Both halves are needed: a link by operation alone does not say
/// which requirement used the region, so two programs that differ only there would look equal.
struct AccessRef {
    OperationNumber operation = 0;
    std::uint32_t index = 0;
    friend bool operator==(const AccessRef&, const AccessRef&) = default;
};

/// Interning id of the elements that a walk still looks for at an access (walk_table.hpp).
enum class NeededId : std::uint32_t { nothing = 0 };

/// An operation that must finish first, relative to the waiting one: how many operations ago it was
/// launched, which of its points precede which of the waiting ones, and whether data flows.
struct Source {
    std::uint32_t distance = 0;
    PatternId pattern = PatternId::none;
    bool carries_data = false;

    // For heirs of this source: the requirement that was found, and what was needed there.
    std::uint16_t index = 0;
    NeededId needed = NeededId::nothing;

    friend bool operator==(const Source& a, const Source& b) {
        return a.distance == b.distance && a.pattern == b.pattern &&
               a.carries_data == b.carries_data;
    }
};
static_assert(sizeof(Source) == 16, "lists of sources are copied");

/// Link from an access to the previous access of the same chain.
struct ChainLink {
    static constexpr std::uint32_t no_sibling = ~std::uint32_t{0};
    AccessRef before;                    // of an older operation
    std::uint32_t sibling = no_sibling;  // earlier requirement of this operation on this chain
    std::uint32_t cell = CellGrid::whole;
};

/// The part of a walk's result that was found by visiting accesses, not inherited.
struct OwnWalk {
    AccessRef twin;  // the access it inherited from; operation 0: none
    OperationNumber oldest_visited;
    NeededId needed_at_twin;
    std::uint32_t source_count;  // the own sources come first in Access::sources
    std::uint32_t lookback;      // as Access::lookback, of the own sources
    bool is_reusable;            // the walk met no beginning of a chain and at most one twin
};

/// Record of one requirement of a past operation.
struct Access {
    Access() = default;
    Access(RequirementShape used, std::uint64_t serial) : shape(used), region(serial) {}

    RequirementShape shape;
    std::uint64_t region = 0;          // serial number of the region
    ChainLink link;                    // if the region has one chain
    std::span<const ChainLink> cells;  // if it has a chain per cell: links by ascending cell
    const CellGrid* grid = nullptr;    // the grid of `cells`
    std::span<const Source> sources;   // all that this requirement waits for
    OperationNumber oldest_seen = 0;   // oldest operation visited, directly or through inheritance
    // `sources` are valid wherever the preceding `lookback` operations match too: they depend on
    // the descriptions (trace/) of the operation and of those, and on nothing else. At most the
    // window.
    std::uint32_t lookback = 0;
    bool saw_beginning = false;  // `sources` also depend on the region having no older access
    OwnWalk own;                 // set by the walk; read only while its operation is the newest

    /// The link in the chain of a cell; null if the access is not in that chain.
    [[nodiscard]] const ChainLink* link_in(std::uint32_t cell) const {
        const auto at = std::lower_bound(cells.begin(), cells.end(), cell,
                                         [](const ChainLink& link_there, std::uint32_t wanted) {
                                             return link_there.cell < wanted;
                                         });
        return at == cells.end() || at->cell != cell ? nullptr : &*at;
    }
};

/// A region as the analysis sees it: the heads of its chains of accesses.
///
/// A region used as a whole or by index launches has one chain. A region of which many single tasks
/// use one piece each gets a chain per cell of a grid, so that a walk does not pass tasks on other
/// pieces (cell_grid.hpp).
///
/// Programs have many regions: what few of them need is in records of its own.
struct RegionHistory {
    /// What a divided region has.
    struct Cells {
        const CellGrid* grid;
        std::vector<AccessRef> heads;    // by cell: the newest access of its chain
        std::uint64_t coarse_links = 0;  // links of accesses that touch many cells
        std::uint64_t fine_links = 0;    // links of the other accesses
    };

    std::uint64_t serial = 0;  // never used twice
    data::SharedSpace bounds;
    std::unique_ptr<Cells> cells;  // null: one chain

    // Scratch of trace/.
    std::uint64_t described_by = 0;  // the latest description that names this region
    std::uint64_t bound_by = 0;      // the latest replay or recording that bound this region
    AccessRef entry;                 // value of `last` at that time, if it had one chain

    AccessRef last;  // the newest access; the head of the only chain

    // Scratch of trace/.
    std::uint32_t slot = 0;             // the slot it was bound to
    std::uint16_t described_index = 0;  // the first requirement of `described_by` that names it
    bool stale = false;                 // recorded as fresh, but bound when it was not

    std::uint32_t seen_at = 0;  // lower half of its latest operation with a fingerprint; 0: none

    std::uint32_t long_walks = 0;  // hops of long walks past other elements, in the only chain

    std::unique_ptr<RegionState> state;  // of states/, which uses this, `serial` and `bounds` only

    [[nodiscard]] bool is_fresh() const { return last.operation == 0 && cells == nullptr; }
    /// The grid that divides it; null: one chain.
    [[nodiscard]] const CellGrid* grid() const { return cells == nullptr ? nullptr : cells->grid; }
    /// Precondition: every operation that used the region has finished.
    void forget_accesses() {
        last = {};
        drop_cells();
        if (state != nullptr) state->forget();
    }
    /// The same, and gives back all memory.
    void forget_all() {
        forget_accesses();
        state = nullptr;
    }
    /// From now on there is a chain per cell; each begins where the only chain did.
    void take_cells(const CellGrid& by) {
        auto made = std::make_unique<Cells>();
        made->grid = &by;
        made->heads.assign(by.cell_count(), last);
        drop_cells();
        cells = std::move(made);
        by.count(static_cast<std::ptrdiff_t>(cells_bytes()));
    }
    /// From now on there is one chain. The memory is given back: it counts (analysis-bytes).
    void drop_cells() {
        if (cells == nullptr) return;
        cells->grid->count(-static_cast<std::ptrdiff_t>(cells_bytes()));
        cells.reset();
    }

  private:
    [[nodiscard]] std::size_t cells_bytes() const {
        return sizeof(Cells) + bytes_per_block + held_bytes(cells->heads);
    }
};

/// The accesses of the newest `window` operations, the current one included.
///
/// Together with the chain heads this is the whole state of the analysis. Recording an operation
/// appends to it; nothing is refined and nothing is deferred.
///
/// Invariant:   operations `window` or more ago have finished (the launching thread waits for
///              them), so no walk needs them.
/// Threads:     the launching thread only.
class AccessHistory {
  public:
    /// `window` is a power of two.
    explicit AccessHistory(std::uint32_t window);

    [[nodiscard]] std::uint32_t window() const { return mask_ + 1; }

    /// Records operation `number`, the successor of the previous one: each requirement becomes the
    /// newest access of its region's chains. Preconditions: shapes.size() == regions.size().
    std::span<Access> append(OperationNumber number, std::span<const RequirementShape> shapes,
                             std::span<RegionHistory* const> regions,
                             const FootprintTable& footprints);
    /// The same of an operation that will not be remembered, though links of some that will be lead there.
    /// Precondition: its regions have one chain.
    static void append_forgotten(OperationNumber number, std::span<RegionHistory* const> regions) {
        for (std::uint32_t i = 0; i < regions.size(); ++i) regions[i]->last = {number, i};
    }
    [[nodiscard]] std::span<Access> accesses(OperationNumber number) {
        return ring_[number & mask_];
    }
    [[nodiscard]] bool remembers(OperationNumber number, OperationNumber now) const {
        return number >= floor_ && now - number <= mask_;
    }

    /// Memory that lives while operation `number` is remembered.
    template <class T>
    [[nodiscard]] T* allocate(std::size_t count, OperationNumber number) {
        return arena_.allocate_array<T>(count, number.value());
    }
    /// Allocates memory for the accesses of a window of operations, `accesses` in all, so that none is allocated once
    /// they come.
    void reserve(std::uint64_t accesses) noexcept;
    /// Treats operations before `number` as if they had never been launched. They have finished.
    void forget_before(OperationNumber number) { floor_ = number; }
    /// Operations before `number` were written down, but nobody asked what they wait for.
    void walks_begin_at(OperationNumber number) { walked_from_ = number; }
    /// Whether an access knows its sources, so that others may inherit them.
    [[nodiscard]] bool knows_sources(OperationNumber number) const {
        return number >= walked_from_;
    }
    [[nodiscard]] std::size_t bytes() const { return arena_.bytes_held(); }

  private:
    void link(Access& access, AccessRef self, RegionHistory& region,
              const FootprintTable& footprints);
    void link_cells(Access& access, AccessRef self, RegionHistory& region,
                    std::span<const std::uint32_t> cells);

    std::uint32_t mask_;
    OperationNumber floor_ = 1;
    OperationNumber walked_from_ = 1;
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
    if (number.value() > mask_) arena_.retire_below((number - mask_).value());
    Access* accesses = arena_.allocate_array<Access>(shapes.size(), number.value());
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
    if (region.cells != nullptr) [[unlikely]] {
        link_cells(access, self, region,
                   region.cells->grid->cells_of(access.shape.footprint, footprints));
    } else if (region.last.operation == self.operation) [[unlikely]] {  // second use of the region
        access.link.before = accesses(self.operation)[region.last.index].link.before;
        access.link.sibling = region.last.index;
    } else {
        access.link.before = region.last;
    }
    region.last = self;
}

}  // namespace refrain::analysis
