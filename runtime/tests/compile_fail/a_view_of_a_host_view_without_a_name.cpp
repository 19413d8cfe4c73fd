// says: deleted
#include "compile_fail/program.hpp"

void program() {
#ifdef WRONG
    for (double value : rt.read(x).view().span()) static_cast<void>(value);
#else
    const auto view = rt.read(x);
    for (double value : view.view().span()) static_cast<void>(value);
#endif
}
