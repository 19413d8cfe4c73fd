#include "ir/program.hpp"

#include "values/steps.hpp"

#include <algorithm>

namespace refrain::script::ir {

Branch branch_on(Operand condition) {
    return {std::move(condition), {.by_truth = true, .labels = {}}, std::vector<Block>(2)};
}

ProgramIndex::ProgramIndex(const Program& program) {
    for (const Function& each : program.functions) functions_.emplace(each.name, &each);
    for (const LeafDefinition& each : program.leaves) leaves_.emplace(each.name, &each);
}
const Function* ProgramIndex::function(const std::string& name) const {
    const auto found = functions_.find(name);
    return found == functions_.end() ? nullptr : found->second;
}
const LeafDefinition* ProgramIndex::leaf(const std::string& name) const {
    const auto found = leaves_.find(name);
    return found == leaves_.end() ? nullptr : found->second;
}

void note_called(const ProgramIndex& program, const Block& block, std::set<std::string>& called) {
    for_each_call(block, [&](const Instruction& call) {
        if (called.insert(call.callee).second)
            note_called(program, program.function(call.callee)->body, called);
    });
}

bool has_next(const Statement& statement) {
    if (std::holds_alternative<CarriedLoop>(statement.is)) return false;  // its own
    const auto* is = std::get_if<Instruction>(&statement.is);
    bool found = is != nullptr && is->op == Op::next;
    for_each_block(statement, [&](const Block& block) { found = found || has_next(block); });
    return found;
}
bool has_next(const Block& block) {
    return std::ranges::any_of(block.statements,
                               [](const Statement& each) { return has_next(each); });
}

bool same_place(const Operand& a, const Operand& b) {
    step();
    return a.kind == b.kind && a.variable == b.variable &&
           (!a.is_constant() || a.constant == b.constant) &&
           std::ranges::equal(a.path, b.path, same_place);
}

namespace {

void read(UsageMap& usage, const Operand& operand) {
    if (operand.is_variable()) usage[operand.variable].reads = true;
    for (const Operand& key : operand.path) read(usage, key);
}

}  // namespace

void add(UsageMap& usage, const UsageMap& more) {
    for (const auto& [variable, how] : more) {
        step();
        usage[variable].reads |= how.reads;
        usage[variable].writes |= how.writes;
    }
}

UsageMap usage_of(const Statement& statement) {
    UsageMap usage;
    for_each_block(statement, [&](const Block& block) { add(usage, usage_of(block)); });
    for_each_own_variable(statement, [&](VariableId own) { usage.erase(own); });
    for_each_own_operand(statement, [&](const Operand& each, bool output) {
        if (each.is_variable())
            (output ? usage[each.variable].writes : usage[each.variable].reads) = true;
        for (const Operand& key : each.path) read(usage, key);
    });
    return usage;
}

UsageMap usage_of(const Block& block) {
    UsageMap usage;
    for (const Statement& each : block.statements) add(usage, usage_of(each));
    for (const VariableId own : block.variables) usage.erase(own);
    return usage;
}

}  // namespace refrain::script::ir
