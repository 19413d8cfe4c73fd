/* A second opinion about a recording, which shares nothing with it, nor with its table: counts what reaches MPI below the
 * interposer. It stands in front of PMPI_X, which C programs reach through the interposer and Fortran through its bindings.
 *
 * Counting is the first function and CALL. The rest is what agreeing on bytes and pairs takes: ranks of communicators are
 * those of MPI_COMM_WORLD elsewhere, persistent requests move their bytes when they are started, threads call at once, and
 * Open MPI calls itself. The arguments are spelled here once more, since a table that both read would let both be wrong. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct Message {
    unsigned long long bytes;
    int world; /* the rank of MPI_COMM_WORLD that it goes to; -1: to none in particular */
};
static struct Kind {
    const char* name;
    unsigned long long calls, bytes;
    struct Kind* next;
} * kinds; /* that were called */
static unsigned long long *pair_calls, *pair_bytes;
static struct Persistent {
    MPI_Request request;
    struct Message message;
} * persistent; /* what they move when they are started */
static int persistents;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all above */
/* In a function of MPI that calls others by their names: those are none of the program's. */
static __thread int within;

static void count(struct Kind* kind, unsigned calls, struct Message moved) {
    int ranks = 0;
    if (within) return;
    pthread_mutex_lock(&lock);
    if (!kind->calls) kind->next = kinds, kinds = kind;
    kind->calls += calls, kind->bytes += moved.bytes;
    if (moved.world >= 0 && !pair_calls) {
        PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
        pair_calls = calloc(2 * (size_t)ranks, sizeof *pair_calls), pair_bytes = pair_calls + ranks;
    }
    if (moved.world >= 0) pair_calls[moved.world]++, pair_bytes[moved.world] += moved.bytes;
    pthread_mutex_unlock(&lock);
}
static struct Message message(int n, MPI_Datatype type, int dest, MPI_Comm comm) {
    struct Message found = {0, -1};
    int size = 0, other = 0, ranks = 0;
    MPI_Group group = MPI_GROUP_NULL, all;
    if (type != MPI_DATATYPE_NULL && n > 0) PMPI_Type_size(type, &size);
    found.bytes = (unsigned long long)n * (unsigned long long)size;
    /* MPI refuses such a call, if the program goes on after errors. */
    if (dest < 0 || comm == MPI_COMM_NULL) return found;
#ifndef SMPI_H /* where it ends the simulation, and no communicator lies between two groups */
    PMPI_Comm_test_inter(comm, &other);
#endif
    other ? PMPI_Comm_remote_group(comm, &group) : PMPI_Comm_group(comm, &group);
    PMPI_Comm_group(MPI_COMM_WORLD, &all);
    PMPI_Group_size(group, &ranks);
    if (dest < ranks) PMPI_Group_translate_ranks(group, 1, &dest, all, &found.world);
    PMPI_Group_free(&group), PMPI_Group_free(&all);
    return found;
}
static struct Persistent* persistent_of(MPI_Request request) {
    int i = 0;
    while (i < persistents && persistent[i].request != request) i++;
    return i < persistents ? &persistent[i] : NULL;
}
static int remember(int error, const MPI_Request* made, struct Message moved) {
    const MPI_Request request = error ? MPI_REQUEST_NULL : *made;
    pthread_mutex_lock(&lock);
    struct Persistent* known = error ? NULL : persistent_of(request);
    if (!error && !known) {
        struct Persistent* more = realloc(persistent, (size_t)(persistents + 1) * sizeof *more);
        if (more) persistent = more, known = &persistent[persistents++];
    }
    if (known) known->request = request, known->message = moved;
    pthread_mutex_unlock(&lock);
    return error;
}
static struct Message moved_by(MPI_Request request) {
    struct Message moved = {0, -1};
    pthread_mutex_lock(&lock);
    if (persistent_of(request)) moved = persistent_of(request)->message;
    pthread_mutex_unlock(&lock);
    return moved;
}

#define REAL(Name)                             \
    static struct Kind kind = {.name = #Name}; \
    static int (*real)() = NULL;               \
    (void)kind;                                \
    if (!real) *(void**)&real = dlsym(RTLD_NEXT, "PMPI_" #Name)
/* What it moves, and what is passed on. */
#define CALL(Name, moved, parameters, ...) \
    int PMPI_##Name parameters {           \
        REAL(Name);                        \
        count(&kind, 1, message moved);    \
        return real(__VA_ARGS__);          \
    }
#define MAKES(Name, moved, parameters, ...)                   \
    int PMPI_##Name parameters {                              \
        REAL(Name);                                           \
        return remember(real(__VA_ARGS__), q, message moved); \
    }
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
CALL(Send, SENT, (TO), s, n, t, d, g, c)
CALL(Bsend, SENT, (TO), s, n, t, d, g, c)
CALL(Ssend, SENT, (TO), s, n, t, d, g, c)
CALL(Rsend, SENT, (TO), s, n, t, d, g, c)
CALL(Isend, SENT, (TO, STARTS), s, n, t, d, g, c, q)
CALL(Ibsend, SENT, (TO, STARTS), s, n, t, d, g, c, q)
CALL(Issend, SENT, (TO, STARTS), s, n, t, d, g, c, q)
CALL(Irsend, SENT, (TO, STARTS), s, n, t, d, g, c, q)
CALL(Recv, HERE, (FROM, MPI_Status* x), r, n, t, d, g, c, x)
CALL(Irecv, HERE, (FROM, STARTS), r, n, t, d, g, c, q)
CALL(Sendrecv, SENT, (OUT, int d, int g, INTO, int e, int h, MPI_Comm c, MPI_Status* x), s, n, t, d,
     g, r, m, u, e, h, c, x)
