// says: deleted
#include "compile_fail/program.hpp"

void program() {
#ifdef WRONG
    for (Point<1> p : pieces[0].points()) static_cast<void>(p);
#else
    const auto piece = pieces[0];
    for (Point<1> p : piece.points()) static_cast<void>(p);
#endif
}
