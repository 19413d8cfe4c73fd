#include "sizes/sized_text.hpp"

#include "generate/call_text.hpp"
#include "generate/frame.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace refrain::proxy {
namespace {

struct SizedHelper {
    const char* name;  // used where "name(" stands
    const char* text;
};

/// Each before those that it calls.
constexpr std::array sized_helpers = {
    SizedHelper{"on_grid", R"(
/* The rank `distance` places on along an axis of the most even grid of communicator c; MPI_PROC_NULL beyond an edge that
 * does not wrap around. */
static int on_grid(int c, int dims, int axis, int distance, int wraps, int shortest_first)
{
    int sides[3], at[3], rank = me[c];
    for (int i = 0; i < dims; i++)
        sides[shortest_first ? dims - 1 - i : i] = side(size[c], dims, i);
    for (int i = dims - 1; i >= 0; i--) {
        at[i] = rank % sides[i];
        rank /= sides[i];
    }
    at[axis] += distance;
    if (wraps)
        at[axis] = (at[axis] % sides[axis] + sides[axis]) % sides[axis];
    if (at[axis] < 0 || at[axis] >= sides[axis])
        return MPI_PROC_NULL;
    for (int i = 0; i < dims; i++)
        rank = rank * sides[i] + at[i];
    return rank;
}
)"},
    SizedHelper{"on_ring", R"(
/* The rank `distance` places on in communicator c, wrapping around. */
static int on_ring(int c, long distance)
{
    return (int)(((me[c] + distance) % size[c] + size[c]) % size[c]);
}
)"},
    SizedHelper{"in_row", R"(
/* The rank `distance` places on in communicator c; MPI_PROC_NULL beyond the ends. */
static int in_row(int c, long distance)
{
    return me[c] + distance < 0 || me[c] + distance >= size[c] ? MPI_PROC_NULL : (int)(me[c] + distance);
}
)"},
    SizedHelper{"transposed", R"(
/* The rank at (column, row) of the square grid, if this one is at (row, column). */
static int transposed(int c)
{
    const int edge = side(size[c], 2, 0);
    return me[c] % edge * edge + me[c] / edge;
}
)"},
    SizedHelper{"share_of_side", R"(
/* The part of the problem that is this rank's along an axis of the most even grid. */
static long share_of_side(int dims, int axis)
{
    return share(problem, side(size[0], dims, axis), coordinate(me[0], size[0], dims, axis));
}
)"},
    SizedHelper{"begin_of_share", R"(
/* How many items those before have. */
static long begin_of_share(long items, int parts, int part)
{
    return items / parts * part + (part < items % parts ? part : items % parts);
}
)"},
    SizedHelper{"share", R"(
/* Items that are dealt evenly: the first parts have one more. */
static long share(long items, int parts, int part)
{
    return items / parts + (part < items % parts);
}
)"},
    SizedHelper{"coordinate", R"(
/* Of a rank in the most even grid; the last axis changes fastest. */
static int coordinate(int rank, int ranks, int dims, int axis)
{
    for (int i = dims - 1; i > axis; i--)
        rank /= side(ranks, dims, i);
    return rank % side(ranks, dims, axis);
}
)"},
    SizedHelper{"side", R"(
/* A side of the most even grid of 2 or 3 dimensions, the longest first. */
static int side(int ranks, int dims, int axis)
{
    int best[3] = {ranks, 1, 1};
    for (int c = 1; c * c <= ranks && (dims == 3 || c == 1); c++)
        for (int b = c; ranks % c == 0 && b * b <= ranks / c; b++)
            if (ranks / c % b == 0 && ranks / c / b <= best[0]) {
                best[0] = ranks / c / b;
                best[1] = b;
                best[2] = c;
            }
    return best[axis];
}
)"},
    SizedHelper{"log_of", R"(
static int log_of(int number)
{
    int log = 0;
    while (2L << log <= number)
        log++;
    return log;
}
)"},
    SizedHelper{"new_array", R"(
/* Numbers that MPI may read until a request is completed. */
static int *new_array(long count)
{
    int *const array = malloc((size_t)(count + 1) * sizeof(int));
    if (array == NULL)
        MPI_Abort(MPI_COMM_WORLD, 3);
    return array;
}
)"},
};

/// Whether a text has this call, and not only one whose name ends like it.
bool calls(const std::string& text, const std::string& call) {
    for (std::size_t at = 0; (at = text.find(call, at)) != std::string::npos; ++at)
        if (at == 0 ||
            (std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0 && text[at - 1] != '_'))
            return true;
    return false;
}

/// Those that the text calls, and those that they call.
std::string sized_helpers_text(const std::string& program) {
    std::string all;
    for (const SizedHelper& helper : sized_helpers) {
        const std::string call = std::string(helper.name) + "(";
        if (calls(program, call) || calls(all, call)) all = helper.text + all;
    }
    return all;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
}

class SizedWriter {
  public:
    explicit SizedWriter(const SizedModel& model)
        : model_(model), calls_(2, model.unused_tag, model.texts) {}

