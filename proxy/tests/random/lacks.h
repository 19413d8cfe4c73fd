/* What random programs do without where the MPI lacks it: the table in lacks.inc. `random_program --lacks` prints it. */
#ifndef LACKS_H
#define LACKS_H

enum Lack {
    lack_nothing,
#define LACK(name, functions, reason) lack_##name,
#include "lacks.inc"
#undef LACK
};

/* Compiled with -DTRIED=lack_idup, programs have that one: so it is seen whether a later SMPI still lacks it. */
#ifndef TRIED
#define TRIED lack_nothing
#endif

/* Whether programs do without it here; mpi.h is included. */
static inline int lacks(enum Lack what) {
#ifdef SMPI_H
    return what != lack_nothing && what != TRIED;
#else
    (void)what;
    return 0;
#endif
}

#endif
