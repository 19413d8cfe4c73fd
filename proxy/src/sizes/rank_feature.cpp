#include "sizes/rank_feature.hpp"

#include "sizes/partner.hpp"

namespace refrain::proxy {

bool RankFeature::holds(std::int64_t rank, std::int64_t ranks) const {
    switch (kind) {
        case Kind::first:
            return rank == 0;
        case Kind::last:
            return rank == ranks - 1;
        case Kind::odd:
            return rank % 2 == 1;
        case Kind::low_edge:
            return grid_coordinate(rank, ranks, dims, axis) == 0;
        case Kind::high_edge:
            return grid_coordinate(rank, ranks, dims, axis) == grid_side(ranks, dims, axis) - 1;
    }
    return false;
}

std::string RankFeature::text() const {
    const std::string where = std::to_string(dims) + ", " + std::to_string(axis) + ")";
    switch (kind) {
        case Kind::first:
            return "me[0] == 0";
        case Kind::last:
            return "me[0] == size[0] - 1";
        case Kind::odd:
            return "me[0] % 2 == 1";
        case Kind::low_edge:
            return "coordinate(me[0], size[0], " + where + " == 0";
        case Kind::high_edge:
            return "coordinate(me[0], size[0], " + where + " == side(size[0], " + where + " - 1";
    }
    return "0";
}

unsigned key_of(const std::vector<RankFeature>& features, const Setting& at) {
    unsigned key = 0;
    for (std::size_t i = 0; i < features.size(); ++i)
        if (features[i].holds(at.rank, at.ranks)) key |= 1U << i;
    return key;
}

}  // namespace refrain::proxy
