#include "states/piece_table.hpp"

#include "analysis/table_bytes.hpp"
#include "base/hash.hpp"

#include <utility>

namespace refrain::states {

PieceTable::Pieces PieceTable::pieces(AccessKey access, const analysis::CellGrid& grid) {
    if (const auto lone = lone_piece(access, grid)) return *lone;
    const Slot* slot = &slot_of(access, grid);
    const bool is_new = slot->grid == nullptr;
    if (is_new) [[unlikely]] {
        find_pieces(access, grid);
        slot = &slot_of(access, grid);
    }
    return {{pieces_.data() + slot->first, slot->count}, slot->overwrites_all != 0, is_new};
}

std::optional<PieceTable::Pieces> PieceTable::lone_piece(AccessKey access,
                                                         const analysis::CellGrid& grid) {
    if (access.is_number()) return std::nullopt;
    const analysis::RequirementShape shape = access.shape();
    const analysis::Footprint& touched = footprints_.get(shape.footprint);
    if (touched.subsets.size() != 1 || !touched.all.is_box()) return std::nullopt;
    const std::optional<std::uint32_t> cell = grid.cell_around(touched.all.bounds());
    if (!cell) return std::nullopt;

    const data::Box inside = touched.all.bounds().relative_to(grid.cell(*cell).lo);
    base::Hasher hasher(shape.usage());
    for (const std::int64_t at : inside.lo) hasher.add(static_cast<std::uint64_t>(at));
    for (const std::int64_t at : inside.hi) hasher.add(static_cast<std::uint64_t>(at));
    const std::uint64_t hash = hasher.finish().low;
    const Lone* lone = lone_.find_if(hash, [&](const Lone& known) {
        return known.usage == shape.usage() && same(known.inside, inside);
    });
    const bool is_new = lone == nullptr;
    if (is_new) [[unlikely]]
        lone = &lone_.add(hash, {inside, shape.usage(), groups_.key_of(single(shape, inside))});
    lone_piece_ = {lone->access, *cell};
    return Pieces{.all = {&lone_piece_, 1},
                  .overwrites_all = overwrites(shape.privilege) && grid.cell_count() == 1 &&
                                    touched.all.bounds().contains(grid.bounds()),
                  .is_new = is_new};
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
    return lone_.bytes() + analysis::held_bytes(pieces_) + analysis::held_bytes(slots_);
}

}  // namespace refrain::states
