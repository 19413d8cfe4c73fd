/* Programs whose communication follows from their data, one per pattern: a sort by samples, an exchange of which receivers know
 * nothing, particles that leave, a sweep from each corner of a grid, a butterfly by hand, a solver whose library has a
 * communicator of its own.
 * mpirun -n 4 ./irregular            all of them
 * mpirun -n 4 ./irregular sort sweep */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS = 400, RANKS_MAX = 64, STEPS = 6, PARTICLES = 200, ROWS = 100 };

static int me, ranks;
static unsigned long state;

static int draw(int below) {
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    return (int)((state >> 33) % (unsigned long)below);
}

static int by_value(const void* a, const void* b) {
    return *(const int*)a < *(const int*)b ? -1 : *(const int*)a > *(const int*)b;
}

/* Afterwards ranks have keys in ascending order, and rank by rank. */
static int sort(void) {
    int keys[KEYS], samples[RANKS_MAX], to[RANKS_MAX] = {0}, from[RANKS_MAX], to_at[RANKS_MAX],
                                        from_at[RANKS_MAX];
    int count = 0, before = 0, least = 0, all = KEYS;
    for (int i = 0; i < KEYS; i++) keys[i] = draw(1000000);
    qsort(keys, KEYS, sizeof *keys, by_value);
    const int middle = keys[KEYS * (me + 1) / (ranks + 1)];
    MPI_Allgather(&middle, 1, MPI_INT, samples, 1, MPI_INT, MPI_COMM_WORLD);
    qsort(samples, (size_t)ranks, sizeof *samples, by_value);
    for (int i = 0, rank = 0; i < KEYS; i++) {
        while (rank < ranks - 1 && keys[i] > samples[rank]) rank++;
        to[rank]++;
    }
    MPI_Alltoall(to, 1, MPI_INT, from, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0, at = 0; i < ranks; at += to[i++])
        to_at[i] = at, from_at[i] = count, count += from[i];
    int* const mine = malloc((size_t)(count + 1) * sizeof *mine);
    MPI_Alltoallv(keys, to, to_at, MPI_INT, mine, from, from_at, MPI_INT, MPI_COMM_WORLD);
    qsort(mine, (size_t)count, sizeof *mine, by_value);
    const int most = count > 0 ? mine[count - 1] : 0;
    MPI_Exscan(&most, &least, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Exscan(&count, &before, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Bcast(&all, 1, MPI_INT, 0, MPI_COMM_WORLD);
    const int right = me == 0 || count == 0 || (least <= mine[0] && before <= all * ranks);
    free(mine);
    return right;
}

/* Nobody knows who sends to it, nor how often: all messages have arrived when a barrier has ended that each rank begins when its
 * own have been received. */
static int exchange(void) {
    MPI_Comm comm;
    MPI_Request sends[STEPS], barrier = MPI_REQUEST_NULL;
    MPI_Status status;
    int words[STEPS], found, done = 0, sent = 0, sums[2], mine[2] = {0, 0};
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    const int messages = 1 + draw(STEPS);
    for (int i = 0; i < messages; i++) {
        words[i] = draw(1000), mine[0] += words[i];
        MPI_Issend(&words[i], 1, MPI_INT, draw(ranks), 3, comm, &sends[i]);
    }
    while (!done) {
        MPI_Iprobe(MPI_ANY_SOURCE, 3, comm, &found, &status);
        if (found) {
            int word;
            MPI_Recv(&word, 1, MPI_INT, status.MPI_SOURCE, 3, comm, MPI_STATUS_IGNORE);
            mine[1] += word;
        }
        if (barrier != MPI_REQUEST_NULL)
            MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
        else
            MPI_Testall(messages, sends, &sent, MPI_STATUSES_IGNORE);
        if (sent && barrier == MPI_REQUEST_NULL && !done) MPI_Ibarrier(comm, &barrier);
    }
    MPI_Allreduce(mine, sums, 2, MPI_INT, MPI_SUM, comm);
    MPI_Comm_free(&comm);
    return sums[0] == sums[1];
}

/* Some of the particles of each rank leave for the next or the previous one; there are as many as before. */
static int particles(void) {
    const int left = (me + ranks - 1) % ranks, right = (me + 1) % ranks;
    double* const held = malloc((size_t)PARTICLES * RANKS_MAX * sizeof *held);
    double leaving[2][PARTICLES], coming[2][PARTICLES];
    int count = PARTICLES / 2, all = 0;
    for (int i = 0; i < count; i++) held[i] = me + i;
    for (int step = 0; step < STEPS; step++) {
        MPI_Request requests[4];
        MPI_Status statuses[4];
        int arrived = 0, indices[4], index, leave[2], size;
        for (int side = 0; side < 2; side++) {
            leave[side] = draw(count / 4 + 1);
            MPI_Irecv(coming[side], PARTICLES, MPI_DOUBLE, side == 0 ? left : right, 1 - side,
                      MPI_COMM_WORLD, &requests[side]);
        }
        for (int side = 0; side < 2; side++) {
            count -= leave[side];
            memcpy(leaving[side], held + count, (size_t)leave[side] * sizeof *held);
            MPI_Isend(leaving[side], leave[side], MPI_DOUBLE, side == 0 ? left : right, side,
                      MPI_COMM_WORLD, &requests[2 + side]);
        }
        MPI_Waitany(4, requests, &index, &statuses[0]);
        for (int some = 1; some != MPI_UNDEFINED;) {
            for (int i = 0; i < some; i++) {
                const int which = arrived == 0 ? index : indices[i];
                arrived++;
                if (which >= 2) continue;
                MPI_Get_count(&statuses[i], MPI_DOUBLE, &size);
                memcpy(held + count, coming[which], (size_t)size * sizeof *held);
                count += size;
            }
            MPI_Waitsome(4, requests, &some, indices, statuses);
        }
    }
    MPI_Allreduce(&count, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    free(held);
    return all == ranks * (PARTICLES / 2);
}

/* Rows and columns of ranks; from each corner a front goes to the opposite one. */
static int sweep(void) {
    int sides[2] = {0, 0}, periodic[2] = {0, 0}, place[2], sum = 0;
    MPI_Comm grid;
    MPI_Dims_create(ranks, 2, sides);
    MPI_Cart_create(MPI_COMM_WORLD, 2, sides, periodic, 0, &grid);
    MPI_Cart_coords(grid, me, 2, place);
    for (int corner = 0; corner < 4; corner++) {
        int from[2], to[2], got[2] = {0, 0};
        MPI_Cart_shift(grid, 0, corner % 2 == 0 ? 1 : -1, &from[0], &to[0]);
        MPI_Cart_shift(grid, 1, corner < 2 ? 1 : -1, &from[1], &to[1]);
        for (int i = 0; i < 2; i++)
            MPI_Recv(&got[i], 1, MPI_INT, from[i], i, grid, MPI_STATUS_IGNORE);
        const int far = (got[0] > got[1] ? got[0] : got[1]) + 1;
        for (int i = 0; i < 2; i++) MPI_Send(&far, 1, MPI_INT, to[i], i, grid);
        sum += far;
    }
    MPI_Comm_free(&grid);
    return sum == 2 * (sides[0] + sides[1]); /* from both ends of both sides */
}

/* The sum of all ranks, if these are a power of two; else of those below the next smaller one. */
static int butterfly(void) {
    int sum = me, members = 1, other;
    while (2 * members <= ranks) members *= 2;
    for (int bit = 1; bit < members && me < members; bit *= 2) {
        MPI_Sendrecv(&sum, 1, MPI_INT, me ^ bit, bit, &other, 1, MPI_INT, me ^ bit, bit,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += other;
    }
    return me >= members || sum == members * (members - 1) / 2;
}

/* A library: a matrix with 2 on the diagonal and -1/2 at two places per row, which lie anywhere. */
struct Matrix {
    MPI_Comm comm;
    int columns[2 * ROWS], to[RANKS_MAX], to_at[RANKS_MAX], from[RANKS_MAX], from_at[RANKS_MAX],
        sent;
    int* wanted; /* rows of this rank that others want, in their order */
};
static void make_matrix(struct Matrix* matrix, MPI_Comm of) {
    int rows[2 * ROWS], order[RANKS_MAX] = {0};
    MPI_Comm_dup(of, &matrix->comm);
    memset(matrix->from, 0, sizeof matrix->from);
    for (int i = 0; i < 2 * ROWS; i++) rows[i] = draw(ROWS * ranks), matrix->from[rows[i] / ROWS]++;
    for (int i = 0, at = 0; i < ranks; at += matrix->from[i++]) matrix->from_at[i] = at;
    int asked[2 * ROWS];
    for (int i = 0; i < 2 * ROWS; i++) {
        const int owner = rows[i] / ROWS, at = matrix->from_at[owner] + order[owner]++;
        matrix->columns[i] = at, asked[at] = rows[i] % ROWS;
    }
    MPI_Alltoall(matrix->from, 1, MPI_INT, matrix->to, 1, MPI_INT, matrix->comm);
    matrix->sent = 0;
    for (int i = 0; i < ranks; i++) matrix->to_at[i] = matrix->sent, matrix->sent += matrix->to[i];
    matrix->wanted = malloc((size_t)(matrix->sent + 1) * sizeof(int));
    MPI_Alltoallv(asked, matrix->from, matrix->from_at, MPI_INT, matrix->wanted, matrix->to,
                  matrix->to_at, MPI_INT, matrix->comm);
}
static void multiply(const struct Matrix* matrix, const double* x, double* y) {
    double theirs[2 * ROWS], *const out = malloc((size_t)(matrix->sent + 1) * sizeof *out);
    for (int i = 0; i < matrix->sent; i++) out[i] = x[matrix->wanted[i]];
    MPI_Alltoallv(out, matrix->to, matrix->to_at, MPI_DOUBLE, theirs, matrix->from, matrix->from_at,
                  MPI_DOUBLE, matrix->comm);
    for (int i = 0; i < ROWS; i++)
        y[i] =
            2 * x[i] - 0.5 * (theirs[matrix->columns[2 * i]] + theirs[matrix->columns[2 * i + 1]]);
    free(out);
}
static int solver(void) {
    struct Matrix matrix;
    double x[ROWS], y[ROWS], most = 0, off = 1;
    make_matrix(&matrix, MPI_COMM_WORLD);
    for (int i = 0; i < ROWS; i++) x[i] = 0;
    for (int step = 0; step < 40 && off > 1e-6; step++) {
        multiply(&matrix, x, y);
        most = 0;
        for (int i = 0; i < ROWS; i++) {
            const double change = (1 - y[i]) / 2; /* the solution is 1 everywhere */
            x[i] += change;
            if (change > most) most = change;
        }
        MPI_Allreduce(&most, &off, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    MPI_Comm_free(&matrix.comm);
    free(matrix.wanted);
    return off <= 1e-6 && x[0] > 0.999 && x[0] < 1.001;
}

int main(int argc, char** argv) {
    static const struct {
        const char* name;
        int (*run)(void);
    } patterns[] = {{"sort", sort},   {"exchange", exchange},   {"particles", particles},
                    {"sweep", sweep}, {"butterfly", butterfly}, {"solver", solver}};
    int wrong = 0, all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    state = 17 + 1000ul * (unsigned long)me;
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        int wanted = argc < 2;
        for (int k = 1; k < argc; k++) wanted = wanted || strcmp(argv[k], patterns[i].name) == 0;
        if (!wanted || patterns[i].run()) continue;
        printf("irregular: %s is wrong at rank %d\n", patterns[i].name, me);
        wrong = 1;
    }
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (me == 0) printf("irregular: %s\n", all ? "WRONG" : "right");
    MPI_Finalize();
    return all;
}
