#ifndef REFRAIN_INLINE_RECOGNISER_H
#define REFRAIN_INLINE_RECOGNISER_H

/* For each operation of a program an earlier one in the same context, as a C interface; see
 * refrain/inline_recogniser.hpp for what is found, and what it may be used for.
 *
 *     refrain_inline_recogniser* recogniser = NULL;
 *     refrain_inline_finding found;
 *     char message[256];
 *     if (refrain_inline_create(NULL, &recogniser, message, sizeof message) != 0) ...
 *     refrain_inline_operation(recogniser, words, word_count, &found);
 *     for (i = 0; i < found.unfolded.count; ++i)
 *         memos[at(found.unfolded.first + i)] =
 *             memos[at(found.unfolded.first + i - found.unfolded.distance)];
 *     if (found.precedent != REFRAIN_INLINE_NONE && refrain_inline_is_proved(recogniser, 5)) ...
 *     refrain_inline_destroy(recogniser);
 *
 * where at(position) is position % refrain_inline_capacity(recogniser).
 */

#include "refrain/autotrace.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct refrain_inline_recogniser refrain_inline_recogniser;

/* Fields as in refrain::autotrace::InlineRecogniser::Options. Fill with
 * refrain_inline_default_options first. */
typedef struct {
    uint32_t capacity_log2;
    uint32_t words_log2;
    uint32_t context_max;
    uint32_t token_bits;
    int fold_loops;
} refrain_inline_options;

/* The precedent of an operation without one. */
#define REFRAIN_INLINE_NONE UINT64_MAX
/* The likeness of operations with equal descriptions. */
#define REFRAIN_INLINE_EQUAL UINT32_MAX

/* Positions first + i, for i < count, that stand where those `distance` before them do. */
typedef struct {
    uint64_t first;
    uint64_t count;
    uint64_t distance;
} refrain_inline_turn;

/* Fields as in refrain::autotrace::InlineRecogniser::Finding. */
typedef struct {
    uint64_t position;
    uint64_t precedent; /* REFRAIN_INLINE_NONE: there is none */
    int is_equal;
    uint64_t loop; /* 0: it is in no folded loop */
    refrain_inline_turn unfolded;
} refrain_inline_finding;

/* An operation that need not be put into words to be compared with others. */
typedef struct {
    void* context;
    /* Whether it is like the operation with these words; if so, in which contexts: the longest one
     * goes to *longest, REFRAIN_INLINE_EQUAL if it equals that operation. */
    int (*likeness)(void* context, const uint64_t* words, size_t count, uint32_t* longest);
    /* Its words, valid until the call that asks for them returns; their number goes to *count. */
    const uint64_t* (*words)(void* context, size_t* count);
} refrain_inline_description;

/* Fields as in refrain::autotrace::InlineRecogniser::Statistics. */
typedef struct {
    uint64_t operations;
    uint64_t predicted;
    uint64_t found;
    uint64_t alike;
    uint64_t collisions;
} refrain_inline_statistics;

void refrain_inline_default_options(refrain_inline_options* options);

/* Null options: the defaults. On failure *recogniser is null and the reason is written to message,
 * cut to message_bytes, which may be 0. */
refrain_autotrace_status refrain_inline_create(const refrain_inline_options* options,
                                               refrain_inline_recogniser** recogniser,
                                               char* message, size_t message_bytes);
/* Null is allowed. */
void refrain_inline_destroy(refrain_inline_recogniser* recogniser);

/* Looks at the next operation. Null words are allowed if there are none. */
refrain_autotrace_status refrain_inline_operation(refrain_inline_recogniser* recogniser,
                                                  const uint64_t* words, size_t count,
                                                  refrain_inline_finding* finding);
/* The same for one that is compared before it is put into words. If an exception comes out of a
 * function of the host, the operation was not looked at. */
refrain_autotrace_status refrain_inline_look(refrain_inline_recogniser* recogniser,
                                             const refrain_inline_description* description,
                                             refrain_inline_finding* finding);
/* 1 if the newest `count` operations equal as many up to the precedent of the newest one, else 0. */
int refrain_inline_is_proved(refrain_inline_recogniser* recogniser, uint32_t count);

/* Operations follow that are not looked at. What is before them and gets positions only now goes to
 * *unfolded. */
refrain_autotrace_status refrain_inline_interrupt(refrain_inline_recogniser* recogniser,
                                                  refrain_inline_turn* unfolded);
/* 1 if the next operation is to be passed over; and that it is, which is a bad argument if not. */
int refrain_inline_rests(const refrain_inline_recogniser* recogniser);
refrain_autotrace_status refrain_inline_pass(refrain_inline_recogniser* recogniser);

/* Forgets all operations; positions begin from 0. */
refrain_autotrace_status refrain_inline_clear(refrain_inline_recogniser* recogniser);

/* 0 for null. */
uint64_t refrain_inline_end(const refrain_inline_recogniser* recogniser);
size_t refrain_inline_capacity(const refrain_inline_recogniser* recogniser);
refrain_autotrace_status refrain_inline_get_statistics(const refrain_inline_recogniser* recogniser,
                                                       refrain_inline_statistics* statistics);

#ifdef __cplusplus
}
#endif

#endif