    [[nodiscard]] std::string text(const std::string& title) {
        const std::string program = main_function();
        Frame frame;
        frame.has_files = !calls_.filenames.empty();
        SizedFrame sized;
        sized.has_sizes = model_.has_sizes;
        sized.size_default = model_.size_default;
        sized.begin = begin_text();
        frame.sized = &sized;
        std::string all =
            "/* " + title + "\n *\n * Made by `refrain proxy generate` from recordings on " +
            ranks_words() +
            " ranks. It makes the MPI calls that\n * the recorded program would make on the ranks "
            "that it finds, and needs nothing but MPI:\n *\n *     mpicc -O2 -o proxy proxy.c && "
            "mpirun -n 4 ./proxy" +
            (model_.has_sizes ? " --size " + std::to_string(model_.size_default) : std::string()) +
            "\n *\n * Read `program` first: it is the whole run.\n */\n"
            "#define _POSIX_C_SOURCE 200809L\n#include <mpi.h>\n#include <stdio.h>\n#include "
            "<stdlib.h>\n#include <string.h>\n#include <time.h>\n";
        if (frame.has_files) all += "#include <unistd.h>\n";
        // What the frame calls must stand before it, and behind the variables of the frame.
        sized.helpers = sized_helpers_text(program + sized.begin);
        return all + "\n" + frame_before(calls_, frame) + program + frame_behind(frame);
    }

  private:
    [[nodiscard]] std::string ranks_words() const {
        std::string all;
        for (std::size_t i = 0; i < model_.ranks.size(); ++i)
            all += (i == 0                         ? ""
                    : i + 1 == model_.ranks.size() ? " and "
                                                   : ", ") +
                   std::to_string(model_.ranks[i]);
        return all;
    }

    /// The ranks that there may be, and memory, when the number of ranks is known.
    [[nodiscard]] std::string begin_text() {
        std::string text;
        const auto refuse = [&](const std::string& condition, const std::string& words) {
            text += "    if (" + condition +
                    ") {\n        if (me[0] == 0)\n            fprintf(stderr, \"proxy: " + words +
                    "; here are %d ranks\\n\", size[0]);\n        MPI_Abort(MPI_COMM_WORLD, "
                    "2);\n    }\n";
        };
        if (model_.same_ranks)
            refuse("size[0] != " + std::to_string(model_.ranks[0]),
                   "all recordings had " + std::to_string(model_.ranks[0]) +
                       " ranks, so that other numbers are not known");
        else if (model_.squares_only)
            refuse("side(size[0], 2, 0) != side(size[0], 2, 1)",
                   "the program has a grid of ranks, and was recorded on square numbers only");
        text +=
            "    const int self = me[0];\n    me[0] = 0; /* What the first rank has room for is "
            "enough for all. */\n";
        if (calls_.helpers.contains("request"))
            text += "    request = calloc((size_t)(" + model_.memory.requests.text() +
                    ") + 1, sizeof *request);\n    if (request == NULL)\n        "
                    "MPI_Abort(MPI_COMM_WORLD, 3);\n";
        if (!calls_.helpers.contains("buffer")) return text + "    me[0] = self;\n";
        const auto& extents = model_.memory.slots.extents;
        std::string before, behind;
        for (const auto& [less, more] : extents) {
            before += (before.empty() ? "" : ", ") + less.text();
            behind += (behind.empty() ? "" : ", ") + more.text();
        }
        const std::string which = extents.size() == 1 ? "[0]" : "[i]";
        return text + "    const long slots = " + model_.memory.slots.count.text() +
               ", before[] = {" + before + "}, behind[] = {" + behind + R"(};
    size_t all = 0;
    place = calloc((size_t)slots + 1, sizeof *place);
    if (place == NULL)
        MPI_Abort(MPI_COMM_WORLD, 3);
    for (long i = 0; i < slots; i++) {
        place[i] = all + ((size_t)before)" +
               which + R"( + 63) / 64 * 64;
        all = place[i] + ((size_t)behind)" +
               which + R"( + 64) / 64 * 64;
    }
    new_arena(all);
    me[0] = self;
)";
    }

