/* Heat on a plate: a two-dimensional halo exchange with vector types, and the change of all ranks added up.
 * mpirun -n 4 ./halo [cells per side and rank] [steps] */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
    int n = 64, steps = 200, ranks, me, dims[2] = {0, 0}, periods[2] = {0, 0}, up, down, left,
        right;
    double change = 0, total = 0;
    MPI_Comm plate;
    MPI_Datatype column;
    MPI_Request requests[8];
    MPI_Init(&argc, &argv);
    if (argc > 1) n = atoi(argv[1]);
    if (argc > 2) steps = atoi(argv[2]);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Dims_create(ranks, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &plate);
    MPI_Comm_rank(plate, &me);
    MPI_Cart_shift(plate, 0, 1, &up, &down);
    MPI_Cart_shift(plate, 1, 1, &left, &right);
    const int width = n + 2;
    MPI_Type_vector(n, 1, width, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    double* old = calloc((size_t)(width * width), sizeof(double));
    double* now = calloc((size_t)(width * width), sizeof(double));
    for (int i = 1; i <= n; i++) old[i * width + 1] = me + 1.0;
    for (int step = 0; step < steps; step++) {
        MPI_Irecv(old + 1, n, MPI_DOUBLE, up, 1, plate, &requests[0]);
        MPI_Irecv(old + (n + 1) * width + 1, n, MPI_DOUBLE, down, 2, plate, &requests[1]);
        MPI_Irecv(old + width, 1, column, left, 3, plate, &requests[2]);
        MPI_Irecv(old + width + n + 1, 1, column, right, 4, plate, &requests[3]);
        MPI_Isend(old + width + 1, n, MPI_DOUBLE, up, 2, plate, &requests[4]);
        MPI_Isend(old + n * width + 1, n, MPI_DOUBLE, down, 1, plate, &requests[5]);
        MPI_Isend(old + width + 1, 1, column, left, 4, plate, &requests[6]);
        MPI_Isend(old + width + n, 1, column, right, 3, plate, &requests[7]);
        MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
        change = 0;
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= n; j++) {
                const int at = i * width + j;
                now[at] = 0.25 * (old[at - 1] + old[at + 1] + old[at - width] + old[at + width]);
                change += fabs(now[at] - old[at]);
            }
        double* swap = old;
        old = now;
        now = swap;
        if (step % 10 == 9) MPI_Allreduce(&change, &total, 1, MPI_DOUBLE, MPI_SUM, plate);
    }
    if (me == 0) printf("halo: change %.6f after %d steps\n", total, steps);
    const int wrong = !(total > 0) || !isfinite(total);
    MPI_Type_free(&column);
    MPI_Comm_free(&plate);
    free(old);
    free(now);
    MPI_Finalize();
    return wrong;
}
