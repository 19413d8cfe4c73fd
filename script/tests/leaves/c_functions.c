/* Functions of C for c_function_test.cpp: one per type, mixtures, and such as misbehave. */
#include "refrain/script/c_buffer.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static __thread char kept[256]; /* what returned strings lie in */

int64_t negated(int64_t i) {
    return -i;
}
double halved(double x) {
    return x / 2;
}
bool opposite(bool b) {
    return !b;
}
const char* greeting(const char* name) {
    snprintf(kept, sizeof kept, "hello %s", name);
    return kept;
}
const char* nothing(void) {
    return NULL;
}
int64_t answer(void) {
    return 42;
}
void note_to(int64_t i, const char* path) {
    FILE* file = fopen(path, "w");
    fprintf(file, "noted %d", (int)i);
    fclose(file);
}
int64_t count_bytes(const void* data, size_t length) {
    int64_t sum = (int64_t)length * 1000;
    for (size_t i = 0; i < length; ++i) sum += ((const unsigned char*)data)[i];
    return sum;
}
double sum_floats(const double* all, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; ++i) sum += all[i];
    return sum;
}
int64_t sum_ints(const int64_t* all, size_t count) {
    int64_t sum = 0;
    for (size_t i = 0; i < count; ++i) sum += all[i];
    return sum;
}
const char* joined(const char* const* all, size_t count, const char* between) {
    kept[0] = 0;
    for (size_t i = 0; i < count; ++i) {
        if (i != 0) strcat(kept, between);
        strcat(kept, all[i]);
    }
    return kept;
}
const char* first_line(const char* path) {
    FILE* file = fopen(path, "r");
    if (fgets(kept, sizeof kept, file) == NULL) kept[0] = 0;
    fclose(file);
    return kept;
}
/* Ten doubles and ten ints by turns: more than registers hold, of either kind. */
double weighted(double a, int64_t i, double b, int64_t j, double c, int64_t k, double d, int64_t l,
                double e, int64_t m, double f, int64_t n, double g, int64_t o, double h, int64_t p,
                double x, int64_t q, double y, int64_t r) {
    return a * (double)i + b * (double)j + c * (double)k + d * (double)l + e * (double)m +
           f * (double)n + g * (double)o + h * (double)p + x * (double)q + y * (double)r;
}
const char* mixture(bool loud, const char* name, const void* data, size_t length, double factor,
                    const int64_t* all, size_t count) {
    snprintf(kept, sizeof kept, "%s %d %.*s %g %d", name, loud, (int)length, (const char*)data,
             factor, (int)sum_ints(all, count));
    return kept;
}
int64_t divided(int64_t a, int64_t by, int64_t* rest) {
    *rest = a % by;
    return a / by;
}
void of_each_type(int64_t* i, double* x, bool* b, const char** s) {
    *i = -7;
    *x = 0.5;
    *b = true;
    *s = "text";
}

static int64_t released = 0;
static void release(void* data) {
    free(data);
    __atomic_add_fetch(&released, 1, __ATOMIC_RELAXED);
}
int64_t count_released(void) {
    return __atomic_load_n(&released, __ATOMIC_RELAXED);
}
void squares(int64_t n, refrain_buffer* result) {
    double* all = malloc((size_t)n * sizeof *all);
    for (int64_t i = 0; i < n; ++i) all[i] = (double)(i * i);
    *result = (refrain_buffer){all, (size_t)n, release};
}
/* An int that is returned, and two pieces of memory: one that the caller releases, one that is the library's. */
int64_t split(const void* data, size_t length, refrain_buffer* words, refrain_buffer* rest) {
    static const char* all[] = {"one", "two"};
    *words = (refrain_buffer){(void*)all, 2, NULL};
    char* copy = malloc(length + 1);
    memcpy(copy, data, length);
    copy[length] = 0; /* a byte of the blob, too */
    *rest = (refrain_buffer){copy, length + 1, release};
    return (int64_t)length;
}
void empty(refrain_buffer* result) {
    (void)result; /* zeroed: an array of no elements */
}
void broken(refrain_buffer* result) {
    result->length = 3;
}
