#pragma once

#include "library/services.hpp"
#include "values/value.hpp"

#include <span>
#include <string>
#include <string_view>

namespace refrain::script {

/// A function of the library.
///
/// Errors: throws ScriptError.
struct Builtin {
    using Arguments = std::span<const Value>;
    using Function = Value (*)(Arguments, Services&);

    const char*
        declaration;  // "(int n) strlen(string s)"; several names: "(int o) abs|abs_integer(int x)"
    Function function;
    bool pure = true;
    bool sleeps = false;  // takes long: it runs as a worker's task
    bool total = false;   // never fails
    ForeignCode::Language needs = ForeignCode::Language::none;  // an interpreter
    bool of_run = false;  // the same throughout a run, and unknown before it
};

/// A module: what `import name;` brings. `builtins` and `operators` are always there.
struct Module {
    const char* name;
    std::span<const Builtin> functions;
};

[[nodiscard]] std::span<const Module> modules();

/// A module that is written in the language.
struct SourceModule {
    const char* name;
    std::string_view text;
};
[[nodiscard]] std::span<const SourceModule> source_modules();

/// A function by one of its names.
struct NamedBuiltin {
    std::string_view name;
    std::string_view module;
    const Builtin* builtin;

    /// With this name only.
    [[nodiscard]] std::string declaration() const;
};
/// All of them, by name; overloads in the order of the tables.
[[nodiscard]] std::span<const NamedBuiltin> named_builtins();
[[nodiscard]] std::span<const NamedBuiltin> builtins_named(std::string_view name);
/// In intermediate code: with "/2" behind the name for the second overload.
[[nodiscard]] std::string code_name_of(std::string_view name, std::size_t overload);
/// The function with this name in intermediate code; null if none.
[[nodiscard]] const Builtin* find_builtin(std::string_view name);

/// The name in a declaration, or the names.
[[nodiscard]] std::string_view declared_name(std::string_view declaration);

}  // namespace refrain::script
