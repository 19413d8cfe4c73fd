/* Particles on a grid, as tasks: cc -O2 -shared -fPIC -I INCLUDE particles.c -o particles.so
 *
 * Each function sees the part that a tile has. `begin` says where that part begins in the whole array. */
#include <refrain/task.h>

static double* at(const refrain_task_view* view, int64_t index) {
    return (double*)((char*)view->address + (index - view->begin[0]) * view->strides[0]);
}
static int64_t end(const refrain_task_view* view) {
    return view->begin[0] + view->shape[0];
}

/* Reduces: grid[cells[i]] += 1. Tiles of particles share the grid. */
static void deposit(const refrain_task_view* views, int32_t view_count, const int64_t* numbers,
                    int32_t number_count) {
    const refrain_task_view *cells = &views[0], *grid = &views[1];
    for (int64_t i = cells->begin[0]; i < end(cells); ++i)
        *at(grid, *(const int64_t*)at(cells, i)) += 1;
    (void)view_count, (void)numbers, (void)number_count;
}
static const refrain_constraint deposit_constraints[] = {
    {.relation = REFRAIN_BROADCAST, .from = 1, .dims = 1}};

/* to[i] is the mean of from[i - 1 ... i + 1]; numbers[0] elements. */
static void smooth(const refrain_task_view* views, int32_t view_count, const int64_t* numbers,
                   int32_t number_count) {
    const refrain_task_view *to = &views[0], *from = &views[1];
    for (int64_t i = to->begin[0]; i < end(to); ++i) {
        const int64_t left = i > 0 ? i - 1 : i, right = i + 1 < numbers[0] ? i + 1 : i;
        *at(to, i) = (*at(from, left) + *at(from, i) + *at(from, right)) / 3;
    }
    (void)view_count, (void)number_count;
}
static const refrain_constraint smooth_constraints[] = {
    {.relation = REFRAIN_BLOAT, .from = 0, .to = 1, .rank = 1, .low = {1}, .high = {1}}};

/* coarse[i] = fine[2 i] + fine[2 i + 1] */
static void coarsen(const refrain_task_view* views, int32_t view_count, const int64_t* numbers,
                    int32_t number_count) {
    const refrain_task_view *coarse = &views[0], *fine = &views[1];
    for (int64_t i = coarse->begin[0]; i < end(coarse); ++i)
        *at(coarse, i) = *at(fine, 2 * i) + *at(fine, 2 * i + 1);
    (void)view_count, (void)numbers, (void)number_count;
}
static const refrain_constraint coarsen_constraints[] = {
    {.relation = REFRAIN_SCALE, .from = 0, .to = 1, .rank = 1, .low = {2}}};

/* forces[i] = grid[cells[i]]: a tile has the range of the grid that its particles lie in. */
static void gather(const refrain_task_view* views, int32_t view_count, const int64_t* numbers,
                   int32_t number_count) {
    const refrain_task_view *forces = &views[0], *cells = &views[1], *grid = &views[2];
    for (int64_t i = forces->begin[0]; i < end(forces); ++i)
        *at(forces, i) = *at(grid, *(const int64_t*)at(cells, i));
    (void)view_count, (void)numbers, (void)number_count;
}
static const refrain_constraint gather_constraints[] = {
    {.relation = REFRAIN_ALIGN, .from = 0, .to = 1},
    {.relation = REFRAIN_IMAGE, .from = 1, .to = 2}};

static const refrain_task tasks[] = {
    {"deposit", deposit, "reduced grid[cells[i]] += 1; read cells", deposit_constraints, 1, "add"},
    {"smooth", smooth, "written to, read from; numbers[0] elements", smooth_constraints, 1, 0},
    {"coarsen", coarsen, "written coarse, read fine", coarsen_constraints, 1, 0},
    {"gather", gather, "written forces, read cells and grid", gather_constraints, 2, 0},
};
const refrain_plugin refrain_tasks = {REFRAIN_PLUGIN_VERSION, 4, tasks};
