// says: deleted
#include "compile_fail/program.hpp"

void program() {
#ifdef WRONG
    Runtime copy = std::move(rt);
#else
    Runtime& reference = rt;
    reference.wait_all();
#endif
}
