// says: no matching function
#include "compile_fail/program.hpp"

void program() {
#ifdef WRONG
    static_cast<void>(reduce<BitOr>(x));
#else
    static_cast<void>(reduce<BitOr>(n));
#endif
}
