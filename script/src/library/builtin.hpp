#pragma once

#include "library/services.hpp"
#include "values/value.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace refrain::script {

/// A function of the library.
///
/// Errors: throws ScriptError.
struct Builtin {
    using Arguments = std::span<const Value>;
    using Function = Value (*)(Arguments, Services&);

    const char* declaration;  // "(int n) strlen(string s)"
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

/// A function with its names.
struct NamedBuiltin {
    std::string name;       // in scripts
    std::string code_name;  // in intermediate code: with "/2" behind it for the second overload
    std::string module;
    const Builtin* builtin;
};
/// All of them, in the order of the tables.
[[nodiscard]] const std::vector<NamedBuiltin>& named_builtins();
/// The function with this name in intermediate code; null if none.
[[nodiscard]] const Builtin* find_builtin(const std::string& name);

/// The name in a declaration.
[[nodiscard]] std::string declared_name(const char* declaration);

}  // namespace refrain::script
