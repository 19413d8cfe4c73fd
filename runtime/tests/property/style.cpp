#include "property/style.hpp"

#include <algorithm>

namespace refrain::property {

Style draw_style(Random& random, const GeneratorLimits& limits) {
    Style style;
    style.index_launches = random.among<int>({0, 30, 60, 90, 100});
    style.whole_region = random.among<int>({0, 10, 30, 100});
    style.projections = random.among<int>({0, 0, 20, 60});
    style.region_again = random.among<int>({0, 20, 60});
    style.futures = random.among<int>({0, 10, 40});
    style.host_accesses = random.among<int>({0, 0, 3, 15});
    style.waits = random.among<int>({0, 0, 2, 10});
    style.temporaries = random.among<int>({0, 10, 40});
    style.partition_churn = random.among<int>({0, 0, 3, 10});
    style.branches = random.among<int>({0, 0, 10, 40});
    style.throws = limits.failures ? random.among<int>({0, 0, 3, 15, 60}) : 0;
    style.misuse = limits.misuse ? random.among<int>({0, 0, 0, 8}) : 0;
    style.many_pieces = random.once_in(6);
    style.sweeps = style.many_pieces ? 60 : random.among<int>({0, 5, 30});
    style.aliases = random.among<int>({0, 0, 5, 20});
    style.views = random.among<int>({0, 0, 10, 40});
    style.traced_bodies = random.among<int>({40, 100});
    style.spaces = random.between(1, 3);
    style.regions = random.between(1, 6);
    style.partitions = random.between(style.many_pieces ? 1 : 0, 7);
    style.future_slots = random.between(1, 4);
    style.statements = std::min(limits.statements, random.among<int>({30, 80, 150, 300, 600}));
    if (limits.long_loops || limits.exact_edges || limits.resizes || limits.rows)
        style.statements = limits.statements;
    if (limits.rows) style.throws = 0;  // Generator::fail_in_row
    style.broad = limits.broad;
    style.pointers = limits.pointers;
    style.blocks = limits.blocks;
    style.tasks_only = limits.tasks_only;
    for (int& weight : style.privileges) weight = random.between(0, 4);
    style.privileges[0] += 1;  // at least some reads
    for (int op = 0; op < operator_count; ++op)
        if (random.percent(50)) style.operators.push_back(static_cast<Operator>(op));
    if (style.operators.empty()) style.operators.push_back(Operator::sum);
    return style;
}

}  // namespace refrain::property
