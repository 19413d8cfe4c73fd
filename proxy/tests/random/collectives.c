/* Collective calls, blocking and not, in place and not, with equal and different counts. */
#include "model.h"

enum { COUNT_MAX = 12 };

/* Counts and places for each rank, which all of them know. */
struct Amounts {
    int count[RANKS_MAX], place[RANKS_MAX], all;
};
static struct Amounts draw_amounts(struct Draw* from, int ranks_of_it) {
    struct Amounts drawn = {{0}, {0}, 0};
    for (int i = 0; i < ranks_of_it; i++) {
        drawn.count[i] = draw(from, COUNT_MAX);
        drawn.place[i] = drawn.all + draw(from, 2);
        drawn.all = drawn.place[i] + drawn.count[i];
    }
    return drawn;
}

/* Arrays of a call that does not block live as long as its request. */
static void* kept(const void* values, size_t bytes) {
    return memcpy(malloc(bytes), values, bytes);
}

void collective(struct Draw* from) {
    static const MPI_Op ops[] = {MPI_SUM, MPI_MAX, MPI_MIN, MPI_BOR};
    const struct Comm* const comm = any_comm(from);
    const int kind = draw(from, 11), root = draw(from, comm->size), n = 1 + draw(from, 30);
    const int waits = draw(from, 2), own = draw(from, 4) == 0;
    const struct Type* const type = &types[draw(from, type_count)];
    const MPI_Op op = ops[draw(from, 4)];
    if (comm->handle == MPI_COMM_NULL) return;
    const MPI_Comm c = comm->handle;
    int count = n;
    const MPI_Datatype used = usable(type, &count);
    const int at_root = comm->me == root;
    void* const sent = room(kind == 4   ? n * comm->size
                            : kind == 0 ? count
                                        : n,
                            kind == 0 ? used : MPI_INT);
    void* const received = room(n * comm->size, MPI_INT);
    const void* const in_place = own ? MPI_IN_PLACE : sent;
    MPI_Request request = MPI_REQUEST_NULL;
    switch (kind) {
        case 0:
            waits ? MPI_Bcast(sent, count, used, root, c)
                  : MPI_Ibcast(sent, count, used, root, c, &request);
            break;
        case 1:
            waits ? MPI_Barrier(c) : MPI_Ibarrier(c, &request);
            break;
        case 2:
            waits ? MPI_Reduce(at_root ? in_place : sent, received, n, MPI_INT, op, root, c)
                  : MPI_Ireduce(at_root ? in_place : sent, received, n, MPI_INT, op, root, c,
                                &request);
            break;
        case 3:
            waits ? MPI_Allreduce(in_place, received, n, MPI_INT, op, c)
                  : MPI_Iallreduce(in_place, received, n, MPI_INT, op, c, &request);
            break;
        case 4:
            waits ? MPI_Scatter(sent, n, MPI_INT, at_root && own ? MPI_IN_PLACE : received, n,
                                MPI_INT, root, c)
                  : MPI_Iscatter(sent, n, MPI_INT, at_root && own ? MPI_IN_PLACE : received, n,
                                 MPI_INT, root, c, &request);
            break;
        case 5:
            waits ? MPI_Gather(at_root ? in_place : sent, n, MPI_INT, received, n, MPI_INT, root, c)
                  : MPI_Igather(at_root ? in_place : sent, n, MPI_INT, received, n, MPI_INT, root,
                                c, &request);
            break;
        case 6:
            waits ? MPI_Allgather(in_place, n, MPI_INT, received, n, MPI_INT, c)
                  : MPI_Iallgather(in_place, n, MPI_INT, received, n, MPI_INT, c, &request);
            break;
        case 7:
            waits ? MPI_Scan(in_place, received, n, MPI_INT, op, c)
                  : MPI_Iscan(in_place, received, n, MPI_INT, op, c, &request);
            break;
        case 8:
            waits ? MPI_Exscan(in_place, received, n, MPI_INT, op, c)
                  : MPI_Iexscan(in_place, received, n, MPI_INT, op, c, &request);
            break;
        case 9: {
            void* const all = room(n * comm->size, MPI_INT);
            waits ? MPI_Reduce_scatter_block(all, received, n, MPI_INT, op, c)
                  : MPI_Ireduce_scatter_block(all, received, n, MPI_INT, op, c, &request);
            if (waits) free(all);
            if (!waits) leave(request, -1, all, received, NULL);
            if (waits) free(received);
            free(sent);
            return;
        }
        default: {
            struct Draw other = *from;
            struct Amounts parts = draw_amounts(&other, comm->size);
            int* const counts = kept(parts.count, sizeof parts.count);
            void *const all = room(parts.all + 1, MPI_INT), *const part = room(COUNT_MAX, MPI_INT);
            if (waits) MPI_Reduce_scatter(all, part, counts, MPI_INT, op, c);
            if (!waits) MPI_Ireduce_scatter(all, part, counts, MPI_INT, op, c, &request);
            if (!waits) leave(request, -1, all, part, counts);
            if (waits) free(all), free(part), free(counts);
            free(sent), free(received);
            return;
        }
    }
    if (waits)
        free(sent), free(received);
    else
        leave(request, -1, sent, received, NULL);
}

