#pragma once

#include "ir/leaf_policy.hpp"
#include "ir/operation.hpp"
#include "values/position.hpp"
#include "values/type.hpp"
#include "values/value.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

namespace refrain::script::ir {

using VariableId = std::uint32_t;  // index into Function::variables
inline constexpr VariableId no_variable = ~VariableId{0};

struct Variable {
    std::string name;  // unique in its function
    Type type;
    enum class Storage : std::uint8_t {
        datum,  // in the store: assigned once, by any task; arrays element by element
        local,  // a value, known in the task that made it and in those that it starts
    } storage = Storage::datum;
    bool mapped = false;  // of files: its name is assigned by a map_file
    Position at;
};

/// A constant, a variable, or an element of one: A[i]["k"].name.
struct Operand {
    enum class Kind : std::uint8_t { none, constant, variable } kind = Kind::none;
    Value constant;
    VariableId variable = no_variable;
    std::vector<Operand> path;  // keys: constants and variables without paths
    Type type;                  // of what it stands for

    [[nodiscard]] static Operand none() { return {}; }
    [[nodiscard]] static Operand of(Value value, Type type) {
        return {Kind::constant, std::move(value), no_variable, {}, std::move(type)};
    }
    [[nodiscard]] static Operand of(Value value) {
        const Type type = kind_of(value);
        return of(std::move(value), type);
    }
    [[nodiscard]] static Operand of(VariableId variable, Type type) {
        return {Kind::variable, {}, variable, {}, std::move(type)};
    }
    /// The element or field of it with this key.
    [[nodiscard]] Operand part(Operand key, Type of_part) const {
        Operand made = *this;
        made.path.push_back(std::move(key));
        made.type = std::move(of_part);
        return made;
    }
    [[nodiscard]] Operand part(const Type::Field& field) const {
        return part(of(Value(field.name)), field.type);
    }
    [[nodiscard]] bool is_constant() const { return kind == Kind::constant; }
    [[nodiscard]] bool is_variable() const { return kind == Kind::variable; }
    [[nodiscard]] bool is_element() const { return !path.empty(); }
};

/// The same variable or element, by the same keys.
[[nodiscard]] bool same_place(const Operand& a, const Operand& b);

struct Instruction {
    Op op = Op::copy;
    std::string callee;  // of compute: the builtin; of call: the function; of leaf: the leaf
    std::vector<Operand> outs;
    std::vector<Operand> ins;
    Position at;
    int priority = 0;
    bool placed =
        false;  // of a call of a leaf or a builtin: the last input says where it runs (library/location.hpp)
};

struct Statement;
struct Block {
    std::vector<VariableId> variables;  // made when the block begins
    std::vector<Statement> statements;
};

/// Which of several blocks runs: of an `if` the first if the value is true, else the second; of a `switch` the one
/// whose label it is, or the last.
struct Choice {
    bool by_truth = false;
    std::vector<std::int64_t> labels;  // of a switch

    [[nodiscard]] std::size_t of(const Value& value) const {
        if (by_truth) return value.truth() ? 0 : 1;
        const auto found =
            labels.empty() ? labels.begin() : std::ranges::find(labels, value.integer());
        return static_cast<std::size_t>(found - labels.begin());
    }
    [[nodiscard]] std::size_t count() const { return by_truth ? 2 : labels.size() + 1; }
};
/// An if or a switch. `value` is a local value or a constant.
struct Branch {
    Operand value;
    Choice choice;
    std::vector<Block> blocks;
};
/// Runs the block, as a task, once all operands are final. A `load` in it reads what is waited for.
///
/// If no operand is in the store, the block runs where it stands, unless it is a `task`. Local values among the operands
/// guard the block: if one has failed, the block does not run, and what it would assign fails.
struct Wait {
    std::vector<Operand> operands{};
    bool deep = false;
    bool task = false;  // a task in any case: it calls a leaf function
    Block body;
    Position at{};
    int priority = 0;
};
/// Runs the body for each element of a final array or bag. `key` is local; `element` is local for elements that
/// are no containers, and else names the datum.
struct Foreach {
    Operand array{};
    VariableId key = no_variable;
    VariableId element = no_variable;
    Block body;
    Position at{};
};
/// Both ends are included. The operands may be constants, local values or variables.
struct RangeLoop {
    Operand begin{}, end{}, step{};
    VariableId counter = no_variable;  // local
    VariableId index = no_variable;    // local, counts from 0
    Block body;
    Position at{};
};
/// Runs the body with carried = initial; `next` in it runs it again with new values.
struct CarriedLoop {
    std::vector<VariableId> carried{};
    std::vector<Operand> initial{};
    Block body;
    Position at{};
};

struct Statement {
    std::variant<Instruction, Branch, Wait, Foreach, RangeLoop, CarriedLoop> is;
};

/// An if, with empty blocks: then, else.
[[nodiscard]] Branch branch_on(Operand condition);

struct Function {
    std::string name;
    std::vector<Variable> variables;
    std::vector<VariableId> outputs;
    std::vector<VariableId> inputs;
    Block body;
    Position at;

