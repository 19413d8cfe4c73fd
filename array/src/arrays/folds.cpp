#include "arrays/folds.hpp"

#include "refrain/array/with_type.hpp"

namespace refrain::array {

namespace {

/// Null for elements that the operator cannot fold: complex numbers have no extremes.
template <class Operator>
const data::ReductionFunctions* fold(DType type) noexcept {
    return with_type(type, []<class T>(T) -> const data::ReductionFunctions* {
        if constexpr (ReductionOperator<Operator, T>)
            return &data::reduction_functions<Operator, T>();
        else
            return nullptr;
    });
}

}  // namespace

const data::ReductionFunctions* fold_of(Ufunc function, DType type) noexcept {
    switch (function) {
        case Ufunc::add:
            return fold<Sum>(type);
        case Ufunc::multiply:
            return fold<Product>(type);
        case Ufunc::minimum:
            return fold<PropagatingMinimum>(type);
        case Ufunc::maximum:
            return fold<PropagatingMaximum>(type);
        default:
            return nullptr;
    }
}

}  // namespace refrain::array
