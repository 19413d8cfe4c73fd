/* Prepares, solves, reports: only what lies between MPI_Pcontrol(1) and MPI_Pcontrol(0) is of interest. Messages cross
 * both edges. mpirun -n 2 ./phases [messages of which no two are alike] */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 50, STEPS = 40 };

static int me, ranks, right, left;
static double mine[CELLS], ghost[CELLS];
static MPI_Comm ring;
static MPI_Request halo[2];

/* All ranks pass something around before anybody looks. */
__attribute__((noinline)) static void prepare(void) {
    for (int i = 0; i < CELLS; i++) mine[i] = me + i;
    for (int i = 0; i < 7; i++)
        MPI_Sendrecv(mine, CELLS, MPI_DOUBLE, right, 1, ghost, CELLS, MPI_DOUBLE, left, 1, ring,
                     MPI_STATUS_IGNORE);
}

__attribute__((noinline)) static void exchange(void) {
    MPI_Startall(2, halo);
    MPI_Waitall(2, halo, MPI_STATUSES_IGNORE);
}

__attribute__((noinline)) static double solve(void) {
    double sum = 0, all = 0;
    for (int step = 0; step < STEPS; step++) {
        exchange();
        for (int i = 0; i < CELLS; i++) sum += 0.5 * (ghost[i] + mine[i]);
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, ring);
    }
    return all;
}

int main(int argc, char** argv) {
    int early = 3, late = 4, first = 0, last = 0;
    double sum;
    MPI_Request before, behind[2];
    MPI_Init(&argc, &argv);
    MPI_Pcontrol(0);
    MPI_Comm_dup(MPI_COMM_WORLD, &ring);
    MPI_Comm_rank(ring, &me);
    MPI_Comm_size(ring, &ranks);
    right = (me + 1) % ranks, left = (me + ranks - 1) % ranks;
    MPI_Send_init(mine, CELLS, MPI_DOUBLE, right, 2, ring, &halo[0]);
    MPI_Recv_init(ghost, CELLS, MPI_DOUBLE, left, 2, ring, &halo[1]);
    prepare();
    /* Begun before, completed within. */
    MPI_Isend(&early, 1, MPI_INT, right, 3, ring, &before);
    MPI_Recv(&first, 1, MPI_INT, left, 3, ring, MPI_STATUS_IGNORE);
    MPI_Pcontrol(1);
    sum = solve();
    for (int i = 0; argc > 1 && i < atoi(argv[1]); i++)
        MPI_Sendrecv(mine, 1, MPI_DOUBLE, right, 10 + i, ghost, 1, MPI_DOUBLE, left, 10 + i, ring,
                     MPI_STATUS_IGNORE);
    MPI_Wait(&before, MPI_STATUS_IGNORE);
    /* Begun within, completed behind. */
    MPI_Irecv(&last, 1, MPI_INT, left, 4, ring, &behind[0]);
    MPI_Isend(&late, 1, MPI_INT, right, 4, ring, &behind[1]);
    MPI_Pcontrol(0);
    MPI_Waitall(2, behind, MPI_STATUSES_IGNORE);
    prepare();
    MPI_Request_free(&halo[0]);
    MPI_Request_free(&halo[1]);
    MPI_Comm_free(&ring);
    if (me == 0) printf("phases: %.1f\n", sum);
    MPI_Finalize();
    return !(sum > 0) || first != 3 || last != 4;
}
