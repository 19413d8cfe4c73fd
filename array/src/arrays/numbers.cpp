#include "refrain/array/numbers.hpp"

#include "refrain/array/work.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

namespace refrain::array {

namespace {

constexpr Extent elements_per_tile = Extent{1} << 17;
constexpr Extent tiles_max = 16;

/// Calls `body` with the offsets, in elements, of the same element in each view of the frame.
template <std::size_t count, class Body>
void for_each_element(const WorkFrame& frame, Body&& body) {
    const Layout& shape = frame.views[0].layout;
    const int rank = shape.rank();
    const Extent inner = rank > 0 ? shape.shape[rank - 1] : 1;
    const Extent rows = inner > 0 ? shape.size() / inner : 0;
    for (Extent row = 0; row < rows; ++row) {
        std::array<Extent, count> at{};
        Extent rest = row;
        for (int d = rank - 1; d-- > 0;) {
            const Extent index = rest % shape.shape[d];
            rest /= shape.shape[d];
            for (std::size_t v = 0; v < count; ++v)
                at[v] += index * frame.views[v].layout.strides[d];
        }
        for (Extent i = 0; i < inner; ++i) {
            body(at);
            for (std::size_t v = 0; v < count && rank > 0; ++v)
                at[v] += frame.views[v].layout.strides[rank - 1];
        }
    }
}

template <class T>
void frexp_elements(const WorkFrame& frame) {
    T* mantissas = frame.views[0].first<T>();
    auto* exponents = frame.views[1].first<std::int32_t>();
    const T* numbers = frame.views[2].first<T>();
    for_each_element<3>(frame, [&](const auto& at) {
        int exponent = 0;
        mantissas[at[0]] = std::frexp(numbers[at[2]], &exponent);
        exponents[at[1]] = std::isfinite(numbers[at[2]]) ? exponent : 0;
    });
}

template <class T, class E>
void ldexp_elements(const WorkFrame& frame) {
    T* results = frame.views[0].first<T>();
    const T* numbers = frame.views[1].first<T>();
    const E* exponents = frame.views[2].first<E>();
    for_each_element<3>(frame, [&](const auto& at) {
        const E exponent = std::clamp<E>(exponents[at[2]], std::numeric_limits<int>::min(),
                                         std::numeric_limits<int>::max());
        results[at[0]] = std::ldexp(numbers[at[1]], static_cast<int>(exponent));
    });
}

template <class T>
void spacing_elements(const WorkFrame& frame) {
    T* results = frame.views[0].first<T>();
    const T* numbers = frame.views[1].first<T>();
    for_each_element<2>(frame, [&](const auto& at) {
        const T number = numbers[at[1]];
        const T away = std::copysign(std::numeric_limits<T>::infinity(), number);
        results[at[0]] = std::isinf(number) ? std::numeric_limits<T>::quiet_NaN()
                                            : std::nextafter(number, away) - number;
    });
}

template <class T>
void modf_elements(const WorkFrame& frame) {
    T* fractions = frame.views[0].first<T>();
    T* wholes = frame.views[1].first<T>();
    const T* numbers = frame.views[2].first<T>();
    for_each_element<3>(frame, [&](const auto& at) {
        fractions[at[0]] = std::modf(numbers[at[2]], &wholes[at[1]]);
    });
}

void check_floating(const char* name, const Array& array) {
    if (array.dtype() != DType::float32 && array.dtype() != DType::float64)
        throw ArrayError(ErrorKind::type, std::string(name) + " takes float32 and float64, not " +
                                              std::string(name_of(array.dtype())));
}

/// Of views of one shape, the first `outputs` of which are written.
void issue(Machine& machine, const char* name, WorkFunction function,
           std::span<const Array* const> arrays, std::size_t outputs) {
    const Array& result = *arrays[0];
    if (result.size() == 0) return;
    Work work;
    work.name = name;
    work.function = function;
    const bool tiled = result.rank() > 0 && result.size() >= 2 * elements_per_tile;
    if (tiled)
        work.tiles = std::min({result.size() / elements_per_tile, tiles_max, result.shape()[0]});
    std::array<WorkUse, 3> uses;
    for (std::size_t i = 0; i < arrays.size(); ++i)
        uses[i] = {arrays[i], i < outputs ? Privilege::write : Privilege::read, tiled ? 0 : -1};
    work.uses = {uses.data(), arrays.size()};
    work.cost = result.size() * 32;
    machine.issue(work);
}

}  // namespace

std::pair<Array, Array> frexp(const Array& array) {
    check_floating("frexp", array);
    Machine& machine = array.machine();
    std::pair<Array, Array> made{machine.empty(array.shape(), array.dtype()),
                                 machine.empty(array.shape(), DType::int32)};
    const Array* arrays[] = {&made.first, &made.second, &array};
    issue(machine, "frexp",
          array.dtype() == DType::float64 ? &frexp_elements<double> : &frexp_elements<float>,
          arrays, 2);
    return made;
}

std::pair<Array, Array> modf(const Array& array) {
    check_floating("modf", array);
    Machine& machine = array.machine();
    std::pair<Array, Array> made{machine.empty(array.shape(), array.dtype()),
                                 machine.empty(array.shape(), array.dtype())};
    const Array* arrays[] = {&made.first, &made.second, &array};
    issue(machine, "modf",
          array.dtype() == DType::float64 ? &modf_elements<double> : &modf_elements<float>, arrays,
          2);
    return made;
}

Array spacing(const Array& array) {
    check_floating("spacing", array);
    const Array made = array.machine().empty(array.shape(), array.dtype());
    const Array* arrays[] = {&made, &array};
    issue(array.machine(), "spacing",
          array.dtype() == DType::float64 ? &spacing_elements<double> : &spacing_elements<float>,
          arrays, 1);
    return made;
}

Array ldexp(const Array& numbers, const Array& exponents) {
    check_floating("ldexp", numbers);
    const bool wide = exponents.dtype() == DType::int64;
    if (!wide && exponents.dtype() != DType::int32)
        throw ArrayError(ErrorKind::type, "ldexp takes exponents of int32 and int64");
    const Extents shapes[] = {numbers.shape(), exponents.shape()};
    const std::optional<Extents> shape = broadcast_shapes(shapes);
    if (!shape)
        throw ArrayError(ErrorKind::value, "operands could not be broadcast together with shapes " +
                                               numbers.shape().text() + " " +
                                               exponents.shape().text() + " ");
    Machine& machine = numbers.machine();
    const Array made = machine.empty(*shape, numbers.dtype());
    const Array from = numbers.view(*numbers.layout().broadcast_to(*shape));
    const Array by = exponents.view(*exponents.layout().broadcast_to(*shape));
    const Array* arrays[] = {&made, &from, &by};
    const WorkFunction function =
        numbers.dtype() == DType::float64
            ? (wide ? &ldexp_elements<double, std::int64_t> : &ldexp_elements<double, std::int32_t>)
            : (wide ? &ldexp_elements<float, std::int64_t> : &ldexp_elements<float, std::int32_t>);
    issue(machine, "ldexp", function, arrays, 1);
    return made;
}

}  // namespace refrain::array
