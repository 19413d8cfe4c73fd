/* The same in C. */
#include <refrain/autotrace.h>
#include <stdio.h>

typedef struct {
    uint64_t issued, begun, ended;
    int in_order;
} counts;

static void issue(void* context, uint64_t operation) {
    counts* seen = context;
    if (operation != seen->issued) seen->in_order = 0;
    ++seen->issued;
}
static void begin_trace(void* context, uint64_t trace, size_t length) {
    (void)trace;
    (void)length;
    ++((counts*)context)->begun;
}
static void end_trace(void* context, uint64_t trace) {
    (void)trace;
    ++((counts*)context)->ended;
}

int main(void) {
    const uint64_t operations = 30000;
    counts seen = {0, 0, 0, 1};
    refrain_autotrace_host host = {
        .context = &seen, .issue = issue, .begin_trace = begin_trace, .end_trace = end_trace};
    refrain_autotracer* tracer = NULL;
    refrain_autotrace_statistics statistics;
    char message[256];
    if (refrain_autotrace_create(NULL, &host, NULL, &tracer, message, sizeof message) != 0) {
        fprintf(stderr, "%s\n", message);
        return 1;
    }
    for (uint64_t i = 0; i < operations; ++i) {
        const refrain_autotrace_token token = {0, i % 10};
        if (refrain_autotrace_operation(tracer, token, i) != REFRAIN_AUTOTRACE_OK) return 1;
    }
    refrain_autotrace_flush(tracer);
    refrain_autotrace_get_statistics(tracer, &statistics);
    refrain_autotrace_destroy(tracer);
    printf("%llu of %llu operations replayed\n", (unsigned long long)statistics.replayed,
           (unsigned long long)operations);
    if (!seen.in_order || seen.issued != operations || seen.begun != seen.ended) return 1;
    return statistics.replayed > operations / 2 ? 0 : 1;
}
