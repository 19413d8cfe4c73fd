/// A tiny array library on top of Refrain, in the style of NumPy: arrays are values, and each
/// operation creates a new one.
///
///     ArrayLibrary arrays(runtime, n, tiles);
///     Vector x = arrays.vector(values, "x");
///     x = (b - dot(R, x)) / d;                // three launches, three new regions
///
/// Arrays are immutable. So a copy is a second handle to the same region, and a region is destroyed
/// with its last handle, even while tasks that use it are pending.
#pragma once

#include "refrain/refrain.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace jacobi {

class Matrix;
class Vector;

/// Creates arrays of one size, cut into the same tiles.
class ArrayLibrary {
  public:
    ArrayLibrary(refrain::Runtime& runtime, std::int64_t size, std::int64_t tile_count)
        : runtime_(runtime),
          tiles_(refrain::tiles(refrain::extents(size), tile_count)),
          bands_(refrain::rows(refrain::extents(size, size), tile_count)) {}

    [[nodiscard]] Vector vector(const std::vector<double>& values, const char* name);
    [[nodiscard]] Matrix matrix(const std::vector<double>& values, const char* name);

  private:
    friend class Vector;
    friend Vector dot(const Matrix& matrix, const Vector& x);

    template <int R>
    [[nodiscard]] refrain::Region<double, R> region(const refrain::Rect<R>& bounds,
                                                    const std::vector<double>& values,
                                                    const char* name) {
        auto region = runtime_.create_region<double>(bounds, name);
        const auto view = runtime_.write(region);
        std::copy(values.begin(), values.end(), view.elements().begin());
        return region;
    }

    refrain::Runtime& runtime_;
    refrain::Partition<1> tiles_;
    refrain::Partition<2, 1> bands_;  // the rows of each tile
};

class Matrix {
  private:
    friend class ArrayLibrary;
    friend Vector dot(const Matrix& matrix, const Vector& x);
    explicit Matrix(refrain::Region<double, 2> region) : region_(std::move(region)) {}

    refrain::Region<double, 2> region_;
};

class Vector {
  public:
    friend Vector operator-(const Vector& a, const Vector& b) {
        return a.combined_with(b, "subtract", [](double x, double y) { return x - y; });
    }
    friend Vector operator/(const Vector& a, const Vector& b) {
        return a.combined_with(b, "divide", [](double x, double y) { return x / y; });
    }
    friend Vector dot(const Matrix& matrix, const Vector& x);

    /// Waits for the tasks that write them.
    [[nodiscard]] std::vector<double> values() const {
        const auto view = library_->runtime_.read(region_);
        return {view.elements().begin(), view.elements().end()};
    }

  private:
    friend class ArrayLibrary;
    Vector(ArrayLibrary& library, refrain::Region<double, 1> region)
        : library_(&library), region_(std::move(region)) {}

    /// A vector whose elements are not set yet.
    [[nodiscard]] Vector fresh() const {
        return {*library_, library_->runtime_.create_region<double>(region_.bounds())};
    }

    template <class Operation>
    [[nodiscard]] Vector combined_with(const Vector& other, refrain::LaunchSite site,
                                       Operation operation) const;

    ArrayLibrary* library_;
    refrain::Region<double, 1> region_;
};

inline Vector ArrayLibrary::vector(const std::vector<double>& values, const char* name) {
    return {*this, region(tiles_.space(), values, name)};
}

inline Matrix ArrayLibrary::matrix(const std::vector<double>& values, const char* name) {
    return Matrix(region(bands_.space(), values, name));
}

/// Applies `Operation` element by element, with one task per tile.
template <class Operation>
Vector Vector::combined_with(const Vector& other, refrain::LaunchSite site,
                             Operation operation) const {
    using namespace refrain;
    const Partition<1>& tiles = library_->tiles_;
    Vector result = fresh();
    library_->runtime_.launch(
        site, tiles.colours(),
        [operation](View<double, 1> out, View<const double, 1> a, View<const double, 1> b) {
            for (const Point<1> i : out.domain()) out[i] = operation(a[i], b[i]);
        },
        write(result.region_, tiles), read(region_, tiles), read(other.region_, tiles));
    return result;
}

/// Matrix (n,n) times vector (n) -> (n), with one task per band of rows. Each task reads all of x.
inline Vector dot(const Matrix& matrix, const Vector& x) {
    using namespace refrain;
    ArrayLibrary& library = *x.library_;
    Vector result = x.fresh();
    library.runtime_.launch(
        "dot", library.tiles_.colours(),
        [](View<double, 1> out, View<const double, 2> rows, View<const double, 1> in) {
            const auto elements = in.span();
            for (const Point<1> i : out.domain()) {
                const auto row = rows.row(i[0]);
                double sum = 0;
                for (std::size_t j = 0; j < row.size(); ++j) sum += row[j] * elements[j];
                out[i] = sum;
            }
        },
        write(result.region_, library.tiles_), read(matrix.region_, library.bands_),
        read(x.region_));
    return result;
}

}  // namespace jacobi
