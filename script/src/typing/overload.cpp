#include "typing/overload.hpp"

#include "typing/rejection.hpp"
#include "values/text.hpp"

#include <algorithm>

namespace refrain::script {
namespace {

struct Fit {
    Match match;
    bool exact = true;
};

/// Whether the arguments fit; what does not is told in `why`.
bool fits(const Signature& function, const std::vector<Type>& arguments, Fit& fit,
          std::string& why) {
    const std::size_t needed = static_cast<std::size_t>(std::ranges::count_if(
        function.inputs, [](const Signature::Parameter& each) { return !each.otherwise; }));
    const std::size_t least = function.variable_count ? needed - 1 : needed;
    if (arguments.size() < least ||
        (!function.variable_count && arguments.size() > function.inputs.size())) {
        why = "it takes " + std::string(function.variable_count ? "at least " : "") +
              counted(least, "argument") + ", not " + std::to_string(arguments.size());
        return false;
    }
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const auto& parameter = function.inputs[std::min(i, function.inputs.size() - 1)];
        const Conversion how = conversion(arguments[i], parameter.type, fit.match.bindings);
        if (how == Conversion::none) {
            why = "argument " + std::to_string(i + 1) + " '" + parameter.name + "' is " +
                  parameter.type.with_article() + ", not " + arguments[i].with_article();
            return false;
        }
        fit.exact &= how != Conversion::int_to_float;
        Type to = fit.match.bound(parameter.type);
        fit.match.inputs.push_back(how == Conversion::int_to_float ? Kind::floating
                                   : to.is(Kind::alternative)      ? arguments[i]
                                                                   : to);
    }
    fit.match.function = &function;
    return true;
}

/// What an argument should become: instead of a function that itself converts, its result is asked for.
const Type& wanted(const Signature& function, const Type& input) {
    const Builtin* const is = find_builtin(function.code_name);
    if (is == nullptr || function.outputs.size() != 1) return input;
    const std::string_view names = declared_name(is->declaration);
    const std::string call = " " + std::string(names.substr(0, names.find('|'))) + "(";
    const Type& made = function.outputs[0].type;
    return way_out(input, made).find(call) == std::string::npos ? input : made;
}

std::string way_out(const std::vector<const Signature*>& candidates,
                    const std::vector<Type>& arguments) {
    for (const Signature* each : candidates)
        for (std::size_t i = 0; i < std::min(arguments.size(), each->inputs.size()); ++i)
            if (std::string way = way_out(arguments[i], wanted(*each, each->inputs[i].type));
                !way.empty())
                return way;
    return {};
}

}  // namespace

std::string way_out(const Type& from, const Type& to) {
    struct Way {
        Kind from, to;
        const char* text;
    };
    static constexpr Way ways[] = {
        {Kind::floating, Kind::integer, "convert it with float2int(...)"},
        {Kind::string, Kind::integer, "convert it with string2int(...)"},
        {Kind::string, Kind::floating, "convert it with string2float(...)"},
        {Kind::string, Kind::file, "make it a file with input(...)"},
        {Kind::file, Kind::string, "its name is filename(...), its content is read(...)"},
        {Kind::integer, Kind::string, "convert it with int2string(...)"},
        {Kind::integer, Kind::floating, "convert it with int2float(...)"},
        {Kind::floating, Kind::string, "convert it with float2string(...)"}};
    for (const Way& each : ways)
        if (from.is(each.from) && to.is(each.to)) return each.text;
    return {};
}

Type Match::bound(const Type& type) const {
    if (type.is(Kind::variable)) {
        const auto found = bindings.find(type.name());
        return found == bindings.end() ? type : found->second;
    }
    if (type.is(Kind::array)) return Type::array(bound(type.key()), bound(type.element()));
    if (type.is(Kind::bag)) return Type::bag(bound(type.element()));
    return type;
}

Conversion conversion(const Type& from, const Type& to, std::map<std::string, Type>& bindings) {
    if (from == to) return Conversion::same;
    if (to.is(Kind::variable)) {
        const auto [found, is_new] = bindings.emplace(to.name(), from);
        return is_new || found->second == from ? Conversion::same : Conversion::none;
    }
    if (to.is(Kind::alternative)) {
        for (const Type& each : to.parts())
            if (conversion(from, each, bindings) == Conversion::same) return Conversion::same;
        for (const Type& each : to.parts()) {
            const Conversion how = conversion(from, each, bindings);
            if (how != Conversion::none) return how;
        }
        return Conversion::none;
    }
    if (from.is(Kind::updateable) && to.is(Kind::floating)) return Conversion::same;
    if (from.kind() == to.kind() && (from.is(Kind::array) || from.is(Kind::bag))) {
        if (from.element().is(Kind::none)) return Conversion::same;  // an empty array
        for (std::size_t i = 0; i < from.parts().size(); ++i)
            if (conversion(from.parts()[i], to.parts()[i], bindings) != Conversion::same)
                return Conversion::none;
        return Conversion::same;
    }
    if (from.name() == "url") return Conversion::none;  // what it names is no file here
    if (!from.name().empty() && !from.is(Kind::structure)) {
        const Conversion how = conversion(from.base(), to, bindings);
        return how == Conversion::same ? Conversion::widened : how;
    }
    if (from.is(Kind::integer) && to.is(Kind::floating) && to.name().empty())
        return Conversion::int_to_float;
    return Conversion::none;
}

Conversion conversion(const Type& from, const Type& to) {
    std::map<std::string, Type> bindings;
    return conversion(from, to, bindings);
}

Match choose_overload(const std::vector<const Signature*>& candidates,
                      const std::vector<Type>& arguments, const std::string& name, Position at) {
    std::vector<Fit> found;
    std::vector<Diagnostic::Note> notes;
    std::string reasons;
    for (const Signature* each : candidates) {
        Fit fit;
        std::string why;
        if (fits(*each, arguments, fit, why)) {
            found.push_back(std::move(fit));
        } else {
            notes.push_back({each->at, each->text() + ": " + why});
            reasons = why;
        }
    }
    // That an int becomes a float decides nothing: an exact fit wins, and else none does.
    if (std::ranges::any_of(found, [](const Fit& each) { return each.exact; }))
        std::erase_if(found, [](const Fit& each) { return !each.exact; });
    if (found.size() > 1)
        reject(code::ambiguous_call, at,
               "the call of '" + name + "' fits several functions equally", {},
               {{found[0].match.function->at, found[0].match.function->text()},
                {found[1].match.function->at, found[1].match.function->text()}});
    if (found.size() == 1) return std::move(found[0].match);
    if (candidates.size() == 1)
        reject(code::wrong_call, at, "the call of '" + name + "' does not fit: " + reasons,
               way_out(candidates, arguments),
               {{candidates[0]->at, "it is " + candidates[0]->text()}});
    reject(code::wrong_call, at, "no function '" + name + "' takes these arguments",
           way_out(candidates, arguments), notes);
}

}  // namespace refrain::script
