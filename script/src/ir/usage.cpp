#include "ir/usage.hpp"

#include "values/steps.hpp"

namespace refrain::script::ir {
namespace {

void read(UsageMap& usage, const Operand& operand) {
    if (operand.is_variable()) usage[operand.variable].reads = true;
    for (const Operand& key : operand.path) read(usage, key);
}

void add(UsageMap& usage, const UsageMap& more) {
    for (const auto& [variable, how] : more) {
        step();
        usage[variable].reads |= how.reads;
        usage[variable].writes |= how.writes;
    }
}

}  // namespace

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
