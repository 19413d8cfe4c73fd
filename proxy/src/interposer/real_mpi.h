/// What MPIs that run programs have in common, and a simulated one has not. Included by the header of each.
#pragma once

#include "recorder/system_clock.hpp"

#include <mpi.h>

/// The function behind a wrapper of mpif.h.
#define REFRAIN_REAL(name) "pmpi_" name "_"

namespace refrain::proxy::this_mpi {

/// Whether calls take simulated time.
inline constexpr bool simulated = false;

/// The time that calls are measured by, in seconds; `stopped`: when the program called, by the clock of its computation.
inline double time() {
    return SystemClock::wall();
}
inline double time_of_call(double stopped) {
    return stopped;
}

/// What the program computed has to be simulated before its call; what the recorder does must not be.
inline void simulate_work() {}
inline void forget_work() {}

inline bool is_between_groups(MPI_Comm comm) {
    int flag = 0;
    PMPI_Comm_test_inter(comm, &flag);
    return flag != 0;
}
/// Whether a rank of the one group gives this as root where the root is itself.
inline bool is_root_of_other_group(int root) {
    return root == MPI_ROOT;
}

inline int control(int level) {
    return PMPI_Pcontrol(level);
}

/// What mpif.h gives for MPI_STATUS(ES)_IGNORE.
inline const MPI_Fint* fortran_ignored(bool several) {
    return several ? MPI_F_STATUSES_IGNORE : MPI_F_STATUS_IGNORE;
}

inline void read_status(const MPI_Fint* from, MPI_Status& status) {
    PMPI_Status_f2c(from, &status);
}

}  // namespace refrain::proxy::this_mpi
