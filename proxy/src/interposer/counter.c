/* A second opinion about a recording, which shares nothing with it, nor with its table: counts what reaches MPI below the
 * interposer. It stands in front of PMPI_X, which C programs reach through the interposer and Fortran through its bindings.
 *
 * Counting is `count` and CALL, some thirty lines. The rest is what agreeing on bytes and pairs takes: a line for each function
 * that says something to others, since a table that both read would let both be wrong; ranks of communicators, which are those
 * of MPI_COMM_WORLD elsewhere; persistent requests, which move their bytes when they are started; and Open MPI, which calls
 * itself. Threads may call at once: then sums are atomic; lists only grow. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct Message {
    unsigned long long bytes;
    int world; /* the rank of MPI_COMM_WORLD that it goes to; -1: to none in particular */
};
static struct Count {
    unsigned long long calls, bytes;
    const char* name;
    struct Count* next;
} * kinds, *pairs; /* functions that were called; by the rank that messages go to */
static struct Persistent {
    MPI_Request request;
    struct Message message;
    struct Persistent* next;
} * persistents; /* what they move when they are started */
/* In a function of MPI that calls others by their names: those are none of the program's. */
static __thread int within;

/* Whether it was `from` until now. */
#define SET(at, from, to) \
    __atomic_compare_exchange_n(&(at), from, to, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)
#define PUSH(list, one) \
    for (one->next = list; !SET(list, &one->next, one);) continue

/* Returns what the sum was. Atomic where it has to be, which takes ten times as long. */
static unsigned long long add_to(unsigned long long* sum, unsigned long long more) {
    static int level = -1;
    const unsigned long long before = *sum;
    if (level < 0) PMPI_Query_thread(&level);
    if (level == MPI_THREAD_MULTIPLE) return __atomic_fetch_add(sum, more, __ATOMIC_RELAXED);
    *sum = before + more;
    return before;
}
static void add(struct Count* sum, unsigned calls, unsigned long long bytes) {
    add_to(&sum->bytes, bytes);
    if (add_to(&sum->calls, calls) == 0 && sum->name) PUSH(kinds, sum);
}
static void count(struct Count* kind, unsigned calls, struct Message moved) {
    struct Count *all = __atomic_load_n(&pairs, __ATOMIC_ACQUIRE), *none = NULL;
    int ranks = 0;
    if (within) return;
    add(kind, calls, moved.bytes);
    if (moved.world < 0) return;
    if (!all) {
        PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
        all = calloc((size_t)ranks, sizeof *all);
        if (!SET(pairs, &none, all)) free(all), all = none;
    }
    if (all) add(&all[moved.world], 1, moved.bytes);
}
static struct Message message(int n, MPI_Datatype type, int dest, MPI_Comm comm) {
    struct Message found = {0, -1};
    int size = 0, other = 0, ranks = 0;
    MPI_Group group = MPI_GROUP_NULL, all;
    if (type != MPI_DATATYPE_NULL && n > 0) PMPI_Type_size(type, &size);
    found.bytes = (unsigned long long)n * (unsigned long long)size;
    /* MPI refuses such a call, if the program goes on after errors. */
    if (dest < 0 || comm == MPI_COMM_NULL) return found;
    if (comm == MPI_COMM_WORLD) { /* which need not be asked: that takes 490 instructions */
        PMPI_Comm_size(comm, &ranks);
        found.world = dest < ranks ? dest : -1;
        return found;
    }
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
/* MPI gives values of requests again: the entry stays, and says what the latest of its value moves. */
static struct Persistent* persistent_of(MPI_Request request) {
    struct Persistent* each = __atomic_load_n(&persistents, __ATOMIC_ACQUIRE);
    while (each && each->request != request) each = each->next;
    return each;
}
static int remember(int error, const MPI_Request* made, struct Message moved) {
    struct Persistent* known = error ? NULL : persistent_of(*made);
    struct Persistent* fresh = error || known ? NULL : malloc(sizeof *fresh);
    if (known) known->message = moved;
    if (!fresh) return error;
    fresh->request = *made, fresh->message = moved;
    PUSH(persistents, fresh);
    return error;
}
static struct Message moved_by(MPI_Request request) {
    const struct Persistent* known = persistent_of(request);
    return known ? known->message : (struct Message){0, -1};
}

#define REAL(Name)                              \
    static struct Count kind = {.name = #Name}; \
    static int (*real)() = NULL;                \
    (void)kind;                                 \
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
/* clang-format on */
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
    for (const struct Count* each = kinds; out && each; each = each->next)
        fprintf(out, "%s %llu %llu\n", each->name, each->calls, each->bytes);
    for (int i = 0; out && pairs && i < ranks; i++)
        if (pairs[i].calls) fprintf(out, "to %d: %llu %llu\n", i, pairs[i].calls, pairs[i].bytes);
    if (out) fclose(out);
    return real();
}
