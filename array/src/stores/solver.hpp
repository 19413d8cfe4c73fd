/// Chooses how the stores of one task are cut into tiles, from how their partitions must relate.
///
///     // y[i] += a[i-1] + a[i+1]; table is read whole
///     Problem p;                             two tiles of 10 elements
///     p.add("y", {10}, 80, nullptr);         y      [0,5) [5,10)
///     p.add("a", {10}, 80, nullptr);         a      [0,6) [4,10)      bloat(y, a, {1}, {1})
///     p.add("table", {4}, 32, nullptr);      table  [0,4) [0,4)       broadcast(table, all)
///
/// - align(a, b): equal shapes, equal partitions.
/// - broadcast(a, dims): those dimensions are not cut. What may be shared and is cut along none is whole in each tile.
/// - scale(a, b, factors): element i of a belongs to elements [i * f, (i + 1) * f) of b.
/// - bloat(a, b, low, high): element i of a belongs to elements i - low ... i + high of b.
/// - image(a, b, boxes): the elements of b that those of a point to, which the caller finds out.
///
/// Classes of aligned stores are found by union-find, with a mask of dimensions that are not cut. A
/// class that nothing determines takes its anchor: of the key partitions (of the last write) that
/// divide its elements and satisfy it, that of the most bytes; else a fresh one, cut along the dimension that it prefers, or
/// its first one that is long enough. The others follow from them in topological order.
///
/// Threads: a table and its users share a thread; tilings are immutable.
/// Source: thesis, chapter 3; anchors by bytes are ours.
#pragma once

#include "refrain/array/error.hpp"
#include "refrain/array/layout.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace refrain::array {

/// A box of indices, `hi` excluded.
struct IndexBox {
    Extents lo;
    Extents hi;
    friend bool operator==(const IndexBox&, const IndexBox&) = default;

    [[nodiscard]] bool is_empty() const noexcept {
        for (int d = 0; d < lo.size(); ++d)
            if (hi[d] <= lo[d]) return true;
        return false;
    }
};

/// A partition of a shape into one box per colour. Equal ones of one table have one address. Whoever
/// keeps one shares it (shared_from_this()).
struct Tiling : std::enable_shared_from_this<Tiling> {
    Extents shape;
    std::vector<IndexBox> boxes;
    std::uint64_t number = 0;
    bool divides = false;  // each element is in exactly one box

    Tiling(Extents of, std::vector<IndexBox> into, std::uint64_t its_number, bool does_divide)
        : shape(std::move(of)), boxes(std::move(into)), number(its_number), divides(does_divide) {}

    /// Whether no box is cut along a dimension of the mask.
    [[nodiscard]] bool is_whole_along(std::uint32_t dims) const noexcept;
    /// The only dimension along which boxes are cut; none if there is no such one.
    [[nodiscard]] std::optional<int> cut_dimension() const noexcept;
};

class TilingTable {
  public:
    [[nodiscard]] const Tiling* intern(const Extents& shape, std::vector<IndexBox> boxes);
    /// Even tiles along the preferred dimension, or the first one, that is outside of `unsplit` and has an element
    /// for each; if none has, one colour is the whole shape and the others are empty.
    [[nodiscard]] const Tiling* fresh(const Extents& shape, std::uint32_t unsplit, int tiles,
                                      int preferred = -1);
    /// The whole shape in each tile.
    [[nodiscard]] const Tiling* whole(const Extents& shape, int tiles) {
        return intern(shape, std::vector<IndexBox>(static_cast<std::size_t>(tiles),
                                                   {Extents(shape.size(), 0), shape}));
    }
    [[nodiscard]] std::size_t size() const noexcept { return by_hash_.size(); }
    /// Tilings made so far; one that is forgotten and made again counts twice.
    [[nodiscard]] std::uint64_t made() const noexcept { return made_; }
    /// Forgets those that only the table has.
    void forget_unused();

  private:
    std::unordered_multimap<std::uint64_t, std::shared_ptr<const Tiling>> by_hash_;
    std::uint64_t made_ = 0;
};

class Problem {
  public:
    /// Finds the boxes of an image from those of the pointers.
    using Image = std::function<std::vector<IndexBox>(const Tiling& pointers)>;

    /// The number of the new argument. `key`: the partition that it was last written through, or null.
    int add(std::string name, const Extents& shape, std::int64_t bytes, const Tiling* key);
    /// A fresh partition of the argument's class is cut along that dimension, if it may be.
    void prefer(int a, int dimension) {
        arguments_[static_cast<std::size_t>(a)].preferred = dimension;
    }
    /// Several tiles may have the same elements of the argument: it is not written.
    void share(int a) { arguments_[static_cast<std::size_t>(a)].is_shared = true; }
    void align(int a, int b, int line = __builtin_LINE());
    void broadcast(int a, std::uint32_t dims);
    void scale(int a, int b, const Extents& factors, int line = __builtin_LINE());
    void bloat(int a, int b, const Extents& low, const Extents& high, int line = __builtin_LINE());
    void image(int pointers, int target, Image image, int line = __builtin_LINE());

    /// A tiling per argument.
    /// Errors: ArrayError of kind value that names both arguments and the line: shapes that differ,
    ///     an argument that two constraints determine differently, dimensions that must stay whole and
    ///     would be cut, a cycle.
    [[nodiscard]] std::vector<const Tiling*> solve(TilingTable& table, int tiles) const;

  private:
    struct Argument {
        std::string name;
        Extents shape;
        std::int64_t bytes;
        const Tiling* key;
        std::uint32_t unsplit = 0;
        int preferred = -1;
        bool is_shared = false;
    };
    enum class Kind : std::uint8_t { align, scale, bloat, image };
    struct Constraint {
        Kind kind;
        int from;
        int to;
        int line;
        Extents low;  // or factors
        Extents high;
        Image image;
    };
    [[noreturn]] void refuse(const Constraint& constraint, const std::string& why) const;
    [[nodiscard]] const Tiling* follow(TilingTable& table, const Constraint& constraint,
                                       const Tiling& from) const;

    std::vector<Argument> arguments_;
    std::vector<Constraint> constraints_;
};

}  // namespace refrain::array
