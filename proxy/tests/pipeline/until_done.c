/* Computes while a message is on its way, and asks whether it has come. */
#include <mpi.h>
#include <stdio.h>

enum { LONGEST = 100000 };
static double in[LONGEST], out[LONGEST];

int main(int argc, char** argv) {
    const int lengths[3] = {10, 3000, LONGEST};
    int me, ranks, turn, polls = 0;
    volatile double sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (turn = 0; turn < 30; turn++) {
        const int before = (me + ranks - 1) % ranks, behind = (me + 1) % ranks,
                  n = lengths[turn % 3];
        int i, done = 0;
        MPI_Request both[2];
        MPI_Irecv(in, n, MPI_DOUBLE, behind, 1, MPI_COMM_WORLD, &both[0]);
        MPI_Isend(out, n, MPI_DOUBLE, before, 1, MPI_COMM_WORLD, &both[1]);
        while (!done) {
            for (i = 0; i < 2000; i++) sum += i;
            MPI_Test(&both[0], &done, MPI_STATUS_IGNORE);
            polls++;
        }
        MPI_Wait(&both[1], MPI_STATUS_IGNORE);
    }
    if (me == 0) printf("polls: %d\n", polls);
    MPI_Finalize();
    return 0;
}
