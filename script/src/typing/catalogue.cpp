#include "typing/catalogue.hpp"

#include "syntax/parser.hpp"
#include "typing/rejection.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace refrain::script {
namespace {

/// Functions that are operations of IR-1, because they do not wait for the whole value.
struct OperationFunction {
    const char* declaration;
    ir::Op op;
};
constexpr std::array<OperationFunction, 8> operations = {{
    {"<K, T> (int n) size(T A[K]) \"\";", ir::Op::size},
    {"<T> (int n) bag_size(bag<T> B) \"\";", ir::Op::size},
    {"<T> (int n) bagSize(bag<T> B) \"\";", ir::Op::size},
    {"<K, T> (boolean o) contains(T A[K], K key) \"\";", ir::Op::contains},
    {"<K, T> (boolean o) exists(T A[K], K key) \"\";", ir::Op::exists},
    {"(string n) filename(file f) \"\";", ir::Op::file_name},
    {"(string n) filename(url f) \"\";", ir::Op::file_name},
    {"(string n) urlname(url f) \"\";", ir::Op::file_name},
}};

FunctionTree parsed(const std::string& declaration) {
    Sources sources;
    Diagnostics diagnostics;
    const std::uint32_t file = sources.add("library", declaration);
    Script script = parse(tokens_of(sources, file, false, diagnostics), diagnostics);
    if (diagnostics.failed() || script.functions.size() != 1)
        throw std::logic_error("a declaration of the library is malformed: " + declaration + "\n" +
                               diagnostics.text(sources));
    FunctionTree tree = std::move(script.functions[0]);
    tree.at = {};
    return tree;
}

bool has_variable(const Type& type) {
    return type.is(Kind::variable) || type.is(Kind::alternative) ||
           std::ranges::any_of(type.parts(), has_variable);
}
/// What keeps a function from having overloads; null if nothing.
const char* hindrance(const Signature& function) {
    for (const Signature::Parameter& each : function.inputs) {
        if (each.otherwise) return "arguments with defaults";
        if (has_variable(each.type)) return "arguments of alternative or variable types";
    }
    return nullptr;
}

}  // namespace

std::optional<Type> simple_type(const std::string& name) {
    static const std::map<std::string, Kind> kinds = {
        {"int", Kind::integer},     {"float", Kind::floating},
        {"boolean", Kind::boolean}, {"string", Kind::string},
        {"void", Kind::void_},      {"blob", Kind::blob},
        {"file", Kind::file},       {"updateable_float", Kind::updateable},
        {"url", Kind::file},        {"external", Kind::void_}};
    const auto found = kinds.find(name);
    if (found == kinds.end()) return std::nullopt;
    const Type type = found->second;
    return name == "url" || name == "external" ? type.renamed(name) : type;
}

std::string Signature::text() const {
    std::string all = "(";
    for (const Parameter& each : outputs)
        all += (&each == outputs.data() ? "" : ", ") + each.type.text() + " " + each.name;
    all += ") " + name + "(";
    for (const Parameter& each : inputs)
        all += (&each == inputs.data() ? "" : ", ") + each.type.text() +
               (variable_count && &each == &inputs.back() ? "... " : " ") + each.name;
    return all + ")";
}

const Type* Catalogue::find_type(const std::string& name) const {
    const auto found = types_.find(name);
    return found == types_.end() ? nullptr : &found->second;
}

void Catalogue::add_type(const TypeTree& tree) {
    if (simple_type(tree.name) || tree.name == "bag")
        reject(code::duplicate_name, tree.at,
               "'" + tree.name + "' is a type of the language and cannot be declared again",
               tree.base && !simple_type(tree.base->name)
                   ? "the new name comes first: type " + tree.base->name + " " + tree.name + ";"
                   : "");
    if (types_.contains(tree.name))
        reject(code::duplicate_name, tree.at,
               "the type '" + tree.name + "' is declared a second time", {},
               {{own_[tree.name].front().at, "it was declared here"}});
    if (tree.base) {
        const Type base = type_of(*tree.base);
        types_[tree.name] = tree.is_alias ? base : base.renamed(tree.name);
    } else {
        std::vector<Type::Field> fields;
        std::set<std::string> names;
        for (const TypeTree::Field& each : tree.fields) {
            if (!names.insert(each.declarator.name).second)
                reject(
                    code::duplicate_name, each.declarator.at,
                    "the struct '" + tree.name + "' has two fields '" + each.declarator.name + "'");
            fields.push_back({each.declarator.name, type_of(each.type, each.declarator)});
        }
        types_[tree.name] = Type::structure(tree.name, std::move(fields));
    }
    const Type& made = types_[tree.name];
    const bool is_structure = made.is(Kind::structure);
    Signature constructor;
    constructor.kind = is_structure ? Signature::Kind::structure : Signature::Kind::subtype;
    constructor.name = tree.name;
    constructor.at = tree.at;
    constructor.outputs.push_back({"o", made});
    for (const Type::Field& each : made.fields())
        constructor.inputs.push_back({each.name, each.type});
    if (!is_structure) constructor.inputs.push_back({"value", made.base()});
    own_[tree.name].push_back(std::move(constructor));
}

