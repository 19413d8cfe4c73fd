#include "common/picture.hpp"

#include <array>
#include <cmath>
#include <stdexcept>
#include <zlib.h>

#include "common/report.hpp"
#include "common/svg_text.hpp"

namespace example {
namespace {

constexpr Colour axis_colour{120, 120, 120};
constexpr Colour curve_colour{0x2a, 0x78, 0x8e};
constexpr int caption_height = 34;  // of an SVG, below the picture
constexpr std::uint8_t white = 255;

std::string hex(Colour c) {
    return printed("#%02x%02x%02x", c.red, c.green, c.blue);
}

void append_word(std::string& bytes, std::uint32_t word) {
    for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(word >> shift & 255U);
}

/// Length, name, content, and the check sum of name and content.
void append_chunk(std::string& bytes, const std::string& name, const std::string& content) {
    const std::string checked = name + content;
    append_word(bytes, static_cast<std::uint32_t>(content.size()));
    bytes += checked;
    append_word(bytes,
                static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(checked.data()),
                                                 static_cast<uInt>(checked.size()))));
}

std::string deflated(const std::string& bytes) {
    uLongf size = compressBound(static_cast<uLong>(bytes.size()));
    std::string small(size, '\0');
    if (compress(reinterpret_cast<Bytef*>(small.data()), &size,
                 reinterpret_cast<const Bytef*>(bytes.data()),
                 static_cast<uLong>(bytes.size())) != Z_OK)
        throw std::runtime_error("a picture cannot be compressed");
    small.resize(size);
    return small;
}

double distance_to_line(Picture::Place at, Picture::Place from, Picture::Place to) {
    const double dx = to.x - from.x;
    const double dy = to.y - from.y;
    const double squared = dx * dx + dy * dy;
    const double along =
        squared == 0
            ? 0
            : std::clamp(((at.x - from.x) * dx + (at.y - from.y) * dy) / squared, 0.0, 1.0);
    return std::hypot(at.x - from.x - along * dx, at.y - from.y - along * dy);
}

}  // namespace

/// Between nine colours of matplotlib's viridis, evenly spaced.
Colour colour_of(double share) {
    constexpr std::array<Colour, 9> scale{{{68, 1, 84},
                                           {71, 44, 122},
                                           {59, 81, 139},
                                           {44, 113, 142},
                                           {33, 144, 141},
                                           {39, 173, 129},
                                           {92, 200, 99},
                                           {170, 220, 50},
                                           {253, 231, 37}}};
    const double place =
        std::clamp(std::isfinite(share) ? share : 0, 0.0, 1.0) * (scale.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(place), scale.size() - 2);
    const double above = place - static_cast<double>(below);
    const auto mix = [&](std::uint8_t a, std::uint8_t b) {
        return static_cast<std::uint8_t>(std::lround(a + (b - a) * above));
    };
    const Colour& a = scale[below];
    const Colour& b = scale[below + 1];
    return {mix(a.red, b.red), mix(a.green, b.green), mix(a.blue, b.blue)};
}

bool is_picture_path(const std::string& path) {
    return path.size() > 4 && (path.ends_with(".png") || path.ends_with(".svg"));
}

void Picture::curve(const std::vector<double>& values) {
    Range range{0, 0};
    for (const double each : values)
        if (std::isfinite(each)) range.include(each);
    const double left = 24;
    const double bottom = frame_.height - 24.0;
    const double step = (frame_.width - 2 * left) /
                        static_cast<double>(std::max<std::size_t>(1, values.size() - 1));
    const double scale = (bottom - left) / (range.high > range.low ? range.high - range.low : 1);
    const auto place = [&](std::size_t i) {
        return Place{left + static_cast<double>(i) * step,
                     bottom - (values[i] - range.low) * scale};
    };
    line({left, left}, {left, bottom}, 1, axis_colour);
    line({left, bottom}, {frame_.width - left, bottom}, 1, axis_colour);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::isfinite(values[i])) continue;  // a program that has diverged
        if (i != 0 && std::isfinite(values[i - 1])) line(place(i - 1), place(i), 2, curve_colour);
        disc(place(i), 3, curve_colour);
    }
    explain(printed("%zu values from %.4g to %.4g; the axis below is at %.4g", values.size(),
                    values.front(), values.back(), range.low));
}

void Picture::explain(const std::string& words) {
    words_.push_back(words);
}

void Picture::explain(const Range& range) {
    explain(printed("dark blue %.4g, yellow %.4g", range.low, range.high));
}

