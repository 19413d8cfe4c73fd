#include "generate/blocks.hpp"

#include "events/metrics.hpp"
#include "generate/portable_blocks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <span>

#include "fit/fit.hpp"

namespace refrain::proxy {
namespace {

/// Words for registers: [i] an integer, [m] memory that stays in the first cache, [w] the wide memory, [s] as much that is
/// written as one pass of `line` reads, [p] a place in one of them, [r] an element of its ring, [n] the count of the loop; r8 to r11 and xmm8 to xmm12 are free.
struct Body {
    const char* kind;
    const char* what;
    const char* before;  // the loop
    const char* copied;
    int length;  // of what is copied, as far as the sizes count it
    /// Branches have one size: what MPI does in between makes predictors forget, and each copy would have to be learnt anew.
    std::span<const int> steps = block_steps;
};
/// Numbers come from registers: a constant in memory would be one more page. The upper half of xmm12 is cleared: sums of tiny
/// numbers that others left there would take a hundred times as long.
constexpr const char* one_and_zeros =
    "mov $1, %%r8d\n\tpxor %%xmm12, %%xmm12\n\tcvtsi2sd %%r8, %%xmm12\n\tpxor %%xmm8, "
    "%%xmm8\n\tpxor %%xmm9, "
    "%%xmm9\n\tpxor %%xmm10, %%xmm10\n\tpxor %%xmm11, %%xmm11";
/// In the order in which an event runs them: what nobody can foresee comes last. What misses takes places from as few others as it
/// can: pages have one set of a table of 16 sets, and their lines one of a cache.
constexpr std::array bodies = {
    Body{"chain", "additions, each waits for the one before", "", "add $3, %[i]", 1},
    Body{"wide", "additions that wait for little", "",
         "add $3, %%r8\n\tadd $3, %%r9\n\tadd $3, %%r10\n\tadd $3, %%r11", 4},
    Body{"multiply", "multiplications, each waits for the one before", "", "imul $5, %[i], %[i]",
         1},
    Body{"load", "reads of one line", "",
         "add 64(%[m]), %%r8\n\tadd 64(%[m]), %%r9\n\tadd 72(%[m]), %%r10\n\tadd 72(%[m]), %%r11",
         4},
    Body{"store", "writes of one line", "", "mov %[i], 64(%[m])", 1},
    Body{"fill", "writes by one instruction that repeats itself, as memset and calloc do", "",
         "lea 64(%[m]), %%rdi\n\tmov $512, %%ecx\n\txor %%eax, %%eax\n\trep stosb", 8, one_size},
    Body{"flop", "additions of numbers, each waits for the one before", one_and_zeros,
         "addsd %%xmm12, %%xmm8", 1},
    Body{"flops", "additions of numbers that wait for little", one_and_zeros,
         "addsd %%xmm12, %%xmm8\n\taddsd %%xmm12, %%xmm9\n\taddsd %%xmm12, %%xmm10\n\taddsd "
         "%%xmm12, %%xmm11",
         4},
    Body{"vector", "additions of two numbers at once that wait for little", one_and_zeros,
         "addpd %%xmm12, %%xmm8\n\taddpd %%xmm12, %%xmm9\n\taddpd %%xmm12, %%xmm10\n\taddpd "
         "%%xmm12, %%xmm11",
         4},
    Body{"divide", "divisions of numbers", one_and_zeros, "divsd %%xmm12, %%xmm8", 1},
    Body{"load_flop", "numbers read and added", one_and_zeros,
         "addsd 128(%[m]), %%xmm8\n\taddsd 128(%[m]), %%xmm9\n\taddsd 136(%[m]), %%xmm10\n\taddsd "
         "136(%[m]), %%xmm11",
         4},
    Body{"branch", "branches that are never taken", "test %[n], %[n]", "js 3f", 1, one_size},
    Body{"line", "reads, each of another line", "",
         "add (%[w],%[p]), %[i]\n\tadd $64, %[p]\n\tand $0xffff, %[p]", 1, miss_steps},
    Body{"spill", "writes, each of another line", "",
         "mov %[i], (%[s],%[p])\n\tadd $64, %[p]\n\tand $0xffff, %[p]", 1, miss_steps},
    Body{"page",
         "reads of 16 pages that want the same place in a table of pages, and lines that want the "
         "same in a cache",
         "", "add (%[w],%[p]), %[i]\n\tadd $65536, %[p]\n\tand $0xfffff, %[p]", 1, miss_steps},
    Body{"ring",
         "reads of eight pages that want the same place in a table of pages, of lines that stay",
         "", "mov (%[r]), %[r]", 1, miss_steps},
    Body{"turn", "loops of 16 branches, whose end a short memory does not foresee", "",
         "mov $16, %%r8d\n4:\n\tdec %%r8\n\tjnz 4b", 8, one_size},
    Body{"guess", "branches at random", "movabs $6364136223846793005, %[p]",
         "imul %[p], %[i]\n\tadd $1442695, %[i]\n\tbt $60, %[i]\n\tjc 2f\n2:", 4, one_size},
};

std::string c_string(const char* assembly) {
    std::string text;
    for (const char* at = assembly; *at != '\0'; ++at) {
        if (*at == '\n')
            text += "\\n";
        else if (*at == '\t')
            text += "\\t";
        else
            text += *at;
    }
    return text;
}

const Body& body_of(const std::string& kind) {
    return *std::find_if(bodies.begin(), bodies.end(),
                         [&](const Body& body) { return kind == body.kind; });
}

/// A variable of the loop, in which it uses a word, and where that lives between executions.
struct Word {
    const char* name;
    const char* type;
    const char* lives;  // a variable; empty: 1, each time anew
};
Word word_of(const Body& body, char name) {
    const std::string kind = body.kind;
    if (name == 'i') return {"i", "unsigned long", kind == "guess" ? "block_integer" : ""};
    if (name == 'p')
        return {"p", "unsigned long",
                kind == "guess"   ? ""
                : kind == "page"  ? "block_page"
                : kind == "spill" ? "block_spill"
                                  : "block_place"};
    return {"r", "unsigned long *", "block_ring"};
}

std::string definition(const Block& block) {
    const Body& body = body_of(block.kind);
    const auto has = [&](const std::string& word) {
        return (std::string(body.before) + body.copied).find("%[" + word + "]") !=
               std::string::npos;
    };
    const bool uses_rax = block.kind == "fill";
    // What comes behind is foreseen by the latest branches, which shall be the same each time.
    const std::string forgetting =
        block.kind == "guess" ? ".rept 12\\n\\tjs 4f\\n\\t.endr\\n4:\\n\\t" : "";
    std::string declared, kept, outputs, inputs;
    for (const char name : {'i', 'p', 'r'}) {
        if (!has({name})) continue;
        const Word word = word_of(body, name);
        const std::string lives = word.lives;
        const std::string type = word.type;
        declared += "    " + type + (type.back() == '*' ? "" : " ") + name + " = " +
                    (lives.empty() ? "1" : lives) + ";\n";
        outputs += std::string(", [") + name + "] \"+r\"(" + name + ")";
        if (!lives.empty()) kept += "    " + lives + " = " + name + ";\n";
    }
    // No branch of the loop's own, and none whether there is anything to do: a predictor that looks at the latest branches has to
    // learn them turn by turn, each time that they are cold.
    const std::string again = uses_rax ? "%%r10" : "%%rax", behind = uses_rax ? "%%r11" : "%%rcx";
    if (has("m")) inputs = "[m] \"r\"(hot)";
    if (has("s")) inputs = "[s] \"r\"(spilt)";
    if (has("w")) inputs = "[w] \"r\"(memory)";
    return "\n/* " + std::string(body.what) + " */\n__attribute__((noinline)) static void " +
           block.name + "(unsigned long n)\n{\n" + declared + "    __asm__ volatile(\"" +
           c_string(body.before) + "\\n\\tlea 1f(%%rip), " + again + "\\n\\tlea 3f(%%rip), " +
           behind + "\\n\\tinc %[n]\\n\\tjmp 5f\\n1:\\n\\t.rept " + std::to_string(block.copies) +
           "\\n\\t\"\n                     \"" + c_string(body.copied) +
           "\\n\\t.endr\\n5:\\n\\tdec %[n]\\n\\tcmovz " + behind + ", " + again + "\\n\\tjmp *" +
           again + "\\n3:\\n\\t" + forgetting + "\"\n" + "                     : [n] \"+r\"(n)" +
           outputs + "\n                     : " + inputs +
           "\n                     : BLOCK_CHANGES);\n" + kept + "}\n";
}

constexpr const char* machinery_before = R"(
/* ---- What is computed between calls: blocks that the compiler leaves as they are */

#if !defined(__x86_64__)
#error "the blocks are of x86-64; for other processors generate the proxy with --blocks portable"
#endif

static unsigned long memory[1 << 17] __attribute__((aligned(4096)));
/* Beside the shares, so that it is no page of its own. */
static unsigned long hot[72] __attribute__((aligned(64))) = {1};
static unsigned long spilt[1 << 13] __attribute__((aligned(4096)));
static unsigned long block_integer = 1, block_place = 1, block_page = 1, block_spill = 1, *block_ring = memory;
static unsigned long first_page; /* of those that blocks miss */

#define BLOCK_CHANGES "cc", "memory", "rax", "rcx", "rdi", "r8", "r9", "r10", "r11", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12"
)";

constexpr const char* machinery_behind = R"(
/* A ring through eight pages: each needs its own place in a table of pages, where tables of 16 sets have one set for all, with
   less than eight places. What the program and MPI have in other sets stays; it is the set farthest from that of the stack. */
static void prepare_blocks(void)
{
    int i;
    first_page = (((size_t)&i >> 12) + 8 - ((size_t)memory >> 12)) % 16;
    block_place = 0;
    block_page = first_page * 4096 + 4032;
    block_ring = memory + first_page * 512;
    for (i = 0; i < 8; i++)
        block_ring[i * 8192 + i * 8] = (unsigned long)&block_ring[(i + 1) % 8 * 8192 + (i + 1) % 8 * 8];
    block_spill = 0;
    block_integer |= hot[0] | spilt[0];
}
)";

