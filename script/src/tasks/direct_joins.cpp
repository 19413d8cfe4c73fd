#include "tasks/direct_joins.hpp"

#include <algorithm>

namespace refrain::script::tasks {
namespace {

using ir::Op;
using ir::Operand;
using ir::VariableId;

bool may_be_slot(const ir::Variable& variable) {
    return variable.type.is_scalar() && variable.storage == ir::Variable::Storage::datum;
}

bool is_whole(const Operand& operand, VariableId variable) {
    return operand.is_variable() && !operand.is_element() && operand.variable == variable;
}
bool has_key(const Operand& operand, VariableId variable) {
    return std::ranges::any_of(operand.path, [&](const Operand& key) {
        return is_whole(key, variable) || has_key(key, variable);
    });
}
/// Waits for the variable, and for no element that it is a key of.
bool awaits(const ir::Wait& wait, VariableId variable) {
    const auto& operands = wait.operands;
    return std::ranges::any_of(operands,
                               [&](const Operand& each) { return is_whole(each, variable); }) &&
           std::ranges::none_of(operands,
                                [&](const Operand& each) { return has_key(each, variable); });
}

}  // namespace

bool is_call_point(const ir::Statement& statement) {
    const auto* is = std::get_if<ir::Instruction>(&statement.is);
    return is != nullptr && ir::calls_where_it_stands(is->op);
}

DirectJoins::DirectJoins(const ir::Program& program) {
    for (const ir::Function& each : program.functions)
        for (std::size_t i = 0; i < each.outputs.size(); ++i)
            if (may_be_slot(each.variables[each.outputs[i]])) once_.emplace(each.name, i);
    // What a function passes on is assigned once if the callee does so; recursive ones assume it of themselves.
    for (bool changed = true; changed;) {
        changed = false;
        for (const ir::Function& each : program.functions) {
            const Uses uses = uses_of(each.body);
            for (std::size_t i = 0; i < each.outputs.size(); ++i)
                if (once_.contains({each.name, i}) && !is_assigned_once(uses, each.outputs[i])) {
                    once_.erase({each.name, i});
                    changed = true;
                }
        }
    }
}

bool DirectJoins::is_assigned_once(const Uses& uses, VariableId output) {
    const auto found = uses.find(output);
    return found == uses.end() ||
           (!found->second.read && !found->second.loaded && found->second.writes < 2);
}

DirectJoins::Uses DirectJoins::uses_of(const ir::Statement& statement,
                                       const ir::Instruction& is) const {
    Uses uses = with_own({}, statement);
    if (is.op == Op::load && !is.ins[0].is_element()) uses[is.ins[0].variable] = {true, false, 0};
    const bool assigns = ir::traits_of(is.op).makes != ir::Makes::changes;
    for (std::size_t i = 0; i < is.outs.size(); ++i) {
        if (!is.outs[i].is_variable()) continue;
        const bool once = assigns && (is.op != Op::call || once_.contains({is.callee, i}));
        Use& use = uses[is.outs[i].variable];
        use.writes = std::min(2U, use.writes + (once ? 1U : 2U));
    }
    return uses;
}

DirectJoins::Uses DirectJoins::uses_of(const ir::Block& block) const {
    Uses all;
    for (const ir::Statement& each : block.statements)
        for (const auto& [variable, use] : uses_of(each))
            all[variable].add(use, std::min(2U, all[variable].writes + use.writes));
    return all;
}

/// Of the arms of a branch one runs; the body of a loop may run often.
DirectJoins::Uses DirectJoins::uses_of(const ir::Statement& statement) const {
    if (const auto* is = std::get_if<ir::Instruction>(&statement.is))
        return uses_of(statement, *is);
    Uses all;
    ir::for_each_block(statement, [&](const ir::Block& inner) {
        for (const auto& [variable, use] : uses_of(inner))
            all[variable].add(use, std::max(all[variable].writes,
                                            ir::is_loop(statement) ? 2 * use.writes : use.writes));
    });
    return with_own(std::move(all), statement);
}

/// What is used in a statement, and what it reads itself.
DirectJoins::Uses DirectJoins::with_own(Uses inside, const ir::Statement& statement) {
    ir::for_each_own_operand(statement, [&](const Operand& operand, bool output) {
        if (operand.is_variable() && !output) inside[operand.variable].read = true;
        for (const Operand& key : operand.path)
            if (key.is_variable()) inside[key.variable].read = true;
    });
    return inside;
}

std::vector<Join> DirectJoins::of(const ir::Function& function, const ir::Block& block) const {
    struct Users {
        std::vector<std::size_t> writers;
        std::vector<std::size_t> readers;
        bool other = false;
    };
    std::map<VariableId, Users> users;
    for (const VariableId each : block.variables)
        if (may_be_slot(function.variables[each])) users[each];
    if (users.empty()) return {};
    std::size_t call_point = block.statements.size();
    for (std::size_t i = 0; i < block.statements.size(); ++i) {
        const ir::Statement& statement = block.statements[i];
        if (is_call_point(statement)) call_point = i;
        const auto* wait = std::get_if<ir::Wait>(&statement.is);
        const Uses inside = wait == nullptr ? Uses{} : uses_of(wait->body);
        for (const auto& [variable, use] :
             wait == nullptr ? uses_of(statement) : with_own(inside, statement)) {
            const auto found = users.find(variable);
            if (found == users.end()) continue;
            const auto body = inside.find(variable);
            const bool only_loads =
                wait != nullptr && awaits(*wait, variable) &&
                (body == inside.end() || (!body->second.read && body->second.writes == 0));
            if (!use.read && !use.loaded && use.writes == 1)
                found->second.writers.push_back(i);
            else if (only_loads && use.writes == 0)
                found->second.readers.push_back(i);
            else
                found->second.other = true;
        }
    }
    std::map<std::size_t, std::vector<VariableId>> by_reader;
    for (const auto& [variable, is] : users) {
        if (is.other || is.writers.size() != 1 || is.readers.size() != 1) continue;
        // Both run on the same side of the task's call: before the value can come, the reader is there.
        if ((is.writers[0] < call_point) == (is.readers[0] < call_point))
            by_reader[is.readers[0]].push_back(variable);
    }
    std::vector<Join> joins;
    for (auto& [reader, data] : by_reader) joins.push_back({reader, std::move(data)});
    return joins;
}

}  // namespace refrain::script::tasks
