/* Messages between two ranks, in all modes; from any source; to neighbours; persistent, packed, cancelled. */
#include "model.h"

typedef int Send(const void*, int, MPI_Datatype, int, int, MPI_Comm);
typedef int Isend(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);

/* Bsend needs a buffer, which stays with MPI until a detach. */
static void* attached;
static void attach(void) {
    enum { BYTES = 1 << 18 };
    if (attached == NULL) MPI_Buffer_attach(attached = malloc(BYTES), BYTES);
}
void detach(void) {
    int bytes;
    void* buffer;
    if (attached == NULL) return;
    MPI_Buffer_detach(&buffer, &bytes);
    expect(buffer == attached, "the attached buffer");
    free(attached);
    attached = NULL;
}

/* Mode 0 to 3: standard, buffered, synchronous, ready. The latter is for receives that are posted. */
static void send(int mode, int blocking, const struct Type* type, int count, int to, int tag,
                 MPI_Comm comm) {
    static Send* const sends[] = {MPI_Send, MPI_Bsend, MPI_Ssend, MPI_Rsend};
    static Isend* const isends[] = {MPI_Isend, MPI_Ibsend, MPI_Issend, MPI_Irsend};
    const MPI_Datatype used = usable(type, &count);
    void* const memory = room(count, used);
    MPI_Request request;
    if (mode == 1) attach();
    if (blocking) {
        sends[mode](memory, count, used, to, tag, comm);
        free(memory);
    } else {
        isends[mode](memory, count, used, to, tag, comm, &request);
        leave(request, -1, memory, NULL, NULL);
    }
}

/* How a message is received; what the way leaves open is drawn by its caller. */
struct Receive {
    int way, from, tag, count;
    const struct Type* type;
    MPI_Comm comm;
};

static void check(const struct Receive* wanted, MPI_Status* status) {
    int ints;
    MPI_Get_count(status, MPI_INT, &ints);
    expect(ints == wanted->count * wanted->type->ints, "the size of a message");
}

static void receive_matched(const struct Receive* wanted, void* memory, int count,
                            MPI_Datatype type, int polls) {
    MPI_Message found;
    MPI_Status status;
    MPI_Request request;
    int flag = !polls;
    if (!polls) MPI_Mprobe(wanted->from, wanted->tag, wanted->comm, &found, &status);
    while (!flag) MPI_Improbe(wanted->from, wanted->tag, wanted->comm, &flag, &found, &status);
    check(wanted, &status);
    if (!polls) {
        MPI_Mrecv(memory, count, type, &found, &status);
        free(memory);
    } else {
        MPI_Imrecv(memory, count, type, &found, &request);
        leave(request, wanted->count * wanted->type->ints, memory, NULL, NULL);
    }
}

static void receive(const struct Receive* wanted) {
    int count = wanted->count, flag = 0;
    const MPI_Datatype type = usable(wanted->type, &count);
    void* const memory = room(count, type);
    MPI_Request request;
    MPI_Status status;
    const int is_matched = wanted->way == 1 || wanted->way == 2;
    switch (is_matched && lacks(lack_matched_probes) ? 6 : wanted->way) {
        case 0:
            MPI_Irecv(memory, count, type, wanted->from, wanted->tag, wanted->comm, &request);
            leave(request, wanted->count * wanted->type->ints, memory, NULL, NULL);
            return;
        case 1:
        case 2:
            receive_matched(wanted, memory, count, type, wanted->way == 1);
            return;
        case 3:
            MPI_Probe(wanted->from, wanted->tag, wanted->comm, &status);
            check(wanted, &status);
            MPI_Recv(memory, count, type, status.MPI_SOURCE, status.MPI_TAG, wanted->comm, &status);
            break;
        case 4:
            while (!flag) MPI_Iprobe(wanted->from, wanted->tag, wanted->comm, &flag, &status);
            MPI_Recv(memory, count, type, status.MPI_SOURCE, status.MPI_TAG, wanted->comm, &status);
            break;
        case 5:
            MPI_Irecv(memory, count, type, wanted->from, wanted->tag, wanted->comm, &request);
            flag = 0;
            while (!flag) MPI_Test(&request, &flag, &status);
            break;
        default:
            MPI_Recv(memory, count, type, wanted->from, wanted->tag, wanted->comm, &status);
            break;
    }
    check(wanted, &status);
    free(memory);
}

