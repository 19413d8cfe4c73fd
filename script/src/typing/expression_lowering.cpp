#include "typing/expression_lowering.hpp"

#include "typing/rejection.hpp"
#include "values/text.hpp"

#include <algorithm>
#include <utility>

namespace refrain::script {
namespace {

using ir::Op;
using ir::Operand;
using Form = Expression::Kind;

bool is_text(const Operand& operand) {
    return operand.type.is(Kind::string);
}

}  // namespace

ir::VariableId own_global(ir::Function& function, const ir::Variable& global) {
    const auto known = std::ranges::find(function.variables, global.name, &ir::Variable::name);
    const auto id = static_cast<ir::VariableId>(known - function.variables.begin());
    if (known != function.variables.end()) return id;
    function.variables.push_back(global);
    function.inputs.push_back(id);
    return id;
}

Operand ExpressionLowering::lower(const Expression& expression, const Operand* target) {
    const Form form = expression.kind;
    if (form == Form::literal) return Operand::of(expression.literal);
    if (form == Form::name || form == Form::index || form == Form::member) return read(expression);
    if (form == Form::unary || form == Form::binary) return operation(expression, target);
    if (form == Form::array) return array_literal(expression);
    if (form == Form::dictionary) return dictionary_literal(expression);
    if (form == Form::range) return range_literal(expression);
    if (form == Form::tuple)
        reject(code::wrong_call, expression.at, "a tuple stands where one value is expected",
               "tuples exist only in multiple assignments and on the right of %");
    std::vector<Operand> outputs =
        call(expression, target == nullptr ? std::span<const Operand>() : std::span(target, 1));
    if (outputs.size() != 1)
        reject(code::wrong_call, expression.at,
               "'" + expression.text + "' has " + std::to_string(outputs.size()) +
                   " outputs where one value is expected");
    return std::move(outputs[0]);
}

void ExpressionLowering::assign(const Operand& target, const Operand& made,
                                const Expression& expression) {
    const bool is_there = made.is_variable() && made.variable == target.variable &&
                          made.path.size() == target.path.size() &&
                          (expression.kind == Form::call || expression.kind == Form::unary ||
                           expression.kind == Form::binary);
    if (is_there) return;
    if (made.type.name() == "url" && expression.kind != Form::call)
        reject(code::wrong_use, expression.at, "a url cannot be copied",
               "use the variable that has it");
    copy(target, converted(made, target.type, expression.at), expression.at);
}

std::vector<Operand> ExpressionLowering::lower_several(const Expression& expression,
                                                       std::size_t wanted,
                                                       std::span<const Operand> targets) {
    const auto target = [&](std::size_t i) { return i < targets.size() ? &targets[i] : nullptr; };
    std::vector<Operand> values;
    if (wanted != 1 && expression.kind == Form::call)
        values = call(expression, targets);
    else if (wanted != 1 && expression.kind == Form::tuple)
        for (const Expression& part : expression.parts)
            values.push_back(lower(part, target(values.size())));
    else
        values.push_back(lower(expression, target(0)));
    if (values.size() != wanted)
        reject(code::wrong_call, expression.at,
               counted(wanted, "variable") + " are assigned, but there " +
                   (values.size() == 1 ? "is " : "are ") + counted(values.size(), "value"));
    return values;
}

// ---- variables and elements

Symbol* ExpressionLowering::symbol_of(const Expression& expression) {
    if (Symbol* known = builder_.scope().find(expression.text)) return known;
    const auto global = globals_.find(expression.text);
    if (global == globals_.end()) return nullptr;
    const auto& [type, at, constant] = global->second;
    Symbol symbol{.role = constant.empty() ? Symbol::Role::global : Symbol::Role::constant,
                  .name = expression.text,
                  .type = type,
                  .at = at,
                  .constant = constant};
    if (symbol.role == Symbol::Role::global)
        symbol.variable =
            own_global(builder_.function,
                       {.name = "global:" + symbol.name, .type = symbol.type, .at = symbol.at});
    return &builder_.add_symbol(std::move(symbol));
}

const Expression& ExpressionLowering::root_of(const Expression& expression) {
    const Expression* at = &expression;
    while (at->kind == Form::index || at->kind == Form::member) at = &at->parts[0];
    return *at;
}

Operand ExpressionLowering::key_of(const Expression& expression) {
    const Operand key = lower(expression);
    return key.is_element() ? as_variable(key, expression.at) : key;
}

Place ExpressionLowering::place_of(const Expression& expression) {
    if (expression.kind == Form::name) {
        Symbol* symbol = symbol_of(expression);
        if (symbol == nullptr) {
            if (!catalogue_.functions(expression.text).empty())
                reject(code::wrong_use, expression.at,
                       "'" + expression.text + "' is a function and cannot be used as a value",
                       "call it: " + expression.text + "(...)");
            const bool is_math = (expression.text == "PI" || expression.text == "E") &&
                                 !catalogue_.has_module("math");
            reject(code::unknown_name, expression.at,
                   "there is no variable '" + expression.text + "'",
                   is_math ? Help::import("math")
                           : did_you_mean(expression.text, builder_.scope().names()));
        }
        if (symbol->broken) reject_again();
        if (symbol->role == Symbol::Role::constant)
            return {Operand::of(symbol->constant, symbol->type), symbol, {}};
        return {Operand::of(symbol->variable, symbol->type), symbol, {}};
    }
    if (expression.kind != Form::index && expression.kind != Form::member) {
        const Operand value = as_datum(lower(expression), expression.at);
        return {value, nullptr, {}};
    }
    Place place = place_of(expression.parts[0]);
    if (place.operand.is_constant() || builder_.function.is_local(place.operand))
        place.operand = as_datum(place.operand, expression.at);
    const Type base = place.operand.type;
    if (expression.kind == Form::member) {
        if (!base.is(Kind::structure))
            reject(code::type_mismatch, expression.at,
                   "'." + expression.text + "' is asked of " + base.with_article() +
                       ", which is no struct");
        const Type* field = base.field(expression.text);
        if (field == nullptr) {
            std::vector<std::string> names;
            for (const Type::Field& each : base.fields()) names.push_back(each.name);
            reject(code::unknown_name, expression.at,
                   "the struct '" + base.name() + "' has no field '" + expression.text + "'",
                   did_you_mean(expression.text, names));
        }
        place.operand = place.operand.part({expression.text, *field});
        place.part.push_back("." + expression.text);
        return place;
    }
    if (!base.is(Kind::array))
        reject(code::type_mismatch, expression.at,
               "[...] is asked of " + base.with_article() + ", which is no array",
               base.is(Kind::bag) ? "a bag has no order; go over it with foreach" : "");
    Operand key = key_of(expression.parts[1]);
    if (conversion(key.type, base.key()) == Conversion::none)
        reject(code::type_mismatch, expression.parts[1].at,
               "the key is " + key.type.with_article() + ", but this is " + base.with_article() +
                   " with keys of type " + base.key().text(),
               help_for(key.type, base.key(), expression.parts[1].at));
    key = converted(key, base.key(), expression.at);
    place.part.push_back(key.is_constant() ? text_of(key.constant) : "?");
    place.operand.path.push_back(std::move(key));
    place.operand.type = base.element();
    return place;
}

Operand ExpressionLowering::read(const Expression& expression) {
    Place place = place_of(expression);
    if (place.symbol != nullptr) {
        // Up to the first key: an element that nobody writes is found when run.
        const auto key = std::ranges::find_if(
            place.part, [](const std::string& each) { return !each.starts_with('.'); });
        place.symbol->reads.push_back(
            {expression.at, builder_.path, {place.part.begin(), key}, false});
    }
    return place.operand;
}

Help ExpressionLowering::help_for(const Type& from, const Type& to, Position at) const {
    Help help = way_out(from, to);
    if (!to.is(Kind::integer) || !int_quotients_.contains(at)) return help;
    help.text = "%/ divides ints and gives an int, / gives a float";
    help.wrong = "/";
    help.right = "%/";
    return help;
}

Operand ExpressionLowering::converted(const Operand& operand, const Type& to, Position at) {
    if (operand.type == to) return operand;
    const Conversion how = conversion(operand.type, to);
    if (how == Conversion::none) {
        Help help = help_for(operand.type, to, at);
        if (!to.name().empty() && to.base() == operand.type)
            help = "convert it: " + to.name() + "(...)";
        std::vector<Diagnostic::Note> notes;
        if (operand.is_variable() && !builder_.is_temporary(operand) &&
            builder_.function.variables[operand.variable].at.line != 0)
            notes.push_back(
                {builder_.function.variables[operand.variable].at, "its type was inferred here"});
        reject(
            code::type_mismatch, at,
            operand.type.with_article() + " is given where " + to.with_article() + " is expected",
            help, notes);
    }
    if (how != Conversion::int_to_float) {
        Operand same = operand;
        same.type = to;
        return same;
    }
    if (operand.is_constant()) {
        const std::int64_t whole = operand.constant.integer();
        const auto as_float = static_cast<double>(whole);
        if (static_cast<long double>(as_float) != static_cast<long double>(whole))
            diagnostics_.warning(
                code::inexact, at,
                "the int " + std::to_string(whole) + " does not fit into a float exactly");
        return Operand::of(Value(as_float), to);
    }
    return compute("to_float", {operand}, to, at);
}

void ExpressionLowering::copy(const Operand& target, const Operand& source, Position at) {
    if (target.type.is(Kind::structure) && !target.is_element()) {
        for (const Type::Field& each : target.type.fields())
            builder_.emit(Op::copy, {target.part(each)}, {source.part(each)}, at);
        return;
    }
    const bool is_ready = builder_.function.is_immediate(source) &&
                          std::ranges::all_of(target.path, [&](const Operand& key) {
                              return builder_.function.is_immediate(key);
                          });
    builder_.emit(is_ready ? Op::store : Op::copy, {target}, {source}, at);
}

Operand ExpressionLowering::as_datum(const Operand& operand, Position at) {
    if (!builder_.function.is_immediate(operand)) return operand;
    const Operand temporary = builder_.make_temporary(operand.type, at);
    builder_.emit(Op::store, {temporary}, {operand}, at);
    return temporary;
}

Operand ExpressionLowering::as_variable(const Operand& operand, Position at) {
    if (!operand.is_element()) return as_datum(operand, at);
    const Operand temporary = builder_.make_temporary(operand.type, at);
    copy(temporary, operand, at);
    return temporary;
}

// ---- operators

bool ExpressionLowering::may_be_target(const Operand* target, const Type& type) const {
    if (target == nullptr || !target->is_variable() || !(target->type == type)) return false;
    return !target->is_element() || !type.is_container();
}

Operand ExpressionLowering::compute(const char* callee, std::vector<Operand> ins, const Type& type,
                                    Position at, const Operand* target) {
    const Operand out = may_be_target(target, type) ? *target : builder_.make_temporary(type, at);
    builder_.emit(Op::compute, {out}, std::move(ins), at, callee);
    return out;
}

Operand ExpressionLowering::current(const Expression& expression) {
    Operand value = lower(expression);
    if (!value.type.is(Kind::updateable)) return value;
    return converted(value, Kind::floating, expression.at);
}

Operand ExpressionLowering::operation(const Expression& expression, const Operand* target) {
    if (expression.kind == Form::unary) {
        Operand operand = current(expression.parts[0]);
        if (expression.text == "!" && operand.type.is(Kind::boolean))
            return compute("negation", {operand}, Kind::boolean, expression.at, target);
        if (expression.text == "-" && operand.type.is_number())
            return compute(operand.type.is(Kind::integer) ? "negate_int" : "negate_float",
                           {operand}, operand.type.base(), expression.at, target);
        reject(code::type_mismatch, expression.at,
               "'" + expression.text + "' is asked of " + operand.type.with_article());
    }
    Operand left = current(expression.parts[0]);
    const Expression& other = expression.parts[1];
    if (expression.text == "%") {
        if (!is_text(left))
            reject(code::type_mismatch, expression.at,
                   "'%' formats a string, but its left side is " + left.type.with_article(),
                   "the remainder of ints is written %%");
        std::vector<Operand> operands{left};
        if (other.kind == Form::tuple)
            for (const Expression& part : other.parts) operands.push_back(current(part));
        else
            operands.push_back(current(other));
        return compute("sprintf", std::move(operands), Kind::string, expression.at, target);
    }
    Operand right = current(other);
    if (expression.text == "+" && (is_text(left) || is_text(right))) {
        for (const Operand* each : {&left, &right})
            if (!is_text(*each) && !each->type.is_number())
                reject(code::type_mismatch, expression.at,
                       "'+' joins a string with " + each->type.with_article(),
                       "only strings, ints and floats can be joined; see toString(...)");
        return compute("strcat", {left, right}, Kind::string, expression.at, target);
    }
    if (expression.text == "/" && is_text(left) && is_text(right))
        return compute("dircat", {left, right}, Kind::string, expression.at, target);
    static const std::vector<std::string> comparisons = {"==", "!=", "<", "<=", ">", ">="};
    if (std::ranges::find(comparisons, expression.text) != comparisons.end())
        return comparison(expression, std::move(left), std::move(right), target);
    if (expression.text == "&&" || expression.text == "||") {
        if (!left.type.is(Kind::boolean) || !right.type.is(Kind::boolean))
            reject(code::type_mismatch, expression.at,
                   "'" + expression.text + "' joins booleans, not " + left.type.with_article() +
                       " and " + right.type.with_article(),
                   "compare first: x != 0");
        return compute(expression.text == "&&" ? "both" : "either", {left, right}, Kind::boolean,
                       expression.at, target);
    }
    return arithmetic(expression, std::move(left), std::move(right), target);
}

Operand ExpressionLowering::comparison(const Expression& expression, Operand left, Operand right,
                                       const Operand* target) {
    const bool numbers = left.type.base().is_number() && right.type.base().is_number();
    const bool equal = expression.text == "==" || expression.text == "!=";
    if (!numbers && !(equal && left.type.base() == right.type.base() && !left.type.is_container()))
        reject(code::type_mismatch, expression.at,
               left.type.with_article() + " cannot be compared with " + right.type.with_article() +
                   " by " + expression.text);
    if (equal)
        return compute(expression.text == "==" ? "equal" : "unequal", {left, right}, Kind::boolean,
                       expression.at, target);
    if (expression.text[0] == '>') std::swap(left, right);
    const bool ints = left.type.is(Kind::integer) && right.type.is(Kind::integer);
    const bool strict = expression.text.size() == 1;
    const char* callee =
        ints ? (strict ? "less_int" : "at_most_int") : (strict ? "less" : "at_most");
    return compute(callee, {left, right}, Kind::boolean, expression.at, target);
}

Operand ExpressionLowering::arithmetic(const Expression& expression, Operand left, Operand right,
                                       const Operand* target) {
    struct Row {
        const char* sign;
        const char* for_ints;
        const char* for_floats;
    };
    static constexpr Row rows[] = {
        {"+", "plus_int", "plus_float"},   {"-", "minus_int", "minus_float"},
        {"*", "times_int", "times_float"}, {"/", nullptr, "divide"},
        {"%/", "quotient_int", nullptr},   {"%%", "remainder_int", nullptr},
        {"**", nullptr, "power"}};
    const auto row = std::find_if(std::begin(rows), std::end(rows),
                                  [&](const Row& each) { return expression.text == each.sign; });
    const auto refuse = [&](const char* help) {
        reject(code::type_mismatch, expression.at,
               "'" + expression.text + "' is asked of " + left.type.with_article() + " and " +
                   right.type.with_article(),
               help);
    };
    if (row == std::end(rows) || !left.type.is_number() || !right.type.is_number()) refuse("");
    const bool ints = left.type.is(Kind::integer) && right.type.is(Kind::integer);
    if (ints && row->for_ints != nullptr)
        return compute(row->for_ints, {left, right}, Kind::integer, expression.at, target);
    if (row->for_floats == nullptr) refuse("it works on ints; convert with float2int(...)");
    if (ints && expression.text == "/") int_quotients_.insert(expression.at);
    return compute(row->for_floats, {left, right}, Kind::floating, expression.at, target);
}

// ---- arrays

/// The type of the elements; converts ints among floats.
Type ExpressionLowering::common_type(std::vector<Operand>& elements, Position at) {
    if (elements.empty()) return {};
    Type common = elements[0].type;
    for (const Operand& each : elements)
        if (conversion(each.type, common) == Conversion::none) {
            if (conversion(common, each.type) == Conversion::none)
                reject(code::type_mismatch, at,
                       "the elements of this array have different types: " + common.text() +
                           " and " + each.type.text());
            common = each.type;
        }
    for (Operand& each : elements) each = converted(each, common, at);
    return common;
}

Operand ExpressionLowering::array_literal(const Expression& expression) {
    std::vector<Operand> keys;
    std::vector<Operand> elements;
    for (const Expression& part : expression.parts) {
        keys.push_back(Operand::of(static_cast<std::int64_t>(elements.size())));
        elements.push_back(lower(part));
    }
    return array_of(keys, std::move(elements), Kind::integer, expression.at);
}

Operand ExpressionLowering::dictionary_literal(const Expression& expression) {
    std::vector<Operand> keys;
    std::vector<Operand> elements;
    for (std::size_t i = 0; i + 1 < expression.parts.size(); i += 2) {
        keys.push_back(key_of(expression.parts[i]));
        elements.push_back(lower(expression.parts[i + 1]));
    }
    const Type key = keys.empty() ? Kind::integer : common_type(keys, expression.at);
    if (!key.may_be_key())
        reject(code::type_mismatch, expression.at,
               key.with_article() + " cannot be the key of an array");
    return array_of(keys, std::move(elements), key, expression.at);
}

Operand ExpressionLowering::array_of(const std::vector<Operand>& keys,
                                     std::vector<Operand> elements, const Type& key, Position at) {
    const Type element = common_type(elements, at);
    const Operand array = builder_.make_temporary(Type::array(key, element), at);
    for (std::size_t i = 0; i < elements.size(); ++i)
        copy(array.part(keys[i], element), elements[i], at);
    return array;
}

Operand ExpressionLowering::range_literal(const Expression& expression) {
    std::vector<Operand> ends;
    bool floats = false;
    for (const Expression& part : expression.parts) {
        ends.push_back(lower(part));
        if (!ends.back().type.is_number())
            reject(code::type_mismatch, part.at,
                   "the ends of a range are numbers, not " + ends.back().type.with_article());
        floats |= ends.back().type.is(Kind::floating);
    }
    const Type number = floats ? Kind::floating : Kind::integer;
    for (Operand& each : ends) each = converted(each, number, expression.at);
    const char* callee = floats ? (ends.size() == 2 ? "range_float" : "range_float_step")
                                : (ends.size() == 2 ? "range" : "range_step");
    return compute(callee, std::move(ends), Type::array(Kind::integer, number), expression.at);
}

// ---- calls

std::vector<Operand> ExpressionLowering::arguments_of(
    const Expression& expression, const std::vector<const Signature*>& candidates) {
    std::vector<Operand> arguments;
    std::vector<std::pair<std::string, Operand>> by_name;
    for (std::size_t i = 0; i < expression.parts.size(); ++i) {
        const std::string& keyword = expression.keywords[i];
        if (keyword.empty() && !by_name.empty())
            reject(code::wrong_call, expression.parts[i].at,
                   "a positional argument stands behind one with a keyword");
        if (expression.parts[i].kind == Form::tuple)
            reject(code::wrong_call, expression.parts[i].at, "a tuple cannot be an argument");
        Operand value = lower(expression.parts[i]);
        if (keyword.empty())
            arguments.push_back(std::move(value));
        else
            by_name.emplace_back(keyword, std::move(value));
    }
    if (const auto par = std::ranges::find(expression.annotations, "par", &Annotation::name);
        par != expression.annotations.end()) {
        const auto& inputs = candidates[0]->inputs;
        if (!inputs.empty() && inputs.back().name == "par")
            by_name.emplace_back("par", par->value.empty() ? Operand{} : lower(par->value[0]));
        else if (!candidates[0]->parallel)
            reject(code::annotation, par->at,
                   "@par stands before a call of '" + expression.text +
                       "', which is no parallel function");
        else
            diagnostics_.warning(
                code::no_effect, par->at,
                "one worker makes this call: teams call functions of C++ only",
                "declare one: @par (int o) f(int x) \"native:libx.so\" \"1\" \"f\";");
    } else if (candidates[0]->parallel) {
        reject(code::annotation, expression.at,
               "a call of the parallel function '" + expression.text + "' does not say by how many",
               "write @par=4 " + expression.text + "(...)");
    }
    if (by_name.empty()) return arguments;
    const Signature& function = *candidates[0];
    if (function.kind == Signature::Kind::structure)
        reject(code::wrong_call, expression.at, "the constructor of a struct takes no keywords");
    for (std::size_t i = arguments.size(); i < function.inputs.size(); ++i) {
        const auto& input = function.inputs[i];
        const auto given = std::ranges::find_if(
            by_name, [&](const auto& each) { return each.first == input.name; });
        if (given != by_name.end()) {
            if (!input.otherwise)
                reject(code::wrong_call, expression.at,
                       "'" + input.name + "' is a required argument and cannot be given by keyword",
                       "give it by its position", {{function.at, "it is " + function.text()}});
            arguments.push_back(std::move(given->second));
            by_name.erase(given);
        } else if (input.otherwise) {
            arguments.push_back(Operand::of(*input.otherwise, input.type));
        } else {
            break;
        }
    }
    if (!by_name.empty())
        reject(code::wrong_call, expression.at,
               "'" + function.name + "' has no argument '" + by_name[0].first +
                   "' that can be given by keyword",
               {}, {{function.at, "it is " + function.text()}});
    return arguments;
}

Operand ExpressionLowering::priority_of(const Expression& expression) {
    Operand priority = Operand::of(std::int64_t{0});
    for (const Annotation& each : expression.annotations) {
        if (each.name.empty()) {
            diagnostics_.warning(code::no_effect, each.at, "the '@' before this call has no effect",
                                 "remove it");
        } else if (each.name == "prio") {
            priority = each.value.empty() ? Operand{} : lower(each.value[0]);
            if (!priority.type.is(Kind::integer))
                reject(code::annotation, each.at, "@prio takes an int");
            if (priority.is_constant() &&
                static_cast<int>(priority.constant.integer()) != priority.constant.integer())
                reject(code::annotation, each.at, "@prio does not fit 32 bits");
        } else if (each.name == "par") {
            continue;
        } else if (each.name != "location" && each.name != "soft_location") {
            reject(code::annotation, each.at,
                   "there is no annotation '@" + each.name + "' for calls",
                   ir::is_leaf_setting(each.name)
                       ? "write it before the function, for all of its calls"
                       : "there are: @prio, @location, @soft_location, @par");
        }
    }
    return priority;
}

/// What placed calls have as their last input: where they run, and a priority that is computed. None if there is neither.
std::optional<Operand> ExpressionLowering::location_of(const Expression& call,
                                                       const Signature& function,
                                                       const Operand& priority) {
    const Builtin* builtin = find_builtin(function.code_name);
    const bool is_task = function.dispatched || (builtin != nullptr && builtin->sleeps);
    const auto is_place = [](const Annotation& each) {
        return each.name == "location" || each.name == "soft_location";
    };
    const auto each = std::ranges::find_if(call.annotations, is_place);
    if (each == call.annotations.end()) {
        if (priority.is_constant() || (!is_task && function.kind != Signature::Kind::composite))
            return std::nullopt;
        return compute("priority_code", {priority}, Kind::integer, call.at);
    }
    if (function.parallel) reject(code::annotation, each->at, "a call by a team takes no location");
    const Operand place = each->value.empty() ? Operand{} : lower(each->value[0]);
    if (place.type.name() != "location")
        reject(code::annotation, each->at,
               "@" + each->name + " takes a location, not " + place.type.with_article(),
               "write import location; and @location=location_from_rank(rank)");
    if (!is_task)
        reject(code::annotation, each->at,
               "@" + each->name + " stands before a call of '" + function.name +
                   "', which runs where its caller does",
               "write it before calls of apps and of functions of other languages");
    if (const auto again = std::find_if(each + 1, call.annotations.end(), is_place);
        again != call.annotations.end())
        reject(code::annotation, again->at, "the call has two locations", {},
               {{each->at, "the first is here"}});
    std::vector<Operand> parts;
    for (const char* name : {"rank", "strictness", "accuracy"})
        parts.push_back(place.part({name, Kind::integer}));
    if (each->name == "soft_location") parts[1] = Operand::of(std::int64_t{1});
    parts.push_back(priority.is_constant() ? Operand::of(std::int64_t{0}) : priority);
    return compute("location_code", std::move(parts), Kind::integer, each->at);
}

std::vector<Operand> ExpressionLowering::call(const Expression& expression,
                                              std::span<const Operand> targets) {
    if (const Symbol* shadow = builder_.scope().find(expression.text);
        shadow != nullptr && catalogue_.functions(expression.text).empty())
        reject(code::wrong_use, expression.at,
               "'" + expression.text + "' is a variable and cannot be called", {},
               {{shadow->at, "it is declared here"}});
    std::vector<const Signature*> candidates =
        catalogue_.expect_functions(expression.text, expression.at);
    const Operand priority = priority_of(expression);
    std::vector<Operand> arguments = arguments_of(expression, candidates);
    std::vector<Type> types;
    for (const Operand& each : arguments) types.push_back(each.type);
    const Match match = choose_overload(candidates, types, expression.text, expression.at);
    if (match.function->deprecated)
        diagnostics_.warning(code::deprecated, expression.at,
                             "'" + expression.text + "' is deprecated", {},
                             {{match.function->at, "it is declared here"}});
    for (std::size_t i = 0; i < arguments.size(); ++i)
        arguments[i] = converted(arguments[i], match.inputs[i],
                                 expression.parts[std::min(i, expression.parts.size() - 1)].at);
    for (std::size_t i = arguments.size(); i < match.function->inputs.size(); ++i)
        if (match.function->inputs[i].otherwise)
            arguments.push_back(
                Operand::of(*match.function->inputs[i].otherwise, match.function->inputs[i].type));
    const auto location = location_of(expression, *match.function, priority);
    const int constant = priority.is_constant() ? static_cast<int>(priority.constant.integer()) : 0;
    const base::Exchanged of_call(builder_.priority, constant);
    return emit_call(match, std::move(arguments), expression.at, targets, location);
}

std::vector<Operand> ExpressionLowering::emit_call(const Match& match, std::vector<Operand> ins,
                                                   Position at, std::span<const Operand> targets,
                                                   const std::optional<Operand>& location) {
    const Signature& function = *match.function;
    if (function.kind == Signature::Kind::subtype) {
        Operand same = ins[0];
        same.type = function.outputs[0].type;
        return {same};
    }
    if (function.kind == Signature::Kind::structure) {
        const Operand made = builder_.make_temporary(function.outputs[0].type, at);
        for (std::size_t i = 0; i < ins.size(); ++i) {
            const Signature::Parameter& is = function.inputs[i];
            copy(made.part({is.name, is.type}), ins[i], at);
        }
        return {made};
    }
    std::vector<Operand> outs;
    for (const Signature::Parameter& each : function.outputs) {
        const Type type = match.bound(each.type);
        const Operand* const target =
            function.outputs.size() == targets.size() ? &targets[outs.size()] : nullptr;
        const bool direct = may_be_target(target, type) &&
                            (function.kind != Signature::Kind::composite || !target->is_element());
        outs.push_back(direct ? *target : builder_.make_temporary(type, at));
    }
    if (location) ins.push_back(*location);
    // A leaf takes any number of inputs, and the counter of a loop as it is; its function would have to be given a datum.
    const bool is_leaf = function.is_leaf && (function.variable_count ||
                                              std::ranges::any_of(ins, [&](const Operand& each) {
                                                  return builder_.function.is_local(each);
                                              }));
    if (function.kind == Signature::Kind::operation) {
        ins[0] = as_datum(ins[0], at);
        builder_.emit(function.op, outs, std::move(ins), at);
    } else if (function.kind == Signature::Kind::builtin || is_leaf) {
        builder_.emit(ir::Instruction{is_leaf ? Op::leaf : Op::compute, function.code_name, outs,
                                      std::move(ins), at, builder_.priority, location.has_value()});
    } else {
        for (Operand& each : ins)
            each = each.type.is_container() ? as_datum(each, at) : as_variable(each, at);
        builder_.emit(Op::call, outs, std::move(ins), at,
                      function.code_name + std::string(location ? placed_suffix : ""));
    }
    return outs;
}

}  // namespace refrain::script
