#include "scripting/explain.hpp"

#include "ir/operation.hpp"
#include "passes/rewriting.hpp"
#include "scripting/graph.hpp"
#include "values/text.hpp"

#include <algorithm>
#include <set>

namespace refrain::script {
namespace {

Position line_of(Position at) {
    at.column = 0;
    return at;
}

/// The number beside a text, in a list that keeps the order in which texts came; it begins with 0.
int& number_of(std::vector<std::pair<std::string, int>>& all, std::string_view text) {
    const auto found = std::ranges::find(all, text, &std::pair<std::string, int>::first);
    return found == all.end() ? all.emplace_back(text, 0).second : found->second;
}

/// What an instruction waits for before it runs; empty if it runs within the task around it.
std::vector<const ir::Operand*> awaited(const ir::Function& function,
                                        const ir::Instruction& instruction) {
    std::vector<const ir::Operand*> all;
    const ir::Need need = ir::traits_of(instruction.op).need;
    if (need == ir::Need::nothing || need == ir::Need::value) return all;
    for (const ir::Operand& each : instruction.ins)
        if (function.is_datum(each)) all.push_back(&each);
    return all;
}
bool is_task(const ir::Function& function, const ir::Instruction& instruction) {
    return instruction.op == ir::Op::call || instruction.op == ir::Op::leaf ||
           instruction.op == ir::Op::compute || !awaited(function, instruction).empty();
}
/// What an instruction does; `out` is what it makes.
std::string what_of(const ir::Instruction& is, const std::string& out = {}) {
    if (is.op == ir::Op::call || is.op == ir::Op::leaf || is.op == ir::Op::leaf_now)
        return "calls " + ir::written_name(is.callee);
    if (is.op == ir::Op::compute || is.op == ir::Op::compute_now)
        return "computes " + ir::written_name(is.callee);
    if (is.op == ir::Op::copy) return "copies a value";
    if (is.op == ir::Op::store) return "assigns " + out;
    if (is.op == ir::Op::next) return "starts the next turn";
    if (is.op == ir::Op::map_file) return "names a file";
    return "finds the " + std::string(ir::in_words(is.op));
}

/// A task that begins at `at`, or work of the one that began at `from`.
struct Step {
    const ir::Function* function;
    Position at, from;
    std::string task;  // what it is; empty: work
    std::vector<const ir::Operand*> waits{};
    const ir::Instruction* work = nullptr;
};

/// The steps of a program, in the order of its code.
class Steps {
  public:
    explicit Steps(const ir::Program& program) {
        for (const ir::Function& each : program.functions) {
            function_ = &each;
            block(each.body, each.at);
        }
    }
    std::vector<Step> all;

  private:
    void block(const ir::Block& is, Position from) {
        for (const ir::Statement& each : is.statements)
            std::visit([&](const auto& one) { statement(each, one, from); }, each.is);
    }
    void statement(const ir::Statement&, const ir::Instruction& is, Position from) {
        if (is_task(*function_, is))
            all.push_back({function_, is.at, from, what_of(is), awaited(*function_, is)});
        else
            all.push_back({function_, is.at, from, {}, {}, &is});
    }
    void statement(const ir::Statement&, const ir::Branch& is, Position from) {
        for (const ir::Block& each : is.blocks) block(each, from);
    }
    /// A task runs the body, once the data among the operands are there.
    template <class Is>
    void statement(const ir::Statement& whole, const Is& is, Position from) {
        if constexpr (std::is_same_v<Is, ir::Wait>)
            if (!function_->is_task(is)) return block(is.body, from);
        const char* const what =
            std::is_same_v<Is, ir::Wait>        ? "runs what waits for values"
            : std::is_same_v<Is, ir::Foreach>   ? "runs the body for each element"
            : std::is_same_v<Is, ir::RangeLoop> ? "runs the turns of an interval"
                                                : "runs a turn and starts the next";
        all.push_back({function_, is.at, from, what});
        if constexpr (!std::is_same_v<Is, ir::CarriedLoop>)
            ir::for_each_own_operand(whole, [&](const ir::Operand& each) {
                if (function_->is_datum(each)) all.back().waits.push_back(&each);
            });
        block(is.body, is.at);
    }

    const ir::Function* function_ = nullptr;
};

/// Who calls whom, as the script says.
class WhoCalls {
  public:
    explicit WhoCalls(const ir::Program& program) : program_(program) {
        for (const ir::Function& each : program.functions)
            ir::for_each_call(each.body, [&](const ir::Instruction& call) {
                by_line[line_of(call.at)].insert(call.callee);
                ++times_[call.callee];
            });
    }
    std::map<Position, std::set<std::string>> by_line;
    [[nodiscard]] std::string why_kept(const std::string& name, bool takes_element) const {
        const ir::Block& body = program_.function(name)->body;
        std::set<std::string> called;
        ir::note_called(program_, body, called);
        if (called.contains(name)) return "it calls itself";
        const std::size_t size = passes::instruction_count(body);
        const std::size_t calls = times_.at(name);
        if (calls > 1 && size * calls >= 500)
            return std::to_string(size) + " instructions, called " + std::to_string(calls) +
                   " times";
        return takes_element ? "it is given an element that is a file, an array or a struct"
                             : "the pass function-inline is off";
    }

  private:
    const ir::ProgramIndex program_;
    std::map<std::string, std::size_t> times_;
};

/// What is said about lines, each once, with how often.
class Facts {
  public:
    explicit Facts(const Sources& sources) : sources_(sources) {}