/// What blocks write is each thread's own; what they only read is everybody's.
std::string team_variables(const std::string& variables, const std::string& preparation) {
    return R"(
/* SMPI's ranks have one thread each. */
#ifndef SMPI_H
#pragma omp threadprivate()" +
           variables + ")\n#endif\n\n/* What the blocks of a thread begin with. */\n" +
           "static void prepare_thread(void)\n{\n" + preparation + "}\n";
}

constexpr const char* counted_team_text = R"(
typedef void (*event)(void);
static int prepared;
#ifndef SMPI_H
#pragma omp threadprivate(prepared)
#endif

/* What one thread computes alone, and then what each of a team computes, behind which NULL stands. */
NOINLINE static void compute_in_team(event alone, const event *team)
{
    int threads = 0;
    if (alone != NULL)
        compute_event(alone);
    if (muted || team == NULL)
        return;
    while (team[threads] != NULL)
        threads++;
    const double start = json ? seconds(CLOCK_MONOTONIC) : 0;
#ifndef SMPI_H
#pragma omp parallel for num_threads(threads) schedule(static, 1)
#endif
    for (int thread = 0; thread < threads; thread++) {
        if (!prepared) {
            prepare_thread();
            prepared = 1;
        }
        team[thread]();
    }
    if (json)
        worked += seconds(CLOCK_MONOTONIC) - start;
}
)";

