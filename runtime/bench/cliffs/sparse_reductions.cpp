/// 32 points reduce into a region of 32 MiB: through subsets of two elements, one at each end, and
/// into one element each of the whole region.

#include <refrain/refrain.hpp>

#include "cliffs/rows.hpp"
#include "common/stopwatch.hpp"

namespace cliffs {
namespace {

using namespace refrain;

constexpr std::int64_t points = 32;

double milliseconds(std::int64_t elements, bool whole_region) {
    Options options;
    options.workers = 2;
    Runtime runtime(options);
    const auto space = extents(elements);
    const auto region = runtime.create_region<double>(space, "sums");
    runtime.fill(region, 0);
    runtime.wait_all();
    const IndexSpace<1> ends{Rect<1>{0, 1}, Rect<1>{elements - 1, elements}};
    const auto pieces =
        whole_region ? whole(space, extents(points))
                     : subsets(space, extents(points), std::vector<IndexSpace<1>>(points, ends));
    const bench::Stopwatch watch;
    runtime.launch(
        "reduce", pieces.colours(),
        [](Point<1> p, ReduceView<Sum, double, 1> sums) {
            const auto last = sums.domain().hi[0] - 1;
            sums.reduce(p[0] % 2 == 0 ? 0 : last, 1);
        },
        reduce<Sum>(region, pieces));
    runtime.wait_all();
    return 1e3 * watch.wall_seconds();
}

}  // namespace

void add_sparse_reductions(std::vector<Row>& rows, bool quick) {
    const std::int64_t elements = quick ? 4096 : 4 << 20;
    rows.push_back({"sparse_reductions/two_far_elements", "ms", 5,
                    [=] { return milliseconds(elements, false); }});
    rows.push_back({"sparse_reductions/one_element_of_all", "ms", 0,
                    [=] { return milliseconds(elements, true); }});
}

}  // namespace cliffs
