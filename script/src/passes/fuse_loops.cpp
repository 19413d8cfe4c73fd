#include "passes/fuse_loops.hpp"

#include "passes/rewriting.hpp"

namespace refrain::script::passes {
namespace {

/// A text that loops share which may become one; empty of other statements.
std::string name_of(const Function& function, const Statement& statement) {
    if (const auto* is = std::get_if<ir::RangeLoop>(&statement.is))
        if (has_known_ends(function, *is) && is_brief(function, is->body))
            return "range" + place_name(is->begin) + place_name(is->end) + place_name(is->step);
    if (const auto* is = std::get_if<ir::Foreach>(&statement.is))
        if (is_brief(function, is->body)) return "each" + place_name(is->array);
    return {};
}

/// Tied are loops over the same if one names an element that the other assigns in the same turn.
Ties ties_of(const Function& function, Statement& loop) {
    Ties ties;
    const std::string name = name_of(function, loop);
    if (name.empty()) return ties;
    Substitution roles;  // the loop's own variables, by numbers that no variable has
    ir::for_each_own_variable(loop, [&, role = ir::no_variable](VariableId own) mutable {
        roles[own] = Operand::of(--role, Type());
    });
    const auto in_turn = [&](Operand element) {
        substitute(element, roles);
        return name + place_name(element);
    };
    ir::for_each_block(loop, [&](Block& body) {
        for_each_operand(body, [&](const Operand& each) {
            if (each.is_element()) ties.wanted.insert(in_turn(each));
        });
        ir::for_each_instruction(body, [&](const Instruction& is) {
            for (const Operand& each : is.outs) ties.offered.insert(in_turn(each));
        });
    });
    return ties;
}

/// Gives the second loop the variables of the first, but for those that only the second has.
void share_variables(const Function& function, const Statement& first, Statement& second) {
    std::vector<VariableId> own;
    ir::for_each_own_variable(first, [&](VariableId each) { own.push_back(each); });
    Substitution by;
    ir::for_each_own_variable(second, [&, i = std::size_t{0}](VariableId& each) mutable {
        const VariableId old = own[i++];
        if (old == ir::no_variable) return;
        if (each != ir::no_variable) by[each] = Operand::of(old, function.variables[old].type);
        each = old;
    });
    ir::for_each_block(second, [&](Block& body) { substitute(body, by); });
}

void fuse(const Function& function, Block& block) {
    for (Statement& each : block.statements)
        ir::for_each_block(each, [&](Block& inner) { fuse(function, inner); });
    // What has become one may now need what another assigns.
    while (join_tied(
        block, [&](Statement& each) { return ties_of(function, each); },
        [&](Statement& first, Statement& second) { share_variables(function, first, second); })) {
    }
}

}  // namespace

ir::Program fuse_loops(ir::Program program) {
    for (Function& each : program.functions) fuse(each, each.body);
    return program;
}

}  // namespace refrain::script::passes
