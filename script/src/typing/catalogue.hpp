#pragma once

#include "ir/operation.hpp"
#include "library/builtin.hpp"
#include "syntax/tree.hpp"
#include "values/type.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace refrain::script {

/// Behind the name of a function in IR-1 that takes a location, too.
inline constexpr std::string_view placed_suffix = "@location";

/// A function as calls see it.
struct Signature {
    struct Parameter {
        std::string name;
        Type type;
        std::optional<Value> otherwise{};  // the default
    };
    enum class Kind : std::uint8_t { operation, builtin, composite, structure, subtype };
    Kind kind = Kind::builtin;
    std::string name;
    std::string code_name;  // in IR-1
    std::string module;     // of builtins
    std::vector<Parameter> outputs;
    std::vector<Parameter> inputs;
    bool variable_count = false;  // of the last input
    ir::Op op = ir::Op::compute;  // of operations
    bool deprecated = false;
    bool of_library = false;  // written in the language, but not by the user
    bool parallel = false;    // by @par: its calls say by how many
    bool dispatched = false;  // its calls are tasks that a location can be given
    bool is_leaf = false;     // of another language: a call may be the leaf's own
    Position at;              // of functions of the script

    [[nodiscard]] std::string text() const;  // "(int n) strlen(string s)"
};

/// The types and functions that a script can name.
class Catalogue {
  public:
    /// Errors: Rejection.
    void add_type(const TypeTree& tree);
    /// A function of the script, or of a library's module that is written in the language.
    void add_function(const FunctionTree& tree, std::string code_name, bool of_library = false);
    /// Of a global variable: no type, function of the script or imported one has the name.
    void expect_new_name(const std::string& name, Position at) const;
    /// By `pragma worktypedef`; upper and lower case are the same.
    void add_work_type(const std::string& name);
    /// In upper case; empty for general work. Errors: Rejection.
    [[nodiscard]] std::string work_type(const Annotation& dispatch) const;
    void add_module(const std::string& name) { modules_.insert(name); }
    [[nodiscard]] bool has_module(const std::string& name) const { return modules_.contains(name); }

    /// Errors: Rejection for an unknown name, with the nearest.
    [[nodiscard]] Type type_of(const TypeName& name,
                               const std::vector<std::string>& variables = {}) const;
    /// With the keys of the declarator: `int A[string][]` is an array of arrays.
    [[nodiscard]] Type type_of(const TypeName& name, const Declarator& declarator,
                               const std::vector<std::string>& variables = {}) const {
        return array_of(type_of(name, variables), declarator.keys, declarator.at, variables);
    }
    [[nodiscard]] const Type* find_type(const std::string& name) const;

    /// All functions of the name: those of the script, else those of the imported modules.
    [[nodiscard]] std::vector<const Signature*> functions(const std::string& name) const;
    /// Whether calls of the name run once all arguments are final: not those of functions of the language.
    [[nodiscard]] bool needs_all(const std::string& name) const;
    /// Errors: Rejection for an unknown function: names the module to import, or the nearest name.
    [[nodiscard]] std::vector<const Signature*> expect_functions(const std::string& name,
                                                                 Position at) const;

  private:
    [[nodiscard]] Type array_of(Type type, const std::vector<TypeName>& keys, Position at,
                                const std::vector<std::string>& variables) const;
    [[nodiscard]] Signature signature_of(const FunctionTree& tree) const;
    [[nodiscard]] const std::vector<Signature>& library_functions(const std::string& name) const;
    [[nodiscard]] std::vector<std::string> all_function_names() const;
    static void expect_overload(const FunctionTree& tree, const Signature& made,
                                const Signature& other);

    std::map<std::string, Type> types_;
    std::map<std::string, std::vector<Signature>> own_;
    std::set<std::string> work_types_;
    std::set<std::string> refused_;              // functions whose definition was
    std::set<std::string> modules_{"builtins"};  // what operators call has no name in scripts
    mutable std::map<std::string, std::vector<Signature>> library_;  // parsed when first looked up
};

[[nodiscard]] std::optional<Type> simple_type(const std::string& name);

}  // namespace refrain::script
