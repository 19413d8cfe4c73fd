// says: must be trivially copyable
#include "compile_fail/program.hpp"

void program() {
#ifdef WRONG
    static_cast<void>(rt.launch("task", [] { return std::string("text"); }));
#else
    static_cast<void>(rt.launch("task", [] { return 42; }));
#endif
}
