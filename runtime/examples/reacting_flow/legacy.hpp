/// The legacy code that this program grew out of: it uses plain arrays, knows nothing of tasks, and
/// will not be rewritten. It logs the flame, and filters out what the differences cannot resolve.
///
/// Layout: all quantities of a point side by side, points by rows, (n,n,quantities).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace reacting_flow {

/// True if the legacy code runs after a step, counted from one: after each of the first ten steps,
/// while the flow develops, and after every tenth one from then on.
[[nodiscard]] constexpr bool hand_off_follows(std::int64_t step) {
    return step <= 10 || step % 10 == 0;
}

class LegacyCode {
  public:
    LegacyCode(std::int64_t size, int quantities) : size_(size), quantities_(quantities) {}

    /// Changes the fields in place.
    void run(std::span<double> fields) {
        filter(fields, quantities_);          // along x, with this stride between neighbours
        filter(fields, size_ * quantities_);  // along y
        peak_temperatures_.push_back(peak_temperature(fields));
    }

    /// One entry per run of the legacy code.
    [[nodiscard]] const std::vector<double>& peak_temperatures() const {
        return peak_temperatures_;
    }

  private:
    /// A filter of order ten along one axis: it removes sin(k h / 2)^10 of each wave, that is all
    /// of a wave that changes its sign from point to point, and almost nothing of smooth ones.
    void filter(std::span<double> fields, std::int64_t stride) {
        constexpr std::array<double, 5> weight{-210. / 1024, 120. / 1024, -45. / 1024, 10. / 1024,
                                               -1. / 1024};
        before_.assign(fields.begin(), fields.end());
        const std::int64_t line = stride * size_;
        for (std::int64_t at = 0; at < static_cast<std::int64_t>(fields.size()); ++at) {
            const std::int64_t begin = at - at % line + at % stride;  // of this point's line
            const std::int64_t place = at % line / stride;
            const auto value = [&](std::int64_t m) {
                return before_[static_cast<std::size_t>(begin +
                                                        (place + m + size_) % size_ * stride)];
            };
            double removed = 252. / 1024 * value(0);
            for (int m = 1; m <= 5; ++m)
                removed += weight[static_cast<std::size_t>(m - 1)] * (value(m) + value(-m));
            fields[static_cast<std::size_t>(at)] -= removed;
        }
    }

    [[nodiscard]] double peak_temperature(std::span<const double> fields) const {
        const auto step = static_cast<std::size_t>(quantities_);
        double peak = 0;
        for (std::size_t at = step - 1; at < fields.size(); at += step)
            peak = std::max(peak, fields[at]);
        return peak;
    }

    std::int64_t size_;
    std::int64_t quantities_;
    std::vector<double> before_;
    std::vector<double> peak_temperatures_;
};

}  // namespace reacting_flow
