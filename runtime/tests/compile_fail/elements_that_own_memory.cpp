// says: regions hold elements that can be copied as bytes
#include "compile_fail/program.hpp"

void program() {
#ifdef WRONG
    static_cast<void>(rt.create_region<std::string>(extents(4)));
#else
    static_cast<void>(rt.create_region<char>(extents(4)));
#endif
}
