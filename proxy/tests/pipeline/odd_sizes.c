/* Messages, collective calls and memory whose sizes have no round number: 4099, 12345, 7001 and what follows from them. Files and
 * datatypes have sizes that stay: 5003, 6007. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROW = 4099, ALL = 12345, LOG = 7001, KEPT = 5003, DEALT = 6007 };

static double rows[4][ALL], sum[ALL], parts[16 * ALL], other[16 * ALL];

/* Ranks send what differs from rank to rank, and a hole lies behind each part. */
static void exchange(int me, int ranks) {
    int sent[16], places[16], got[16], from[16];
    for (int i = 0; i < ranks; i++) {
        sent[i] = ROW / (1 + i), places[i] = i == 0 ? 0 : places[i - 1] + sent[i - 1] + 3;
        got[i] = ROW / (1 + me), from[i] = i * ALL;
    }
    MPI_Alltoallv(parts, sent, places, MPI_DOUBLE, other, got, from, MPI_DOUBLE, MPI_COMM_WORLD);
    for (int i = 0; i < ranks; i++) got[i] = ROW + i, from[i] = (ranks - 1 - i) * ALL;
    MPI_Gatherv(rows[0], ROW + me, MPI_DOUBLE, other, got, from, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Scatterv(other, got, from, MPI_DOUBLE, rows[0], ROW + me, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    /* All get the same part, once as numbers and once as bytes. */
    for (int i = 0; i < ranks; i++) got[i] = ROW, from[i] = 17;
    MPI_Scatterv(other, got, from, MPI_DOUBLE, rows[0], ROW * 8, MPI_BYTE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < ranks; i++) got[i] = LOG + i;
    MPI_Reduce_scatter(parts, other, got, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* A receiver that knows neither from whom nor how much. */
static void report(int me, int ranks) {
    MPI_Status status;
    int count;
    if (me != 0) MPI_Send(rows[1], LOG + me, MPI_INT, 0, 5, MPI_COMM_WORLD);
    for (int i = 1; me == 0 && i < ranks; i++) {
        MPI_Probe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        MPI_Recv(rows[1], count, MPI_INT, status.MPI_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/* One call tells how much was received, and how much was read or written. */
static void keep(int me, int left, int right, const char* name) {
    MPI_File file;
    MPI_Request requests[3];
    MPI_Status statuses[3];
    const MPI_Offset here = (MPI_Offset)me * KEPT * 8;
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    MPI_Irecv(rows[0], ALL, MPI_DOUBLE, left, 7, MPI_COMM_WORLD, &requests[0]);
    MPI_File_iwrite_at(file, here, rows[2], KEPT, MPI_DOUBLE, &requests[1]);
    MPI_Isend(rows[3], KEPT + 7, MPI_DOUBLE, right, 7, MPI_COMM_WORLD, &requests[2]);
    MPI_Waitall(3, requests, statuses);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    /* Nobody asks for more than there is: of that Open MPI 4.1.4 waits forever. */
    MPI_File_iread_at(file, here, rows[2], KEPT, MPI_DOUBLE, &requests[0]);
    MPI_Irecv(rows[0], ALL, MPI_DOUBLE, left, 8, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(rows[3], 2 * KEPT, MPI_DOUBLE, right, 8, MPI_COMM_WORLD, &requests[2]);
    MPI_Waitall(3, requests, statuses);
    MPI_File_close(&file);
}

/* An array in two parts, of which one is larger. */
static void deal(int me, int left, int right) {
    int extents[1] = {2 * DEALT - 1}, ways[1] = {MPI_DISTRIBUTE_BLOCK};
    int blocks[1] = {MPI_DISTRIBUTE_DFLT_DARG}, grid[1] = {2};
    MPI_Datatype part;
    MPI_Type_create_darray(2, me % 2, 1, extents, ways, blocks, grid, MPI_ORDER_C, MPI_DOUBLE,
                           &part);
    MPI_Type_commit(&part);
    MPI_Sendrecv(parts, 1, part, right, 9, rows[0], ALL, MPI_DOUBLE, left, 9, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Type_free(&part);
}

int main(int argc, char** argv) {
    int me, ranks, size, index;
    MPI_Request requests[4];
    MPI_Status statuses[4];
    MPI_Datatype column;
    void* memory;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int right = (me + 1) % ranks, left = (me + ranks - 1) % ranks;
    size = ROW * 8 + MPI_BSEND_OVERHEAD;
    MPI_Buffer_attach(malloc((size_t)size), size);
    MPI_Alloc_mem(ALL, MPI_INFO_NULL, &memory);
    for (int step = 0; step < 6; step++) {
        MPI_Irecv(rows[0], ROW, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(rows[1], ALL, MPI_DOUBLE, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &requests[1]);
        MPI_Isend(rows[2], ROW, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[2]);
        MPI_Isend(rows[3], ROW + 7 * step, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &requests[3]);
        MPI_Waitany(4, requests, &index, statuses);
        MPI_Waitall(4, requests, statuses);
        MPI_Allreduce(step % 2 ? MPI_IN_PLACE : rows[2], sum, ALL, MPI_DOUBLE, MPI_SUM,
                      MPI_COMM_WORLD);
    }
    MPI_Bsend(rows[2], ROW, MPI_DOUBLE, right, 3, MPI_COMM_WORLD);
    MPI_Sendrecv_replace(rows[0], ALL, MPI_DOUBLE, right, 4, left, 4, MPI_COMM_WORLD, statuses);
    MPI_Recv(rows[1], ALL, MPI_DOUBLE, left, 3, MPI_COMM_WORLD, statuses);
    MPI_Type_vector(ROW, 1, 3, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    MPI_Sendrecv(rows[2], 1, column, right, 6, rows[3], ROW, MPI_DOUBLE, left, 6, MPI_COMM_WORLD,
                 statuses);
    deal(me, left, right);
    MPI_Type_free(&column);
    exchange(me, ranks);
    report(me, ranks);
    if (argc > 1) keep(me, left, right, argv[1]);
    MPI_Reduce_local(rows[0], rows[1], ROW, MPI_DOUBLE, MPI_SUM);
    MPI_Free_mem(memory);
    MPI_Buffer_detach(&memory, &size);
    free(memory);
    MPI_Finalize();
    return 0;
}
