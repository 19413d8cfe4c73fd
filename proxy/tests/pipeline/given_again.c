/* An MPI that gives the value of a handle again while the thread that freed it is not back yet: what one thread frees here is
   what another one makes next, and a free that fails leaves it as it was. Both take turns, so that each run is the same. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn;    /* grows */
static int refuses; /* the next free */
static int given;   /* what was freed is given to the next that makes one */

static void wait_for(int own) {
    pthread_mutex_lock(&mutex);
    while (turn < own) pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
}
static void go_to(int next) {
    pthread_mutex_lock(&mutex);
    turn = next;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
}
/* Of the thread whose turn it is: until it is again. */
static void let_other(void) {
    const int now = turn;
    go_to(now + 1);
    wait_for(now + 2);
}

/* A free is none while values are given again: the other thread makes one of the same value meanwhile. */
#define GIVEN_AGAIN(Handle, Null, free_it, make_it, parameters, arguments) \
    static Handle freed_##free_it;                                         \
    int PMPI_##free_it(Handle* one) {                                      \
        int (*real)(Handle*) = NULL;                                       \
        *(void**)&real = dlsym(RTLD_NEXT, "PMPI_" #free_it);               \
        if (refuses) return MPI_ERR_ARG;                                   \
        if (!given) return real(one);                                      \
        freed_##free_it = *one;                                            \
        *one = Null;                                                       \
        let_other();                                                       \
        return MPI_SUCCESS;                                                \
    }                                                                      \
    int PMPI_##make_it parameters {                                        \
        int(*real) parameters = NULL;                                      \
        *(void**)&real = dlsym(RTLD_NEXT, "PMPI_" #make_it);               \
        if (!given) return real arguments;                                 \
        *made = freed_##free_it;                                           \
        return MPI_SUCCESS;                                                \
    }

GIVEN_AGAIN(MPI_Datatype, MPI_DATATYPE_NULL, Type_free, Type_contiguous,
            (int count, MPI_Datatype old, MPI_Datatype* made), (count, old, made))
GIVEN_AGAIN(MPI_Comm, MPI_COMM_NULL, Comm_free, Comm_dup, (MPI_Comm comm, MPI_Comm* made),
            (comm, made))
GIVEN_AGAIN(MPI_Op, MPI_OP_NULL, Op_free, Op_create,
            (MPI_User_function * function, int commutes, MPI_Op* made), (function, commutes, made))
GIVEN_AGAIN(MPI_Info, MPI_INFO_NULL, Info_free, Info_create, (MPI_Info * made), (made))
GIVEN_AGAIN(MPI_Group, MPI_GROUP_NULL, Group_free, Group_incl,
            (MPI_Group group, int n, const int* ranks, MPI_Group* made), (group, n, ranks, made))
GIVEN_AGAIN(int, MPI_KEYVAL_INVALID, Comm_free_keyval, Comm_create_keyval,
            (MPI_Comm_copy_attr_function * copy, MPI_Comm_delete_attr_function* delete, int* made,
             void* extra),
            (copy, delete, made, extra))
GIVEN_AGAIN(MPI_File, MPI_FILE_NULL, File_close, File_open,
            (MPI_Comm comm, const char* name, int mode, MPI_Info info, MPI_File* made),
            (comm, name, mode, info, made))
#ifndef OPEN_MPI /* it has no window of one process where several threads call */
GIVEN_AGAIN(MPI_Win, MPI_WIN_NULL, Win_free, Win_create,
            (void* base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win* made),
            (base, size, unit, info, comm, made))
#define WINDOWS(DO)                                                                    \
    DO(MPI_Win, MPI_Win_create(&to, sizeof to, 1, MPI_INFO_NULL, MPI_COMM_SELF, &one), \
       MPI_Win_fence(0, one), MPI_Win_free(&one))
#else
#define WINDOWS(DO)
#endif

static void sum(void* in, void* inout, int* count, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i < *count; ++i) ((int*)inout)[i] += ((int*)in)[i];
}

/* One kind: the first thread makes one, fails to free it, uses it and frees it; the other one makes one meanwhile, uses it when
   the first is done and frees it. */
#define FIRST(Handle, make, use, release) \
    {                                     \
        Handle one;                       \
        make;                             \
        refuses = 1;                      \
        release;                          \
        refuses = 0;                      \
        use;                              \
        given = 1;                        \
        release;                          \
        given = 0;                        \
        let_other();                      \
    }
#define OTHER(Handle, make, use, release) \
    {                                     \
        Handle one;                       \
        wait_for(own + 1);                \
        make;                             \
        go_to(own + 2);                   \
        wait_for(own + 3);                \
        use;                              \
        release;                          \
        own += 4;                         \
        go_to(own);                       \
    }
#define KINDS(DO)                                                                                \
    DO(MPI_Datatype, MPI_Type_contiguous(4, MPI_INT, &one), MPI_Type_commit(&one),               \
       MPI_Type_free(&one))                                                                      \
    DO(MPI_Comm, MPI_Comm_dup(MPI_COMM_SELF, &one), MPI_Barrier(one), MPI_Comm_free(&one))       \
    DO(MPI_Op, MPI_Op_create(sum, 1, &one), MPI_Reduce_local(&from, &to, 1, MPI_INT, one),       \
       MPI_Op_free(&one))                                                                        \
    DO(MPI_Info, MPI_Info_create(&one), MPI_Info_set(one, "key", "value"), MPI_Info_free(&one))  \
    DO(MPI_Group, MPI_Group_incl(all, 1, &zero, &one), MPI_Group_union(one, one, &again),        \
       MPI_Group_free(&one))                                                                     \
    DO(int, MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &one, NULL),  \
       MPI_Comm_set_attr(MPI_COMM_SELF, one, NULL), MPI_Comm_free_keyval(&one))                  \
    DO(MPI_File,                                                                                 \
       MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &one), \
       MPI_File_set_size(one, 8), MPI_File_close(&one))                                          \
    WINDOWS(DO)

static MPI_Group all;
static const char* name; /* of a file */

static void* other(void* nothing) {
    int own = 0, from = 1, to = 1;
    const int zero = 0;
    MPI_Group again;
    KINDS(OTHER)
    return nothing;
}

int main(int argc, char** argv) {
    int provided = 0, from = 1, to = 1;
    const int zero = 0;
    MPI_Group again;
    pthread_t thread;
    name = argc > 1 ? argv[1] : "given_again.data";
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) {
        printf("given_again: this MPI does not bear several threads\n");
        MPI_Finalize();
        return 0;
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    pthread_create(&thread, NULL, other, NULL);
    KINDS(FIRST)
    pthread_join(thread, NULL);
    MPI_Finalize();
    printf("given_again: done\n");
    return 0;
}
