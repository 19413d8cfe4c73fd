/// What differs in Open MPI. Included by this_mpi.h only.
#pragma once

#include "interposer/real_mpi.h"

#include <dlfcn.h>
#include <mpi.h>

/// The function behind a wrapper of mpi_f08.
#define REFRAIN_REAL_F08(name) "pmpi_" name "_f08_"

namespace refrain::proxy::this_mpi {

/// The addresses that Fortran programs give for MPI_IN_PLACE and MPI_BOTTOM.
inline void* fortran_in_place() {
    static void* const address = dlsym(RTLD_DEFAULT, "mpi_fortran_in_place_");
    return address;
}
inline void* fortran_bottom() {
    static void* const address = dlsym(RTLD_DEFAULT, "mpi_fortran_bottom_");
    return address;
}
inline const MPI_Fint* fortran_unweighted() {
    static const void* const address = dlsym(RTLD_DEFAULT, "mpi_fortran_unweighted_");
    return static_cast<const MPI_Fint*>(address);
}
inline const MPI_Fint* fortran_weights_empty() {
    static const void* const address = dlsym(RTLD_DEFAULT, "mpi_fortran_weights_empty_");
    return static_cast<const MPI_Fint*>(address);
}
/// What mpi_f08 gives for MPI_STATUS(ES)_IGNORE: the same as mpif.h.
inline const MPI_Fint* f08_ignored(bool several) {
    return several ? MPI_F_STATUSES_IGNORE : MPI_F_STATUS_IGNORE;
}

}  // namespace refrain::proxy::this_mpi
