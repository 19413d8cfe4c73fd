#include "typing/function_lowering.hpp"

#include "typing/annotations.hpp"
#include "typing/rejection.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace refrain::script {

using ir::Op;
using ir::Operand;
using StatementForm = Statement::Kind;
using Storage = ir::Variable::Storage;

// ---- functions

ir::Function FunctionLowering::finished(const std::string& name, Position at) {
    check_usage(builder_.symbols, diagnostics_);
    builder_.function.name = name;
    builder_.function.at = at;
    return std::move(builder_.function);
}

void FunctionLowering::declare_parameters(const FunctionTree& tree) {
    if (tree.kind == FunctionTree::Kind::composite && !tree.type_variables.empty())
        reject(code::parameter, tree.at, "only extension functions have type variables");
    std::set<std::string> names;
    const auto declare_one = [&](const Parameter& each, Symbol::Role role) {
        const Declarator& declarator = each.declarator;
        if (!names.insert(declarator.name).second)
            reject(code::duplicate_name, declarator.at,
                   "'" + tree.name + "' has two arguments called '" + declarator.name + "'");
        const auto refuse = [&](const std::string& why) {
            reject(code::parameter, declarator.at, why);
        };
        if (each.variable_count && role == Symbol::Role::output)
            refuse("an output cannot stand for a variable number");
        if (each.variable_count && &each != &tree.inputs.back())
            refuse("'...' stands behind the last argument only");
        if (each.variable_count && !declarator.value.empty())
            refuse("'" + declarator.name + "' has '...' and a default");
        if (tree.kind == FunctionTree::Kind::composite && each.variable_count)
            refuse("only extension functions take a variable number of arguments");
        if (tree.kind == FunctionTree::Kind::composite && !each.type.alternatives.empty())
            refuse("only extension functions take arguments of alternative types");
        const auto is_variable = [&](const TypeName& type) {
            return std::ranges::find(tree.type_variables, type.name) != tree.type_variables.end();
        };
        if (!each.type.alternatives.empty() &&
            (is_variable(each.type) || std::ranges::any_of(each.type.alternatives, is_variable)))
            refuse("a type variable is one of several alternatives");
        const Type type = catalogue_.type_of(each.type, declarator, tree.type_variables);
        const Operand made = add_symbol(role, declarator.name, type, declarator.at);
        (role == Symbol::Role::output ? builder_.function.outputs : builder_.function.inputs)
            .push_back(made.variable);
    };
    for (const Parameter& each : tree.outputs) declare_one(each, Symbol::Role::output);
    bool with_default = false;
    for (const Parameter& each : tree.inputs) {
        if (each.declarator.value.empty() && with_default && !each.variable_count)
            reject(code::parameter, each.declarator.at,
                   "an argument without a default stands behind one with a default");
        with_default |= !each.declarator.value.empty();
        if (with_default && each.declarator.value.size() == 1 &&
            each.declarator.value[0].kind != Expression::Kind::literal)
            reject(code::parameter, each.declarator.at,
                   "the default of '" + each.declarator.name + "' is no literal");
        declare_one(each, Symbol::Role::input);
    }
}

ir::Function FunctionLowering::composite(const FunctionTree& tree, const std::string& code_name) {
    const CodeBuilder::Inside inside(builder_, builder_.function.body);
    guarded(diagnostics_, [&] {
        check_annotations(tree);
        declare_parameters(tree);
        statements(tree.body);
        for (const Symbol& each : builder_.symbols)
            if (each.role == Symbol::Role::output && each.writes.empty() && !diagnostics_.failed())
                diagnostics_.warning(
                    code::maybe_unassigned, each.at,
                    "the output '" + each.name + "' of '" + tree.name + "' is never assigned");
    });
    return finished(code_name, tree.at);
}

ir::Function FunctionLowering::main(const Statement::Block& body) {
    is_main_ = true;
    builder_.within(builder_.function.body, [&] { statements(body); });
    return finished("main", {});
}

// ---- statements

