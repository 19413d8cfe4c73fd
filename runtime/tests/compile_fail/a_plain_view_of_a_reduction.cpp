// says: the task cannot be called with these arguments
#include "compile_fail/program.hpp"

void program() {
#ifdef WRONG
    rt.launch(
        "task", [](View<double, 1>) {}, reduce<Sum>(x));
#else
    rt.launch(
        "task", [](ReduceView<Sum, double, 1>) {}, reduce<Sum>(x));
#endif
}
