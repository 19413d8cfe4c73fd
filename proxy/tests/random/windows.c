/* Memory of others: fences, posts and starts, locks and flushes; windows of all kinds. */
#include "model.h"

enum { CELLS = 64, PARTS = 8, KINDS_OF_WINDOWS = 3 };

/* Open MPI 4.1.4 names the shared memory of a window by its communicator's number, which two communicators without a common
 * member may share: those here have rank 0 in common. */
static const struct Comm* comm_of_window(struct Draw* from) {
    const struct Comm* const comm = any_comm(from);
    for (int i = 0; i < comm->size; i++)
        if (comm->world[i] == 0) return comm;
    return &comms[0];
}

/* A window of CELLS ints on each member. */
struct Window {
    MPI_Win handle;
    int *cells, *own;
    int dynamic;
    MPI_Aint places[RANKS_MAX]; /* in a dynamic one: where the members' cells lie */
};
static struct Window open_window(const struct Comm* comm, int kind) {
    struct Window made = {MPI_WIN_NULL, NULL, NULL, kind == 2, {0}};
    const MPI_Aint bytes = CELLS * (MPI_Aint)sizeof(int);
    // Open MPI 4.1.4 makes no window of the program's memory for one rank alone.
    if (kind == 2) {
        MPI_Aint mine;
        made.own = made.cells = calloc(CELLS, sizeof(int));
        MPI_Win_create_dynamic(MPI_INFO_NULL, comm->handle, &made.handle);
        MPI_Win_attach(made.handle, made.cells, bytes);
        MPI_Get_address(made.cells, &mine);
        MPI_Allgather(&mine, 1, MPI_AINT, made.places, 1, MPI_AINT, comm->handle);
    } else if (kind == 0 && comm->size > 1) {
        made.own = made.cells = calloc(CELLS, sizeof(int));
        MPI_Win_create(made.cells, bytes, sizeof(int), MPI_INFO_NULL, comm->handle, &made.handle);
    } else {
        MPI_Win_allocate(bytes, sizeof(int), MPI_INFO_NULL, comm->handle, &made.cells,
                         &made.handle);
    }
    return made;
}
static void close_window(struct Window* window) {
    if (window->dynamic) MPI_Win_detach(window->handle, window->cells);
    MPI_Win_free(&window->handle);
    free(window->own);
}

/* Accesses a part of the target's memory that no other rank does. `memory` stays in use until the window is synchronised. */
static void transfer(struct Draw* from, const struct Window* window, int target, int part,
                     int* memory) {
    const int n = 1 + draw(from, 3), cell = part % PARTS * (CELLS / PARTS);
    const MPI_Aint at =
        window->dynamic ? window->places[target] + cell * (MPI_Aint)sizeof(int) : cell;
    switch (draw(from, 4)) {
        case 0:
            MPI_Put(memory, n, MPI_INT, target, at, n, MPI_INT, window->handle);
            break;
        case 1:
            MPI_Get(memory, n, MPI_INT, target, at, n, MPI_INT, window->handle);
            break;
        case 2:
            MPI_Accumulate(memory, n, MPI_INT, target, at, n, MPI_INT, MPI_SUM, window->handle);
            break;
        default:
            MPI_Get_accumulate(memory, n, MPI_INT, memory + 4, n, MPI_INT, target, at, n, MPI_INT,
                               draw(from, 2) ? MPI_SUM : MPI_NO_OP, window->handle);
            break;
    }
}

void fences(struct Draw* from) {
    const struct Comm* const comm = comm_of_window(from);
    const int kind = draw(from, KINDS_OF_WINDOWS), steps = 1 + draw(from, 4),
              by = draw(from, comm->size);
    if (comm->handle == MPI_COMM_NULL) return;
    struct Window window = open_window(comm, kind);
    int* const memory = room(8 * steps, MPI_INT);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, window.handle);
    for (int i = 0; i < steps; i++) {
        transfer(from, &window, (comm->me + by) % comm->size, i, memory + 8 * i);
        MPI_Win_fence(i + 1 == steps ? MPI_MODE_NOSUCCEED : 0, window.handle);
    }
    close_window(&window);
    free(memory);
}

