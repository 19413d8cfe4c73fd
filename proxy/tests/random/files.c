/* A file that all members write and read: by offsets, views, shared pointers, in halves, without waiting. */
#include "model.h"

enum { BYTES = 1 << 14, INTS = 17 };

/* Each member has a part of the file to itself, so that what is read is as much as was asked for. */
static void by_offsets(struct Draw* from, MPI_File file, int* memory, MPI_Offset mine) {
    MPI_Status status;
    MPI_Request request;
    switch (draw(from, 8)) {
        case 0:
            MPI_File_write_at(file, mine, memory, INTS, MPI_INT, &status);
            break;
        case 1:
            MPI_File_read_at(file, mine, memory, INTS, MPI_INT, &status);
            break;
        case 2:
            MPI_File_write_at_all(file, mine, memory, INTS, MPI_INT, &status);
            break;
        case 3:
            MPI_File_read_at_all(file, mine, memory, INTS, MPI_INT, &status);
            break;
        case 4:
            MPI_File_seek(file, mine, MPI_SEEK_SET);
            MPI_File_write(file, memory, INTS, MPI_INT, &status);
            break;
        case 5:
            MPI_File_seek(file, mine, MPI_SEEK_SET);
            MPI_File_read_all(file, memory, INTS, MPI_INT, &status);
            break;
        case 6:
            MPI_File_iwrite_at(file, mine, memory, INTS, MPI_INT, &request);
            MPI_Wait(&request, &status);
            break;
        default:
            MPI_File_iread_at(file, mine, memory, INTS, MPI_INT, &request);
            MPI_Wait(&request, &status);
            break;
    }
}

static void in_halves(struct Draw* from, MPI_File file, int* memory, MPI_Offset mine) {
    MPI_Status status;
    switch (draw(from, 4)) {
        case 0:
            MPI_File_write_at_all_begin(file, mine, memory, INTS, MPI_INT);
            MPI_File_write_at_all_end(file, memory, &status);
            break;
        case 1:
            MPI_File_read_at_all_begin(file, mine, memory, INTS, MPI_INT);
            MPI_File_read_at_all_end(file, memory, &status);
            break;
        case 2:
            MPI_File_seek(file, mine, MPI_SEEK_SET);
            MPI_File_write_all_begin(file, memory, INTS, MPI_INT);
            MPI_File_write_all_end(file, memory, &status);
            break;
        default:
            MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
            MPI_File_write_ordered_begin(file, memory, INTS, MPI_INT);
            MPI_File_write_ordered_end(file, memory, &status);
            break;
    }
}

static void by_shared_pointer(struct Draw* from, MPI_File file, int* memory) {
    MPI_Status status;
    const int what = draw(from, 3);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    if (what == 0) MPI_File_write_shared(file, memory, INTS, MPI_INT, &status);
    if (what == 1) MPI_File_write_ordered(file, memory, INTS, MPI_INT, &status);
    if (what == 2) MPI_File_read_ordered(file, memory, INTS, MPI_INT, &status);
}

void on_file(struct Draw* from) {
    const struct Comm* const comm = any_comm(from);
    const int steps = 1 + draw(from, 4), view = draw(from, 3), atomic = draw(from, 4) == 0;
    char name[512];
    if (comm->handle == MPI_COMM_NULL) return;
    snprintf(name, sizeof name, "%s/random-%d-%d", scratch, statement, comm->world[0]);
    int* const memory = room(INTS, MPI_INT);
    MPI_File file;
    MPI_Datatype part = MPI_DATATYPE_NULL;
    MPI_Offset mine = comm->me * INTS * (MPI_Offset)sizeof(int);
    MPI_File_open(comm->handle, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    MPI_File_set_size(file, BYTES);
    MPI_Barrier(comm->handle);
    if (atomic) MPI_File_set_atomicity(file, 1);
    if (view == 1) {
        MPI_Type_contiguous(2, MPI_INT, &part);
        MPI_Type_commit(&part);
        MPI_File_set_view(file, 0, MPI_INT, part, "native", MPI_INFO_NULL);
        mine = comm->me * INTS;
    }
    for (int i = 0; i < steps; i++) {
        const int what = draw(from, 4);
        if (what < 2) by_offsets(from, file, memory, mine);
        if (what == 2) in_halves(from, file, memory, mine);
        if (what == 3) by_shared_pointer(from, file, memory);
    }
    MPI_File_sync(file);
    MPI_File_close(&file);
    if (part != MPI_DATATYPE_NULL) MPI_Type_free(&part);
    free(memory);
}