/// What a predictor learns in the first dozen turns of some loops, before MPI begins: blocks were measured when it knew.
std::string warming(const std::vector<Block>& blocks, const std::set<std::size_t>& used) {
    std::string text;
    for (const std::size_t block : used)
        if (blocks[block].kind == "turn" || blocks[block].kind == "fill")
            text += "    " + blocks[block].name + "(32);\n";
    return text.empty() ? ""
                        : "    /* The ends of these loops are foreseen from here on. */\n" + text;
}

/// The rate of a share, upwards, so that the last execution completes what is due.
///
/// share_text(2.5) -> "{2, 2147483648, 0}"
std::string share_text(double rate) {
    constexpr double unit = 4294967296.0;
    double whole = std::floor(rate), fraction = std::ceil((rate - whole) * unit);
    if (fraction == unit) ++whole, fraction = 0;
    return "{" + std::to_string(static_cast<unsigned long long>(whole)) + ", " +
           std::to_string(static_cast<unsigned int>(fraction)) + ", 0}";
}

std::vector<Block> assembly_blocks() {
    std::vector<Block> all;
    for (const Body& body : bodies)
        for (const int size : body.steps)
            all.push_back({std::string(body.kind) + "_" + std::to_string(size), body.kind,
                           size / body.length});
    return all;
}

}  // namespace

