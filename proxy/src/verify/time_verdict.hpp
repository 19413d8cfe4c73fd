#pragma once

#include <vector>

namespace refrain::proxy {

/// How a proxy's time compares with the original's, of runs that took turns.
///
///     original {1.00, 1.01, 1.02}, proxy {1.03, 1.04, 1.05}  ->  ratio 1.03, 1.01 to 1.05, varies by 1.0 %
///
/// Source: the bootstrap's percentile interval (Efron): both series are drawn again from what was measured, with replacement.
struct TimeVerdict {
    double ratio = 0;  // of the medians: proxy / original
    double low = 0;    // the middle 95 % of the ratios of resampled runs
    double high = 0;
    double variation = 0;   // of the original: standard deviation / mean
    bool measured = false;  // false: a time of the original is 0, below what its clock tells

    /// An original that varies more than this says nothing about its proxy.
    static constexpr double variation_max = 0.05;
    [[nodiscard]] bool exists() const { return measured && variation <= variation_max; }
};

/// The same for the same times. Each series has a time or more.
[[nodiscard]] TimeVerdict compare_times(const std::vector<double>& original,
                                        const std::vector<double>& proxy);

}  // namespace refrain::proxy
