/* Diffusion on a ring of cells in three fields: persistent requests for the halo, collectives that overlap with the work,
 * and a packed header. mpirun -n 4 ./overlap [steps] */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 400, FIELDS = 3 };

int main(int argc, char** argv) {
    const int steps = argc > 1 ? atoi(argv[1]) : 60;
    static double field[FIELDS][CELLS + 2], next[FIELDS][CELLS + 2];
    int me, ranks, wrong = 0;
    MPI_Request halo[4 * FIELDS], sum_done = MPI_REQUEST_NULL;
    MPI_Datatype cell;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int left = (me + ranks - 1) % ranks, right = (me + 1) % ranks;
    MPI_Type_contiguous(1, MPI_DOUBLE, &cell);
    MPI_Type_commit(&cell);
    for (int f = 0; f < FIELDS; f++) {
        for (int i = 1; i <= CELLS; i++) field[f][i] = f + (me * CELLS + i) % 7;
        MPI_Recv_init(&field[f][0], 1, cell, left, 10 + f, MPI_COMM_WORLD, &halo[4 * f]);
        MPI_Recv_init(&field[f][CELLS + 1], 1, cell, right, 20 + f, MPI_COMM_WORLD,
                      &halo[4 * f + 1]);
        MPI_Send_init(&field[f][CELLS], 1, cell, right, 10 + f, MPI_COMM_WORLD, &halo[4 * f + 2]);
        MPI_Ssend_init(&field[f][1], 1, cell, left, 20 + f, MPI_COMM_WORLD, &halo[4 * f + 3]);
    }
    MPI_Type_free(&cell); /* the requests keep it */

    /* A header: packed by the first rank, for everybody. */
    char header[200];
    int place = 0, numbers[2] = {steps, FIELDS};
    double width = 0.25;
    if (me == 0) {
        MPI_Pack(numbers, 2, MPI_INT, header, sizeof header, &place, MPI_COMM_WORLD);
        MPI_Pack(&width, 1, MPI_DOUBLE, header, sizeof header, &place, MPI_COMM_WORLD);
    }
    MPI_Bcast(&place, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(header, place, MPI_PACKED, 0, MPI_COMM_WORLD);
    place = 0;
    MPI_Unpack(header, sizeof header, &place, numbers, 2, MPI_INT, MPI_COMM_WORLD);
    MPI_Unpack(header, sizeof header, &place, &width, 1, MPI_DOUBLE, MPI_COMM_WORLD);

#ifndef SMPI_H /* which has no representation but its own */
    /* Likewise for readers of another kind. */
    MPI_Aint at = 0, size;
    MPI_Pack_external_size("external32", 2, MPI_INT, &size);
    MPI_Pack_external("external32", numbers, 2, MPI_INT, header, size, &at);
    at = 0;
    MPI_Unpack_external("external32", header, size, &at, numbers, 2, MPI_INT);
#endif

    double sum = 0, all = 0, before = 0;
    for (int step = 0; step < steps; step++) {
        if (step % 2 == 0)
            MPI_Startall(4 * FIELDS, halo);
        else
            for (int i = 0; i < 4 * FIELDS; i++) MPI_Start(&halo[(i + 5) % (4 * FIELDS)]);
        /* What needs no halo first. */
        for (int f = 0; f < FIELDS; f++)
            for (int i = 2; i < CELLS; i++)
                next[f][i] =
                    field[f][i] + width * (field[f][i - 1] - 2 * field[f][i] + field[f][i + 1]);
        if (step % 3 == 0) {
            MPI_Waitall(4 * FIELDS, halo, MPI_STATUSES_IGNORE);
        } else if (step % 3 == 1) {
            int index = 0;
            while (index != MPI_UNDEFINED) MPI_Waitany(4 * FIELDS, halo, &index, MPI_STATUS_IGNORE);
        } else {
            int found = 0, indices[4 * FIELDS];
            while (found != MPI_UNDEFINED)
                MPI_Waitsome(4 * FIELDS, halo, &found, indices, MPI_STATUSES_IGNORE);
        }
        for (int f = 0; f < FIELDS; f++)
            for (int i = 1; i <= CELLS; i += CELLS - 1)
                next[f][i] =
                    field[f][i] + width * (field[f][i - 1] - 2 * field[f][i] + field[f][i + 1]);
        MPI_Wait(&sum_done, MPI_STATUS_IGNORE); /* of the step before */
        if (step > 1 && fabs(all - before) > 1e-6 * fabs(before)) wrong = 1;
        before = all;
        sum = 0;
        for (int f = 0; f < FIELDS; f++)
            for (int i = 1; i <= CELLS; i++) sum += field[f][i] = next[f][i];
        MPI_Iallreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &sum_done);
    }
    MPI_Wait(&sum_done, MPI_STATUS_IGNORE);
    for (int i = 0; i < 4 * FIELDS; i++) MPI_Request_free(&halo[i]);

    /* Every other collective, begun together; counts that only MPI remembers. */
    MPI_Request some[8];
    int* counts = malloc(4 * sizeof(int) * (size_t)ranks);
    int *places = counts + ranks, *from = places + ranks, *into = from + ranks, flag = 0;
    int word = me == 0 ? 42 : 0, largest = 0, mine = me, upto = 0;
    for (int i = 0; i < ranks; i++) counts[i] = 1, places[i] = ranks - 1 - i, from[i] = me;
    MPI_Ibcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD, &some[0]);
    MPI_Ireduce(&mine, &largest, 1, MPI_INT, MPI_MAX, ranks - 1, MPI_COMM_WORLD, &some[1]);
    MPI_Ialltoallv(from, counts, places, MPI_INT, into, counts, places, MPI_INT, MPI_COMM_WORLD,
                   &some[2]);
    MPI_Iscan(&mine, &upto, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &some[3]);
    MPI_Ibarrier(MPI_COMM_WORLD, &some[4]);
    MPI_Waitall(5, some, MPI_STATUSES_IGNORE);
    MPI_Igatherv(&mine, 1, MPI_INT, from, counts, places, MPI_INT, 0, MPI_COMM_WORLD, &some[0]);
    while (!flag) MPI_Test(&some[0], &flag, MPI_STATUS_IGNORE);
    if (word != 42 || upto != me * (me + 1) / 2 || into[places[ranks - 1]] != ranks - 1) wrong = 1;
    if (me == ranks - 1 && largest != ranks - 1) wrong = 1;
    if (me == 0 && from[0] != ranks - 1) wrong = 1;
    free(counts);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (me == 0)
        printf("overlap: %d steps, sum %.3f, %s\n", numbers[0], all, wrong ? "WRONG" : "right");
    MPI_Finalize();
    return wrong;
}
