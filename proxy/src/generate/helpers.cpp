#include "generate/helpers.hpp"

#include <array>
#include <utility>

namespace refrain::proxy {
namespace {

struct Helper {
    const char* name;
    const char* text;
    const char* needs;  // another one, or ""
};

/// Each after those that it needs.
constexpr std::array helpers = {
    Helper{"no_comm", "static MPI_Comm no_comm;\n", ""},
    Helper{"empty_group", R"(
/* A place for MPI_GROUP_EMPTY, which a call makes or frees. */
static MPI_Group *empty_group(void)
{
    static MPI_Group empty;
    empty = MPI_GROUP_EMPTY;
    return &empty;
}
)",
           ""},
    Helper{"no_request", "static MPI_Request no_request = MPI_REQUEST_NULL;\n", ""},
    Helper{"no_message", "static MPI_Message no_message = MPI_MESSAGE_NO_PROC;\n", ""},
    Helper{"no_statuses",
           "/* Volatile: gcc takes MPICH's MPI_STATUSES_IGNORE for an array of no bytes, and "
           "warns. */\n"
           "static MPI_Status *volatile no_statuses = MPI_STATUSES_IGNORE;\n",
           ""},
    Helper{"unweighted", R"(
/* Volatile: gcc takes it for an array of no bytes, and warns. */
static int *unweighted(void)
{
    int *volatile weights = MPI_UNWEIGHTED;
    return weights;
}
)",
           ""},
    Helper{"weights_empty", R"(
static int *weights_empty(void)
{
    int *volatile weights = MPI_WEIGHTS_EMPTY;
    return weights;
}
)",
           ""},
    Helper{"answer", "static int answer; /* what calls return and nobody reads */\n", ""},
    Helper{"window_memory",
           "static void *window_memory; /* where MPI says that a window lies; nobody reads it */\n",
           ""},
    Helper{"error_class",
           "static int error_class = MPI_ERR_OTHER; /* the latest one that was added */\n", ""},
    Helper{"error_code", "static int error_code = MPI_ERR_OTHER; /* likewise */\n", ""},
    Helper{"scratch_name", R"(
/* The program's files, by number. */
static const char *scratch_name(int number)
{
    static char name[4096];
    if (snprintf(name, sizeof name, "%s/proxy-scratch-%d", scratch, number) >= (int)sizeof name) {
        fprintf(stderr, "proxy: --scratch: this name is too long\n");
        exit(2);
    }
    return name;
}
)",
           ""},
    Helper{"scratch_file", R"(
/* A file, at least as large as the program found it. */
static const char *scratch_file(int number, long long size_found)
{
    const char *const name = scratch_name(number);
    FILE *const there = fopen(name, "ab");
    if (there != NULL && fseek(there, 0, SEEK_END) == 0 && ftell(there) < size_found &&
        ftruncate(fileno(there), (off_t)size_found) != 0)
        perror(name);
    if (there == NULL || fclose(there) != 0)
        perror(name);
    return name;
}
)",
           "scratch_name"},
    Helper{"neighbour", R"(
/* The rank `distance` places after this one in communicator c, wrapping around. */
static int neighbour(int c, int distance)
{
    return ((me[c] + distance) % size[c] + size[c]) % size[c];
}
)",
           ""},
    Helper{"joined", R"(
/* A communicator has been made: who am I in it? */
static void joined(int c)
{
    MPI_Comm_rank(comm[c], &me[c]);
    MPI_Comm_size(comm[c], &size[c]);
}
)",
           ""},
    Helper{"attribute",
           "static int attribute; /* what the program keeps in attributes is its own */\n", ""},
    Helper{"attribute_found", "static void *attribute_found;\n", ""},
    Helper{"copied_attribute", "static int copied_attribute; /* what a call copied */\n", ""},
    Helper{"copy_Comm_attribute", R"(
/* Stands in for the program's own function. */
static int copy_Comm_attribute(MPI_Comm from, int key, void *extra, void *value, void *copy, int *flag)
{
    (void)from, (void)key, (void)extra, (void)value;
    *(void **)copy = &copied_attribute;
    *flag = 1;
    return MPI_SUCCESS;
}
)",
           "copied_attribute"},
    Helper{"delete_Comm_attribute", R"(
/* Stands in for the program's own function. */
static int delete_Comm_attribute(MPI_Comm from, int key, void *value, void *extra)
{
    (void)from, (void)key, (void)value, (void)extra;
    return MPI_SUCCESS;
}
)",
           ""},
    Helper{"decline_Comm_attribute", R"(
/* The program's own function did not copy this attribute, or deleted it, as a call will find. */
static void decline_Comm_attribute(MPI_Comm where, int key)
{
    int there = 0;
    PMPI_Comm_get_attr(where, key, &attribute_found, &there);
    if (there)
        PMPI_Comm_delete_attr(where, key);
}
)",
           "attribute_found"},
    Helper{"copy_Type_attribute", R"(
/* Stands in for the program's own function. */
static int copy_Type_attribute(MPI_Datatype from, int key, void *extra, void *value, void *copy, int *flag)
{
    (void)from, (void)key, (void)extra, (void)value;
    *(void **)copy = &copied_attribute;
    *flag = 1;
    return MPI_SUCCESS;
}
)",
           "copied_attribute"},
    Helper{"delete_Type_attribute", R"(
/* Stands in for the program's own function. */
static int delete_Type_attribute(MPI_Datatype from, int key, void *value, void *extra)
{
    (void)from, (void)key, (void)value, (void)extra;
    return MPI_SUCCESS;
}
)",
           ""},
    Helper{"decline_Type_attribute", R"(
/* The program's own function did not copy this attribute, or deleted it, as a call will find. */
static void decline_Type_attribute(MPI_Datatype where, int key)
{
    int there = 0;
    PMPI_Type_get_attr(where, key, &attribute_found, &there);
    if (there)
        PMPI_Type_delete_attr(where, key);
}
)",
           "attribute_found"},
    Helper{"copy_Win_attribute", R"(
/* Stands in for the program's own function. */
static int copy_Win_attribute(MPI_Win from, int key, void *extra, void *value, void *copy, int *flag)
{
    (void)from, (void)key, (void)extra, (void)value;
    *(void **)copy = &copied_attribute;
    *flag = 1;
    return MPI_SUCCESS;
}
)",
           "copied_attribute"},
    Helper{"delete_Win_attribute", R"(
/* Stands in for the program's own function. */
static int delete_Win_attribute(MPI_Win from, int key, void *value, void *extra)
{
    (void)from, (void)key, (void)value, (void)extra;
    return MPI_SUCCESS;
}
)",
           ""},
    Helper{"find_arenas", R"(
/* A dynamic window is accessed by addresses at the target: where does each of its ranks have its arena? A collective call that
 * the program does not make, and that nobody counts. */
static MPI_Aint *arenas[sizeof window / sizeof window[0]];

static void find_arenas(int w, MPI_Comm where)
{
    MPI_Aint mine;
    int ranks;
    PMPI_Get_address(arena, &mine);
    PMPI_Comm_size(where, &ranks);
    arenas[w] = realloc(arenas[w], (size_t)ranks * sizeof mine);
    if (arenas[w] == NULL)
        MPI_Abort(MPI_COMM_WORLD, 3);
    {
        int ones[ranks], places[ranks], i;
        for (i = 0; i < ranks; i++) {
            ones[i] = 1;
            places[i] = i;
        }
        PMPI_Allgatherv(&mine, 1, MPI_AINT, arenas[w], ones, places, MPI_AINT, where);
    }
}
)",
           "buffer window"},
    Helper{"attached", R"(
/* Memory that the target has attached to window w. A slot has the same place in the arena of each rank. */
static MPI_Aint attached(int w, int target, int slot, MPI_Aint offset)
{
    return arenas[w][target] + (MPI_Aint)(place[slot] * widened) + offset;
}
)",
           "find_arenas"},
    Helper{"combine", R"(
/* Stands in for the program's own operation. */
static void combine(void *in, void *inout, int *count, MPI_Datatype *datatype)
{
    (void)in, (void)inout, (void)count, (void)datatype;
}
)",
           ""},
    Helper{"handler_called", "static int handler_called; /* by the program itself */\n", ""},
    Helper{"own_errhandler", R"(
/* Stands in for the program's own handler, which was called by MPI_Comm_call_errhandler only, if at all. */
static void handle_error(MPI_Comm *where, int *error, ...)
{
    (void)error;
    if (!handler_called)
        MPI_Abort(*where, 4);
}

static MPI_Errhandler own_errhandler(void)
{
    static MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    if (handler == MPI_ERRHANDLER_NULL)
        MPI_Comm_create_errhandler(handle_error, &handler);
    return handler;
}
)",
           "handler_called"},
    Helper{"known_type",
           "static MPI_Datatype known_type; /* one that MPI has anyway; nobody reads it */\n", ""},
    Helper{"long_at", R"(
/* Where MPI_Pack_external and MPI_Unpack_external go on. */
static MPI_Aint *long_at(MPI_Aint bytes)
{
    static MPI_Aint position;
    position = bytes;
    return &position;
}
)",
           ""},
    Helper{"at", R"(
/* Where packing goes on. */
static int *at(int bytes)
{
    static int position;
    position = bytes;
    return &position;
}
)",
           ""},
    Helper{"copy_request", R"(
/* A call of several requests finds them in an array. MPI gives several requests one value: whoever records this program is
 * told which one is copied. */
static void copy_request(MPI_Request *to, int number)
{
    *to = number < 0 ? MPI_REQUEST_NULL : request[number];
#ifndef SMPI_H
    if (number >= 0)
        MPI_Pcontrol(0x52455143, &request[number], to);
#endif
}
)",
           "request"},
    Helper{"start_all", R"(
static void start_all(int count, const int *which)
{
    MPI_Request chosen[count + 1];
    int i;
    for (i = 0; i < count; i++)
        copy_request(&chosen[i], which[i]);
    MPI_Startall(count, chosen);
    for (i = 0; i < count; i++)
        request[which[i]] = chosen[i];
}
)",
           "copy_request"},
    Helper{"elements", R"(
/* A number of elements that --bytes made of another. */
COLD static int elements(double number)
{
    if (number > 2147483647.0) {
        fprintf(stderr, "proxy: --bytes %g: a message would have %.0f elements\n", bytes, number);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    return (int)number;
}
)",
           ""},
    Helper{"scaled", R"(
/* So many elements are sent, with --bytes: at least one. */
COLD static int scaled_count(int count)
{
    const int now = elements(count * bytes);
    return now > 0 ? now : 1;
}
static inline int scaled(int count)
{
    return resized ? scaled_count(count) : count;
}
)",
           "elements"},
    Helper{"room_for", R"(
/* A receive has room for at least what is sent, whatever its datatype. */
COLD static int room_for_scaled(int count)
{
    const int now = elements(count * bytes);
    return bytes <= 1 ? count : now < count * bytes ? now + 1 : now;
}
static inline int room_for(int count)
{
    return resized ? room_for_scaled(count) : count;
}
)",
           "elements"},
    Helper{"moved", R"(
/* Where the elements of a rank begin: those before have ended. */
COLD static int moved_by_scale(int place)
{
    const int now = elements(place * bytes);
    return bytes < 1 ? place : now < place * bytes ? now + 1 : now;
}
static inline int moved(int place)
{
    return resized ? moved_by_scale(place) : place;
}
)",
           "elements"},
    Helper{"stretch", R"(
/* Memory for `count` elements of a derived datatype: with --bytes they may need more than the slot has. */
COLD static void *stretch_slot(int slot, int count, MPI_Datatype datatype)
{
    static struct memory {
        char *bytes;
        MPI_Aint before, behind;
    } larger[sizeof place / sizeof place[0]];
    struct memory *const own = &larger[slot];
    MPI_Aint low, extent, first, length, steps;
    if (bytes <= 1)
        return buffer(slot);
    MPI_Type_get_extent(datatype, &low, &extent);
    MPI_Type_get_true_extent(datatype, &first, &length);
    steps = count > 1 ? (count - 1) * extent : 0;
    low = first + (steps < 0 ? steps : 0);
    length += first + (steps > 0 ? steps : 0);
    if (own->bytes == NULL || -low > own->before || length > own->behind) {
        /* What lies there already may be in use: it stays. */
        own->before = low < 0 ? (-low + 63) / 64 * 64 : 0;
        own->behind = length > 0 ? length : 1;
        own->bytes = calloc((size_t)(own->before + own->behind), 1);
        if (own->bytes == NULL)
            MPI_Abort(MPI_COMM_WORLD, 3);
    }
    return own->bytes + own->before;
}
static inline void *stretch(int slot, int count, MPI_Datatype datatype)
{
    return resized ? stretch_slot(slot, count, datatype) : buffer(slot);
}
)",
           "buffer"},
    Helper{"attach", R"(
static void attach(int size_of_it)
{
    const int now = bytes > 1 ? (int)(size_of_it * bytes) : size_of_it;
    MPI_Buffer_attach(malloc((size_t)now), now);
}
)",
           ""},
    Helper{"detach", R"(
static void detach(void)
{
    void *attached;
    int bytes;
    MPI_Buffer_detach(&attached, &bytes);
    free(attached);
}
)",
           ""},
    Helper{"until_done", R"(
/* Waits for a request without completing it: it is completed by the call that follows. SMPI cannot: there that call is made
 * again if it comes too early. */
static void until_done(MPI_Request waiting)
{
#ifdef SMPI_H
    (void)waiting;
#else
    int done = 0;
    while (waiting != MPI_REQUEST_NULL && !done)
        MPI_Request_get_status(waiting, &done, MPI_STATUS_IGNORE);
#endif
}
)",
           ""},
    Helper{"ask", R"(
/* A test that the program was answered with "no": asks, and leaves the request as it is. SMPI cannot: there the same is asked
 * at the same simulated time. */
static void ask(MPI_Request *waiting)
{
    int done;
#ifdef SMPI_H
    MPI_Test(waiting, &done, MPI_STATUS_IGNORE);
#else
    MPI_Request_get_status(*waiting, &done, MPI_STATUS_IGNORE);
#endif
}
)",
           ""},
    Helper{"look", R"(
/* The program looked at a request, and was told that it is not done: looks once, whatever the answer is now. */
static void look(MPI_Request waiting)
{
    int done;
    MPI_Request_get_status(waiting, &done, MPI_STATUS_IGNORE);
}
)",
           ""},
    Helper{"look_until_done", R"(
/* It was told that the request is done. */
static void look_until_done(MPI_Request waiting)
{
    int done = 0;
    while (!done)
        MPI_Request_get_status(waiting, &done, MPI_STATUS_IGNORE);
}
)",
           ""},
    Helper{"probe", R"(
/* Answered with "yes": once the message is there. Under SMPI a probe that waits takes another time. */
static void probe(int source, int tag, MPI_Comm where)
{
#ifndef SMPI_H
    MPI_Probe(source, tag, where, MPI_STATUS_IGNORE);
#endif
    do
        MPI_Iprobe(source, tag, where, &answer, MPI_STATUS_IGNORE);
    while (!answer);
}
)",
           "answer"},
    Helper{"test", R"(
/* Answered with "yes". */
static void test(MPI_Request *waiting)
{
    until_done(*waiting);
    do
        MPI_Test(waiting, &answer, MPI_STATUS_IGNORE);
    while (!answer);
}
)",
           "until_done answer"},
    Helper{"test_window", R"(
/* Answered with "yes". */
static void test_window(MPI_Win exposed)
{
    do
        MPI_Win_test(exposed, &answer);
    while (!answer);
}
)",
           "answer"},
    Helper{"wait_all", R"(
static void wait_all(int count, const int *which)
{
    MPI_Request chosen[count + 1];
    int i;
    for (i = 0; i < count; i++)
        copy_request(&chosen[i], which[i]);
    MPI_Waitall(count, chosen, no_statuses);
    for (i = 0; i < count; i++)
        if (which[i] >= 0)
            request[which[i]] = chosen[i];
    arrived();
}
)",
           "copy_request no_statuses"},
    Helper{"test_all", R"(
static void test_all(int count, const int *which)
{
    MPI_Request chosen[count + 1];
    int i;
    for (i = 0; i < count; i++) {
        copy_request(&chosen[i], which[i]);
        until_done(chosen[i]);
    }
    do
        MPI_Testall(count, chosen, &answer, no_statuses);
    while (!answer);
    for (i = 0; i < count; i++)
        if (which[i] >= 0)
            request[which[i]] = chosen[i];
    arrived();
}
)",
           "copy_request until_done answer no_statuses"},
    Helper{"wait_any", R"(
/* The request that the program got is the only one that this call sees. */
static void wait_any(int count, const int *which, int index)
{
    MPI_Request chosen[count + 1];
    int i;
    for (i = 0; i < count; i++)
        copy_request(&chosen[i], i == index ? which[i] : -1);
    MPI_Waitany(count, chosen, &answer, MPI_STATUS_IGNORE);
    if (index >= 0)
        request[which[index]] = chosen[index];
    arrived();
}
)",
           "copy_request answer"},
    Helper{"test_any", R"(
/* The request that the program got is the only one that this call sees. */
static void test_any(int count, const int *which, int index)
{
    MPI_Request chosen[count + 1];
    int i, flag;
    for (i = 0; i < count; i++) {
        copy_request(&chosen[i], i == index ? which[i] : -1);
        until_done(chosen[i]);
    }
    do
        MPI_Testany(count, chosen, &answer, &flag, MPI_STATUS_IGNORE);
    while (!flag);
    if (index >= 0)
        request[which[index]] = chosen[index];
    arrived();
}
)",
           "copy_request until_done answer"},
    Helper{"poll_again", R"(
/* Computes between two polls. */
static int poll_again(double seconds)
{
    if (seconds > 0)
        work(seconds);
    return 1;
}
)",
           ""},
    Helper{"poll_test", R"(
/* Polls until it is told yes. */
static void poll_test(MPI_Request *waiting, double pause)
{
    do
        MPI_Test(waiting, &answer, MPI_STATUS_IGNORE);
    while (!answer && poll_again(pause));
}
)",
           "poll_again answer"},
    Helper{"poll_test_all", R"(
static void poll_test_all(int count, const int *which, double pause)
{
    MPI_Request chosen[count + 1];
    int i;
    for (i = 0; i < count; i++)
        copy_request(&chosen[i], which[i]);
    do
        MPI_Testall(count, chosen, &answer, no_statuses);
    while (!answer && poll_again(pause));
    for (i = 0; i < count; i++)
        if (which[i] >= 0)
            request[which[i]] = chosen[i];
    arrived();
}
)",
           "poll_again copy_request answer no_statuses"},
    Helper{"poll_test_any", R"(
/* The request that the program got is the only one that this call sees. */
static void poll_test_any(int count, const int *which, int index, double pause)
{
    MPI_Request chosen[count + 1];
    int i, flag;
    for (i = 0; i < count; i++)
        copy_request(&chosen[i], i == index ? which[i] : -1);
    do
        MPI_Testany(count, chosen, &answer, &flag, MPI_STATUS_IGNORE);
    while (!flag && poll_again(pause));
    if (index >= 0)
        request[which[index]] = chosen[index];
    arrived();
}
)",
           "poll_again copy_request answer"},
    Helper{"poll_probe", R"(
/* Polls until the message is there. */
static void poll_probe(int source, int tag, MPI_Comm where, double pause)
{
    do
        MPI_Iprobe(source, tag, where, &answer, MPI_STATUS_IGNORE);
    while (!answer && poll_again(pause));
}
)",
           "poll_again answer"},
    Helper{"poll_matched", R"(
static void poll_matched(int source, int tag, MPI_Comm where, MPI_Message *found, double pause)
{
    do
        MPI_Improbe(source, tag, where, &answer, found, MPI_STATUS_IGNORE);
    while (!answer && poll_again(pause));
}
)",
           "poll_again answer"},
    Helper{"choose", R"(
/* The requests that the program got are the only ones that the call sees, and they are done. */
static void choose(MPI_Request *chosen, int count, const int *which, int found, const int *indices)
{
    int i;
    for (i = 0; i < count; i++)
        chosen[i] = MPI_REQUEST_NULL;
    for (i = 0; i < found; i++) {
        copy_request(&chosen[indices[i]], which[indices[i]]);
        until_done(chosen[indices[i]]);
    }
}

static void chosen_are(const MPI_Request *chosen, const int *which, int found, const int *indices)
{
    int i;
    for (i = 0; i < found; i++)
        request[which[indices[i]]] = chosen[indices[i]];
    arrived();
}
)",
           "copy_request until_done"},
    Helper{"wait_some", R"(
static void wait_some(int count, const int *which, int found, const int *indices)
{
    MPI_Request chosen[count + 1];
    int done[count + 1], left = found;
    choose(chosen, count, which, found, indices);
    do
        MPI_Waitsome(count, chosen, &answer, done, no_statuses);
    while (answer != MPI_UNDEFINED && (left -= answer) > 0);
    chosen_are(chosen, which, found, indices);
}
)",
           "choose answer request no_statuses"},
    Helper{"test_some", R"(
static void test_some(int count, const int *which, int found, const int *indices)
{
    MPI_Request chosen[count + 1];
    int done[count + 1], left = found;
    choose(chosen, count, which, found, indices);
    do
        MPI_Testsome(count, chosen, &answer, done, no_statuses);
    while (answer != MPI_UNDEFINED && (left -= answer) > 0);
    chosen_are(chosen, which, found, indices);
}
)",
           "choose answer request no_statuses"},
};

}  // namespace

