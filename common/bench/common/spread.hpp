#pragma once

#include <nlohmann/json.hpp>
#include <vector>

namespace bench {

/// The value below which `share` of the values lie, between two of them in proportion.
///
///     quantile({4, 1, 3, 2}, 0.5)     -> 2.5
///
/// Shapes: at least one value; 0 <= share <= 1.
[[nodiscard]] double quantile(std::vector<double> values, double share);

/// The middle of several measurements, and the half of them around it.
struct Spread {
    double median = 0;
    double low = 0;   // a quarter of the measurements lie below
    double high = 0;  // a quarter of the measurements lie above
};

[[nodiscard]] Spread spread_of(const std::vector<double>& values);

/// {"median", "low", "high", "values"}
[[nodiscard]] nlohmann::json spread_json(const std::vector<double>& values);

}  // namespace bench
