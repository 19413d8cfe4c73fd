// says: no matching function | matching member function
#include "compile_fail/program.hpp"

void program() {
#ifdef WRONG
    extern Region<Point<2>, 1> pointers;
    static_cast<void>(rt.image(extents(8), pieces, pointers));
#else
    extern Region<Point<2>, 1> pointers;
    static_cast<void>(rt.image(extents(8, 8), pieces, pointers));
#endif
}
