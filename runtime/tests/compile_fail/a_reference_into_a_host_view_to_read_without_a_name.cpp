// says: cannot bind | cannot be bound | non-const lvalue reference
#include "compile_fail/program.hpp"

void program() {
#ifdef WRONG
    auto& first = rt.read(x)[0];
    static_cast<void>(first);
#else
    const auto view = rt.read(x);
    auto& first = view[0];
    static_cast<void>(first);
#endif
}
