/* Attributes of communicators, datatypes and windows: what a library keeps with them. Functions of MPI and of the program copy
 * and delete them; one declines to copy. Besides, what a library asks of MPI when it begins: memory, and errors of its own.
 * mpirun -n 4 ./attributes */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 12 };

static int wrong, deleted;

static void expect(int condition, const char* what) {
    if (!condition) fprintf(stderr, "attributes: %s is wrong\n", what);
    wrong += !condition;
}

static int copy_larger(MPI_Comm from, int key, void* extra, void* value, void* copy, int* flag) {
    (void)from, (void)key;
    *flag = *(int*)value < *(int*)extra;
    if (*flag) *(void**)copy = value;
    return MPI_SUCCESS;
}
static int count_deleted(MPI_Comm from, int key, void* value, void* extra) {
    (void)from, (void)key, (void)value, (void)extra;
    deleted++;
    return MPI_SUCCESS;
}
static int copy_of_type(MPI_Datatype from, int key, void* extra, void* value, void* copy,
                        int* flag) {
    (void)from, (void)key, (void)extra;
    *(void**)copy = value;
    *flag = 1;
    return MPI_SUCCESS;
}

/* A library finds its own data with a communicator, and makes them where there are none. */
static int* data_of(MPI_Comm comm, int key) {
    int found, *data;
    MPI_Comm_get_attr(comm, key, &data, &found);
    if (found) return data;
    data = calloc(1, sizeof *data);
    MPI_Comm_set_attr(comm, key, data);
    return data;
}

static void communicators(void) {
    int own, inherited, refused, limit = 3, found, small = 1, large = 5, *value, i;
    MPI_Comm copy;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, count_deleted, &own, NULL);
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &inherited, NULL);
    MPI_Comm_create_keyval(copy_larger, MPI_COMM_NULL_DELETE_FN, &refused, &limit);
    for (i = 0; i < ROUNDS; i++) {
        ++*data_of(MPI_COMM_WORLD, own);
        MPI_Comm_set_attr(MPI_COMM_WORLD, inherited, &small);
        MPI_Comm_set_attr(MPI_COMM_WORLD, refused, i % 2 == 0 ? &small : &large);
        MPI_Comm_dup(MPI_COMM_WORLD, &copy);
        MPI_Comm_get_attr(copy, own, &value, &found);
        expect(!found, "an attribute that nobody copies");
        MPI_Comm_get_attr(copy, inherited, &value, &found);
        expect(found && value == &small, "an attribute that MPI copies");
        MPI_Comm_get_attr(copy, refused, &value, &found);
        expect(found == (i % 2 == 0), "an attribute that is copied at times");
        MPI_Barrier(copy);
        MPI_Comm_free(&copy);
    }
    value = data_of(MPI_COMM_WORLD, own);
    expect(*value == ROUNDS, "the data of the library");
    free(value);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, own);
    expect(deleted == 1, "what was deleted");
    MPI_Comm_delete_attr(MPI_COMM_WORLD, inherited);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, refused);
    MPI_Comm_free_keyval(&own);
    MPI_Comm_free_keyval(&inherited);
    MPI_Comm_free_keyval(&refused);
    expect(own == MPI_KEYVAL_INVALID, "a key that is freed");
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &found);
    expect(found && *value >= 32767, "MPI's own attribute");
}

static void datatypes(void) {
    int key, found, word = 7, *value;
    MPI_Datatype type, copy;
    MPI_Type_create_keyval(copy_of_type, MPI_TYPE_NULL_DELETE_FN, &key, NULL);
    MPI_Type_contiguous(3, MPI_INT, &type);
    MPI_Type_set_attr(type, key, &word);
    MPI_Type_dup(type, &copy);
    MPI_Type_delete_attr(type, key);
    MPI_Type_get_attr(copy, key, &value, &found);
    expect(found && *value == 7, "an attribute of a datatype");
    MPI_Type_free(&copy);
    MPI_Type_get_attr(type, key, &value, &found);
    expect(!found, "an attribute that was deleted");
    MPI_Type_free(&type);
    MPI_Type_free_keyval(&key);
}

static void windows(void) {
    int key, found, word = 9, *value, *cells;
    MPI_Win window;
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &key, NULL);
    MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &window);
    MPI_Win_set_attr(window, key, &word);
    MPI_Win_get_attr(window, key, &value, &found);
    expect(found && *value == 9, "an attribute of a window");
    MPI_Win_delete_attr(window, key);
    MPI_Win_free(&window);
    MPI_Win_free_keyval(&key);
}

/* Messages lie in memory of MPI, in two blocks at a time. */
static void memory(void) {
    int *sent, *received, i, me, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Alloc_mem(0, MPI_INFO_NULL, &sent);
    MPI_Free_mem(sent);
    for (i = 0; i < ROUNDS; i++) {
        MPI_Alloc_mem(8 * sizeof(int), MPI_INFO_NULL, &sent);
        MPI_Alloc_mem(8 * sizeof(int), MPI_INFO_NULL, &received);
        sent[7] = me + i;
        MPI_Sendrecv(sent, 8, MPI_INT, (me + 1) % ranks, 3, received, 8, MPI_INT,
                     (me + ranks - 1) % ranks, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        expect(received[7] == (me + ranks - 1) % ranks + i, "what lies in memory of MPI");
        MPI_Free_mem(sent);
        MPI_Free_mem(received);
    }
}

static void errors(void) {
    int kind, code, found, length;
    char words[MPI_MAX_ERROR_STRING];
    MPI_Comm copy;
    MPI_Add_error_class(&kind);
    MPI_Add_error_code(kind, &code);
    MPI_Add_error_string(code, "the matrix is singular");
    MPI_Error_class(code, &found);
    MPI_Error_string(code, words, &length);
    expect(found == kind && strcmp(words, "the matrix is singular") == 0, "an error of its own");
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Barrier(copy);
    MPI_Comm_disconnect(&copy);
    expect(copy == MPI_COMM_NULL, "a communicator that is gone");
}

int main(int argc, char** argv) {
    int me, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    communicators();
    datatypes();
    windows();
    memory();
    errors();
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (me == 0) printf("attributes: %s\n", all == 0 ? "right" : "wrong");
    MPI_Finalize();
    return all != 0;
}
