/// C++ functions that scripts call: a plug-in, or the program that embeds the library, registers them.
///
///     double area(double width, double height) { return width * height; }
///     REFRAIN_SCRIPT_FUNCTION(area)
///
/// In the script, with the plug-in's file, looked for beside the script:
///
///     (float o) area(float width, float height) "native:libarea.so" "1" "area";
///
/// Ints are std::int64_t, floats double, booleans bool, strings std::string, arrays of these std::vector. A function
/// with several outputs returns a std::tuple; one without returns nothing. Exceptions fail the call, and the script says where.
///
/// A function that the script declares with @par is called by a team, at the same time by each of its ranks and with the same
/// arguments; results are those of rank 0:
///
///     double energy(double t) {
///         const auto world = *static_cast<const MPI_Comm*>(refrain::script::team().communicator);
///         ...                                     @par (float e) energy(float t) "native:libmodel.so" "1" "energy";
///     }                                           e = @par=4 energy(300.0);
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <new>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace refrain::script {

/// What passes between a script and a function of C++.
struct LeafValue {
    using Table = std::map<std::int64_t, LeafValue>;
    std::variant<std::monostate, std::int64_t, double, bool, std::string, Table> is;

    /// Nothing, or a number or boolean: there is nothing to be destroyed.
    [[nodiscard]] bool is_plain() const { return is.index() < 4; }
};

/// Who makes the call that runs in this thread.
struct Team {
    int rank = 0;
    int size = 1;
    /// The team's communicator, an MPI_Comm of the MPI that has started the run, valid until the function returns. Null if
    /// the script was not started by mpirun, and of a team of one.
    const void* communicator = nullptr;
};
[[nodiscard]] const Team& team();

using LeafFunction = void (*)(const LeafValue* arguments, std::size_t argument_count,
                              LeafValue* results, std::size_t result_count);

/// Registers a function by name; a plug-in does so while it is loaded. Returns true.
///
/// Errors:  a name that is taken replaces the former function.
/// Threads: any.
bool register_leaf_function(const std::string& name, LeafFunction function);

namespace detail {

[[noreturn]] void wrong_leaf_argument(std::size_t index, const char* expected);
[[noreturn]] void wrong_leaf_count(const char* what, std::size_t expected, std::size_t given);

template <class T>
concept IsVector = std::is_same_v<T, std::vector<typename T::value_type>>;
template <class T>
concept IsTuple = requires {
    std::tuple_size<T>::value;
};

template <class T>
T from_leaf_value(const LeafValue& value, std::size_t index) {
    if constexpr (IsVector<T>) {
        const auto* table = std::get_if<LeafValue::Table>(&value.is);
        if (table == nullptr) wrong_leaf_argument(index, "an array");
        T all;
        for (const auto& [key, element] : *table)
            all.push_back(from_leaf_value<typename T::value_type>(element, index));
        return all;
    } else if constexpr (std::is_same_v<T, bool>) {
        if (const auto* is = std::get_if<bool>(&value.is)) return *is;
        wrong_leaf_argument(index, "a boolean");
    } else if constexpr (std::is_integral_v<T>) {
        if (const auto* is = std::get_if<std::int64_t>(&value.is)) return static_cast<T>(*is);
        wrong_leaf_argument(index, "an int");
    } else if constexpr (std::is_floating_point_v<T>) {
        if (const auto* is = std::get_if<double>(&value.is)) return static_cast<T>(*is);
        if (const auto* whole = std::get_if<std::int64_t>(&value.is)) return static_cast<T>(*whole);
        wrong_leaf_argument(index, "a float");
    } else {
        static_assert(std::is_same_v<T, std::string>,
                      "ints, floats, booleans, strings and vectors of these");
        if (const auto* is = std::get_if<std::string>(&value.is)) return *is;
        wrong_leaf_argument(index, "a string");
    }
}

template <class T>
LeafValue to_leaf_value(const T& value) {
    if constexpr (IsVector<T>) {
        LeafValue::Table table;
        for (const auto& element : value)
            table.emplace(static_cast<std::int64_t>(table.size()), to_leaf_value(element));
        return {table};
    } else if constexpr (std::is_same_v<T, bool>) {
        return {value};
    } else if constexpr (std::is_integral_v<T>) {
        return {static_cast<std::int64_t>(value)};
    } else if constexpr (std::is_floating_point_v<T>) {
        return {static_cast<double>(value)};
    } else {
        return {std::string(value)};
    }
}

template <auto Function, class Result, class... Arguments, std::size_t... I>
void call_leaf_function(const LeafValue* arguments, std::size_t argument_count, LeafValue* results,
                        std::size_t result_count, Result (*)(Arguments...),
                        std::index_sequence<I...>) {
    if (argument_count != sizeof...(Arguments))
        wrong_leaf_count("arguments", sizeof...(Arguments), argument_count);
    static_cast<void>(arguments);
    if constexpr (std::is_void_v<Result>) {
        Function(from_leaf_value<std::decay_t<Arguments>>(arguments[I], I)...);
    } else if constexpr (IsTuple<Result>) {
        if (result_count != std::tuple_size_v<Result>)
            wrong_leaf_count("outputs", std::tuple_size_v<Result>, result_count);
        const Result made = Function(from_leaf_value<std::decay_t<Arguments>>(arguments[I], I)...);
        std::size_t at = 0;
        std::apply([&](const auto&... each) { ((results[at++] = to_leaf_value(each)), ...); },
                   made);
    } else {
        if (result_count != 1) wrong_leaf_count("outputs", 1, result_count);
        const Result made = Function(from_leaf_value<std::decay_t<Arguments>>(arguments[I], I)...);
        if (results[0].is_plain())
            new (results) LeafValue(to_leaf_value(made));
        else
            results[0] = to_leaf_value(made);
    }
}

template <class Result, class... Arguments>
constexpr std::size_t argument_count_of(Result (*)(Arguments...)) {
    return sizeof...(Arguments);
}

}  // namespace detail

/// The LeafFunction that calls a C++ function.
template <auto Function>
void leaf_function(const LeafValue* arguments, std::size_t argument_count, LeafValue* results,
                   std::size_t result_count) {
    detail::call_leaf_function<Function>(
        arguments, argument_count, results, result_count, Function,
        std::make_index_sequence<detail::argument_count_of(Function)>());
}

}  // namespace refrain::script

/// Registers a function under its own name.
#define REFRAIN_SCRIPT_FUNCTION(function)                              \
    [[maybe_unused]] static const bool refrain_registered_##function = \
        ::refrain::script::register_leaf_function(#function,           \
                                                  &::refrain::script::leaf_function<&function>);
