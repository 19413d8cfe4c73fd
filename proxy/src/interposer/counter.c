/* A second opinion about a recording, which shares nothing with it: counts what reaches MPI below the interposer.
 * It stands in front of PMPI_X, which C programs reach through the interposer and Fortran through its bindings. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    SEND,
    BSEND,
    SSEND,
    RSEND,
    ISEND,
    IBSEND,
    ISSEND,
    IRSEND,
    RECV,
    IRECV,
    SENDRECV,
    BARRIER,
    BCAST,
    REDUCE,
    ALLREDUCE,
    GATHER,
    SCATTER,
    ALLGATHER,
    ALLTOALL,
    SCAN,
    EXSCAN,
    START,
    STARTALL,
    IBARRIER,
    IBCAST,
    IREDUCE,
    IALLREDUCE,
    IALLGATHER,
    IALLTOALL,
    KINDS
};
static const char* const names[KINDS] = {
    "Send",     "Bsend",   "Ssend",      "Rsend",      "Isend",    "Ibsend",
    "Issend",   "Irsend",  "Recv",       "Irecv",      "Sendrecv", "Barrier",
    "Bcast",    "Reduce",  "Allreduce",  "Gather",     "Scatter",  "Allgather",
    "Alltoall", "Scan",    "Exscan",     "Start",      "Startall", "Ibarrier",
    "Ibcast",   "Ireduce", "Iallreduce", "Iallgather", "Ialltoall"};
static unsigned long long calls[KINDS], bytes[KINDS], *pair_calls, *pair_bytes;

/* What a call moves, and to which rank of MPI_COMM_WORLD; -1: to none in particular. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all below */
struct Message {
    unsigned long long bytes;
    int world;
};
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
/* Within a function of MPI that calls others by their names: those are none of the program's. */
static __thread int within;
static void count_message(int kind, struct Message found) {
    int ranks = 0;
    if (within) return;
    pthread_mutex_lock(&lock);
    calls[kind]++, bytes[kind] += found.bytes;
    if (found.world >= 0 && !pair_calls) {
        PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
        pair_calls = calloc(2 * (size_t)ranks, sizeof *pair_calls), pair_bytes = pair_calls + ranks;
    }
    if (found.world >= 0) pair_calls[found.world]++, pair_bytes[found.world] += found.bytes;
    pthread_mutex_unlock(&lock);
}
static void count(int kind, int n, MPI_Datatype type, int dest, MPI_Comm comm) {
    count_message(kind, message(n, type, dest, comm));
}
/* What persistent requests move when they are started. */
static struct Persistent {
    MPI_Request request;
    struct Message message;
} * persistent;
static int persistents;

static int place_of(MPI_Request request) {
    int i = 0;
    while (i < persistents && persistent[i].request != request) i++;
    return i;
}
static void remember(MPI_Request request, struct Message message) {
    pthread_mutex_lock(&lock);
    int i = place_of(request);
    if (i == persistents) {
        struct Persistent* more = realloc(persistent, (size_t)(i + 1) * sizeof *persistent);
        if (more) persistent = more, persistents = i + 1;
    }
    if (i < persistents) persistent[i].request = request, persistent[i].message = message;
    pthread_mutex_unlock(&lock);
}
static void count_start(int kind, MPI_Request request) {
    struct Message message = {0, -1};
    pthread_mutex_lock(&lock);
    int i = place_of(request);
    if (i < persistents) message = persistent[i].message;
    pthread_mutex_unlock(&lock);
    count_message(kind, message);
}
#define REAL(name)               \
    static int (*real)() = NULL; \
    if (!real) *(void**)&real = dlsym(RTLD_NEXT, "PMPI_" name)
#define SENDS(Name, KIND)                                                             \
    int PMPI_##Name(const void* b, int n, MPI_Datatype t, int d, int g, MPI_Comm c) { \
        REAL(#Name);                                                                  \
        count(KIND, n, t, d, c);                                                      \
        return real(b, n, t, d, g, c);                                                \
    }
