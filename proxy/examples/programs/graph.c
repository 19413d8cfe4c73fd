/* Ranks as neighbours: distributed graphs and grids, collectives between neighbours, two groups that talk to each other,
 * communicators made in every other way, info objects, attributes, a handler of errors.
 * mpirun -n 4 ./graph [rounds] */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int handled;

static void report(MPI_Comm* comm, int* error, ...) {
    (void)comm, (void)error;
    handled++;
}

static int neighbours(MPI_Comm ring, int me, int ranks) {
    const int left = (me + ranks - 1) % ranks, right = (me + 1) % ranks;
    int mine = me, got[2] = {-1, -1}, counts[2] = {1, 1}, places[2] = {0, 1}, right_ones;
    int both[2] = {10 * me, 10 * me + 1};
    MPI_Aint bytes[2] = {0, sizeof(int)};
    MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    MPI_Request request;
    MPI_Neighbor_allgather(&mine, 1, MPI_INT, got, 1, MPI_INT, ring);
    right_ones = got[0] == left && got[1] == right;
    MPI_Neighbor_allgatherv(&mine, 1, MPI_INT, got, counts, places, MPI_INT, ring);
    right_ones = right_ones && got[0] == left && got[1] == right;
    MPI_Neighbor_alltoall(both, 1, MPI_INT, got, 1, MPI_INT, ring);
    right_ones = right_ones && got[0] / 10 == left && got[1] / 10 == right;
    MPI_Neighbor_alltoallv(both, counts, places, MPI_INT, got, counts, places, MPI_INT, ring);
    MPI_Neighbor_alltoallw(both, counts, bytes, types, got, counts, bytes, types, ring);
    right_ones = right_ones && got[0] / 10 == left && got[1] / 10 == right;
    got[0] = got[1] = -1;
    MPI_Ineighbor_alltoallw(both, counts, bytes, types, got, counts, bytes, types, ring, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return right_ones && got[0] / 10 == left && got[1] / 10 == right;
}

int main(int argc, char** argv) {
    const int rounds = argc > 1 ? atoi(argv[1]) : 10;
    int me, ranks, key, flag, wrong = 0, *kept;
    MPI_Comm ring, cart, node, twin, half, between, joined, later;
    MPI_Errhandler handler;
    MPI_Info info;
    MPI_Group world, low;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_create_errhandler(report, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Errhandler_free(&handler);
    MPI_Info_create(&info);
    MPI_Info_set(info, "graph_purpose", "a \"ring\"??");
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &twin);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_set_attr(twin, key, &me);
    MPI_Comm_get_attr(twin, key, &kept, &flag);
    if (!flag || *kept != me) wrong = 1;
    MPI_Comm_split_type(twin, MPI_COMM_TYPE_SHARED, 0, info, &node);
    MPI_Info_free(&info);

    const int around[2] = {(me + ranks - 1) % ranks, (me + 1) % ranks}, degrees[1] = {2};
    MPI_Dist_graph_create_adjacent(twin, 2, around, MPI_UNWEIGHTED, 2, around, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &ring);
    for (int round = 0; round < rounds; round++)
        /* Two ranks are each other's left and right: which block is which is up to MPI. */
        if (!neighbours(ring, me, ranks) && ranks > 2) wrong = 1;
    MPI_Comm_free(&ring);
    const int weights[2] = {3, 4};
    MPI_Dist_graph_create(twin, 1, &me, degrees, around, weights, MPI_INFO_NULL, 0, &ring);
    for (int round = 0; round < rounds; round++) neighbours(ring, me, ranks);
    MPI_Comm_free(&ring);
    const int periods[1] = {1}, dims[1] = {ranks};
    MPI_Cart_create(twin, 1, dims, periods, 0, &cart);
    for (int round = 0; round < rounds; round++)
        if (!neighbours(cart, me, ranks) && ranks > 2) wrong = 1;
    MPI_Comm_free(&cart);

    /* Two halves. */
    const int upper = me >= ranks / 2, split = ranks / 2;
    MPI_Comm_split(MPI_COMM_WORLD, upper, me, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, upper ? 0 : split, 7, &between);
    for (int round = 0; round < rounds; round++) {
        int mine = me, theirs = -1, sum = 0, others;
        MPI_Comm_remote_size(between, &others);
        const int partner = upper ? (me - split) % others : me % others;
        if (!upper || me - split < split)
            MPI_Sendrecv(&mine, 1, MPI_INT, partner, 1, &theirs, 1, MPI_INT, partner, 1, between,
                         MPI_STATUS_IGNORE);
        MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, between);
        int word = upper ? -1 : 5;
        MPI_Bcast(&word, 1, MPI_INT, upper ? 0 : me == 0 ? MPI_ROOT : MPI_PROC_NULL, between);
        int* all = malloc(sizeof(int) * (size_t)others);
        MPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, between);
        if (word != 5 || sum < 0 || all[others - 1] != (upper ? split - 1 : ranks - 1)) wrong = 1;
        free(all);
    }
    MPI_Intercomm_merge(between, upper, &joined);
    MPI_Comm_remote_group(between, &low);
    MPI_Group_free(&low);
    MPI_Comm_free(&between);

    /* As libraries do that may be called by processes that were spawned. */
    MPI_Comm parent;
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) wrong = 1;

    MPI_Comm_idup(joined, &later, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(later);
    const int first[1] = {0};
    MPI_Comm_group(later, &world);
    /* Everybody but the odd ranks, and of those the first. */
    MPI_Group even, odd;
    int all_ranks[1][3] = {{0, ranks - 1, 1}}, odd_ranks[1][3] = {{1, ranks - 1, 2}};
    MPI_Group_range_incl(world, 1, all_ranks, &low);
    MPI_Group_range_excl(low, ranks > 1, odd_ranks, &even);
    MPI_Group_range_incl(world, ranks > 1, odd_ranks, &odd);
    MPI_Group_free(&odd);
    MPI_Group_free(&low);
    MPI_Group_incl(even, 1, first, &low);
    MPI_Group_free(&even);
    MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER);
    if (handled != 1) wrong = 1;
    if (me == 0) {
        MPI_Comm alone;
        MPI_Comm_create_group(later, low, 3, &alone);
        MPI_Barrier(alone);
        MPI_Comm_free(&alone);
    }
    MPI_Group_free(&low);
    MPI_Group_free(&world);
    MPI_Comm_free(&later);
    MPI_Comm_free(&joined);
    MPI_Comm_free(&half);
    MPI_Comm_free(&node);
    MPI_Comm_free(&twin);
    MPI_Comm_free_keyval(&key);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (me == 0) printf("graph: %d rounds, %s\n", rounds, wrong ? "WRONG" : "right");
    MPI_Finalize();
    return wrong;
}
