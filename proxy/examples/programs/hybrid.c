/* Each rank's OpenMP threads add up numbers, all of them or some; ranks add up their sums.
 * OMP_NUM_THREADS=3 mpirun -n 2 ./hybrid */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 20, NUMBERS = 30000 };

int main(int argc, char** argv) {
    double number[NUMBERS], sum = 0, all = 0, few = 0;
    int me, step, i, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    for (step = 0; step < STEPS; step++) {
        double mine = 0, most = 0;
#pragma omp parallel for reduction(+ : mine)
        for (i = 0; i < NUMBERS; i++) {
            number[i] = sqrt(i + step) + me;
            mine += number[i] * number[i];
        }
        MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#pragma omp parallel for schedule(dynamic, 1000) reduction(max : most) num_threads(2)
        for (i = 0; i < NUMBERS; i++) most = fmax(most, cos(number[i]));
        sum += all;
        MPI_Allreduce(&most, &few, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    if (me == 0) printf("hybrid: %s\n", sum > 0 && few <= 1 ? "right" : "wrong");
    MPI_Finalize();
    return 0;
}
