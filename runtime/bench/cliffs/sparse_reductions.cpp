/// 32 points reduce into a region of 32 MiB: through subsets of two elements, one at each end; into
/// one element each of the whole region; and into all of it.

#include <refrain/refrain.hpp>

#include "cliffs/rows.hpp"
#include "common/stopwatch.hpp"

namespace cliffs {
namespace {

using namespace refrain;

constexpr std::int64_t points = 32;

enum class Touch { two_far, one_of_all, all };
enum class Measure { milliseconds, partials_mib };

double reduction(std::int64_t elements, Touch touch, Measure what) {
    Options options;
    options.workers = 2;
    Runtime runtime(options);
    const auto space = extents(elements);
    const auto region = runtime.create_region<double>(space, "sums");
    runtime.fill(region, 0);
    runtime.wait_all();
    const IndexSpace<1> ends{Rect<1>{0, 1}, Rect<1>{elements - 1, elements}};
    const auto pieces = touch != Touch::two_far ? whole(space, extents(points))
                                                : subsets(space, extents(points),
                                                          std::vector<IndexSpace<1>>(points, ends));
    const bench::Stopwatch watch;
    runtime.launch(
        "reduce", pieces.colours(),
        [is_dense = touch == Touch::all](Point<1> p, ReduceView<Sum, double, 1> sums) {
            const auto last = sums.domain().hi[0] - 1;
            if (!is_dense) return sums.reduce(p[0] % 2 == 0 ? 0 : last, 1);
            for (const Point<1> q : sums.domain()) sums.reduce(q, 1);
        },
        reduce<Sum>(region, pieces));
    runtime.wait_all();
    if (what == Measure::milliseconds) return 1e3 * watch.wall_seconds();
    const auto bytes = static_cast<double>(runtime.statistics().storage.bytes_peak);
    return (bytes - 8.0 * static_cast<double>(elements)) / (1 << 20);
}

}  // namespace

void add_sparse_reductions(std::vector<Row>& rows, bool quick) {
    const std::int64_t elements = quick ? 4096 : 4 << 20;
    const auto add = [&](const char* name, double limit, Touch touch) {
        rows.push_back({std::string("sparse_reductions/") + name, "ms", limit,
                        [=] { return reduction(elements, touch, Measure::milliseconds); }});
    };
    add("two_far_elements", 5, Touch::two_far);
    add("one_element_of_all", 5, Touch::one_of_all);
    add("all_elements", 0, Touch::all);
    rows.push_back({"sparse_reductions/one_element_of_all/partials", "MiB", 1,
                    [=] { return reduction(elements, Touch::one_of_all, Measure::partials_mib); }});
}

}  // namespace cliffs
