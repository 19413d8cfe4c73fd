/// How loops are made of operations: an operation is a type with `apply` for elements; `row<Op>()` are
/// its loops for the types it names.
///
// room: kernels
#pragma once

#include <array>
#include <complex>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include "kernels/kernels.hpp"

// An output is an input element for element or apart from it: no iteration depends on another.
#if defined(__clang__)
#define REFRAIN_ARRAY_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#pragma clang diagnostic ignored "-Wpass-failed"
#else
#define REFRAIN_ARRAY_INDEPENDENT _Pragma("GCC ivdep")
#endif
// Conversions of numbers that do not fit give what the machine gives, as in NumPy.
#if defined(__clang__)
#define REFRAIN_ARRAY_MACHINE_CONVERSION \
    __attribute__((no_sanitize("float-cast-overflow", "float-divide-by-zero")))
#else
#define REFRAIN_ARRAY_MACHINE_CONVERSION
#endif

namespace refrain::array::kernels {

/// Adds to the flags of this thread.
void raise(ValueFlags flags) noexcept;
/// Which flags a function's values may raise: not those that a comparison with NaN or moving a value
/// sets in the machine.
ValueFlags flags_of(Ufunc function) noexcept;

using Row = std::array<Loop, dtype_count>;
/// Adds the sum of a run to the sum before it.
using AddRun = void (*)(std::byte* sum, const std::byte* run, Extent step, std::int64_t count);

/// The index of the first extreme element of a run that is not empty; of the first NaN, if there is one.
using FindExtreme = std::int64_t (*)(const std::byte* elements, Extent step, std::int64_t count);

// Some files are compiled once more for each vector extension (variants/), in a namespace of its own.
#if !defined(REFRAIN_ARRAY_VARIANT)
#define REFRAIN_ARRAY_VARIANT portable
#endif
inline namespace REFRAIN_ARRAY_VARIANT {

/// A boolean element: any byte but 0 is true.
enum class Bool : std::uint8_t { no, yes };
constexpr Bool truth(bool value) noexcept {
    return static_cast<Bool>(value);
}
constexpr bool is_true(Bool value) noexcept {
    return value != Bool::no;
}

template <class T>
inline constexpr bool is_bool = std::is_same_v<T, Bool>;
template <class T>
inline constexpr bool is_integer = std::is_integral_v<T>;
template <class T>
inline constexpr bool is_real = std::is_floating_point_v<T>;
template <class T>
inline constexpr bool is_complex_type =
    std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;

/// Of the widest vectors that this file is compiled for.
#if defined(__AVX512F__)
inline constexpr std::int64_t register_bytes = 64;
#elif defined(__AVX2__)
inline constexpr std::int64_t register_bytes = 32;
#else
inline constexpr std::int64_t register_bytes = 16;
#endif

template <class T>
struct RegisterOf {
    // An alias would lose the attribute.
    typedef T type __attribute__((vector_size(register_bytes)));  // NOLINT(modernize-use-using)
};

/// Whether a lane of the registers looked at is NaN. With AVX-512 one comparison answers for two of them.
template <class T>
struct Unordered {
    using Register = typename RegisterOf<T>::type;
#if defined(__AVX512F__)
    void look_at(Register a, Register b) noexcept {
        if constexpr (std::is_same_v<T, double>)
            found |= _mm512_cmp_pd_mask(reinterpret_cast<__m512d>(a), reinterpret_cast<__m512d>(b),
                                        _CMP_UNORD_Q);
        else
            found |= _mm512_cmp_ps_mask(reinterpret_cast<__m512>(a), reinterpret_cast<__m512>(b),
                                        _CMP_UNORD_Q);
    }
    [[nodiscard]] bool any() const noexcept {
        return found != 0;
    }
    unsigned found = 0;
#else
    void look_at(Register a, Register b) noexcept {
        found |= (a != a) | (b != b);
    }
    [[nodiscard]] bool any() const noexcept {
        std::uint64_t parts[register_bytes / 8];
        __builtin_memcpy(parts, &found, sizeof parts);
        std::uint64_t all = 0;
        for (const std::uint64_t part : parts) all |= part;
        return all != 0;
    }
    decltype(Register{} != Register{}) found{};
#endif
};

/// Sets of element types, a bit per DType.
inline constexpr unsigned boolean_types = 1U;
inline constexpr unsigned integer_types = 0x1FEU;
inline constexpr unsigned real_types = 0x600U;
inline constexpr unsigned complex_types = 0x1800U;

template <int I>
using element =
    std::tuple_element_t<static_cast<std::size_t>(I),
                         std::tuple<Bool, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t,
                                    std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float,
                                    double, std::complex<float>, std::complex<double>>>;

/// Arithmetic on T that wraps: integers in an unsigned type, not below `unsigned`.
template <class T>
constexpr auto wide(T value) noexcept {
    if constexpr (is_integer<T>)
        return static_cast<std::common_type_t<std::make_unsigned_t<T>, unsigned>>(value);
    else
        return value;
}

template <class T>
T* as(std::byte* address) noexcept {
    return reinterpret_cast<T*>(address);
}

/// out[i] = Op(a[i], b[i]).
template <class Op, class In>
struct Binary {
    using Out = decltype(Op::apply(In{}, In{}));

    static void loop(std::byte* const* operands, const std::int64_t* steps, std::int64_t count) {
        constexpr std::int64_t in_bytes = sizeof(In);
        const In* a = as<In>(operands[0]);
        const In* b = as<In>(operands[1]);
        Out* out = as<Out>(operands[2]);
        if constexpr (Op::is_fast) {
            // Not where an element depends on the one before it: accumulate.
            if (steps[2] == sizeof(Out) && operands[0] + sizeof(Out) != operands[2]) {
                if (steps[0] == in_bytes && steps[1] == in_bytes) {
                    REFRAIN_ARRAY_INDEPENDENT
                    for (std::int64_t i = 0; i < count; ++i) out[i] = Op::apply(a[i], b[i]);
                    return;
                }
                if (steps[0] == in_bytes && steps[1] == 0) {
                    const In right = *b;
                    REFRAIN_ARRAY_INDEPENDENT
                    for (std::int64_t i = 0; i < count; ++i) out[i] = Op::apply(a[i], right);
                    return;
                }
                if (steps[0] == 0 && steps[1] == in_bytes) {
                    const In left = *a;
                    REFRAIN_ARRAY_INDEPENDENT
                    for (std::int64_t i = 0; i < count; ++i) out[i] = Op::apply(left, b[i]);
                    return;
                }
            }
            if constexpr (std::is_same_v<In, Out>) {
                if (steps[2] == 0 && steps[0] == 0 && operands[0] == operands[2]) {  // reduce
                    In result = *a;
                    if constexpr (requires { Op::decided(result); }) {
                        if (steps[1] == in_bytes) {
                            *out = fold_until_decided(b, count, result);
                            return;
                        }
                    }
                    if (steps[1] == in_bytes) {
                        std::int64_t i = 0;
                        if constexpr (Op::any_order && is_real<In>)
                            i = fold_lanes(b, count, result);
                        for (; i < count; ++i) result = Op::apply(result, b[i]);
                    } else {
                        std::byte* at = operands[1];
                        for (std::int64_t i = 0; i < count; ++i, at += steps[1])
                            result = Op::apply(result, *as<In>(at));
                    }
                    *out = result;
                    return;
                }
            }
        }
        std::byte* at_a = operands[0];
        std::byte* at_b = operands[1];
        std::byte* at_out = operands[2];
        if constexpr (std::is_same_v<In, Out>) {
            // Accumulate: the element before is at hand, and need not come from memory.
            if (steps[0] == steps[2] && at_a + steps[2] == at_out && count > 0) {
                In result = *as<In>(at_a);
                for (std::int64_t i = 0; i < count; ++i) {
                    result = Op::apply(result, *as<In>(at_b));
                    *as<In>(at_out) = result;
                    at_b += steps[1];
                    at_out += steps[2];
                }
                return;
            }
        }
        for (std::int64_t i = 0; i < count; ++i) {
            *as<Out>(at_out) = Op::apply(*as<In>(at_a), *as<In>(at_b));
            at_a += steps[0];
            at_b += steps[1];
            at_out += steps[2];
        }
    }

  private:
    /// Of booleans: until an element decides the result, words of elements at a time.
    static In fold_until_decided(const In* b, std::int64_t count, In result) {
        constexpr bool seeks_true = Op::decided(Bool::yes);
        constexpr In decisive = truth(seeks_true);
        if (Op::decided(result)) return result;
        std::int64_t i = 0;
        for (; i + 64 <= count; i += 64) {
            std::uint64_t words[8];
            __builtin_memcpy(words, b + i, sizeof words);
            std::uint64_t found = 0;
            for (const std::uint64_t word : words) found |= seeks_true ? word : zero_bytes(word);
            if (found != 0) return decisive;
        }
        for (; i < count; ++i)
            if (is_true(b[i]) == seeks_true) return decisive;
        return result;
    }
    /// Not 0 where a byte of the word is 0.
    static std::uint64_t zero_bytes(std::uint64_t word) noexcept {
        return (word - 0x0101010101010101) & ~word & 0x8080808080808080;
    }
    /// Side by side what needs no order, the same lanes in each variant; returns how many elements it
    /// took. Where there is no NaN, which is found out besides, lanes are folded by an instruction.
    static std::int64_t fold_lanes(const In* b, std::int64_t count, In& result) {
        constexpr auto fold = [](auto x, auto y) { return Op::apply_lanes(x, y); };
        constexpr auto fold_ordered = [](auto x, auto y) { return Op::apply_ordered_lanes(x, y); };
        const In before = result;
        const std::int64_t taken = fold_lanes_by<true>(b, count, result, fold_ordered);
        if (taken >= 0) return taken;
        result = before;
        return fold_lanes_by<false>(b, count, result, fold);
    }
    /// Less than 0: an element is NaN, and `has_order` asks for none.
    template <bool has_order, class Fold>
    static std::int64_t fold_lanes_by(const In* b, std::int64_t count, In& result,
                                      const Fold& fold) {
        using Register = typename RegisterOf<In>::type;
        constexpr std::int64_t registers = 256 / register_bytes;
        constexpr std::int64_t per_register = register_bytes / std::int64_t{sizeof(In)};
        constexpr std::int64_t width = registers * per_register;
        if (count < 2 * width) return 0;
        const auto load = [](const In* from) {
            Register register_of;
            __builtin_memcpy(&register_of, from, sizeof register_of);
            return register_of;
        };
        Register lanes[registers];
        Unordered<In> unordered;
        // Written out by the compiler's front end: loops over the registers would keep them in memory.
        const auto for_each_pair = [&]<std::int64_t... k>(std::integer_sequence<std::int64_t, k...>,
                                                          auto&& pair) {
            (pair(std::integral_constant<std::int64_t, 2 * k>()), ...);
        };
        constexpr std::make_integer_sequence<std::int64_t, registers / 2> pairs;
        for_each_pair(pairs, [&](auto k) {
            lanes[k] = load(b + k * per_register);
            lanes[k + 1] = load(b + (k + 1) * per_register);
            unordered.look_at(lanes[k], lanes[k + 1]);
        });
        std::int64_t i = width;
        for (; i + width <= count; i += width)
            for_each_pair(pairs, [&](auto k) {
                const Register one = load(b + i + k * per_register);
                const Register other = load(b + i + (k + 1) * per_register);
                lanes[k] = fold(lanes[k], one);
                lanes[k + 1] = fold(lanes[k + 1], other);
                if constexpr (has_order) unordered.look_at(one, other);
            });
        if (has_order && unordered.any()) return -1;
        for (const Register& lane : lanes)
            for (std::int64_t k = 0; k < per_register; ++k) result = Op::apply(result, lane[k]);
        return i;
    }
};

/// out[i] = Op(a[i]).
template <class Op, class In>
struct Unary {
    using Out = decltype(Op::apply(In{}));

    static void loop(std::byte* const* operands, const std::int64_t* steps, std::int64_t count) {
        if constexpr (Op::is_fast) {
            if (steps[0] == sizeof(In) && steps[1] == sizeof(Out)) {
                const In* a = as<In>(operands[0]);
                Out* out = as<Out>(operands[1]);
                std::int64_t i = 0;
                if constexpr (Op::has_lanes) i = apply_lanes(a, out, count);
                REFRAIN_ARRAY_INDEPENDENT
                for (; i < count; ++i) out[i] = Op::apply(a[i]);
                return;
            }
        }
        std::byte* at_a = operands[0];
        std::byte* at_out = operands[1];
        for (std::int64_t i = 0; i < count; ++i) {
            *as<Out>(at_out) = Op::apply(*as<In>(at_a));
            at_a += steps[0];
            at_out += steps[1];
        }
    }

  private:
    /// A register of elements at a time; returns how many elements it took.
    static std::int64_t apply_lanes(const In* a, Out* out, std::int64_t count) noexcept {
        using Register = typename RegisterOf<In>::type;
        constexpr std::int64_t width = register_bytes / std::int64_t{sizeof(In)};
        std::int64_t i = 0;
        for (; i + width <= count; i += width) {
            Register lanes;
            __builtin_memcpy(&lanes, a + i, sizeof lanes);
            lanes = Op::apply_lanes(lanes);
            __builtin_memcpy(out + i, &lanes, sizeof lanes);
        }
        return i;
    }
};

template <class Op, template <class, class> class Shape, int I>
constexpr Loop loop_for() noexcept {
    using T = element<I>;
    if constexpr (((Op::types >> static_cast<unsigned>(I)) & 1U) == 0)
        return nullptr;
    else if constexpr (is_integer<T> && std::is_signed_v<T> && Op::ignores_sign)
        return Shape<Op, std::make_unsigned_t<T>>::loop;
    else
        return Shape<Op, T>::loop;
}
template <class Op, template <class, class> class Shape, int... I>
constexpr Row row_of(std::integer_sequence<int, I...> /*types*/) noexcept {
    return {{loop_for<Op, Shape, I>()...}};
}
template <class Op>
constexpr Row binary_row() noexcept {
    return row_of<Op, Binary>(std::make_integer_sequence<int, dtype_count>());
}
template <class Op>
constexpr Row unary_row() noexcept {
    return row_of<Op, Unary>(std::make_integer_sequence<int, dtype_count>());
}

// A case of a switch over functions that gives the function's loops.
#define REFRAIN_ARRAY_ROW(name, row)      \
    case Ufunc::name: {                   \
        static constexpr Row loops = row; \
        return &loops;                    \
    }

/// What operations say of themselves: which types, whether simple enough to be worth loops for each
/// pattern of steps, whether integers of both signs have the same bits.
template <unsigned Types, bool IsFast = false, bool IgnoresSign = false>
struct Operation {
    static constexpr unsigned types = Types;
    static constexpr bool is_fast = IsFast;
    static constexpr bool ignores_sign = IgnoresSign;
    // Reductions may pair elements as they like; then there is apply_lanes() for vectors of reals.
    static constexpr bool any_order = false;
    // Of one operand: then there is apply_lanes() for vectors.
    static constexpr bool has_lanes = false;
};

// The rows of each file; null for functions of other files, and for types of other files.
const Row* arithmetic_row(Ufunc function) noexcept;
const Row* comparison_row(Ufunc function) noexcept;
const Row* rounding_row(Ufunc function) noexcept;
const Row* integer_row(Ufunc function) noexcept;
const Row* function_row(Ufunc function) noexcept;
AddRun add_run_of(DType type) noexcept;
FindExtreme find_extreme_of(Extreme extreme, DType type) noexcept;
Loop select_loop_of(DType type) noexcept;

}  // namespace REFRAIN_ARRAY_VARIANT

}  // namespace refrain::array::kernels
