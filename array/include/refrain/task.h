/* A task of one's own in C, for arrays of Python and of any library: compiled by whatever, called on a worker.
 *
 *     void scale(const refrain_task_view* views, int32_t view_count, const int64_t* numbers, int32_t number_count) {
 *         double* to = views[0].address;               // written
 *         const double* from = views[1].address;       // read
 *         for (int64_t i = 0; i < views[0].shape[0]; ++i)
 *             *(double*)((char*)to + i * views[0].strides[0]) =
 *                 numbers[0] * *(const double*)((const char*)from + i * views[1].strides[0]);
 *     }
 *
 *     >>> scale = refrain.Task(ctypes.CDLL("./scale.so").scale, "scale")
 *     >>> scale(written=[y], read=[x], numbers=[3])
 *
 * The function may run on any thread, later than the call, and several times at once on different arrays. It must touch
 * nothing but its views, and must not throw.
 *
 * A shared object that defines `refrain_tasks` is a plug-in, a table of tasks:
 *
 *     static const refrain_task tasks[] = {{.name = "scale", .body = scale, .about = "y = numbers[0] * x"}};
 *     const refrain_plugin refrain_tasks = {REFRAIN_PLUGIN_VERSION, 1, tasks};
 *
 *     >>> scale = refrain.plugin("./scale.so").scale
 *
 * room: kernels
 */
#ifndef REFRAIN_TASK_H
#define REFRAIN_TASK_H

#include <stdint.h> /* NOLINT: for C, too */

#ifdef __cplusplus
extern "C" {
#endif

/* An array in memory, or the part that a tile has. */
typedef struct refrain_task_view {
    void* address; /* of the element of index 0 */
    const int64_t* shape;
    const int64_t* strides; /* in bytes */
    const int64_t* begin;   /* the index in the whole array of the part's first element */
    int32_t rank;
    char kind;         /* of the elements, as numpy.dtype.kind: b, i, u, f, c */
    int8_t item_bytes; /* of an element */
} refrain_task_view;

/* views: those that are written, then those that are read, then those that are reduced, in the order of the call. */
typedef void (*refrain_task_body)(const refrain_task_view* views, int32_t view_count,
                                  const int64_t* numbers, int32_t number_count);

#define REFRAIN_PLUGIN_VERSION 1
#define REFRAIN_RANK_MAX 32

/* How the parts that a tile has of two arrays relate; `from` and `to` are numbers of views. */
enum refrain_relation {
    REFRAIN_ALIGN,     /* equal shapes, equal parts */
    REFRAIN_BROADCAST, /* `from` is not cut along the dimensions of `dims`, a bit each */
    REFRAIN_SCALE, /* element i of `from` belongs to elements [i * low, (i + 1) * low) of `to` */
    REFRAIN_BLOAT, /* element i of `from` belongs to elements i - low ... i + high of `to` */
    REFRAIN_IMAGE /* the elements of `from`, of int64, are indices of the first dimension of `to` */
};
typedef struct refrain_constraint {
    int32_t relation;
    int32_t from;
    int32_t to;
    uint32_t dims;
    int32_t rank; /* how many of `low` and `high` count: one per dimension */
    int64_t low[REFRAIN_RANK_MAX];
    int64_t high[REFRAIN_RANK_MAX];
} refrain_constraint;

typedef struct refrain_task {
    const char* name;
    refrain_task_body body;
    const char* about;                     /* a line for who calls it, or null */
    const refrain_constraint* constraints; /* none: one call, for the whole arrays */
    int32_t constraint_count;
    const char* fold; /* of what is reduced: add (or null), multiply, minimum or maximum */
} refrain_task;

typedef struct refrain_plugin {
    int32_t version; /* REFRAIN_PLUGIN_VERSION */
    int32_t task_count;
    const refrain_task* tasks;
} refrain_plugin;

/* What a plug-in defines. */
extern
#ifdef __GNUC__
    __attribute__((visibility("default")))
#endif
    const refrain_plugin refrain_tasks;

#ifdef __cplusplus
}
#endif

#endif /* REFRAIN_TASK_H */
