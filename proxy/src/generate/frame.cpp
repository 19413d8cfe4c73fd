#include "generate/frame.hpp"

#include "generate/check_text.hpp"
#include "generate/helpers.hpp"

#include <algorithm>
#include <cctype>

namespace refrain::proxy {
namespace {

std::string variable(const char* type, const char* name, std::int64_t count) {
    return std::string("static ") + type + " " + name + "[" + std::to_string(count) + "];\n";
}

std::size_t phases_of(const Frame& frame) {
    return static_cast<std::size_t>(std::count_if(frame.loops.begin(), frame.loops.end(),
                                                  [](const Loop& loop) { return loop.top; }));
}

/// The loops by name, and how often they are made.
std::string loops_text(const Frame& frame) {
    if (frame.loops.empty()) return {};
    std::string constants, names, times;
    for (const Loop& loop : frame.loops) {
        constants += constant_of(loop.name) + ", ";
        names += (names.empty() ? "\"" : ", \"") + loop.name + "\"";
        times += (times.empty() ? "" : ", ") + std::to_string(loop.times);
    }
    return "\n/* Loops that all ranks make together, and how often. The first " +
           std::to_string(phases_of(frame)) + " are phases of the run. */\nenum { " + constants +
           "LOOPS };\nstatic const char *const loop_names[] = {" + names +
           "};\nstatic long times[] = {" + times + "}; /* --repeat */\n";
}

/// Which phase the program is in, and what each took.
std::string phases_text(const Frame& frame) {
    const std::size_t phases = phases_of(frame);
    if (phases == 0) return {};
    return "\nenum { PHASES = " + std::to_string(phases) + R"( };
static long warmup;                       /* --warmup */
static int only = -1;                     /* --phase */
static int phase = PHASES;                /* PHASES: what lies outside of all phases */
static double phase_seconds[PHASES + 1], since;

static void enter(int next)
{
    const double now = seconds(CLOCK_MONOTONIC);
    phase_seconds[phase] += now - since;
    since = now;
    phase = next;
    muted = only >= 0 && phase != only;
}

/* An iteration of a phase begins: those that warm up are none of it. */
COLD static void early_iteration(int loop, long i)
{
    if (i == 0 || i == -warmup)
        enter(i < 0 ? PHASES : loop);
}
static inline void iteration(int loop, long i)
{
    if (i <= 0)
        early_iteration(loop, i);
}
)";
}

/// What the program prints about itself.
std::string finish_text(const Frame& frame, bool has_arena) {
    const std::size_t phases = phases_of(frame);
    const std::string figures = std::to_string(phases == 0 ? 2 : 3 + phases);
    std::string text = R"(
/* Called before MPI ends. */
static void finish(void)
{
    enum { FIGURES = )" +
                       figures + R"( };
    if (json) {
        double mine[FIGURES], *const all = calloc((size_t)FIGURES * RANKS, sizeof *all);
        if (all == NULL)
            MPI_Abort(MPI_COMM_WORLD, 3);
        mine[0] = seconds(CLOCK_MONOTONIC) - began;
        mine[1] = worked;
)";
    if (phases != 0)
        text += R"(        enter(PHASES);
        for (int i = 0; i <= PHASES; i++)
            mine[2 + i] = phase_seconds[i];
)";
    text +=
        R"(        MPI_Gather(mine, FIGURES, MPI_DOUBLE, all, FIGURES, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        if (me[0] == 0) {
            printf("{\"ranks\": %d, \"compute\": %g, \"bytes\": %g, \"seconds\": [", RANKS, compute, bytes);
            for (int i = 0; i < RANKS; i++)
                printf("%s%.6f", i == 0 ? "" : ", ", all[FIGURES * i]);
            printf("], \"work_seconds\": [");
            for (int i = 0; i < RANKS; i++)
                printf("%s%.6f", i == 0 ? "" : ", ", all[FIGURES * i + 1]);
)";
    if (phases != 0)
        text += R"(            printf("], \"phases\": [");
            for (int k = 0; k <= PHASES; k++) {
                double least = all[2 + k], most = least, sum = 0;
                for (int i = 0; i < RANKS; i++) {
                    const double one = all[FIGURES * i + 2 + k];
                    least = one < least ? one : least;
                    most = one > most ? one : most;
                    sum += one;
                }
                printf("%s{\"name\": \"%s\", \"times\": %ld, \"least\": %.6f, \"mean\": %.6f, \"most\": %.6f}",
                       k == 0 ? "" : ", ", k < PHASES ? loop_names[k] : "rest", k < PHASES ? times[k] : 1, least,
                       sum / RANKS, most);
            }
)";
    text += R"(            printf("]}\n");
        }
        free(all);
    }
)";
    if (frame.checks)
        text += R"(    if (checks) {
        long mine_checked[2], all_checked[2];
        mine_checked[0] = checked_messages;
        mine_checked[1] = wrong_messages;
        MPI_Allreduce(mine_checked, all_checked, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        wrong_messages = all_checked[1];
        if (me[0] == 0)
            fprintf(stderr, "proxy: --check: %ld messages received, %ld of them wrong\n", all_checked[0], all_checked[1]);
    }
)";
    if (frame.has_files) text += "    wait_for_all();\n    remove_scratch();\n";
    if (has_arena) text += "    FREE_ARENA(arena);\n";
    if (has_arena && frame.sized != nullptr) text += "    free(place);\n";
    return text + "}\n\n";
}

