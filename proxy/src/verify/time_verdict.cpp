#include "verify/time_verdict.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <random>

namespace refrain::proxy {
namespace {

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double variation_of(const std::vector<double>& values) {
    if (values.size() < 2) return 0;
    const auto count = static_cast<double>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
    double squares = 0;
    for (const double value : values) squares += (value - mean) * (value - mean);
    return std::sqrt(squares / (count - 1)) / mean;
}

}  // namespace

TimeVerdict compare_times(const std::vector<double>& original, const std::vector<double>& proxy) {
    constexpr std::size_t resamples = 4000;
    constexpr double left_out = 0.025;  // at each end
    TimeVerdict verdict;
    if (*std::min_element(original.begin(), original.end()) <= 0) return verdict;
    verdict.measured = true;
    verdict.ratio = median(proxy) / median(original);
    verdict.variation = variation_of(original);
    std::mt19937_64 random(1);
    const auto drawn = [&](const std::vector<double>& from) {
        std::vector<double> values;
        for (std::size_t i = 0; i < from.size(); ++i)
            values.push_back(from[random() % from.size()]);
        return median(values);
    };
    std::vector<double> ratios;
    for (std::size_t i = 0; i < resamples; ++i) {
        const double again = drawn(original);
        ratios.push_back(drawn(proxy) / again);
    }
    std::sort(ratios.begin(), ratios.end());
    const auto at = static_cast<std::size_t>(left_out * static_cast<double>(resamples));
    verdict.low = ratios[at];
    verdict.high = ratios[resamples - 1 - at];
    return verdict;
}

}  // namespace refrain::proxy
