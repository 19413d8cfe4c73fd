#include "fit/nnls.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <limits>

namespace refrain::proxy {
namespace {

Eigen::Map<const Eigen::MatrixXd> view(const Matrix& a) {
    return {a.values.data(), static_cast<Eigen::Index>(a.rows),
            static_cast<Eigen::Index>(a.columns())};
}

/// The unconstrained solution in the columns that are in use; 0 in the others.
Eigen::VectorXd solution_within(const Eigen::MatrixXd& a, const Eigen::VectorXd& b,
                                const std::vector<Eigen::Index>& used) {
    Eigen::MatrixXd part(a.rows(), static_cast<Eigen::Index>(used.size()));
    for (std::size_t i = 0; i < used.size(); ++i)
        part.col(static_cast<Eigen::Index>(i)) = a.col(used[i]);
    const Eigen::VectorXd solved = part.colPivHouseholderQr().solve(b);
    Eigen::VectorXd all = Eigen::VectorXd::Zero(a.cols());
    for (std::size_t i = 0; i < used.size(); ++i)
        all[used[i]] = solved[static_cast<Eigen::Index>(i)];
    return all;
}

}  // namespace

std::vector<double> nnls(const Matrix& matrix, const std::vector<double>& right) {
    const Eigen::MatrixXd a = view(matrix);
    const Eigen::VectorXd b =
        Eigen::Map<const Eigen::VectorXd>(right.data(), static_cast<Eigen::Index>(right.size()));
    Eigen::VectorXd x = Eigen::VectorXd::Zero(a.cols());
    std::vector<Eigen::Index> used;
    std::vector<bool> refused(static_cast<std::size_t>(a.cols()), false);
    const double tolerance = 10 * std::numeric_limits<double>::epsilon() *
                             static_cast<double>(std::max(a.rows(), a.cols())) *
                             std::max(a.cwiseAbs().colwise().sum().maxCoeff(), 1e-300) *
                             std::max(b.cwiseAbs().sum(), 1e-300);
    const auto is_used = [&](Eigen::Index column) {
        return std::find(used.begin(), used.end(), column) != used.end();
    };
    for (Eigen::Index turn = 0; turn < 10 * a.cols(); ++turn) {
        const Eigen::VectorXd gain = a.transpose() * (b - a * x);
        Eigen::Index best = -1;
        for (Eigen::Index i = 0; i < a.cols(); ++i)
            if (!is_used(i) && !refused[static_cast<std::size_t>(i)] && gain[i] > tolerance &&
                (best < 0 || gain[i] > gain[best]))
                best = i;
        if (best < 0) break;
        used.push_back(best);
        Eigen::VectorXd next = solution_within(a, b, used);
        if (next[best] <= 0) {  // by rounding only: the column would leave at once
            used.pop_back();
            refused[static_cast<std::size_t>(best)] = true;
            continue;
        }
        std::fill(refused.begin(), refused.end(), false);
        while (true) {
            double step = 1;
            for (const Eigen::Index i : used)
                if (next[i] <= 0) step = std::min(step, x[i] / (x[i] - next[i]));
            x += step * (next - x);
            if (step == 1) break;
            const auto gone = [&](Eigen::Index i) {
                return next[i] <= 0 && x[i] <= 1e-14 * x.maxCoeff();
            };
            for (const Eigen::Index i : used)
                if (gone(i)) x[i] = 0;
            used.erase(std::remove_if(used.begin(), used.end(), gone), used.end());
            next = solution_within(a, b, used);
        }
        for (Eigen::Index i = 0; i < a.cols(); ++i)
            if (!is_used(i)) x[i] = 0;
    }
    return {x.data(), x.data() + x.size()};
}

std::size_t rank_of(const Matrix& a) {
    if (a.values.empty()) return 0;
    return static_cast<std::size_t>(view(a).colPivHouseholderQr().rank());
}

}  // namespace refrain::proxy
