#include "analysis/access_history.hpp"

#include "base/assertion.hpp"

namespace refrain::analysis {

AccessHistory::AccessHistory(std::uint32_t window) : mask_(window - 1), ring_(window) {
    REFRAIN_ASSERT((window & mask_) == 0 && window > 1, "the window must be a power of two");
}

/// Older accesses may begin the first chunk, and each chunk may end with room for less than those of an operation.
void AccessHistory::reserve(std::uint64_t accesses) noexcept {
    const std::uint64_t bytes = accesses * sizeof(Access);
    arena_.reserve(bytes + bytes / 8 + 2 * base::RecordArena::chunk_bytes_default);
}

void AccessHistory::link_cells(Access& access, AccessRef self, RegionHistory& region,
                               std::span<const std::uint32_t> cells) {
    REFRAIN_ASSERT(region.cells->heads.size() == region.cells->grid->cell_count(),
                   "a region has not one chain per cell");
    ChainLink* links = arena_.allocate_array<ChainLink>(cells.size(), self.operation.value());
    for (std::size_t i = 0; i < cells.size(); ++i) {
        AccessRef& head = region.cells->heads[cells[i]];
        ChainLink* link = ::new (links + i) ChainLink;
        link->cell = cells[i];
        link->before = head;
        if (head.operation == self.operation) {
            link->sibling = head.index;
            link->before = accesses(self.operation)[head.index].link_in(cells[i])->before;
        }
        head = self;
    }
    access.cells = {links, cells.size()};
    access.grid = region.cells->grid;
    const bool is_coarse = region.cells->grid->is_coarse(cells.size());
    (is_coarse ? region.cells->coarse_links : region.cells->fine_links) += cells.size();
}

}  // namespace refrain::analysis
