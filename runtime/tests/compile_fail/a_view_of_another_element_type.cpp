// says: the task cannot be called with these arguments
#include "compile_fail/program.hpp"

void program() {
#ifdef WRONG
    rt.launch(
        "task", [](View<const float, 1>) {}, read(x));
#else
    rt.launch(
        "task", [](View<const double, 1>) {}, read(x));
#endif
}