const std::vector<Block>& all_blocks(BlockKind kind) {
    static const std::vector<Block> assembly = assembly_blocks(), portable = portable_blocks();
    return kind == BlockKind::assembly ? assembly : portable;
}

std::optional<std::size_t> block_named(BlockKind kind, const std::string& name) {
    const auto& all = all_blocks(kind);
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const Block& block) { return block.name == name; });
    if (found == all.end()) return std::nullopt;
    return static_cast<std::size_t>(found - all.begin());
}

std::string blocks_text(BlockKind kind, std::span<const BlockEvent> events, Teams teams) {
    const std::vector<Block>& blocks = all_blocks(kind);
    const bool portable = kind == BlockKind::portable;
    std::set<std::size_t> used;
    for (const BlockEvent& event : events)
        for (const auto& [block, rate] : event.rates) used.insert(block);
    std::string text = portable ? portable_variables() : machinery_before;
    if (teams == Teams::some)
        text +=
            portable
                ? team_variables(
                      "hot, block_place, block_page, block_ring",
                      "    block_ring = memory + first_page;\n    hot.self = &hot.to_itself;\n"
                      "    hot.to_itself.next = &hot.to_itself;\n"
                      "    block_page = first_page + 4032 / sizeof(union cell);\n")
                : team_variables(
                      "hot, spilt, block_integer, block_place, block_page, block_spill, block_ring",
                      "    block_place = 0;\n    block_spill = 0;\n    block_page = first_page * "
                      "4096 + 4032;\n"
                      "    block_ring = memory + first_page * 512;\n");
    for (const std::size_t block : used)
        text += portable ? portable_definition(blocks[block]) : definition(blocks[block]);
    std::string preparation = portable ? portable_preparation() : machinery_behind;
    preparation.resize(preparation.rfind('}'));
    text += preparation + warming(blocks, used) + "}\n";
    text += R"(
/* How often an event repeats a block when it runs it, in whole and in 2 to the -32; what is left of one is carried to the next
   time. */
static struct share {
    unsigned long long whole;
    unsigned int fraction, carried;
} shares[] = {
)";
    std::string functions;
    std::size_t share = 0;
    for (std::size_t i = 0; i < events.size(); ++i) {
        functions += "\n/* " + events[i].comment + " */\nstatic void event_" + std::to_string(i) +
                     "(void)\n{\n";
        // Much that is done seldom: each block that is begun has a cost of its own.
        if (const std::string every = std::to_string(events[i].every); events[i].every > 1)
            functions += "    static long waits = " + std::to_string(first_run(events[i].every)) +
                         ";\n    if (--waits != 0)\n        return;\n    waits = " + every + ";\n";
        for (const auto& [block, rate] : events[i].rates) {
            text += "    " + share_text(rate) + ",\n";
            functions += "    compute_share(" + blocks[block].name + ", &shares[" +
                         std::to_string(share++) + "]);\n";
        }
        functions += "}\n";
    }
    if (share == 0) text += "    {0, 0, 0},\n";
    return text + R"(};

static inline void compute_share(void (*block)(unsigned long), struct share *share)
{
    const unsigned long long carried = 0ULL + share->carried + share->fraction;
    const unsigned long long due = share->whole + (carried >> 32);
    share->carried = (unsigned int)(carried & 0xffffffff);
)" + (portable ? "    if (due > 0)\n        " : "    ") +
           R"(block((unsigned long)due);
}
)" + functions +
           R"(
COLD static void compute_timed(void (*event)(void))
{
    const double start = seconds(CLOCK_MONOTONIC);
    event();
    worked += seconds(CLOCK_MONOTONIC) - start;
}

/* Noinline: what it costs to come here has been measured, and is part of each event. */
NOINLINE static void compute_event(void (*event)(void))
{
    if (muted)
        return;
    if (json)
        compute_timed(event);
    else
        event();
}

