#include "generate/frame.hpp"

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
    Helper{"neighbour", R"(
/* The rank so many places further on in communicator c, around the end. */
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
    Helper{"combine", R"(
/* Stands in for the program's own operation. */
static void combine(void *in, void *inout, int *count, MPI_Datatype *datatype)
{
    (void)in, (void)inout, (void)count, (void)datatype;
}
)",
           ""},
    Helper{"own_errhandler", R"(
/* Stands in for the program's own handler, which was never called. */
static void handle_error(MPI_Comm *where, int *error, ...)
{
    (void)error;
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
    Helper{"start_all", R"(
static void start_all(int count, const int *which)
{
    MPI_Request chosen[MOST_REQUESTS];
    int i;
    for (i = 0; i < count; i++)
        chosen[i] = request[which[i]];
    MPI_Startall(count, chosen);
    for (i = 0; i < count; i++)
        request[which[i]] = chosen[i];
}
)",
           "most"},
    Helper{"attach", R"(
static void attach(int bytes)
{
    MPI_Buffer_attach(malloc((size_t)bytes), bytes);
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
/* Waits for a request without completing it: it is completed by the call that follows. */
static void until_done(MPI_Request waiting)
{
    int done = 0;
    while (waiting != MPI_REQUEST_NULL && !done)
        MPI_Request_get_status(waiting, &done, MPI_STATUS_IGNORE);
}
)",
           ""},
    Helper{"ask", R"(
/* A test that the program was answered with "no": asks, and leaves the request as it is. */
static void ask(MPI_Request waiting)
{
    int done;
    MPI_Request_get_status(waiting, &done, MPI_STATUS_IGNORE);
}
)",
           ""},
    Helper{"wait_all", R"(
static void wait_all(int count, const int *which)
{
    MPI_Request chosen[MOST_REQUESTS];
    int i;
    for (i = 0; i < count; i++)
        chosen[i] = which[i] < 0 ? MPI_REQUEST_NULL : request[which[i]];
    MPI_Waitall(count, chosen, no_statuses);
    for (i = 0; i < count; i++)
        if (which[i] >= 0)
            request[which[i]] = chosen[i];
}
)",
           "most no_statuses"},
    Helper{"test_all", R"(
static void test_all(int count, const int *which)
{
    MPI_Request chosen[MOST_REQUESTS];
    int i;
    for (i = 0; i < count; i++) {
        chosen[i] = which[i] < 0 ? MPI_REQUEST_NULL : request[which[i]];
        until_done(chosen[i]);
    }
    MPI_Testall(count, chosen, &answer, no_statuses);
    for (i = 0; i < count; i++)
        if (which[i] >= 0)
            request[which[i]] = chosen[i];
}
)",
           "until_done answer most no_statuses"},
    Helper{"wait_any", R"(
/* The request that the program got is the only one that this call sees. */
static void wait_any(int count, const int *which, int index)
{
    MPI_Request chosen[MOST_REQUESTS];
    int i;
    for (i = 0; i < count; i++)
        chosen[i] = i == index ? request[which[i]] : MPI_REQUEST_NULL;
    MPI_Waitany(count, chosen, &answer, MPI_STATUS_IGNORE);
    if (index >= 0)
        request[which[index]] = chosen[index];
}
)",
           "answer most"},
    Helper{"test_any", R"(
/* The request that the program got is the only one that this call sees. */
static void test_any(int count, const int *which, int index)
{
    MPI_Request chosen[MOST_REQUESTS];
    int i, flag;
    for (i = 0; i < count; i++) {
        chosen[i] = i == index ? request[which[i]] : MPI_REQUEST_NULL;
        until_done(chosen[i]);
    }
    MPI_Testany(count, chosen, &answer, &flag, MPI_STATUS_IGNORE);
    if (index >= 0)
        request[which[index]] = chosen[index];
}
)",
           "until_done answer most"},
    Helper{"choose", R"(
/* The requests that the program got are the only ones that the call sees, and they are done. */
static void choose(MPI_Request *chosen, int count, const int *which, int found, const int *indices)
{
    int i;
    for (i = 0; i < count; i++)
        chosen[i] = MPI_REQUEST_NULL;
    for (i = 0; i < found; i++) {
        chosen[indices[i]] = request[which[indices[i]]];
        until_done(chosen[indices[i]]);
    }
}

static void chosen_are(const MPI_Request *chosen, const int *which, int found, const int *indices)
{
    int i;
    for (i = 0; i < found; i++)
        request[which[indices[i]]] = chosen[indices[i]];
}
)",
           "until_done"},
    Helper{"wait_some", R"(
static void wait_some(int count, const int *which, int found, const int *indices)
{
    MPI_Request chosen[MOST_REQUESTS];
    int done[MOST_REQUESTS];
    choose(chosen, count, which, found, indices);
    MPI_Waitsome(count, chosen, &answer, done, no_statuses);
    chosen_are(chosen, which, found, indices);
}
)",
           "choose answer most no_statuses"},
    Helper{"test_some", R"(
static void test_some(int count, const int *which, int found, const int *indices)
{
    MPI_Request chosen[MOST_REQUESTS];
    int done[MOST_REQUESTS];
    choose(chosen, count, which, found, indices);
    MPI_Testsome(count, chosen, &answer, done, no_statuses);
    chosen_are(chosen, which, found, indices);
}
)",
           "choose answer most no_statuses"},
};

std::string variable(const char* type, const char* name, std::int64_t count) {
    return std::string("static ") + type + " " + name + "[" + std::to_string(count) + "];\n";
}

}  // namespace

