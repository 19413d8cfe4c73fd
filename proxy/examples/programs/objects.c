/* What windows, files and communicators are asked and told beside their work, and files in the ways that are rare.
 * mpirun -n 4 ./objects [file] */
#include <mpi.h>
#include <stdio.h>

enum { WORDS = 8 };

static int me, ranks;

static void communicators(void) {
    MPI_Info info;
    MPI_Comm twin;
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    MPI_Info_create(&info);
    MPI_Comm_set_info(twin, info);
    MPI_Info_free(&info);
    MPI_Comm_get_info(twin, &info);
    MPI_Info_free(&info);
    MPI_Comm_free(&twin);
}

static int windows(void) {
    int here[2] = {me, 0}, one = 1, got = -1;
    MPI_Info info;
    MPI_Group group;
    MPI_Request request;
    MPI_Win window;
    MPI_Win_create(here, sizeof here, sizeof here[0], MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
    MPI_Win_call_errhandler(window, MPI_ERR_OTHER);
    MPI_Win_get_info(window, &info);
    MPI_Win_set_info(window, info);
    MPI_Info_free(&info);
    MPI_Win_get_group(window, &group);
    MPI_Group_free(&group);
    MPI_Win_lock(MPI_LOCK_SHARED, me, 0, window);
    MPI_Rget_accumulate(&one, 1, MPI_INT, &got, 1, MPI_INT, me, 0, 1, MPI_INT, MPI_SUM, window,
                        &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_unlock(me, window);
    MPI_Win_free(&window);
    return got == me && here[0] == me + 1;
}

static void complete(MPI_Request request, int* right) {
    MPI_Status status;
    int count;
    MPI_Wait(&request, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    *right = *right && count == WORDS;
}

static int files(const char* name) {
    int words[WORDS], back[WORDS], right = 1;
    const MPI_Offset mine = me * (MPI_Offset)sizeof words;
    MPI_File file;
    MPI_Group group;
    MPI_Info info;
    MPI_Request request;
    for (int i = 0; i < WORDS; i++) words[i] = WORDS * me + i;
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    MPI_File_set_errhandler(file, MPI_ERRORS_RETURN);
    MPI_File_call_errhandler(file, MPI_ERR_OTHER);
    MPI_File_get_info(file, &info);
    MPI_File_set_info(file, info);
    MPI_Info_free(&info);
    MPI_File_get_group(file, &group);
    MPI_Group_free(&group);
    MPI_File_preallocate(file, 2 * ranks * (MPI_Offset)sizeof words);

    MPI_File_seek(file, mine, MPI_SEEK_SET);
    MPI_File_iwrite(file, words, WORDS, MPI_INT, &request);
    complete(request, &right);
    MPI_File_seek(file, mine, MPI_SEEK_SET);
    MPI_File_iwrite_all(file, words, WORDS, MPI_INT, &request);
    complete(request, &right);
    MPI_File_iwrite_at_all(file, mine, words, WORDS, MPI_INT, &request);
    complete(request, &right);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_seek(file, mine, MPI_SEEK_SET);
    MPI_File_iread(file, back, WORDS, MPI_INT, &request);
    complete(request, &right);
    MPI_File_seek(file, mine, MPI_SEEK_SET);
    MPI_File_iread_all(file, back, WORDS, MPI_INT, &request);
    complete(request, &right);
    MPI_File_iread_at_all(file, mine, back, WORDS, MPI_INT, &request);
    complete(request, &right);
    MPI_File_seek(file, mine, MPI_SEEK_SET);
    MPI_File_read_all_begin(file, back, WORDS, MPI_INT);
    MPI_File_read_all_end(file, back, MPI_STATUS_IGNORE);
    for (int i = 0; i < WORDS; i++) right = right && back[i] == words[i];

    /* Who comes first is left to chance; all write and read as much. The first to write here overwrites what the others
     * read above, so all must have read. */
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_iwrite_shared(file, words, WORDS, MPI_INT, &request);
    complete(request, &right);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_iread_shared(file, back, WORDS, MPI_INT, &request);
    complete(request, &right);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_read_shared(file, back, WORDS, MPI_INT, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_read_ordered_begin(file, back, WORDS, MPI_INT);
    MPI_File_read_ordered_end(file, back, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    return right;
}

int main(int argc, char** argv) {
    int right;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    communicators();
    right = windows();
    right = files(argc > 1 ? argv[1] : "objects.dat") && right;
    MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    if (me == 0) printf("objects: %s\n", right ? "right" : "WRONG");
    MPI_Finalize();
    return !right;
}
