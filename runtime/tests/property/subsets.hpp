/// The subsets of a partition, computed element by element from their definitions.
#pragma once

#include <vector>

#include "property/program.hpp"

namespace refrain::property {

/// The oracle's partition: the elements of each colour, colours in row-major order.
struct Subsets {
    int space = 0;
    Box colours{};
    int colour_rank = 1;
    std::vector<Elements> of_colour;
};

/// The inputs of a partition besides numbers.
struct SubsetSources {
    const std::vector<Space>* spaces = nullptr;
    const Subsets* of = nullptr;                         // halo, ghost, image, preimage
    const std::vector<std::uint64_t>* values = nullptr;  // image, preimage: of the pointers
    int pointer_space = 0;                               // image, preimage: of the pointer region
};

/// The elements of `box` within `space`.
[[nodiscard]] Elements elements_of(const Space& space, const Box& box);
/// The point of element e of a space.
[[nodiscard]] Coordinates point_of_element(const Space& space, int element);
[[nodiscard]] int element_at(const Space& space, const Coordinates& point);

/// Computes the partition that `create` describes.
[[nodiscard]] Subsets make_subsets(const CreatePartition& create, const SubsetSources& sources);

}  // namespace refrain::property
