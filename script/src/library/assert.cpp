/// `import assert;`. Every assertion that fails is an error of the run.

#include "library/modules.hpp"
#include "values/text.hpp"

#include <functional>

namespace refrain::script::assert_module {
namespace {

Value check(In in, Services&) {
    if (!in[0].truth()) throw ScriptError("assertion failed: " + in[1].string());
    return Void{};
}
[[noreturn]] void fail(In in, const char* relation) {
    throw ScriptError("assertion failed: " + text_of(in[0]) + " " + relation + " " +
                      text_of(in[1]) + ": " + in[2].string());
}
Value equal(In in, Services&) {
    const bool holds = in[0].is<double>() ? in[0].floating() == in[1].floating() : in[0] == in[1];
    if (!holds) fail(in, "==");
    return Void{};
}
template <class Relation>
Value compared(In in, Services&) {
    constexpr bool strict = std::is_same_v<Relation, std::less<>>;
    const bool holds = in[0].is<std::int64_t>() ? Relation()(in[0].integer(), in[1].integer())
                                                : Relation()(in[0].floating(), in[1].floating());
    if (!holds) fail(in, strict ? "<" : "<=");
    return Void{};
}

constexpr Builtin all[] = {
    {"(void o) assert(boolean condition, string message)", check, false},
    {"(void o) assertEqual(int a, int b, string message)", equal, false},
    {"(void o) assertEqual(float a, float b, string message)", equal, false},
    {"(void o) assertEqual(string a, string b, string message)", equal, false},
    {"(void o) assertLT(int a, int b, string message)", compared<std::less<>>, false},
    {"(void o) assertLT(float a, float b, string message)", compared<std::less<>>, false},
    {"(void o) assertLTE(int a, int b, string message)", compared<std::less_equal<>>, false},
    {"(void o) assertLTE(float a, float b, string message)", compared<std::less_equal<>>, false},
};

}  // namespace
}  // namespace refrain::script::assert_module

const refrain::script::Builtins refrain::script::assert_functions = assert_module::all;
