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

/// Gives the first loop the variables of the second; one that only the first has becomes the second's.
void share_variables(const Function& function, Statement& first, Statement& second) {
    std::vector<VariableId> own;
    ir::for_each_own_variable(first, [&](VariableId each) { own.push_back(each); });
    Substitution by;
    ir::for_each_own_variable(second, [&, i = std::size_t{0}](VariableId& each) mutable {
        const VariableId old = own[i++];
        if (each == ir::no_variable)
            each = old;
        else if (old != ir::no_variable)
            by[old] = Operand::of(each, function.variables[each].type);
    });
    ir::for_each_block(first, [&](Block& body) { substitute(body, by); });
}

void fuse(const Function& function, Block& block) {
    for (Statement& each : block.statements)
        ir::for_each_block(each, [&](Block& inner) { fuse(function, inner); });
    join_equal(
        block, [&](const Statement& each) { return name_of(function, each); },
        [&](Statement& first, Statement& second) { share_variables(function, first, second); });
}

}  // namespace

ir::Program fuse_loops(ir::Program program) {
    for (Function& each : program.functions) fuse(each, each.body);
    return program;
}

}  // namespace refrain::script::passes
