/* Each rank adds up a trapezoid of numbers: row i has 500 - i of them. Of two OpenMP threads the first has the longer rows, and
 * twice as much to do. Ranks add up their sums.
 * OMP_NUM_THREADS=2 mpirun -n 2 ./uneven */
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 10, ROWS = 400, COLUMNS = 500 };

static double number[ROWS][COLUMNS], sum_of[ROWS];

int main(int argc, char** argv) {
    double all = 0;
    int me, step, i, j, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    for (i = 0; i < ROWS; i++)
        for (j = 0; j < COLUMNS; j++) number[i][j] = (i + j + me) % 16;
    for (step = 0; step < STEPS; step++) {
        double mine = 0;
#pragma omp parallel for schedule(static) private(j)
        for (i = 0; i < ROWS; i++) {
            double sum = 0;
            for (j = 0; j < COLUMNS - i; j++) sum += number[i][j] * (step + 1);
            sum_of[i] = sum;
        }
        for (i = 0; i < ROWS; i++) mine += sum_of[i];
        MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (me == 0) printf("uneven: %s\n", all > 0 ? "right" : "wrong");
    MPI_Finalize();
    return 0;
}
