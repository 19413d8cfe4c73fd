#include "common/traced_share_svg.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "common/svg_text.hpp"

namespace example {
namespace detail {

std::string short_count(double value) {
    if (value >= 1e6) return printed("%.3gM", value / 1e6);
    if (value >= 1e4) return printed("%.3gk", value / 1e3);
    return printed("%g", value);
}

double tick_step(double maximum) {
    const double raw = maximum / 6;
    const double power = std::pow(10, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (raw <= factor * power) return factor * power;
    return 10 * power;
}

}  // namespace detail

namespace {

/// The axes of a panel, in the picture's units.
struct Frame {
    double left = 64, right = 736, top = 0, bottom = 0;
    double operations_max = 1;  // at the right edge
    double operations_all = 1;  // in the longest run

    [[nodiscard]] double x(double operations) const {
        return left + (right - left) * operations / operations_max;
    }
    [[nodiscard]] double y(double share) const { return bottom - (bottom - top) * share; }
};

constexpr double head_height = 76;
constexpr double panel_height = 280;

// The lines differ in hue, brightness and dashes.
constexpr const char* style = R"(<style>
  .paper { fill: #fcfcfb }
  text { font: 13px system-ui, sans-serif; fill: #52514e }
  .title { font-size: 16px; font-weight: 600; fill: #0b0b0b }
  .panel { font-weight: 600; fill: #0b0b0b }
  .grid { stroke: #e1e0d9; stroke-width: 1 }
  .axis { stroke: #a9a8a2; stroke-width: 1 }
  .line { fill: none; stroke-width: 2; stroke-linejoin: round }
  .automatic { stroke: #2a78d6 }
  .manual { stroke: #d9631e; stroke-dasharray: 6 4 }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #1a1a19 }
    text { fill: #c3c2b7 }
    .title, .panel { fill: #ffffff }
    .grid { stroke: #2c2c2a }
    .axis { stroke: #6b6a65 }
    .automatic { stroke: #5598e7 }
    .manual { stroke: #f0884a }
  }
</style>
)";

std::string axes(const Frame& frame) {
    std::string svg;
    for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0}) {
        const double y = frame.y(share);
        svg += printed("<line class=\"%s\" x1=\"%g\" x2=\"%g\" y1=\"%.1f\" y2=\"%.1f\"/>\n",
                       share == 0 ? "axis" : "grid", frame.left, frame.right, y, y);
        svg += printed("<text x=\"%g\" y=\"%.1f\" text-anchor=\"end\">%g %%</text>\n",
                       frame.left - 8, y + 4, share * 100);
    }
    const double step = detail::tick_step(frame.operations_max);
    for (double at = 0; at <= frame.operations_max; at += step) {
        const double x = frame.x(at);
        svg += printed("<line class=\"axis\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%g\" y2=\"%g\"/>\n", x, x,
                       frame.bottom, frame.bottom + 5);
        svg += printed("<text x=\"%.1f\" y=\"%g\" text-anchor=\"middle\">", x, frame.bottom + 20);
        svg += detail::short_count(at) + "</text>\n";
    }
    svg += printed("<text x=\"%g\" y=\"%g\" text-anchor=\"end\">operations launched", frame.right,
                   frame.bottom + 38);
    if (frame.operations_max < frame.operations_all)
        svg += ", of " + detail::short_count(frame.operations_all) + "; the rest is the same";
    return svg + "</text>\n";
}

/// A curve of at most two points per unit of width.
std::string line(const Frame& frame, const char* name, const std::vector<SharePoint>& curve) {
    if (curve.empty()) return "";
    std::string points;
    double last_x = -1;
    for (std::size_t i = 0; i < curve.size(); ++i) {
        const double x = frame.x(curve[i].operations);
        if (x > frame.right + 0.01) break;
        if (x < last_x + 0.5 && i + 1 < curve.size()) continue;
        points += printed(i == 0 ? "%.1f,%.1f" : " %.1f,%.1f", x, frame.y(curve[i].share));
        last_x = x;
    }
    return std::string("<polyline class=\"line ") + name + "\" points=\"" + points + "\"/>\n";
}

Frame frame_of(const SharePanel& content, double top) {
    Frame frame;
    frame.top = top + 30;
    frame.bottom = top + panel_height - 54;
    double last_change = 0;
    for (const auto* curve : {&content.manual, &content.automatic}) {
        for (const SharePoint& point : *curve) {
            frame.operations_all = std::max(frame.operations_all, point.operations);
            if (point.share < 0.99) last_change = std::max(last_change, point.operations);
        }
    }
    frame.operations_max =
        last_change > 0 ? std::min(4 * last_change, frame.operations_all) : frame.operations_all;
    return frame;
}

std::string panel(const SharePanel& content, double top) {
    const Frame frame = frame_of(content, top);
    std::string svg = printed("<text class=\"panel\" x=\"%g\" y=\"%g\">", frame.left, top + 18);
    svg += escaped(content.title) + "</text>\n" + axes(frame);
    return svg + line(frame, "automatic", content.automatic) +
           line(frame, "manual", content.manual);
}

std::string head(double window) {
    std::string svg = "<text class=\"title\" x=\"24\" y=\"30\">Share of the last ";
    svg += printed("%g operations that were replayed</text>\n", window);
    double x = 64;
    for (const auto& [name, title] :
         {std::pair{"automatic", "traced automatically"}, std::pair{"manual", "traced by hand"}}) {
        svg += printed("<line class=\"line %s\" x1=\"%g\" x2=\"%g\" y1=\"54\" y2=\"54\"/>\n", name,
                       x, x + 30);
        svg += printed("<text x=\"%g\" y=\"58\">%s</text>\n", x + 38, title);
        x += 200;
    }
    return svg;
}

}  // namespace

std::string traced_share_svg(const std::vector<SharePanel>& panels, double window) {
    const double height = head_height + panel_height * static_cast<double>(panels.size());
    std::string svg = printed(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 760 %g\" role=\"img\">\n", height);
    svg += "<title>How much of each run was replayed</title>\n";
    svg += style;
    svg += "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n" + head(window);
    double top = head_height;
    for (const SharePanel& content : panels) {
        svg += panel(content, top);
        top += panel_height;
    }
    return svg + "</svg>\n";
}

}  // namespace example
