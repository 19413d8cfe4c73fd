/* Programs whose communication follows from the rank, the number of ranks and the size of the problem, one per pattern.
 * mpirun -n 4 ./regular PATTERN [size] [steps] */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int me, ranks, steps = 20;
static long size = 240;
static double checksum;

static double* numbers(long count) {
    double* const all = malloc((size_t)(count + 1) * sizeof(double));
    for (long i = 0; i <= count; i++) all[i] = me + 0.5;
    return all;
}

static long share(long items, int parts, int part) {
    return items / parts + (part < items % parts);
}

/* The most even grid, longest side first. MPI_Dims_create is free to choose another one, and SMPI's does. */
static void even_sides(int count, int dimensions, int* sides) {
    int least = 1;
    if (dimensions == 1) {
        sides[0] = count;
        return;
    }
    for (int side = 1; pow(side, dimensions) <= count; side++)
        if (count % side == 0) least = side;
    sides[dimensions - 1] = least;
    even_sides(count / least, dimensions - 1, sides);
}

static void compute(double* all, long count) {
    for (long i = 1; i < count; i++) all[i] = 0.5 * (all[i] + all[i - 1]);
    checksum += all[count / 2];
}

/* Passes what it has around, until all have seen it. */
static void ring(void) {
    const long mine = share(size, ranks, 0);
    double *here = numbers(mine), *next = numbers(mine), *swap;
    for (int i = 0; i < ranks; i++) {
        MPI_Sendrecv(here, (int)mine, MPI_DOUBLE, (me + 1) % ranks, 1, next, (int)mine, MPI_DOUBLE,
                     (me + ranks - 1) % ranks, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        swap = here, here = next, next = swap;
        compute(here, mine);
    }
    free(here);
    free(next);
}

/* Conjugate gradients on a line: neighbours and sums of all. */
static void gradients(void) {
    const long mine = share(size, ranks, me);
    const int left = me > 0 ? me - 1 : MPI_PROC_NULL,
              right = me + 1 < ranks ? me + 1 : MPI_PROC_NULL;
    double *u = numbers(mine + 2), sum = 0, all[2] = {0, 0};
    for (int step = 0; step < steps; step++) {
        MPI_Request requests[4];
        MPI_Irecv(&u[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&u[mine + 1], 1, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &requests[1]);
        MPI_Isend(&u[1], 1, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &requests[2]);
        MPI_Isend(&u[mine], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[3]);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        compute(u, mine);
        sum = checksum;
        MPI_Allreduce(&sum, &all[0], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Allreduce(&sum, &all[1], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    free(u);
}

/* Transposes a matrix whose rows are dealt evenly. */
static void transpose(void) {
    const long block = size / ranks;
    double *a = numbers(block * block * ranks), *b = numbers(block * block * ranks);
    for (int step = 0; step < steps; step++) {
        MPI_Alltoall(a, (int)(block * block), MPI_DOUBLE, b, (int)(block * block), MPI_DOUBLE,
                     MPI_COMM_WORLD);
        compute(b, block * block * ranks);
    }
    free(a);
    free(b);
}

/* Everybody to everybody, message by message. */
static void spread(void) {
    const long mine = size / ranks;
    double *out = numbers(mine * ranks), *in = numbers(mine * ranks);
    MPI_Request* const requests = malloc((size_t)(2 * ranks) * sizeof *requests);
    for (int step = 0; step < steps; step++) {
        for (int k = 1; k < ranks; k++)
            MPI_Irecv(&in[mine * k], (int)mine, MPI_DOUBLE, (me + ranks - k) % ranks, k,
                      MPI_COMM_WORLD, &requests[k - 1]);
        for (int k = 1; k < ranks; k++)
            MPI_Isend(&out[mine * k], (int)mine, MPI_DOUBLE, (me + k) % ranks, k, MPI_COMM_WORLD,
                      &requests[ranks - 1 + k - 1]);
        MPI_Waitall(2 * (ranks - 1), requests, MPI_STATUSES_IGNORE);
        compute(in, mine * ranks);
    }
    free(requests);
    free(out);
    free(in);
}

/* A plate in tiles, as even as may be, with reports to rank 0. */
static void tiles(void) {
    int dims[2] = {0, 0}, periods[2] = {0, 0}, at[2], up, down, left, right;
    MPI_Comm plate;
    even_sides(ranks, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &plate);
    MPI_Cart_coords(plate, me, 2, at);
    MPI_Cart_shift(plate, 0, 1, &up, &down);
    MPI_Cart_shift(plate, 1, 1, &left, &right);
    const long rows = share(size, dims[0], at[0]), columns = share(size, dims[1], at[1]);
    double *cells = numbers((rows + 2) * (columns + 2)), *edge = numbers(rows + columns), all = 0;
    for (int step = 0; step < steps; step++) {
        MPI_Sendrecv(cells, (int)columns, MPI_DOUBLE, up, 1, edge, (int)columns, MPI_DOUBLE, down,
                     1, plate, MPI_STATUS_IGNORE);
        MPI_Sendrecv(cells, (int)columns, MPI_DOUBLE, down, 2, edge, (int)columns, MPI_DOUBLE, up,
                     2, plate, MPI_STATUS_IGNORE);
        MPI_Sendrecv(cells, (int)rows, MPI_DOUBLE, left, 3, edge, (int)rows, MPI_DOUBLE, right, 3,
                     plate, MPI_STATUS_IGNORE);
        MPI_Sendrecv(cells, (int)rows, MPI_DOUBLE, right, 4, edge, (int)rows, MPI_DOUBLE, left, 4,
                     plate, MPI_STATUS_IGNORE);
        compute(cells, rows * columns);
        if (step % 5 == 4) MPI_Reduce(&checksum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, plate);
    }
    MPI_Comm_free(&plate);
    free(cells);
    free(edge);
}

/* A torus in three dimensions, with requests that are started again. */
static void torus(void) {
    int dims[3] = {0, 0, 0}, periods[3] = {1, 1, 1}, from, to;
    MPI_Comm cube;
    MPI_Request requests[12];
    double *out = numbers(6 * size), *in = numbers(6 * size);
    even_sides(ranks, 3, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 0, &cube);
    for (int side = 0; side < 6; side++) {
        MPI_Cart_shift(cube, side / 2, side % 2 == 0 ? 1 : -1, &from, &to);
        MPI_Recv_init(&in[side * size], (int)size, MPI_DOUBLE, from, side, cube, &requests[side]);
        MPI_Send_init(&out[side * size], (int)size, MPI_DOUBLE, to, side, cube,
                      &requests[6 + side]);
    }
    for (int step = 0; step < steps; step++) {
        MPI_Startall(12, requests);
        compute(out, 0);
        MPI_Waitall(12, requests, MPI_STATUSES_IGNORE);
    }
    for (int i = 0; i < 12; i++) MPI_Request_free(&requests[i]);
    MPI_Comm_free(&cube);
    free(out);
    free(in);
}

/* A matrix times a vector on rows and columns of a grid. */
static void product(void) {
    int dims[2] = {0, 0};
    MPI_Comm row, column;
    even_sides(ranks, 2, dims);
    MPI_Comm_split(MPI_COMM_WORLD, me / dims[1], me, &row);
    MPI_Comm_split(MPI_COMM_WORLD, me % dims[1], me, &column);
    const long wide = size / dims[1], high = size / dims[0];
    double *x = numbers(wide), *part = numbers(high), *y = numbers(high);
    for (int step = 0; step < steps; step++) {
        MPI_Bcast(x, (int)wide, MPI_DOUBLE, 0, column);
        compute(x, wide);
        MPI_Reduce(part, y, (int)high, MPI_DOUBLE, MPI_SUM, 0, row);
    }
    MPI_Comm_free(&row);
    MPI_Comm_free(&column);
    free(x);
    free(part);
    free(y);
}

/* Gathers shares that are not all equal. */
static void gather(void) {
    const long mine = share(size, ranks, me);
    double *part = numbers(mine), *all = numbers(size);
    int *counts = malloc((size_t)ranks * sizeof(int)),
        *begins = malloc((size_t)ranks * sizeof(int));
    for (int i = 0, at = 0; i < ranks; at += counts[i++]) {
        counts[i] = (int)share(size, ranks, i);
        begins[i] = at;
    }
    for (int step = 0; step < steps; step++) {
        compute(part, mine);
        MPI_Gatherv(part, (int)mine, MPI_DOUBLE, all, counts, begins, MPI_DOUBLE, 0,
                    MPI_COMM_WORLD);
        MPI_Scatterv(all, counts, begins, MPI_DOUBLE, part, (int)mine, MPI_DOUBLE, 0,
                     MPI_COMM_WORLD);
    }
    free(part);
    free(all);
    free(counts);
    free(begins);
}

/* Groups of ranks that ranges name: every third one, as many as the size says; and every other one of all. The stride of a
 * range of the first group goes beyond its end, so that each is one rank. */
static void ranges(void) {
    MPI_Group all, thirds, evens;
    int(*triples)[3] = malloc((size_t)(size + 1) * sizeof *triples);
    int every_other[1][3] = {{0, ranks - 1, 2}};
    for (int i = 0; i < size; i++)
        for (int k = 0; k < 3; k++) triples[i][k] = 3 * i + k;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    for (int step = 0; step < steps; step++) {
        MPI_Group_range_incl(all, (int)size, triples, &thirds);
        MPI_Group_range_incl(all, 1, every_other, &evens);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Group_free(&thirds);
        MPI_Group_free(&evens);
    }
    MPI_Group_free(&all);
    free(triples);
}

int main(int argc, char** argv) {
    static const struct {
        const char* name;
        void (*run)(void);
    } patterns[] = {{"ring", ring},       {"gradients", gradients}, {"transpose", transpose},
                    {"spread", spread},   {"tiles", tiles},         {"torus", torus},
                    {"product", product}, {"gather", gather},       {"ranges", ranges}};
    const char* const wanted = argc > 1 ? argv[1] : "ring";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc > 2) size = atol(argv[2]);
    if (argc > 3) steps = atoi(argv[3]);
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++)
        if (strcmp(patterns[i].name, wanted) == 0) patterns[i].run();
    if (me == 0) printf("regular: %s, checksum %.3f\n", wanted, checksum);
    MPI_Finalize();
    return !isfinite(checksum);
}
