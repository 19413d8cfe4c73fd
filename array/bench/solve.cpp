// What choosing partitions costs, and what NumPy's order of a sum costs beyond the fastest one. Prints
// one JSON object of lists, one value per round, for tools/bench arrays.
//
//     bench_solve [ROUNDS]
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "arrays/parts.hpp"
#include "stores/solver.hpp"

namespace {

using namespace refrain;
using namespace refrain::array;
using Clock = std::chrono::steady_clock;

double ns_since(Clock::time_point began) {
    return std::chrono::duration<double, std::nano>(Clock::now() - began).count();
}

/// Of the calling thread: what others do on a busy machine does not count.
double thread_ns() {
    std::timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e9 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec);
}

/// Partitions of z = x + y and of one argument that follows with a halo.
double solve_new_ns() {
    constexpr int problems = 2000;
    TilingTable table;
    const Extents shape{512, 512};
    const Tiling* key = table.fresh(shape, 0, 2);
    const double began = thread_ns();
    for (int i = 0; i < problems; ++i) {
        Problem problem;
        const int z = problem.add("z", shape, 8 << 18, nullptr);
        const int x = problem.add("x", shape, 8 << 18, key);
        const int y = problem.add("y", shape, 8 << 18, nullptr);
        problem.align(z, x);
        problem.bloat(z, y, {1, 1}, {1, 1});
        if (problem.solve(table, 2).size() != 3) std::abort();
    }
    return (thread_ns() - began) / problems;
}

/// The partitions of an operation like an earlier one, found again: of several operations in turn, as in a loop's body.
double solve_remembered_ns(Machine& machine) {
    constexpr int rounds = 20'000;
    constexpr std::array functions{Ufunc::add,         Ufunc::subtract, Ufunc::multiply,
                                   Ufunc::true_divide, Ufunc::maximum,  Ufunc::minimum,
                                   Ufunc::hypot,       Ufunc::arctan2};
    struct Nobody final : StoreTable::Listener {
        void released(const Store& /*store*/) override {}
    } nobody;
    StoreTable stores(machine.runtime(), nobody, nullptr);
    ViewTable views;
    TilingTable tilings;
    ValueEvents events;
    const Tuning two_tiles{.tiles = 2};
    Launcher launcher(machine.runtime(), stores, views, tilings, events, two_tiles);
    StoreForm& form = stores.form({512, 512}, DType::float64);
    const std::array<Store*, 3> used{stores.make(form), stores.make(form), stores.make(form)};
    std::array<Record, functions.size()> records{};
    for (std::size_t f = 0; f < functions.size(); ++f) {
        constexpr DType type = DType::float64;
        records[f].what = {.function = functions[f], .types = {{type, type}, type}};
        records[f].use_count = 3;
        for (std::size_t i = 0; i < used.size(); ++i)
            records[f].uses[i] = {used[i],
                                  &views.intern(form.shape, Layout::row_major(form.shape))};
        if (launcher.plan_of(records[f]).tiles != 2) std::abort();
    }
    const double began = thread_ns();
    int tiles = 0;
    for (int round = 0; round < rounds; ++round)
        for (const Record& record : records) tiles += launcher.plan_of(record).tiles;
    const double taken = thread_ns() - began;
    constexpr int asked = rounds * static_cast<int>(functions.size());
    if (tiles != 2 * asked || launcher.plans_made() != functions.size()) std::abort();
    for (Store* store : used) stores.release(store);
    return taken / asked;
}

/// The fastest sum of ours: as many sums as hide the latency of an addition, in whatever order.
double fastest_sum(const std::vector<double>& values) {
    constexpr std::size_t width = 32;
    std::array<double, width> sums{};
    for (std::size_t i = 0; i + width <= values.size(); i += width)
        for (std::size_t j = 0; j < width; ++j) sums[j] += values[i + j];
    double sum = 0;
    for (const double part : sums) sum += part;
    return sum;
}

double sum_order_ratio(Machine& machine) {
    constexpr std::size_t n = 10'000'000 / 32 * 32;
    static const std::vector<double> values(n, 0.5);
    const Array array =
        machine.copy_of(values.data(), Layout::row_major({Extent{n}}), DType::float64);
    const auto sum_here = [&] {
        return machine.item(machine.reduce(Ufunc::add, array)).as<double>();
    };
    if (sum_here() != fastest_sum(values)) std::abort();
    const auto began = Clock::now();
    for (int i = 0; i < 5; ++i) static_cast<void>(sum_here());
    const double here = ns_since(began);
    const auto again = Clock::now();
    double total = 0;
    for (int i = 0; i < 5; ++i) total += fastest_sum(values);
    const double fastest = ns_since(again);
    if (total != 2.5 * static_cast<double>(n)) std::abort();
    return here / fastest;
}

void print(const char* key, const std::vector<double>& values, const char* end) {
    std::printf("\"%s\": [", key);
    for (std::size_t i = 0; i < values.size(); ++i)
        std::printf("%s%.6g", i == 0 ? "" : ", ", values[i]);
    std::printf("]%s", end);
}

}  // namespace

int main(int argc, char** argv) {
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 5;
    std::string workers = "--refrain:workers=1";
    std::array<char*, 2> words{argv[0], workers.data()};
    int count = 2;
    Machine machine(count, words.data());
    std::vector<double> solve;
    std::vector<double> remembered;
    std::vector<double> sum;
    for (int round = 0; round < rounds; ++round) {
        solve.push_back(solve_new_ns());
        remembered.push_back(solve_remembered_ns(machine));
        sum.push_back(sum_order_ratio(machine));
    }
    std::printf("{");
    print("new_ns", solve, ", ");
    print("remembered_ns", remembered, ", ");
    print("sum_order", sum, "}\n");
    return 0;
}
