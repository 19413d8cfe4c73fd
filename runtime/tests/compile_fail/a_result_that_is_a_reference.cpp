// says: must be trivially copyable
#include "compile_fail/program.hpp"

void program() {
#ifdef WRONG
    static int value = 0;
    static_cast<void>(rt.launch("task", []() -> int& { return value; }));
#else
    static int value = 0;
    static_cast<void>(rt.launch("task", [] { return value; }));
#endif
}
