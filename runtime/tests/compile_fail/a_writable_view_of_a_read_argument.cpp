// says: the task cannot be called with these arguments
#include "compile_fail/program.hpp"

void program() {
#ifdef WRONG
    rt.launch(
        "task", [](View<double, 1> v) { v[0] = 1; }, read(x));
#else
    rt.launch(
        "task", [](View<double, 1> v) { v[0] = 1; }, read_write(x));
#endif
}
