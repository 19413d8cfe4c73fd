#include "passes/rewriting.hpp"

#include "library/builtin.hpp"
#include "values/steps.hpp"
#include "values/text.hpp"

#include <algorithm>
#include <iterator>

namespace refrain::script::passes {

std::string place_name(const Operand& operand) {
    step();
    std::string name;
    if (operand.is_constant()) {
        // The kind keeps 1, 1.0, true and "1" apart; the length, a text and operands that it may spell. The text of a
        // float reads back.
        const std::string text = text_of(operand.constant);
        name = "c" + std::to_string(static_cast<int>(operand.type.kind())) + ':' +
               std::to_string(text.size()) + ':' + text + ';';
        if (operand.constant.is<Value::TablePointer>() || operand.constant.is<Value::File>())
            name += "?";
    } else {
        name = "v" + std::to_string(operand.variable) + ';';
    }
    for (const Operand& key : operand.path) name += '[' + place_name(key) + ']';
    return name;
}

void note_variables(const Operand& operand, std::set<VariableId>& into) {
    step();
    if (operand.is_variable()) into.insert(operand.variable);
    for (const Operand& key : operand.path) note_variables(key, into);
}

VariableId VariableMaker::make(const std::string& name, const Type& type,
                               ir::Variable::Storage storage, Position at) {
    if (names_.empty()) {
        step(function_.variables.size());
        for (const ir::Variable& each : function_.variables) names_.insert(each.name);
    }
    std::string unique = name;
    for (std::size_t i = function_.variables.size(); !names_.insert(unique).second; ++i) {
        step();
        unique = name + "." + std::to_string(i);
    }
    function_.variables.push_back({unique, type, storage, false, at});
    return static_cast<VariableId>(function_.variables.size() - 1);
}
Operand VariableMaker::make_local(Block& block, const std::string& name, const Type& type,
                                  Position at) {
    const VariableId id = make(name, type, ir::Variable::Storage::local, at);
    block.variables.push_back(id);
    return Operand::of(id, type);
}
Operand VariableMaker::load(Block& block, const Operand& datum, Position at) {
    const Operand local = make_local(block, "v", datum.type, at);
    block.statements.push_back({Instruction{Op::load, {}, {local}, {datum}, at, 0}});
    return local;
}

Block VariableMaker::copy(const Function& from, Block block, Substitution by) {
    renew(from, block, by);
    substitute(block, by);
    return block;
}
void VariableMaker::renew(const Function& from, Block& block, Substitution& by) {
    const auto one = [&](VariableId& id) {
        if (id == ir::no_variable) return;
        const ir::Variable is = from.variables[id];
        by[id] = Operand::of(make(is.name, is.type, is.storage, is.at), is.type);
        id = by[id].variable;
        function_.variables[id].mapped = is.mapped;
    };
    for (VariableId& each : block.variables) one(each);
    for (Statement& each : block.statements) {
        ir::for_each_own_variable(each, one);
        ir::for_each_block(each, [&](Block& inner) { renew(from, inner, by); });
    }
}

void for_each_operand(Block& block, const std::function<void(Operand&)>& visit) {
    for (Statement& each : block.statements) {
        step();
        ir::for_each_own_operand(each, visit);
        ir::for_each_block(each, [&](Block& inner) { for_each_operand(inner, visit); });
    }
}

void substitute(Operand& operand, const Substitution& by) {
    for (Operand& key : operand.path) substitute(key, by);
    if (!operand.is_variable()) return;
    const auto found = by.find(operand.variable);
    if (found == by.end()) return;
    if (operand.is_element()) {
        operand.variable = found->second.variable;
        return;
    }
    const Type type = operand.type;
    operand = found->second;
    operand.type = type;
}
void substitute(Block& block, const Substitution& by) {
    if (by.empty()) return;
    for_each_operand(block, [&](Operand& each) { substitute(each, by); });
}

void append_block(Block& to, Block from) {
    to.variables.insert(to.variables.end(), from.variables.begin(), from.variables.end());
    std::move(from.statements.begin(), from.statements.end(), std::back_inserter(to.statements));
}

bool join_tied(Block& block, const std::function<Ties(Statement&)>& ties_of,
               const std::function<void(Statement&, Statement&)>& adjust) {
    std::map<std::string, Statement*> offers;
    std::map<const Statement*, Statement*> moved;  // into which other
    for (Statement& second : block.statements) {
        const auto* one = std::get_if<Instruction>(&second.is);
        if (one != nullptr && ir::calls_where_it_stands(one->op)) offers.clear();
        const Ties ties = ties_of(second);
        for (const std::string& each : ties.wanted) {
            const auto found = offers.find(each);
            if (found == offers.end()) continue;
            Statement*& first = found->second;
            while (moved.contains(first)) first = moved[first];
            if (first == &second) continue;
            adjust(*first, second);
            ir::for_each_block(*first, [&](Block& before) {
                ir::for_each_block(second, [&](Block& behind) {
                    append_block(before, std::move(behind));
                    behind = std::move(before);
                });
            });
            moved[first] = &second;
        }
        for (const std::string& each : ties.offered) offers[each] = &second;
    }
    std::erase_if(block.statements, [&](const Statement& each) { return moved.contains(&each); });
    return !moved.empty();
}

bool is_pure(const Instruction& is) {
    if (is.op == Op::compute || is.op == Op::compute_now) {
        const Builtin* builtin = find_builtin(is.callee);
        return builtin != nullptr && builtin->pure && !builtin->sleeps;
    }
    return ir::traits_of(is.op).pure;
}
bool is_quiet(const Statement& statement) {
    const auto* is = std::get_if<Instruction>(&statement.is);
    return is != nullptr && ir::traits_of(is->op).makes == ir::Makes::values && is_pure(*is);
}

bool has_place(const std::vector<Operand>& operands, const Operand& operand) {
    return std::ranges::any_of(operands,
                               [&](const Operand& each) { return same_place(each, operand); });
}

std::size_t instruction_count(const Block& block) {
    std::size_t count = 0;
    for (const Statement& each : block.statements) {
        ++count;
        ir::for_each_block(each, [&](const Block& inner) { count += instruction_count(inner); });
    }
    return count;
}

bool keeps_value(const Function& function, const Operand& place) {
    return place.type.is_scalar() &&
           !function.variables[place.variable].type.is(Kind::updateable) &&
           std::ranges::all_of(place.path,
                               [&](const Operand& key) { return function.is_immediate(key); });
}

bool has_known_ends(const Function& function, const ir::RangeLoop& is) {
    return function.is_immediate(is.begin) && function.is_immediate(is.end) &&
           is.step.is_constant() && is.step.constant.integer() > 0;
}
bool is_brief(const Function& function, const Block& block) {
    return std::ranges::all_of(block.statements, [&](const Statement& each) {
        const auto is_datum = [&](const Operand& one) { return function.is_datum(one); };
        if (const auto* wait = std::get_if<ir::Wait>(&each.is))
            return std::ranges::any_of(wait->operands, is_datum) ||
                   (!wait->task && is_brief(function, wait->body));
        if (const auto* branch = std::get_if<ir::Branch>(&each.is))
            return std::ranges::all_of(branch->blocks,
                                       [&](const Block& one) { return is_brief(function, one); });
        const auto* is = std::get_if<Instruction>(&each.is);
        return is != nullptr && ir::runs_where_it_stands(is->op) &&
               !ir::calls_where_it_stands(is->op);
    });
}

namespace {

/// The values and data that a failure of one operand reaches.
class Reach {
  public:
    explicit Reach(const Operand& from) { add(from); }

