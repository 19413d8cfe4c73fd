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
    int32_t rank;
    char kind;         /* of the elements, as numpy.dtype.kind: b, i, u, f, c */
    int8_t item_bytes; /* of an element */
} refrain_task_view;

/* views: those that are written, then those that are read, in the order of the call. */
typedef void (*refrain_task_body)(const refrain_task_view* views, int32_t view_count,
                                  const int64_t* numbers, int32_t number_count);

#ifdef __cplusplus
}
#endif

#endif /* REFRAIN_TASK_H */
