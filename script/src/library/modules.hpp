#pragma once

#include "library/builtin.hpp"

#include <concepts>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

/// The tables of the modules, each in the file of its name.
namespace refrain::script {

using In = Builtin::Arguments;
using Builtins = std::span<const Builtin>;

/// What a function of C++ gets for a parameter of this type.
template <class T>
decltype(auto) argument(In in, std::size_t i, Services& services) {
    using Is = std::remove_cvref_t<T>;
    if constexpr (std::same_as<Is, Services>)
        return (services);
    else if constexpr (std::same_as<Is, Value>)
        return (in[i]);
    else if constexpr (std::same_as<Is, bool>)
        return in[i].truth();
    else if constexpr (std::same_as<Is, double>)
        return in[i].floating();
    else if constexpr (std::same_as<Is, std::int64_t>)
        return in[i].integer();
    else if constexpr (std::same_as<Is, Table>)
        return (in[i].entries());
    else
        return (in[i].string());
}
template <class F, class Result, class... T>
Value called(Result (F::*)(T...) const, In in, Services& services) {
    return [&]<std::size_t... I>(std::index_sequence<I...>)->Value {
        if constexpr (std::same_as<Result, bool>)
            return Value::boolean(F()(argument<T>(in, I, services)...));
        else
            return F()(argument<T>(in, I, services)...);
    }
    (std::index_sequence_for<T...>());
}
/// A function of the library by one of C++, whose parameters say how arguments are read.
///
///     of([](double base, double exponent) { return std::pow(base, exponent); })
template <class F>
constexpr Builtin::Function of(F) {
    return [](In in, Services& services) { return called<F>(&F::operator(), in, services); };
}

/// One that never fails.
constexpr Builtin total(const char* declaration, Builtin::Function function) {
    return {.declaration = declaration, .function = function, .total = true};
}

extern const Builtins operator_functions;
extern const Builtins basic_functions;
extern const Builtins string_functions;
extern const Builtins math_functions;
extern const Builtins io_functions;
extern const Builtins file_functions;
extern const Builtins sys_functions;
extern const Builtins assert_functions;
extern const Builtins stats_functions;
extern const Builtins random_functions;
extern const Builtins python_functions;
extern const Builtins r_functions;
extern const Builtins json_functions;
extern const Builtins blob_functions;
extern const Builtins matrix_functions;
extern const Builtins location_functions;
extern const Builtins launch_functions;
extern const std::string_view blob_swift;  // of modules/, embedded by the build
extern const std::string_view location_swift;
extern const std::string_view matrix_swift;
extern const std::string_view reductions_swift;
extern const std::string_view stats_swift;
extern const std::string_view sys_swift;
extern const std::string_view unix_swift;

/// Of an array of texts.
[[nodiscard]] inline std::vector<std::string> texts_of(const Value& array) {
    std::vector<std::string> all;
    for (const auto& [key, each] : array.entries()) all.push_back(each.string());
    return all;
}
// Of math.cpp: 0 to end - 1.
[[nodiscard]] std::int64_t random_below(std::int64_t end);
// Of files.cpp. Errors: ScriptError.
[[nodiscard]] std::string file_content(const std::string& path);
/// A temporary file.
[[nodiscard]] Value new_file_with(const std::string& content, Services& services);

// Of numbers.cpp.
/// Blanks around the digits pass; anything else does not.
///
/// Errors: ScriptError for empty text, trailing letters, another base's prefix, and what does not fit.
[[nodiscard]] std::int64_t parse_integer(const std::string& text, std::int64_t base = 10);
[[nodiscard]] double parse_float(const std::string& text);
/// A whole number as an int; nothing if it does not fit, or is none.
[[nodiscard]] std::optional<std::int64_t> int_of(double whole);

}  // namespace refrain::script