    [[nodiscard]] bool is_datum(VariableId variable) const {
        return variables[variable].storage == Variable::Storage::datum;
    }
    /// In the store: a variable there, or an element of one.
    [[nodiscard]] bool is_datum(const Operand& operand) const {
        return operand.is_variable() && (operand.is_element() || is_datum(operand.variable));
    }
    [[nodiscard]] bool is_local(const Operand& operand) const {
        return operand.is_variable() && !is_datum(operand);
    }
    /// A constant or a local value.
    [[nodiscard]] bool is_immediate(const Operand& operand) const {
        return operand.is_constant() || is_local(operand);
    }
    /// Others run where they stand.
    [[nodiscard]] bool is_task(const Wait& wait) const {
        return wait.task || std::ranges::any_of(
                                wait.operands, [&](const Operand& each) { return is_datum(each); });
    }
};

// For readers of bytes: how many values these have.
[[nodiscard]] constexpr std::uint64_t enum_count(Operand::Kind) {
    return 3;
}
[[nodiscard]] constexpr std::uint64_t enum_count(Variable::Storage) {
    return 2;
}

/// A word of a command: an input or an output of the leaf.
struct LeafWord {
    bool output = false;
    std::uint32_t index = 0;
};
/// A function that is not written in the language.
struct LeafDefinition {
    std::string name;
    enum class Kind : std::uint8_t { app, c, native, tcl } kind = Kind::app;
    std::vector<Type> outputs;
    std::vector<Type> inputs;
    std::vector<LeafWord> words;    // of an app
    std::vector<LeafWord> streams;  // of an app: stdin, stdout, stderr; index no_variable: none
    std::vector<std::string> output_names;
    std::vector<std::string> input_names;  // of the first inputs; what else an app needs follows
    std::string library;                   // of C functions; the package of Tcl
    std::string symbol;                    // of C and native functions; the procedure of Tcl
    /// Of Tcl: the text has ${v_NAME} for inputs, and v_NAME for outputs. Empty if there is a procedure.
    struct Fragment {
        std::string version;  // of the package
        std::string text;
    } fragment;
    bool variable_count = false;  // of Tcl: the last input stands for any number, {*}$args
    LeafPolicy policy;
    std::string work_type;  // of the workers that run it; empty: of those for general work
    Position at;
};

[[nodiscard]] constexpr std::uint64_t enum_count(LeafDefinition::Kind) {
    return 4;
}

struct Program {
    std::vector<Function> functions;  // `main` is one of them
    std::vector<LeafDefinition> leaves;
};

/// As the script calls it: behind a slash stands which overload it is, behind an @ for which calls a copy is.
[[nodiscard]] inline std::string written_name(const std::string& function) {
    return function.substr(0, function.find_first_of("/@"));
}

/// Finds the functions and leaves of a program, which stays as it is meanwhile.
class ProgramIndex {
  public:
    explicit ProgramIndex(const Program& program);
    /// Null if there is none of that name.
    [[nodiscard]] const Function* function(const std::string& name) const;
    [[nodiscard]] const LeafDefinition* leaf(const std::string& name) const;

