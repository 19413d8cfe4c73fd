/* A multigrid cycle in one dimension: each coarser level has half as many ranks, as long as there are several.
 * mpirun -n 4 ./multigrid [cycles] */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 64, LEVELS_MAX = 12, SWEEPS = 3 };

static MPI_Comm comms[LEVELS_MAX];
static int levels;
static double cells[LEVELS_MAX][CELLS + 2];

static void smooth(int level) {
    double* const u = cells[level];
    int me, ranks, i, sweep;
    MPI_Comm_rank(comms[level], &me);
    MPI_Comm_size(comms[level], &ranks);
    const int left = me > 0 ? me - 1 : MPI_PROC_NULL,
              right = me + 1 < ranks ? me + 1 : MPI_PROC_NULL;
    for (sweep = 0; sweep < SWEEPS; sweep++) {
        MPI_Sendrecv(&u[1], 1, MPI_DOUBLE, left, 1, &u[CELLS + 1], 1, MPI_DOUBLE, right, 1,
                     comms[level], MPI_STATUS_IGNORE);
        MPI_Sendrecv(&u[CELLS], 1, MPI_DOUBLE, right, 2, &u[0], 1, MPI_DOUBLE, left, 2,
                     comms[level], MPI_STATUS_IGNORE);
        for (i = 1; i <= CELLS; i++) u[i] = 0.5 * u[i] + 0.25 * (u[i - 1] + u[i + 1]);
    }
}

/* Every other rank goes on, with the cells of two. */
static void restrict_to(int level) {
    double half[CELLS / 2];
    int me, i;
    MPI_Comm_rank(comms[level - 1], &me);
    for (i = 0; i < CELLS / 2; i++)
        half[i] = 0.5 * (cells[level - 1][2 * i + 1] + cells[level - 1][2 * i + 2]);
    if (me % 2 == 1) {
        MPI_Send(half, CELLS / 2, MPI_DOUBLE, me - 1, 3, comms[level - 1]);
        return;
    }
    for (i = 0; i < CELLS / 2; i++) cells[level][i + 1] = half[i];
    MPI_Recv(&cells[level][CELLS / 2 + 1], CELLS / 2, MPI_DOUBLE, me + 1, 3, comms[level - 1],
             MPI_STATUS_IGNORE);
}

static void prolong_from(int level) {
    double half[CELLS / 2];
    int me, i;
    MPI_Comm_rank(comms[level - 1], &me);
    if (me % 2 == 0) {
        MPI_Send(&cells[level][CELLS / 2 + 1], CELLS / 2, MPI_DOUBLE, me + 1, 4, comms[level - 1]);
        for (i = 0; i < CELLS / 2; i++) half[i] = cells[level][i + 1];
    } else {
        MPI_Recv(half, CELLS / 2, MPI_DOUBLE, me - 1, 4, comms[level - 1], MPI_STATUS_IGNORE);
    }
    for (i = 0; i < CELLS; i++)
        cells[level - 1][i + 1] += 0.1 * (half[i / 2] - cells[level - 1][i + 1]);
}

static void cycle(int level) {
    smooth(level);
    if (level + 1 < LEVELS_MAX && comms[level] != MPI_COMM_NULL) {
        int ranks;
        MPI_Comm_size(comms[level], &ranks);
        if (ranks > 1 && ranks % 2 == 0) {
            restrict_to(level + 1);
            if (comms[level + 1] != MPI_COMM_NULL) cycle(level + 1);
            prolong_from(level + 1);
        }
    }
    smooth(level);
}

int main(int argc, char** argv) {
    int me, i, step, cycles = 50;
    double sum, all = 0;
    MPI_Init(&argc, &argv);
    if (argc > 1) cycles = atoi(argv[1]);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    comms[0] = MPI_COMM_WORLD;
    for (levels = 1; levels < LEVELS_MAX; levels++) {
        int rank, ranks;
        comms[levels] = MPI_COMM_NULL;
        if (comms[levels - 1] == MPI_COMM_NULL) continue;
        MPI_Comm_rank(comms[levels - 1], &rank);
        MPI_Comm_size(comms[levels - 1], &ranks);
        if (ranks > 1 && ranks % 2 == 0)
            MPI_Comm_split(comms[levels - 1], rank % 2 == 0 ? 0 : MPI_UNDEFINED, rank,
                           &comms[levels]);
    }
    for (i = 1; i <= CELLS; i++) cells[0][i] = sin(me + 0.1 * i);
    for (step = 0; step < cycles; step++) {
        cycle(0);
        for (sum = 0, i = 1; i <= CELLS; i++) sum += cells[0][i] * cells[0][i];
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    for (i = 1; i < LEVELS_MAX; i++)
        if (comms[i] != MPI_COMM_NULL) MPI_Comm_free(&comms[i]);
    if (me == 0) printf("multigrid: %.6f after %d cycles\n", all, cycles);
    MPI_Finalize();
    return !isfinite(all);
}
