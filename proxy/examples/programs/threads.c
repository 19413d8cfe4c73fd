/* Two threads of each rank talk to their like on other ranks at once, each in a communicator of its own.
 * mpirun -n 2 ./threads */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { STEPS = 20 };

static int me, ranks;

/* Numbers go around in a ring. */
static void* go_around(void* where) {
    const MPI_Comm comm = *(const MPI_Comm*)where;
    static __thread int number;
    int step;
    number = me;
    for (step = 0; step < STEPS; step++)
        MPI_Sendrecv_replace(&number, 1, MPI_INT, (me + 1) % ranks, 5, (me + ranks - 1) % ranks, 5,
                             comm, MPI_STATUS_IGNORE);
    return number == (me + STEPS * (ranks - 1)) % ranks ? where : NULL;
}

int main(int argc, char** argv) {
    int provided, right, all;
    MPI_Comm mine, other;
    pthread_t thread;
    void* told;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (provided < MPI_THREAD_MULTIPLE) {
        if (me == 0) printf("threads: this MPI does not bear them\n");
        MPI_Finalize();
        return 0;
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &mine);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    pthread_create(&thread, NULL, go_around, &other);
    right = go_around(&mine) != NULL;
    pthread_join(thread, &told);
    right = right && told != NULL;
    MPI_Comm_free(&mine);
    MPI_Comm_free(&other);
    MPI_Allreduce(&right, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (me == 0) printf("threads: %s\n", all ? "right" : "wrong");
    MPI_Finalize();
    return !all;
}
