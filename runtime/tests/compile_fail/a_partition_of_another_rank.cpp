// says: no matching function
#include "compile_fail/program.hpp"

void program() {
#ifdef WRONG
    rt.launch(
        "task", extents(2), [](View<const double, 2>) {}, read(m, pieces));
#else
    rt.launch(
        "task", extents(2), [](View<const double, 2>) {}, read(m, rows(m.bounds(), 2)));
#endif
}
