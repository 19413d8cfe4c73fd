// Floating-point sums of runs.
#include "kernels/loops.hpp"
#include "kernels/pairwise.hpp"

namespace refrain::array::kernels {
inline namespace REFRAIN_ARRAY_VARIANT {

namespace {

template <class T>
void add_run(std::byte* sum, const std::byte* run, Extent byte_step, std::int64_t count) {
    T& total = *as<T>(sum);
    const T* first = reinterpret_cast<const T*>(run);
    const std::int64_t step = byte_step / static_cast<Extent>(sizeof(T));
    if (step == 1)
        total = total + pairwise_sum(first, count, std::integral_constant<std::int64_t, 1>());
    else
        total = total + pairwise_sum(first, count, step);
}

}  // namespace

AddRun add_run_of(DType type) noexcept {
    switch (type) {
        case DType::float32:
            return add_run<float>;
        case DType::float64:
            return add_run<double>;
        case DType::complex64:
            return add_run<std::complex<float>>;
        case DType::complex128:
            return add_run<std::complex<double>>;
        default:
            return nullptr;
    }
}

}  // namespace REFRAIN_ARRAY_VARIANT
}  // namespace refrain::array::kernels
