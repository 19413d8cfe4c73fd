/* What no proxy is made of: a window into which everybody writes at an address that its owner tells. Given an argument, it
 * ends by MPI_Abort instead.
 * mpirun -n 2 ./unfit [abort] */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
    int me, ranks, word = -1;
    MPI_Aint mine, place;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Barrier(MPI_COMM_WORLD);
    if (argc > 1) MPI_Abort(MPI_COMM_WORLD, 7);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_attach(window, &word, sizeof word);
    MPI_Get_address(&word, &mine);
    MPI_Sendrecv(&mine, 1, MPI_AINT, (me + ranks - 1) % ranks, 1, &place, 1, MPI_AINT,
                 (me + 1) % ranks, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Win_fence(0, window);
    MPI_Put(&me, 1, MPI_INT, (me + 1) % ranks, place, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    MPI_Win_detach(window, &word);
    MPI_Win_free(&window);
    if (me == 0) printf("unfit: %d\n", word);
    MPI_Finalize();
    return word != (me + ranks - 1) % ranks;
}
