// says: no match for | does not provide a subscript operator
#include "compile_fail/program.hpp"

void program() {
#ifdef WRONG
    rt.launch(
        "task", [](ReduceView<Sum, double, 1> v) { return v[0]; }, reduce<Sum>(x));
#else
    rt.launch(
        "task", [](ReduceView<Sum, double, 1> v) { v.reduce(0, 1); }, reduce<Sum>(x));
#endif
}
