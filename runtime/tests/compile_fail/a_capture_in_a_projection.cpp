// says: a projection must be a callable without captures
#include "compile_fail/program.hpp"

void program() {
#ifdef WRONG
    const std::int64_t shift = 1;
    rt.launch(
        "task", extents(2), [](View<const double, 1>) {},
        read(x, pieces, [shift](Point<1> p) { return Point<1>(p[0] + shift); }));
#else
    rt.launch(
        "task", extents(2), [](View<const double, 1>) {},
        read(x, pieces, [](Point<1> p) { return Point<1>(p[0] + 1); }));
#endif
}
