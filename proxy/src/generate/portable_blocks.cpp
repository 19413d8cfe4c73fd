#include "generate/portable_blocks.hpp"

#include <algorithm>
#include <array>
#include <span>

/// Blocks in C99 that every compiler makes the same steps of, though not of the same instructions.
///
/// A compiler may leave out what nobody sees, join steps that are one in arithmetic, and unroll or vectorise loops whose number
/// of turns it can compute. So:
///
///  - What a block begins with, and `one`, by which it counts down, are volatile: no value and no number of turns is known.
///    (`n -= one` ends at 0 for 1 only; a compiler that would compute the turns had to divide.)
///  - What it ends with is written to something volatile, and so is needed.
///  - Integers are changed by two operations in turn that do not merge: `i ^= a; i += b;`, where `i += b; i += b;` is `i += 2 * b`.
///    Sums of numbers may not be joined as they are.
///  - Chains beside each other take different operations, so that no two of them are one of vectors.
///  - Each read and write of memory is volatile, or of a place that was read from something volatile just before: a compiler may
///    make one instruction of a read and a sum, but not of two reads. A read is used, by the next one if by nothing else:
///    Valgrind leaves out others.
///
/// There is no block of vectors, which C99 does not have.
namespace refrain::proxy {
namespace {

struct PortableBody {
    const char* kind;
    const char* what;
    const char* before;  // the loop
    const char* copied;
    const char* behind;  // the loop
    int length;          // of what is copied, as far as the sizes count it
    std::span<const int> steps = block_steps;
};
constexpr std::array portable_bodies = {
    PortableBody{"chain", "additions and exclusive-ors, each waits for the one before",
                 "unsigned long i = one;\n    const unsigned long a = hot.a;", "i ^= a; i += one;",
                 "hot.written = i;", 2},
    PortableBody{
        "wide", "the same and others that wait for little",
        "unsigned long i = one, j = one, k = one, l = one;\n    const unsigned long a = hot.a;",
        "i ^= a; j += a; k -= a; l |= a; i += one; j ^= one; k |= one; l -= one;",
        "hot.written = i ^ j ^ k ^ l;", 8},
    PortableBody{"multiply", "multiplications, each waits for the one before",
                 "unsigned long i = one;\n    const unsigned long a = hot.a;", "i = i * a ^ one;",
                 "hot.written = i;", 2},
    PortableBody{"load", "reads of one line, each says where the next one is",
                 "link i = hot.self, j = i, k = i, l = i;",
                 "i = i->next; j = j->next; k = k->next; l = l->next;", "", 4},
    PortableBody{"store", "writes of one line", "", "hot.written = n;", "", 1},
    PortableBody{"flop", "additions of numbers, each waits for the one before",
                 "const double a = hot.quarter;\n    double x = a;", "x += a;", "hot.sum = x;", 1},
    PortableBody{
        "flops", "sums and products of numbers that wait for little",
        "const double a = hot.quarter, b = hot.unit;\n    double x = a, y = a, z = a, w = a;",
        "x += a; y *= b; z -= a; w += b;", "hot.sum = x + y + z + w;", 4},
    PortableBody{"divide", "divisions of numbers", "const double b = hot.unit;\n    double x = b;",
                 "x /= b;", "hot.sum = x;", 1},
    PortableBody{"load_flop", "numbers read and added, of a place that is read first",
                 "const double *from;\n    double x = 0, y = 1, z = 0, w = 0;",
                 "from = hot.numbers; x += from[0]; y *= from[1]; z -= from[2]; w += from[3]; x -= "
                 "from[4]; y *= from[5]; z += from[6]; w -= from[7];",
                 "hot.sum = x + y + z + w;", 8},
    PortableBody{"branch", "branches that are never taken",
                 "unsigned long i = one;\n    const unsigned long two = hot.two;",
                 "if ((i += two) == 0) break;", "hot.written = i;", 1, one_size},
    PortableBody{
        "line", "reads, each of another line",
        "unsigned long i = one, p = block_place;\n    const unsigned long step = hot.line, "
        "mask = hot.lines;",
        "i = (i + memory[p].number) ^ step; p = (p + step) & mask;",
        "hot.written = i;\n    block_place = p;", 1, miss_steps},
    PortableBody{
        "page",
        "reads of 16 pages that want the same place in a table of pages, and lines that want the "
        "same in a cache",
        "unsigned long i = one, p = block_page;\n    const unsigned long step = hot.page, "
        "mask = hot.pages;",
        "i = (i + memory[p].number) ^ step; p = (p + step) & mask;",
        "hot.written = i;\n    block_page = p;", 1, miss_steps},
    PortableBody{"ring",
                 "reads of eight pages that want the same place in a table of pages, of lines that "
                 "stay",
                 "link r = block_ring;", "r = r->next;", "block_ring = r;", 1, miss_steps},
    PortableBody{"turn", "loops of 16 branches, whose end a short memory does not foresee",
                 "unsigned long i = one, k;\n    const unsigned long sixteen = hot.sixteen;",
                 "k = sixteen; do { i ^= k; k -= one; } while (k != 0);", "hot.written = i;", 8,
                 one_size},
    PortableBody{
        "guess", "branches at random, two each on average",
        "unsigned long long i = hot.random;\n    const unsigned long long bit = hot.bit;",
        "do i = i * 6364136223846793005 + 1442695; while ((i & bit) != 0);",
        "hot.random = i;\n    /* Behind it the latest branches are the same each time. */\n    "
        "do { TIMES_4(if ((i |= bit) == 0) break; if ((i ^= one) == 0) break; if ((i |= "
        "bit) == 0) break;) } while (0);\n    hot.written = (unsigned long)i;",
        4, one_size},
};

const PortableBody& portable_body_of(const std::string& kind) {
    return *std::find_if(portable_bodies.begin(), portable_bodies.end(),
                         [&](const PortableBody& body) { return kind == body.kind; });
}

/// "TIMES_8(TIMES_2(i += 1;))": 16 copies
std::string repeated(const std::string& text, int copies) {
    if (copies == 1) return text;
    const int times = copies % 8 == 0 ? 8 : copies % 4 == 0 ? 4 : 2;
    return "TIMES_" + std::to_string(times) + "(" + repeated(text, copies / times) + ")";
}

/// Indented; nothing for nothing.
std::string line(const std::string& statement) {
    return statement.empty() ? "" : "    " + statement + "\n";
}

constexpr const char* portable_variables_text = R"(

typedef volatile union cell *link;
union cell {
    unsigned long number;
    link next;
};
static union cell room[(1048576 + 4096) / sizeof(union cell)];
static link memory = room; /* with the beginning of a page */

static double block_numbers[8] = {1, 1, 1, 1, 1, 1, 1, 1};
/* What blocks begin with, where no compiler sees it, and end with. Beside the shares, so that it is no page of its own. */
static volatile struct {
    unsigned long one, two, sixteen, a, written, line, lines, page, pages;
    unsigned long long random, bit;
    double quarter, unit, sum;
    const double *numbers;
    link self;
    union cell to_itself;
} hot = {1, 2, 16, 40503, 0, 64 / sizeof(union cell), 65536 / sizeof(union cell) - 1, 65536 / sizeof(union cell),
         1048576 / sizeof(union cell) - 1, 1, 1ULL << 60, 0.25, 1, 0, block_numbers, NULL, {0}};
static unsigned long block_place, block_page, first_page; /* of those that blocks miss */
static link block_ring;

#define TIMES_2(step) step step
#define TIMES_4(step) step step step step
#define TIMES_8(step) step step step step step step step step
)";

constexpr const char* portable_preparation_text = R"(
/* A ring through eight pages: each needs its own place in a table of pages, where tables of 16 sets have one set for all, with
   less than eight places. What the program and MPI have in other sets stays; it is the set farthest from that of the stack. */
static void prepare_blocks(void)
{
    const size_t apart = (65536 + 64) / sizeof(union cell);
    int i;
    memory = room + (4096 - (size_t)room % 4096) % 4096 / sizeof(union cell);
    first_page = (((size_t)&i >> 12) + 8 - ((size_t)memory >> 12)) % 16 * 4096 / sizeof(union cell);
    block_ring = memory + first_page;
    for (i = 0; i < 8; i++)
        block_ring[(size_t)i * apart].next = &block_ring[(size_t)(i + 1) % 8 * apart];
    block_place = 0;
    block_page = first_page + 4032 / sizeof(union cell);
    hot.self = &hot.to_itself;
    hot.to_itself.next = &hot.to_itself;
}
)";

}  // namespace

std::vector<Block> portable_blocks() {
    std::vector<Block> all;
    for (const PortableBody& body : portable_bodies)
        for (const int size : body.steps)
            all.push_back({std::string(body.kind) + "_" + std::to_string(size), body.kind,
                           size / body.length});
    return all;
}

std::string portable_definition(const Block& block) {
    const PortableBody& body = portable_body_of(block.kind);
    return "\n/* " + std::string(body.what) + " */\nNOINLINE static void " + block.name +
           "(unsigned long n)\n{\n" + line("const unsigned long one = hot.one;") +
           line(body.before) + line("do {") + line("    " + repeated(body.copied, block.copies)) +
           line("} while ((n -= one) != 0);") + line(body.behind) + "}\n";
}

std::string portable_variables() {
    return "\n" + std::string(portable_title) + portable_variables_text;
}

std::string portable_preparation() {
    return portable_preparation_text;
}

}  // namespace refrain::proxy
