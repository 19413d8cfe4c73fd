/* Everybody reports to the first rank, which takes reports as they come: by receives from any source, begun one after the
 * other or all at once, while others work and test. mpirun -n 4 ./reports [rounds] */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 64, REPORT = 1, DETAIL = 2, NEXT = 3 };

static volatile double sink;

static void compute(int turns) {
    double x = 1;
    for (int i = 0; i < turns; i++) x = 0.5 * (x + 2.0 / x);
    sink = x;
}

int main(int argc, char** argv) {
    int ranks, me, wrong = 0, next = 0;
    const int rounds = argc > 1 ? atoi(argv[1]) : 20;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks > MOST) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int round = 0; round < rounds; round++) {
        double reports[MOST], mine = me + round, sum = 0;
        MPI_Request requests[MOST], asked;
        if (me == 0) {
            /* One after the other. */
            for (int i = 1; i < ranks; i++) {
                double report;
                MPI_Recv(&report, 1, MPI_DOUBLE, MPI_ANY_SOURCE, REPORT, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
                sum += report;
            }
        } else {
            compute(500 * (1 + (me + round) % 3));
            MPI_Ssend(&mine, 1, MPI_DOUBLE, 0, REPORT, MPI_COMM_WORLD);
        }
        MPI_Bcast(&sum, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        if (sum != (ranks - 1) * round + ranks * (ranks - 1) / 2) wrong = 1;
        /* All at once. */
        if (me == 0) {
            for (int i = 0; i < ranks - 1; i++)
                MPI_Irecv(&reports[i], 1, MPI_DOUBLE, MPI_ANY_SOURCE, DETAIL, MPI_COMM_WORLD,
                          &requests[i]);
            MPI_Waitall(ranks - 1, requests, MPI_STATUSES_IGNORE);
        } else {
            MPI_Send(&mine, 1, MPI_DOUBLE, 0, DETAIL, MPI_COMM_WORLD);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        /* Work until the neighbour's message is there. */
        int there = 0;
        MPI_Irecv(&next, 1, MPI_INT, (me + ranks - 1) % ranks, NEXT, MPI_COMM_WORLD, &asked);
        compute(300 * (1 + me));
        MPI_Send(&me, 1, MPI_INT, (me + 1) % ranks, NEXT, MPI_COMM_WORLD);
        for (MPI_Test(&asked, &there, MPI_STATUS_IGNORE); !there;
             MPI_Test(&asked, &there, MPI_STATUS_IGNORE))
            compute(100);
        if (next != (me + ranks - 1) % ranks) wrong = 1;
    }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (me == 0) printf("reports: %s\n", wrong ? "WRONG" : "right");
    MPI_Finalize();
    return wrong;
}