std::string frame_before(const CallText& calls, std::uint32_t ranks,
                         const std::vector<std::int64_t>& slot_places, std::int64_t arena_bytes,
                         const std::string& blocks) {
    std::set<std::string> used = calls.helpers;
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
    const bool needs_requests = used.contains("request") || used.contains("most");
    std::string text = "enum { RANKS = " + std::to_string(ranks);
    if (used.contains("most"))
        text +=
            ", MOST_REQUESTS = " + std::to_string(std::max<std::int64_t>(calls.most_requests, 1));
    text +=
        " };\n\n/* By communicator: the handle, the rank of this process, the number of ranks. 0 "
        "is "
        "MPI_COMM_WORLD, 1 is MPI_COMM_SELF. */\n";
    text += variable("int", "me", calls.comms) + variable("int", "size", calls.comms);
    if (used.contains("joined") || calls.comms > 2)
        text += variable("MPI_Comm", "comm", calls.comms);
    if (used.contains("group"))
        text += variable("MPI_Group", "group", std::max<std::int64_t>(calls.groups, 1));
    if (used.contains("type")) text += variable("MPI_Datatype", "type", calls.types);
    if (used.contains("op")) text += variable("MPI_Op", "op", calls.ops);
    if (needs_requests)
        text += variable("MPI_Request", "request", std::max<std::int64_t>(calls.requests, 1));
    if (used.contains("message")) text += variable("MPI_Message", "message", calls.messages);
    if (used.contains("info")) text += variable("MPI_Info", "info", calls.infos);
    text +=
        "\nstatic double compute = 1; /* --compute */\nstatic int json;        /* --json */\n"
        "static double began, worked;\n";
    if (used.contains("buffer")) {
        text +=
            "\n/* All messages lie in one arena; what was in use at the same time has places of "
            "its own. */\n"
            "static char *arena;\nstatic const size_t place[] = {";
        for (std::size_t i = 0; i < slot_places.size(); ++i)
            text += (i == 0 ? "" : ", ") + std::to_string(slot_places[i]);
        text += "};\n\nstatic void *buffer(int slot)\n{\n    return arena + place[slot];\n}\n";
    }
    text += R"(
static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
)";
    if (used.contains("work"))
        text += R"(
/* Computes for a time: processor time, unless it is too short to be measured so. */
static void work(double duration)
{
    const clockid_t clock = duration < 20e-6 ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID;
    const double end = seconds(clock) + duration * compute;
    worked += duration * compute;
    while (seconds(clock) < end) {
    }
}
)";
    text += blocks;
    const std::string bytes = std::to_string(arena_bytes);
    text +=
        "\n/* Called before MPI begins, since the program did nothing of this. */\nstatic void "
        "prepare(void)\n{\n";
    if (used.contains("buffer")) {
        text += "    arena = malloc(" + bytes + ");\n";
        text +=
            "    if (arena == NULL) {\n        fprintf(stderr, \"proxy: there is no memory for " +
            bytes + " bytes\\n\");\n        exit(3);\n    }\n";
        text += "    /* Ordinary numbers: reductions of others can be slow. */\n";
        text += "    for (size_t i = 0; i + sizeof(double) <= " + bytes +
                "; i += sizeof(double)) {\n        const double number = 1.0;\n"
                "        memcpy(arena + i, &number, sizeof number);\n    }\n";
    }
    if (!blocks.empty()) text += "    prepare_blocks();\n    scale_blocks(compute);\n";
    text += R"(}

/* Called when MPI has begun. */
static void begin(void)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &me[0]);
    MPI_Comm_size(MPI_COMM_WORLD, &size[0]);
    size[1] = 1;
    if (size[0] != RANKS) {
        if (me[0] == 0)
            fprintf(stderr, "proxy: this program was recorded on %d ranks, and runs on no other number; here are %d\n",
                    RANKS, size[0]);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    began = seconds(CLOCK_MONOTONIC);
}
)";
    text += R"(
/* Called before MPI ends. */
static void finish(void)
{
    double mine[2], all[2 * RANKS];
    if (json) {
        mine[0] = seconds(CLOCK_MONOTONIC) - began;
        mine[1] = worked;
        MPI_Gather(mine, 2, MPI_DOUBLE, all, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        if (me[0] == 0) {
            printf("{\"ranks\": %d, \"compute\": %g, \"seconds\": [", RANKS, compute);
            for (int i = 0; i < RANKS; i++)
                printf("%s%.6f", i == 0 ? "" : ", ", all[2 * i]);
            printf("], \"work_seconds\": [");
            for (int i = 0; i < RANKS; i++)
                printf("%s%.6f", i == 0 ? "" : ", ", all[2 * i + 1]);
            printf("]}\n");
        }
    }
)";
    if (used.contains("buffer")) text += "    free(arena);\n";
    text += "}\n\n";
    for (const Helper& helper : helpers)
        if (used.contains(helper.name)) text += helper.text;
    return text;
}

std::string frame_behind() {
    return R"(
static void usage(void)
{
    printf("usage: mpirun -n %d ./proxy [--compute F] [--json]\n"
           "  --compute F   computes F times as long between calls; 0: only communicates\n"
           "  --json        prints the time of each rank\n",
           RANKS);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--compute") == 0 && i + 1 < argc) {
            compute = atof(argv[++i]);
        } else if (strcmp(argv[i], "--json") == 0) {
            json = 1;
        } else if (strcmp(argv[i], "--help") == 0) {
            usage();
            return 0;
        } else {
            fprintf(stderr, "proxy: unknown argument '%s'; --help lists them\n", argv[i]);
            return 2;
        }
    }
    prepare();
    program(&argc, &argv);
    return 0;
}
)";
}

}  // namespace refrain::proxy