void FunctionLowering::statements(const Statement::Block& block) {
    for (const Statement& each : block)
        guarded(diagnostics_, [&] { static_cast<void>(statement(each)); });
}

void FunctionLowering::arm(const Statement& is, std::size_t block, BranchStep step,
                           ir::Block& code) {
    const CodeBuilder::Branch branch(builder_, step);
    const char* what = step.wait ? "wait" : is.kind == StatementForm::if_ ? "if" : "switch";
    for (const Expression& each : is.values) note_awaited(each, is.at, what);
    builder_.within(code, [&] { statements(is.blocks[block]); });
}

std::vector<Operand> FunctionLowering::statement(const Statement& is) {
    check_annotations(is);
    if (is.kind == StatementForm::declare) return declare(is);
    if (is.kind == StatementForm::assign) return assign(is);
    if (is.kind == StatementForm::call) return call(is);
    static const std::map<StatementForm, void (FunctionLowering::*)(const Statement&)> others = {
        {StatementForm::if_, &FunctionLowering::branch_statement},
        {StatementForm::switch_, &FunctionLowering::branch_statement},
        {StatementForm::foreach, &FunctionLowering::foreach_statement},
        {StatementForm::for_, &FunctionLowering::for_statement},
        {StatementForm::iterate, &FunctionLowering::iterate_statement},
        {StatementForm::wait, &FunctionLowering::wait_statement},
        {StatementForm::chain, &FunctionLowering::chain_statement},
        {StatementForm::block, &FunctionLowering::block_statement}};
    (this->*others.at(is.kind))(is);
    return {};
}

/// A block is a scope; its variables live as long as those around it.
void FunctionLowering::block_statement(const Statement& is) {
    ir::Branch same = ir::branch_on(Operand::of(Value::boolean(true)));
    builder_.within(same.blocks[0], [&] { statements(is.blocks[0]); });
    builder_.emit(std::move(same));
}

void FunctionLowering::check_new_name(const std::string& name, Position at) {
    if (const Symbol* known = builder_.scope().find(name);
        known != nullptr && known->role != Symbol::Role::constant)
        reject(code::duplicate_name, at, "'" + name + "' is declared a second time",
               "names are not shadowed: choose another one", {{known->at, "it was declared here"}});
}

Symbol& FunctionLowering::declare_variable(const std::string& name, const Type& type, Position at) {
    check_new_name(name, at);
    const auto global = globals_.find(name);
    const bool is_global = global != globals_.end() && is_main_ && global->second.at == at;
    if (global != globals_.end() && !is_global)
        reject(code::duplicate_name, at, "'" + name + "' is the name of a global variable", {},
               {{global->second.at, "it is declared here"}});
    const ir::VariableId id =
        builder_.make_variable(is_global ? "global:" + name : name, type, Storage::datum, at);
    builder_.scope().block().variables.push_back(id);
    return builder_.add_symbol({.role = is_global ? Symbol::Role::global : Symbol::Role::local,
                                .name = name,
                                .type = type,
                                .at = at,
                                .variable = id});
}

