#include "script/rows.hpp"

namespace script_bench {

void add_tbb(std::vector<Row>&, bool, Missing& missing) {
    missing["sweep_cpu_over_tbb"] = "oneTBB (libtbb-dev) was not there when this was built";
}

}  // namespace script_bench