  private:
    std::unordered_map<std::string, const Function*> functions_;
    std::unordered_map<std::string, const LeafDefinition*> leaves_;
};

/// Whether its body may run often.
[[nodiscard]] inline bool is_loop(const Statement& statement) {
    return std::holds_alternative<Foreach>(statement.is) ||
           std::holds_alternative<RangeLoop>(statement.is) ||
           std::holds_alternative<CarriedLoop>(statement.is);
}

/// Calls visit(block) for each block directly inside a statement.
template <class StatementType, class Visit>
void for_each_block(StatementType& statement, Visit visit) {
    std::visit(
        [&](auto& is) {
            using Is = std::decay_t<decltype(is)>;
            if constexpr (std::is_same_v<Is, Branch>) {
                for (auto& block : is.blocks) visit(block);
            } else if constexpr (!std::is_same_v<Is, Instruction>) {
                visit(is.body);
            }
        },
        statement.is);
}

/// Calls visit(variable) for each variable that a loop makes for its body, and for no_variable where it makes none.
template <class StatementType, class Visit>
void for_each_own_variable(StatementType& statement, Visit visit) {
    std::visit(
        [&](auto& is) {
            using Is = std::decay_t<decltype(is)>;
            if constexpr (std::is_same_v<Is, Foreach>) {
                visit(is.key);
                visit(is.element);
            } else if constexpr (std::is_same_v<Is, RangeLoop>) {
                visit(is.counter);
                visit(is.index);
            } else if constexpr (std::is_same_v<Is, CarriedLoop>) {
                for (auto& each : is.carried) visit(each);
            }
        },
        statement.is);
}

/// Calls visit(instruction) for each instruction of the block, and of those in it.
template <class BlockType, class Visit>
void for_each_instruction(BlockType& block, Visit visit) {
    for (auto& each : block.statements) {
        if (auto* is = std::get_if<Instruction>(&each.is)) visit(*is);
        for_each_block(each, [&](auto& inner) { for_each_instruction(inner, visit); });
    }
}
/// The same for calls of functions.
template <class Visit>
void for_each_call(const Block& block, Visit visit) {
    for_each_instruction(block, [&](const Instruction& is) {
        if (is.op == Op::call) visit(is);
    });
}
/// The functions that the block calls, and those that these call.
void note_called(const ProgramIndex& program, const Block& block, std::set<std::string>& called);

/// Whether a `next` of the carried loop around the statement stands in it.
[[nodiscard]] bool has_next(const Statement& statement);
[[nodiscard]] bool has_next(const Block& block);

/// Calls visit(operand), or visit(operand, is output), for each operand that a statement itself has; not for those of
/// blocks in it.
template <class StatementType, class Visit>
void for_each_own_operand(StatementType& statement, Visit visit_any) {
    const auto visit = [&](auto& operand, bool output = false) {
        if constexpr (requires { visit_any(operand, output); })
            visit_any(operand, output);
        else
            visit_any(operand);
    };
    const auto all = [&](auto& operands, bool outputs = false) {
        for (auto& each : operands) visit(each, outputs);
    };
    std::visit(
        [&](auto& is) {
            using Is = std::decay_t<decltype(is)>;
            if constexpr (std::is_same_v<Is, Instruction>) {
                all(is.ins);
                all(is.outs, true);
            } else if constexpr (std::is_same_v<Is, Branch>) {
                visit(is.value);
            } else if constexpr (std::is_same_v<Is, Wait>) {
                all(is.operands);
            } else if constexpr (std::is_same_v<Is, Foreach>) {
                visit(is.array);
            } else if constexpr (std::is_same_v<Is, RangeLoop>) {
                visit(is.begin);
                visit(is.end);
                visit(is.step);
            } else {
                all(is.initial);
            }
        },
        statement.is);
}

/// How a statement uses the variables that are declared outside of it, blocks in it included.
struct Usage {
    bool reads = false;
    bool writes = false;
};
using UsageMap = std::map<VariableId, Usage>;

void add(UsageMap& usage, const UsageMap& more);
[[nodiscard]] UsageMap usage_of(const Statement& statement);
/// Of a block, without the variables that it declares itself.
[[nodiscard]] UsageMap usage_of(const Block& block);

}  // namespace refrain::script::ir
