/* A correct MPI program that follows from a seed:
 *
 *     mpirun -n 4 ./random_program SEED STATEMENTS [--only 3,5,8] [--without files,windows] [--scratch DIR] [--list]
 *     ./random_program --lacks      what is left out, where the MPI is SMPI, and why
 *
 * --only: executes these statements and no others; --list: prints them. Exit status 0 if all that was received is right. */
#include "model.h"

struct Comm comms[COMMS_MAX];
struct Type types[TYPES_MAX];
int comm_count, type_count, me, ranks, statement, repeats_left;
struct Draw local;
const char* scratch = ".";
static int wrong;

/* What programs are made of, the frequent first: `often` of a hundred or so. */
static const struct Kind {
    const char *name, *group;
    Statement* execute;
    int often, repeatable;
    enum Lack lack; /* none of it where that is lacking */
} kinds[] = {
    {"message", "messages", message, 22, 1, lack_nothing},
    {"from_any", "wildcards", from_any, 6, 1, lack_nothing},
    {"from_anything", "wildcards", from_anything, 3, 1, lack_nothing},
    {"shift", "messages", shift, 6, 1, lack_nothing},
    {"halo", "messages", halo, 8, 1, lack_nothing},
    {"persistent", "messages", persistent, 6, 1, lack_nothing},
    {"cancelled", "messages", cancelled, 2, 1, lack_nothing},
    {"packed", "messages", packed, 3, 1, lack_nothing},
    {"given_up", "messages", given_up, 2, 1, lack_nothing},
    {"collective", "collectives", collective, 18, 1, lack_nothing},
    {"each_other", "collectives", each_other, 6, 1, lack_nothing},
    {"alone", "collectives", alone, 2, 1, lack_nothing},
    {"make_comm", "communicators", make_comm, 6, 0, lack_nothing},
    {"free_comm", "communicators", free_comm, 3, 0, lack_nothing},
    {"make_type", "types", make_type, 5, 0, lack_nothing},
    {"groups_of", "groups", groups_of, 2, 1, lack_nothing},
    {"words", "infos", words, 2, 1, lack_nothing},
    {"attributes", "attributes", attributes, 2, 1, lack_nothing},
    {"fences", "windows", fences, 3, 1, lack_nothing},
    {"posts", "windows", posts, 2, 1, lack_nothing},
    {"among_neighbours", "neighbours", among_neighbours, 4, 1, lack_neighbours},
    {"between_groups", "intercommunicators", between_groups, 3, 1, lack_intercommunicators},
    {"locks", "windows", locks, 3, 1, lack_nothing},
    {"memory_of_others", "windows", memory_of_others, 2, 1, lack_nothing},
    {"on_file", "files", on_file, 4, 1, lack_files},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

int draw(struct Draw* from, int below) {
    uint64_t mixed = from->state += 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    return (int)((mixed ^ (mixed >> 31)) % (uint64_t)below);
}

void expect(int condition, const char* what) {
    if (!condition)
        fprintf(stderr, "random_program: rank %d, statement %d: %s is wrong\n", me, statement,
                what);
    wrong += !condition;
}

struct Comm* any_comm(struct Draw* from) {
    return &comms[draw(from, comm_count)];
}

struct Comm* add_comm(MPI_Comm handle, int size, const int* world) {
    struct Comm* const comm = &comms[comm_count];
    if (comm_count == COMMS_MAX || size == 0) return NULL;
    comm->handle = handle;
    comm->size = size;
    comm->me = -1;
    for (int i = 0; i < size; i++) comm->world[i] = world[i];
    if (handle != MPI_COMM_NULL) MPI_Comm_rank(handle, &comm->me);
    expect(handle == MPI_COMM_NULL || world[comm->me] == me, "a communicator");
    comm_count++;
    return comm;
}

void* room(int count, MPI_Datatype type) {
    MPI_Aint low, extent, first, length;
    MPI_Type_get_extent(type, &low, &extent);
    MPI_Type_get_true_extent(type, &first, &length);
    const size_t bytes = (size_t)(count * extent + first + length) + sizeof(double);
    char* const memory = malloc(bytes);
    for (size_t i = 0; i < bytes; i++) memory[i] = (char)(i & 1);
    return memory;
}

MPI_Datatype usable(const struct Type* type, int* count) {
    if (type->handle != MPI_DATATYPE_NULL) return type->handle;
    *count *= type->ints;
    return MPI_INT;
}

/* Whether a list with commas has a word. */
static int has(const char* list, const char* word) {
    const size_t length = strlen(word);
    for (const char* at = list; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, word, length) == 0 && (at[length] == ',' || at[length] == '\0')) return 1;
    }
    return 0;
}

static int is_left_out(const struct Kind* kind, const char* without) {
    return has(without, kind->group) || lacks(kind->lack);
}

static const struct Kind* drawn_kind(struct Draw* from, const char* without) {
    int all = 0;
    for (int i = 0; i < KINDS; i++)
        if (!is_left_out(&kinds[i], without)) all += kinds[i].often;
    int left = draw(from, all);
    for (int i = 0; i < KINDS; i++) {
        if (is_left_out(&kinds[i], without)) continue;
        if (left < kinds[i].often) return &kinds[i];
        left -= kinds[i].often;
    }
    return NULL;
}

static void execute(uint64_t seed, const char* without, int listed) {
    struct Draw from = {seed * 1000003u + (uint64_t)statement * 7919u};
    const struct Kind* const kind = drawn_kind(&from, without);
    const int times = kind->repeatable && draw(&from, 3) == 0 ? 1 + draw(&from, 5) : 1;
    if (listed && me == 0) printf("%d: %s, %d times\n", statement, kind->name, times);
    if (listed) fflush(stdout);  // it may not come to its end
    local.state = seed * 31u + (uint64_t)statement * 64u + (uint64_t)me;
    const struct Draw began = from, local_began = local;
    for (repeats_left = times - 1; repeats_left >= 0; repeats_left--) {
        from = began;
        local = local_began;
        kind->execute(&from);
    }
    if (draw(&local, 2) == 0) settle();
}

static int print_lacks(void) {
#define LACK(name, functions, reason) puts(functions ": " reason);
#include "lacks.inc"
#undef LACK
    return 0;
}

int main(int argc, char** argv) {
    const char *only = NULL, *without = NULL;
    int listed = 0, all = 0, everybody[RANKS_MAX];
    if (argc == 2 && strcmp(argv[1], "--lacks") == 0) return print_lacks();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc < 3 || ranks > RANKS_MAX) {
        fprintf(stderr,
                "usage: random_program SEED STATEMENTS [--only 3,5,8] [--without files] ...\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    for (int i = 3; i < argc; i++) {
        if (strcmp(argv[i], "--list") == 0) listed = 1;
        if (strcmp(argv[i], "--only") == 0)
            only = argv[++i];
        else if (strcmp(argv[i], "--without") == 0)
            without = argv[++i];
        else if (strcmp(argv[i], "--scratch") == 0)
            scratch = argv[++i];
    }
    for (int i = 0; i < ranks; i++) everybody[i] = i;
    add_comm(MPI_COMM_WORLD, ranks, everybody);
    types[type_count++] = (struct Type){MPI_INT, 1};
    for (statement = 1; statement <= atoi(argv[2]); statement++) {
        char number[16];
        snprintf(number, sizeof number, "%d", statement);
        if (only == NULL || has(only, number))
            execute(strtoull(argv[1], NULL, 10), without, listed);
    }
    settle_all();
    detach();
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return all != 0;
}
