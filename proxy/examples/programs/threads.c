/* Threads of each rank talk to their like on other ranks while the first thread does, too.
 * mpirun -n 2 ./threads
 * mpirun -n 2 ./threads clash     both send with one tag in one communicator: only chance tells which message is whose */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { STEPS = 20, NUMBERS = 50 };

static int me, ranks;
static MPI_Comm mine, other,
    made; /* one for each thread; made: by the second one, used by the first one when it is over */
static MPI_Request early; /* begun by the first thread, completed by the second one */
static int early_number;

static int left(void) {
    return (me + ranks - 1) % ranks;
}
static int right(void) {
    return (me + 1) % ranks;
}

/* Numbers go around in a ring. */
static int go_around(MPI_Comm comm) {
    int number = me, step;
    for (step = 0; step < STEPS; step++)
        MPI_Sendrecv_replace(&number, 1, MPI_INT, right(), 5, left(), 5, comm, MPI_STATUS_IGNORE);
    return number == (me + STEPS * (ranks - 1)) % ranks;
}

/* Every second one of some numbers, with requests of this thread. */
static int exchange(MPI_Comm comm) {
    double out[NUMBERS], in[NUMBERS], sum = 0, all;
    MPI_Datatype half;
    int step, i;
    MPI_Type_vector(NUMBERS / 2, 1, 2, MPI_DOUBLE, &half);
    MPI_Type_commit(&half);
    memset(in, 0, sizeof in);
    for (step = 0; step < STEPS; step++) {
        MPI_Request requests[2];
        for (i = 0; i < NUMBERS; i++) out[i] = me + step * i;
        MPI_Irecv(in, 1, half, MPI_ANY_SOURCE, 7, comm, &requests[0]);
        MPI_Isend(out, 1, half, right(), 7, comm, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        for (i = 0; i < NUMBERS; i += 2) sum += in[i] - (left() + step * i);
    }
    MPI_Type_free(&half);
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, comm);
    return all == 0;
}

static void* second(void* told) {
    MPI_Send(&me, 1, MPI_INT, right(), 9, other);
    MPI_Wait(&early, MPI_STATUS_IGNORE);
    MPI_Comm_dup(other, &made);
    return exchange(made) && early_number == left() ? told : NULL;
}
static void* third(void* told) {
    return go_around(other) && exchange(other) ? told : NULL;
}
static void* clashing(void* told) {
    go_around(mine);
    return told;
}

static int beside(void* (*function)(void*), MPI_Comm comm) {
    pthread_t thread;
    void* told;
    int good;
    pthread_create(&thread, NULL, function, &me);
    good = go_around(comm);
    pthread_join(thread, &told);
    return good && told != NULL;
}

int main(int argc, char** argv) {
    int provided, all, good = 1;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (provided < MPI_THREAD_MULTIPLE) {
        if (me == 0) printf("threads: this MPI does not bear them\n");
        MPI_Finalize();
        return 0;
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &mine);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    if (argc > 1) {
        beside(clashing, mine);
    } else {
        MPI_Irecv(&early_number, 1, MPI_INT, left(), 9, other, &early);
        good = beside(second, mine);
        MPI_Barrier(made);
        MPI_Comm_free(&made);
        good = good && beside(third, mine);
    }
    MPI_Comm_free(&mine);
    MPI_Comm_free(&other);
    MPI_Allreduce(&good, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (me == 0) printf("threads: %s\n", all ? "right" : "wrong");
    MPI_Finalize();
    return !all;
}
