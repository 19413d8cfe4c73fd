/* What ends before its end: two ranks and more exchange a message with their neighbours in each step; at one step rank 1
 * is killed, or all are, or it calls MPI_Abort, or all exit without a word to MPI. Or one ends with a status of its own.
 * mpirun -n 2 ./broken STEPS [kill|kill-all|abort|exit|status STEP] */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int main(int argc, char** argv) {
    const int steps = argc > 1 ? atoi(argv[1]) : 100;
    const char* const how = argc > 3 ? argv[2] : "";
    const int end = argc > 3 ? atoi(argv[3]) : -1;
    const struct timespec pause = {0, 500000};
    double mine, left, sum = 0;
    int me, ranks, step;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    mine = left = me;
    for (step = 0; step < steps; step++) {
        MPI_Sendrecv(&mine, 1, MPI_DOUBLE, (me + 1) % ranks, 1, &left, 1, MPI_DOUBLE,
                     (me + ranks - 1) % ranks, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (step % 10 == 9) MPI_Allreduce(&left, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        nanosleep(&pause, NULL);
        if (step != end) continue;
        if (strcmp(how, "kill-all") == 0 || (me == 1 && strcmp(how, "kill") == 0)) raise(SIGKILL);
        if (me == 1 && strcmp(how, "abort") == 0) MPI_Abort(MPI_COMM_WORLD, 7);
        if (strcmp(how, "exit") == 0) exit(5);
    }
    if (me == 0) printf("broken: %d steps, sum %g\n", steps, sum);
    MPI_Finalize();
    return me == 1 && strcmp(how, "status") == 0 ? 4 : 0;
}
