/// `import stats;`. Deviations are over the population.

#include "library/modules.hpp"

#include <algorithm>
#include <cmath>

namespace refrain::script::stats_module {
namespace {

Value sum_int(In in, Services&) {
    std::int64_t sum = 0;
    for (const auto& [key, each] : in[0].entries())
        if (__builtin_add_overflow(sum, each.integer(), &sum))
            throw ScriptError("integer overflow in sum");
    return sum;
}
double total(const Table& table) {
    double sum = 0;
    for (const auto& [key, each] : table) sum += each.floating();
    return sum;
}
double mean(const Table& table) {
    return total(table) / static_cast<double>(table.size());
}
Value deviation(In in, Services&) {
    const Table& table = in[0].entries();
    const double middle = mean(table);
    double squares = 0;
    for (const auto& [key, each] : table)
        squares += (each.floating() - middle) * (each.floating() - middle);
    return std::sqrt(squares / static_cast<double>(table.size()));
}
template <bool Largest>
Value extreme(In in, Services&) {
    const Table& table = in[0].entries();
    if (table.empty()) throw ScriptError("the maximum or minimum of an empty array");
    const auto smaller = [](const auto& a, const auto& b) { return a.second < b.second; };
    return (Largest ? std::ranges::max_element(table, smaller)
                    : std::ranges::min_element(table, smaller))
        ->second;
}
/// Of several that must be equal.
Value only_string(In in, Services&) {
    const Table& table = in[0].entries();
    if (table.empty()) throw ScriptError("no string");
    for (const auto& [key, each] : table)
        if (each.string() != table.begin()->second.string())
            throw ScriptError("'" + table.begin()->second.string() + "' and '" + each.string() +
                              "' are to be one");
    return table.begin()->second;
}

constexpr Builtin all[] = {
    {"(int o) sum_integer|sum(int A[])", sum_int},
    {"(float o) sum_float|sum(float A[])", of([](const Table& numbers) { return total(numbers); })},
    {"(float o) avg(int A[])", of([](const Table& numbers) { return mean(numbers); })},
    {"(float o) avg(float A[])", of([](const Table& numbers) { return mean(numbers); })},
    {"(float o) std(int A[])", deviation},
    {"(float o) std(float A[])", deviation},
    {"(int o) max_integer_array(int A[])", extreme<true>},
    {"(float o) array_max_float(float A[])", extreme<true>},
    {"(float o) array_min_float(float A[])", extreme<false>},
    {"(string o) only_string(string A[])", only_string},
};

}  // namespace
}  // namespace refrain::script::stats_module

const refrain::script::Builtins refrain::script::stats_functions = stats_module::all;