std::vector<Operand> FunctionLowering::declare(const Statement& is) {
    std::vector<Operand> made;
    for (const Declarator& each : is.declarators) {
        const Type type = catalogue_.type_of(is.type, each);
        if (is.global && globals_.contains(each.name) && !globals_.at(each.name).constant.empty())
            continue;
        if (catalogue_.find_type(each.name) != nullptr)
            reject(code::duplicate_name, each.at, "'" + each.name + "' is the name of a type");
        Symbol& symbol = declare_variable(each.name, type, each.at);
        const Operand target = Operand::of(symbol.variable, type);
        if (!each.value.empty()) symbol.writes.push_back({each.at, builder_.path, {}, false});
        if (!each.mapping.empty()) {
            if (!type.is(Kind::file))
                reject(code::type_mismatch, each.at,
                       "only files are mapped, but '" + each.name + "' is " + type.with_article(),
                       type.is(Kind::array) ? "map each: file f<...> = ...; A[i] = f;" : "");
            builder_.function.variables[symbol.variable].mapped = true;
            symbol.mapped = true;
            const Operand name = expressions_.lower(each.mapping[0]);
            if (!name.type.is(Kind::string))
                reject(code::type_mismatch, each.mapping[0].at,
                       "a file is mapped to a name, a string, not to " + name.type.with_article());
            builder_.emit(Op::map_file, {target}, {name}, each.at);
        }
        if (!each.value.empty()) {
            add_needs(each.value[0], symbol.writes.back().needs);
            if (type.is(Kind::updateable)) {
                const Operand value = expressions_.converted(expressions_.lower(each.value[0]),
                                                             Kind::floating, each.at);
                if (!value.is_constant())
                    reject(code::not_assignable, each.at,
                           "an updateable variable begins with a literal");
                builder_.emit(Op::store, {target}, {value}, each.at);
            } else {
                expressions_.lower_into(each.value[0], target);
            }
        } else if (type.is(Kind::updateable)) {
            reject(code::not_assignable, each.at,
                   "an updateable variable needs a value to begin with",
                   "write: updateable_float " + each.name + " = 0.0;");
        }
        made.push_back(target);
    }
    return made;
}

Place FunctionLowering::target_of(const Expression& expression, bool append) {
    using Written = Expression::Kind;
    if (expression.kind != Written::name && expression.kind != Written::index &&
        expression.kind != Written::member)
        reject(code::not_assignable, expression.at, "this cannot be assigned to",
               "assign to a variable, an element or a field");
    Place place = expressions_.place_of(expression);
    if (place.symbol == nullptr)
        reject(code::not_assignable, expression.at,
               "this is no variable and cannot be assigned to");
    Symbol& symbol = *place.symbol;
    const auto refuse = [&](const char* what) {
        reject(code::not_assignable, expression.at,
               "'" + symbol.name + "' is " + what + " and cannot be assigned to", {},
               {{symbol.at, "it is declared here"}});
    };
    if (symbol.role == Symbol::Role::input) refuse("an input");
    if (symbol.role == Symbol::Role::loop) refuse("the variable of a loop");
    if (symbol.role == Symbol::Role::constant) refuse("a constant");
    if (symbol.role == Symbol::Role::global && !is_main_) refuse("a global variable");
    const auto field =
        std::ranges::find_if(place.part, [](const std::string& each) { return each[0] == '.'; });
    if (field != place.part.end() && field != place.part.begin() &&
        !(*(field - 1)).starts_with('.'))
        reject(code::not_assignable, expression.at, "one field of a struct in an array is assigned",
               "assign the whole struct: " + place.symbol->name + "[...] = " + "S(...)");
    const auto outside = static_cast<std::ptrdiff_t>(
        std::min(symbol.awaited_outside, builder_.awaited.size()));  // a chain may have declared it
    symbol.writes.push_back({expression.at, builder_.path, place.part, append});
    symbol.writes.back().needs.assign(builder_.awaited.begin() + outside, builder_.awaited.end());
    return place;
}

Place FunctionLowering::declare_by_assignment(const Expression& target, const Type& value) {
    const Expression& root = ExpressionLowering::root_of(target);
    if (root.kind != Expression::Kind::name || expressions_.symbol_of(root) != nullptr)
        return target_of(target);
    std::vector<Type> keys;
    for (const Expression* at = &target; at->kind != Expression::Kind::name; at = &at->parts[0]) {
        if (at->kind != Expression::Kind::index)
            reject(code::unknown_name, root.at, "there is no variable '" + root.text + "'",
                   "declare it with its type");
        // The key is lowered twice, here for its type; the first code is dead.
        ir::Block aside;
        builder_.beside(aside, [&] { keys.push_back(expressions_.key_of(at->parts[1]).type); });
    }
    Type type = value;
    for (const Type& key : keys) {
        if (!key.may_be_key())
            reject(code::type_mismatch, target.at,
                   key.with_article() + " cannot be the key of an array");
        type = Type::array(key, type);
    }
    declare_variable(root.text, type, root.at);
    return target_of(target);
}