void message(struct Draw* from) {
    const struct Comm* const comm = any_comm(from);
    const int sender = draw(from, comm->size), receiver = draw(from, comm->size);
    const int mode = draw(from, 4), blocking = draw(from, 2) && sender != receiver;
    struct Receive wanted = {draw(from, 8),  sender, draw(from, 3),
                             draw(from, 40), NULL,   comm->handle};
    wanted.type = &types[draw(from, type_count)];
    if (draw(from, 8) == 0 && mode != 1) wanted.count = 5000;  // more than goes without a handshake
    const int tag = wanted.tag;
    if (draw(from, 5) == 0) wanted.tag = MPI_ANY_TAG;
    if (comm->handle == MPI_COMM_NULL) return;
    // One that is ready needs a receive that is posted.
    if (mode == 3) wanted.way = 0;
    const int told = mode == 3 && sender != receiver;
    if (comm->me == receiver && mode == 3) receive(&wanted);
    if (comm->me == receiver && told)
        MPI_Send(NULL, 0, MPI_INT, sender, UNUSED_TAG - 1, comm->handle);
    if (comm->me == sender) {
        if (told)
            MPI_Recv(NULL, 0, MPI_INT, receiver, UNUSED_TAG - 1, comm->handle, MPI_STATUS_IGNORE);
        send(mode, blocking, wanted.type, wanted.count, receiver, tag, comm->handle);
    }
    if (comm->me == receiver && mode != 3) receive(&wanted);
    if (comm->me == sender && mode == 1 && draw(&local, 2) == 0 && repeats_left == 0 &&
        sender != receiver)
        detach();
}

/* Many send to one, which takes them as they come. Nobody else uses the tag. */
void from_any(struct Draw* from) {
    const struct Comm* const comm = any_comm(from);
    const int root = draw(from, comm->size), tag = 100 + statement % 1000, mode = draw(from, 3);
    const int blocking = draw(from, 2);
    struct Receive wanted = {draw(from, 8),      MPI_ANY_SOURCE, tag,
                             1 + draw(from, 40), NULL,           comm->handle};
    wanted.type = &types[draw(from, type_count)];
    if (comm->handle == MPI_COMM_NULL) return;
    if (comm->me != root) {
        send(mode, blocking, wanted.type, wanted.count, root, tag, comm->handle);
        return;
    }
    for (int i = 1; i < comm->size; i++) receive(&wanted);
}

/* Each sends to each of the others, who take whatever comes; afterwards all of it is there. */
void from_anything(struct Draw* from) {
    const int polls = draw(from, 2), ints = 1 + draw(from, 20);
    int* const memory = room(ints * (ranks + 1), MPI_INT);
    MPI_Request* const requests = calloc((size_t)ranks, sizeof *requests);
    MPI_Comm comm;
    MPI_Status status;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int i = 0; i < ranks; i++)
        MPI_Isend(memory + i * ints, ints, MPI_INT, i, i, comm, &requests[i]);
    for (int i = 0; i < ranks; i++) {
        int flag = !polls;
        while (!flag) MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, &status);
        MPI_Recv(memory + ranks * ints, ints, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
        expect(status.MPI_TAG == me, "the tag of a message");
    }
    MPI_Waitall(ranks, requests, MPI_STATUSES_IGNORE);
    MPI_Comm_free(&comm);
    free(memory);
    free(requests);
}

/* To the next, from the one before; at the ends of a line, to and from nobody. */
void shift(struct Draw* from) {
    const struct Comm* const comm = any_comm(from);
    const int by = 1 + draw(from, 2), line = draw(from, 2), replace = draw(from, 2);
    const int tag = draw(from, 3), ints = 1 + draw(from, 50);
    if (comm->handle == MPI_COMM_NULL) return;
    int to = comm->me + by, before = comm->me - by;
    if (!line) to %= comm->size, before = (before + 2 * comm->size) % comm->size;
    if (to >= comm->size) to = MPI_PROC_NULL;
    if (before < 0) before = MPI_PROC_NULL;
    int *const sent = room(ints, MPI_INT), *const received = room(ints, MPI_INT);
    sent[0] = comm->me;
    MPI_Status status;
    if (replace)
        MPI_Sendrecv_replace(sent, ints, MPI_INT, to, tag, before, tag, comm->handle, &status);
    else
        MPI_Sendrecv(sent, ints, MPI_INT, to, tag, received, ints, MPI_INT, before, tag,
                     comm->handle, &status);
    expect(before == MPI_PROC_NULL || (replace ? sent : received)[0] == before,
           "a shifted message");
    free(sent);
    free(received);
}

/* Both neighbours, step by step, without waiting in between. */
void halo(struct Draw* from) {
    const struct Comm* const comm = any_comm(from);
    const int steps = 1 + draw(from, 6), count = 1 + draw(from, 60), settles = draw(from, 2);
    const struct Type* const type = &types[draw(from, type_count)];
    if (comm->handle == MPI_COMM_NULL) return;
    for (int step = 0; step < steps; step++) {
        for (int side = 0; side < 2; side++) {
            const int other = (comm->me + (side ? 1 : comm->size - 1)) % comm->size;
            const struct Receive wanted = {0, other, 10 + side, count, type, comm->handle};
            receive(&wanted);
        }
        for (int side = 0; side < 2; side++)
            send(0, 0, type, count, (comm->me + (side ? comm->size - 1 : 1)) % comm->size,
                 10 + side, comm->handle);
        if (settles) settle_all();
    }
}

