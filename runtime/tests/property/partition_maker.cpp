#include <algorithm>

#include "property/statement_maker.hpp"

namespace refrain::property {

Box StatementMaker::small_colours(int rank) {
    Box box{{0, 0, 0}, {1, 1, 1}};
    for (int d = 0; d < rank; ++d) box.hi[d] = random_.between(1, rank == 1 ? 5 : 3);
    if (rank == 1 && random_.once_in(8)) box.hi[0] = random_.between(9, 12);  // several bundles
    return box;
}

Box StatementMaker::box_in(const Space& space) {
    Box box = space.bounds;
    for (int d = 0; d < space.rank; ++d) {
        const auto extent = static_cast<int>(space.bounds.extent(d));
        const int length = random_.between(random_.once_in(8) ? 0 : 1, extent);
        box.lo[d] = space.bounds.lo[d] + random_.between(0, extent - length);
        box.hi[d] = box.lo[d] + length;
    }
    return box;
}

CreatePartition StatementMaker::partition(int slot) {
    CreatePartition create;
    create.partition = slot;
    if (style_.many_pieces && slot == 0) {
        create.kind = PartitionKind::tiles;
        create.counts = {16, 1, 1};
        return create;
    }
    create.space = random_.below(static_cast<int>(scope_.program().spaces.size()));
    const int choice = random_.below(10);
    if (choice < 2 && !style_.tasks_only && pointer_partition(create)) return create;
    if (choice < 5) {
        create.of = partition_of_space(create.space);
        if (create.of >= 0) {
            derived_partition(create);
            return create;
        }
    }
    plain_partition(create);
    return create;
}

void StatementMaker::broad_partition(CreatePartition& create) {
    const Space& space = scope_.oracle().space(create.space);
    create.of = -1;
    create.colour_rank = random_.between(1, 3);
    const int extent = create.colour_rank == 1 ? 65 : create.colour_rank == 2 ? 9 : 5;
    create.colours = {{0, 0, 0}, {1, 1, 1}};
    for (int d = 0; d < create.colour_rank; ++d)
        create.colours.hi[d] = random_.between(extent, extent + extent / 2);
    create.kind = random_.among<PartitionKind>({PartitionKind::tiles, PartitionKind::subsets,
                                                PartitionKind::subsets, PartitionKind::rectangles,
                                                PartitionKind::whole});
    for (int d = 0; d < rank_max; ++d)
        create.counts[d] = random_.between(space.rank == 1 ? 65 : 1, space.rank == 1 ? 130 : 9);
    const auto colours = static_cast<int>(create.colours.volume());
    for (int c = 0; c < colours; ++c) create.rectangles.push_back(box_in(space));
    create.subsets.assign(static_cast<std::size_t>(colours), 0);
    for (int e = 0; e < space.size(); ++e) {
        const int first = random_.below(colours);
        create.subsets[static_cast<std::size_t>(first)] |= Elements{1} << e;
    }
    if (!random_.once_in(3)) return;
    for (int shared = 0; shared < 8; ++shared) {
        const int again = random_.below(colours);
        create.subsets[static_cast<std::size_t>(again)] |= Elements{1}
                                                           << random_.below(space.size());
    }
}

void StatementMaker::plain_partition(CreatePartition& create) {
    using enum PartitionKind;
    if (style_.broad && random_.once_in(2)) return broad_partition(create);
    const Space& space = scope_.oracle().space(create.space);
    create.kind = space.rank == 2 ? random_.among<PartitionKind>({tiles, rows, columns, rectangles,
                                                                  subsets, whole, tiles_of_extent})
                                  : random_.among<PartitionKind>({tiles, tiles, tiles_of_extent,
                                                                  rectangles, subsets, whole});
    create.of = -1;
    create.colour_rank = random_.among<int>({1, 1, 1, 2});
    create.colours = small_colours(create.colour_rank);
    for (int d = 0; d < rank_max; ++d) create.counts[d] = random_.between(1, 3);
    if (space.rank == 1) create.counts[0] = random_.between(1, random_.once_in(4) ? 12 : 5);
    if (create.kind == tiles_of_extent)  // not too many
        for (int d = 0; d < space.rank; ++d)
            create.counts[d] = std::max<std::int64_t>(create.counts[d], space.bounds.extent(d) / 5);
    for (std::int64_t c = 0; c < create.colours.volume(); ++c) {
        create.rectangles.push_back(box_in(space));
        const Elements some = random_.word() & random_.word() & space.all();
        create.subsets.push_back(random_.once_in(8) ? 0 : some);
    }
    if (create.kind == subsets && random_.once_in(2)) {  // disjoint ones
        Elements taken = 0;
        for (Elements& subset : create.subsets) {
            subset &= ~taken;
            taken |= subset;
        }
    }
}

void StatementMaker::derived_partition(CreatePartition& create) {
    create.kind = random_.once_in(3) ? PartitionKind::ghost : PartitionKind::halo;
    create.periodic = random_.once_in(3);
    for (int d = 0; d < scope_.oracle().space(create.space).rank; ++d) {
        create.low[d] = random_.between(0, 2);
        create.high[d] = random_.between(0, 2);
    }
}

bool StatementMaker::pointer_partition(CreatePartition& create) {
    std::vector<int> pointers;
    for (int slot = 0; slot < static_cast<int>(scope_.regions.size()); ++slot)
        if (has_pointers(scope_.regions[static_cast<std::size_t>(slot)].make))
            pointers.push_back(slot);
    if (pointers.empty()) return false;
    create.pointers = random_.among(pointers);
    const CreateRegion& make = scope_.regions[static_cast<std::size_t>(create.pointers)].make;
    const bool forward = random_.once_in(2);
    create.kind = forward ? PartitionKind::image : PartitionKind::preimage;
    create.of = partition_of_space(forward ? make.space : make.pointee);
    const int own_space = create.space;
    create.space = forward ? make.pointee : make.space;
    if (create.of >= 0 && scope_.judge({create}) == Legality::legal) return true;
    create.pointers = create.of = -1;
    create.space = own_space;
    return false;
}

}  // namespace refrain::property