std::vector<Operand> FunctionLowering::assign(const Statement& is) {
    const Expression& value = is.values[0];
    const bool defines = is.operation == "=";
    const auto noted = [&](const Place& place) {
        if (defines || is.operation == "+=") add_needs(value, place.symbol->writes.back().needs);
        return place.operand;
    };
    std::vector<Operand> targets;  // no variable yet where the value is to declare it
    for (const Expression& each : is.targets) {
        const Expression& root = ExpressionLowering::root_of(each);
        const bool is_new =
            root.kind == Expression::Kind::name && expressions_.symbol_of(root) == nullptr;
        const bool waits = is_new || (each.kind != Expression::Kind::name &&  // by a new one?
                                      !std::ranges::all_of(targets, &Operand::is_variable));
        targets.push_back(waits ? Operand{} : noted(target_of(each, is.operation == "+=")));
    }
    if (!defines && (targets.size() != 1 || !targets[0].is_variable()))
        reject(code::not_assignable, is.at,
               "'" + is.operation + "' needs a variable that is declared",
               "declare it with its type");
    if (!defines) {
        is.operation == "+=" ? append(is, targets[0]) : update(is, targets[0]);
        return targets;
    }
    std::vector<Operand> values;
    try {
        values = expressions_.lower_several(value, targets.size(), targets);
    } catch (const Rejection&) {
        for (std::size_t i = 0; i < targets.size(); ++i)
            if (const Expression& root = ExpressionLowering::root_of(is.targets[i]);
                !targets[i].is_variable() && root.kind == Expression::Kind::name) {
                Symbol* known = expressions_.symbol_of(root);
                (known ? *known : builder_.add_symbol({.name = root.text})).broken = true;
            }
        throw;
    }
    for (std::size_t i = 0; i < targets.size(); ++i) {
        Type type = values[i].type;
        if (type.is(Kind::updateable)) type = Kind::floating;
        if (!targets[i].is_variable())
            targets[i] = noted(declare_by_assignment(is.targets[i], type));
        const bool of_tuple = targets.size() > 1 && value.kind == Expression::Kind::tuple;
        expressions_.assign(targets[i], values[i], of_tuple ? value.parts[i] : value);
    }
    return targets;
}

void FunctionLowering::append(const Statement& is, const Operand& target) {
    if (!target.type.is(Kind::bag))
        reject(code::type_mismatch, is.at,
               "'+=' appends to bags, but this is " + target.type.with_article(),
               "assign elements: A[i] = ...;");
    const Expression& value = is.values[0];
    const Operand element =
        expressions_.converted(expressions_.lower(value), target.type.element(), value.at);
    builder_.emit(Op::append, {target}, {element}, is.at);
}

void FunctionLowering::update(const Statement& is, const Operand& target) {
    if (!target.type.is(Kind::updateable))
        reject(code::type_mismatch, is.at,
               "':=' changes updateable variables, but '" + is.targets[0].text + "' is " +
                   target.type.with_article());
    if (is.operation != "min" && is.operation != "incr" && is.operation != "scale")
        reject(code::not_assignable, is.at, "there is no update '<" + is.operation + ">'",
               "there are: <min>, <incr>, <scale>");
    const Expression& value = is.values[0];
    const Operand by = expressions_.converted(expressions_.lower(value), Kind::floating, value.at);
    builder_.emit(Op::update, {target}, {by}, is.at, is.operation);
}

std::vector<Operand> FunctionLowering::call(const Statement& is) {
    const Expression& expression = is.values[0];
    if (expression.kind == Expression::Kind::name) return {expressions_.lower(expression)};
    const auto known = catalogue_.functions(expression.text);
    return expressions_.lower_several(expression, known.empty() ? 1 : known[0]->outputs.size());
}

