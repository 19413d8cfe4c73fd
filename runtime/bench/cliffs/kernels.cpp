/// Compiled twice: KERNELS names the namespace, and so the level of optimisation.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <refrain/view.hpp>
#include <string>

#include "cliffs/rows.hpp"
#include "common/spread.hpp"
#include "common/stopwatch.hpp"

#ifdef __clang__
#define WITHOUT_VECTORS
#define LOOP_WITHOUT_VECTORS _Pragma("clang loop vectorize(disable)")
#else
#define WITHOUT_VECTORS [[gnu::optimize("no-tree-vectorize")]]
#define LOOP_WITHOUT_VECTORS
#endif

namespace cliffs::KERNELS {
namespace {

using namespace refrain;

/// The inner cells of a line, a square or a cube, whose margin is one cell.
template <int R>
struct Cells {
    Rect<R> all = Rect<R>{Point<R>{}, Point<R>::all(R == 1 ? 40'002 : R == 2 ? 202 : 38)};
    Rect<R> inner{Point<R>::all(1), all.hi - Point<R>::all(1)};
    data::Box box = data::box_of(all);
    data::BoxSet whole{box}, inside{data::box_of(inner)};
    std::vector<double> from, to;

    Cells()
        : from(static_cast<std::size_t>(all.volume()), 1.0),
          to(static_cast<std::size_t>(all.volume()), 2.0) {}
    [[nodiscard]] View<double, R> out() { return {to.data(), box, inside}; }
    [[nodiscard]] View<const double, R> in() const { return {from.data(), box, whole}; }
    [[nodiscard]] ReduceView<Sum, double, R> sums() { return {to.data(), box, inside}; }
};

/// What a raw loop takes: pointers to the first inner cell, its own layout of each array, as a view has.
/// Element (i, j) of y is y[i * sy + j]; in a cube, (h, i, j) is y[(h * sy + i) * sy + j].
struct Pointers {
    double* y;
    const double* x;
    std::int64_t n;       // inner extent
    std::int64_t sy, sx;  // distance of rows
};

template <int R>
Pointers pointers(Cells<R>& cells) {
    const auto first = data::linear_index(cells.box, data::coordinates_of(cells.inner.lo));
    return {cells.to.data() + first, cells.from.data() + first, cells.inner.extent(0),
            cells.all.extent(0), cells.all.extent(0)};
}

// The mean of four neighbours.

[[gnu::noinline]] void mean_raw(const Pointers& p) {
    double* const y = p.y;
    const double* const x = p.x;
    const std::int64_t n = p.n, sy = p.sy, sx = p.sx;
    for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t j = 0; j < n; ++j)
            y[i * sy + j] = 0.25 * (x[i * sx + j - 1] + x[i * sx + j + 1] + x[(i - 1) * sx + j] +
                                    x[(i + 1) * sx + j]);
    }
}
[[gnu::noinline]] WITHOUT_VECTORS void mean_raw_without_vectors(const Pointers& p) {
    double* const y = p.y;
    const double* const x = p.x;
    const std::int64_t n = p.n, sy = p.sy, sx = p.sx;
    for (std::int64_t i = 0; i < n; ++i) {
        LOOP_WITHOUT_VECTORS
        for (std::int64_t j = 0; j < n; ++j)
            y[i * sy + j] = 0.25 * (x[i * sx + j - 1] + x[i * sx + j + 1] + x[(i - 1) * sx + j] +
                                    x[(i + 1) * sx + j]);
    }
}
[[gnu::noinline]] void mean_range_for(View<double, 2> y, View<const double, 2> x) {
    for (Point<2> p : y.domain())
        y[p] =
            0.25 * (x(p[0], p[1] - 1) + x(p[0], p[1] + 1) + x(p[0] - 1, p[1]) + x(p[0] + 1, p[1]));
}
[[gnu::noinline]] void mean_for_each(View<double, 2> y, View<const double, 2> x) {
    y.domain().for_each([&](Point<2> p) {
        y[p] =
            0.25 * (x(p[0], p[1] - 1) + x(p[0], p[1] + 1) + x(p[0] - 1, p[1]) + x(p[0] + 1, p[1]));
    });
}
[[gnu::noinline]] void mean_rows(View<double, 2> y, View<const double, 2> x) {
    const Rect<2> cells = y.domain();
    for (std::int64_t i = cells.lo[0]; i < cells.hi[0]; ++i) {
        const auto to = y.row(i);
        const auto above = x.row(i - 1), at = x.row(i), below = x.row(i + 1);
        for (std::size_t j = 0; j < to.size(); ++j)
            to[j] = 0.25 * (at[j] + at[j + 2] + above[j + 1] + below[j + 1]);
    }
}

// y = y / 2 + x.

[[gnu::noinline]] void update_raw(const Pointers& p) {
    double* const y = p.y;
    const double* const x = p.x;
    const std::int64_t n = p.n, sy = p.sy, sx = p.sx;
    for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t j = 0; j < n; ++j) y[i * sy + j] = 0.5 * y[i * sy + j] + x[i * sx + j];
    }
}
[[gnu::noinline]] WITHOUT_VECTORS void update_raw_without_vectors(const Pointers& p) {
    double* const y = p.y;
    const double* const x = p.x;
    const std::int64_t n = p.n, sy = p.sy, sx = p.sx;
    for (std::int64_t i = 0; i < n; ++i) {
        LOOP_WITHOUT_VECTORS
        for (std::int64_t j = 0; j < n; ++j) y[i * sy + j] = 0.5 * y[i * sy + j] + x[i * sx + j];
    }
}
[[gnu::noinline]] void update_range_for(View<double, 2> y, View<const double, 2> x) {
    for (Point<2> p : y.domain()) y[p] = 0.5 * y[p] + x[p];
}
[[gnu::noinline]] void update_for_each(View<double, 2> y, View<const double, 2> x) {
    y.domain().for_each([&](Point<2> p) { y[p] = 0.5 * y[p] + x[p]; });
}
[[gnu::noinline]] void update_rows(View<double, 2> y, View<const double, 2> x) {
    const Rect<2> cells = y.domain();
    for (std::int64_t i = cells.lo[0]; i < cells.hi[0]; ++i) {
        const auto to = y.row(i);
        const auto from = x.row(i);
        for (std::size_t j = 0; j < to.size(); ++j) to[j] = 0.5 * to[j] + from[j + 1];
    }
}

