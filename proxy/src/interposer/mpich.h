/// What differs in MPICH. Included by this_mpi.h only.
///
/// Routines of mpi_f08 with a buffer (mpi_x_f08ts_) call MPI_X, and are seen there; those without one are
/// wrapped.
#pragma once

#include "interposer/real_mpi.h"

#include <dlfcn.h>
#include <mpi.h>

/// The function behind a wrapper of mpi_f08.
#define REFRAIN_REAL_F08(name) "pmpir_" name "_f08_"

namespace refrain::proxy::this_mpi {

/// The addresses that Fortran programs give for MPI_IN_PLACE and MPI_BOTTOM: the library learns them with the
/// first call, so that they are read anew.
inline void* fortran_in_place() {
    static void** const place = static_cast<void**>(dlsym(RTLD_DEFAULT, "MPIR_F_MPI_IN_PLACE"));
    return place != nullptr ? *place : nullptr;
}
inline void* fortran_bottom() {
    static void** const place = static_cast<void**>(dlsym(RTLD_DEFAULT, "MPIR_F_MPI_BOTTOM"));
    return place != nullptr ? *place : nullptr;
}
inline const MPI_Fint* fortran_unweighted() {
    static const MPI_Fint** const place =
        static_cast<const MPI_Fint**>(dlsym(RTLD_DEFAULT, "MPIR_F_MPI_UNWEIGHTED"));
    return place != nullptr ? *place : nullptr;
}
inline const MPI_Fint* fortran_weights_empty() {
    static const MPI_Fint** const place =
        static_cast<const MPI_Fint**>(dlsym(RTLD_DEFAULT, "MPIR_F_MPI_WEIGHTS_EMPTY"));
    return place != nullptr ? *place : nullptr;
}
/// What mpi_f08 gives for MPI_STATUS(ES)_IGNORE.
inline const MPI_Fint* f08_ignored(bool several) {
    static const void* const one = dlsym(RTLD_DEFAULT, "MPIR_F08_MPI_STATUS_IGNORE_OBJ");
    static const void* const all = dlsym(RTLD_DEFAULT, "MPIR_F08_MPI_STATUSES_IGNORE_OBJ");
    return static_cast<const MPI_Fint*>(several ? all : one);
}

}  // namespace refrain::proxy::this_mpi
