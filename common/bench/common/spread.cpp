#include "common/spread.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace bench {

double quantile(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    const double at = share * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
}

Spread spread_of(const std::vector<double>& values) {
    return {quantile(values, 0.5), quantile(values, 0.25), quantile(values, 0.75)};
}

nlohmann::json spread_json(const std::vector<double>& values) {
    const Spread spread = spread_of(values);
    return {
        {"median", spread.median}, {"low", spread.low}, {"high", spread.high}, {"values", values}};
}

}  // namespace bench
