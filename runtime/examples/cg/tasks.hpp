/// The tasks of the program; each works on the rows of one piece.
#pragma once

#include "refrain/refrain.hpp"

#include <cstdint>

#include "cg/scheme.hpp"

namespace cg {

using Vector = refrain::View<double, 1>;
using ConstVector = refrain::View<const double, 1>;
using Scalar = refrain::View<const double, 1>;  // a region of one element
using SumInto = refrain::ReduceView<refrain::Sum, double, 1>;

/// The position of a row's elements among those of the matrix.
struct ElementRange {
    std::int64_t begin = 0, end = 0;
};

/// product = A v for the rows of the piece; `v` has the elements that their columns point to.
struct Multiply {
    void operator()(Vector product, refrain::View<const ElementRange, 1> rows,
                    refrain::View<const std::int64_t, 1> columns, ConstVector values,
                    ConstVector v) const {
        for (const refrain::Point<1> row : product.domain()) {
            const ElementRange elements = rows[row];
            double sum = 0;
            for (std::int64_t e = elements.begin; e < elements.end; ++e)
                sum += values[e] * v[columns[e]];
            product[row] = sum;
        }
    }
};

/// total += a.b over the rows of the piece.
struct AddProduct {
    void operator()(SumInto total, ConstVector a, ConstVector b) const {
        double sum = 0;
        for (const refrain::Point<1> i : a.domain()) sum += a[i] * b[i];
        total.reduce(0, sum);
    }
};

struct SetKnownSolution {
    std::int64_t solve;
    void operator()(Vector v) const {
        for (const refrain::Point<1> i : v.domain()) v[i] = known_solution(solve, i[0]);
    }
};

/// x = 0; then the residual and the first direction equal the right-hand side.
struct Start {
    void operator()(Vector x, Vector r, Vector p, ConstVector b) const {
        for (const refrain::Point<1> i : x.domain()) {
            x[i] = 0;
            r[i] = p[i] = b[i];
        }
    }
};

/// Moves x to the minimum along p.
struct Advance {
    void operator()(Vector x, Vector r, ConstVector p, ConstVector q, Scalar squared_residual,
                    Scalar curvature) const {
        const double a = quotient(squared_residual[0], curvature[0]);
        for (const refrain::Point<1> i : x.domain()) {
            x[i] += a * p[i];
            r[i] -= a * q[i];
        }
    }
};

/// Computes the next direction, conjugate to all earlier ones.
struct Turn {
    void operator()(Vector p, ConstVector r, Scalar squared_residual, Scalar old) const {
        const double b = quotient(squared_residual[0], old[0]);
        for (const refrain::Point<1> i : p.domain()) p[i] = r[i] + b * p[i];
    }
};

struct Look {
    Progress operator()(Scalar squared_residual, Scalar curvature) const {
        return {squared_residual[0], curvature[0]};
    }
};

}  // namespace cg
