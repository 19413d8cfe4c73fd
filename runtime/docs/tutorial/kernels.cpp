#include <cstdio>
#include <refrain/refrain.hpp>

using namespace refrain;

// [for each]
/// The mean of four neighbours, inside; the margin stays as it is.
void relax(View<double, 2> to, View<const double, 2> from) {
    to.domain().for_each([&](Point<2> p) {
        const auto [i, j] = p.coordinate;
        to[p] = (from(i - 1, j) + from(i + 1, j) + from(i, j - 1) + from(i, j + 1)) / 4;
    });
}
// [/for each]

// [rows]
void relax_by_rows(View<double, 2> to, View<const double, 2> from) {
    const Rect<2> cells = to.domain();
    for (std::int64_t i = cells.lo[0]; i < cells.hi[0]; ++i) {
        const std::span<double> out = to.row(i);
        const std::span<const double> above = from.row(i - 1), here = from.row(i),
                                      below = from.row(i + 1);
        // Element 0 of a row is the first of its own view: here, one column further left.
        for (std::size_t j = 0; j < out.size(); ++j)
            out[j] = (above[j + 1] + below[j + 1] + here[j] + here[j + 2]) / 4;
    }
}
// [/rows]

int main(int argc, char** argv) {
    Runtime rt(argc, argv);
    // [program]
    const Rect<2> all = extents(6, 6), inside{{1, 1}, {5, 5}};
    auto cells = rt.create_region<double>(all, "cells");
    auto next = rt.create_region<double>(all, "next");
    const auto inner = rectangles(all, extents(2), {{{1, 1}, {3, 5}}, {{3, 1}, {5, 5}}});
    const auto with_margin = halo(inner, {1, 1});
    rt.launch(
        "set", [](View<double, 2> v) { v.fill(1); }, write(cells));
    rt.fill(next, 0);
    rt.launch("relax", inner.colours(), relax, write(next, inner), read(cells, with_margin));
    rt.launch("relax", inner.colours(), relax_by_rows, write(cells, inner),
              read(next, with_margin));
    double sum = 0;
    const auto result = rt.read(cells);
    inside.for_each([&](Point<2> p) { sum += result[p]; });
    std::printf("%g\n", sum);
    // [/program]
}
