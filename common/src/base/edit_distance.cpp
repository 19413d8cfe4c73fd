#include "base/edit_distance.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace refrain::base {

std::size_t edit_distance(std::string_view from, std::string_view to) {
    std::vector<std::size_t> row(to.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= from.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= to.size(); ++j) {
            const std::size_t replaced = diagonal + (from[i - 1] == to[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
        }
    }
    return row[to.size()];
}

std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates) {
    std::size_t best = name.size() < 4 ? 2 : name.size() / 3 + 2;
    std::string nearest;
    for (const std::string& each : candidates) {
        const std::size_t distance = edit_distance(name, each);
        if (distance < best && distance < each.size()) {
            best = distance;
            nearest = each;
        }
    }
    return nearest;
}

}  // namespace refrain::base
