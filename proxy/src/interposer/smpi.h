/// What differs in SimGrid's SMPI. Included by runtime.h only.
///
/// All ranks are in one process, and take turns in one thread. Each has a copy of the program, and of this recorder, which
/// is linked with it: what is global here belongs to one rank. Functions that SMPI does not have end the simulation, and are
/// not called.
#pragma once

#include <mpi.h>
#include <simgrid/engine.h>

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

inline int control(int) {
    return MPI_SUCCESS;
}

}  // namespace refrain::proxy::this_mpi