/* Each opens its memory to the one before and accesses that of the next. */
void posts(struct Draw* from) {
    const struct Comm* const comm = comm_of_window(from);
    const int kind = draw(from, 2), steps = 1 + draw(from, 3);
    if (comm->handle == MPI_COMM_NULL) return;
    struct Window window = open_window(comm, kind);
    int* const memory = room(8 * steps, MPI_INT);
    const int next = (comm->me + 1) % comm->size, before = (comm->me + comm->size - 1) % comm->size;
    MPI_Group whole, from_here, to_here;
    MPI_Comm_group(comm->handle, &whole);
    MPI_Group_incl(whole, 1, &next, &to_here);
    MPI_Group_incl(whole, 1, &before, &from_here);
    for (int i = 0; i < steps; i++) {
        MPI_Win_post(from_here, 0, window.handle);
        MPI_Win_start(to_here, 0, window.handle);
        transfer(from, &window, next, i, memory + 8 * i);
        MPI_Win_complete(window.handle);
        MPI_Win_wait(window.handle);
    }
    MPI_Group_free(&from_here);
    MPI_Group_free(&to_here);
    MPI_Group_free(&whole);
    close_window(&window);
    free(memory);
}

/* Whoever comes first; each has parts of its own. */
void locks(struct Draw* from) {
    const struct Comm* const comm = comm_of_window(from);
    const int kind = draw(from, 2), all = draw(from, 2), shared = draw(from, 2),
              steps = 1 + draw(from, 3);
    const int target = draw(from, comm->size), flushes = draw(from, 3);
    if (comm->handle == MPI_COMM_NULL) return;
    struct Window window = open_window(comm, kind);
    int* const memory = room(8 * steps, MPI_INT);
    if (all) MPI_Win_lock_all(0, window.handle);
    for (int i = 0; i < steps; i++) {
        if (!all)
            MPI_Win_lock(shared ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, target, 0, window.handle);
        transfer(from, &window, target, comm->me, memory + 8 * i);
        if (flushes == 1) MPI_Win_flush(target, window.handle);
        if (flushes == 2) MPI_Win_flush_local(target, window.handle);
        if (!all) MPI_Win_unlock(target, window.handle);
    }
    if (all && flushes == 0) MPI_Win_flush_all(window.handle);
    if (all) MPI_Win_unlock_all(window.handle);
    close_window(&window);
    free(memory);
}

/* Transfers with requests, and numbers that all ranks change. */
void memory_of_others(struct Draw* from) {
    const struct Comm* const comm = comm_of_window(from);
    const int kind = draw(from, 2), target = draw(from, comm->size), what = draw(from, 5);
    if (comm->handle == MPI_COMM_NULL) return;
    struct Window window = open_window(comm, kind);
    int* const memory = room(16, MPI_INT);
    const int at = comm->me % PARTS * (CELLS / PARTS);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Win_lock_all(0, window.handle);
    if (what == 0) MPI_Rput(memory, 2, MPI_INT, target, at, 2, MPI_INT, window.handle, &request);
    if (what == 1) MPI_Rget(memory, 2, MPI_INT, target, at, 2, MPI_INT, window.handle, &request);
    if (what == 2)
        MPI_Raccumulate(memory, 2, MPI_INT, target, at, 2, MPI_INT, MPI_SUM, window.handle,
                        &request);
    if (what == 3) MPI_Fetch_and_op(memory, memory + 4, MPI_INT, target, 0, MPI_SUM, window.handle);
    if (what == 4)
        MPI_Compare_and_swap(memory, memory + 4, memory + 8, MPI_INT, target, 0, window.handle);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_unlock_all(window.handle);
    close_window(&window);
    free(memory);
}
