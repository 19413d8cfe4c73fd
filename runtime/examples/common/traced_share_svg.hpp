/// Draws the share of replayed operations over a run, a panel per program, a line per mode.
///
///     std::string svg = example::traced_share_svg({{"jacobi", manual_curve, automatic_curve}});
///
/// The picture is self-contained: no script, no font, light or dark by the reader's preference. A
/// panel ends where the curves no longer change: at four times the last point below 99 %.
///
/// Size: 760 wide, 280 high per panel.
#pragma once

#include <string>
#include <vector>

#include "common/traced_share.hpp"

namespace example {

/// One program's curves; an empty curve is not drawn.
struct SharePanel {
    std::string title;
    std::vector<SharePoint> manual;
    std::vector<SharePoint> automatic;
};

namespace detail {

/// 0, 500, 20k, 1.5M
[[nodiscard]] std::string short_count(double value);

/// A step of 1, 2 or 5 times a power of ten that gives about six ticks.
[[nodiscard]] double tick_step(double maximum);

}  // namespace detail

[[nodiscard]] std::string traced_share_svg(const std::vector<SharePanel>& panels,
                                           double window = share_window);

}  // namespace example
