#include "generate/check_text.hpp"

#include <algorithm>
#include <array>

namespace refrain::proxy {
namespace {

constexpr std::array senders = {
    Function::Send_,     Function::Bsend_,           Function::Ssend_,  Function::Rsend_,
    Function::Isend_,    Function::Ibsend_,          Function::Issend_, Function::Irsend_,
    Function::Sendrecv_, Function::Sendrecv_replace_};
constexpr std::array receivers = {Function::Recv_, Function::Irecv_, Function::Sendrecv_,
                                  Function::Sendrecv_replace_};
constexpr std::array unchecked = {
    Function::Send_init_,  Function::Bsend_init_, Function::Ssend_init_,
    Function::Rsend_init_, Function::Recv_init_,  Function::Mprobe_,
    Function::Improbe_,    Function::Cancel_,     Function::Request_free_};

}  // namespace

bool can_check(const std::set<Function>& used) {
    const auto has = [&](const auto& functions) {
        return std::any_of(functions.begin(), functions.end(),
                           [&](Function function) { return used.contains(function); });
    };
    return has(senders) && has(receivers) && !has(unchecked);
}

const char* check_text() {
    return R"(
/* Under SMPI ranks share the memory of their messages: there is nothing to check. */
#ifdef SMPI_H
#define arrived() ((void)0)
#else
/* With --check: a message that is under way. */
struct message_check {
    void *memory; /* where it is received; of a send, memory of its own */
    int count, sender, tag;
    MPI_Datatype type;
    MPI_Request *request; /* NULL: done when the call returns */
    struct message_check *next;
};
static struct message_check *under_way;

/* Byte i of a message of so many bytes; never 255, which is written where it will be received. All of them follow from the
 * length, so that a message whose end is lost is wrong from its first byte. */
static unsigned char message_byte(int sender, int tag, int length, int i)
{
    const unsigned long mixed = (sender + 1UL) * 2654435761UL ^ (tag + 1UL) * 40503UL ^ (i + 1UL) * 2246822519UL ^
                                (length + 1UL) * 3266489917UL;
    return (unsigned char)(mixed >> 13 & 127);
}

/* All bytes of a message as they travel; `sender` < 0: as nobody sends them. */
static void write_message(void *memory, int count, MPI_Datatype type, int sender, int tag)
{
    int room, size, position = 0;
    PMPI_Pack_size(count, type, MPI_COMM_SELF, &room);
    PMPI_Type_size(type, &size);
    unsigned char *const bytes_there = malloc((size_t)room + 1);
    for (int i = 0; i < room; i++)
        bytes_there[i] = sender < 0 ? 255 : message_byte(sender, tag, count * size, i);
    PMPI_Unpack(bytes_there, room, &position, memory, count, type, MPI_COMM_SELF);
    free(bytes_there);
}

static void compare_message(const struct message_check *message)
{
    int room, length = 0, i = 0;
    PMPI_Pack_size(message->count, message->type, MPI_COMM_SELF, &room);
    unsigned char *const bytes_there = malloc((size_t)room + 1);
    PMPI_Pack(message->memory, message->count, message->type, bytes_there, room, &length, MPI_COMM_SELF);
    while (length > 0 && bytes_there[length - 1] == 255)
        length--;
    while (i < length && bytes_there[i] == message_byte(message->sender, message->tag, length, i))
        i++;
    checked_messages++;
    if (i < length && wrong_messages++ < 5)
        fprintf(stderr, "proxy: --check: rank %d: of %d bytes from rank %d with tag %d, %d are right and byte %d is not\n",
                me[0], length, message->sender, message->tag, i, i);
    free(bytes_there);
}

static void follow_message(void *memory, int count, MPI_Datatype type, int sender, int tag, MPI_Request *request)
{
    struct message_check *const message = malloc(sizeof *message);
    *message = (struct message_check){memory, count, sender, tag, MPI_DATATYPE_NULL, request, under_way};
    if (sender >= 0)
        PMPI_Type_dup(type, &message->type); /* the program may free it before */
    under_way = message;
}

/* What is sent in place of `given`. */
COLD static const void *message_copy(const void *given, int count, MPI_Datatype type, int dest, int tag, MPI_Comm where,
                        MPI_Request *request)
{
    MPI_Aint low, extent, first, length;
    int sender;
    if (dest == MPI_PROC_NULL || count <= 0)
        return given;
    PMPI_Comm_rank(where, &sender);
    PMPI_Type_get_extent(type, &low, &extent);
    PMPI_Type_get_true_extent(type, &first, &length);
    const MPI_Aint steps = (count - 1) * extent;
    low = first + (steps < 0 ? steps : 0);
    char *const memory = calloc((size_t)(length + (steps < 0 ? -steps : steps)) + 1, 1);
    write_message(memory - low, count, type, sender, tag);
    follow_message(memory, count, type, -1, tag, request);
    return memory - low;
}

static inline const void *sent(const void *given, int count, MPI_Datatype type, int dest, int tag, MPI_Comm where,
                               MPI_Request *request)
{
    return checks ? message_copy(given, count, type, dest, tag, where, request) : given;
}

/* A receive is about to be posted. */
COLD static void await_message(void *memory, int count, MPI_Datatype type, int source, int tag, MPI_Comm where, MPI_Request *request)
{
    (void)where;
    if (source == MPI_PROC_NULL)
        return;
    write_message(memory, count, type, -1, tag);
    follow_message(memory, count, type, source, tag, request);
}

static inline void awaited(void *memory, int count, MPI_Datatype type, int source, int tag, MPI_Comm where,
                           MPI_Request *request)
{
    if (checks)
        await_message(memory, count, type, source, tag, where, request);
}

/* Looks at what is done: a receive is compared, memory of a send is given back. */
COLD static void look_at_messages(void)
{
    struct message_check **at = &under_way;
    while (*at != NULL) {
        struct message_check *const message = *at;
        if (message->request != NULL && *message->request != MPI_REQUEST_NULL) {
            at = &message->next;
            continue;
        }
        if (message->sender >= 0) {
            compare_message(message);
            PMPI_Type_free(&message->type);
        } else {
            free(message->memory);
        }
        *at = message->next;
        free(message);
    }
}

static inline void arrived(void)
{
    if (under_way != NULL)
        look_at_messages();
}

#define MPI_Send(b, n, t, d, g, c) (MPI_Send(sent(b, n, t, d, g, c, NULL), n, t, d, g, c), arrived())
#define MPI_Bsend(b, n, t, d, g, c) (MPI_Bsend(sent(b, n, t, d, g, c, NULL), n, t, d, g, c), arrived())
#define MPI_Ssend(b, n, t, d, g, c) (MPI_Ssend(sent(b, n, t, d, g, c, NULL), n, t, d, g, c), arrived())
#define MPI_Rsend(b, n, t, d, g, c) (MPI_Rsend(sent(b, n, t, d, g, c, NULL), n, t, d, g, c), arrived())
#define MPI_Isend(b, n, t, d, g, c, q) MPI_Isend(sent(b, n, t, d, g, c, q), n, t, d, g, c, q)
#define MPI_Ibsend(b, n, t, d, g, c, q) MPI_Ibsend(sent(b, n, t, d, g, c, q), n, t, d, g, c, q)
#define MPI_Issend(b, n, t, d, g, c, q) MPI_Issend(sent(b, n, t, d, g, c, q), n, t, d, g, c, q)
#define MPI_Irsend(b, n, t, d, g, c, q) MPI_Irsend(sent(b, n, t, d, g, c, q), n, t, d, g, c, q)
#define MPI_Recv(b, n, t, s, g, c, u) (awaited(b, n, t, s, g, c, NULL), MPI_Recv(b, n, t, s, g, c, u), arrived())
#define MPI_Irecv(b, n, t, s, g, c, q) (awaited(b, n, t, s, g, c, q), MPI_Irecv(b, n, t, s, g, c, q))
#define MPI_Sendrecv(b, n, t, d, g, rb, rn, rt, s, rg, c, u) \
    (awaited(rb, rn, rt, s, rg, c, NULL), \
     MPI_Sendrecv(sent(b, n, t, d, g, c, NULL), n, t, d, g, rb, rn, rt, s, rg, c, u), arrived())
#define MPI_Sendrecv_replace(b, n, t, d, g, s, rg, c, u) \
    (checks ? MPI_Sendrecv(b, n, t, d, g, b, n, t, s, rg, c, u) : (void)MPI_Sendrecv_replace(b, n, t, d, g, s, rg, c, u))
#define MPI_Wait(q, u) (MPI_Wait(q, u), arrived())
#define MPI_Waitall(n, q, u) (MPI_Waitall(n, q, u), arrived())
#define MPI_Test(q, f, u) (MPI_Test(q, f, u), arrived())
#endif
)";
}

}  // namespace refrain::proxy
