#include "states/piece_table.hpp"

#include "analysis/table_bytes.hpp"
#include "base/hash.hpp"

#include <utility>

namespace refrain::states {

PieceTable::Pieces PieceTable::pieces(AccessKey access, const analysis::CellGrid& grid) {
    const Slot* slot = &slot_of(access, grid);
    const bool is_new = slot->grid == nullptr;
    if (is_new) [[unlikely]] {
        find_pieces(access, grid);
        slot = &slot_of(access, grid);
    }
    return {{pieces_.data() + slot->first, slot->count}, slot->overwrites_all != 0, is_new};
}

void PieceTable::find_pieces(AccessKey access, const analysis::CellGrid& grid) {
    if (2 * ++used_ > slots_.size()) grow();
    const auto first = static_cast<std::uint32_t>(pieces_.size());
    const JointAccess joint = groups_.compute(access);
    for (auto& [cell, piece] : states::pieces(joint, grid))
        pieces_.push_back({groups_.key_of(std::move(piece)), cell});
    Slot& slot = slot_of(access, grid);
    slot = {access, &grid, first, 0, 0};
    slot.count = (static_cast<std::uint32_t>(pieces_.size()) - first) & 0x7fffffffU;
    slot.overwrites_all = joint.overwritten.contains(data::BoxSet(grid.bounds())) ? 1 : 0;
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
