// says: must be trivially copyable
#include "compile_fail/program.hpp"

void program() {
#ifdef WRONG
    static_cast<void>(rt.launch("task", extents(2), [] { return std::vector<int>(3); }));
#else
    static_cast<void>(rt.launch("task", extents(2), [] { return 42; }));
#endif
}
