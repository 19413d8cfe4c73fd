// says: a projection is for index launches
#include "compile_fail/program.hpp"

void program() {
#ifdef WRONG
    rt.launch(
        "task", [](View<const double, 1>) {}, read(x, pieces, [](Point<1> p) { return p; }));
#else
    rt.launch(
        "task", extents(2), [](View<const double, 1>) {},
        read(x, pieces, [](Point<1> p) { return p; }));
#endif
}