std::string arena_text(const Frame& frame) {
    std::string text =
        "\n/* All messages lie in one arena; what was in use at the same time has places of its "
        "own. */\nstatic char *arena;\n";
    if (frame.sized != nullptr) {
        text += "static size_t *place;";
    } else {
        text += "static const size_t place[] = {";
        for (std::size_t i = 0; i < frame.slot_places.size(); ++i)
            text += (i == 0 ? "" : ", ") + std::to_string(frame.slot_places[i]);
        text += "};";
    }
    return text + R"(
static size_t widened = 1; /* more with --bytes */

/* Under SMPI all ranks live in one process: there they share the arena, so that thousands have room. */
#ifdef SMPI_H
#define FREE_ARENA(at) SMPI_SHARED_FREE(at)
#else
#define FREE_ARENA(at) free(at)
#endif

static void new_arena(size_t all)
{
#ifdef SMPI_H
    arena = SMPI_SHARED_MALLOC(all);
#else
    void *lines = NULL; /* places are aligned as the program's memory is */
    arena = posix_memalign(&lines, 64, all) == 0 ? lines : NULL;
#endif
    if (arena == NULL) {
        fprintf(stderr, "proxy: there is no memory for %zu bytes\n", all);
        exit(3);
    }
    /* Ordinary numbers: reductions of others can be slow. */
    for (size_t i = 0; i + sizeof(double) <= all; i += sizeof(double)) {
        const double number = 1.0;
        memcpy(arena + i, &number, sizeof number);
    }
}

static void *buffer(long slot)
{
    return arena + place[slot] * widened;
}
)";
}

/// What happens before MPI begins, and when it has begun.
std::string begin_text(const Frame& frame, bool has_arena) {
    const std::string bytes = std::to_string(frame.arena_bytes);
    std::string text =
        "\n/* Called before MPI begins, since the program did nothing of this. */\nstatic void "
        "prepare(void)\n{\n";
    if (has_arena && frame.sized == nullptr)
        text += "    while ((double)widened < bytes)\n        widened++;\n    new_arena(" + bytes +
                " * widened);\n";
    if (!frame.blocks.empty()) text += "    prepare_blocks();\n    scale_blocks(compute);\n";
    // Looking a function up takes some 1,000 instructions, at its first call: not between calls of MPI.
    text +=
        "    began = seconds(CLOCK_MONOTONIC); /* finds the clock, as the next line finds free "
        "*/\n";
    if (has_arena) text += "    char *volatile nothing = NULL;\n    free(nothing);\n";
    text += R"(}

/* Called when MPI has begun. */
static void begin(void)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &me[0]);
    MPI_Comm_size(MPI_COMM_WORLD, &size[0]);
    size[1] = 1;
)";
    text += frame.sized != nullptr ? frame.sized->begin : R"(    if (size[0] != RANKS) {
        if (me[0] == 0)
            fprintf(stderr, "proxy: this program was recorded on %d ranks, and runs on no other number; here are %d\n",
                    RANKS, size[0]);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
)";
    if (frame.threads != 0)
        text += R"(    int provided;
    MPI_Query_thread(&provided);
    if (provided < MPI_THREAD_MULTIPLE) {
        if (me[0] == 0)
            fprintf(stderr, "proxy: threads call MPI at once here, and this MPI does not bear that\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
)";
    if (frame.has_files) text += "    remove_scratch();\n    wait_for_all();\n";
    text += "    began = seconds(CLOCK_MONOTONIC);\n";
    if (phases_of(frame) != 0) text += "    since = began;\n    enter(PHASES);\n";
    return text + "}\n";
}

