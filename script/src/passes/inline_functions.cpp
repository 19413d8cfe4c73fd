#include "passes/inline_functions.hpp"

#include <algorithm>

#include "passes/rewriting.hpp"

namespace refrain::script::passes {
namespace {

using ir::Block;
using ir::Function;
using ir::Instruction;
using ir::Op;
using ir::Operand;
using ir::Statement;
using ir::VariableId;

template <class Visit>
void for_each_call(const Block& block, Visit visit) {
    for (const Statement& each : block.statements) {
        const auto* is = std::get_if<Instruction>(&each.is);
        if (is != nullptr && is->op == Op::call) visit(*is);
        ir::for_each_block(each, [&](const Block& inner) { for_each_call(inner, visit); });
    }
}

/// All functions that a function calls, and those that they call.
std::set<std::string> callees_of(const ir::Program& program, const std::string& name) {
    std::set<std::string> all;
    std::vector<std::string> left{name};
    while (!left.empty()) {
        const std::string each = left.back();
        left.pop_back();
        for_each_call(program.function(each)->body, [&](const Instruction& call) {
            if (all.insert(call.callee).second) left.push_back(call.callee);
        });
    }
    return all;
}

class Inlining {
  public:
    Inlining(Function& function, const std::map<std::string, Function>& bodies)
        : function_(function), bodies_(bodies), maker_(function) {}

    void run() { block(function_.body); }

  private:
    void block(Block& is) {
        std::vector<Statement> made;
        for (Statement& each : is.statements) {
            ir::for_each_block(each, [&](Block& inner) { block(inner); });
            const auto* call = std::get_if<Instruction>(&each.is);
            const Function* callee = call == nullptr ? nullptr : inlined(*call);
            if (callee == nullptr) {
                made.push_back(std::move(each));
                continue;
            }
            Block body = copied(*callee, *call);
            is.variables.insert(is.variables.end(), body.variables.begin(), body.variables.end());
            std::move(body.statements.begin(), body.statements.end(), std::back_inserter(made));
        }
        is.statements = std::move(made);
    }
    [[nodiscard]] const Function* inlined(const Instruction& is) const {
        if (is.op != Op::call || !bodies_.contains(is.callee)) return nullptr;
        const bool elements = std::any_of(is.ins.begin(), is.ins.end(),
                                          [](const Operand& each) { return each.is_element(); });
        return elements ? nullptr : &bodies_.at(is.callee);
    }

    Block copied(const Function& callee, const Instruction& call) {
        std::map<VariableId, Operand> given;
        for (std::size_t i = 0; i < call.ins.size(); ++i) given[callee.inputs[i]] = call.ins[i];
        for (std::size_t i = 0; i < call.outs.size(); ++i) given[callee.outputs[i]] = call.outs[i];
        renamed_.clear();
        for (VariableId id = 0; id < callee.variables.size(); ++id) {
            if (given.contains(id)) continue;
            const ir::Variable& is = callee.variables[id];
            renamed_[id] = maker_.make(is.name, is.type, is.storage, is.at);
            function_.variables[renamed_[id]].mapped = is.mapped;
        }
        Block body = callee.body;
        for_each_operand(body, [&](Operand& each) { rename(each, given); });
        rename_declared(body);
        if (call.priority != 0) raise(body, call.priority);
        return body;
    }
    void rename(Operand& operand, const std::map<VariableId, Operand>& given) {
        for (Operand& key : operand.path) rename(key, given);
        if (!operand.is_variable()) return;
        const auto known = given.find(operand.variable);
        if (known == given.end()) {
            operand.variable = renamed_.at(operand.variable);
        } else if (known->second.is_constant()) {
            operand.kind = Operand::Kind::constant;
            operand.constant = known->second.constant;
        } else {
            operand.variable = known->second.variable;
        }
    }
    void rename(VariableId& id) {
        if (id != ir::no_variable) id = renamed_.at(id);
    }
    void rename_declared(Block& block) {
        for (VariableId& each : block.variables) rename(each);
        for (Statement& each : block.statements) {
            if (auto* over = std::get_if<ir::Foreach>(&each.is)) {
                rename(over->key);
                rename(over->element);
            } else if (auto* range = std::get_if<ir::RangeLoop>(&each.is)) {
                rename(range->counter);
                rename(range->index);
            } else if (auto* loop = std::get_if<ir::CarriedLoop>(&each.is)) {
                for (VariableId& one : loop->carried) rename(one);
            }
            ir::for_each_block(each, [&](Block& inner) { rename_declared(inner); });
        }
    }
    /// The priority of a call is that of the leaves in it.
    static void raise(Block& block, int priority) {
        for (Statement& each : block.statements) {
            if (auto* is = std::get_if<Instruction>(&each.is);
                is != nullptr && is->priority == 0 && is->op != Op::call)
                is->priority = priority;
            if (auto* is = std::get_if<ir::Wait>(&each.is); is != nullptr && is->priority == 0)
                is->priority = priority;
            ir::for_each_block(each, [&](Block& inner) { raise(inner, priority); });
        }
    }

    Function& function_;
    const std::map<std::string, Function>& bodies_;
    VariableMaker maker_;
    std::map<VariableId, VariableId> renamed_;
};

}  // namespace

ir::Program inline_functions(ir::Program program, std::size_t instructions_max) {
    // Callees first: what is put in has nothing left to put in.
    for (std::size_t round = 0; round <= program.functions.size(); ++round) {
        std::map<std::string, std::size_t> calls;
        for (const Function& each : program.functions)
            for_each_call(each.body, [&](const Instruction& call) { ++calls[call.callee]; });
        std::map<std::string, Function> bodies;
        for (const Function& each : program.functions) {
            if (each.name == "main" || calls[each.name] == 0) continue;
            const std::set<std::string> below = callees_of(program, each.name);
            const std::size_t size = instruction_count(each.body);
            const bool is_small =
                calls[each.name] == 1 || size * calls[each.name] < instructions_max;
            const bool waits_for_others =
                std::any_of(below.begin(), below.end(), [&](const std::string& callee) {
                    return !callees_of(program, callee).contains(callee) && bodies.contains(callee);
                });
            if (is_small && !below.contains(each.name) && !waits_for_others)
                bodies.emplace(each.name, each);
        }
        if (bodies.empty()) break;
        const std::size_t before = program.functions.size();
        for (Function& each : program.functions)
            if (!bodies.contains(each.name)) Inlining(each, bodies).run();
        std::map<std::string, std::size_t> left;
        for (const Function& each : program.functions)
            for_each_call(each.body, [&](const Instruction& call) { ++left[call.callee]; });
        std::erase_if(program.functions, [&](const Function& each) {
            return each.name != "main" && left[each.name] == 0;
        });
        if (program.functions.size() == before) break;
    }
    return program;
}

}  // namespace refrain::script::passes
