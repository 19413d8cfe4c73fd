/* For C functions that scripts call: a blob or an array that a function makes.
 *
 *     (float squares[]) squares(int n) "c:libmodel.so" "1" "squares";
 *
 *     void squares(int64_t n, refrain_buffer* result) {
 *         double* all = malloc(n * sizeof(double));
 *         for (int64_t i = 0; i < n; ++i) all[i] = (double)(i * i);
 *         *result = (refrain_buffer){all, n, free};
 *     }
 *
 * The parameters of other types: docs/other_languages.md. */
#ifndef REFRAIN_SCRIPT_C_BUFFER_H
#define REFRAIN_SCRIPT_C_BUFFER_H

#include <stddef.h>

/* `data`: int64_t, double or const char* elements, or the bytes of a blob; may be NULL if there are none.
 * `length`: of an array in elements, of a blob in bytes.
 * `release`: called with the data when they have been copied; NULL if they belong to the library. */
typedef struct refrain_buffer {
    void* data;
    size_t length;
    void (*release)(void* data);
} refrain_buffer;

#endif