Type Catalogue::type_of(const TypeName& name, const std::vector<std::string>& variables) const {
    if (!name.keys.empty()) {
        TypeName element = name;
        element.keys.clear();
        return array_of(type_of(element, variables), name.keys, name.at, variables);
    }
    if (!name.alternatives.empty()) {
        TypeName first = name;
        first.alternatives.clear();
        std::vector<Type> types{type_of(first, variables)};
        for (const TypeName& each : name.alternatives) types.push_back(type_of(each, variables));
        return Type::alternative(std::move(types));
    }
    if (name.name == "bag" && !name.of.empty()) return Type::bag(type_of(name.of[0], variables));
    for (const std::string& each : variables)
        if (each == name.name) return Type::variable(each);
    if (const Type* own = find_type(name.name)) return *own;
    if (const auto simple = simple_type(name.name)) return *simple;
    std::vector<std::string> known = {"int", "float", "boolean", "string", "void", "blob", "file"};
    for (const auto& [each, type] : types_) known.push_back(each);
    static const std::map<std::string, const char*> others = {
        {"bool", "it is called boolean"},
        {"double", "it is called float"},
        {"long", "it is called int"},
        {"integer", "it is called int"},
        {"str", "it is called string"},
        {"char", "it is called string"},
        {"return", "assign to an output: (int o) f(int x) { o = x; }"}};
    const auto elsewhere = others.find(name.name);
    reject(code::unknown_name, name.at, "there is no type '" + name.name + "'",
           elsewhere != others.end()
               ? Help(elsewhere->second)
               : did_you_mean(name.name, known, "declare it: type " + name.name + " ...;"));
}

Type Catalogue::array_of(Type type, const std::vector<TypeName>& keys, Position at,
                         const std::vector<std::string>& variables) const {
    for (auto each = keys.rbegin(); each != keys.rend(); ++each) {
        const Type key = type_of(*each, variables);
        if (!key.may_be_key() && !key.is(Kind::variable))
            reject(code::type_mismatch, at, "'" + key.text() + "' cannot be the key of an array",
                   "keys are ints, strings, floats or booleans");
        type = Type::array(key, std::move(type));
    }
    return type;
}

void Catalogue::add_work_type(const std::string& name) {
    work_types_.insert(with_each(name, std::toupper));
}

std::string Catalogue::work_type(const Annotation& dispatch) const {
    const Expression none;
    const Expression& value = dispatch.value.empty() ? none : dispatch.value[0];
    const std::string name = with_each(
        value.literal.is<std::string>() ? value.literal.string() : value.text, std::toupper);
    if (name == "WORKER" || name == "CONTROL") return {};
    if (work_types_.contains(name)) return name;
    reject(code::unknown_name, dispatch.at, "there is no work type '" + name + "'",
           did_you_mean(name, {work_types_.begin(), work_types_.end()},
                        "@dispatch takes WORKER, CONTROL, or a type that is declared: pragma "
                        "worktypedef " +
                            name + ";"));
}

Signature Catalogue::signature_of(const FunctionTree& tree) const {
    Signature made;
    made.name = tree.name;
    made.at = tree.at;
    for (const script::Parameter& each : tree.outputs)
        made.outputs.push_back(
            {each.declarator.name, type_of(each.type, each.declarator, tree.type_variables)});
    for (const script::Parameter& each : tree.inputs) {
        Signature::Parameter parameter{each.declarator.name,
                                       type_of(each.type, each.declarator, tree.type_variables)};
        if (!each.declarator.value.empty()) parameter.otherwise = each.declarator.value[0].literal;
        made.inputs.push_back(std::move(parameter));
        made.variable_count = each.variable_count;
    }
    made.dispatched = tree.kind != FunctionTree::Kind::composite;
    for (const Annotation& each : tree.annotations) {
        made.deprecated |= each.name == "deprecated";
        made.parallel |= each.name == "par";
    }
    return made;
}

void Catalogue::expect_overload(const FunctionTree& tree, const Signature& made,
                                const Signature& other) {
    const auto refuse = [&](const std::string& why) {
        reject(code::overload, tree.at, why, {}, {{other.at, "the other one is here"}});
    };
    constexpr auto type = &Signature::Parameter::type;
    if (std::ranges::equal(other.inputs, made.inputs, {}, type, type))
        reject(code::overload, tree.at,
               "the function '" + tree.name + "' is defined a second time with the same inputs", {},
               {{other.at, "the first definition is here"}});
    if (other.outputs.size() != made.outputs.size())
        refuse("overloads of '" + tree.name + "' have different numbers of outputs");
    for (const Signature* each : {&made, &other})
        if (const char* why = hindrance(*each))
            refuse("overloads of '" + tree.name + "' cannot have " + why);
    for (const Annotation& each : tree.annotations)
        if (each.name == "checkpoint")
            refuse("@checkpoint stands before '" + tree.name + "', which has overloads");
}

