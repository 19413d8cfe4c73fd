/// The tasks of the program. Batches are matrices with a row per sample, cut into pieces; a task
/// gets one piece of each batch and all weights of a layer.
#pragma once

#include "refrain/refrain.hpp"

#include <algorithm>
#include <cstdint>

#include "mlp/dense.hpp"

namespace mlp {

using Matrix = refrain::Region<double, 2>;
using Rows = refrain::View<double, 2>;
using ConstRows = refrain::View<const double, 2>;
using Gradient = refrain::ReduceView<refrain::Sum, double, 2>;

template <class F>
void for_rows(const refrain::Rect<2>& piece, const F& f) {
    for (std::int64_t row = piece.lo[0]; row < piece.hi[0]; ++row) f(row);
}

/// Copies samples from `first` on. The index is a scalar, not another region, so it does not change
/// the launch.
struct Load {
    void operator()(Rows x, Rows answers, ConstRows all_x, ConstRows all_answers,
                    std::int64_t first) const {
        for_rows(x.domain(), [&](std::int64_t row) {
            std::ranges::copy(all_x.row(first + row), x.row(row).begin());
            std::ranges::copy(all_answers.row(first + row), answers.row(row).begin());
        });
    }
};

struct Forward {
    void operator()(Rows y, ConstRows x, ConstRows weights, Activation activation) const {
        for_rows(y.domain(), [&](std::int64_t row) {
            forward(weights.span(), x.row(row), activation, y.row(row));
        });
    }
};

struct DifferentiateLoss {
    void operator()(Rows delta, ConstRows y, ConstRows answers) const {
        const auto samples = static_cast<std::size_t>(delta.region_bounds().extent(0));
        for_rows(delta.domain(), [&](std::int64_t row) {
            differentiate_loss(y.row(row), answers.row(row), samples, delta.row(row));
        });
    }
};

struct Backward {
    void operator()(Rows below, ConstRows x, ConstRows delta, ConstRows weights) const {
        for_rows(below.domain(), [&](std::int64_t row) {
            backward(weights.span(), x.row(row), delta.row(row), below.row(row));
        });
    }
};

/// Sums the samples of a piece; the reduction sums the pieces.
struct SumGradient {
    void operator()(Gradient gradient, ConstRows x, ConstRows delta) const {
        for_rows(x.domain(), [&](std::int64_t row) {
            for_gradient(x.row(row), delta.row(row), [&](auto i, auto j, double value) {
                gradient.reduce({i, j}, value);
            });
        });
    }
};

/// Updates a band of rows of the weights.
struct Update {
    void operator()(Rows weights, Rows velocity, ConstRows gradient, Descent descend) const {
        descend(weights.span(), velocity.span(), gradient.span());
    }
};

struct SumLoss {
    [[nodiscard]] double operator()(ConstRows y, ConstRows answers) const {
        double sum = 0;
        for_rows(y.domain(),
                 [&](std::int64_t row) { sum += squared_distance(y.row(row), answers.row(row)); });
        return sum;
    }
};

}  // namespace mlp
