// says: the task cannot be called with these arguments
#include "compile_fail/program.hpp"

void program() {
#ifdef WRONG
    rt.launch(
        "task", [](View<double, 1>, View<const int, 1>) {}, read(n), write(x));
#else
    rt.launch(
        "task", [](View<const int, 1>, View<double, 1>) {}, read(n), write(x));
#endif
}