    // ---- calls

    [[nodiscard]] std::string formula_text(const Formula& formula, const std::string& place,
                                           std::size_t index) const {
        if (const auto* number = std::get_if<Number>(&formula)) return number->text();
        if (const auto* partner = std::get_if<Partner>(&formula)) return partner->text(place);
        return "array_" + std::to_string(index);
    }

    /// Arrays that a call names, filled.
    [[nodiscard]] std::vector<std::string> array_lines(const SizedCall& call,
                                                       const std::string& place) const {
        std::vector<std::string> lines;
        const bool lasting = !values_of(call.event, Kind::newrequest_).empty();
        for (std::size_t i = 0; i < call.formulas.size(); ++i) {
            const auto* array = std::get_if<SizedArray>(&call.formulas[i]);
            if (array == nullptr) continue;
            const std::string name = "array_" + std::to_string(i), count = array->length.text();
            const std::string element = std::holds_alternative<Number>(array->element)
                                            ? std::get<Number>(array->element).text()
                                            : std::get<Partner>(array->element).text(place);
            lines.push_back(lasting ? "int *const " + name + " = new_array(" + count + ");"
                                    : "int " + name + "[" + count + " + 1];");
            lines.push_back("for (long j = 0; j < " + count + "; j++)");
            lines.push_back("    " + name + "[j] = (int)(" + element + ");");
        }
        return lines;
    }

    /// The array of requests that a call completes or starts, if a formula says how many; null if they are counted.
    [[nodiscard]] static const SizedArray* requests_of(const SizedCall& call) {
        if (call.event.function != Function::Waitall_ && call.event.function != Function::Startall_)
            return nullptr;
        const bool waits = call.event.function == Function::Waitall_;
        const std::vector<std::int64_t> numbers =
            values_of(call.event, waits ? Kind::waits_ : Kind::starts_);
        if (numbers.size() != 2 || numbers[1] < array_stand_in_first) return nullptr;
        return &std::get<SizedArray>(
            call.formulas[static_cast<std::size_t>((numbers[1] - array_stand_in_first) / 2)]);
    }

    /// The first number of an array that counts up by one; nothing if it does not.
    [[nodiscard]] static std::optional<Number> first_of_row(const SizedArray& array) {
        const auto* const element = std::get_if<Number>(&array.element);
        if (element == nullptr) return std::nullopt;
        Number first = *element;
        const auto counts =
            std::find_if(first.parts.begin(), first.parts.end(), [](const auto& part) {
                return part.term.kind == Term::Kind::element && part.factor == 1;
            });
        if (counts == first.parts.end()) return std::nullopt;
        first.parts.erase(counts);
        return first;
    }

    /// Completes or starts requests that stand in a row.
    [[nodiscard]] std::string row_call(const SizedCall& call, const SizedArray& array) {
        const auto first = first_of_row(array);
        if (!first) return {};
        calls_.helpers.insert("request");
        const std::string requests =
            "((int)(" + array.length.text() + "), &request[" + first->text() + "]";
        if (call.event.function == Function::Startall_) return "MPI_Startall" + requests + ")";
        calls_.helpers.insert("no_statuses");
        return "MPI_Waitall" + requests + ", no_statuses)";
    }

    /// The same for any requests: `array` is the name of their numbers.
    [[nodiscard]] std::string requests_call(const SizedCall& call, const SizedArray& array,
                                            const std::string& name) {
        const bool waits = call.event.function == Function::Waitall_;
        const std::string helper = waits ? "wait_all" : "start_all";
        calls_.helpers.insert(helper);
        return helper + "((int)(" + array.length.text() + "), " + name + ")";
    }

