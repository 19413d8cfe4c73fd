// says: the task cannot be called with these arguments
#include "compile_fail/program.hpp"

void program() {
#ifdef WRONG
    rt.launch(
        "task", [](View<const double, 1>) {}, read(m));
#else
    rt.launch(
        "task", [](View<const double, 2>) {}, read(m));
#endif
}
