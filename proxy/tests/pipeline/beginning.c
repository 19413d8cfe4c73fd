/* Ways to ranks that were not there at the beginning: the program begins two more of itself, or its ranks meet at a port.
 * mpirun -n 2 ./beginning spawn|meet */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

/* A sum over the ranks on both sides, by way of both roots. */
static int sum_of_both(MPI_Comm other, int is_first) {
    int mine = 1, theirs = 0;
    MPI_Comm all;
    MPI_Intercomm_merge(other, !is_first, &all);
    MPI_Allreduce(&mine, &theirs, 1, MPI_INT, MPI_SUM, all);
    MPI_Comm_free(&all);
    return theirs;
}

int main(int argc, char** argv) {
    int me, sum = 0;
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_get_parent(&other);
    if (other != MPI_COMM_NULL) {
        sum_of_both(other, 0);
        MPI_Comm_disconnect(&other);
    } else if (argc > 1 && strcmp(argv[1], "spawn") == 0) {
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other,
                       MPI_ERRCODES_IGNORE);
        sum = sum_of_both(other, 1);
        MPI_Comm_disconnect(&other);
        if (me == 0) printf("beginning: %d ranks\n", sum);
    } else {
        if (me == 0) MPI_Open_port(MPI_INFO_NULL, port);
        MPI_Bcast(port, sizeof port, MPI_CHAR, 0, MPI_COMM_WORLD);
        if (me == 0)
            MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
        else
            MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
        sum = sum_of_both(other, me == 0);
        MPI_Comm_disconnect(&other);
        if (me == 0) MPI_Close_port(port);
        if (me == 0) printf("beginning: %d ranks\n", sum);
    }
    MPI_Finalize();
    return 0;
}
