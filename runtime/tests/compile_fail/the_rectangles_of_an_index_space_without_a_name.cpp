// says: deleted
#include "compile_fail/program.hpp"

void program() {
#ifdef WRONG
    for (Rect<1> r : pieces[0].rects()) static_cast<void>(r);
#else
    const auto piece = pieces[0];
    for (Rect<1> r : piece.rects()) static_cast<void>(r);
#endif
}
