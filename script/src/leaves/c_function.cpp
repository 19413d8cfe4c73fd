#include "leaves/c_function.hpp"

#include "values/script_error.hpp"

#include <algorithm>
#include <array>

namespace refrain::script {
namespace {

template <class Result, class Argument, std::size_t... I>
Result call_with_all(void* symbol, const std::array<Argument, 4>& in, std::index_sequence<I...>) {
    return reinterpret_cast<Result (*)(std::tuple_element_t<I, std::array<Argument, 4>>...)>(
        symbol)(in[I]...);
}
template <class Result, class Argument, std::size_t Count = 4>
Result call_with(void* symbol, const std::array<Argument, 4>& in, std::size_t count) {
    if constexpr (Count != 0)
        if (count < Count) return call_with<Result, Argument, Count - 1>(symbol, in, count);
    return call_with_all<Result>(symbol, in, std::make_index_sequence<Count>());
}

bool all_are(const std::vector<Type>& types, Kind kind) {
    return std::ranges::all_of(types, [kind](const Type& each) { return each.is(kind); });
}

template <class Argument>
Value result_of(void* symbol, const std::array<Argument, 4>& in, std::size_t count, Kind output) {
    if (output == Kind::floating) return call_with<double>(symbol, in, count);
    if (output == Kind::integer)
        return static_cast<std::int64_t>(call_with<long>(symbol, in, count));
    call_with<void>(symbol, in, count);
    return Void{};
}

}  // namespace

CLeaf::CLeaf(const ir::LeafDefinition& definition, void* symbol)
    : definition_(definition), symbol_(symbol) {
    const bool inputs =
        all_are(definition.inputs, Kind::floating) || all_are(definition.inputs, Kind::integer);
    const bool output = definition.outputs.empty() ||
                        (definition.outputs.size() == 1 && (definition.outputs[0].is_number() ||
                                                            definition.outputs[0].is(Kind::void_)));
    if (!inputs || !output || definition.inputs.size() > 4)
        throw ScriptError("the C function '" + definition.name +
                          "' has a signature that cannot be called: " +
                          "up to four floats, or up to four ints, and one float, int or void as "
                          "output are supported");
}

void CLeaf::call(std::span<const Value> arguments, std::span<Value> results, Services&) const {
    const Kind output = results.empty() ? Kind::void_ : definition_.outputs[0].kind();
    Value made;
    if (all_are(definition_.inputs, Kind::floating)) {
        std::array<double, 4> in{};
        for (std::size_t i = 0; i < arguments.size(); ++i) in[i] = arguments[i].floating();
        made = result_of(symbol_, in, arguments.size(), output);
    } else {
        std::array<long, 4> in{};
        for (std::size_t i = 0; i < arguments.size(); ++i) in[i] = arguments[i].integer();
        made = result_of(symbol_, in, arguments.size(), output);
    }
    if (!results.empty()) results[0] = made;
}

}  // namespace refrain::script
