#include "arrays/folds.hpp"

#include <complex>
#include <cstdint>

namespace refrain::array {

namespace {

template <class Operator>
const data::ReductionFunctions* real_fold(DType type) noexcept {
    switch (type) {
        case DType::boolean:
            return &data::reduction_functions<Operator, bool>();
        case DType::int8:
            return &data::reduction_functions<Operator, std::int8_t>();
        case DType::int16:
            return &data::reduction_functions<Operator, std::int16_t>();
        case DType::int32:
            return &data::reduction_functions<Operator, std::int32_t>();
        case DType::int64:
            return &data::reduction_functions<Operator, std::int64_t>();
        case DType::uint8:
            return &data::reduction_functions<Operator, std::uint8_t>();
        case DType::uint16:
            return &data::reduction_functions<Operator, std::uint16_t>();
        case DType::uint32:
            return &data::reduction_functions<Operator, std::uint32_t>();
        case DType::uint64:
            return &data::reduction_functions<Operator, std::uint64_t>();
        case DType::float32:
            return &data::reduction_functions<Operator, float>();
        case DType::float64:
            return &data::reduction_functions<Operator, double>();
        default:
            return nullptr;
    }
}

template <class Operator>
const data::ReductionFunctions* fold(DType type) noexcept {
    if (type == DType::complex64)
        return &data::reduction_functions<Operator, std::complex<float>>();
    if (type == DType::complex128)
        return &data::reduction_functions<Operator, std::complex<double>>();
    return real_fold<Operator>(type);
}

}  // namespace

const data::ReductionFunctions* fold_of(Ufunc function, DType type) noexcept {
    switch (function) {
        case Ufunc::add:
            return fold<Sum>(type);
        case Ufunc::multiply:
            return fold<Product>(type);
        case Ufunc::minimum:
            return real_fold<PropagatingMinimum>(type);
        case Ufunc::maximum:
            return real_fold<PropagatingMaximum>(type);
        default:
            return nullptr;
    }
}

}  // namespace refrain::array
