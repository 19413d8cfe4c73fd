#include "passes/dead_code.hpp"

#include <algorithm>

#include "passes/rewriting.hpp"

namespace refrain::script::passes {
namespace {

/// Removes what nobody reads, and then what only that has read. What waits for itself in a circle stays: the run names it.
class Removal {
  public:
    explicit Removal(ir::Function& function)
        : function_(function),
          declared_(function.variables.size()),
          reads_(function.variables.size()),
          assigned_by_(function.variables.size()) {}

    void run() {
        for (const VariableId each : function_.outputs) ++reads_[each];
        note(function_.body, no_node);
        for (std::size_t i = 0; i < nodes_.size(); ++i) left_.push_back(i);
        while (!left_.empty()) {
            const std::size_t node = left_.back();
            left_.pop_back();
            if (!nodes_[node].gone && is_dead(nodes_[node])) remove(node);
        }
        std::size_t next = 0;
        sweep(function_.body, next);
        named_.assign(function_.variables.size(), false);
        for_each_operand(function_.body, [&](Operand& operand) { note_name(operand); });
        drop_variables(function_.body);
    }

  private:
    static constexpr std::size_t no_node = ~std::size_t{0};
    /// A statement, in the order of the text.
    struct Node {
        std::size_t around = no_node;
        std::vector<VariableId> reads;
        std::vector<VariableId> outs;  // that may be dead
        std::size_t inside = 0;        // statements that are left in it
        bool acts = false;             // stays in any case
        bool gone = false;
    };

    void read(Node& node, const Operand& operand) {
        if (operand.is_variable()) {
            node.reads.push_back(operand.variable);
            ++reads_[operand.variable];
        }
        for (const Operand& key : operand.path) read(node, key);
    }
    void note(Block& block, std::size_t around) {
        for (const VariableId each : block.variables) declared_[each] = true;
        if (around != no_node) nodes_[around].inside += block.statements.size();
        for (Statement& each : block.statements) {
            const std::size_t own = nodes_.size();
            nodes_.emplace_back();
            nodes_[own].around = around;
            if (const auto* is = std::get_if<Instruction>(&each.is))
                note(*is, own);
            else
                for_each_operand(each, [&](Operand& operand) { read(nodes_[own], operand); });
            ir::for_each_block(each, [&](Block& inner) { note(inner, own); });
        }
    }
    void note(const Instruction& is, std::size_t own) {
        Node& node = nodes_[own];
        for (const Operand& in : is.ins) read(node, in);
        node.acts = !is_pure(is) || is.op == Op::map_file;
        for (const Operand& out : is.outs) {
            for (const Operand& key : out.path) read(node, key);
            if (may_be_dead(out)) {
                node.outs.push_back(out.variable);
                assigned_by_[out.variable].push_back(own);
            } else {
                node.acts = true;
            }
        }
    }
    /// Elements of arrays are assigned in any case: two of them may have one key, which is an error.
    [[nodiscard]] bool may_be_dead(const Operand& out) const {
        const ir::Variable& variable = function_.variables[out.variable];
        if (out.is_element() && !variable.type.is(Kind::structure)) return false;
        return declared_[out.variable] && !variable.mapped && !variable.type.is(Kind::updateable);
    }

    [[nodiscard]] bool is_dead(const Node& node) const {
        return !node.acts && node.inside == 0 &&
               std::ranges::all_of(node.outs, [&](VariableId each) { return reads_[each] == 0; });
    }
    void remove(std::size_t index) {
        const Node& node = nodes_[index];
        nodes_[index].gone = true;
        for (const VariableId each : node.reads)
            if (--reads_[each] == 0)
                left_.insert(left_.end(), assigned_by_[each].begin(), assigned_by_[each].end());
        if (node.around != no_node && --nodes_[node.around].inside == 0)
            left_.push_back(node.around);
    }

    void sweep(Block& block, std::size_t& next) {
        std::erase_if(block.statements, [&](Statement& each) {
            const bool gone = nodes_[next++].gone;
            ir::for_each_block(each, [&](Block& inner) { sweep(inner, next); });
            return gone;
        });
    }
    void note_name(const Operand& operand) {
        if (operand.is_variable()) named_[operand.variable] = true;
        for (const Operand& key : operand.path) note_name(key);
    }
    void drop_variables(Block& block) {
        std::erase_if(block.variables, [&](VariableId each) { return !named_[each]; });
        for (Statement& each : block.statements)
            ir::for_each_block(each, [&](Block& inner) { drop_variables(inner); });
    }

    ir::Function& function_;
    std::vector<Node> nodes_;
    std::vector<bool> declared_;  // by a block
    std::vector<bool> named_;
    std::vector<std::size_t> reads_;  // how many statements that are left read a variable
    std::vector<std::vector<std::size_t>> assigned_by_;
    std::vector<std::size_t> left_;  // to be looked at
};

void note_calls(const ir::ProgramIndex& program, const Block& block,
                std::set<std::string>& called) {
    ir::for_each_call(block, [&](const Instruction& call) {
        if (called.insert(call.callee).second)
            note_calls(program, program.function(call.callee)->body, called);
    });
}

}  // namespace

ir::Program remove_dead_code(ir::Program program) {
    for (ir::Function& each : program.functions) Removal(each).run();
    std::set<std::string> called{"main"};
    note_calls(ir::ProgramIndex(program), program.function("main")->body, called);
    std::erase_if(program.functions,
                  [&](const ir::Function& each) { return !called.contains(each.name); });
    return program;
}

}  // namespace refrain::script::passes
