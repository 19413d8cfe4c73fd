#include "kernels/choose.hpp"

#include <cstdio>
#include <cstdlib>

namespace refrain::array::kernels {

#if defined(REFRAIN_ARRAY_VARIANTS)
#define REFRAIN_ARRAY_DECLARE(variant)                                 \
    namespace variant {                                                \
    const Row* arithmetic_row(Ufunc function) noexcept;                \
    const Row* comparison_row(Ufunc function) noexcept;                \
    const Row* rounding_row(Ufunc function) noexcept;                  \
    const Row* vector_function_row(Ufunc function) noexcept;           \
    AddRun add_run_of(DType type) noexcept;                            \
    FindExtreme find_extreme_of(Extreme extreme, DType type) noexcept; \
    Loop select_loop_of(DType type) noexcept;                          \
    }
REFRAIN_ARRAY_DECLARE(avx2)
REFRAIN_ARRAY_DECLARE(avx512)
#undef REFRAIN_ARRAY_DECLARE
#endif

namespace {

using RowOf = const Row* (*)(Ufunc function) noexcept;

#if defined(REFRAIN_ARRAY_VARIANTS) && !defined(REFRAIN_ARRAY_LIBMVEC)
const Row* no_row(Ufunc /*function*/) noexcept {
    return nullptr;
}
#endif

struct Choice {
    std::string_view name = "portable";
    RowOf arithmetic = portable::arithmetic_row;
    RowOf complex_products = portable::arithmetic_row;
    RowOf comparison = portable::comparison_row;
    RowOf rounding = portable::rounding_row;
    RowOf vector_function = portable::function_row;
    AddRun (*add_run)(DType type) noexcept = portable::add_run_of;
    FindExtreme (*find_extreme)(Extreme extreme, DType type) noexcept = portable::find_extreme_of;
    Loop (*select_loop)(DType type) noexcept = portable::select_loop_of;
    std::array<Row, ufunc_count> loops{};

    Choice() noexcept {
        choose();
        const std::array<RowOf, 7> all = {
            arithmetic,      complex_products,      comparison, rounding, portable::integer_row,
            vector_function, portable::function_row};
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
#if defined(REFRAIN_ARRAY_VARIANTS)
#if defined(REFRAIN_ARRAY_LIBMVEC)
#define REFRAIN_ARRAY_FUNCTIONS(variant) variant::vector_function_row
#else
#define REFRAIN_ARRAY_FUNCTIONS(variant) no_row
#endif
#define REFRAIN_ARRAY_TAKE(variant)                     \
    name = #variant;                                    \
    arithmetic = variant::arithmetic_row;               \
    comparison = variant::comparison_row;               \
    rounding = variant::rounding_row;                   \
    vector_function = REFRAIN_ARRAY_FUNCTIONS(variant); \
    add_run = variant::add_run_of;                      \
    find_extreme = variant::find_extreme_of;            \
    select_loop = variant::select_loop_of;
    /// What the user wants at most.
    static std::string_view newest_wanted() noexcept {
        constexpr std::string_view newest = "avx512";
        const char* const wanted = std::getenv("REFRAIN_ARRAY_LOOPS");
        if (wanted == nullptr || *wanted == '\0') return newest;
        for (const std::string_view known :
             {std::string_view("portable"), std::string_view("avx2"), newest})
            if (wanted == known) return known;
        std::fprintf(stderr,
                     "refrain: REFRAIN_ARRAY_LOOPS=%s is ignored: it is portable, avx2 or avx512\n",
                     wanted);
        return newest;
    }
    void choose() noexcept {
        const std::string_view limit = newest_wanted();
        __builtin_cpu_init();
        const bool has_avx512 =
            __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
            __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
        if (has_avx512 && limit == "avx512") {
            REFRAIN_ARRAY_TAKE(avx512)
            complex_products = avx2::arithmetic_row;
        } else if (__builtin_cpu_supports("avx2") && limit != "portable") {
            REFRAIN_ARRAY_TAKE(avx2)
        }
    }
#undef REFRAIN_ARRAY_TAKE
#undef REFRAIN_ARRAY_FUNCTIONS
#else
    void choose() noexcept {}
#endif
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
FindExtreme best_find_extreme(Extreme extreme, DType type) noexcept {
    return choice().find_extreme(extreme, type);
}
Loop best_select_loop(DType type) noexcept {
    return choice().select_loop(type);
}
Loop loop_of(Ufunc function, const UfuncTypes& types) noexcept {
    return choice()
        .loops[static_cast<std::size_t>(function)][static_cast<std::size_t>(types.inputs[0])];
}

}  // namespace refrain::array::kernels
