#include "refrain/script/leaf_functions.hpp"

#include <cstdint>
#include <mpi.h>
#include <stdexcept>

/// The sum of x + rank over the team, which MPI knows as the script does.
std::int64_t team_sum(std::int64_t x) {
    const refrain::script::Team& team = refrain::script::team();
    if (team.communicator == nullptr) {
        if (x < 0) throw std::runtime_error("negative");
        return x;
    }
    const MPI_Comm all = *static_cast<const MPI_Comm*>(team.communicator);
    int size = 0;
    int rank = 0;
    MPI_Comm_size(all, &size);
    MPI_Comm_rank(all, &rank);
    if (size != team.size || rank != team.rank) throw std::runtime_error("another team");
    std::int64_t sum = x + rank;
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT64_T, MPI_SUM, all);
    if (x < 0) throw std::runtime_error("negative");
    return sum;
}
REFRAIN_SCRIPT_FUNCTION(team_sum)
