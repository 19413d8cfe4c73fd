/* What makes and frees communicators, groups, datatypes, operations and info objects. */
#include "model.h"

/* Those of a communicator's members that a rule of `parts` and `by` puts together. */
static int part_of(int member, int parts, int by) {
    return (member / by) % parts;
}

static int everybody(const struct Comm* comm, int* world) {
    memcpy(world, comm->world, (size_t)comm->size * sizeof *world);
    return comm->size;
}

/* Each color becomes a communicator; one of them may be left out. */
static void split(struct Draw* from, const struct Comm* comm) {
    const int parts = 1 + draw(from, 3), by = 1 + draw(from, 2), backwards = draw(from, 2);
    const int left_out = draw(from, 3) == 0 ? draw(from, parts) : -1;
    const int mine = comm->me < 0 ? -1 : part_of(comm->me, parts, by);
    const MPI_Comm parent = comm->handle;
    MPI_Comm made = MPI_COMM_NULL;
    if (parent != MPI_COMM_NULL)
        MPI_Comm_split(parent, mine == left_out ? MPI_UNDEFINED : mine,
                       backwards ? -comm->me : comm->me, &made);
    int kept = 0;
    for (int color = 0; color < parts; color++) {
        int world[RANKS_MAX], size = 0;
        for (int i = 0; i < comm->size; i++) {
            const int member = backwards ? comm->size - 1 - i : i;
            if (part_of(member, parts, by) == color) world[size++] = comm->world[member];
        }
        if (color == left_out || size == 0) continue;
        const int is_mine = mine == color && parent != MPI_COMM_NULL;
        struct Comm* const added = add_comm(is_mine ? made : MPI_COMM_NULL, size, world);
        kept |= is_mine && added != NULL;
    }
    if (made != MPI_COMM_NULL && !kept) MPI_Comm_free(&made);
}

/* The members at even places, by a group; all call, or only they. */
static void create(struct Draw* from, const struct Comm* comm) {
    const int all_call = draw(from, 2), excluded = draw(from, 2);
    int world[RANKS_MAX], even[RANKS_MAX], odd[RANKS_MAX], size = 0, others = 0;
    for (int i = 0; i < comm->size; i++) {
        if (i % 2 == 0) even[size] = i, world[size++] = comm->world[i];
        if (i % 2 == 1) odd[others++] = i;
    }
    MPI_Comm made = MPI_COMM_NULL;
    if (comm->handle != MPI_COMM_NULL) {
        MPI_Group whole, group;
        MPI_Comm_group(comm->handle, &whole);
        if (excluded)
            MPI_Group_excl(whole, others, odd, &group);
        else
            MPI_Group_incl(whole, size, even, &group);
        if (all_call)
            MPI_Comm_create(comm->handle, group, &made);
        else if (comm->me % 2 == 0)
            MPI_Comm_create_group(comm->handle, group, 7, &made);
        MPI_Group_free(&group);
        MPI_Group_free(&whole);
    }
    add_comm(made, size, world);
}

static void grid(struct Draw* from, const struct Comm* comm) {
    int dims[2] = {0, 0}, periods[2] = {draw(from, 2), draw(from, 2)}, world[RANKS_MAX];
    const int cut = draw(from, 3), reorder = 0, size = everybody(comm, world);
    MPI_Dims_create(size, 2, dims);
    MPI_Comm made = MPI_COMM_NULL, part = MPI_COMM_NULL;
    if (comm->handle != MPI_COMM_NULL) {
        MPI_Cart_create(comm->handle, 2, dims, periods, reorder, &made);
        if (cut) MPI_Cart_sub(made, (int[]){cut == 1, cut == 2}, &part);
        if (part != MPI_COMM_NULL) {
            MPI_Barrier(part);
            MPI_Comm_free(&part);
        }
    }
    add_comm(made, size, world);
}

