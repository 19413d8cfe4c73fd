#include "graphs/pattern.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace graphs {
namespace {

constexpr std::array<std::pair<Pattern, std::string_view>, 10> names{{
    {Pattern::trivial, "trivial"},
    {Pattern::no_comm, "no_comm"},
    {Pattern::stencil_1d, "stencil_1d"},
    {Pattern::stencil_1d_periodic, "stencil_1d_periodic"},
    {Pattern::dom, "dom"},
    {Pattern::tree, "tree"},
    {Pattern::fft, "fft"},
    {Pattern::nearest, "nearest"},
    {Pattern::spread, "spread"},
    {Pattern::all_to_all, "all_to_all"},
}};

int radix_of(const Shape& shape) {
    return std::min(shape.radix, shape.width);
}

/// The existing columns from low to high.
std::vector<int> range(const Shape& shape, int low, int high) {
    std::vector<int> columns;
    for (int c = std::max(low, 0); c <= std::min(high, shape.width - 1); ++c) columns.push_back(c);
    return columns;
}

std::vector<int> ring(const Shape& shape, int column) {
    return {(column + shape.width - 1) % shape.width, column, (column + 1) % shape.width};
}

std::vector<int> butterfly(const Shape& shape, int set, int column) {
    std::vector<int> columns;
    for (const int c : {column - (1 << set), column, column + (1 << set)})
        if (c >= 0 && c < shape.width) columns.push_back(c);
    return columns;
}

std::vector<int> spread(const Shape& shape, int set, int column) {
    std::vector<int> columns;
    const int radix = radix_of(shape);
    for (int i = 0; i < radix; ++i)
        columns.push_back((column + i * shape.width / radix + (i > 0 ? set : 0)) % shape.width);
    return columns;
}

std::vector<int> unsorted_dependences(const Shape& shape, int set, int column) {
    switch (shape.pattern) {
        case Pattern::trivial:
            return {};
        case Pattern::no_comm:
            return {column};
        case Pattern::stencil_1d:
            return range(shape, column - 1, column + 1);
        case Pattern::stencil_1d_periodic:
            return ring(shape, column);
        case Pattern::dom:
            return range(shape, column - 1, column);
        case Pattern::tree:
            return {column / 2};
        case Pattern::fft:
            return butterfly(shape, set, column);
        case Pattern::nearest: {
            const int radix = radix_of(shape);
            return range(shape, column - radix / 2, column + (radix - 1) / 2);
        }
        case Pattern::spread:
            return spread(shape, set, column);
        case Pattern::all_to_all:
            return range(shape, 0, shape.width - 1);
    }
    return {};
}

}  // namespace

const std::vector<Pattern>& all_patterns() {
    static const std::vector<Pattern> all = [] {
        std::vector<Pattern> patterns;
        for (const auto& entry : names) patterns.push_back(entry.first);
        return patterns;
    }();
    return all;
}

std::string_view name_of(Pattern pattern) {
    return names[static_cast<std::size_t>(pattern)].second;
}

std::optional<Pattern> pattern_named(std::string_view name) {
    for (const auto& entry : names)
        if (entry.second == name) return entry.first;
    return std::nullopt;
}

Columns columns_of(const Shape& shape, int step) {
    if (step < 0 || step >= shape.steps) return {};
    if (shape.pattern == Pattern::dom)
        return {std::max(0, step + shape.width - shape.steps),
                std::min(shape.width, std::min(step + 1, shape.steps - step))};
    if (shape.pattern == Pattern::tree)
        return {0, step < 30 ? std::min(shape.width, 1 << step) : shape.width};
    return {0, shape.width};
}

int dependence_sets(const Shape& shape) {
    if (shape.pattern == Pattern::fft) {
        int sets = 1;
        while ((1 << sets) < shape.width) ++sets;
        return sets;
    }
    if (shape.pattern == Pattern::spread) {
        const int distance = (shape.width + radix_of(shape) - 1) / radix_of(shape);
        return std::min(3, distance);  // more would overlap with the next column's
    }
    return 1;
}

int dependence_set(const Shape& shape, int step) {
    const int sets = dependence_sets(shape);
    if (shape.pattern == Pattern::fft) return (step + sets - 1) % sets;
    return step % sets;
}

std::vector<int> dependences(const Shape& shape, int set, int column) {
    std::vector<int> columns = unsorted_dependences(shape, set, column);
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    return columns;
}

std::vector<int> inputs_of(const Shape& shape, int step, int column) {
    const Columns before = columns_of(shape, step - 1);
    std::vector<int> inputs;
    for (const int c : dependences(shape, dependence_set(shape, step), column))
        if (before.contains(c)) inputs.push_back(c);
    return inputs;
}

}  // namespace graphs
