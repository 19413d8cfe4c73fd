/// `import stats;`. Deviations are over the population.

#include "library/modules.hpp"
#include "values/script_error.hpp"

#include <algorithm>
#include <cmath>

namespace refrain::script {
namespace stats_module {
namespace {

using In = Builtin::Arguments;

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
Value sum_float(In in, Services&) {
    return total(in[0].entries());
}
Value average(In in, Services&) {
    return mean(in[0].entries());
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
    const auto smaller = [](const auto& a, const auto& b) {
        return a.second.floating() < b.second.floating();
    };
    return (Largest ? std::ranges::max_element(table, smaller)
                    : std::ranges::min_element(table, smaller))
        ->second;
}

constexpr Builtin all[] = {
    {"(int o) sum_integer(int A[])", sum_int},
    {"(int o) sum(int A[])", sum_int},
    {"(float o) sum_float(float A[])", sum_float},
    {"(float o) sum(float A[])", sum_float},
    {"(float o) avg(int A[])", average},
    {"(float o) avg(float A[])", average},
    {"(float o) std(int A[])", deviation},
    {"(float o) std(float A[])", deviation},
    {"(int o) max_integer_array(int A[])", extreme<true>},
    {"(float o) array_max_float(float A[])", extreme<true>},
    {"(float o) array_min_float(float A[])", extreme<false>},
};

}  // namespace
}  // namespace stats_module

const std::span<const Builtin> stats_functions = stats_module::all;

}  // namespace refrain::script
