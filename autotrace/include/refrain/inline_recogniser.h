#ifndef REFRAIN_INLINE_RECOGNISER_H
#define REFRAIN_INLINE_RECOGNISER_H

/* Finds for each operation of a program an earlier one in the same context. This is the C
 * interface; refrain/inline_recogniser.hpp documents what is found and how to use it.
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
 * where at(position) is position % refrain_inline_capacity(recogniser). Null pointers and exceptions
 * are treated as in refrain/autotrace.h.
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

/* A missing precedent. */
#define REFRAIN_INLINE_NONE UINT64_MAX
/* The likeness of operations with equal descriptions. */
#define REFRAIN_INLINE_EQUAL UINT32_MAX

/* New positions [first, first + count) of operations that were folded: each equals the operation at
 * `distance` positions before it. */
typedef struct {
    uint64_t first;
    uint64_t count;
    uint64_t distance;
} refrain_inline_turn;

/* Fields as in refrain::autotrace::InlineRecogniser::Finding. */
typedef struct {
    uint64_t position;
    uint64_t precedent; /* or REFRAIN_INLINE_NONE */
    int is_equal;
    uint64_t loop; /* 0: not in a folded loop */
    refrain_inline_turn unfolded;
} refrain_inline_finding;

/* An operation that can be compared with the words of another without producing its own. */
typedef struct {
    void* context;
    /* Returns 0 if the operation never counts as equal to the one with these words. Otherwise
     * writes the longest context in which it does to *longest, REFRAIN_INLINE_EQUAL if the words
     * describe both, and returns 1. */
    int (*likeness)(void* context, const uint64_t* words, size_t count, uint32_t* longest);
    /* Returns the words of the operation, valid until refrain_inline_look returns, and writes their
     * number to *count. Null is a bad argument unless *count is 0; the operation does not count. */
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

/* Null options: the defaults. On failure *recogniser is null, and message receives the reason,
 * truncated to message_bytes, which may be 0. */
refrain_autotrace_status refrain_inline_create(const refrain_inline_options* options,
                                               refrain_inline_recogniser** recogniser,
                                               char* message, size_t message_bytes);
/* Null is allowed. */
void refrain_inline_destroy(refrain_inline_recogniser* recogniser);

/* Finds the precedent of the next operation. `words` may be null if `count` is 0. */
refrain_autotrace_status refrain_inline_operation(refrain_inline_recogniser* recogniser,
                                                  const uint64_t* words, size_t count,
                                                  refrain_inline_finding* finding);
/* The same for an operation that is compared before its words are produced. If a function of the
 * host throws, the operation does not count. */
refrain_autotrace_status refrain_inline_look(refrain_inline_recogniser* recogniser,
                                             const refrain_inline_description* description,
                                             refrain_inline_finding* finding);
/* 1 if the newest `count` operations equal those up to the precedent of the newest one, else 0. */
int refrain_inline_is_proved(refrain_inline_recogniser* recogniser, uint32_t count);

/* Call before operations that the recogniser does not see. Writes earlier operations that get
 * positions only now to *unfolded. */
refrain_autotrace_status refrain_inline_interrupt(refrain_inline_recogniser* recogniser,
                                                  refrain_inline_turn* unfolded);
/* 1 while repeats are too rare, so that the caller should skip the next operation; else 0. */
int refrain_inline_backing_off(const refrain_inline_recogniser* recogniser);
/* Skips the next operation; a bad argument if not backing off. */
refrain_autotrace_status refrain_inline_skip(refrain_inline_recogniser* recogniser);
/* Former names. */
#define refrain_inline_rests refrain_inline_backing_off
#define refrain_inline_pass refrain_inline_skip

/* Forgets all operations; positions restart at 0. */
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
