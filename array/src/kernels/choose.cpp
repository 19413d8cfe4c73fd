#include "kernels/choose.hpp"

namespace refrain::array::kernels {

#if defined(REFRAIN_ARRAY_VARIANTS)
namespace avx2 {
const Row* arithmetic_row(Ufunc function) noexcept;
const Row* comparison_row(Ufunc function) noexcept;
AddRun add_run_of(DType type) noexcept;
}  // namespace avx2
namespace avx512 {
const Row* arithmetic_row(Ufunc function) noexcept;
const Row* comparison_row(Ufunc function) noexcept;
AddRun add_run_of(DType type) noexcept;
}  // namespace avx512
#endif

namespace {

using RowOf = const Row* (*)(Ufunc function) noexcept;

struct Choice {
    std::string_view name = "portable";
    RowOf arithmetic = portable::arithmetic_row;
    RowOf comparison = portable::comparison_row;
    AddRun (*add_run)(DType type) noexcept = portable::add_run_of;
    std::array<Row, ufunc_count> loops{};

    Choice() noexcept {
        choose();
        const std::array<RowOf, 4> all = {arithmetic, comparison, portable::integer_row,
                                          portable::function_row};
        for (int i = 0; i < ufunc_count; ++i)
            for (const RowOf rows : all)
                fill(loops[static_cast<std::size_t>(i)], rows(static_cast<Ufunc>(i)));
    }

  private:
    static void fill(Row& row, const Row* from) noexcept {
        if (from == nullptr) return;
        for (std::size_t i = 0; i < row.size(); ++i)
            if (row[i] == nullptr) row[i] = (*from)[i];
    }
    void choose() noexcept {
#if defined(REFRAIN_ARRAY_VARIANTS)
        __builtin_cpu_init();
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
            __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")) {
            name = "avx512";
            arithmetic = avx512::arithmetic_row;
            comparison = avx512::comparison_row;
            add_run = avx512::add_run_of;
        } else if (__builtin_cpu_supports("avx2")) {
            name = "avx2";
            arithmetic = avx2::arithmetic_row;
            comparison = avx2::comparison_row;
            add_run = avx2::add_run_of;
        }
#endif
    }
};
const Choice& choice() noexcept {
    static const Choice chosen;
    return chosen;
}

}  // namespace

std::string_view variant_chosen() noexcept {
    return choice().name;
}
AddRun best_add_run(DType type) noexcept {
    return choice().add_run(type);
}
Loop loop_of(Ufunc function, const UfuncTypes& types) noexcept {
    return choice()
        .loops[static_cast<std::size_t>(function)][static_cast<std::size_t>(types.inputs[0])];
}

}  // namespace refrain::array::kernels
