#pragma once

#include "library/services.hpp"
#include "values/value.hpp"

#include <span>
#include <string>
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
    const char* text;
};
[[nodiscard]] std::span<const SourceModule> source_modules();

/// The function with this name in intermediate code: its name, and "/2" for the second overload; null if none.
[[nodiscard]] const Builtin* find_builtin(const std::string& name);
/// The inverse of find_builtin, in the order of the tables.
[[nodiscard]] const std::vector<std::pair<std::string, const Builtin*>>& named_builtins();

/// The name in a declaration.
[[nodiscard]] std::string declared_name(const char* declaration);

}  // namespace refrain::script
