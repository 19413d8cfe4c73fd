/* What all statements of a random program share.
 *
 * A program is a list of statements. All ranks execute all of them in the same order and draw the same numbers, so that each
 * knows what the others do; a statement may leave requests behind, which a later one completes. What a call waits for was
 * begun in the same statement or in an earlier one: therefore no program deadlocks, whatever statements are left out. */
#ifndef MODEL_H
#define MODEL_H

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lacks.h"

enum { RANKS_MAX = 64, COMMS_MAX = 8, TYPES_MAX = 8, PENDING_MAX = 32, UNUSED_TAG = 31000 };

/* Numbers that follow from the seed. */
struct Draw {
    uint64_t state;
};
/* 0 to below - 1 */
int draw(struct Draw* from, int below);

/* A communicator; every rank knows who is in it. */
struct Comm {
    MPI_Comm handle; /* MPI_COMM_NULL: this rank is no member */
    int size, me;
    int world[RANKS_MAX]; /* by member */
};
extern struct Comm comms[COMMS_MAX]; /* the first is MPI_COMM_WORLD */
extern int comm_count;

/* A datatype of so many MPI_INT; the first is MPI_INT. */
struct Type {
    MPI_Datatype handle; /* MPI_DATATYPE_NULL: this rank has not made it */
    int ints;
};
extern struct Type types[TYPES_MAX];
extern int type_count;

extern int me, ranks, statement, repeats_left;
extern struct Draw local; /* what others need not know: each rank draws other numbers */
extern const char* scratch;

void expect(int condition, const char* what);
struct Comm* any_comm(struct Draw* from);
/* Adds a communicator that `handle` is on its members; NULL if there is no room. */
struct Comm* add_comm(MPI_Comm handle, int size, const int* world);
/* Memory of so many elements, set to ordinary numbers; freed by the caller, or with its request. */
void* room(int count, MPI_Datatype type);
/* The type if this rank has it, or as many MPI_INT. */
MPI_Datatype usable(const struct Type* type, int* count);

/* A request that a later call completes, and its memory, which is freed then. `ints`: what is received; -1: not looked at. */
void leave(MPI_Request request, int ints, void* memory, void* more, void* most);
/* Completes some requests by one of all ways, or each of them. */
void settle(void);
void settle_all(void);
/* Gives back the buffer of MPI_Bsend. */
void detach(void);

typedef void Statement(struct Draw*);
Statement message, from_any, from_anything, shift, halo, persistent, cancelled, packed, given_up;
Statement collective, each_other, among_neighbours, alone;
Statement make_comm, free_comm, between_groups, make_type, groups_of, words, attributes;
Statement fences, posts, locks, memory_of_others;
Statement on_file;

#endif