void FunctionLowering::chain(const std::vector<Statement>& links, std::size_t index) {
    const std::vector<Operand> outputs = statement(links[index]);
    if (index + 1 == links.size()) return;
    if (outputs.empty())
        reject(code::wrong_use, links[index].at, "a link of a chain has no output to wait for",
               "only the last link may be another statement than a declaration, an assignment, a "
               "call or a variable");
    ir::Wait wait{.body = {}, .at = links[index].at};
    for (const Operand& each : outputs)
        if (!builder_.function.is_immediate(each) && !each.type.is(Kind::updateable))
            wait.operands.push_back(each);
    const base::Exchanged awaited(builder_.awaited, builder_.awaited);  // with those of this link
    note_link(links[index]);
    builder_.beside(wait.body, [&] { chain(links, index + 1); });
    builder_.emit(std::move(wait));
}

void FunctionLowering::note_link(const Statement& is) {
    std::vector<Needed> needs;
    for (const Declarator& each : is.declarators)
        needs.push_back({builder_.scope().find(each.name), each.at});
    for (const Expression& each : is.targets) add_needs(each, needs);
    const bool of_part = is.kind == StatementForm::assign && is.operation == "=" &&
                         is.targets[0].kind != Expression::Kind::name;
    if (is.kind == StatementForm::call || of_part) add_needs(is.values[0], needs);
    for (const Needed& each : needs)
        if (each.symbol != nullptr && !each.symbol->type.is(Kind::updateable))
            builder_.awaited.push_back({each.symbol, is.at, "chain"});
}

// ---- control flow

template <class Then>
void FunctionLowering::with_local(const Operand& condition, Position at, Then then) {
    if (builder_.function.is_immediate(condition)) return then(condition);
    ir::Wait wait{.body = {}, .at = at};
    wait.operands.push_back(condition);
    builder_.beside(wait.body, [&] {
        const Operand local = builder_.make_here("v", condition.type, Storage::local, at);
        builder_.emit(Op::load, {local}, {condition}, at);
        then(local);
    });
    builder_.emit(std::move(wait));
}

void FunctionLowering::note_awaited(const Expression& value, Position at, const char* what) {
    std::vector<Needed> needs;
    add_needs(value, needs, true);
    for (const Needed& each : needs) builder_.awaited.push_back({each.symbol, at, what});
}

void FunctionLowering::add_needs(const Expression& value, std::vector<Needed>& needs,
                                 bool settled) const {
    using Part = Expression::Kind;
    if (value.kind == Part::name) {
        const Symbol* symbol = builder_.scope().find(value.text);
        if (symbol != nullptr && (settled || !symbol->type.is(Kind::updateable)))
            needs.push_back({symbol, value.at});
    } else if (value.kind == Part::unary || value.kind == Part::binary ||
               value.kind == Part::range ||
               (value.kind == Part::call && catalogue_.needs_all(value.text))) {
        for (const Expression& each : value.parts) add_needs(each, needs);
    }
}

Operand FunctionLowering::condition_of(const Statement& is) {
    Operand condition = expressions_.lower(is.values[0]);
    const bool of_switch = is.kind == StatementForm::switch_;
    if (!condition.type.is(Kind::integer) && (of_switch || !condition.type.is(Kind::boolean)))
        reject(
            code::type_mismatch, is.values[0].at,
            (of_switch ? "switch takes an int, not " : "a condition is a boolean or an int, not ") +
                condition.type.with_article());
    return condition;
}

/// An if or a switch: the blocks are arms; the last one is there even if the script leaves it out.
void FunctionLowering::branch_statement(const Statement& is) {
    const bool by_label = is.kind == StatementForm::switch_;
    const Operand value = condition_of(is);
    const std::uint32_t node = builder_.new_node();
    with_local(value, is.at, [&](const Operand& local) {
        ir::Branch made = ir::branch_on(local);
        made.choice.by_truth = !by_label;
        for (const auto& label : is.cases)
            if (label) made.choice.labels.push_back(*label);
        made.blocks.resize(made.choice.count());
        for (std::uint32_t i = 0; i < is.blocks.size(); ++i)
            arm(is, i, {node, i, false}, made.blocks[i]);
        builder_.emit(std::move(made));
    });
}

