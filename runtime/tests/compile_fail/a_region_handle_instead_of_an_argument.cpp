// says: a task gets a region's elements, not its handle
#include "compile_fail/program.hpp"

void program() {
#ifdef WRONG
    rt.launch(
        "task", [](Region<double, 1>) {}, x);
#else
    rt.launch(
        "task", [](View<const double, 1>) {}, read(x));
#endif
}
