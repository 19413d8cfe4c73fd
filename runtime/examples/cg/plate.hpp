/// A realistic matrix: heat conduction in a plate with a hole, by linear finite elements on an
/// irregular mesh with irregular numbering.
///
///     The unit square, cut into (size + 1) x (size + 1) cells of two triangles each. Inner
///     corners are moved at random, each cell's diagonal is drawn, cells in the hole are left out,
///     and in a disc the plate conducts ten times better. The outer edge has temperature zero and
///     no unknowns. Three to ten elements per row.
///
/// Symmetric because conduction is symmetric; positive definite because the temperature of the edge
/// is fixed.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "cg/sparse_matrix.hpp"

namespace cg {

struct PlateOptions {
    std::int64_t size = 24;     // inner corners of the mesh along an edge
    std::int64_t shuffle = 12;  // an unknown moves at most this far from row order; 0: not at all
    std::uint64_t seed = 1;
};

class Plate {
  public:
    explicit Plate(const PlateOptions& options)
        : options_(options), per_edge_(options.size + 2), bits_(options.seed) {
        place_points();
        for (std::int64_t row = 0; row + 1 < per_edge_; ++row)
            for (std::int64_t column = 0; column + 1 < per_edge_; ++column) add_cell(row, column);
    }

    [[nodiscard]] SparseMatrix matrix() {
        const std::vector<std::int64_t> number = number_unknowns();
        std::vector<Element> elements;
        for (const auto& [place, value] : stiffness_)
            elements.push_back({number[static_cast<std::size_t>(place.first)],
                                number[static_cast<std::size_t>(place.second)], value});
        return compress(unknowns_, std::move(elements));
    }

    struct Position {
        double x = 0, y = 0;
        [[nodiscard]] double distance_to(const Position& other) const {
            return std::hypot(x - other.x, y - other.y);
        }
    };
    /// Where the unknowns of matrix() are. Of another Plate: the numbering draws random numbers.
    [[nodiscard]] std::vector<Position> unknowns() {
        const std::vector<std::int64_t> number = number_unknowns();
        std::vector<Position> places(static_cast<std::size_t>(unknowns_));
        for (std::size_t point = 0; point < points_.size(); ++point)
            if (number[point] >= 0)
                places[static_cast<std::size_t>(number[point])] = points_[point];
        return places;
    }

  private:
    [[nodiscard]] double uniform() { return static_cast<double>(bits_() >> 11) * 0x1p-53; }
    [[nodiscard]] bool is_inner(std::int64_t point) const {
        const std::int64_t row = point / per_edge_;
        const std::int64_t column = point % per_edge_;
        return row > 0 && row + 1 < per_edge_ && column > 0 && column + 1 < per_edge_;
    }

    /// Moves corners by at most 0.15 of a cell along each axis, so that all triangles keep their
    /// orientation: twice the area is at least 0.7 * 0.7 - 1.3 * 0.3 > 0 in units of a cell.
    void place_points() {
        const double cell = 1 / static_cast<double>(per_edge_ - 1);
        for (std::int64_t point = 0; point < per_edge_ * per_edge_; ++point) {
            const double along = is_inner(point) ? 0.3 * uniform() - 0.15 : 0;
            const double across = is_inner(point) ? 0.3 * uniform() - 0.15 : 0;
            points_.push_back({(static_cast<double>(point % per_edge_) + along) * cell,
                               (static_cast<double>(point / per_edge_) + across) * cell});
        }
    }

    void add_cell(std::int64_t row, std::int64_t column) {
        const std::int64_t a = row * per_edge_ + column;
        const std::int64_t b = a + 1;
        const std::int64_t c = b + per_edge_;
        const std::int64_t d = a + per_edge_;
        const bool rising = uniform() < 0.5;
        const double cell = 1 / static_cast<double>(per_edge_ - 1);
        const Position centre{(static_cast<double>(column) + 0.5) * cell,
                              (static_cast<double>(row) + 0.5) * cell};
        if (centre.distance_to({0.65, 0.4}) < 0.15) return;
        const double conductivity = centre.distance_to({0.3, 0.7}) < 0.2 ? 10 : 1;
        if (rising) {
            add_triangle({a, b, c}, conductivity);
            add_triangle({a, c, d}, conductivity);
        } else {
            add_triangle({a, b, d}, conductivity);
            add_triangle({b, c, d}, conductivity);
        }
    }

    /// Adds the integral of conductivity * grad f_i * grad f_j, where f_i is one at corner i and
    /// zero at the others: a gradient is the opposite edge, rotated, divided by twice the area.
    void add_triangle(const std::array<std::int64_t, 3>& corners, double conductivity) {
        std::array<Position, 3> edges;
        for (std::size_t i = 0; i < 3; ++i) {
            const Position& from = points_[static_cast<std::size_t>(corners[(i + 1) % 3])];
            const Position& to = points_[static_cast<std::size_t>(corners[(i + 2) % 3])];
            edges[i] = {to.x - from.x, to.y - from.y};
        }
        const double twice_area = edges[0].x * edges[1].y - edges[0].y * edges[1].x;
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j <= i; ++j) {
                const double product = edges[i].x * edges[j].x + edges[i].y * edges[j].y;
                add(corners[i], corners[j], conductivity * product / (2 * twice_area));
            }
    }

    /// Adds the same number in both places, so that they stay equal to the bit.
    void add(std::int64_t a, std::int64_t b, double value) {
        if (!is_inner(a) || !is_inner(b)) return;
        stiffness_[{a, b}] += value;
        if (a != b) stiffness_[{b, a}] += value;
    }

    /// Numbers the unknowns row by row, each moved by a random distance.
    [[nodiscard]] std::vector<std::int64_t> number_unknowns() {
        std::vector<std::int64_t> order;
        std::vector<double> keys(points_.size(), 0.0);
        for (std::size_t point = 0; point < points_.size(); ++point) {
            const auto at = static_cast<std::int64_t>(point);
            if (stiffness_.count({at, at}) == 0) continue;  // on the edge, or in the hole
            keys[point] = static_cast<double>(order.size()) +
                          uniform() * static_cast<double>(options_.shuffle);
            order.push_back(at);
        }
        std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
            return keys[static_cast<std::size_t>(a)] < keys[static_cast<std::size_t>(b)];
        });
        unknowns_ = static_cast<std::int64_t>(order.size());
        std::vector<std::int64_t> number(points_.size(), -1);
        for (std::size_t i = 0; i < order.size(); ++i)
            number[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
        return number;
    }

    PlateOptions options_;
    std::int64_t per_edge_;  // corners along an edge
    std::mt19937_64 bits_;
    std::vector<Position> points_;
    std::map<std::pair<std::int64_t, std::int64_t>, double> stiffness_;
    std::int64_t unknowns_ = 0;
};

[[nodiscard]] inline SparseMatrix plate_matrix(const PlateOptions& options) {
    return Plate(options).matrix();
}

}  // namespace cg
