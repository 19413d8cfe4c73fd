// says: a task takes single futures only
#include "compile_fail/program.hpp"

void program() {
#ifdef WRONG
    const auto map = rt.launch("values", extents(2), [] { return 1; });
    rt.launch(
        "task", [](FutureMap<int, 1>) {}, map);
#else
    const auto map = rt.launch("values", extents(2), [] { return 1; });
    rt.launch(
        "task", [](int) {}, map.get(0));
#endif
}
