#include "ir/usage.hpp"

#include "values/steps.hpp"

namespace refrain::script::ir {
namespace {

void read(UsageMap& usage, const Operand& operand) {
    if (operand.is_variable()) usage[operand.variable].reads = true;
    for (const Operand& key : operand.path) read(usage, key);
}

void write(UsageMap& usage, const Operand& operand) {
    if (operand.is_variable()) usage[operand.variable].writes = true;
    for (const Operand& key : operand.path) read(usage, key);
}

void add(UsageMap& usage, const UsageMap& more) {
    for (const auto& [variable, how] : more) {
        step();
        usage[variable].reads |= how.reads;
        usage[variable].writes |= how.writes;
    }
}

void read_all(UsageMap& usage, const std::vector<Operand>& operands) {
    for (const Operand& each : operands) read(usage, each);
}

void add_own(UsageMap& usage, const Instruction& is) {
    for (const Operand& out : is.outs) write(usage, out);
    read_all(usage, is.ins);
}
void add_own(UsageMap& usage, const If& is) {
    read(usage, is.condition);
}
void add_own(UsageMap& usage, const Switch& is) {
    read(usage, is.value);
}
void add_own(UsageMap& usage, const Wait& is) {
    read_all(usage, is.operands);
}
void add_own(UsageMap& usage, const Foreach& is) {
    read(usage, is.array);
}
void add_own(UsageMap& usage, const RangeLoop& is) {
    read(usage, is.begin);
    read(usage, is.end);
    read(usage, is.step);
}
void add_own(UsageMap& usage, const CarriedLoop& is) {
    read_all(usage, is.initial);
}

void remove_own(UsageMap& usage, const Foreach& is) {
    usage.erase(is.key);
    usage.erase(is.element);
}
void remove_own(UsageMap& usage, const RangeLoop& is) {
    usage.erase(is.counter);
    usage.erase(is.index);
}
void remove_own(UsageMap& usage, const CarriedLoop& is) {
    for (const VariableId each : is.carried) usage.erase(each);
}
template <class Other>
void remove_own(UsageMap&, const Other&) {}

}  // namespace

UsageMap usage_of(const Statement& statement) {
    UsageMap usage;
    for_each_block(statement, [&](const Block& block) { add(usage, usage_of(block)); });
    std::visit(
        [&](const auto& is) {
            remove_own(usage, is);
            add_own(usage, is);
        },
        statement.is);
    return usage;
}

UsageMap usage_of(const Block& block) {
    UsageMap usage;
    for (const Statement& each : block.statements) add(usage, usage_of(each));
    for (const VariableId own : block.variables) usage.erase(own);
    return usage;
}

}  // namespace refrain::script::ir
