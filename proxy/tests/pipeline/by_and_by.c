/* Waits for some of two requests, which complete at nearly the same simulated time: a proxy may find one before the other. */
#include <mpi.h>
#include <stdio.h>

enum { LONGEST = 100000 };
static double in[LONGEST], out[LONGEST];

int main(int argc, char** argv) {
    const int lengths[3] = {10, 3000, LONGEST};
    int me, ranks, turn, together = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (turn = 0; turn < 200; turn++) {
        const int before = (me + ranks - 1) % ranks, behind = (me + 1) % ranks,
                  n = lengths[turn % 3];
        int left, count, which[2];
        MPI_Request both[2];
        MPI_Irecv(in, n, MPI_DOUBLE, behind, 1, MPI_COMM_WORLD, &both[0]);
        (turn % 2 ? MPI_Issend : MPI_Isend)(out, n, MPI_DOUBLE, before, 1, MPI_COMM_WORLD,
                                            &both[1]);
        for (left = 2; left > 0; left -= count) {
            MPI_Waitsome(2, both, &count, which, MPI_STATUSES_IGNORE);
            together += count == 2;
        }
    }
    if (me == 0) printf("found both: %d\n", together);
    MPI_Finalize();
    return 0;
}
