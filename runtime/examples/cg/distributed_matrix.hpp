/// A sparse matrix in regions, cut into pieces.
///
///     rows        0 | 1 2 | 3         the rows of a piece: the part of each vector it computes
///     elements    of these rows, side by side
///     columns     {0 3} {0 1 2 1 2} {0 3}
///     needed      {0,3} {0,1,2} {0,3}     image of the columns: the part of a vector it reads
#pragma once

#include "refrain/refrain.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cg/sparse_matrix.hpp"
#include "cg/tasks.hpp"

namespace cg {

using VectorRegion = refrain::Region<double, 1>;

class DistributedMatrix {
  public:
    DistributedMatrix(refrain::Runtime& runtime, const SparseMatrix& matrix, std::int64_t pieces)
        : size_(refrain::extents(matrix.size)),
          ranges_(runtime.create_region<ElementRange>(size_, "rows")),
          columns_(region_of(runtime, matrix.columns, "columns")),
          values_(region_of(runtime, matrix.values, "values")),
          rows_(row_partition(matrix, pieces)),
          elements_(element_partition(matrix, pieces)),
          needed_(runtime.image(size_, elements_, columns_)) {
        const auto ranges = runtime.write(ranges_);
        for (const refrain::Point<1> row : size_)
            ranges[row] = {matrix.begin(row[0]), matrix.end(row[0])};
    }

    [[nodiscard]] const refrain::Rect<1>& size() const { return size_; }
    /// The rows of each piece: the part of each vector that it computes.
    [[nodiscard]] const refrain::Partition<1>& rows() const { return rows_; }

    /// product = A v. A piece needs the elements of v that the columns of its matrix elements point
    /// to: their image, which is neither a block nor disjoint from other pieces.
    void multiply(refrain::Runtime& runtime, const VectorRegion& product,
                  const VectorRegion& v) const {
        runtime.launch("multiply", rows_.colours(), Multiply{}, write(product, rows_),
                       read(ranges_, rows_), read(columns_, elements_), read(values_, elements_),
                       read(v, needed_));
    }

  private:
    template <class T>
    [[nodiscard]] static refrain::Region<T, 1> region_of(refrain::Runtime& runtime,
                                                         const std::vector<T>& values,
                                                         const char* name) {
        auto region = runtime.create_region<T>(refrain::extents(values.size()), name);
        const auto view = runtime.write(region);
        std::copy(values.begin(), values.end(), view.elements().begin());
        return region;
    }
    [[nodiscard]] static refrain::Partition<1> row_partition(const SparseMatrix& matrix,
                                                             std::int64_t pieces) {
        std::vector<refrain::Rect<1>> rects;
        for (const Rows& rows : pieces_of(matrix, pieces)) rects.push_back({rows.begin, rows.end});
        return refrain::rectangles(refrain::extents(matrix.size), refrain::extents(pieces), rects);
    }
    [[nodiscard]] static refrain::Partition<1> element_partition(const SparseMatrix& matrix,
                                                                 std::int64_t pieces) {
        std::vector<refrain::Rect<1>> rects;
        for (const Rows& rows : pieces_of(matrix, pieces))
            rects.push_back({matrix.begin(rows.begin), matrix.begin(rows.end)});
        return refrain::rectangles(refrain::extents(matrix.element_count()),
                                   refrain::extents(pieces), rects);
    }

    refrain::Rect<1> size_;
    refrain::Region<ElementRange, 1> ranges_;
    refrain::Region<std::int64_t, 1> columns_;
    VectorRegion values_;
    refrain::Partition<1> rows_, elements_, needed_;
};

}  // namespace cg
