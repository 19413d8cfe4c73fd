#include "sizes/sized_work.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace refrain::proxy {
namespace {

constexpr double quiet_seconds = 50e-9;  // less than the clock takes to read

}  // namespace

SizedWork fit_work(const std::vector<Visit>& visits) {
    SizedWork work;
    std::map<const Member*, std::pair<double, double>> sums;
    for (const Visit& visit : visits) {
        auto& [seconds, count] = sums[visit.member];
        seconds += visit.member->seconds[visit.index];
        count += 1;
    }
    double most = 0;
    for (const auto& [member, sum] : sums) most = std::max(most, sum.first / sum.second);
    if (most < quiet_seconds) return work;
    constexpr double better = 0.9;  // another term must be so much nearer than none
    using Of = Term::Kind;
    double least = -1;
    for (const Term& term : {Term{Of::one},
                             {Of::share},
                             {Of::size},
                             {Of::tile, 2, 0},
                             {Of::tile, 3, 0},
                             {Of::share_by_size},
                             {Of::squared_size},
                             {Of::squared_size_by_ranks},
                             {Of::ranks},
                             {Of::share_of_side, 2, 0},
                             {Of::log_ranks}}) {
        double by = 0, squared = 0, error = 0;
        for (const auto& [member, sum] : sums) {
            const double mean = std::max(sum.first / sum.second, quiet_seconds);
            const auto amount = static_cast<double>(term.value(member->setting));
            by += amount / mean;
            squared += amount * amount / (mean * mean);
        }
        if (squared == 0) continue;
        const double factor = by / squared;
        for (const auto& [member, sum] : sums) {
            const double mean = std::max(sum.first / sum.second, quiet_seconds);
            error += std::abs(factor * static_cast<double>(term.value(member->setting)) / mean - 1);
        }
        if (least >= 0 && error >= better * least) continue;
        least = error;
        work = {factor, term};
    }
    return work;
}

}  // namespace refrain::proxy