void add_needs(std::set<std::string>& used) {
    for (std::size_t i = helpers.size(); i-- > 0;) {
        if (!used.contains(helpers[i].name)) continue;
        std::string word;
        for (const char letter : std::string(helpers[i].needs) + " ") {
            if (letter != ' ')
                word += letter;
            else if (!word.empty())
                used.insert(std::exchange(word, std::string()));
        }
    }
}

std::string helpers_text(const std::set<std::string>& used, bool checks, bool threads) {
    std::string text;
    for (const Helper& helper : helpers)
        if (used.contains(helper.name)) text += helper.text;
    const std::string line = "    arrived();\n";
    for (std::size_t at = 0; !checks && (at = text.find(line, at)) != text.npos;)
        text.erase(at, line.size());
    for (const char* const variable :
         {"int answer;", "MPI_Comm no_comm;", "MPI_Group empty;", "MPI_Request no_request",
          "MPI_Message no_message", "void *window_memory;", "void *attribute_found;",
          "char name[4096];", "MPI_Errhandler handler", "int position;", "MPI_Aint position;",
          "int handler_called;", "MPI_Datatype known_type;"})
        if (const auto at = text.find(std::string("static ") + variable);
            threads && at != text.npos)
            text.insert(at + std::string("static ").size(), "__thread ");
    return text;
}

}  // namespace refrain::proxy
