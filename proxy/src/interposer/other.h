/// An MPI that nobody has described: what is the same in all of them is assumed, and Fortran's own constants (MPI_IN_PLACE,
/// MPI_BOTTOM, MPI_UNWEIGHTED) are not known. Copy this file, say how it is there, and name the copy:
/// `refrain proxy build --header`. Included by this_mpi.h only.
#pragma once

#include "interposer/real_mpi.h"

#include <dlfcn.h>
#include <mpi.h>

/// The function behind a wrapper of mpi_f08.
#define REFRAIN_REAL_F08(name) "pmpi_" name "_f08_"

namespace refrain::proxy::this_mpi {

/// The addresses that Fortran programs give for MPI_IN_PLACE and MPI_BOTTOM.
inline void* fortran_in_place() {
    return nullptr;
}
inline void* fortran_bottom() {
    return nullptr;
}
inline const MPI_Fint* fortran_unweighted() {
    return nullptr;
}
inline const MPI_Fint* fortran_weights_empty() {
    return nullptr;
}
/// What mpi_f08 gives for MPI_STATUS(ES)_IGNORE.
inline const MPI_Fint* f08_ignored(bool several) {
    return several ? MPI_F_STATUSES_IGNORE : MPI_F_STATUS_IGNORE;
}

}  // namespace refrain::proxy::this_mpi
