#include "passes/dead_code.hpp"

#include "passes/rewriting.hpp"

#include <algorithm>
#include <iterator>

namespace refrain::script::passes {
namespace {

/// Removes what nobody reads, from the end of the text on, and so what only that has read. What waits for itself in a circle
/// stays: the run names it.
class Removal {
  public:
    explicit Removal(ir::Function& function)
        : function_(function),
          declared_(function.variables.size()),
          reads_(function.variables.size()) {}

    void run() {
        for (const VariableId each : function_.outputs) ++reads_[each];
        note(function_.body);
        while (sweep(function_.body)) {  // again for what is read above the statement that makes it
        }
        for_each_operand(function_.body, [&](Operand& each) { note_variables(each, named_); });
        drop_variables(function_.body);
    }

  private:
    void read(const Operand& operand, int change, bool itself = true) {
        if (operand.is_variable() && itself) reads_[operand.variable] += change;
        for (const Operand& key : operand.path) read(key, change);
    }
    void read(const Statement& statement, int change) {
        ir::for_each_own_operand(statement, [&](const Operand& operand, bool output) {
            read(operand, change, !output);
        });
    }
    void note(const Block& block) {
        for (const VariableId each : block.variables) declared_[each] = true;
        for (const Statement& each : block.statements) {
            read(each, 1);
            ir::for_each_block(each, [&](const Block& inner) { note(inner); });
        }
    }
    /// Elements of arrays are assigned in any case: two of them may have one key, which is an error.
    [[nodiscard]] bool is_unread(const Operand& out) const {
        const ir::Variable& variable = function_.variables[out.variable];
        if (out.is_element() && !variable.type.is(Kind::structure)) return false;
        return declared_[out.variable] && !variable.mapped && !variable.type.is(Kind::updateable) &&
               reads_[out.variable] == 0;
    }
    [[nodiscard]] bool is_dead(const Statement& statement) const {
        if (const auto* is = std::get_if<Instruction>(&statement.is))
            return is_pure(*is) && std::ranges::all_of(is->outs, [&](const Operand& out) {
                       return is_unread(out);
                   });
        bool empty = true;
        ir::for_each_block(statement,
                           [&](const Block& inner) { empty = empty && inner.statements.empty(); });
        return empty;
    }
    /// True if something is gone.
    bool sweep(Block& block) {
        bool gone = false;
        std::vector<Statement> left;
        for (auto each = block.statements.rbegin(); each != block.statements.rend(); ++each) {
            ir::for_each_block(*each, [&](Block& inner) { gone = sweep(inner) || gone; });
            if (is_dead(*each)) {
                read(*each, -1);
                gone = true;
            } else {
                left.push_back(std::move(*each));
            }
        }
        block.statements.assign(std::make_move_iterator(left.rbegin()),
                                std::make_move_iterator(left.rend()));
        return gone;
    }

    void drop_variables(Block& block) {
        std::erase_if(block.variables, [&](VariableId each) { return !named_.contains(each); });
        for (Statement& each : block.statements)
            ir::for_each_block(each, [&](Block& inner) { drop_variables(inner); });
    }

    ir::Function& function_;
    std::vector<bool> declared_;  // by a block
    std::set<VariableId> named_;
    std::vector<int> reads_;  // how often statements that are left read a variable
};

}  // namespace

ir::Program remove_dead_code(ir::Program program) {
    for (ir::Function& each : program.functions) Removal(each).run();
    std::set<std::string> called{"main"};
    const ir::ProgramIndex index(program);
    note_called(index, index.function("main")->body, called);
    std::erase_if(program.functions,
                  [&](const ir::Function& each) { return !called.contains(each.name); });
    return program;
}

}  // namespace refrain::script::passes
