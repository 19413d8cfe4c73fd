/* Memory of others, in every way that windows offer: a stencil between fences, a pipeline of posts and starts, a queue of
 * tasks behind locks, counters, requests, shared memory.
 * mpirun -n 4 ./windows                     all of it
 * mpirun -n 4 ./windows stencil shared      some of it */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 32, STEPS = 20, TASKS = 12 };

static int me, ranks, left, right, wrong;

static void expect(int condition, const char* what) {
    if (!condition) fprintf(stderr, "windows: rank %d: %s is wrong\n", me, what);
    wrong += !condition;
}

/* Each rank puts its outer cells into its neighbours' windows; ranks at the ends have one neighbour. */
static void stencil(void) {
    double *cells, next[CELLS + 2];
    int step, i;
    MPI_Win window;
    MPI_Win_allocate((CELLS + 2) * sizeof *cells, sizeof *cells, MPI_INFO_NULL, MPI_COMM_WORLD,
                     &cells, &window);
    for (i = 0; i < CELLS + 2; i++) cells[i] = next[i] = 1;
    for (step = 0; step < STEPS; step++) {
        MPI_Win_fence(step == 0 ? MPI_MODE_NOPRECEDE : 0, window);
        MPI_Put(&next[1], 1, MPI_DOUBLE, left, CELLS + 1, 1, MPI_DOUBLE, window);
        MPI_Put(&next[CELLS], 1, MPI_DOUBLE, right, 0, 1, MPI_DOUBLE, window);
        MPI_Win_fence(MPI_MODE_NOSTORE | (step + 1 == STEPS ? MPI_MODE_NOSUCCEED : 0), window);
        for (i = 1; i <= CELLS; i++) next[i] = (cells[i - 1] + cells[i] + cells[i + 1]) / 3;
        for (i = 1; i <= CELLS; i++) cells[i] = next[i];
    }
    expect(cells[1] > 0.999 && cells[CELLS] < 1.001, "the stencil");
    MPI_Win_free(&window);
}

/* Values go around: each rank opens its window to the rank on its left, and accesses that on its right. */
static void ring(void) {
    int here[2] = {0, 0}, sent[2] = {me, 2 * me}, step, done;
    MPI_Group all, from, to;
    MPI_Win window;
    MPI_Win_create(here, sizeof here, sizeof here[0], MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, (int[]){(me + ranks - 1) % ranks}, &from);
    MPI_Group_incl(all, 1, (int[]){(me + 1) % ranks}, &to);
    for (step = 0; step < STEPS; step++) {
        MPI_Win_post(from, 0, window);
        MPI_Win_start(to, 0, window);
        MPI_Put(sent, 2, MPI_INT, (me + 1) % ranks, 0, 2, MPI_INT, window);
        MPI_Win_complete(window);
        if (step % 2 == 0)
            MPI_Win_wait(window);
        else
            for (done = 0; !done;) MPI_Win_test(window, &done);
    }
    expect(here[1] == 2 * ((me + ranks - 1) % ranks), "the ring");
    MPI_Group_free(&from);
    MPI_Group_free(&to);
    MPI_Group_free(&all);
    MPI_Win_free(&window);
}

/* Rank 0 has the number of the next task; whoever is free takes it. */
static void queue(void) {
    long next = 0, task, one = 1, done = 0, all = 0;
    volatile double work = 0;
    MPI_Win window;
    MPI_Win_create(&next, me == 0 ? sizeof next : 0, sizeof next, MPI_INFO_NULL, MPI_COMM_WORLD,
                   &window);
    for (;;) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
        MPI_Fetch_and_op(&one, &task, MPI_LONG, 0, 0, MPI_SUM, window);
        MPI_Win_unlock(0, window);
        if (task >= TASKS) break;
        for (int i = 0; i < 1000 * (1 + task); i++) work += i;
        done++;
    }
    MPI_Allreduce(&done, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    expect(all == TASKS, "the queue");
    MPI_Win_free(&window);
}

/* Counters on all ranks, within one epoch of locks; results of requests. */
static void counters(void) {
    int *counter, got[4] = {0, 0, 0, 0}, add[2] = {1, 10}, before[2], zero = 0, now, sum, i;
    MPI_Request request;
    MPI_Win window;
    MPI_Win_allocate(4 * sizeof *counter, sizeof *counter, MPI_INFO_NULL, MPI_COMM_WORLD, &counter,
                     &window);
    for (i = 0; i < 4; i++) counter[i] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window);
    for (i = 0; i < ranks; i++) MPI_Accumulate(add, 2, MPI_INT, i, 0, 2, MPI_INT, MPI_SUM, window);
    MPI_Win_flush_all(window);
    MPI_Compare_and_swap(&me, &zero, &now, MPI_INT, 0, 3, window);
    MPI_Win_flush(0, window);
    MPI_Get_accumulate(NULL, 0, MPI_INT, before, 2, MPI_INT, right == MPI_PROC_NULL ? 0 : right, 0,
                       2, MPI_INT, MPI_NO_OP, window);
    MPI_Win_flush_local_all(window);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Rget(got, 4, MPI_INT, (me + 1) % ranks, 0, 4, MPI_INT, window, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Raccumulate(add, 1, MPI_INT, (me + 1) % ranks, 2, 1, MPI_INT, MPI_REPLACE, window,
                    &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_flush_local((me + 1) % ranks, window);
    MPI_Win_unlock_all(window);
    sum = got[0] + got[1];
    expect(sum == 11 * ranks, "the counters");
    MPI_Win_free(&window);
}

/* Ranks of one node write into each other's memory, as if it were theirs. */
static void shared(void) {
    MPI_Comm node;
    MPI_Win window;
    MPI_Aint bytes;
    int *mine, *first, unit, node_me;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &node_me);
    MPI_Win_allocate_shared(sizeof *mine, sizeof *mine, MPI_INFO_NULL, node, &mine, &window);
    MPI_Win_shared_query(window, 0, &bytes, &unit, &first);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
    *mine = node_me;
    MPI_Win_sync(window);
    MPI_Barrier(node);
    MPI_Win_sync(window);
    expect(*first == 0 && *mine == node_me, "shared memory");
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Comm_free(&node);
}

/* Whether the arguments name a part, or none. */
static int wanted(int argc, char** argv, const char* part) {
    int i, found = argc == 1;
    for (i = 1; i < argc; i++) found = found || strcmp(argv[i], part) == 0;
    return found;
}

int main(int argc, char** argv) {
    int all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    left = me > 0 ? me - 1 : MPI_PROC_NULL;
    right = me + 1 < ranks ? me + 1 : MPI_PROC_NULL;
    if (wanted(argc, argv, "stencil")) stencil();
    if (wanted(argc, argv, "ring")) ring();
    if (wanted(argc, argv, "queue")) queue();
    if (wanted(argc, argv, "counters")) counters();
    if (wanted(argc, argv, "shared")) shared();
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (me == 0) printf("windows: %s\n", all == 0 ? "right" : "wrong");
    MPI_Finalize();
    return all != 0;
}