#define ISENDS(Name, KIND)                                                          \
    int PMPI_##Name(const void* b, int n, MPI_Datatype t, int d, int g, MPI_Comm c, \
                    MPI_Request* q) {                                               \
        REAL(#Name);                                                                \
        count(KIND, n, t, d, c);                                                    \
        return real(b, n, t, d, g, c, q);                                           \
    }
#define REDUCES(Name, KIND)                                                                \
    int PMPI_##Name(const void* s, void* r, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c) { \
        REAL(#Name);                                                                       \
        count(KIND, n, t, -1, c);                                                          \
        return real(s, r, n, t, o, c);                                                     \
    }
// clang-format off: lists of macros look like declarations without an end
SENDS(Send, SEND)
SENDS(Bsend, BSEND)
SENDS(Ssend, SSEND)
SENDS(Rsend, RSEND)
ISENDS(Isend, ISEND)
ISENDS(Ibsend, IBSEND)
ISENDS(Issend, ISSEND)
ISENDS(Irsend, IRSEND)
REDUCES(Allreduce, ALLREDUCE)
REDUCES(Scan, SCAN)
REDUCES(Exscan, EXSCAN)
// clang-format on
int PMPI_Recv(void* b, int n, MPI_Datatype t, int s, int g, MPI_Comm c, MPI_Status* u) {
    REAL("Recv");
    count(RECV, n, t, -1, c);
    return real(b, n, t, s, g, c, u);
}
int PMPI_Irecv(void* b, int n, MPI_Datatype t, int s, int g, MPI_Comm c, MPI_Request* q) {
    REAL("Irecv");
    count(IRECV, n, t, -1, c);
    return real(b, n, t, s, g, c, q);
}
int PMPI_Sendrecv(const void* b, int n, MPI_Datatype t, int d, int g, void* rb, int rn,
                  MPI_Datatype rt, int s, int rg, MPI_Comm c, MPI_Status* u) {
    REAL("Sendrecv");
    count(SENDRECV, n, t, d, c);
    return real(b, n, t, d, g, rb, rn, rt, s, rg, c, u);
}
/* Open MPI exchanges with nobody by PMPI_Sendrecv. */
int PMPI_Sendrecv_replace(void* b, int n, MPI_Datatype t, int d, int sg, int s, int rg, MPI_Comm c,
                          MPI_Status* u) {
    int result;
    REAL("Sendrecv_replace");
    within++;
    result = real(b, n, t, d, sg, s, rg, c, u);
    within--;
    return result;
}
int PMPI_Barrier(MPI_Comm c) {
    REAL("Barrier");
    count(BARRIER, 0, MPI_DATATYPE_NULL, -1, c);
    return real(c);
}
int PMPI_Bcast(void* b, int n, MPI_Datatype t, int r, MPI_Comm c) {
    REAL("Bcast");
    count(BCAST, n, t, -1, c);
    return real(b, n, t, r, c);
}
int PMPI_Reduce(const void* s, void* b, int n, MPI_Datatype t, MPI_Op o, int r, MPI_Comm c) {
    REAL("Reduce");
    count(REDUCE, n, t, -1, c);
    return real(s, b, n, t, o, r, c);
}
#define ALLS(Name, KIND)                                                                  \
    int PMPI_##Name(const void* s, int n, MPI_Datatype t, void* b, int m, MPI_Datatype u, \
                    MPI_Comm c) {                                                         \
        REAL(#Name);                                                                      \
        count(KIND, s == MPI_IN_PLACE ? m : n, s == MPI_IN_PLACE ? u : t, -1, c);         \
        return real(s, n, t, b, m, u, c);                                                 \
    }
#define ROOTED(Name, KIND)                                                                       \
    int PMPI_##Name(const void* s, int n, MPI_Datatype t, void* b, int m, MPI_Datatype u, int r, \
                    MPI_Comm c) {                                                                \
        REAL(#Name);                                                                             \
        count(KIND, 0, MPI_DATATYPE_NULL, -1, c);                                                \
        return real(s, n, t, b, m, u, r, c);                                                     \
    }
ALLS(Allgather, ALLGATHER)
ALLS(Alltoall, ALLTOALL)
ROOTED(Gather, GATHER)
ROOTED(Scatter, SCATTER)

#define INITS(Name)                                                                 \
    int PMPI_##Name(const void* b, int n, MPI_Datatype t, int d, int g, MPI_Comm c, \
                    MPI_Request* q) {                                               \
        REAL(#Name);                                                                \
        int error = real(b, n, t, d, g, c, q);                                      \
        if (!error) remember(*q, message(n, t, d, c));                              \
        return error;                                                               \
    }
INITS(Send_init)
INITS(Bsend_init)
INITS(Ssend_init)
INITS(Rsend_init)
int PMPI_Recv_init(void* b, int n, MPI_Datatype t, int s, int g, MPI_Comm c, MPI_Request* q) {
    REAL("Recv_init");
    int error = real(b, n, t, s, g, c, q);
    if (!error) remember(*q, message(n, t, -1, c));
    return error;
}
int PMPI_Start(MPI_Request* q) {
    REAL("Start");
    count_start(START, *q);
    return real(q);
}
int PMPI_Startall(int n, MPI_Request q[]) {
    REAL("Startall");
    int i;
    for (i = 0; i < n; i++) count_start(STARTALL, q[i]);
    pthread_mutex_lock(&lock);
    calls[STARTALL] -= (unsigned long long)n, calls[STARTALL]++;
    pthread_mutex_unlock(&lock);
    return real(n, q);
}
int PMPI_Ibarrier(MPI_Comm c, MPI_Request* q) {
    REAL("Ibarrier");
    count(IBARRIER, 0, MPI_DATATYPE_NULL, -1, c);
    return real(c, q);
}
int PMPI_Ibcast(void* b, int n, MPI_Datatype t, int r, MPI_Comm c, MPI_Request* q) {
    REAL("Ibcast");
    count(IBCAST, n, t, -1, c);
    return real(b, n, t, r, c, q);
}
int PMPI_Ireduce(const void* s, void* b, int n, MPI_Datatype t, MPI_Op o, int r, MPI_Comm c,
                 MPI_Request* q) {
    REAL("Ireduce");
    count(IREDUCE, n, t, -1, c);
    return real(s, b, n, t, o, r, c, q);
}
int PMPI_Iallreduce(const void* s, void* b, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c,
                    MPI_Request* q) {
    REAL("Iallreduce");
    count(IALLREDUCE, n, t, -1, c);
    return real(s, b, n, t, o, c, q);
}
#define IALLS(Name, KIND)                                                                 \
    int PMPI_##Name(const void* s, int n, MPI_Datatype t, void* b, int m, MPI_Datatype u, \
                    MPI_Comm c, MPI_Request* q) {                                         \
        REAL(#Name);                                                                      \
        count(KIND, s == MPI_IN_PLACE ? m : n, s == MPI_IN_PLACE ? u : t, -1, c);         \
        return real(s, n, t, b, m, u, c, q);                                              \
    }
IALLS(Iallgather, IALLGATHER)
IALLS(Ialltoall, IALLTOALL)

int PMPI_Finalize(void) {
    const char* folder = getenv("REFRAIN_PROXY_RUN");
    char name[4096];
    int rank = 0, ranks = 0, i;
    REAL("Finalize");
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank), PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    snprintf(name, sizeof name, "%s/counts-%d.txt", folder ? folder : "", rank);
    FILE* out = folder ? fopen(name, "w") : NULL;
    for (i = 0; out && i < KINDS; i++)
        if (calls[i]) fprintf(out, "%s %llu %llu\n", names[i], calls[i], bytes[i]);
    for (i = 0; out && pair_calls && i < ranks; i++)
        if (pair_calls[i]) fprintf(out, "to %d: %llu %llu\n", i, pair_calls[i], pair_bytes[i]);
    if (out) fclose(out);
    return real();
}