[[gnu::noinline]] void update_raw_3(const Pointers& p) {
    double* const y = p.y;
    const double* const x = p.x;
    const std::int64_t n = p.n, sy = p.sy, sx = p.sx;
    for (std::int64_t h = 0; h < n; ++h)
        for (std::int64_t i = 0; i < n; ++i) {
            for (std::int64_t j = 0; j < n; ++j)
                y[(h * sy + i) * sy + j] =
                    0.5 * y[(h * sy + i) * sy + j] + x[(h * sx + i) * sx + j];
        }
}
[[gnu::noinline]] WITHOUT_VECTORS void update_raw_without_vectors_3(const Pointers& p) {
    double* const y = p.y;
    const double* const x = p.x;
    const std::int64_t n = p.n, sy = p.sy, sx = p.sx;
    for (std::int64_t h = 0; h < n; ++h)
        for (std::int64_t i = 0; i < n; ++i) {
            LOOP_WITHOUT_VECTORS
            for (std::int64_t j = 0; j < n; ++j)
                y[(h * sy + i) * sy + j] =
                    0.5 * y[(h * sy + i) * sy + j] + x[(h * sx + i) * sx + j];
        }
}
[[gnu::noinline]] void update_range_for_3(View<double, 3> y, View<const double, 3> x) {
    for (Point<3> p : y.domain()) y[p] = 0.5 * y[p] + x[p];
}
[[gnu::noinline]] void update_for_each_3(View<double, 3> y, View<const double, 3> x) {
    y.domain().for_each([&](Point<3> p) { y[p] = 0.5 * y[p] + x[p]; });
}
[[gnu::noinline]] void update_rows_3(View<double, 3> y, View<const double, 3> x) {
    const Rect<3> cells = y.domain();
    for (std::int64_t h = cells.lo[0]; h < cells.hi[0]; ++h)
        for (std::int64_t i = cells.lo[1]; i < cells.hi[1]; ++i) {
            const auto to = y.row(h, i);
            const auto from = x.row(h, i);
            for (std::size_t j = 0; j < to.size(); ++j) to[j] = 0.5 * to[j] + from[j + 1];
        }
}

