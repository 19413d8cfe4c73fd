// says: the task cannot be called with these arguments
#include "compile_fail/program.hpp"

void program() {
#ifdef WRONG
    rt.launch(
        "task", [](Point<1>, View<double, 1>) {}, write(x));
#else
    rt.launch(
        "task", pieces.colours(), [](Point<1>, View<double, 1>) {}, write(x, pieces));
#endif
}