/// Nothing is left of an earlier run, and nothing is left behind: ranks wait for each other, since MPI_Init and MPI_Finalize
/// need not.
std::string scratch_text(const CallText& calls) {
    if (calls.filenames.empty()) return {};
    std::string numbers;
    for (const std::int64_t number : calls.filenames)
        numbers += (numbers.empty() ? "" : ", ") + std::to_string(number);
    return R"(
/* A collective call that the program does not make, and that nobody counts. */
static void wait_for_all(void)
{
    static char mine, all[RANKS];
    int ones[RANKS], places[RANKS];
    for (int i = 0; i < RANKS; i++) {
        ones[i] = 1;
        places[i] = i;
    }
    PMPI_Allgatherv(&mine, 1, MPI_CHAR, all, ones, places, MPI_CHAR, MPI_COMM_WORLD);
}
)"
           "\n/* Before anybody opens a file, and when nobody does any more. */\nstatic void "
           "remove_scratch(void)\n{\n    static const int numbers[] = {" +
           numbers + R"(};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        remove(scratch_name(numbers[i]));
}
)";
}

constexpr const char* work_text = R"(
/* Computes for a time: processor time, unless it is too short to be measured so; under SMPI, simulated time. */
static void work(double duration)
{
    if (muted)
        return;
    worked += duration * compute;
#ifdef SMPI_H
    /* SMPI leaves out what is shorter than a microsecond: it is added up. */
    static double due;
    due += duration * compute;
    if (due >= 1e-6) {
        smpi_execute(due);
        due = 0;
    }
#else
    const clockid_t clock = duration < 20e-6 ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID;
    const double end = seconds(clock) + duration * compute;
    while (seconds(clock) < end) {
    }
#endif
}
)";

constexpr const char* team_text = R"(
/* The same, and then a team of OpenMP threads computes for a time, each of them. */
static void work_in_team(double alone, int threads, double in_team)
{
    work(alone);
    if (muted)
        return;
#ifdef SMPI_H
    (void)threads;
    work(in_team);
#else
    worked += in_team * compute;
#pragma omp parallel num_threads(threads)
    {
        const double end = seconds(CLOCK_THREAD_CPUTIME_ID) + in_team * compute;
        while (seconds(CLOCK_THREAD_CPUTIME_ID) < end) {
        }
    }
#endif
}
)";

constexpr const char* seconds_text = R"(
static double seconds(clockid_t clock)
{
#ifdef SMPI_H /* where clock_gettime takes simulated time, which polls depend on */
    double simgrid_get_clock(void);
    (void)clock;
    return simgrid_get_clock();
#else
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
#endif
}
)";

/// Other threads: each says its number to the recorder of this program, since chance decides which calls first.
std::string threads_text(const Frame& frame) {
    return "\n/* Threads besides the first one, by number. */\nstatic pthread_t thread[" +
           std::to_string(frame.threads + 1) + "];\nstatic double worked_in_thread[" +
           std::to_string(frame.threads + 1) + R"(];
#ifdef SMPI_H
#error "SMPI's ranks have one thread each: this program needs another MPI"
#endif

static void start_thread(int number, void *(*function)(void *))
{
    if (pthread_create(&thread[number], NULL, function, NULL) != 0) {
        fprintf(stderr, "proxy: there is no room for another thread\n");
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
}

static void join_thread(int number)
{
    pthread_join(thread[number], NULL);
    worked += worked_in_thread[number];
}

/* Whoever records this program is told which of its threads this is. */
static void begin_thread(int number)
{
    MPI_Pcontrol(0x54485244, number);
}

static void end_thread(int number)
{
    worked_in_thread[number] = worked;
}
)";
}

}  // namespace

