#include "observe/progress_line.hpp"

#include <algorithm>

namespace refrain::observe {

namespace {

/// 1234567 -> "1,234,567"
std::string with_commas(std::uint64_t number) {
    std::string digits = std::to_string(number);
    for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
    return digits;
}

}  // namespace

std::string ProgressLine::text(const Counts& counts) {
    const std::uint64_t launched = std::max<std::uint64_t>(counts.launched, 1);
    const std::uint64_t pending = counts.launched - std::min(counts.finished, counts.launched);
    return with_commas(counts.launched) + " operations launched, " +
           std::to_string(100 * counts.replayed / launched) + " % replayed, " +
           with_commas(pending) + " not finished";
}

}  // namespace refrain::observe
