/* Memory that ranks attach to a window while it is open: each tells its neighbour where its blocks lie, and accesses the
 * neighbour's by their addresses. The second window joins ranks in another order than MPI_COMM_WORLD.
 * mpirun -n 4 ./dynamic */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { BLOCKS = 3, NUMBERS = 16, ROUNDS = 5 };

static int wrong;

static void expect(int condition, const char* what) {
    if (!condition) fprintf(stderr, "dynamic: %s is wrong\n", what);
    wrong += !condition;
}

static void exchange(MPI_Comm comm) {
    int me, ranks, before, next, block, round, got[NUMBERS], *blocks[BLOCKS];
    MPI_Aint mine[BLOCKS], theirs[BLOCKS];
    MPI_Win window;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &ranks);
    before = (me + ranks - 1) % ranks;
    next = (me + 1) % ranks;
    MPI_Win_create_dynamic(MPI_INFO_NULL, comm, &window);
    for (block = 0; block < BLOCKS; block++) {
        blocks[block] = calloc(NUMBERS, sizeof(int));
        MPI_Win_attach(window, blocks[block], NUMBERS * sizeof(int));
        MPI_Get_address(blocks[block], &mine[block]);
    }
    MPI_Sendrecv(mine, BLOCKS, MPI_AINT, before, 1, theirs, BLOCKS, MPI_AINT, next, 1, comm,
                 MPI_STATUS_IGNORE);
    for (round = 0; round < ROUNDS; round++) {
        int number = 10 * round + me, one = 1;
        MPI_Win_fence(0, window);
        for (block = 0; block < BLOCKS; block++)
            MPI_Put(&number, 1, MPI_INT, next, theirs[block] + (MPI_Aint)(block * sizeof(int)), 1,
                    MPI_INT, window);
        MPI_Accumulate(&one, 1, MPI_INT, next, theirs[0] + 8 * (MPI_Aint)sizeof(int), 1, MPI_INT,
                       MPI_SUM, window);
        MPI_Win_fence(0, window);
        expect(blocks[1][1] == 10 * round + before, "what was put");
    }
    expect(blocks[0][8] == ROUNDS, "the sum");
    MPI_Win_fence(0, window);
    MPI_Get(got, NUMBERS, MPI_INT, next, theirs[2], NUMBERS, MPI_INT, window);
    MPI_Win_fence(0, window);
    expect(got[2] == 10 * (ROUNDS - 1) + me, "what was got");
    for (block = BLOCKS - 1; block > 0; block--) {
        MPI_Win_detach(window, blocks[block]);
        free(blocks[block]);
    }
    MPI_Win_free(&window); /* with the first block */
    free(blocks[0]);
}

int main(int argc, char** argv) {
    int me, all;
    MPI_Comm backwards;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    exchange(MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -me, &backwards);
    exchange(backwards);
    MPI_Comm_free(&backwards);
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (me == 0) printf("dynamic: %s\n", all == 0 ? "right" : "wrong");
    MPI_Finalize();
    return all != 0;
}
