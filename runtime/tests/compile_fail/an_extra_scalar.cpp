// says: the task cannot be called with these arguments
#include "compile_fail/program.hpp"

void program() {
#ifdef WRONG
    rt.launch(
        "task", [](View<double, 1>) {}, write(x), 1.5);
#else
    rt.launch(
        "task", [](View<double, 1>, double) {}, write(x), 1.5);
#endif
}
