/// Pictures of results: shapes, written as SVG or as PNG.
///
///     example::Picture picture({.title = "speed", .width = 560, .height = 560});
///     picture.field(nx, ny, [&](std::int64_t column, std::int64_t row) { return u(row, column); });
///     picture.write("flow.png");                              // or flow.svg, which has words as well
///
/// Lengths are pixels from the upper left corner.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace example {

struct Colour {
    std::uint8_t red = 0, green = 0, blue = 0;
};

/// The colour of a value: from dark blue for 0 over green to bright yellow for 1. Also readable in
/// grey, and by people who see few colours.
[[nodiscard]] Colour colour_of(double share);

/// Whether `path` names a kind of picture: it ends in .png or .svg.
[[nodiscard]] bool is_picture_path(const std::string& path);

class Picture {
  public:
    struct Frame {
        std::string title;
        int width = 560;
        int height = 560;
    };
    struct Place {
        double x = 0, y = 0;
    };
    /// The values that have the first and the last colour.
    struct Range {
        double low = 0, high = 1;
        void include(double value) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
        [[nodiscard]] Colour colour(double value) const {
            return colour_of(high > low ? (value - low) / (high - low) : 0.5);
        }
    };

    explicit Picture(Frame frame) : frame_(std::move(frame)) {}

    void rectangle(Place corner, double width, double height, Colour colour) {
        shapes_.push_back(
            {Kind::rectangle, corner, {corner.x + width, corner.y + height}, 0, colour});
    }
    void line(Place from, Place to, double thickness, Colour colour) {
        shapes_.push_back({Kind::line, from, to, thickness, colour});
    }
    void disc(Place centre, double radius, Colour colour) {
        shapes_.push_back({Kind::disc, centre, centre, radius, colour});
    }
    /// value(column, row) over the whole picture, row 0 at the bottom; a sample if there are more
    /// values than pixels. Says in the caption which values the colours stand for.
    template <class Value>
    void field(std::int64_t columns, std::int64_t rows, const Value& value);
    /// A curve through the values, from left to right, with an axis below it and one beside it.
    void curve(const std::vector<double>& values);

    /// More words for the caption.
    void explain(const std::string& words);
    void explain(const Range& range);
    /// The title and what was explained.
    [[nodiscard]] std::string caption() const;

    /// As the ending of the path says.
    /// Errors: std::runtime_error if the file cannot be written.
    void write(const std::string& path) const;
    [[nodiscard]] std::string svg() const;
    [[nodiscard]] std::string png() const;

  private:
    enum class Kind : std::uint8_t { rectangle, line, disc };
    struct Shape {
        Kind kind;
        Place from, to;
        double size;  // thickness, or radius
        Colour colour;
    };
    static constexpr std::int64_t cells_max = 280;  // of a field, along each axis

    [[nodiscard]] std::vector<std::uint8_t> pixels() const;

    Frame frame_;
    std::vector<std::string> words_;
    std::vector<Shape> shapes_;
};

template <class Value>
void Picture::field(std::int64_t columns, std::int64_t rows, const Value& value) {
    const std::int64_t across = std::min(columns, cells_max);
    const std::int64_t down = std::min(rows, cells_max);
    std::vector<double> values;
    for (std::int64_t j = 0; j < down; ++j)
        for (std::int64_t i = 0; i < across; ++i)
            values.push_back(value(i * columns / across, j * rows / down));
    Range range{values.front(), values.front()};
    for (const double each : values) range.include(each);
    const double width = frame_.width / static_cast<double>(across);
    const double height = frame_.height / static_cast<double>(down);
    for (std::int64_t j = 0; j < down; ++j)
        for (std::int64_t i = 0; i < across; ++i)
            rectangle({static_cast<double>(i) * width, static_cast<double>(down - 1 - j) * height},
                      width, height,
                      range.colour(values[static_cast<std::size_t>(j * across + i)]));
    explain(range);
}

}  // namespace example