std::string constant_of(const std::string& name) {
    std::string text = name;
    for (char& letter : text) letter = static_cast<char>(std::toupper(letter));
    return text;
}

std::string frame_before(const CallText& calls, const Frame& frame) {
    std::set<std::string> used = calls.helpers;
    add_needs(used);
    const bool has_arena = used.contains("buffer");
    std::string text =
        (frame.sized != nullptr ? "#define RANKS (size[0])\n"
                                : "enum { RANKS = " + std::to_string(frame.ranks) + " };\n") +
        "\n/* By communicator: the handle, the rank of this process, the number of ranks. 0 "
        "is "
        "MPI_COMM_WORLD, 1 is MPI_COMM_SELF. */\n";
    if (calls.windows != 0)
        text += "/* Behind them, windows have a place each. */\nenum { COMMS = " +
                std::to_string(calls.comms) + " };\n";
    text += variable("int", "me", calls.comms + calls.windows) +
            variable("int", "size", calls.comms + calls.windows);
    if (used.contains("joined") || calls.comms > 2)
        text += variable("MPI_Comm", "comm", calls.comms);
    if (used.contains("group"))
        text += variable("MPI_Group", "group", std::max<std::int64_t>(calls.groups, 1));
    if (used.contains("type")) text += variable("MPI_Datatype", "type", calls.types);
    if (used.contains("op")) text += variable("MPI_Op", "op", calls.ops);
    if (used.contains("request"))
        text += frame.sized != nullptr
                    ? "static MPI_Request *request;\n"
                    : variable("MPI_Request", "request", std::max<std::int64_t>(calls.requests, 1));
    if (used.contains("message")) text += variable("MPI_Message", "message", calls.messages);
    if (used.contains("info")) text += variable("MPI_Info", "info", calls.infos);
    if (used.contains("window")) text += variable("MPI_Win", "window", calls.windows);
    if (used.contains("keyval")) text += variable("int", "keyval", calls.keyvals);
    if (used.contains("allocated")) text += variable("void *", "allocated", calls.memories);
    if (used.contains("file")) text += variable("MPI_File", "file", calls.files);
    if (!calls.filenames.empty()) text += "static const char *scratch = \".\"; /* --scratch */\n";
    text +=
        "\n/* What happens under few options only stays away from what happens always. */\n#ifdef "
        "__GNUC__\n#define COLD __attribute__((cold, noinline))\n#define NOINLINE "
        "__attribute__((noinline))\n#else\n#define COLD\n#define NOINLINE\n#endif\n"
        "\nstatic double compute = 1; /* --compute */\nstatic double bytes = 1;   /* --bytes */\n"
        "static int json;          /* --json */\n";
    text += frame.threads == 0 ? "static double began, worked;\n"
                               : "static double began;\nstatic __thread double worked;\n";
    if (frame.sized == nullptr) text += "static int resized;       /* bytes is not 1 */\n";
    if (frame.checks)
        text +=
            "static int checks;        /* --check */\nstatic long checked_messages, "
            "wrong_messages;\n";
    const bool computes = used.contains("work") || !frame.blocks.empty();
    if (computes || phases_of(frame) != 0)
        text += "static int muted; /* does not compute: outside of --phase */\n";
    if (frame.sized != nullptr) {
        if (frame.sized->has_sizes)
            text += "static long problem = " + std::to_string(frame.sized->size_default) +
                    "; /* --size */\n";
        text += frame.sized->helpers;
    }
    if (has_arena) text += arena_text(frame);
    text += seconds_text;
    text += loops_text(frame) + phases_text(frame);
    if (used.contains("work")) text += work_text;
    if (used.contains("work_in_team")) text += team_text;
    text += frame.blocks;
    if (frame.threads != 0) text += threads_text(frame);
    if (frame.has_files)
        text += "\nstatic void remove_scratch(void);\nstatic void wait_for_all(void);\n";
    text += begin_text(frame, has_arena) + finish_text(frame, has_arena);
    if (frame.checks) text += check_text();
    return text + helpers_text(used, frame.checks, frame.threads != 0) + scratch_text(calls);
}

}  // namespace refrain::proxy
