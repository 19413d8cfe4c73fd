/// `import python;` and `import R;`: pieces of these languages, evaluated by the run's interpreters.

#include "library/modules.hpp"

namespace refrain::script::python_module {
namespace {

/// What a call returns whose exception is no error.
constexpr const char* exception_result = "__EXCEPTION__";

template <bool KeepsState>
Value evaluated(In in, Services& services) {
    const bool exceptions_are_errors = in.size() < 3 || in[2].truth();
    try {
        return services.evaluate({ForeignCode::Language::python, KeepsState, in[0].string(),
                                  in.size() > 1 ? in[1].string() : "repr(0)"});
    } catch (const ForeignException& error) {
        if (exceptions_are_errors) throw;
        services.print(std::string("PYTHON EXCEPTION: ") + error.what() + "\n");
        return exception_result;
    }
}

Value evaluated_by_r(In in, Services& services) {
    return services.evaluate({ForeignCode::Language::r, true, in[0].string(), in[1].string()});
}

constexpr Builtin of_r[] = {
    {"(string o) R(string code, string expression=\"\")", evaluated_by_r, false, true, false,
     ForeignCode::Language::r},
};
constexpr Builtin all[] = {
    {"(string o) python(string code, string expression=\"repr(0)\", boolean "
     "exceptions_are_errors=true)",
     evaluated<false>, false, true, false, ForeignCode::Language::python},
    {"(string o) python_persist(string code, string expression=\"repr(0)\", boolean "
     "exceptions_are_errors=true)",
     evaluated<true>, false, true, false, ForeignCode::Language::python},
};

}  // namespace
}  // namespace refrain::script::python_module

const refrain::script::Builtins refrain::script::python_functions = python_module::all;
const refrain::script::Builtins refrain::script::r_functions = python_module::of_r;
