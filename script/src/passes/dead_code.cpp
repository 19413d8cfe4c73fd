#include "passes/dead_code.hpp"

#include <algorithm>

#include "passes/rewriting.hpp"

namespace refrain::script::passes {
namespace {

using ir::Block;
using ir::Instruction;
using ir::Op;
using ir::Operand;
using ir::Statement;
using ir::VariableId;

class Removal {
  public:
    explicit Removal(ir::Function& function) : function_(function) {}

    void run() {
        do {
            changed_ = false;
            read_.clear();
            written_.clear();
            declared_.clear();
            for (const VariableId each : function_.outputs) read_.insert(each);
            note(function_.body);
            sweep(function_.body);
        } while (changed_);
        note_again();
        drop_variables(function_.body);
    }

  private:
    void note_again() {
        read_.clear();
        written_.clear();
        note(function_.body);
    }
    void read(const Operand& operand) {
        if (operand.is_variable()) read_.insert(operand.variable);
        for (const Operand& key : operand.path) read(key);
    }
    void note(Block& block) {
        declared_.insert(block.variables.begin(), block.variables.end());
        for (Statement& each : block.statements) {
            if (const auto* is = std::get_if<Instruction>(&each.is)) {
                for (const Operand& in : is->ins) read(in);
                for (const Operand& out : is->outs) {
                    written_.insert(out.variable);
                    for (const Operand& key : out.path) read(key);
                }
            } else {
                for_each_operand(each, [&](Operand& operand) { read(operand); });
            }
            ir::for_each_block(each, [&](Block& inner) { note(inner); });
        }
    }

    /// Elements of arrays are assigned in any case: two of them may have one key, which is an error.
    [[nodiscard]] bool is_dead(const Operand& out) const {
        if (out.is_element() && !function_.variables[out.variable].type.is(Kind::structure))
            return false;
        const ir::Variable& variable = function_.variables[out.variable];
        return declared_.contains(out.variable) && !read_.contains(out.variable) &&
               !variable.mapped && !variable.type.is(Kind::updateable);
    }
    [[nodiscard]] bool is_dead(const Instruction& is) const {
        const bool removable = is_pure(is) && is.op != Op::map_file;
        return removable && std::all_of(is.outs.begin(), is.outs.end(),
                                        [&](const Operand& out) { return is_dead(out); });
    }
    [[nodiscard]] static bool is_empty(const Statement& statement) {
        if (std::holds_alternative<Instruction>(statement.is)) return false;
        bool empty = true;
        ir::for_each_block(statement,
                           [&](const Block& inner) { empty = empty && inner.statements.empty(); });
        return empty;
    }
    void sweep(Block& block) {
        const auto dead = [&](Statement& each) {
            ir::for_each_block(each, [&](Block& inner) { sweep(inner); });
            const auto* is = std::get_if<Instruction>(&each.is);
            return is != nullptr ? is_dead(*is) : is_empty(each);
        };
        changed_ |= std::erase_if(block.statements, dead) != 0;
    }
    void drop_variables(Block& block) {
        std::erase_if(block.variables, [&](VariableId each) {
            return !read_.contains(each) && !written_.contains(each);
        });
        for (Statement& each : block.statements)
            ir::for_each_block(each, [&](Block& inner) { drop_variables(inner); });
    }

    ir::Function& function_;
    std::set<VariableId> read_;
    std::set<VariableId> written_;
    std::set<VariableId> declared_;
    bool changed_ = false;
};

void note_calls(const ir::Program& program, const Block& block, std::set<std::string>& called) {
    for (const Statement& each : block.statements) {
        const auto* is = std::get_if<Instruction>(&each.is);
        if (is != nullptr && is->op == Op::call && called.insert(is->callee).second)
            note_calls(program, program.function(is->callee)->body, called);
        ir::for_each_block(each, [&](const Block& inner) { note_calls(program, inner, called); });
    }
}

}  // namespace

ir::Program remove_dead_code(ir::Program program) {
    for (ir::Function& each : program.functions) Removal(each).run();
    std::set<std::string> called{"main"};
    note_calls(program, program.function("main")->body, called);
    std::erase_if(program.functions,
                  [&](const ir::Function& each) { return !called.contains(each.name); });
    return program;
}

}  // namespace refrain::script::passes
