/* What a program under the tool may ask of it. Shared with the interposer and with programs that calibrate; it
 * needs Valgrind's <valgrind.h>, whose licence is BSD's. */
#ifndef REFRAIN_COUNTS_REQUESTS_H
#define REFRAIN_COUNTS_REQUESTS_H

#include <valgrind/valgrind.h>

/* Counters of a thread, in this order. */
enum { REFRAIN_COUNTERS = 8 };

enum {
    /* Copies the caller's REFRAIN_COUNTERS counters to where the argument points; returns 1. */
    REFRAIN_COUNTS_READ = VG_USERREQ_TOOL_BASE('R', 'C'),
    /* With 1, what the caller's thread does from now on is no concern of the models of caches, pages and branches; with 0 it
     * is again, as they were before. */
    REFRAIN_MODELS_REST
};

/* 0 where no tool answers. */
#define REFRAIN_READ_COUNTS(into)                                                                 \
    ((int)VALGRIND_DO_CLIENT_REQUEST_EXPR(0, REFRAIN_COUNTS_READ, (unsigned long long*)(into), 0, \
                                          0, 0, 0))

#define REFRAIN_REST_MODELS(rest) \
    VALGRIND_DO_CLIENT_REQUEST_STMT(REFRAIN_MODELS_REST, (unsigned long)(rest), 0, 0, 0, 0)

#endif
