/// What differs in SimGrid's SMPI. Included by this_mpi.h only.
///
/// All ranks are in one process, and take turns in one thread. Each has a copy of the program, and of this recorder, which
/// is linked with it: what is global here belongs to one rank. Functions that SMPI does not have end the simulation, and are
/// not called. Functions of mpif.h call those of C inside SimGrid, where no rank's own copy stands in front of them.
#pragma once

#include <cstring>
#include <mpi.h>
#include <simgrid/engine.h>

/// The function behind a wrapper of mpif.h: there is no pmpi_x_.
#define REFRAIN_REAL(name) "mpi_" name "_"

extern "C" {
/// What mpif.h gives for the constants of these names: their addresses.
extern MPI_Fint mpi_in_place_, mpi_bottom_, mpi_status_ignore_, mpi_statuses_ignore_;
/// simgrid::smpi::File::f2c: PMPI_File_f2c ends the simulation.
MPI_File refrain_smpi_file(MPI_Fint file) __asm__("_ZN7simgrid4smpi4File3f2cEi");
}
#define PMPI_File_f2c refrain_smpi_file

namespace refrain::proxy::this_mpi {

inline constexpr bool simulated = true;

inline double time() {
    return simgrid_get_clock();
}
inline double time_of_call(double) {
    return time();
}

inline void simulate_work() {
    smpi_bench_end();
    smpi_bench_begin();
}
inline void forget_work() {
    smpi_bench_begin();
}

/// There is one group only, and no MPI_ROOT: its value is that of rank 0.
inline bool is_between_groups(MPI_Comm) {
    return false;
}
inline bool is_root_of_other_group(int) {
    return false;
}

inline void* fortran_in_place() {
    return &mpi_in_place_;
}
inline void* fortran_bottom() {
    return &mpi_bottom_;
}
/// mpif.h has no topology with weights, and SMPI no mpi_f08.
inline const MPI_Fint* fortran_unweighted() {
    return nullptr;
}
inline const MPI_Fint* fortran_weights_empty() {
    return nullptr;
}
inline const MPI_Fint* fortran_ignored(bool several) {
    return several ? &mpi_statuses_ignore_ : &mpi_status_ignore_;
}
inline const MPI_Fint* f08_ignored(bool several) {
    return fortran_ignored(several);
}
/// SMPI has no MPI_Status_f2c: both languages have the same words.
inline void read_status(const MPI_Fint* from, MPI_Status& status) {
    std::memcpy(&status, from, sizeof status);
}

inline int control(int) {
    return MPI_SUCCESS;
}

}  // namespace refrain::proxy::this_mpi
