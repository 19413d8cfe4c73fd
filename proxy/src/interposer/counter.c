/* A second opinion about a recording, which shares nothing with it, nor with its table: counts what reaches MPI below the
 * interposer. It stands in front of PMPI_X, which C programs reach through the interposer and Fortran through its bindings.
 *
 * Counting is `count`, CALL and PMPI_Finalize, some thirty lines. The rest is what agreeing on bytes and pairs takes: a line for
 * each function that says something to others, since a table that both read would let both be wrong; ranks of communicators,
 * which are those of MPI_COMM_WORLD elsewhere; persistent requests, which move their bytes when they are started; and MPI, which
 * calls itself. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Message {
    unsigned long long bytes;
    int world; /* the rank of MPI_COMM_WORLD that it goes to; -1: to none in particular */
};
struct Count {
    const char* name;
    unsigned long long calls, bytes;
    int (*real)();
    const void* program; /* a place that calls it, and is none of MPI's */
    struct Count* next;
};
static struct Count *kinds, *pairs; /* all functions below; by the rank that messages go to */

/* One thread at a time, where several may call. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int several(void) {
    static int level = -1;
    if (level < 0) PMPI_Query_thread(&level);
    return level == MPI_THREAD_MULTIPLE;
}
static void lock(void) {
    if (several()) pthread_mutex_lock(&mutex);
}
static void unlock(void) {
    if (several()) pthread_mutex_unlock(&mutex);
}
static void count(struct Count* kind, unsigned calls, struct Message moved) {
    int ranks = 0;
    lock();
    kind->calls += calls, kind->bytes += moved.bytes;
    if (!pairs)
        PMPI_Comm_size(MPI_COMM_WORLD, &ranks), pairs = calloc((size_t)ranks, sizeof *pairs);
    if (moved.world >= 0) pairs[moved.world].calls++, pairs[moved.world].bytes += moved.bytes;
    unlock();
}
/* Not where MPI calls itself: from the library that has the function, or from one that it loads (.../mca_io_romio321.so). */
static int by_program(struct Count* kind, const void* from) {
    Dl_info caller, mpi;
    if (from == __atomic_load_n(&kind->program, __ATOMIC_RELAXED)) return 1;
    if (dladdr(from, &caller) && dladdr(*(void**)&kind->real, &mpi) &&
        (caller.dli_fbase == mpi.dli_fbase || strstr(caller.dli_fname, "/mca_")))
        return 0;
    __atomic_store_n(&kind->program, from, __ATOMIC_RELAXED);
    return 1;
}
/* The rank of MPI_COMM_WORLD that a rank of a communicator is; -1: none, and MPI refuses the call. */
static int ask_world(int dest, MPI_Comm comm) {
    int other = 0, ranks = 0, world = -1;
    MPI_Group group = MPI_GROUP_NULL, all;
#ifndef SMPI_H /* where it ends the simulation, and no communicator lies between two groups */
    PMPI_Comm_test_inter(comm, &other);
#endif
    other ? PMPI_Comm_remote_group(comm, &group) : PMPI_Comm_group(comm, &group);
    PMPI_Comm_group(MPI_COMM_WORLD, &all);
    PMPI_Group_size(group, &ranks);
    if (dest < ranks) PMPI_Group_translate_ranks(group, 1, &dest, all, &world);
    PMPI_Group_free(&group), PMPI_Group_free(&all);
    return world;
}
/* What was asked lately: asking takes 490 instructions. A communicator that is freed may give its value to another. */
static struct Answer {
    MPI_Comm comm;
    int dest, world, given;
} answers[64];
static void forget_answers(void) {
    lock();
    memset(answers, 0, sizeof answers);
    unlock();
}
static int world_of(int dest, MPI_Comm comm) {
    struct Answer* const kept = &answers[((size_t)comm / 64 + (size_t)dest) % 64];
    lock();
    struct Answer answer = *kept;
    unlock();
    if (answer.given && answer.comm == comm && answer.dest == dest) return answer.world;
    answer = (struct Answer){comm, dest, ask_world(dest, comm),
                             1}; /* other ranks of a simulator may run */
    lock();
    *kept = answer;
    unlock();
    return answer.world;
}
static struct Message message(int n, MPI_Datatype type, int dest, MPI_Comm comm) {
    int size = 0;
    if (type != MPI_DATATYPE_NULL && n > 0) PMPI_Type_size(type, &size);
    return (struct Message){(unsigned long long)n * (unsigned long long)size,
                            dest < 0 || comm == MPI_COMM_NULL ? -1 : world_of(dest, comm)};
}
static struct Persistent {
    MPI_Request request;
    struct Message message; /* what it moves when it is started */
    struct Persistent* next;
} * persistents;
static struct Persistent* persistent_of(MPI_Request request) {
    struct Persistent* each = persistents;
    while (each && each->request != request) each = each->next;
    return each;
}
/* MPI gives values of requests again: the entry stays, and says what the latest of its value moves. */
static int remember(int error, const MPI_Request* made, struct Message moved) {
    if (error) return error;
    lock();
    struct Persistent* entry = persistent_of(*made);
    if (!entry) {
        entry = malloc(sizeof *entry);
        entry->request = *made, entry->next = persistents;
        persistents = entry;
    }
    entry->message = moved;
    unlock();
    return error;
}
static struct Message moved_by(MPI_Request request) {
    lock();
    const struct Persistent* known = persistent_of(request);
    const struct Message moved = known ? known->message : (struct Message){0, -1};
    unlock();
    return moved;
}