/* Gatherv, Scatterv, Allgatherv, and what each sends to each. */
void each_other(struct Draw* from) {
    const struct Comm* const comm = any_comm(from);
    const int kind = draw(from, 6), root = draw(from, comm->size);
    int waits = draw(from, 2);
    const int shift_by = draw(from, 3);
    struct Amounts drawn = draw_amounts(from, comm->size);
    if (comm->handle == MPI_COMM_NULL) return;
    const MPI_Comm c = comm->handle;
    // MPI_Ialltoallw of Open MPI 4.1.4 takes the neighbours of a grid for its ranks, and reads beyond its arrays.
    int topology = MPI_UNDEFINED;
    if (!lacks(lack_topo_test)) MPI_Topo_test(c, &topology);
    if (kind == 5 && topology != MPI_UNDEFINED) waits = 1;
    const int n = comm->size, mine = drawn.count[comm->me];
    MPI_Request request = MPI_REQUEST_NULL;
    struct Arrays {
        struct Amounts to, from;
        int bytes[RANKS_MAX];
        MPI_Datatype types[RANKS_MAX];
    } arrays = {drawn, drawn, {0}, {0}};
    // What i sends to k is what k has from i: as many as the sum says.
    if (kind >= 3) {
        arrays.to.all = 0;
        for (int i = 0; i < n; i++) {
            arrays.to.count[i] = kind == 3 ? COUNT_MAX : (i + comm->me + shift_by) % COUNT_MAX;
            arrays.to.place[i] = i * COUNT_MAX;
            arrays.bytes[i] = (int)sizeof(int) * i * COUNT_MAX;
            arrays.types[i] = MPI_INT;
        }
        arrays.from = arrays.to;
    }
    struct Arrays* const all = kept(&arrays, sizeof arrays);
    void* const sent = room(n * COUNT_MAX + drawn.all, MPI_INT);
    void* const received = room(n * COUNT_MAX + drawn.all, MPI_INT);
    int* const counts = all->to.count;
    int* const places = all->to.place;
    switch (kind) {
        case 0:
            waits ? MPI_Gatherv(sent, mine, MPI_INT, received, counts, places, MPI_INT, root, c)
                  : MPI_Igatherv(sent, mine, MPI_INT, received, counts, places, MPI_INT, root, c,
                                 &request);
            break;
        case 1:
            waits ? MPI_Scatterv(sent, counts, places, MPI_INT, received, mine, MPI_INT, root, c)
                  : MPI_Iscatterv(sent, counts, places, MPI_INT, received, mine, MPI_INT, root, c,
                                  &request);
            break;
        case 2:
            waits ? MPI_Allgatherv(sent, mine, MPI_INT, received, counts, places, MPI_INT, c)
                  : MPI_Iallgatherv(sent, mine, MPI_INT, received, counts, places, MPI_INT, c,
                                    &request);
            break;
        case 3:
            waits ? MPI_Alltoall(sent, COUNT_MAX, MPI_INT, received, COUNT_MAX, MPI_INT, c)
                  : MPI_Ialltoall(sent, COUNT_MAX, MPI_INT, received, COUNT_MAX, MPI_INT, c,
                                  &request);
            break;
        case 4:
            waits ? MPI_Alltoallv(sent, counts, places, MPI_INT, received, all->from.count,
                                  all->from.place, MPI_INT, c)
                  : MPI_Ialltoallv(sent, counts, places, MPI_INT, received, all->from.count,
                                   all->from.place, MPI_INT, c, &request);
            break;
        default:
            waits ? MPI_Alltoallw(sent, counts, all->bytes, all->types, received, counts,
                                  all->bytes, all->types, c)
                  : MPI_Ialltoallw(sent, counts, all->bytes, all->types, received, counts,
                                   all->bytes, all->types, c, &request);
            break;
    }
    if (waits) free(sent), free(received), free(all);
    if (!waits) leave(request, -1, sent, received, all);
}