    void write_call(const SizedCall& call, const std::string& indent, std::string& out) {
        if (call.work.seconds > 0) {
            calls_.helpers.insert("work");
            out +=
                indent + "work(" + decimal(call.work.seconds) +
                (call.work.term.kind == Term::Kind::one ? std::string()
                                                        : " * (double)" + call.work.term.text()) +
                ");\n";
        }
        const SizedArray* const requests = requests_of(call);
        if (requests != nullptr)
            if (const std::string row = row_call(call, *requests); !row.empty()) {
                out += indent + row + ";\n";
                return;
            }
        const std::string place = place_text(call.event);
        const std::vector<std::string> arrays = array_lines(call, place);
        calls_.keep_size(call.event.function);
        const std::vector<std::int64_t> numbers = values_of(
            call.event, call.event.function == Function::Waitall_ ? Kind::waits_ : Kind::starts_);
        std::vector<std::string> statements =
            requests != nullptr
                ? std::vector<std::string>{requests_call(
                      call, *requests,
                      "array_" + std::to_string((numbers[1] - array_stand_in_first) / 2))}
                : calls_.statements(call.event);
        const std::string deeper = arrays.empty() ? indent : indent + "    ";
        if (!arrays.empty()) out += indent + "{\n";
        for (const std::string& line : arrays) out += deeper + line + "\n";
        for (std::string& statement : statements) {
            for (std::size_t i = 0; i < call.formulas.size(); ++i) {
                const std::string text = formula_text(call.formulas[i], place, i);
                replace_all(statement, std::to_string(stand_in(i)), text);
                replace_all(statement, std::to_string(array_stand_in(i)), text);
            }
            out += deeper + statement + ";\n";
        }
        if (!arrays.empty()) out += indent + "}\n";
    }

    void write_steps(const std::vector<SizedStep>& steps, std::size_t depth,
                     const std::string& indent, std::string& out) {
        for (const SizedStep& step : steps) {
            if (step.body.empty()) {
                write_call(step.call, indent, out);
                continue;
            }
            if (step.times.constant() == 1) {
                write_steps(step.body, depth + 1, indent, out);
                continue;
            }
            const std::string variable = "i" + std::to_string(depth);
            out += indent + "for (long " + variable + " = 0; " + variable + " < " +
                   step.times.text() + "; " + variable + "++) {\n";
            write_steps(step.body, depth + 1, indent + "    ", out);
            out += indent + "}\n";
        }
    }

    /// Nobody knows its rank before MPI_Init, with which all forms begin.
    [[nodiscard]] std::string main_function() {
        std::string first, functions, text;
        const auto begins = [](const SizedStep& step) {
            return step.call.event.function == Function::Init_ ||
                   step.call.event.function == Function::Init_thread_;
        };
        for (std::size_t k = 0; k < model_.forms.size(); ++k) {
            const std::vector<SizedStep>& steps = model_.forms[k];
            const bool has_init = !steps.empty() && steps[0].body.empty() && begins(steps[0]);
            if (has_init && first.empty()) write_steps({steps[0]}, 0, "    ", first);
            const std::vector<SizedStep> rest(steps.begin() + (has_init ? 1 : 0), steps.end());
            if (model_.forms.size() == 1) {
                write_steps(rest, 0, "    ", text);
                break;
            }
            functions +=
                "\n" + comment_of(k) + "static void form_" + std::to_string(k) + "(void)\n{\n";
            write_steps(rest, 0, "    ", functions);
            functions += "}\n";
        }
        if (model_.forms.size() > 1) text += choice_text();
        return functions + "\n/* The whole run. */\nstatic void program(int *argc, char " +
               "***argv)\n{\n" + first + text + "}\n";
    }

    [[nodiscard]] std::string comment_of(std::size_t form) const {
        return "/* What ranks do of which these bits hold: " + keys_text(form, " or ") + ". */\n";
    }
    [[nodiscard]] std::string keys_text(std::size_t form, const std::string& between) const {
        std::string all;
        for (const unsigned key : model_.form_keys[form])
            all += (all.empty() ? "" : between) + std::to_string(key);
        return all;
    }

    [[nodiscard]] std::string choice_text() const {
        std::string text = "    /* Where this rank stands decides what it does. */\n";
        text += "    switch (";
        for (std::size_t i = 0; i < model_.features.size(); ++i)
            text += (i == 0 ? "" : " |\n            ") + std::string("(") +
                    model_.features[i].text() + ") << " + std::to_string(i);
        text += ") {\n";
        for (std::size_t k = 0; k < model_.forms.size(); ++k) {
            for (const unsigned key : model_.form_keys[k])
                text += "    case " + std::to_string(key) + ":\n";
            text += "        form_" + std::to_string(k) + "();\n        break;\n";
        }
        return text +
               "    default:\n        fprintf(stderr, \"proxy: no rank of the recordings stood "
               "where "
               "rank %d of %d does\\n\", me[0], size[0]);\n        MPI_Abort(MPI_COMM_WORLD, 2);\n"
               "    }\n";
    }

    const SizedModel& model_;
    CallText calls_;
};

}  // namespace

std::string sized_proxy_text(const SizedModel& model, const std::string& title) {
    return SizedWriter(model).text(title);
}

}  // namespace refrain::proxy