std::string Picture::caption() const {
    std::string text = frame_.title;
    for (const std::string& words : words_) text += (&words == words_.data() ? ": " : "; ") + words;
    return text;
}

void Picture::write(const std::string& path) const {
    write_file(path, path.ends_with(".svg") ? svg() : png());
}

std::string Picture::svg() const {
    const int height = frame_.height + caption_height;
    std::string text = printed(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d "
        "%d\">\n",
        frame_.width, height, frame_.width, height);
    text += "<title>" + escaped(caption()) + "</title>\n";
    text += "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
    for (const Shape& shape : shapes_) {
        const std::string colour = hex(shape.colour);
        if (shape.kind == Kind::rectangle)
            text += printed(
                "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\" "
                "shape-rendering=\"crispEdges\"/>\n",
                shape.from.x, shape.from.y, shape.to.x - shape.from.x, shape.to.y - shape.from.y,
                colour.c_str());
        else if (shape.kind == Kind::line)
            text += printed(
                "<path d=\"M%.2f,%.2fL%.2f,%.2f\" stroke=\"%s\" stroke-width=\"%.2f\"/>\n",
                shape.from.x, shape.from.y, shape.to.x, shape.to.y, colour.c_str(), shape.size);
        else
            text += printed("<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\" fill=\"%s\"/>\n",
                            shape.from.x, shape.from.y, shape.size, colour.c_str());
    }
    text +=
        printed("<text x=\"8\" y=\"%d\" font-family=\"system-ui, sans-serif\" font-size=\"14\">",
                frame_.height + 22);
    return text + escaped(caption()) + "</text>\n</svg>\n";
}

/// Red, green and blue of each pixel, row by row. A pixel belongs to a shape if its middle does.
std::vector<std::uint8_t> Picture::pixels() const {
    const auto width = static_cast<std::size_t>(frame_.width);
    std::vector<std::uint8_t> all(3 * width * static_cast<std::size_t>(frame_.height), white);
    for (const Shape& shape : shapes_) {
        const double reach = shape.kind == Kind::disc ? shape.size : shape.size / 2;
        const auto first = [](double at) { return std::max(0, static_cast<int>(std::floor(at))); };
        const auto last = [](double at, int end) {
            return std::min(end, static_cast<int>(std::ceil(at)) + 1);
        };
        const int x_end = last(std::max(shape.from.x, shape.to.x) + reach, frame_.width);
        const int y_end = last(std::max(shape.from.y, shape.to.y) + reach, frame_.height);
        for (int y = first(std::min(shape.from.y, shape.to.y) - reach); y < y_end; ++y)
            for (int x = first(std::min(shape.from.x, shape.to.x) - reach); x < x_end; ++x) {
                const Place middle{x + 0.5, y + 0.5};
                const bool inside =
                    shape.kind == Kind::rectangle
                        ? middle.x >= shape.from.x && middle.x < shape.to.x &&
                              middle.y >= shape.from.y && middle.y < shape.to.y
                        : distance_to_line(middle, shape.from, shape.to) <= std::max(reach, 0.5);
                if (!inside) continue;
                const std::size_t at =
                    3 * (static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x));
                all[at] = shape.colour.red;
                all[at + 1] = shape.colour.green;
                all[at + 2] = shape.colour.blue;
            }
    }
    return all;
}

/// Source: Portable Network Graphics (PNG) Specification, W3C, second edition.
std::string Picture::png() const {
    const std::vector<std::uint8_t> all = pixels();
    const std::size_t row_bytes = 3 * static_cast<std::size_t>(frame_.width);
    std::string rows;
    for (std::size_t at = 0; at < all.size(); at += row_bytes) {
        rows += '\0';  // no filter
        rows.append(reinterpret_cast<const char*>(&all[at]), row_bytes);
    }
    std::string head;
    append_word(head, static_cast<std::uint32_t>(frame_.width));
    append_word(head, static_cast<std::uint32_t>(frame_.height));
    head += {8, 2, 0, 0, 0};  // 8 bits of red, green and blue; not interlaced
    std::string bytes = "\x89PNG\r\n\x1a\n";
    append_chunk(bytes, "IHDR", head);
    append_chunk(bytes, "tEXt", std::string("Description") + '\0' + caption());
    append_chunk(bytes, "IDAT", deflated(rows));
    append_chunk(bytes, "IEND", {});
    return bytes;
}

}  // namespace example