static void scale_blocks(double factor)
{
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        const double whole = (double)shares[i].whole * factor;
        shares[i].whole = (unsigned long long)whole;
        const unsigned long long fraction =
            (unsigned long long)((whole - (double)shares[i].whole) * 4294967296.0 + (double)shares[i].fraction * factor);
        shares[i].whole += fraction >> 32;
        shares[i].fraction = (unsigned int)(fraction & 0xffffffff);
    }
}
)" + (teams == Teams::some ? counted_team_text : "");
}

namespace {

constexpr const char* calibrator_frame = R"(#define _POSIX_C_SOURCE 200809L
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <valgrind/valgrind.h>

#define COLD __attribute__((cold, noinline))
#define NOINLINE __attribute__((noinline))
static int json;
static double worked;
static int muted;
static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
)";

constexpr const char* calibrator_counts = R"(
static void counts(unsigned long long *into)
{
    (void)VALGRIND_DO_CLIENT_REQUEST_EXPR(0, VG_USERREQ_TOOL_BASE('R', 'C'), into, 0, 0, 0, 0);
}

)";

}  // namespace

std::string calibrator_text(BlockKind kind) {
    const std::vector<Block>& blocks = all_blocks(kind);
    // Event 0 computes nothing, event 1 some repetitions of four blocks: what lies between is the cost of shares; of
    // portable blocks with the branches at the ends of loops that nobody foresees. Event 2 waits all the
    // time. The last event has each block, so that all are compiled.
    constexpr std::uint64_t never = 1000000000;
    std::vector<BlockEvent> events{
        {{}, "nothing"}, {{}, "four blocks"}, {{{0, 1.0}}, "waiting", never}};
    for (std::size_t i = 0; i < share_rates.size(); ++i)
        events[1].rates.emplace_back(i * block_sizes, share_rates[i]);
    BlockEvent& all = events.emplace_back(BlockEvent{{}, "each block once"});
    for (std::size_t i = 0; i < blocks.size(); ++i) all.rates.emplace_back(i, 1.0);
    std::string text = calibrator_frame + blocks_text(kind, events);
    std::string names, functions, copies;
    for (const Block& block : blocks) {
        names += (names.empty() ? "\"" : ", \"") + block.name + "\"";
        functions += (functions.empty() ? "" : ", ") + block.name;
        copies += (copies.empty() ? "" : ", ") + std::to_string(block.copies);
    }
    text += "\nenum { METRICS = " + std::to_string(metric_count) +
            ", BLOCKS = " + std::to_string(blocks.size()) + " };\n";
    text += "static const char *const names[BLOCKS] = {" + names + "};\n";
    text += "static void (*const blocks[BLOCKS])(unsigned long) = {" + functions + "};\n";
    text += "static const int copies[BLOCKS] = {" + copies + "};\n";
    text += calibrator_counts;
    text += R"(/* The counts of these repetitions, less those of the measurement itself. */
static void count(int block, unsigned long times, double *into)
{
    unsigned long long empty[2][METRICS], before[METRICS], after[METRICS];
    counts(empty[0]);
    counts(empty[1]);
    counts(before);
    blocks[block](times);
    counts(after);
    for (int i = 0; i < METRICS; i++)
        into[i] = (double)(after[i] - before[i]) - (double)(empty[1][i] - empty[0][i]);
}

static void count_event(void (*event)(void), double *into)
{
    enum { TURNS = 10, TIMES = 100 };
    unsigned long long empty[2][METRICS], before[METRICS], after[METRICS];
    int i;
    counts(empty[0]);
    counts(empty[1]);
    counts(before);
    for (i = 0; i < TURNS; i++) {
        /* Ten in a turn, so that the loop's own instructions are few. */
        compute_event(event);
        compute_event(event);
        compute_event(event);
        compute_event(event);
        compute_event(event);
        compute_event(event);
        compute_event(event);
        compute_event(event);
        compute_event(event);
        compute_event(event);
    }
    counts(after);
    for (i = 0; i < METRICS; i++)
        into[i] = ((double)(after[i] - before[i]) - (double)(empty[1][i] - empty[0][i])) / TIMES;
}

static double least_time(int block, unsigned long times)
{
    double least = 1e9;
    for (int turn = 0; turn < 7; turn++) {
        const double began = seconds(CLOCK_THREAD_CPUTIME_ID);
        blocks[block](times);
        const double took = seconds(CLOCK_THREAD_CPUTIME_ID) - began;
        least = took < least ? took : least;
    }
    return least;
}

static double least_time_of_event(void (*event)(void))
{
    enum { TIMES = 20000 };
    double least = 1e9;
    for (int turn = 0; turn < 7; turn++) {
        const double began = seconds(CLOCK_THREAD_CPUTIME_ID);
        for (int i = 0; i < TIMES; i++)
            compute_event(event);
        const double took = seconds(CLOCK_THREAD_CPUTIME_ID) - began;
        least = took < least ? took : least;
    }
    return least / TIMES;
}

static void print(const char *name, const double *values, int count)
{
    printf("%s", name);
    for (int i = 0; i < count; i++)
        printf(" %.17g", values[i]);
    printf("\n");
}

int main(int argc, char **argv)
{
    double once[METRICS], twice[METRICS];
    /* Never: but a compiler that knows so would leave out what asks for it, which a proxy does each time. */
    json = muted = argc > 2;
    prepare_blocks();
    scale_blocks(1);
    compute_event(event_3);
    for (int block = 0; block < BLOCKS; block++)
        blocks[block](4096 / (unsigned long)copies[block]);
    if (argc > 1 && strcmp(argv[1], "time") == 0) {
        for (int block = 0; block < BLOCKS; block++) {
            const unsigned long times = 200000 / (unsigned long)copies[block];
            once[0] = (least_time(block, 2 * times) - least_time(block, times)) / (double)times;
            print(names[block], once, 1);
        }
        once[0] = least_time_of_event(event_0);
        once[1] = least_time_of_event(event_1);
        once[2] = least_time_of_event(event_2);
        print("events", once, 3);
        return 0;
    }
    for (int block = 0; block < BLOCKS; block++) {
        const unsigned long times = 8192 / (unsigned long)copies[block];
        count(block, 1, once); /* its own lines and branches */
        count(block, times, once);
        count(block, 2 * times, twice);
        /* A call of no repetitions cannot be made: what both counts have in common is the call. */
        for (int i = 0; i < METRICS; i++) {
            const double each = (twice[i] - once[i]) / (double)times;
            once[i] -= each * (double)times;
            twice[i] = each;
        }
        print(names[block], twice, METRICS);
        print("call", once, METRICS);
    }
    count_event(event_0, once);
    count_event(event_0, once);
    print("nothing", once, METRICS);
    count_event(event_1, once);
    count_event(event_1, once);
    print("four", once, METRICS);
    count_event(event_2, once);
    count_event(event_2, once);
    print("waiting", once, METRICS);
    return 0;
}
)";
    return text;
}