#define KIND(Name)                                               \
    static struct Count Name = {.name = #Name};                  \
    __attribute__((constructor)) static void know_##Name(void) { \
        Name.next = kinds, kinds = &Name;                        \
    }
#define REAL(Name) \
    if (!Name.real) *(void**)&Name.real = dlsym(RTLD_NEXT, "PMPI_" #Name)
#define FROM_PROGRAM(Name) by_program(&Name, __builtin_return_address(0))
/* What it moves, and what is passed on. */
#define CALL(Name, moved, parameters, ...)                      \
    KIND(Name)                                                  \
    int PMPI_##Name parameters {                                \
        REAL(Name);                                             \
        if (FROM_PROGRAM(Name)) count(&Name, 1, message moved); \
        return Name.real(__VA_ARGS__);                          \
    }
#define MAKES(Name, moved, parameters, ...)                        \
    static struct Count Name;                                      \
    int PMPI_##Name parameters {                                   \
        REAL(Name);                                                \
        return remember(Name.real(__VA_ARGS__), q, message moved); \
    }
#define FREES(Name)                \
    static struct Count Name;      \
    int PMPI_##Name(MPI_Comm* c) { \
        REAL(Name);                \
        forget_answers();          \
        return Name.real(c);       \
    }
#define THESE(...) __VA_ARGS__
/* A collective function that waits, and the one that begins it. */
#define BOTH(Name, name, moved, passed, ...)       \
    CALL(Name, moved, (__VA_ARGS__), THESE passed) \
    CALL(I##name, moved, (__VA_ARGS__, STARTS), THESE passed, q)
#define SENDS(Name, name)                                  \
    CALL(Name, SENT, (TO), s, n, t, d, g, c)               \
    CALL(I##name, SENT, (TO, STARTS), s, n, t, d, g, c, q) \
    MAKES(Name##_init, SENT, (TO, STARTS), s, n, t, d, g, c, q)
#define SENT (n, t, d, c)
#define HERE (n, t, -1, c)
#define NONE (0, MPI_DATATYPE_NULL, -1, c)
#define OWN (s == MPI_IN_PLACE ? m : n, s == MPI_IN_PLACE ? u : t, -1, c)
#define OUT const void *s, int n, MPI_Datatype t
#define TO OUT, int d, int g, MPI_Comm c
#define FROM void *r, int n, MPI_Datatype t, int d, int g, MPI_Comm c
#define INTO void *r, int m, MPI_Datatype u
#define SUM const void *s, void *r, int n, MPI_Datatype t, MPI_Op o
#define STARTS MPI_Request* q
/* clang-format off: a list of macros looks like a declaration without an end */
SENDS(Send, send)
SENDS(Bsend, bsend)
SENDS(Ssend, ssend)
SENDS(Rsend, rsend)
CALL(Sendrecv, SENT, (OUT, int d, int g, INTO, int e, int h, MPI_Comm c, MPI_Status* x), s, n, t, d,
     g, r, m, u, e, h, c, x)
CALL(Recv, HERE, (FROM, MPI_Status* x), r, n, t, d, g, c, x)
CALL(Irecv, HERE, (FROM, STARTS), r, n, t, d, g, c, q)
MAKES(Recv_init, HERE, (FROM, STARTS), r, n, t, d, g, c, q)
BOTH(Barrier, barrier, NONE, (c), MPI_Comm c)
BOTH(Bcast, bcast, HERE, (r, n, t, d, c), void* r, int n, MPI_Datatype t, int d, MPI_Comm c)
BOTH(Reduce, reduce, HERE, (s, r, n, t, o, d, c), SUM, int d, MPI_Comm c)
BOTH(Allreduce, allreduce, HERE, (s, r, n, t, o, c), SUM, MPI_Comm c)
BOTH(Scan, scan, HERE, (s, r, n, t, o, c), SUM, MPI_Comm c)
BOTH(Exscan, exscan, HERE, (s, r, n, t, o, c), SUM, MPI_Comm c)
BOTH(Allgather, allgather, OWN, (s, n, t, r, m, u, c), OUT, INTO, MPI_Comm c)
BOTH(Alltoall, alltoall, OWN, (s, n, t, r, m, u, c), OUT, INTO, MPI_Comm c)
BOTH(Gather, gather, NONE, (s, n, t, r, m, u, d, c), OUT, INTO, int d, MPI_Comm c)
BOTH(Scatter, scatter, NONE, (s, n, t, r, m, u, d, c), OUT, INTO, int d, MPI_Comm c)
CALL(Sendrecv_replace, SENT,
     (void* b, int n, MPI_Datatype t, int d, int g, int e, int h, MPI_Comm c, MPI_Status* x), b, n,
     t, d, g, e, h, c, x)
FREES(Comm_free)
FREES(Comm_disconnect)
KIND(Start)
KIND(Startall)
/* clang-format on */
int PMPI_Start(MPI_Request* q) {
    REAL(Start);
    count(&Start, 1, moved_by(*q));
    return Start.real(q);
}
int PMPI_Startall(int n, MPI_Request q[]) {
    REAL(Startall);
    count(&Startall, 1, (struct Message){0, -1});
    for (int i = 0; i < n; i++) count(&Startall, 0, moved_by(q[i]));
    return Startall.real(n, q);
}
int PMPI_Finalize(void) {
    const char* folder = getenv("REFRAIN_PROXY_RUN");
    char name[4096];
    int rank = 0, ranks = 0;
    static struct Count Finalize;
    REAL(Finalize);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank), PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    snprintf(name, sizeof name, "%s/counts-%d.txt", folder ? folder : "", rank);
    FILE* out = folder ? fopen(name, "w") : NULL;
    for (const struct Count* each = kinds; out && each; each = each->next)
        fprintf(out, "%s %llu %llu\n", each->name, each->calls, each->bytes);
    for (int i = 0; out && pairs && i < ranks; i++)
        if (pairs[i].calls) fprintf(out, "to %d: %llu %llu\n", i, pairs[i].calls, pairs[i].bytes);
    if (out) fclose(out);
    return Finalize.real();
}
