// says: no matching function
#include "compile_fail/program.hpp"

void program() {
#ifdef WRONG
    struct Mix {
        static void fold(double& into, const double& value) { into += value; }
    };
    static_cast<void>(reduce<Mix>(x));
#else
    struct Mix {
        static double identity() { return 0; }
        static void fold(double& into, const double& value) { into += value; }
    };
    static_cast<void>(reduce<Mix>(x));
#endif
}