ir::VariableId FunctionLowering::loop_variable(const std::string& name, const Type& type,
                                               Position at, Storage storage) {
    check_new_name(name, at);
    return add_symbol(Symbol::Role::loop, name, type, at, storage).variable;
}

Operand FunctionLowering::add_symbol(Symbol::Role role, const std::string& name, const Type& type,
                                     Position at, Storage storage) {
    const ir::VariableId id = builder_.make_variable(name, type, storage, at);
    builder_.add_symbol({.role = role, .name = name, .type = type, .at = at, .variable = id});
    return Operand::of(id, type);
}

void FunctionLowering::range_loop(const Statement& is) {
    const Expression& range = is.values[0];
    std::vector<Operand> ends;
    for (const Expression& part : range.parts) ends.push_back(expressions_.lower(part));
    ends.push_back(Operand::of(std::int64_t{1}));  // the step, where the script leaves it out
    ir::RangeLoop loop{.begin = ends[0], .end = ends[1], .step = ends[2], .body = {}, .at = is.at};
    builder_.emit_loop(std::move(loop), [&](ir::RangeLoop& made) {
        note_awaited(range, is.at, "foreach");
        made.counter = loop_variable(is.text, Kind::integer, is.at, Storage::local);
        if (!is.second.empty())
            made.index = loop_variable(is.second, Kind::integer, is.at, Storage::local);
        statements(is.blocks[0]);
    });
}

void FunctionLowering::foreach_statement(const Statement& is) {
    const Expression& over = is.values[0];
    if (over.kind == Expression::Kind::range) {
        // Whether all ends are ints shows in a block that is thrown away.
        ir::Block aside;
        bool ints = true;
        builder_.beside(aside, [&] {
            for (const Expression& part : over.parts)
                ints &= expressions_.lower(part).type.is(Kind::integer);
        });
        if (ints) return range_loop(is);
    }
    const Operand array = expressions_.as_datum(expressions_.lower(over), over.at);
    if (!array.type.is(Kind::array) && !array.type.is(Kind::bag))
        reject(code::type_mismatch, over.at,
               "foreach goes over arrays, bags and ranges, not over " + array.type.with_article());
    if (array.type.is(Kind::bag) && !is.second.empty())
        reject(code::loop, is.at, "the elements of a bag have no index");
    ir::Foreach loop{.array = array, .body = {}, .at = is.at};
    builder_.emit_loop(std::move(loop), [&](ir::Foreach& made) {
        note_awaited(over, is.at, "foreach");
        const Type& element = array.type.element();
        made.element = loop_variable(is.text, element, is.at,
                                     element.is_container() ? Storage::datum : Storage::local);
        if (!is.second.empty())
            made.key = loop_variable(is.second, array.type.key(), is.at, Storage::local);
        statements(is.blocks[0]);
    });
}

