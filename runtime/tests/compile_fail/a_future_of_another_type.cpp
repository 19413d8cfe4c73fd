// says: the task cannot be called with these arguments
#include "compile_fail/program.hpp"

void program() {
#ifdef WRONG
    const Future<std::string*> future;
    rt.launch(
        "task", [](double) {}, future);
#else
    const Future<double> future;
    rt.launch(
        "task", [](double) {}, future);
#endif
}