    void add(Position at, const std::string& fact) { ++number_of(by_line_[line_of(at)], fact); }
    [[nodiscard]] std::string place(Position at) const {
        if (at.line == 0) return "the start of the script";
        return "the task of " +
               (at.file == 0 ? "line " + std::to_string(at.line) : sources_.text(line_of(at)));
    }
    /// A variable as the script names it; what it does not name, by the line that it comes from.
    [[nodiscard]] std::string name(const ir::Function& function, const ir::Operand& operand) const {
        const ir::Variable& variable = function.variables[operand.variable];
        if (variable.at.line == 0) return "'" + variable.name + "'";
        const std::string name = name_in_script(sources_, variable);
        return (name.empty() ? "a value" : "'" + name + "'") +
               (operand.is_element() ? "[...]" : "") + " of line " +
               std::to_string(variable.at.line);
    }
    [[nodiscard]] std::string text() const {
        std::string all;
        for (const auto& [at, facts] : by_line_) {
            if (at.line == 0) continue;
            all += sources_.text(at) + ": " + std::string(trimmed(sources_.line(at))) + "\n";
            for (const auto& [fact, times] : facts)
                all += "    " + fact +
                       (times == 1 ? "" : " (" + std::to_string(times) + " times)") + "\n";
        }
        return all;
    }

  private:
    const Sources& sources_;
    std::map<Position, std::vector<std::pair<std::string, int>>> by_line_;
};

void add_once(std::vector<std::string>& to, std::string text) {
    if (std::ranges::find(to, text) == to.end()) to.push_back(std::move(text));
}

}  // namespace

Explanation::Tasks Explanation::tasks_of(const ir::Program& program) {
    Tasks tasks;
    for (const Step& each : Steps(program).all)
        if (!each.task.empty()) ++tasks[line_of(each.at)];
    return tasks;
}

void Explanation::begin(const ir::Program& program) {
    first_ = last_ = program;
    at_first_ = now_ = tasks_of(program);
}

void Explanation::after(std::string_view pass, const ir::Program& program) {
    Tasks tasks = tasks_of(program);
    std::set<Position> lines;
    for (const auto& [at, count] : now_) lines.insert(at);
    for (const auto& [at, count] : tasks) lines.insert(at);
    for (const Position at : lines) {
        const int change = tasks[at] - now_[at];
        if (change == 0) continue;
        number_of(changes_[at], pass) += change;
    }
    now_ = std::move(tasks);
    last_ = program;
}

std::string Explanation::text(const Sources& sources) const {
    const WhoCalls calls(first_);
    const auto count = [](const Tasks& tasks, Position at) {
        const auto found = tasks.find(at);
        return found == tasks.end() ? 0 : found->second;
    };
    Facts facts(sources);
    for (const auto& [at, tasks] : at_first_) {
        std::vector<std::string> by;
        if (const auto changes = changes_.find(at); changes != changes_.end())
            for (const auto& [pass, change] : changes->second)
                if (change != 0)
                    by.push_back(pass + (change > 0 ? " +" : " ") + std::to_string(change));
        const int left = count(now_, at);
        facts.add(at, counted(static_cast<std::uint64_t>(tasks), "task") + " at O0, " +
                          (left == 0 ? "none of its own" : std::to_string(left)) + " now" +
                          (by.empty() ? "" : ": " + joined(by)));
    }
    std::map<std::pair<Position, std::string>, bool> kept;  // calls; whether elements are passed
    for (const ir::Function& each : last_.functions)
        ir::for_each_call(each.body, [&](const ir::Instruction& call) {
            kept[{line_of(call.at), call.callee}] |=
                std::ranges::any_of(call.ins, &ir::Operand::is_element);
        });
    std::set<Position> has_work;
    std::map<std::pair<Position, Position>, std::vector<std::string>> works;  // line, task
    for (const Step& each : Steps(last_).all) {
        if (each.work != nullptr) {
            const ir::Instruction& is = *each.work;
            if (is.op == ir::Op::load) continue;
            has_work.insert(line_of(is.at));
            const std::string out =
                is.outs.empty() ? "" : facts.name(*each.function, is.outs.front());
            add_once(works[{line_of(is.at), line_of(each.from)}], what_of(is, out));
            continue;
        }
        std::vector<std::string> names;
        for (const ir::Operand* operand : each.waits)
            if (operand->is_variable()) add_once(names, facts.name(*each.function, *operand));
        has_work.insert(line_of(each.at));
        facts.add(each.at, "a task that " + each.task + "; waits for " +
                               (names.empty() ? "nothing" : joined(names)) + "; started by " +
                               facts.place(each.from));
    }
    for (const auto& [where, words] : works) {
        const auto& [at, from] = where;
        facts.add(at, (from == at ? std::string("in that task: ")
                                  : "work of " + facts.place(from) + ": ") +
                          joined(words));
    }
    for (const auto& [at, names] : calls.by_line)
        for (const std::string& each : names) {
            const auto stays = kept.find({at, each});
            facts.add(at, ir::written_name(each) +
                              (stays == kept.end()
                                   ? " is put in where it is called"
                                   : " stays a call: " + calls.why_kept(each, stays->second)));
        }
    for (const auto& [at, tasks] : at_first_)
        if (!has_work.contains(at))
            facts.add(at,
                      "nothing is left of it: the compiler knows the result, or nobody reads it");
    return facts.text();
}

}  // namespace refrain::script