void FunctionLowering::for_statement(const Statement& is) {
    ir::CarriedLoop loop{.body = {}, .at = is.at};
    struct Carried {
        std::string name;
        Type type;
        Position at;
        Symbol* outer = nullptr;
        const Statement* update = nullptr;
    };
    std::vector<Carried> carried;
    const auto carry = [&](const std::string& name, const Operand& value, Position at,
                           Symbol* outer) {
        loop.initial.push_back(expressions_.as_variable(value, at));
        carried.push_back({name, value.type, at, outer});
    };
    for (const Statement& init : is.init) {
        if (init.kind == StatementForm::declare) {
            for (const Declarator& each : init.declarators) {
                if (each.value.empty())
                    reject(code::loop, each.at,
                           "the carried variable '" + each.name + "' has no initial value");
                const Type type = catalogue_.type_of(init.type, each);
                check_new_name(each.name, each.at);
                const Operand value = expressions_.lower(each.value[0]);
                carry(each.name, expressions_.converted(value, type, each.at), each.at, nullptr);
            }
        } else if (init.kind == StatementForm::assign && init.targets.size() == 1 &&
                   init.targets[0].kind == Expression::Kind::name) {
            const Expression& target = init.targets[0];
            if (expressions_.symbol_of(target) == nullptr) {  // with the type of its first value
                carry(target.text, expressions_.lower(init.values[0]), init.at, nullptr);
                continue;
            }
            const Place outer = target_of(target);
            const Operand value = expressions_.lower(init.values[0]);
            carry(outer.symbol->name, expressions_.converted(value, outer.operand.type, init.at),
                  init.at, outer.symbol);
        } else {
            reject(code::loop, init.at,
                   "the beginning of 'for' declares or assigns carried variables");
        }
    }
    for (const Statement& each : is.update) {
        if (each.kind != StatementForm::assign || each.targets.size() != 1 || each.operation != "=")
            reject(code::loop, each.at, "an update of 'for' assigns a carried variable");
        const auto found = std::ranges::find(carried, each.targets[0].text, &Carried::name);
        if (found == carried.end())
            reject(code::loop, each.at,
                   "'" + each.targets[0].text + "' is no carried variable of this loop",
                   "give it an initial value in the loop's head");
        if (found->update != nullptr)
            reject(code::loop, each.at,
                   "the carried variable '" + found->name + "' is updated twice", {},
                   {{found->update->at, "the first update is here"}});
        found->update = &each;
    }
    for (const Carried& each : carried)
        if (each.update == nullptr)
            reject(code::loop, each.at, "the carried variable '" + each.name + "' is not updated",
                   "update it in the loop's head");
    builder_.emit_loop(std::move(loop), [&](ir::CarriedLoop& made) {
        for (const Carried& each : carried)
            made.carried.push_back(
                add_symbol(Symbol::Role::loop, each.name, each.type, each.at).variable);
        note_awaited(is.values[0], is.at, "for");
        with_local(condition_of(is), is.at, [&](const Operand& local) {
            ir::Branch turn = ir::branch_on(local);
            builder_.within(turn.blocks[0], [&] {
                statements(is.blocks[0]);
                std::vector<Operand> next;
                for (const auto& [name, type, at, outer, update] : carried) {
                    const Operand value = expressions_.lower(update->values[0]);
                    next.push_back(expressions_.as_variable(
                        expressions_.converted(value, type, update->at), update->at));
                }
                builder_.emit(Op::next, {}, std::move(next), is.at);
            });
            builder_.within(turn.blocks[1], [&] {
                for (std::size_t i = 0; i < carried.size(); ++i)
                    if (const auto& [name, type, at, outer, update] = carried[i]; outer != nullptr)
                        expressions_.copy(Operand::of(outer->variable, type),
                                          Operand::of(made.carried[i], type), is.at);
            });
            builder_.emit(std::move(turn));
        });
    });
}

void FunctionLowering::iterate_statement(const Statement& is) {
    ir::CarriedLoop loop{.body = {}, .at = is.at};
    loop.initial.push_back(expressions_.as_variable(Operand::of(std::int64_t{0}), is.at));
    builder_.emit_loop(std::move(loop), [&](ir::CarriedLoop& made) {
        const Operand counter = Operand::of(
            loop_variable(is.text, Kind::integer, is.at, Storage::datum), Kind::integer);
        made.carried.push_back(counter.variable);
        statements(is.blocks[0]);
        with_local(condition_of(is), is.at, [&](const Operand& local) {
            ir::Branch turn = ir::branch_on(local);
            builder_.within(turn.blocks[1], [&] {
                const Operand next = expressions_.compute(
                    "plus_int", {counter, Operand::of(std::int64_t{1})}, Kind::integer, is.at);
                builder_.emit(Op::next, {}, {next}, is.at);
            });
            builder_.emit(std::move(turn));
        });
    });
}

void FunctionLowering::wait_statement(const Statement& is) {
    ir::Wait wait{.body = {}, .at = is.at};
    wait.deep = is.deep;
    for (const Expression& each : is.values) {
        const Operand operand = expressions_.lower(each);
        if (!builder_.function.is_immediate(operand)) wait.operands.push_back(operand);
    }
    arm(is, 0, {builder_.new_node(), 0, false, true}, wait.body);
    builder_.emit(std::move(wait));
}

}  // namespace refrain::script
