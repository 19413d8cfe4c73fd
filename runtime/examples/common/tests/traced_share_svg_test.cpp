#include "common/traced_share_svg.hpp"

#include <cstddef>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace example::traced_share_svg_test {
namespace {

std::size_t count(const std::string& text, const std::string& what) {
    std::size_t found = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
        ++found;
    return found;
}

TEST(TracedShareSvg, it_has_a_panel_per_program_and_a_line_per_curve) {
    const std::vector<SharePoint> curve{{0, 0}, {1000, 0.5}, {2000, 1}};
    const std::string svg =
        traced_share_svg({{"jacobi", curve, curve}, {"channel_flow", curve, {}}});
    EXPECT_EQ(count(svg, "class=\"panel\""), 2U);
    EXPECT_EQ(count(svg, "<polyline"), 3U);
    EXPECT_EQ(count(svg, ">jacobi</text>"), 1U);
    EXPECT_NE(svg.find("height"), std::string::npos);
    EXPECT_NE(svg.find("viewBox=\"0 0 760 636\""), std::string::npos);
}

TEST(TracedShareSvg, points_are_placed_according_to_the_axes) {
    // The frame of the first panel: 64 to 736 along, 302 up to 106.
    const std::string svg = traced_share_svg({{"p", {}, {{0, 0}, {1000, 0.5}, {2000, 1}}}});
    EXPECT_NE(svg.find("points=\"64.0,302.0 400.0,204.0 736.0,106.0\""), std::string::npos) << svg;
}

TEST(TracedShareSvg, tags_are_closed_and_text_is_escaped) {
    const std::string svg = traced_share_svg({{"a < b & \"c\"", {{0, 0}, {10, 1}}, {}}});
    EXPECT_NE(svg.find("a &lt; b &amp; &quot;c&quot;"), std::string::npos);
    for (const char* tag : {"svg", "text", "style", "title"}) {
        const std::string name(tag);
        EXPECT_EQ(count(svg, "<" + name + ">") + count(svg, "<" + name + " "),
                  count(svg, "</" + name + ">"))
            << name;
    }
}

TEST(TracedShareSvg, points_closer_than_a_pixel_are_thinned_out) {
    std::vector<SharePoint> curve;
    for (int i = 0; i <= 100000; ++i)
        curve.push_back({static_cast<double>(i), i < 90000 ? 0.9 : 1});
    const std::string svg = traced_share_svg({{"p", curve, {}}});
    EXPECT_LT(svg.size(), 40000U);
    EXPECT_NE(svg.find("736.0,106.0\""), std::string::npos) << "the last point is kept";
}

TEST(TracedShareSvg, a_panel_ends_where_its_curves_are_constant_and_says_so) {
    const std::vector<SharePoint> curve{{0, 0}, {500, 0.5}, {1000, 1}, {2000, 1}, {20000, 1}};
    const std::string svg = traced_share_svg({{"p", {}, curve}});  // up to 4 x 500
    EXPECT_NE(svg.find("points=\"64.0,302.0 232.0,204.0 400.0,106.0 736.0,106.0\""),
              std::string::npos)
        << svg;
    EXPECT_NE(svg.find("operations launched, of 20k; the rest is the same"), std::string::npos);
}

TEST(TracedShareSvg, axes_have_round_numbers) {
    EXPECT_DOUBLE_EQ(detail::tick_step(60000), 10000);
    EXPECT_DOUBLE_EQ(detail::tick_step(1000), 200);
    EXPECT_DOUBLE_EQ(detail::tick_step(7), 2);
    EXPECT_EQ(detail::short_count(500), "500");
    EXPECT_EQ(detail::short_count(20000), "20k");
    EXPECT_EQ(detail::short_count(1.5e6), "1.5M");
}

}  // namespace
}  // namespace example::traced_share_svg_test
