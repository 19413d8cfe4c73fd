/// The subsets of a partition, computed as plainly as their definitions read: element by element.
#pragma once

#include <vector>

#include "property/program.hpp"

namespace refrain::property {

/// A partition as the oracle sees it: which elements each colour has, colours row-major.
struct Subsets {
    int space = 0;
    Box colours{};
    int colour_rank = 1;
    std::vector<Elements> of_colour;
};

/// What a partition may be made from, besides numbers.
struct SubsetSources {
    const std::vector<Space>* spaces = nullptr;
    const Subsets* of = nullptr;                         // halo, ghost, image, preimage
    const std::vector<std::uint64_t>* values = nullptr;  // image, preimage: of the pointers
    int pointer_space = 0;                               // where the pointers lie
};

/// Elements of `box` within `space`.
[[nodiscard]] Elements elements_of(const Space& space, const Box& box);
/// The point at which element e of a space lies.
[[nodiscard]] Coordinates point_of_element(const Space& space, int element);
[[nodiscard]] int element_at(const Space& space, const Coordinates& point);

/// The partition that `create` asks for.
[[nodiscard]] Subsets make_subsets(const CreatePartition& create, const SubsetSources& sources);

}  // namespace refrain::property
