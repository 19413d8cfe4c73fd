/// Cuts works with constraints (refrain/array/constraint.hpp): from constraints on views to the parts of regions.
///
///     bloat(0, 1, {1}, {1}), arguments of 10 elements, two tiles
///     argument 0   [0,5) [5,10)      argument 1   [0,6) [4,10)
///
/// Cuts are remembered per constraints, views and key partitions; those with images also per version of the
/// pointers.
///
/// Threads: the launching thread.
#pragma once

#include "refrain/array/work.hpp"
#include "refrain/dynamic.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "stores/solver.hpp"
#include "stores/store_table.hpp"

namespace refrain::array {

/// How a work is cut.
struct Cut {
    struct Use {
        std::shared_ptr<const Tiling> tiling;  // of the view
        dynamic::AnyPartition partition;       // of the region
        bool exact = true;                     // no box of it holds other elements
        bool apart = true;                     // no two boxes of it share one
    };
    int tiles = 1;
    std::vector<Use> uses;  // none if there is one tile
};

class Partitioner {
  public:
    Partitioner(Machine& machine, TilingTable& tilings) : machine_(machine), tilings_(tilings) {}

    /// So many tiles; one where tasks would write what others use.
    /// Errors: ArrayError for constraints that cannot be satisfied.
    [[nodiscard]] std::shared_ptr<const Cut> cut(const Work& work, int tiles);

  private:
    using Key = std::vector<std::uint64_t>;
    struct KeyHash {
        std::size_t operator()(const Key& key) const noexcept;
    };
    [[nodiscard]] static Key key_of(const Work& work, int tiles);
    [[nodiscard]] Cut make(const Work& work, int tiles);
    [[nodiscard]] std::vector<IndexBox> image(const Array& pointers, const Array& target,
                                              const Tiling& tiling);

    Machine& machine_;
    TilingTable& tilings_;
    std::unordered_map<Key, std::shared_ptr<const Cut>, KeyHash> cuts_;
};

/// Errors: ArrayError for a constraint that names arguments or dimensions which there are not.
void check_constraints(const Work& work);

/// What messages call a use of a work: "argument 'x'", or "argument 1" without a name.
[[nodiscard]] std::string argument_of(const Work& work, std::size_t use);

/// The part of a layout in a box of its indices.
[[nodiscard]] Layout part_of(const Layout& layout, const IndexBox& box);

}  // namespace refrain::array
