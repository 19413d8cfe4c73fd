#include "states/piece_table.hpp"

#include "analysis/table_bytes.hpp"
#include "base/hash.hpp"

#include <utility>

namespace refrain::states {

std::span<const Piece> PieceTable::pieces(AccessKey access, const analysis::CellGrid& grid) {
    const Slot* slot = &slot_of(access, grid);
    if (slot->grid == nullptr) [[unlikely]] {
        find_pieces(access, grid);
        slot = &slot_of(access, grid);
    }
    return {pieces_.data() + slot->first, slot->count};
}

void PieceTable::find_pieces(AccessKey access, const analysis::CellGrid& grid) {
    if (2 * ++used_ > slots_.size()) grow();
    const auto first = static_cast<std::uint32_t>(pieces_.size());
    for (auto& [cell, piece] : states::pieces(groups_.get(access), grid))
        pieces_.push_back({groups_.key_of(std::move(piece)), cell});
    slot_of(access, grid) = {access, &grid, first,
                             static_cast<std::uint32_t>(pieces_.size()) - first};
}

PieceTable::Slot& PieceTable::slot_of(AccessKey access, const analysis::CellGrid& grid) {
    const auto grid_bits = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(&grid));
    std::size_t at = base::mix(access.word ^ grid_bits << 16) & (slots_.size() - 1);
    while (slots_[at].grid != nullptr && !(slots_[at].access == access && slots_[at].grid == &grid))
        at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
}

void PieceTable::grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old)
        if (slot.grid != nullptr) slot_of(slot.access, *slot.grid) = slot;
}

std::size_t PieceTable::bytes() const {
    return analysis::held_bytes(pieces_) + analysis::held_bytes(slots_);
}

}  // namespace refrain::states