    bool all_of(const Block& block) {
        return std::ranges::all_of(block.statements,
                                   [&](const Statement& each) { return reaches(each); });
    }

  private:
    [[nodiscard]] bool has(const Operand& operand) const {
        return (operand.is_variable() && whole_.contains(operand.variable)) ||
               (operand.is_element() && elements_.contains(place_name(operand))) ||
               any(operand.path);
    }
    [[nodiscard]] bool any(const std::vector<Operand>& operands) const {
        return std::ranges::any_of(operands, [&](const Operand& each) { return has(each); });
    }
    void add(const Operand& operand) {
        if (operand.is_element())
            elements_.insert(place_name(operand));
        else if (operand.is_variable())
            whole_.insert(operand.variable);
    }
    bool reaches(const Instruction& is) {
        const bool reached =
            any(is.ins) || std::ranges::any_of(is.outs, [&](const Operand& out) {
                return std::ranges::any_of(out.path, [&](const Operand& key) { return has(key); });
            });
        if (reached)
            for (const Operand& each : is.outs) add(each);
        return reached || (ir::traits_of(is.op).makes == ir::Makes::values && is_pure(is));
    }
    bool reaches(const Statement& statement) {
        if (const auto* is = std::get_if<Instruction>(&statement.is)) return reaches(*is);
        bool reached = false;
        if (!std::holds_alternative<ir::CarriedLoop>(statement.is))  // its turns ask for the values
            ir::for_each_own_operand(statement, [&](const Operand& each) { reached |= has(each); });
        if (reached) return true;
        bool all = true;
        ir::for_each_block(statement, [&](const Block& each) { all = all && all_of(each); });
        return all;
    }

    std::set<VariableId> whole_;
    std::set<std::string> elements_;
};

}  // namespace

bool needs_value(const Block& block, const Operand& operand) {
    return Reach(operand).all_of(block);
}

}  // namespace refrain::script::passes
