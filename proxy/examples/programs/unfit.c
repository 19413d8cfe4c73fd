/* What no proxy is made of: a function that is recorded by its name only. Given an argument, it ends by MPI_Abort instead.
 * mpirun -n 2 ./unfit [abort] */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
    int me, word = -1;
    char packed[64];
    MPI_Aint place = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Barrier(MPI_COMM_WORLD);
    if (argc > 1) MPI_Abort(MPI_COMM_WORLD, 7);
    MPI_Pack_external("external32", &me, 1, MPI_INT, packed, sizeof packed, &place);
    place = 0;
    MPI_Unpack_external("external32", packed, sizeof packed, &place, &word, 1, MPI_INT);
    if (me == 0) printf("unfit: %d\n", word);
    MPI_Finalize();
    return word != me;
}