MAKES(Send_init, SENT, (TO, STARTS), s, n, t, d, g, c, q)
MAKES(Bsend_init, SENT, (TO, STARTS), s, n, t, d, g, c, q)
MAKES(Ssend_init, SENT, (TO, STARTS), s, n, t, d, g, c, q)
MAKES(Rsend_init, SENT, (TO, STARTS), s, n, t, d, g, c, q)
MAKES(Recv_init, HERE, (FROM, STARTS), r, n, t, d, g, c, q)
CALL(Barrier, NONE, (MPI_Comm c), c)
CALL(Bcast, HERE, (void* r, int n, MPI_Datatype t, int d, MPI_Comm c), r, n, t, d, c)
CALL(Reduce, HERE, (SUM, int d, MPI_Comm c), s, r, n, t, o, d, c)
CALL(Allreduce, HERE, (SUM, MPI_Comm c), s, r, n, t, o, c)
CALL(Scan, HERE, (SUM, MPI_Comm c), s, r, n, t, o, c)
CALL(Exscan, HERE, (SUM, MPI_Comm c), s, r, n, t, o, c)
CALL(Allgather, OWN, (OUT, INTO, MPI_Comm c), s, n, t, r, m, u, c)
CALL(Alltoall, OWN, (OUT, INTO, MPI_Comm c), s, n, t, r, m, u, c)
CALL(Gather, NONE, (OUT, INTO, int d, MPI_Comm c), s, n, t, r, m, u, d, c)
CALL(Scatter, NONE, (OUT, INTO, int d, MPI_Comm c), s, n, t, r, m, u, d, c)
CALL(Ibarrier, NONE, (MPI_Comm c, STARTS), c, q)
CALL(Ibcast, HERE, (void* r, int n, MPI_Datatype t, int d, MPI_Comm c, STARTS), r, n, t, d, c, q)
CALL(Ireduce, HERE, (SUM, int d, MPI_Comm c, STARTS), s, r, n, t, o, d, c, q)
CALL(Iallreduce, HERE, (SUM, MPI_Comm c, STARTS), s, r, n, t, o, c, q)
CALL(Iallgather, OWN, (OUT, INTO, MPI_Comm c, STARTS), s, n, t, r, m, u, c, q)
CALL(Ialltoall, OWN, (OUT, INTO, MPI_Comm c, STARTS), s, n, t, r, m, u, c, q)
int PMPI_Start(MPI_Request* q) {
    REAL(Start);
    count(&kind, 1, moved_by(*q));
    return real(q);
}
int PMPI_Startall(int n, MPI_Request q[]) {
    REAL(Startall);
    count(&kind, 1, (struct Message){0, -1});
    for (int i = 0; i < n; i++) count(&kind, 0, moved_by(q[i]));
    return real(n, q);
}
/* Open MPI exchanges with nobody by PMPI_Sendrecv. */
int PMPI_Sendrecv_replace(void* b, int n, MPI_Datatype t, int d, int g, int e, int h, MPI_Comm c,
                          MPI_Status* x) {
    REAL(Sendrecv_replace);
    within++;
    const int error = real(b, n, t, d, g, e, h, c, x);
    within--;
    return error;
}
int PMPI_Finalize(void) {
    const char* folder = getenv("REFRAIN_PROXY_RUN");
    char name[4096];
    int rank = 0, ranks = 0;
    REAL(Finalize);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank), PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    snprintf(name, sizeof name, "%s/counts-%d.txt", folder ? folder : "", rank);
    FILE* out = folder ? fopen(name, "w") : NULL;
    for (struct Kind* kind_of = kinds; out && kind_of; kind_of = kind_of->next)
        fprintf(out, "%s %llu %llu\n", kind_of->name, kind_of->calls, kind_of->bytes);
    for (int i = 0; out && pair_calls && i < ranks; i++)
        if (pair_calls[i]) fprintf(out, "to %d: %llu %llu\n", i, pair_calls[i], pair_bytes[i]);
    if (out) fclose(out);
    return real();
}