/* A pair of requests that is started again and again; both ends of it on each rank. */
void persistent(struct Draw* from) {
    typedef int Init(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
    static Init* const inits[] = {MPI_Send_init, MPI_Ssend_init, MPI_Bsend_init, MPI_Rsend_init};
    const struct Comm* const comm = any_comm(from);
    const int mode = draw(from, 3), times = 1 + draw(from, 5), together = draw(from, 2);
    int way = draw(from, 4);
    const int ints = 1 + draw(from, 30), tag = 20 + draw(from, 3);
    if (way == 1 && lacks(lack_testall_of_several)) way = 0;
    if (comm->handle == MPI_COMM_NULL) return;
    int *const sent = room(ints, MPI_INT), *const received = room(ints, MPI_INT);
    MPI_Request both[2];
    MPI_Status statuses[2];
    if (mode == 2) attach();
    MPI_Recv_init(received, ints, MPI_INT, (comm->me + 1) % comm->size, tag, comm->handle,
                  &both[0]);
    inits[mode](sent, ints, MPI_INT, (comm->me + comm->size - 1) % comm->size, tag, comm->handle,
                &both[1]);
    for (int i = 0; i < times; i++) {
        int flag = 0, index, some;
        if (together) MPI_Startall(2, both);
        if (!together) MPI_Start(&both[0]), MPI_Start(&both[1]);
        if (way == 0) MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
        if (way == 1)
            while (!flag) MPI_Testall(2, both, &flag, statuses);
        if (way == 2)
            for (int k = 0; k < 2; k++) MPI_Waitany(2, both, &index, &statuses[0]);
        if (way == 3)
            for (int left = 2, indices[2]; left > 0; left -= some)
                MPI_Waitsome(2, both, &some, indices, statuses);
        if (lacks(lack_early_starts)) MPI_Barrier(comm->handle);  // all is received
    }
    MPI_Request_free(&both[0]);
    MPI_Request_free(&both[1]);
    free(received);
    if (mode == 2) detach();
    free(sent);
}

/* A receive that nobody answers. */
void cancelled(struct Draw* from) {
    const struct Comm* const comm = any_comm(from);
    const int any = draw(from, 2), ints = 1 + draw(from, 9);
    if (comm->handle == MPI_COMM_NULL) return;
    if (lacks(lack_cancel_beside_collectives)) settle_all();
    int* const memory = room(ints, MPI_INT);
    int flag;
    MPI_Request request;
    MPI_Status status;
    MPI_Irecv(memory, ints, MPI_INT, any ? MPI_ANY_SOURCE : 0, UNUSED_TAG - 2, comm->handle,
              &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &flag);
    expect(flag, "a cancelled receive");
    free(memory);
}

/* Numbers and words in one message. */
void packed(struct Draw* from) {
    const struct Comm* const comm = any_comm(from);
    const int root = draw(from, comm->size), numbers = 1 + draw(from, 6), tag = 30;
    char bytes[256], letters[4] = "abc";
    double values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    int position = 0;
    if (comm->handle == MPI_COMM_NULL || comm->size == 1) return;
    if (comm->me == root) {
        MPI_Pack(values, numbers, MPI_DOUBLE, bytes, sizeof bytes, &position, comm->handle);
        MPI_Pack(letters, 4, MPI_CHAR, bytes, sizeof bytes, &position, comm->handle);
        MPI_Send(bytes, position, MPI_PACKED, (root + 1) % comm->size, tag, comm->handle);
    } else if (comm->me == (root + 1) % comm->size) {
        MPI_Recv(bytes, sizeof bytes, MPI_PACKED, root, tag, comm->handle, MPI_STATUS_IGNORE);
        MPI_Unpack(bytes, sizeof bytes, &position, values, numbers, MPI_DOUBLE, comm->handle);
        MPI_Unpack(bytes, sizeof bytes, &position, letters, 4, MPI_CHAR, comm->handle);
        expect(values[0] == 1 && letters[2] == 'c', "a packed message");
    }
}

/* A send whose request is given up at once. */
void given_up(struct Draw* from) {
    const struct Comm* const comm = any_comm(from);
    const int sender = draw(from, comm->size), receiver = draw(from, comm->size);
    static int kept[64];
    int received[64];
    MPI_Request request;
    if (comm->handle == MPI_COMM_NULL) return;
    if (comm->me == sender) {
        MPI_Isend(kept, 64, MPI_INT, receiver, 40, comm->handle, &request);
        MPI_Request_free(&request);
    }
    if (comm->me == receiver)
        MPI_Recv(received, 64, MPI_INT, sender, 40, comm->handle, MPI_STATUS_IGNORE);
}
