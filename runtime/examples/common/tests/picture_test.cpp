#include "common/picture.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <string>
#include <vector>
#include <zlib.h>

#include "common/show.hpp"

namespace example::picture_test {
namespace {

std::uint32_t word_at(const std::string& bytes, std::size_t at) {
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < 4; ++i) word = word << 8 | static_cast<std::uint8_t>(bytes[at + i]);
    return word;
}

/// The rows of a PNG that Picture has written: a byte for the filter, then red, green and blue.
std::string rows_of(const std::string& png, std::uint32_t& width, std::uint32_t& height) {
    EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
    std::string rows;
    for (std::size_t at = 8; at < png.size();) {
        const std::size_t length = word_at(png, at);
        const std::string name = png.substr(at + 4, 4);
        const std::string checked = png.substr(at + 4, length + 4);
        EXPECT_EQ(word_at(png, at + 8 + length),
                  crc32(0, reinterpret_cast<const Bytef*>(checked.data()),
                        static_cast<uInt>(checked.size())))
            << name;
        if (name == "IHDR") {
            width = word_at(png, at + 8);
            height = word_at(png, at + 12);
            rows.resize((3 * width + std::size_t{1}) * height);
        } else if (name == "IDAT") {
            uLongf size = static_cast<uLongf>(rows.size());
            EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(rows.data()), &size,
                                 reinterpret_cast<const Bytef*>(&png[at + 8]),
                                 static_cast<uLong>(length)),
                      Z_OK);
            EXPECT_EQ(size, rows.size());
        }
        at += length + 12;
    }
    return rows;
}

TEST(Picture, a_field_is_drawn_from_the_bottom_in_its_colours) {
    Picture picture({.title = "field", .width = 20, .height = 10});
    picture.field(2, 2, [](std::int64_t column, std::int64_t row) {
        return static_cast<double>(column + 2 * row);
    });
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    const std::string rows = rows_of(picture.png(), width, height);
    ASSERT_EQ(width, 20U);
    ASSERT_EQ(height, 10U);
    const auto red_at = [&](std::size_t x, std::size_t y) {
        return static_cast<std::uint8_t>(rows[y * 61 + 1 + 3 * x]);
    };
    EXPECT_EQ(red_at(0, 9), colour_of(0).red);
    EXPECT_EQ(red_at(19, 9), colour_of(1.0 / 3).red);
    EXPECT_EQ(red_at(0, 0), colour_of(2.0 / 3).red);
    EXPECT_EQ(red_at(19, 0), colour_of(1).red);
    EXPECT_EQ(picture.caption(), "field: dark blue 0, yellow 3");
}

TEST(Picture, lines_and_discs_cover_what_lies_under_them) {
    Picture picture({.title = "shapes", .width = 20, .height = 20});
    picture.disc({10, 10}, 4, {200, 0, 0});
    picture.line({0, 10}, {20, 10}, 2, {0, 0, 200});
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    const std::string rows = rows_of(picture.png(), width, height);
    const auto pixel = [&](std::size_t x, std::size_t y) {
        const std::size_t at = y * 61 + 1 + 3 * x;
        return std::vector<int>{static_cast<std::uint8_t>(rows[at]),
                                static_cast<std::uint8_t>(rows[at + 1]),
                                static_cast<std::uint8_t>(rows[at + 2])};
    };
    EXPECT_EQ(pixel(10, 7), (std::vector<int>{200, 0, 0}));
    EXPECT_EQ(pixel(10, 10), (std::vector<int>{0, 0, 200}));
    EXPECT_EQ(pixel(1, 9), (std::vector<int>{0, 0, 200}));
    EXPECT_EQ(pixel(1, 1), (std::vector<int>{255, 255, 255}));
}

TEST(Picture, as_svg_has_its_shapes_and_its_words) {
    Picture picture({.title = "a < b", .width = 40, .height = 40});
    picture.curve({4, 2, 1});
    const std::string svg = picture.svg();
    EXPECT_NE(svg.find("a &lt; b: 3 values from 4 to 1; the axis below is at 0</text>"),
              std::string::npos)
        << svg;
    std::size_t lines = 0;
    for (std::size_t at = svg.find("<path"); at != std::string::npos;
         at = svg.find("<path", at + 1))
        ++lines;
    EXPECT_EQ(lines, 4U) << "two axes, two pieces";
}

TEST(ResultPicture, is_drawn_in_a_run_of_its_own_that_is_not_measured) {
    CommonConfig config;
    config.modes = {Mode::untraced};
    config.repetitions = 1;
    config.picture_path = testing::TempDir() + "result_picture.svg";
    ResultPicture picture(config);
    int drawings = 0;
    const auto program = [&](refrain::Runtime&, Mode) {
        picture.draw({.title = "t"}, [&](Picture&) { ++drawings; });
        return example::Run{0.001, 1};
    };
    static_cast<void>(compare("p", "q", config, program));
    EXPECT_EQ(drawings, 0);
    picture.run(config, program);
    EXPECT_EQ(drawings, 1);
    EXPECT_EQ(std::remove(config.picture_path.c_str()), 0) << "there is a file";
}

TEST(Picture, knows_its_files_by_their_endings) {
    EXPECT_TRUE(is_picture_path("flow.png"));
    EXPECT_TRUE(is_picture_path("out/flow.svg"));
    EXPECT_FALSE(is_picture_path("flow.jpeg"));
    EXPECT_FALSE(is_picture_path(".png")) << "there is no name";
}

}  // namespace
}  // namespace example::picture_test