/* A ring of neighbours, as a grid or as a graph. */
void among_neighbours(struct Draw* from) {
    const struct Comm* const comm = any_comm(from);
    const int kind = draw(from, 5), waits = draw(from, 2), graph = draw(from, 3),
              n = 1 + draw(from, 9);
    const int adjacent = draw(from, 2), weighted = draw(from, 2);
    if (comm->handle == MPI_COMM_NULL) return;
    const int size = comm->size, mine = comm->me;
    MPI_Comm ring;
    if (graph == 0) {
        MPI_Cart_create(comm->handle, 1, (int[]){size}, (int[]){1}, 0, &ring);
    } else if (graph == 1) {
        int index[RANKS_MAX], edges[2 * RANKS_MAX];
        for (int i = 0; i < size; i++) {
            index[i] = 2 * (i + 1);
            edges[2 * i] = (i + size - 1) % size, edges[2 * i + 1] = (i + 1) % size;
        }
        MPI_Graph_create(comm->handle, size, index, edges, 0, &ring);
    } else {
        int around[2] = {(mine + size - 1) % size, (mine + 1) % size}, weights[2] = {3, 4}, two = 2;
        int* const used = weighted ? weights : MPI_UNWEIGHTED;
        if (adjacent)
            MPI_Dist_graph_create_adjacent(comm->handle, 2, around, used, 2, around, used,
                                           MPI_INFO_NULL, 0, &ring);
        else
            MPI_Dist_graph_create(comm->handle, 1, &mine, &two, around, used, MPI_INFO_NULL, 0,
                                  &ring);
    }
    const int counts[2] = {n, n}, places[2] = {0, n};
    const MPI_Aint bytes[2] = {0, (MPI_Aint)((size_t)n * sizeof(int))};
    const MPI_Datatype ints[2] = {MPI_INT, MPI_INT};
    void *const s = room(2 * n, MPI_INT), *const r = room(2 * n, MPI_INT);
    MPI_Request request = MPI_REQUEST_NULL;
    switch (kind) {
        case 0:
            waits ? MPI_Neighbor_allgather(s, n, MPI_INT, r, n, MPI_INT, ring)
                  : MPI_Ineighbor_allgather(s, n, MPI_INT, r, n, MPI_INT, ring, &request);
            break;
        case 1:
            waits ? MPI_Neighbor_allgatherv(s, n, MPI_INT, r, counts, places, MPI_INT, ring)
                  : MPI_Ineighbor_allgatherv(s, n, MPI_INT, r, counts, places, MPI_INT, ring,
                                             &request);
            break;
        case 2:
            waits ? MPI_Neighbor_alltoall(s, n, MPI_INT, r, n, MPI_INT, ring)
                  : MPI_Ineighbor_alltoall(s, n, MPI_INT, r, n, MPI_INT, ring, &request);
            break;
        case 3:
            waits ? MPI_Neighbor_alltoallv(s, counts, places, MPI_INT, r, counts, places, MPI_INT,
                                           ring)
                  : MPI_Ineighbor_alltoallv(s, counts, places, MPI_INT, r, counts, places, MPI_INT,
                                            ring, &request);
            break;
        default:
            waits ? MPI_Neighbor_alltoallw(s, counts, bytes, ints, r, counts, bytes, ints, ring)
                  : MPI_Ineighbor_alltoallw(s, counts, bytes, ints, r, counts, bytes, ints, ring,
                                            &request);
            break;
    }
    if (!waits) MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&ring);
    free(s);
    free(r);
}

/* A collective call of each rank with itself. */
void alone(struct Draw* from) {
    int one[4] = {1, 2, 3, 4}, other[4];
    const int n = 1 + draw(from, 4);
    MPI_Request request;
    MPI_Allreduce(one, other, n, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    MPI_Isend(one, n, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
    MPI_Recv(other, n, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Reduce_local(one, other, n, MPI_INT, MPI_MAX);
    expect(other[n - 1] == n, "what a rank sends to itself");
}
