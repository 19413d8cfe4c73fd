/* What no proxy is made of: a function that is recorded by its name only. Given an argument, it ends by MPI_Abort instead.
 * mpirun -n 2 ./unfit [abort] */
#include <mpi.h>
#include <stdio.h>

static int asked(void* own, MPI_Status* status) {
    (void)own;
    MPI_Status_set_elements(status, MPI_BYTE, 0);
    MPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}

static int freed(void* own) {
    (void)own;
    return MPI_SUCCESS;
}

static int cancelled(void* own, int complete) {
    (void)own, (void)complete;
    return MPI_SUCCESS;
}

int main(int argc, char** argv) {
    int me, word = -1;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Barrier(MPI_COMM_WORLD);
    if (argc > 1) MPI_Abort(MPI_COMM_WORLD, 7);
    word = me;
    MPI_Grequest_start(asked, freed, cancelled, NULL, &request);
    MPI_Grequest_complete(request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (me == 0) printf("unfit: %d\n", word);
    MPI_Finalize();
    return word != me;
}