std::string team_calibrator_text(BlockKind kind) {
    return calibrator_frame +
           blocks_text(kind, std::vector<BlockEvent>{{{}, "nothing"}}, Teams::some) +
           "\nenum { METRICS = " + std::to_string(metric_count) + " };\n" + calibrator_counts + R"(
static unsigned long long began[METRICS], ended[METRICS];

/* In the library's place: one thread has all parts of the team, which are as many as there are events. */
void GOMP_parallel(void (*body)(void *), void *data, unsigned threads, unsigned flags)
{
    (void)threads;
    (void)flags;
    counts(began);
    body(data);
    counts(ended);
}

int main(int argc, char **argv)
{
    static const event team[] = {event_0, NULL};
    unsigned long long before[METRICS], then[METRICS], after[METRICS];
    (void)argv;
    json = muted = argc > 2;
    prepare_blocks();
    scale_blocks(1);
    compute_event(event_0);
    for (int turn = 0; turn < 3; turn++) {
        counts(before);
        counts(then);
        compute_in_team(NULL, team);
        counts(after);
    }
    printf("part");
    for (int i = 0; i < METRICS; i++)
        printf(" %lld", (long long)(ended[i] - began[i]) - (long long)(then[i] - before[i]));
    printf("\nbegin");
    for (int i = 0; i < METRICS; i++)
        printf(" %lld", (long long)(after[i] - then[i]) - (long long)(ended[i] - began[i]) - 2 * (long long)(then[i] - before[i]));
    printf("\n");
    return 0;
}
)";
}

}  // namespace refrain::proxy
