/* One file, in every way that MPI offers: collective views, offsets, requests, split calls, shared pointers.
 * mpirun -n 4 ./files */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIDE = 8, RECORDS = 6 };

static int me, ranks, wrong;
static char name[4096], input[4104];

static void expect(int condition, const char* what) {
    if (!condition) fprintf(stderr, "files: rank %d: %s is wrong\n", me, what);
    wrong += !condition;
}

static int bytes_in(MPI_Status* status) {
    int bytes;
    MPI_Get_count(status, MPI_BYTE, &bytes);
    return bytes;
}

/* Each rank has some columns of a matrix that lies by rows. */
static void views(void) {
    double mine[SIDE * 2], back[SIDE * 2];
    int sizes[2] = {SIDE, 2 * ranks}, part[2] = {SIDE, 2}, start[2] = {0, 2 * me}, step, i;
    MPI_Datatype columns;
    MPI_Status status;
    MPI_File file;
    MPI_Type_create_subarray(2, sizes, part, start, MPI_ORDER_C, MPI_DOUBLE, &columns);
    MPI_Type_commit(&columns);
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 64, MPI_DOUBLE, columns, "native", MPI_INFO_NULL);
    for (step = 0; step < 5; step++) {
        for (i = 0; i < SIDE * 2; i++) mine[i] = 1000 * step + 100 * me + i;
        MPI_File_seek(file, 0, MPI_SEEK_SET);
        MPI_File_write_all(file, mine, SIDE * 2, MPI_DOUBLE, &status);
    }
    MPI_File_sync(file);
    MPI_File_seek(file, 0, MPI_SEEK_SET);
    MPI_File_read_all(file, back, SIDE * 2, MPI_DOUBLE, &status);
    expect(memcmp(mine, back, sizeof mine) == 0 && bytes_in(&status) == sizeof back, "a view");
    MPI_File_close(&file);
    MPI_Type_free(&columns);
}

/* Records at places of their own, by requests and by split calls. */
static void records(void) {
    int mine[RECORDS], back[RECORDS], i;
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_File file;
    const MPI_Offset here = (MPI_Offset)sizeof mine * me;
    for (i = 0; i < RECORDS; i++) mine[i] = RECORDS * me + i;
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_set_size(file, 0);
    MPI_File_iwrite_at(file, here, mine, RECORDS / 2, MPI_INT, &requests[0]);
    MPI_File_iwrite_at(file, here + (MPI_Offset)sizeof mine / 2, mine + RECORDS / 2, RECORDS / 2,
                       MPI_INT, &requests[1]);
    MPI_Waitall(2, requests, statuses);
    MPI_File_write_at_all_begin(file, here, mine, RECORDS, MPI_INT);
    MPI_File_write_at_all_end(file, mine, statuses);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_read_at(file, here, back, RECORDS, MPI_INT, MPI_STATUS_IGNORE);
    expect(memcmp(mine, back, sizeof mine) == 0, "a record");
    /* Behind the end of the file there is nothing. */
    MPI_File_read_at(file, (MPI_Offset)sizeof mine * ranks, back, RECORDS, MPI_INT, statuses);
    expect(bytes_in(statuses) == 0, "the end of the file");
    MPI_File_close(&file);
}

/* A log that all write to, in any order and by rank. */
static void shared_pointer(void) {
    char line[16];
    MPI_Offset size;
    MPI_File file;
    snprintf(line, sizeof line, "rank %10d", me);
    MPI_File_open(MPI_COMM_WORLD, name,
                  MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    MPI_File_set_size(file, 0);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_write_shared(file, line, sizeof line, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_write_ordered(file, line, sizeof line, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_get_size(file, &size);
    expect(size == (MPI_Offset)(2 * sizeof line) * ranks, "the log");
    MPI_File_close(&file);
}

/* What was there before the program: it asks for more than there is. */
static void given(void) {
    char text[100];
    MPI_Status status;
    MPI_File file;
    if (me == 0) {
        FILE* const out = fopen(input, "w");
        if (out == NULL || fprintf(out, "%060d", 1) != 60 || fclose(out) != 0) wrong++;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_open(MPI_COMM_SELF, input, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    MPI_File_read(file, text, sizeof text, MPI_CHAR, &status);
    expect(bytes_in(&status) == 60, "what was there");
    MPI_File_close(&file);
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0) MPI_File_delete(input, MPI_INFO_NULL);
}

int main(int argc, char** argv) {
    int all, process;
    const char* const folder = getenv("TMPDIR");
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    process = (int)getpid();
    MPI_Bcast(&process, 1, MPI_INT, 0, MPI_COMM_WORLD);
    snprintf(name, sizeof name, "%s/refrain-files-%d", folder != NULL ? folder : "/tmp", process);
    snprintf(input, sizeof input, "%s-input", name);
    views();
    records();
    shared_pointer();
    given();
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (me == 0) printf("files: %s\n", all == 0 ? "right" : "wrong");
    MPI_Finalize();
    return all != 0;
}
