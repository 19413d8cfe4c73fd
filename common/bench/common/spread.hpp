#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace bench {

/// The value below which `share` of the values lie, linearly interpolated between neighbours.
///
///     quantile({4, 1, 3, 2}, 0.5)     -> 2.5
///
/// Shapes: at least one value; 0 <= share <= 1.
[[nodiscard]] double quantile(std::vector<double> values, double share);

/// Median and quartiles of several measurements.
struct Spread {
    double median = 0;
    double low = 0;   // first quartile
    double high = 0;  // third quartile
};

[[nodiscard]] Spread spread_of(const std::vector<double>& values);

/// {"median", "low", "high", "values"}
[[nodiscard]] nlohmann::json spread_json(const std::vector<double>& values);

}  // namespace bench
