// says: deleted
#include "compile_fail/program.hpp"

void program() {
#ifdef WRONG
    const Options& options = Runtime(Options{}).options();
    static_cast<void>(options);
#else
    const Options& options = rt.options();
    static_cast<void>(options);
#endif
}
