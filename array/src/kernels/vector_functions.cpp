// Functions of real numbers, a register of elements at a time, by glibc's libmvec. Part of each variant;
// the portable one has none.
//
// Whatever the steps and wherever a run ends, the same function computes each element: what does not
// fill a register is filled up with its first element. Elements whose result is not an ordinary number
// (infinite, NaN, subnormal, or zero where only underflow gives zero) are computed once more by the C
// library, which sets the flags of values; those that registers set are dropped.
#if defined(REFRAIN_ARRAY_LIBMVEC) && defined(__AVX2__)

#include <cmath>
#include <immintrin.h>

#include "kernels/exponentials.hpp"
#include "kernels/loops.hpp"
#include "kernels/vector_library.hpp"

namespace refrain::array::kernels {
inline namespace REFRAIN_ARRAY_VARIANT {

namespace {

// Divided by zero, overflowed, underflowed, invalid.
constexpr unsigned flag_bits = 0x1D;

/// Lanes whose result is zero, subnormal, infinite or NaN, a bit each.
#if defined(__AVX512DQ__)
constexpr int special_classes = 0xBF;  // all but negative numbers that are none of these
unsigned special_lanes(Vector<double> y) noexcept {
    return _mm512_fpclass_pd_mask(y, special_classes);
}
unsigned special_lanes(Vector<float> y) noexcept {
    return _mm512_fpclass_ps_mask(y, special_classes);
}
#else
unsigned special_lanes(Vector<double> y) noexcept {
    const __m256d size = _mm256_andnot_pd(_mm256_set1_pd(-0.0), y);
    const __m256d least = _mm256_cmp_pd(size, _mm256_set1_pd(0x1p-1022), _CMP_NGE_UQ);
    const __m256d most = _mm256_cmp_pd(size, _mm256_set1_pd(0x1.fffffffffffffp+1023), _CMP_GT_OQ);
    return static_cast<unsigned>(_mm256_movemask_pd(_mm256_or_pd(least, most)));
}
unsigned special_lanes(Vector<float> y) noexcept {
    const __m256 size = _mm256_andnot_ps(_mm256_set1_ps(-0.0F), y);
    const __m256 least = _mm256_cmp_ps(size, _mm256_set1_ps(0x1p-126F), _CMP_NGE_UQ);
    const __m256 most = _mm256_cmp_ps(size, _mm256_set1_ps(0x1.fffffep+127F), _CMP_GT_OQ);
    return static_cast<unsigned>(_mm256_movemask_ps(_mm256_or_ps(least, most)));
}
#endif

template <class T>
inline constexpr std::int64_t width_of = sizeof(Vector<T>) / sizeof(T);

/// One input or the output on its way through registers.
template <class T>
struct Lanes {
    std::byte* at;
    std::int64_t step;

    [[nodiscard]] Vector<T> load(std::int64_t count) const noexcept {
        Vector<T> lanes;
        if (step == sizeof(T) && count == width_of<T>) {
            __builtin_memcpy(&lanes, at, sizeof lanes);
            return lanes;
        }
        alignas(sizeof(Vector<T>)) T elements[width_of<T>];
        const T first = *as<T>(at);
        for (T& element : elements) element = first;
        if (step != 0)
            for (std::int64_t i = 1; i < count; ++i) elements[i] = *as<T>(at + i * step);
        __builtin_memcpy(&lanes, elements, sizeof lanes);
        return lanes;
    }
    void store(Vector<T> lanes, std::int64_t count) const noexcept {
        if (step == sizeof(T) && count == width_of<T>) {
            __builtin_memcpy(at, &lanes, sizeof lanes);
            return;
        }
        for (std::int64_t i = 0; i < count; ++i) *as<T>(at + i * step) = lanes[i];
    }
    void advance(std::int64_t count) noexcept { at += count * step; }
};

/// The machine's flags around a run: what registers raise goes, what the C library raises stays.
class Flags {
  public:
    Flags() noexcept : before_(_mm_getcsr()) {}
    ~Flags() {
        const unsigned wanted = (before_ | found_) & flag_bits;
        const unsigned now = _mm_getcsr();
        if ((now & flag_bits) != wanted) _mm_setcsr((now & ~flag_bits) | wanted);
    }
    Flags(const Flags&) = delete;
    Flags& operator=(const Flags&) = delete;

    /// Runs what sets flags that count.
    template <class Compute>
    void keep_of(const Compute& compute) noexcept {
        _mm_setcsr(_mm_getcsr() & ~flag_bits);
        compute();
        found_ |= _mm_getcsr() & flag_bits;
    }

  private:
    unsigned before_;
    unsigned found_ = 0;
};

/// Whether a result of zero says that nothing was lost.
enum class Zero : bool { may_be_underflow, is_exact };

template <class T>
unsigned lanes_to_mend(Vector<T> y, std::int64_t count, Zero zero) noexcept {
    unsigned special = special_lanes(y);
    if (special == 0) return 0;
    if (count < width_of<T>) special &= (1U << static_cast<unsigned>(count)) - 1;
    if (zero == Zero::is_exact) {
        for (std::int64_t i = 0; i < width_of<T>; ++i)
            if (y[i] == 0) special &= ~(1U << static_cast<unsigned>(i));
    }
    return special;
}

template <class T>
bool is_subnormal(T value) noexcept {
    return std::fpclassify(value) == FP_SUBNORMAL;
}

/// Computes special lanes once more. Apart, so that the loop keeps its registers.
template <class T>
[[gnu::noinline, gnu::cold]] Vector<T> mended(Vector<T> x, Vector<T> y, unsigned lanes,
                                              T (*scalar)(T), Flags& flags) noexcept {
    flags.keep_of([&] {
        for (; lanes != 0; lanes &= lanes - 1) {
            const int lane = __builtin_ctz(lanes);
            const unsigned before = _mm_getcsr();
            y[lane] = scalar(x[lane]);
            // Where a subnormal number gives another one nothing was lost: NumPy raises nothing.
            if (is_subnormal(x[lane]) && is_subnormal(y[lane])) _mm_setcsr(before);
        }
    });
    return y;
}

/// Of elements side by side, two registers at a time: they share the function's constants. Returns how many elements it
/// took.
template <class T, class Function>
std::int64_t map_pairs(Function vector, T (*scalar)(T), Zero zero, const std::byte* in,
                       std::byte* out, std::int64_t count, Flags& flags) noexcept {
    constexpr std::int64_t width = width_of<T>;
    constexpr std::int64_t bytes = sizeof(Vector<T>);
    std::int64_t done = 0;
    for (; done + 2 * width <= count; done += 2 * width, in += 2 * bytes, out += 2 * bytes) {
        Vector<T> x[2];
        __builtin_memcpy(x, in, sizeof x);
        Vector<T> y[2] = {vector(x[0]), vector(x[1])};
        if (__builtin_expect((special_lanes(y[0]) | special_lanes(y[1])) != 0, 0)) {
            for (int k = 0; k < 2; ++k)
                if (const unsigned mend = lanes_to_mend<T>(y[k], width, zero); mend != 0)
                    y[k] = mended<T>(x[k], y[k], mend, scalar, flags);
        }
        __builtin_memcpy(out, y, sizeof y);
    }
    return done;
}

template <class T, class Function>
void map(Function vector, T (*scalar)(T), Zero zero, std::byte* const* operands,
         const std::int64_t* steps, std::int64_t count) noexcept {
    Lanes<T> in{operands[0], steps[0]};
    Lanes<T> out{operands[1], steps[1]};
    Flags flags;
    if (in.step == sizeof(T) && out.step == sizeof(T)) {
        const std::int64_t done = map_pairs<T>(vector, scalar, zero, in.at, out.at, count, flags);
        in.advance(done);
        out.advance(done);
        count -= done;
    }
    for (std::int64_t left = count; left > 0; left -= width_of<T>) {
        const std::int64_t now = left < width_of<T> ? left : width_of<T>;
        const Vector<T> x = in.load(now);
        Vector<T> y = vector(x);
        if (const unsigned mend = lanes_to_mend<T>(y, now, zero); __builtin_expect(mend != 0, 0))
            y = mended<T>(x, y, mend, scalar, flags);
        out.store(y, now);
        in.advance(now);
        out.advance(now);
    }
}

template <class T, class Function>
void map(Function vector, T (*scalar)(T, T), Zero zero, std::byte* const* operands,
         const std::int64_t* steps, std::int64_t count) noexcept {
    Lanes<T> left_in{operands[0], steps[0]};
    Lanes<T> right_in{operands[1], steps[1]};
    Lanes<T> out{operands[2], steps[2]};
    // One by one where an element depends on the one before it: reduce and accumulate.
    const bool depends = steps[2] == 0 || operands[0] + steps[2] == operands[2];
    const std::int64_t group = depends ? 1 : width_of<T>;
    Flags flags;
    for (std::int64_t left = count; left > 0; left -= group) {
        const std::int64_t now = left < group ? left : group;
        const Vector<T> a = left_in.load(now);
        const Vector<T> b = right_in.load(now);
        Vector<T> y = vector(a, b);
        if (unsigned mend = lanes_to_mend<T>(y, now, zero); __builtin_expect(mend != 0, 0)) {
            flags.keep_of([&] {
                for (; mend != 0; mend &= mend - 1) {
                    const int lane = __builtin_ctz(mend);
                    y[lane] = scalar(a[lane], b[lane]);
                }
            });
        }
        out.store(y, now);
        left_in.advance(now);
        right_in.advance(now);
        out.advance(now);
    }
}

constexpr Row real_row(Loop of_float, Loop of_double) noexcept {
    Row row{};
    row[static_cast<std::size_t>(DType::float32)] = of_float;
    row[static_cast<std::size_t>(DType::float64)] = of_double;
    return row;
}

}  // namespace

#define REFRAIN_ARRAY_VECTOR_ROW(ufunc, name, zero)                                          \
    case Ufunc::ufunc: {                                                                     \
        static constexpr Row loops = real_row(                                               \
            [](std::byte* const* operands, const std::int64_t* steps, std::int64_t count) {  \
                map<float>(vector_##name##f, ::name##f, Zero::zero, operands, steps, count); \
            },                                                                               \
            [](std::byte* const* operands, const std::int64_t* steps, std::int64_t count) {  \
                map<double>(vector_##name, ::name, Zero::zero, operands, steps, count);      \
            });                                                                              \
        return &loops;                                                                       \
    }

#if defined(__AVX512F__)
namespace {

template <class Function, double (*scalar)(double), Zero zero>
void map_doubles(std::byte* const* operands, const std::int64_t* steps, std::int64_t count) {
    map<double>(Function(), scalar, zero, operands, steps, count);
}
constexpr Row exp_row = real_row(
    [](std::byte* const* operands, const std::int64_t* steps, std::int64_t count) {
        map<float>(vector_expf, ::expf, Zero::may_be_underflow, operands, steps, count);
    },
    map_doubles<Exp, ::exp, Zero::may_be_underflow>);
constexpr Row log_row = real_row(
    [](std::byte* const* operands, const std::int64_t* steps, std::int64_t count) {
        map<float>(vector_logf, ::logf, Zero::is_exact, operands, steps, count);
    },
    map_doubles<Log, ::log, Zero::is_exact>);
constexpr Row log10_row = real_row(
    [](std::byte* const* operands, const std::int64_t* steps, std::int64_t count) {
        map<float>(vector_log10f, ::log10f, Zero::is_exact, operands, steps, count);
    },
    map_doubles<Log10, ::log10, Zero::is_exact>);
constexpr Row log1p_row = real_row(
    [](std::byte* const* operands, const std::int64_t* steps, std::int64_t count) {
        map<float>(vector_log1pf, ::log1pf, Zero::is_exact, operands, steps, count);
    },
    map_doubles<Log1p, ::log1p, Zero::is_exact>);
constexpr Row sin_row = real_row(
    [](std::byte* const* operands, const std::int64_t* steps, std::int64_t count) {
        map<float>(vector_sinf, ::sinf, Zero::is_exact, operands, steps, count);
    },
    map_doubles<Sin, ::sin, Zero::is_exact>);
constexpr Row power_row = real_row(
    [](std::byte* const* operands, const std::int64_t* steps, std::int64_t count) {
        map<float>(vector_powf, ::powf, Zero::may_be_underflow, operands, steps, count);
    },
    [](std::byte* const* operands, const std::int64_t* steps, std::int64_t count) {
        map<double>(Power(), ::pow, Zero::may_be_underflow, operands, steps, count);
    });

}  // namespace
#endif

const Row* vector_function_row(Ufunc function) noexcept {
#if defined(__AVX512F__)
    if (function == Ufunc::exp) return &exp_row;
    if (function == Ufunc::log) return &log_row;
    if (function == Ufunc::log10) return &log10_row;
    if (function == Ufunc::log1p) return &log1p_row;
    if (function == Ufunc::sin) return &sin_row;
    if (function == Ufunc::power || function == Ufunc::float_power) return &power_row;
#endif
    switch (function) {
        REFRAIN_ARRAY_VECTOR_ROW(exp, exp, may_be_underflow)
        REFRAIN_ARRAY_VECTOR_ROW(exp2, exp2, may_be_underflow)
        REFRAIN_ARRAY_VECTOR_ROW(expm1, expm1, is_exact)
        REFRAIN_ARRAY_VECTOR_ROW(log, log, is_exact)
        REFRAIN_ARRAY_VECTOR_ROW(log2, log2, is_exact)
        REFRAIN_ARRAY_VECTOR_ROW(log10, log10, is_exact)
        REFRAIN_ARRAY_VECTOR_ROW(log1p, log1p, is_exact)
        REFRAIN_ARRAY_VECTOR_ROW(sin, sin, is_exact)
        REFRAIN_ARRAY_VECTOR_ROW(cos, cos, is_exact)
        REFRAIN_ARRAY_VECTOR_ROW(tan, tan, is_exact)
        REFRAIN_ARRAY_VECTOR_ROW(arcsin, asin, is_exact)
        REFRAIN_ARRAY_VECTOR_ROW(arccos, acos, is_exact)
        REFRAIN_ARRAY_VECTOR_ROW(arctan, atan, is_exact)
        REFRAIN_ARRAY_VECTOR_ROW(sinh, sinh, is_exact)
        REFRAIN_ARRAY_VECTOR_ROW(cosh, cosh, is_exact)
        REFRAIN_ARRAY_VECTOR_ROW(tanh, tanh, is_exact)
        REFRAIN_ARRAY_VECTOR_ROW(arcsinh, asinh, is_exact)
        REFRAIN_ARRAY_VECTOR_ROW(arccosh, acosh, is_exact)
        REFRAIN_ARRAY_VECTOR_ROW(arctanh, atanh, is_exact)
        REFRAIN_ARRAY_VECTOR_ROW(cbrt, cbrt, is_exact)
        REFRAIN_ARRAY_VECTOR_ROW(power, pow, may_be_underflow)
        REFRAIN_ARRAY_VECTOR_ROW(float_power, pow, may_be_underflow)
        REFRAIN_ARRAY_VECTOR_ROW(arctan2, atan2, may_be_underflow)
        REFRAIN_ARRAY_VECTOR_ROW(hypot, hypot, is_exact)
        default:
            return nullptr;
    }
}

#undef REFRAIN_ARRAY_VECTOR_ROW

}  // namespace REFRAIN_ARRAY_VARIANT
}  // namespace refrain::array::kernels

#endif