void make_comm(struct Draw* from) {
    const struct Comm* const comm = any_comm(from);
    const int kind = draw(from, 8);
    int world[RANKS_MAX];
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Info info;
    if (comm_count == COMMS_MAX) return;
    if (kind < 2) return split(from, comm);
    if (kind == 2) return create(from, comm);
    if (kind == 3) return grid(from, comm);
    if (comm->handle != MPI_COMM_NULL) {
        if (kind == 4) MPI_Comm_dup(comm->handle, &made);
        if (kind == 5 && lacks(lack_idup)) MPI_Comm_dup(comm->handle, &made);
        if (kind == 5 && !lacks(lack_idup)) {
            MPI_Request request;
            MPI_Comm_idup(comm->handle, &made, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        if (kind == 6) {
            MPI_Info_create(&info);
            MPI_Info_set(info, "purpose", "none");
            MPI_Comm_dup_with_info(comm->handle, info, &made);
            MPI_Info_free(&info);
        }
        if (kind == 7)
            MPI_Comm_split_type(comm->handle, MPI_COMM_TYPE_SHARED, comm->me, MPI_INFO_NULL, &made);
        if (kind == 7 && lacks(lack_one_node)) {
            MPI_Barrier(made);
            MPI_Comm_free(&made);
            MPI_Comm_dup(comm->handle, &made);
        }
        MPI_Comm_set_errhandler(made, MPI_ERRORS_ARE_FATAL);
    }
    add_comm(made, everybody(comm, world), world);
}

/* Messages under way keep what they need: an MPI frees it later. */
void free_comm(struct Draw* from) {
    if (comm_count == 1) return;
    const int which = 1 + draw(from, comm_count - 1);
    if (comms[which].handle != MPI_COMM_NULL) {
        settle_all();
        MPI_Comm_free(&comms[which].handle);
    }
    comms[which] = comms[--comm_count];
}

/* Even and odd members talk to each other, then become one. */
void between_groups(struct Draw* from) {
    const struct Comm* const comm = any_comm(from);
    const int kind = draw(from, 4), n = 1 + draw(from, 9), high = draw(from, 2);
    if (comm->handle == MPI_COMM_NULL || comm->size < 2) return;
    const int odd = comm->me % 2;
    MPI_Comm half, both, whole;
    MPI_Group others;
    int mine, other_size, *const sent = room(n * comm->size, MPI_INT);
    int* const received = room(n * comm->size, MPI_INT);
    MPI_Comm_split(comm->handle, odd, 0, &half);
    MPI_Intercomm_create(half, 0, comm->handle, 1 - odd, 50, &both);
    MPI_Comm_rank(half, &mine);
    MPI_Comm_remote_size(both, &other_size);
    if (kind == 0) {
        MPI_Request request = MPI_REQUEST_NULL;
        if (odd && mine < other_size) MPI_Isend(sent, n, MPI_INT, mine, 1, both, &request);
        if (!odd && mine < other_size)
            MPI_Recv(received, n, MPI_INT, mine, 1, both, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (kind == 1)
        MPI_Bcast(sent, n, MPI_INT, odd ? 0 : mine == 0 ? MPI_ROOT : MPI_PROC_NULL, both);
    if (kind == 2) MPI_Allgather(sent, n, MPI_INT, received, n, MPI_INT, both);
    if (kind == 3) MPI_Allreduce(sent, received, n, MPI_INT, MPI_SUM, both);
    MPI_Comm_remote_group(both, &others);
    MPI_Group_free(&others);
    MPI_Intercomm_merge(both, high ? odd : 1 - odd, &whole);
    MPI_Barrier(whole);
    MPI_Comm_free(&whole);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
    free(sent);
    free(received);
}

/* A type of some MPI_INT, made in one of all ways; perhaps on some ranks only. */
static MPI_Datatype new_type(struct Draw* from, int* ints) {
    enum { INT = sizeof(int) };
    MPI_Datatype made, other;
    const int n = 1 + draw(from, 3);
    *ints = n;
    const int kind = draw(from, 12), first = lacks(lack_unordered_blocks) ? 0 : 4;
    const int is_lacking =
        (kind == 9 && lacks(lack_subarray)) || (kind == 10 && lacks(lack_darray));
    switch (is_lacking ? 11 : kind) {
        case 0:
            MPI_Type_contiguous(n, MPI_INT, &made);
            break;
        case 1:
            MPI_Type_vector(n, 1, 3, MPI_INT, &made);
            break;
        case 2:
            MPI_Type_create_hvector(n, 2, 5 * INT, MPI_INT, &made);
            *ints = 2 * n;
            break;
        case 3:
            MPI_Type_indexed(3, (int[]){1, 0, n}, (int[]){first, 1, 6}, MPI_INT, &made);
            *ints = n + 1;
            break;
        case 4:
            MPI_Type_create_hindexed(2, (int[]){n, 1}, (MPI_Aint[]){0, 20 * INT}, MPI_INT, &made);
            *ints = n + 1;
            break;
        case 5:
            MPI_Type_create_indexed_block(3, n, (int[]){0, 4 + first, 8 - first}, MPI_INT, &made);
            *ints = 3 * n;
            break;
        case 6:
            MPI_Type_create_hindexed_block(
                2, n, (MPI_Aint[]){2 * first * INT, (8 - 2 * first) * INT}, MPI_INT, &made);
            *ints = 2 * n;
            break;
        case 7:
            MPI_Type_create_struct(2, (int[]){1, n}, (MPI_Aint[]){0, 4 * INT},
                                   (MPI_Datatype[]){MPI_INT, MPI_INT}, &made);
            *ints = n + 1;
            break;
        case 8:
            MPI_Type_contiguous(n, MPI_INT, &other);
            MPI_Type_create_resized(other, 0, 6 * INT, &made);
            MPI_Type_free(&other);
            break;
        case 9:
            MPI_Type_create_subarray(2, (int[]){4, 4}, (int[]){n, 2}, (int[]){1, 1},
                                     draw(from, 2) ? MPI_ORDER_C : MPI_ORDER_FORTRAN, MPI_INT,
                                     &made);
            *ints = 2 * n;
            break;
        case 10:
            MPI_Type_create_darray(2, 0, 1, (int[]){8}, (int[]){MPI_DISTRIBUTE_CYCLIC}, (int[]){2},
                                   (int[]){2}, MPI_ORDER_C, MPI_INT, &made);
            *ints = 4;
            break;
        default:
            MPI_Type_dup(MPI_INT, &made);
            *ints = 1;
            break;
    }
    MPI_Type_commit(&made);
    return made;
}

void make_type(struct Draw* from) {
    const int which = 1 + draw(from, TYPES_MAX - 1);
    const int owner = draw(from, 3) == 0 ? draw(from, ranks) : -1;
    struct Draw of_the_type = {(uint64_t)draw(from, 1 << 20)};
    int ints;
    // A type of all before it is freed: requests that use it may be under way.
    if (which < type_count) {
        if (types[which].handle != MPI_DATATYPE_NULL) MPI_Type_free(&types[which].handle);
        types[which] = types[--type_count];
    }
    MPI_Datatype made = new_type(&of_the_type, &ints);
    if (owner >= 0 && owner != me) MPI_Type_free(&made);
    types[type_count++] = (struct Type){made, ints};
}

void groups_of(struct Draw* from) {
    const struct Comm* const comm = any_comm(from);
    const int kind = draw(from, 3), some = 1 + draw(from, comm->size);
    int first[RANKS_MAX];
    MPI_Group whole, part, result;
    if (comm->handle == MPI_COMM_NULL) return;
    for (int i = 0; i < some; i++) first[i] = i;
    MPI_Comm_group(comm->handle, &whole);
    MPI_Group_incl(whole, some, first, &part);
    if (kind == 0) MPI_Group_union(part, whole, &result);
    if (kind == 1) MPI_Group_intersection(whole, part, &result);
    if (kind == 2) MPI_Group_difference(whole, part, &result);
    MPI_Group_free(&part);
    if (result != MPI_GROUP_EMPTY && result != MPI_GROUP_NULL) MPI_Group_free(&result);
    MPI_Group_free(&whole);
}

static int copy_even(MPI_Comm from, int key, void* extra, void* value, void* copy, int* flag) {
    (void)from, (void)key, (void)extra;
    *flag = *(int*)value % 2 == 0;
    *(void**)copy = value;
    return MPI_SUCCESS;
}

/* What a library keeps with a communicator: copied by MPI, by the program, or by nobody. */
void attributes(struct Draw* from) {
    static int words[2] = {0, 1};
    const struct Comm* const comm = any_comm(from);
    const int kind = draw(from, 3), word = draw(from, 2);
    int key, found, *value;
    if (comm->handle == MPI_COMM_NULL) return;
    MPI_Comm copy;
    MPI_Comm_create_keyval(kind == 0   ? MPI_COMM_NULL_COPY_FN
                           : kind == 1 ? MPI_COMM_DUP_FN
                                       : copy_even,
                           MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_set_attr(comm->handle, key, &words[word]);
    MPI_Comm_dup(comm->handle, &copy);
    MPI_Comm_get_attr(copy, key, &value, &found);
    expect(!found == (kind == 0 || (kind == 2 && word == 1)), "an attribute of a copy");
    MPI_Comm_delete_attr(comm->handle, key);
    MPI_Comm_free(&copy);
    MPI_Comm_free_keyval(&key);
}

static void add_all(void* in, void* inout, int* length, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i < *length; i++) ((int*)inout)[i] += ((int*)in)[i];
}

/* An info object, and an operation of the program's own. */
void words(struct Draw* from) {
    const int n = 1 + draw(from, 9), commutes = draw(from, 2);
    int mine[10], all[10];
    MPI_Info info, copy;
    MPI_Op op;
    for (int i = 0; i < n; i++) mine[i] = 1;
    MPI_Info_create(&info);
    MPI_Info_set(info, "color", n % 2 ? "blue" : "a \"green\" one");
    MPI_Info_dup(info, &copy);
    MPI_Info_delete(copy, "color");
    MPI_Info_free(&copy);
    MPI_Info_free(&info);
    MPI_Op_create(add_all, commutes, &op);
    MPI_Allreduce(mine, all, n, MPI_INT, op, MPI_COMM_WORLD);
    expect(all[n - 1] == ranks, "an own operation");
    MPI_Op_free(&op);
}