[[gnu::noinline]] void fill_raw(const Pointers& p, double value) {
    double* const y = p.y;
    const std::int64_t n = p.n, sy = p.sy;
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j < n; ++j) y[i * sy + j] = value;
}
[[gnu::noinline]] void fill_view(View<double, 2> y, double value) {
    y.fill(value);
}

/// Time of `kernel` as a multiple of `raw`: the median of several pairs, measured in turn.
template <class Kernel, class Raw>
double ratio(bool quick, const Kernel& kernel, const Raw& raw) {
    const int repetitions = quick ? 1 : 20;
    const auto time = [&](const auto& run) {
        const bench::Stopwatch watch;
        for (int i = 0; i < repetitions; ++i) run();
        return watch.per(1).cpu_ns;  // other programs run, too
    };
    std::vector<double> ratios;
    for (int pair = 0; pair < (quick ? 1 : 21); ++pair) {
        const double own = time(kernel);
        ratios.push_back(own / time(raw));
    }
    return bench::quantile(ratios, 0.5);
}

// One dimension: an update of each cell.

[[gnu::noinline]] void update_raw_1(const Pointers& p) {
    double* const y = p.y;
    const double* const x = p.x;
    const std::int64_t n = p.n;
    for (std::int64_t i = 0; i < n; ++i) y[i] += 0.5 * x[i];
}
[[gnu::noinline]] void update_range_for_1(View<double, 1> y, View<const double, 1> x) {
    for (const Point<1> i : y.domain()) y[i] += 0.5 * x[i];
}

// Sums: of each cell, and of cells in another order.

[[gnu::noinline]] void reduce_raw_1(const Pointers& p) {
    double* const y = p.y;
    const double* const x = p.x;
    const std::int64_t n = p.n;
    for (std::int64_t i = 0; i < n; ++i) y[i] += x[i];
}
[[gnu::noinline]] WITHOUT_VECTORS void reduce_raw_without_vectors_1(const Pointers& p) {
    double* const y = p.y;
    const double* const x = p.x;
    const std::int64_t n = p.n;
    LOOP_WITHOUT_VECTORS
    for (std::int64_t i = 0; i < n; ++i) y[i] += x[i];
}
[[gnu::noinline]] void reduce_each_1(ReduceView<Sum, double, 1> y, View<const double, 1> x) {
    y.reduce_each([&](const Point<1>& i) { return x[i]; });
}
[[gnu::noinline]] void reduce_range_for_1(ReduceView<Sum, double, 1> y, View<const double, 1> x) {
    for (const Point<1> i : y.domain()) y.reduce(i, x[i]);
}
/// Into the cells that an index array names: from the first inner cell, and as points.
[[gnu::noinline]] void scatter_raw_1(const Pointers& p, const std::int64_t* where) {
    double* const y = p.y;
    const double* const x = p.x;
    const std::int64_t n = p.n;
    for (std::int64_t i = 0; i < n; ++i) y[where[i]] += x[i];
}
[[gnu::noinline]] void scatter_reduce_1(ReduceView<Sum, double, 1> y, View<const double, 1> x,
                                        View<const std::int64_t, 1> where) {
    for (const Point<1> i : y.domain()) y.reduce(where[i], x[i]);
}

struct Nests {
    Cells<1> line;
    std::vector<std::int64_t> offsets, points;  // every 17th cell, again and again

