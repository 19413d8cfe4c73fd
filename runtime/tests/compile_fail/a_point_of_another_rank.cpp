// says: the task cannot be called with these arguments
#include "compile_fail/program.hpp"

void program() {
#ifdef WRONG
    rt.launch("task", extents(2, 2), [](Point<1>) {});
#else
    rt.launch("task", extents(2, 2), [](Point<2>) {});
#endif
}
