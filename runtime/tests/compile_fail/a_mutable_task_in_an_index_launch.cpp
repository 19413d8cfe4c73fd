// says: the task cannot be called with these arguments
#include "compile_fail/program.hpp"

void program() {
#ifdef WRONG
    rt.launch("task", extents(2), [count = 0]() mutable { ++count; });
#else
    rt.launch("task", extents(2), [count = 0] { return count + 1; });
#endif
}