    Nests() {
        const std::int64_t cells = line.inner.volume(), first = line.inner.lo[0];
        for (std::int64_t i = 0; i < cells; ++i) offsets.push_back(i * 17 % cells);
        points.assign(static_cast<std::size_t>(line.all.volume()), first);
        for (std::int64_t i = 0; i < cells; ++i)
            points[static_cast<std::size_t>(first + i)] += offsets[static_cast<std::size_t>(i)];
    }
    [[nodiscard]] View<const std::int64_t, 1> where() const {
        return {points.data(), line.box, line.whole};
    }
    Cells<2> square;
    Cells<3> cube;
};

}  // namespace

void add_kernels(std::vector<Row>& rows, bool quick) {
    constexpr double like_raw = 1.1, like_unvectorised = 2;
    const auto nests = std::make_shared<Nests>();
    const auto add = [&](const char* name, double limit, auto kernel, auto raw) {
        rows.push_back({std::string("kernels/") + LEVEL + name, "x", limit, [=] {
                            return ratio(
                                quick, [&] { kernel(*nests); }, [&] { raw(*nests); });
                        }});
    };
    add(
        "/update_1d/range_for", like_raw,
        [](Nests& on) { update_range_for_1(on.line.out(), on.line.in()); },
        [](Nests& on) { update_raw_1(pointers(on.line)); });
    add(
        "/reduce_1d/reduce_each", like_raw,
        [](Nests& on) { reduce_each_1(on.line.sums(), on.line.in()); },
        [](Nests& on) { reduce_raw_1(pointers(on.line)); });
    add(
        "/reduce_1d/range_for", like_unvectorised,
        [](Nests& on) { reduce_range_for_1(on.line.sums(), on.line.in()); },
        [](Nests& on) { reduce_raw_without_vectors_1(pointers(on.line)); });
    add(
        "/reduce_1d/scattered", like_raw,
        [](Nests& on) { scatter_reduce_1(on.line.sums(), on.line.in(), on.where()); },
        [](Nests& on) { scatter_raw_1(pointers(on.line), on.offsets.data()); });
    add(
        "/mean_2d/for_each", like_raw,
        [](Nests& on) { mean_for_each(on.square.out(), on.square.in()); },
        [](Nests& on) { mean_raw(pointers(on.square)); });
    add(
        "/mean_2d/rows", like_raw, [](Nests& on) { mean_rows(on.square.out(), on.square.in()); },
        [](Nests& on) { mean_raw(pointers(on.square)); });
    add(
        "/mean_2d/range_for", like_unvectorised,
        [](Nests& on) { mean_range_for(on.square.out(), on.square.in()); },
        [](Nests& on) { mean_raw_without_vectors(pointers(on.square)); });
    add(
        "/update_2d/for_each", like_raw,
        [](Nests& on) { update_for_each(on.square.out(), on.square.in()); },
        [](Nests& on) { update_raw(pointers(on.square)); });
    add(
        "/update_2d/rows", like_raw,
        [](Nests& on) { update_rows(on.square.out(), on.square.in()); },
        [](Nests& on) { update_raw(pointers(on.square)); });
    add(
        "/update_2d/range_for", like_unvectorised,
        [](Nests& on) { update_range_for(on.square.out(), on.square.in()); },
        [](Nests& on) { update_raw_without_vectors(pointers(on.square)); });
    add(
        "/update_3d/for_each", like_raw,
        [](Nests& on) { update_for_each_3(on.cube.out(), on.cube.in()); },
        [](Nests& on) { update_raw_3(pointers(on.cube)); });
    add(
        "/update_3d/rows", like_raw, [](Nests& on) { update_rows_3(on.cube.out(), on.cube.in()); },
        [](Nests& on) { update_raw_3(pointers(on.cube)); });
    add(
        "/update_3d/range_for", like_unvectorised,
        [](Nests& on) { update_range_for_3(on.cube.out(), on.cube.in()); },
        [](Nests& on) { update_raw_without_vectors_3(pointers(on.cube)); });
    add(
        "/fill_2d", like_raw, [](Nests& on) { fill_view(on.square.out(), 3); },
        [](Nests& on) { fill_raw(pointers(on.square), 3); });
}

}  // namespace cliffs::KERNELS
