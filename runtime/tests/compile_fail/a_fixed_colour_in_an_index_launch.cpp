// says: a fixed colour is for single tasks
#include "compile_fail/program.hpp"

void program() {
#ifdef WRONG
    rt.launch(
        "task", extents(2), [](View<const double, 1>) {}, read(x, pieces, Point<1>(0)));
#else
    rt.launch(
        "task", [](View<const double, 1>) {}, read(x, pieces, Point<1>(0)));
#endif
}
