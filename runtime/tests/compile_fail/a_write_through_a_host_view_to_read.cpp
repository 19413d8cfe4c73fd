// says: lvalue required | not assignable
#include "compile_fail/program.hpp"

void program() {
#ifdef WRONG
    rt.read(x)[0] = 1;
#else
    rt.read_write(x)[0] = 1;
#endif
}