void Catalogue::add_function(const FunctionTree& tree, std::string code_name, bool of_library) {
    Signature made = signature_of(tree);
    made.kind = Signature::Kind::composite;
    made.code_name = std::move(code_name);
    made.of_library = of_library;
    made.is_leaf = tree.kind == FunctionTree::Kind::extension;
    if (find_type(tree.name) != nullptr || simple_type(tree.name))
        reject(code::duplicate_name, tree.at,
               "a type and a function are called '" + tree.name + "'");
    for (const Signature& other : own_[tree.name]) expect_overload(tree, made, other);
    if (own_[tree.name].empty() && !of_library) {
        for (const Signature& each : library_functions(tree.name))
            if (modules_.contains(each.module) && refused_.insert(tree.name).second)
                reject(code::duplicate_name, tree.at,
                       "'" + tree.name + "' is a function of the library (" + each.module + ")",
                       "choose another name");
    }
    own_[tree.name].push_back(std::move(made));
}

void Catalogue::expect_new_name(const std::string& name, Position at) const {
    if (find_type(name) != nullptr)
        reject(code::duplicate_name, at, "'" + name + "' is the name of a type");
    const std::vector<const Signature*> all = functions(name);
    if (all.empty()) return;
    if (all[0]->kind == Signature::Kind::composite)
        reject(code::duplicate_name, at,
               "a function and a global variable are called '" + name + "'", {},
               {{all[0]->at, "the function is here"}});
    reject(code::duplicate_name, at,
           "'" + name + "' is a function of the library (" + all[0]->module + ")",
           "choose another name");
}

const std::vector<Signature>& Catalogue::library_functions(const std::string& name) const {
    const auto known = library_.find(name);
    if (known != library_.end()) return known->second;
    std::vector<Signature> found;
    for (const OperationFunction& each : operations) {
        if (declared_name(each.declaration) != name) continue;
        Signature made = signature_of(parsed(each.declaration));
        made.kind = Signature::Kind::operation;
        made.op = each.op;
        made.module = "builtins";
        found.push_back(std::move(made));
    }
    const auto builtins = builtins_named(name);
    for (std::size_t i = 0; i < builtins.size(); ++i) {
        Signature made = signature_of(parsed(builtins[i].declaration() + " \"\";"));
        made.code_name = code_name_of(name, i);
        made.module = builtins[i].module;
        found.push_back(std::move(made));
    }
    return library_.emplace(name, std::move(found)).first->second;
}

std::vector<const Signature*> Catalogue::functions(const std::string& name) const {
    std::vector<const Signature*> found;
    const auto own = own_.find(name);
    if (own != own_.end())
        for (const Signature& each : own->second) found.push_back(&each);
    if (!found.empty() && !found[0]->of_library) return found;
    for (const Signature& each : library_functions(name))
        if (modules_.contains(each.module)) found.push_back(&each);
    return found;
}

bool Catalogue::needs_all(const std::string& name) const {
    return std::ranges::all_of(functions(name), [](const Signature* each) {
        const ir::Need need = ir::traits_of(each->op).need;  // deep, but of some operations
        return (each->kind != Signature::Kind::composite || each->dispatched) &&
               (need == ir::Need::closed || need == ir::Need::deep);
    });
}

std::vector<const Signature*> Catalogue::expect_functions(const std::string& name,
                                                          Position at) const {
    if (refused_.contains(name)) reject_again();
    std::vector<const Signature*> found = functions(name);
    if (!found.empty()) return found;
    for (const Signature& each : library_functions(name)) {
        if (name.starts_with("arg"))  // the script's arguments need no import
            found.push_back(&each);
        else if (each.module != "operators")
            reject(code::missing_import, at,
                   "the function '" + name + "' belongs to the module '" + each.module +
                       "', which is not imported",
                   Help::import(each.module));
    }
    if (!found.empty()) return found;
    reject(code::unknown_name, at, "there is no function '" + name + "'",
           did_you_mean(name, all_function_names()));
}

std::vector<std::string> Catalogue::all_function_names() const {
    std::vector<std::string> names = {"size", "contains", "exists", "filename"};
    for (const auto& [each, signatures] : own_) names.push_back(each);
    for (const NamedBuiltin& each : named_builtins())
        if (modules_.contains(std::string(each.module))) names.emplace_back(each.name);
    return names;
}

}  // namespace refrain::script
