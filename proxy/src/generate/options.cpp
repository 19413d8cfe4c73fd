#include "generate/frame.hpp"

#include <algorithm>

namespace refrain::proxy {
namespace {

/// A string of C: without what would end it, or be a directive of printf.
std::string literal(const std::string& text) {
    std::string all;
    for (const char letter : text) {
        if (letter == '"' || letter == '\\') all += '\\';
        if (letter == '%') all += '%';
        all += letter;
    }
    return all;
}

std::string usage_text(const Frame& frame, bool has_phases) {
    std::string text = R"(
static void usage(void)
{
    printf("usage: mpirun -n )" +
                       (frame.sized != nullptr ? "N" : std::to_string(frame.ranks)) +
                       R"( ./proxy [OPTION]...\n"
           "  --compute F      computes F times as long between calls; 0: only communicates\n"
)";
    if (frame.sized == nullptr)
        text +=
            "           \"  --bytes F        sends F times as many elements in each message\\n\"\n";
    else if (frame.sized->has_sizes)
        text += "           \"  --size N         the size of the problem; default: " +
                std::to_string(frame.sized->size_default) + "\\n\"\n";
    text += R"(           "  --json           prints the time of each rank)";
    if (has_phases) text += ", and of each phase: least, mean and most of the ranks";
    text += "\\n\"\n";
    if (frame.has_files)
        text +=
            "           \"  --scratch DIR    where its files lie while it runs; default: "
            "here\\n\"\n";
    if (frame.checks)
        text +=
            "           \"  --check          compares the bytes of each message with what was "
            "sent; "
            "exits with 1 if one is wrong\\n\"\n";
    if (!frame.loops.empty())
        text += "           \"  --repeat LOOP=N  makes all ranks repeat a loop N times\\n\"\n";
    if (has_phases)
        text +=
            "           \"  --phase LOOP     makes the other phases as short as they may be: one "
            "iteration, no computation\\n\"\n"
            "           \"  --warmup N       repeats each phase N times before it is timed\\n\"\n";
    if (!frame.loops.empty()) text += "           \"loops:\\n\"\n";
    constexpr std::size_t shown = 40;
    for (std::size_t i = 0; i < std::min(frame.loops.size(), shown); ++i) {
        const Loop& loop = frame.loops[i];
        text += "           \"  " + loop.name + ": " + std::to_string(loop.times) + " x " +
                literal(loop.contents) + (loop.top ? " (phase)" : "") + "\\n\"\n";
    }
    if (frame.loops.size() > shown)
        text += "           \"  and " + std::to_string(frame.loops.size() - shown) +
                " more, which loop_names lists\\n\"\n";
    return text + "           );\n}\n";
}

constexpr const char* wrong_text = R"(
static int wrong(const char *what, const char *word)
{
    fprintf(stderr, "proxy: %s '%s'; --help lists what there is\n", what, word);
    exit(2);
}

/* A number that is not below 0. */
static double factor(const char *word)
{
    char *end;
    const double number = strtod(word, &end);
    if (end == word || *end != '\0' || !(number >= 0 && number <= 1e6))
        wrong("this is no number from 0 to a million:", word);
    return number;
}
)";

constexpr const char* whole_text = R"(
/* A whole number above 0. */
static long whole(const char *word)
{
    char *end;
    const long number = strtol(word, &end, 10);
    if (end == word || *end != '\0' || number < 1)
        wrong("this is no whole number above 0:", word);
    return number;
}
)";

constexpr const char* loops_option_text = R"(
static int loop_named(const char *name, size_t length)
{
    for (int i = 0; i < LOOPS; i++)
        if (strlen(loop_names[i]) == length && strncmp(loop_names[i], name, length) == 0)
            return i;
    return wrong("there is no loop", name);
}

static void repeat(const char *word)
{
    const char *const equals = strchr(word, '=');
    if (equals == NULL)
        wrong("this is not LOOP=N:", word);
    else
        times[loop_named(word, (size_t)(equals - word))] = (long)factor(equals + 1);
}
)";

constexpr const char* phase_text = R"(
/* All other phases are one iteration. */
static void choose_phase(void)
{
    for (int i = 0; i < PHASES; i++)
        if (only >= 0 && i != only && times[i] > 1)
            times[i] = 1;
}
)";

}  // namespace

std::string frame_behind(const Frame& frame) {
    const bool has_phases = std::any_of(frame.loops.begin(), frame.loops.end(),
                                        [](const Loop& loop) { return loop.top; });
    std::string text = usage_text(frame, has_phases) + wrong_text;
    if (frame.sized != nullptr && frame.sized->has_sizes) text += whole_text;
    if (!frame.loops.empty()) text += loops_option_text;
    if (has_phases) text += phase_text;
    text += R"(
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            usage();
            return 0;
        } else if (strcmp(argv[i], "--json") == 0) {
            json = 1;
)";
    text += frame.checks ? R"(        } else if (strcmp(argv[i], "--check") == 0) {
            checks = 1;
#ifdef SMPI_H
            wrong("ranks share the memory of their messages under SMPI:", argv[i]);
#endif
)"
                         : R"(        } else if (strcmp(argv[i], "--check") == 0) {
            wrong("there are no messages here whose bytes can be compared:", argv[i]);
)";
    text += R"(        } else if (i + 1 == argc) {
            wrong("this option is unknown, or lacks its value:", argv[i]);
        } else if (strcmp(argv[i], "--compute") == 0) {
            compute = factor(argv[++i]);
)";
    if (frame.sized == nullptr)
        text += R"(        } else if (strcmp(argv[i], "--bytes") == 0) {
            bytes = factor(argv[++i]);
            resized = bytes != 1;
)";
    else if (frame.sized->has_sizes)
        text += R"(        } else if (strcmp(argv[i], "--size") == 0) {
            problem = whole(argv[++i]);
)";
    if (frame.has_files)
        text += R"(        } else if (strcmp(argv[i], "--scratch") == 0) {
            scratch = argv[++i];
)";
    if (!frame.loops.empty())
        text += R"(        } else if (strcmp(argv[i], "--repeat") == 0) {
            repeat(argv[++i]);
)";
    if (has_phases)
        text += R"(        } else if (strcmp(argv[i], "--warmup") == 0) {
            warmup = (long)factor(argv[++i]);
        } else if (strcmp(argv[i], "--phase") == 0) {
            i++;
            only = loop_named(argv[i], strlen(argv[i]));
            if (only >= PHASES)
                wrong("this loop is no phase:", argv[i]);
)";
    if (!has_phases)
        text +=
            R"(        } else if (strcmp(argv[i], "--repeat") == 0 || strcmp(argv[i], "--phase") == 0 || strcmp(argv[i], "--warmup") == 0) {
            wrong("there is no such loop that all ranks make together:", argv[i]);
)";
    text += R"(        } else {
            wrong("this option is unknown:", argv[i]);
        }
    }
)";
    if (has_phases) text += "    choose_phase();\n";
    return text + "    prepare();\n    program(&argc, &argv);\n" +
           (frame.checks ? "    return wrong_messages != 0;\n}\n" : "    return 0;\n}\n");
}

}  // namespace refrain::proxy
