#include "states/piece_table.hpp"

#include "analysis/table_bytes.hpp"
#include "base/hash.hpp"

#include <utility>

namespace refrain::states {

PieceTable::Pieces PieceTable::pieces(AccessKey access, const analysis::CellGrid& grid) {
    if (const auto lone = lone_piece(access, grid)) return *lone;
    const Key key{access, &grid};
    const Known* known = known_.find(key);
    const bool is_new = known == nullptr;
    if (is_new) [[unlikely]]
        known = &known_.add(key, find_pieces(access, grid));
    return {known->pieces, known->overwrites_all, is_new};
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

PieceTable::Known PieceTable::find_pieces(AccessKey access, const analysis::CellGrid& grid) {
    const JointAccess joint = groups_.compute(access);
    Known known;
    for (auto& [cell, piece] : states::pieces(joint, grid))
        known.pieces.push_back({groups_.key_of(std::move(piece)), cell});
    known.pieces.shrink_to_fit();
    known.overwrites_all = joint.overwritten.contains(data::BoxSet(grid.bounds()));
    pieces_bytes_ += analysis::held_bytes(known.pieces) + analysis::bytes_per_block;
    return known;
}

std::size_t PieceTable::bytes() const {
    return lone_.bytes() + known_.bytes() + pieces_bytes_;
}

}  // namespace refrain::states
