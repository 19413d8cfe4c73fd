#ifndef REFRAIN_AUTOTRACE_H
#define REFRAIN_AUTOTRACE_H

/* C interface of automatic tracing for any runtime; refrain/autotrace.hpp documents what it does.
 *
 *     refrain_autotrace_host host = {.context = &mine, .issue = issue, .begin_trace = begin,
 *                                    .end_trace = end};
 *     refrain_autotracer* tracer = NULL;
 *     char message[256];
 *     if (refrain_autotrace_create(NULL, &host, NULL, &tracer, message, sizeof message) != 0) ...
 *     refrain_autotrace_operation(tracer, token, handle);
 *     refrain_autotrace_destroy(tracer);
 *
 * Host functions run on the calling thread. No function of this interface throws, and each accepts
 * null for every pointer, with REFRAIN_AUTOTRACE_BAD_ARGUMENT where it needs one. If a function of a
 * host written in C++ throws, the call that led to it returns REFRAIN_AUTOTRACE_HOST_FAILED; the
 * operation counts as issued, an open trace is ended, and the tracer can continue. longjmp out of a
 * host function is not allowed.
 */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct refrain_autotracer refrain_autotracer;

typedef struct {
    uint64_t high;
    uint64_t low;
} refrain_autotrace_token;

typedef enum {
    REFRAIN_AUTOTRACE_OK = 0,
    REFRAIN_AUTOTRACE_BAD_ARGUMENT = 1, /* a null pointer, a missing function, a bad option */
    REFRAIN_AUTOTRACE_NO_MEMORY = 2,
    REFRAIN_AUTOTRACE_HOST_FAILED = 3, /* a function of the host threw an exception */
    REFRAIN_AUTOTRACE_FAILED = 4 /* a tracer or recogniser could not be made, for another reason */
} refrain_autotrace_status;

/* The functions of the host; forget_trace may be null, and leave_trace without the option
 * hand_on_at_once, with which it is called instead of end_trace where an execution ends early. */
typedef struct {
    void* context;
    void (*issue)(void* context, uint64_t operation);
    void (*begin_trace)(void* context, uint64_t trace, size_t length);
    void (*end_trace)(void* context, uint64_t trace);
    void (*forget_trace)(void* context, uint64_t trace);
    void (*leave_trace)(void* context, uint64_t trace);
} refrain_autotrace_host;

/* Runs mining: submit takes a job to run once, on any thread; help runs one job or pauses, and is
 * called while the calling thread waits for a job. A submit that throws must not have taken the
 * job: it then runs at once, on the calling thread. */
typedef struct {
    void* context;
    void (*submit)(void* context, void (*run)(void* job), void* job);
    void (*help)(void* context);
} refrain_autotrace_executor;

#define REFRAIN_AUTOTRACE_DELAY_BY_SLICE SIZE_MAX

/* Fields as in refrain::autotrace::Options. Fill with refrain_autotrace_default_options first. */
typedef struct {
    size_t trace_length_min;
    size_t trace_length_max;
    size_t loop_length;
    size_t history_tokens;
    size_t multi_scale_factor;
    int synchronous_mining;
    size_t result_delay_operations; /* REFRAIN_AUTOTRACE_DELAY_BY_SLICE: the length of the slice */
    int mine_every_slice;
    size_t history_bytes_max;
    size_t candidate_bytes_max;
    double visits_max;
    double visit_decay;
    double replay_bonus;
    double back_to_back_max;
    int hand_on_at_once; /* needs leave_trace of the host */
} refrain_autotrace_options;

/* Fields as in refrain::autotrace::Statistics. */
typedef struct {
    uint64_t operations;
    uint64_t traceable;
    uint64_t untraceable;
    uint64_t ignorable;
    uint64_t recorded;
    uint64_t replayed;
    uint64_t traces;
    uint64_t replays;
    uint64_t flushes;
    uint64_t first_replay; /* UINT64_MAX before the first */
    uint64_t held_back_sum;
    uint64_t slices_mined;
    uint64_t slices_skipped;
    uint64_t tokens_mined;
    uint64_t candidates_taken;
    uint64_t candidates_evicted;
    uint64_t candidates;
    uint64_t candidate_bytes;
    uint64_t candidate_bytes_max;
    uint64_t history_bytes;
    uint64_t traces_left;
    uint64_t results_taken;
} refrain_autotrace_statistics;

void refrain_autotrace_default_options(refrain_autotrace_options* options);

/* Null options: the defaults. Null executor: mining is synchronous. On failure *tracer is null, and
 * message receives the reason, truncated to message_bytes, which may be 0. */
refrain_autotrace_status refrain_autotrace_create(const refrain_autotrace_options* options,
                                                  const refrain_autotrace_host* host,
                                                  const refrain_autotrace_executor* executor,
                                                  refrain_autotracer** tracer, char* message,
                                                  size_t message_bytes);

/* Issues all held operations first; exceptions of the host are ignored. Null is allowed. */
void refrain_autotrace_destroy(refrain_autotracer* tracer);

refrain_autotrace_status refrain_autotrace_operation(refrain_autotracer* tracer,
                                                     refrain_autotrace_token token,
                                                     uint64_t operation);
refrain_autotrace_status refrain_autotrace_untraceable(refrain_autotracer* tracer,
                                                       uint64_t operation);
refrain_autotrace_status refrain_autotrace_ignorable(refrain_autotracer* tracer,
                                                     uint64_t operation);
refrain_autotrace_status refrain_autotrace_flush(refrain_autotracer* tracer);
/* The same, and ends a current trace early: afterwards the host is not inside a trace. */
refrain_autotrace_status refrain_autotrace_interrupt(refrain_autotracer* tracer);

/* 1 if the operation is held back, else 0. */
int refrain_autotrace_holds(const refrain_autotracer* tracer, uint64_t operation);
size_t refrain_autotrace_held(const refrain_autotracer* tracer);
refrain_autotrace_status refrain_autotrace_get_statistics(const refrain_autotracer* tracer,
                                                          refrain_autotrace_statistics* statistics);

#ifdef __cplusplus
}
#endif

#endif
