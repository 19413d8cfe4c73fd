// Operators of ndarrays and scalars. Hot path: two ndarrays, or one and a Python number, make no Python
// object but the result.
#include "refrain/array/linalg.hpp"

#include <array>
#include <cmath>

#include "ndarray/convert.hpp"

namespace refrain::ndarray {
namespace {

/// Values of two float64 scalars that the host knows, or of one and a Python float or small integer.
bool known_pair(PyObject* a, PyObject* b, double& x, double& y) noexcept {
    const auto known = [](PyObject* object, double& value) {
        if (is_scalar(object)) {
            const ScalarObject* scalar = as_scalar(object);
            if (!scalar->known || scalar->value.dtype != DType::float64) return false;
            value = scalar->value.as<double>();
            return true;
        }
        if (PyFloat_CheckExact(object)) {
            value = PyFloat_AS_DOUBLE(object);
            return true;
        }
        if (!PyLong_CheckExact(object)) return false;
        int overflow = 0;
        const long long integer = PyLong_AsLongLongAndOverflow(object, &overflow);
        constexpr long long exact = 1LL << 53;
        if (overflow != 0 || integer > exact || integer < -exact) return false;
        value = static_cast<double>(integer);
        return true;
    };
    return (is_scalar(a) || is_scalar(b)) && known(a, x) && known(b, y);
}

PyObject* operator_of_numpy(Ufunc function, PyObject* a, PyObject* b);

/// What needs no machine: the host knows both values. Null without an error: the machine must do it.
PyObject* known_result(Ufunc function, PyObject* a, PyObject* b) {
    double x;
    double y;
    if (!known_pair(a, b, x, y)) return nullptr;
    const auto result = [&](double value) {
        if (std::isfinite(value) || !std::isfinite(x) || !std::isfinite(y)) [[likely]]
            return new_scalar(Scalar::of(value));
        // NumPy's warning has this line, and its own words for scalars.
        const Reference warned(checked(operator_of_numpy(function, a, b)));
        return new_scalar(Scalar::of(value));
    };
    switch (function) {
        case Ufunc::add:
            return result(x + y);
        case Ufunc::subtract:
            return result(x - y);
        case Ufunc::multiply:
            return result(x * y);
        case Ufunc::true_divide:
            return result(x / y);
        case Ufunc::less:
            return new_scalar(Scalar::of(x < y));
        case Ufunc::less_equal:
            return new_scalar(Scalar::of(x <= y));
        case Ufunc::greater:
            return new_scalar(Scalar::of(x > y));
        case Ufunc::greater_equal:
            return new_scalar(Scalar::of(x >= y));
        case Ufunc::equal:
            return new_scalar(Scalar::of(x == y));
        case Ufunc::not_equal:
            return new_scalar(Scalar::of(x != y));
        default:
            return nullptr;
    }
}

PyObject* operation_by_hook(Ufunc function, PyObject* a, PyObject* b, PyObject* out) {
    const Reference arguments(b == nullptr ? Py_BuildValue("(O)", a) : Py_BuildValue("(OO)", a, b));
    if (!arguments) return nullptr;
    Reference keywords;
    if (out != nullptr) keywords = Reference(checked(Py_BuildValue("{s:(O)}", "out", out)));
    return ufunc_by_hook(ufunc_object(function), "__call__", arguments.get(), keywords.get());
}

/// What a Python operator does between NumPy's views of the operands; arrays are adopted.
PyObject* operator_of_numpy(Ufunc function, PyObject* a, PyObject* b) {
    const auto real = [](PyObject* object) {
        if (is_scalar(object)) return Reference(checked(numpy_value(value_of(as_scalar(object)))));
        return Reference(checked(is_ndarray(object) ? numpy_view(object) : Py_NewRef(object)));
    };
    const Reference x = real(a);
    const Reference y = real(b);
    const auto result = [&]() -> PyObject* {
        switch (function) {
            case Ufunc::add:
                return PyNumber_Add(x.get(), y.get());
            case Ufunc::subtract:
                return PyNumber_Subtract(x.get(), y.get());
            case Ufunc::multiply:
                return PyNumber_Multiply(x.get(), y.get());
            case Ufunc::true_divide:
                return PyNumber_TrueDivide(x.get(), y.get());
            case Ufunc::floor_divide:
                return PyNumber_FloorDivide(x.get(), y.get());
            case Ufunc::remainder:
                return PyNumber_Remainder(x.get(), y.get());
            case Ufunc::power:
                return PyNumber_Power(x.get(), y.get(), Py_None);
            case Ufunc::left_shift:
                return PyNumber_Lshift(x.get(), y.get());
            case Ufunc::right_shift:
                return PyNumber_Rshift(x.get(), y.get());
            case Ufunc::bitwise_and:
                return PyNumber_And(x.get(), y.get());
            case Ufunc::bitwise_or:
                return PyNumber_Or(x.get(), y.get());
            case Ufunc::bitwise_xor:
                return PyNumber_Xor(x.get(), y.get());
            case Ufunc::less:
                return PyObject_RichCompare(x.get(), y.get(), Py_LT);
            case Ufunc::less_equal:
                return PyObject_RichCompare(x.get(), y.get(), Py_LE);
            case Ufunc::greater:
                return PyObject_RichCompare(x.get(), y.get(), Py_GT);
            case Ufunc::greater_equal:
                return PyObject_RichCompare(x.get(), y.get(), Py_GE);
            case Ufunc::equal:
                return PyObject_RichCompare(x.get(), y.get(), Py_EQ);
            default:
                return PyObject_RichCompare(x.get(), y.get(), Py_NE);
        }
    };
    Reference made(checked(result()));
    if (reinterpret_cast<PyObject*>(Py_TYPE(made.get())) != core.numpy_ndarray)
        return made.release();
    PyObject* adopted = adopt_buffer(made.get());
    if (adopted != nullptr || PyErr_Occurred() != nullptr) return adopted;
    return made.release();
}

/// Operands that NumPy's scalars leave to Python: sequences repeat, strings refuse.
bool is_sequence(PyObject* object) noexcept {
    return PyList_Check(object) || PyTuple_Check(object) || PyUnicode_Check(object) ||
           PyBytes_Check(object) || object == Py_None;
}

/// NumPy raises at once if an integer has a negative exponent; finding out waits for the exponents.
void check_power(const array::Operand& base, const array::Operand& exponent) {
    const auto type_of = [](const array::Operand& operand) {
        return operand.is_array() ? operand.array->dtype() : operand.scalar.dtype;
    };
    if (!exponent.is_array() || !array::is_signed_integer(type_of(exponent)) ||
        array::is_floating(type_of(base)) || array::is_complex(type_of(base)) ||
        exponent.array->size() == 0 || (base.is_array() && base.array->size() == 0))
        return;
    const Scalar least = array::converted(
        value_of(machine_here().reduce(Ufunc::minimum, *exponent.array)), DType::int64);
    if (least.as<std::int64_t>() >= 0) return;
    PyErr_SetString(PyExc_ValueError, "Integers to negative integer powers are not allowed.");
    throw PythonError();
}

PyObject* not_implemented() noexcept {
    return Py_NewRef(Py_NotImplemented);
}

/// What the machine computes; where it has no loop, NumPy.
PyObject* computed(Ufunc function, const array::Operand (&operands)[2], PyObject* a, PyObject* b) {
    if (function == Ufunc::power) check_power(operands[0], operands[1]);
    try {
        return new_result(machine_here().call(function, operands));
    } catch (const array::ArrayError& error) {
        if (!is_numpys(error)) throw;
    }
    return operation_by_hook(function, a, b, nullptr);
}

/// The same of two arrays; the result is made where it stays.
PyObject* computed_of_arrays(Ufunc function, PyObject* a, PyObject* b) {
    const Array& x = array_of(a);
    const Array& y = array_of(b);
    if (x.rank() == 0 && y.rank() == 0) return computed(function, {x, y}, a, b);
    if (function == Ufunc::power) check_power(x, y);
    try {
        return new_ndarray_of([&] { return machine_here().call(function, x, y); });
    } catch (const array::ArrayError& error) {
        if (!is_numpys(error)) throw;
    }
    return operation_by_hook(function, a, b, nullptr);
}

PyObject* binary(Ufunc function, PyObject* a, PyObject* b) {
    if (is_ndarray(a) && is_ndarray(b)) return computed_of_arrays(function, a, b);
    if (PyObject* known = known_result(function, a, b)) return known;
    if ((is_scalar(a) && is_sequence(b)) || (is_scalar(b) && is_sequence(a)))
        return operator_of_numpy(function, a, b);
    OperandHolder x;
    OperandHolder y;
    const Conversion first = convert_operand(a, x, true);
    if (first == Conversion::not_implemented) return not_implemented();
    const Conversion second = convert_operand(b, y, true);
    if (second == Conversion::not_implemented) return not_implemented();
    if (first == Conversion::foreign || second == Conversion::foreign)
        return operator_of_numpy(function, a, b);
    return computed(function, {x.operand, y.operand}, a, b);
}

PyObject* in_place(Ufunc function, PyObject* self, PyObject* other) {
    NdArray* target = as_ndarray(self);
    OperandHolder y;
    switch (convert_operand(other, y, true)) {
        case Conversion::not_implemented:
            return not_implemented();
        case Conversion::foreign:
            return operation_by_hook(function, self, other, self);
        case Conversion::done:
            break;
    }
    if (!target->writable) {
        PyErr_SetString(PyExc_ValueError, "output array is read-only");
        return nullptr;
    }
    const array::Operand operands[] = {array::Operand(target->array), y.operand};
    if (function == Ufunc::power) check_power(operands[0], operands[1]);
    try {
        static_cast<void>(machine_here().call(function, operands, {.out = &target->array}));
        return Py_NewRef(self);
    } catch (const array::ArrayError& error) {
        if (!is_numpys(error)) throw;
    }
    return operation_by_hook(function, self, other, self);
}

template <Ufunc function>
PyObject* binary_slot(PyObject* a, PyObject* b) noexcept {
    return guarded([&] {
        if (is_ndarray(a) && is_ndarray(b)) [[likely]]
            return computed_of_arrays(function, a, b);
        return binary(function, a, b);
    });
}
template <Ufunc function>
PyObject* in_place_slot(PyObject* a, PyObject* b) noexcept {
    return guarded([&] { return in_place(function, a, b); });
}
template <Ufunc function>
PyObject* unary_slot(PyObject* a) noexcept {
    return guarded([&] { return unary_operation(function, a); });
}

/// NumPy's shortcuts of `array ** exponent`: the function to apply, if it is one of them.
struct PowerRule {
    bool applies = false;
    Ufunc function = Ufunc::power;
    bool to_float = false;  // the array is converted first
    bool to_ones = false;
};
PowerRule power_rule(const Array& base, PyObject* exponent, bool in_place) {
    double value;
    bool is_float = false;
    if (PyFloat_Check(exponent)) {
        value = PyFloat_AS_DOUBLE(exponent);
        is_float = true;
    } else if (PyLong_Check(exponent)) {
        value = PyLong_AsDouble(exponent);
        if (PyErr_Occurred() != nullptr) {
            PyErr_Clear();
            return {};
        }
    } else {
        const bool is_zero_rank = is_ndarray(exponent) && array_of(exponent).rank() == 0;
        std::optional<Scalar> scalar;
        if (is_zero_rank)
            scalar = value_of(array_of(exponent));
        else if (!is_ndarray(exponent))
            scalar = scalar_of(exponent);
        if (!scalar || scalar->dtype == DType::boolean) return {};
        const std::optional<double> real = real_number(*scalar);
        if (!real) return {};
        value = *real;
        is_float = array::is_floating(scalar->dtype);
    }
    const DType type = base.dtype();
    if (array::is_floating(type) || array::is_complex(type)) {
        if (value == 1.0) return {true, Ufunc::positive};
        if (value == -1.0) return {true, Ufunc::reciprocal};
        if (value == 0.0) return {.applies = true, .to_ones = true};
        if (value == 0.5) return {true, Ufunc::sqrt};
        if (value == 2.0) return {true, Ufunc::square};
        return {};
    }
    if (value != 2.0) return {};
    const bool is_integer = type != DType::boolean;
    return {true, Ufunc::square, is_float && is_integer && !in_place};
}

PyObject* power(PyObject* a, PyObject* b, bool into_a) {
    if (!is_ndarray(a)) return binary(Ufunc::power, a, b);
    NdArray* base = as_ndarray(a);
    const PowerRule rule = power_rule(base->array, b, into_a);
    if (!rule.applies) return into_a ? in_place(Ufunc::power, a, b) : binary(Ufunc::power, a, b);
    if (into_a && !base->writable) {
        PyErr_SetString(PyExc_ValueError, "output array is read-only");
        return nullptr;
    }
    Machine& entered = machine_here();
    if (rule.to_ones) {
        const Scalar one = array::converted(Scalar::of(1.0), base->array.dtype());
        if (!into_a) {
            Array ones = entered.full(base->array.shape(), one);
            return new_result(std::move(ones));
        }
        entered.assign(base->array, one);
        return Py_NewRef(a);
    }
    if (rule.to_float) {
        const Array converted = entered.astype(base->array, DType::float64);
        const array::Operand operands[] = {array::Operand(converted)};
        return new_ndarray(entered.call(rule.function, operands));  // of rank 0, too, as in NumPy
    }
    const array::Operand operands[] = {array::Operand(base->array)};
    try {
        if (!into_a) return new_result(entered.call(rule.function, operands));
        static_cast<void>(entered.call(rule.function, operands, {.out = &base->array}));
        return Py_NewRef(a);
    } catch (const array::ArrayError& error) {
        if (!is_numpys(error)) throw;
    }
    return operation_by_hook(rule.function, a, nullptr, into_a ? a : nullptr);
}

/// + of booleans is a copy, although there is no such ufunc.
PyObject* positive_slot(PyObject* a) noexcept {
    return guarded([&]() -> PyObject* {
        const bool scalar = is_scalar(a);
        const DType type = !scalar               ? array_of(a).dtype()
                           : as_scalar(a)->known ? as_scalar(a)->value.dtype
                                                 : as_scalar(a)->array.dtype();
        if (type != DType::boolean) return unary_operation(Ufunc::positive, a);
        if (PyErr_WarnEx(PyExc_DeprecationWarning,
                         "Applying '+' to a non-numerical array is ill-defined. Returning a copy, "
                         "but in the future this will error.",
                         1) < 0)
            return nullptr;
        if (scalar) return Py_NewRef(a);
        return new_result(machine_here().copy(array_of(a)));
    });
}

PyObject* power_slot(PyObject* a, PyObject* b, PyObject* modulo) noexcept {
    if (modulo != Py_None) return not_implemented();
    return guarded([&] { return power(a, b, false); });
}
PyObject* in_place_power_slot(PyObject* a, PyObject* b, PyObject* modulo) noexcept {
    if (modulo != Py_None) return not_implemented();
    return guarded([&] { return power(a, b, true); });
}

PyObject* divmod_slot(PyObject* a, PyObject* b) noexcept {
    return guarded([&]() -> PyObject* {
        Reference quotient(checked(binary(Ufunc::floor_divide, a, b)));
        if (quotient.get() == Py_NotImplemented) return quotient.release();
        const Reference rest(checked(binary(Ufunc::remainder, a, b)));
        return Py_BuildValue("(OO)", quotient.get(), rest.get());
    });
}

PyObject* matmul_slot(PyObject* a, PyObject* b) noexcept {
    return guarded([&]() -> PyObject* {
        if (is_ndarray(a) && is_ndarray(b)) {
            const Array& x = array_of(a);
            const Array& y = array_of(b);
            if (x.dtype() == y.dtype() && x.rank() > 0 && y.rank() > 0) {
                static_cast<void>(machine_here());
                return new_result(array::linalg::product(x, y));
            }
        }
        if (core.hooks.ufunc_method != nullptr && !is_scalar(a) && !is_scalar(b)) {
            const Reference arguments(checked(Py_BuildValue("(OO)", a, b)));
            const Reference keywords(checked(PyDict_New()));
            return PyObject_CallFunction(core.hooks.ufunc_method, "ssOO", "matmul", "__call__",
                                         arguments.get(), keywords.get());
        }
        const auto real = [](PyObject* object) {
            if (is_scalar(object))
                return Reference(checked(numpy_value(value_of(as_scalar(object)))));
            return Reference(checked(is_ndarray(object) ? numpy_view(object) : Py_NewRef(object)));
        };
        const Reference x = real(a);
        const Reference y = real(b);
        return PyNumber_MatrixMultiply(x.get(), y.get());
    });
}

/// The value of an ndarray of size 1 as a Python number.
PyObject* number_of(PyObject* self) {
    if (is_scalar(self)) return python_value(value_of(as_scalar(self)));
    const Array& array = array_of(self);
    if (array.size() != 1) {
        PyErr_SetString(PyExc_TypeError, "only size-1 arrays can be converted to Python scalars");
        return nullptr;
    }
    return python_value(value_of(array));
}

PyObject* float_slot(PyObject* self) noexcept {
    return guarded([&]() -> PyObject* {
        const Reference number(checked(number_of(self)));
        if (PyComplex_Check(number.get())) {
            warn_of_lost_parts(DType::complex128, DType::float64);
            return PyFloat_FromDouble(PyComplex_RealAsDouble(number.get()));
        }
        return PyNumber_Float(number.get());
    });
}

PyObject* int_slot(PyObject* self) noexcept {
    return guarded([&]() -> PyObject* {
        const Reference number(checked(number_of(self)));
        if (PyComplex_Check(number.get())) {
            const Reference real(PyFloat_FromDouble(PyComplex_RealAsDouble(number.get())));
            return PyNumber_Long(real.get());
        }
        return PyNumber_Long(number.get());
    });
}

PyObject* index_slot(PyObject* self) noexcept {
    return guarded([&]() -> PyObject* {
        const bool scalar = is_scalar(self);
        const DType type = !scalar                  ? array_of(self).dtype()
                           : as_scalar(self)->known ? as_scalar(self)->value.dtype
                                                    : as_scalar(self)->array.dtype();
        if (!array::is_signed_integer(type) && !array::is_unsigned_integer(type)) {
            if (scalar)
                PyErr_Format(PyExc_TypeError, "'%s' object cannot be interpreted as an integer",
                             core.numpy_scalars[static_cast<int>(type)]->tp_name);
            else
                PyErr_SetString(PyExc_TypeError,
                                "only integer scalar arrays can be converted to a scalar index");
            return nullptr;
        }
        if (!scalar && array_of(self).rank() != 0) {
            PyErr_SetString(PyExc_TypeError,
                            "only integer scalar arrays can be converted to a scalar index");
            return nullptr;
        }
        return number_of(self);
    });
}

int bool_slot(PyObject* self) noexcept {
    int truth = -1;
    const int status = guarded_status([&] {
        if (is_ndarray(self) && array_of(self).size() != 1) {
            if (array_of(self).size() == 0) {
                if (PyErr_WarnEx(PyExc_DeprecationWarning,
                                 "The truth value of an empty array is ambiguous. Returning False, "
                                 "but in future this will result in an error. Use `array.size > 0` "
                                 "to check that an array is not empty.",
                                 1) < 0)
                    throw PythonError();
                truth = 0;
                return;
            }
            PyErr_SetString(PyExc_ValueError,
                            "The truth value of an array with more than one element is ambiguous. "
                            "Use a.any() or a.all()");
            throw PythonError();
        }
        const Reference number(checked(number_of(self)));
        truth = PyObject_IsTrue(number.get());
        if (truth < 0) throw PythonError();
    });
    return status < 0 ? -1 : truth;
}

}  // namespace

PyObject* binary_operation(Ufunc function, PyObject* a, PyObject* b) {
    return binary(function, a, b);
}

PyObject* unary_operation(Ufunc function, PyObject* a) {
    OperandHolder x;
    if (convert_operand(a, x, false) == Conversion::done) {
        const array::Operand operands[] = {x.operand};
        try {
            return new_result(machine_here().call(function, operands));
        } catch (const array::ArrayError& error) {
            if (!is_numpys(error)) throw;
        }
    }
    return operation_by_hook(function, a, nullptr, nullptr);
}

PyObject* compare(PyObject* a, PyObject* b, int operation) noexcept {
    return guarded([&]() -> PyObject* {
        Ufunc function = Ufunc::equal;
        switch (operation) {
            case Py_LT:
                function = Ufunc::less;
                break;
            case Py_LE:
                function = Ufunc::less_equal;
                break;
            case Py_GT:
                function = Ufunc::greater;
                break;
            case Py_GE:
                function = Ufunc::greater_equal;
                break;
            case Py_NE:
                function = Ufunc::not_equal;
                break;
            default:
                break;
        }
        if (operation != Py_EQ && operation != Py_NE) return binary(function, a, b);
        try {
            return binary(function, a, b);
        } catch (const array::ArrayError& error) {
            if (error.kind() != array::ErrorKind::value) throw;
        }
        if (PyErr_WarnEx(PyExc_DeprecationWarning,
                         "elementwise comparison failed; this will raise an error in the future.",
                         1) < 0)
            return nullptr;
        return not_implemented();
    });
}

void set_number_slots(PyNumberMethods& methods, bool with_in_place) noexcept {
    methods.nb_add = binary_slot<Ufunc::add>;
    methods.nb_subtract = binary_slot<Ufunc::subtract>;
    methods.nb_multiply = binary_slot<Ufunc::multiply>;
    methods.nb_true_divide = binary_slot<Ufunc::true_divide>;
    methods.nb_floor_divide = binary_slot<Ufunc::floor_divide>;
    methods.nb_remainder = binary_slot<Ufunc::remainder>;
    methods.nb_divmod = divmod_slot;
    methods.nb_power = power_slot;
    methods.nb_lshift = binary_slot<Ufunc::left_shift>;
    methods.nb_rshift = binary_slot<Ufunc::right_shift>;
    methods.nb_and = binary_slot<Ufunc::bitwise_and>;
    methods.nb_or = binary_slot<Ufunc::bitwise_or>;
    methods.nb_xor = binary_slot<Ufunc::bitwise_xor>;
    methods.nb_matrix_multiply = matmul_slot;
    methods.nb_negative = unary_slot<Ufunc::negative>;
    methods.nb_positive = positive_slot;
    methods.nb_absolute = unary_slot<Ufunc::absolute>;
    methods.nb_invert = unary_slot<Ufunc::invert>;
    methods.nb_bool = bool_slot;
    methods.nb_float = float_slot;
    methods.nb_int = int_slot;
    methods.nb_index = index_slot;
    if (!with_in_place) return;
    methods.nb_inplace_add = in_place_slot<Ufunc::add>;
    methods.nb_inplace_subtract = in_place_slot<Ufunc::subtract>;
    methods.nb_inplace_multiply = in_place_slot<Ufunc::multiply>;
    methods.nb_inplace_true_divide = in_place_slot<Ufunc::true_divide>;
    methods.nb_inplace_floor_divide = in_place_slot<Ufunc::floor_divide>;
    methods.nb_inplace_remainder = in_place_slot<Ufunc::remainder>;
    methods.nb_inplace_power = in_place_power_slot;
    methods.nb_inplace_lshift = in_place_slot<Ufunc::left_shift>;
    methods.nb_inplace_rshift = in_place_slot<Ufunc::right_shift>;
    methods.nb_inplace_and = in_place_slot<Ufunc::bitwise_and>;
    methods.nb_inplace_or = in_place_slot<Ufunc::bitwise_or>;
    methods.nb_inplace_xor = in_place_slot<Ufunc::bitwise_xor>;
}

}  // namespace refrain::ndarray
