// Random numbers: the generators of NumPy draw, through the interface that they show to C, and NumPy's library of
// distributions turns what they draw into numbers. So states are shared with NumPy's own methods.
//
// A *stream* is an ndarray of two numbers that stands for a generator's state: each draw uses it, reading and writing,
// so draws follow one another as the program has them. Its elements are the second normal of a pair, which NumPy's
// legacy generator keeps for the next call: whether there is one, and what it is.
//
// Only this file, and what it includes of distributions and jumps, knows headers of NumPy's.
#include "refrain/array/work.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <string_view>

#include "ndarray/convert.hpp"
#include "ndarray/distributions.hpp"
#include "ndarray/jumping.hpp"
#include "ndarray/methods.hpp"

namespace refrain::ndarray {

namespace {

using array::WorkFrame;
using Values = PyObject* const*;

// -- Work. views: the stream, then the numbers, one after the other, then parameters that are arrays.

template <class Function>
struct Each {
    Draw draw;
    Function function;
    int varying[3];  // which parameter each array is
};

template <class Function, class T>
void draw_each(const WorkFrame& frame) {
    auto call = frame.parameters<Each<Function>>();
    binomial_t kept{};
    call.draw.second = frame.views[0].first<double>();
    call.draw.kept = &kept;
    T* to = frame.views[1].first<T>();
    const Extent count = frame.views[1].layout.size();
    if (frame.views.size() == 2) {
        for (Extent i = 0; i < count; ++i) to[i] = static_cast<T>(call.function(call.draw));
        return;
    }
    for (Extent i = 0; i < count; ++i) {
        for (std::size_t v = 2; v < frame.views.size(); ++v) {
            const int parameter = call.varying[v - 2];
            if (frame.views[v].dtype == DType::int64)
                call.draw.integers[parameter] = frame.views[v].first<std::int64_t>()[i];
            else
                call.draw.parameters[parameter] = frame.views[v].first<double>()[i];
        }
        to[i] = static_cast<T>(call.function(call.draw));
    }
}

template <class T, void (*fill)(bitgen_t*, npy_intp, T*)>
void draw_all(const WorkFrame& frame) {
    fill(frame.parameters<Draw>().generator, frame.views[1].layout.size(),
         frame.views[1].first<T>());
}

void draw_uniform(const WorkFrame& frame) {
    const Draw draw = frame.parameters<Draw>();
    double* to = frame.views[1].first<double>();
    const Extent count = frame.views[1].layout.size();
    for (Extent i = 0; i < count; ++i)
        to[i] = draw.parameters[0] + draw.parameters[1] * next_double(draw);
}

// Rows of numbers. views: the stream, the rows, and a parameter for each column.

/// integers: how many draws a row is the outcome of.
void draw_multinomial(const WorkFrame& frame) {
    const Draw draw = frame.parameters<Draw>();
    binomial_t kept{};
    auto* row = frame.views[1].first<std::int64_t>();
    const Extent columns = frame.views[2].layout.size();
    std::fill_n(row, frame.views[1].layout.size(), 0);
    for (Extent left = frame.views[1].layout.size(); left > 0; left -= columns, row += columns)
        random_multinomial(draw.generator, draw.integers[0], row, frame.views[2].first<double>(),
                           columns, &kept);
}

/// integers: whether the generator is the legacy one.
void draw_dirichlet(const WorkFrame& frame) {
    Draw draw = frame.parameters<Draw>();
    draw.second = frame.views[0].first<double>();
    const bool is_legacy = draw.integers[0] != 0;
    auto* row = frame.views[1].first<double>();
    const auto* shapes = frame.views[2].first<double>();
    const Extent columns = frame.views[2].layout.size();
    for (Extent left = frame.views[1].layout.size(); left > 0; left -= columns, row += columns) {
        double sum = 0;
        for (Extent i = 0; i < columns; ++i) {
            row[i] = is_legacy ? legacy_gamma(draw, shapes[i])
                               : random_standard_gamma(draw.generator, shapes[i]);
            sum = sum + row[i];
        }
        const double inverse = 1 / sum;
        for (Extent i = 0; i < columns; ++i) row[i] = row[i] * inverse;
    }
}

/// integers: the least one, how many more there are, whether numbers are masked until one fits.
void draw_integers(const WorkFrame& frame) {
    const Draw draw = frame.parameters<Draw>();
    const auto low = static_cast<std::uint64_t>(draw.integers[0]);
    const auto range = static_cast<std::uint64_t>(draw.integers[1]);
    const bool masked = draw.integers[2] != 0;
    const array::WorkView& to = frame.views[1];
    const Extent count = to.layout.size();
    if (to.dtype == DType::boolean)
        return random_bounded_bool_fill(draw.generator, low != 0, range != 0, count, masked,
                                        to.first<npy_bool>());
    switch (array::bytes_of(to.dtype)) {
        case 1:
            return random_bounded_uint8_fill(draw.generator, static_cast<std::uint8_t>(low),
                                             static_cast<std::uint8_t>(range), count, masked,
                                             to.first<std::uint8_t>());
        case 2:
            return random_bounded_uint16_fill(draw.generator, static_cast<std::uint16_t>(low),
                                              static_cast<std::uint16_t>(range), count, masked,
                                              to.first<std::uint16_t>());
        case 4:
            return random_bounded_uint32_fill(draw.generator, static_cast<std::uint32_t>(low),
                                              static_cast<std::uint32_t>(range), count, masked,
                                              to.first<std::uint32_t>());
        default:
            return random_bounded_uint64_fill(draw.generator, low, range, count, masked,
                                              to.first<std::uint64_t>());
    }
}

/// Fisher and Yates, along the first axis.
void shuffle_rows(const WorkFrame& frame) {
    const Draw draw = frame.parameters<Draw>();
    const array::WorkView& rows = frame.views[1];
    const auto bytes = static_cast<Extent>(array::bytes_of(rows.dtype));
    const Layout row = rows.layout.at(0, 0);
    const Extent width = row.size();
    std::vector<Extent> offsets;
    for (Extent i = 0; i < width; ++i) {
        Extent rest = i;
        Extent offset = 0;
        for (int d = row.rank(); d-- > 0;) {
            offset += rest % row.shape[d] * row.strides[d];
            rest /= row.shape[d];
        }
        offsets.push_back(offset * bytes);
    }
    const Extent step = rows.layout.strides[0] * bytes;
    for (Extent i = rows.layout.shape[0] - 1; i > 0; --i) {
        const auto j =
            static_cast<Extent>(random_interval(draw.generator, static_cast<std::uint64_t>(i)));
        if (i == j) continue;
        for (const Extent offset : offsets)
            std::swap_ranges(rows.address + i * step + offset,
                             rows.address + i * step + offset + bytes,
                             rows.address + j * step + offset);
    }
}

// Samples without repetition, as NumPy's Generator.choice draws them.

/// Fisher and Yates, from the end down to `first`.
void shuffle_integers(bitgen_t* generator, std::int64_t* values, Extent count, Extent first) {
    for (Extent i = count - 1; i >= first; --i) {
        const auto last = static_cast<std::uint64_t>(i);
        std::swap(values[random_bounded_uint64(generator, 0, last, 0, false)], values[i]);
    }
}

/// Floyd's algorithm: integers below `population`, one for each place of the sample. `table`, a power of two of
/// entries, holds those that were drawn, by their last bits.
void sample_by_table(bitgen_t* generator, Extent population, std::span<std::int64_t> sample,
                     std::span<std::int64_t> table) {
    const auto mask = static_cast<std::uint64_t>(table.size() - 1);
    std::ranges::fill(table, -1);
    const auto place_of = [&](std::int64_t value) {
        auto place = static_cast<std::uint64_t>(value) & mask;
        while (table[place] != -1 && table[place] != value) place = (place + 1) & mask;
        return place;
    };
    Extent most = population - static_cast<Extent>(sample.size());
    for (std::int64_t& drawn : sample) {
        drawn = static_cast<std::int64_t>(
            random_bounded_uint64(generator, 0, static_cast<std::uint64_t>(most), 0, false));
        std::uint64_t place = place_of(drawn);
        if (table[place] != -1) {  // drawn before: the new one
            drawn = most;
            place = place_of(drawn);
        }
        table[place] = drawn;
        ++most;
    }
}

/// integers: how many there are, whether the sample is in random order, whether it is the end of a shuffle of all.
/// views: the stream, the sample, room to work.
void draw_sample(const WorkFrame& frame) {
    const Draw draw = frame.parameters<Draw>();
    const Extent population = draw.integers[0];
    const bool shuffles = draw.integers[1] != 0;
    const std::span sample(frame.views[1].first<std::int64_t>(),
                           static_cast<std::size_t>(frame.views[1].layout.size()));
    const std::span room(frame.views[2].first<std::int64_t>(),
                         static_cast<std::size_t>(frame.views[2].layout.size()));
    if (draw.integers[2] != 0) {
        std::iota(room.begin(), room.end(), std::int64_t{0});
        const Extent rest = population - static_cast<Extent>(sample.size());
        shuffle_integers(draw.generator, room.data(), population, std::max<Extent>(rest, 1));
        std::copy(room.end() - static_cast<std::ptrdiff_t>(sample.size()), room.end(),
                  sample.begin());
        return;
    }
    sample_by_table(draw.generator, population, sample, room);
    if (shuffles)
        shuffle_integers(draw.generator, sample.data(), static_cast<Extent>(sample.size()), 1);
}

// -- Tiles that draw their own part.

/// views: the stream, which is read, and a tile.
template <class State>
void draw_tile(const WorkFrame& frame) {
    const Draw draw = frame.parameters<Draw>();
    typename State::Bits bits = State::load(*draw.generator);
    bits.advance(static_cast<std::uint64_t>(frame.tile_first));
    double* to = frame.views[1].first<double>();
    const Extent count = frame.views[1].layout.size();
    for (Extent i = 0; i < count; ++i)
        to[i] = draw.parameters[0] + draw.parameters[1] * array::unit_interval(bits.next());
}
template <class State>
void advance(const WorkFrame& frame) {
    const Draw draw = frame.parameters<Draw>();
    typename State::Bits bits = State::load(*draw.generator);
    bits.advance(static_cast<std::uint64_t>(draw.integers[0]));
    State::store(*draw.generator, bits);
}

// -- Calls

/// What draws cost, in bytes that an elementwise function touches in that time.
constexpr std::int64_t uniform_cost = 24;
constexpr std::int64_t distribution_cost = 96;
constexpr Extent tile_elements = Extent{1} << 16;

bitgen_t* generator_of(PyObject* bit_generator) {
    const Reference capsule(checked(PyObject_GetAttrString(bit_generator, "capsule")));
    void* pointer = PyCapsule_GetPointer(capsule.get(), "BitGenerator");
    if (pointer == nullptr) throw PythonError();
    return static_cast<bitgen_t*>(pointer);
}

void issue(const char* name, array::WorkFunction function, PyObject* stream, const Array& numbers,
           std::int64_t cost, const auto& parameters, Privilege use = Privilege::write,
           std::span<const Array* const> read = {}) {
    array::WorkUse uses[5] = {{&array_of(stream), Privilege::read_write}, {&numbers, use}};
    std::size_t count = 2;
    for (const Array* array : read) uses[count++] = {array, Privilege::read};
    array::Work work;
    work.name = name;
    work.function = function;
    work.uses = {uses, count};
    work.cost = numbers.size() * cost;
    work.hashes_bytes = false;
    machine_here().issue(std::move(work).with(parameters));
}

/// low + range * random(), by tiles if the generator can jump.
void issue_uniform(PyObject* stream, const Array& numbers, const Draw& draw,
                   std::string_view generator) {
    const Extent count = numbers.size();
    const bool is_pcg = generator == "random_pcg64";
    if ((!is_pcg && generator != "random_philox") || count < 2 * tile_elements)
        return issue("random", &draw_uniform, stream, numbers, uniform_cost, draw);
    const array::WorkUse uses[] = {{&array_of(stream), Privilege::read},
                                   {&numbers, Privilege::write, 0}};
    array::Work work;
    work.name = "random";
    work.function = is_pcg ? &draw_tile<PcgState> : &draw_tile<PhiloxState>;
    work.uses = uses;
    work.cost = count * uniform_cost;
    work.tiles = std::min<Extent>(count / tile_elements, 64);
    work.hashes_bytes = false;
    machine_here().issue(std::move(work).with(draw));
    Draw jump = draw;
    jump.integers[0] = count;
    const array::WorkUse only[] = {{&array_of(stream), Privilege::read_write}};
    array::Work after;
    after.name = "random.advance";
    after.function = is_pcg ? &advance<PcgState> : &advance<PhiloxState>;
    after.uses = only;
    after.hashes_bytes = false;
    machine_here().issue(std::move(after).with(jump));
}

Array reshaped(const Array& line, const Extents& shape) {
    return line.view(Layout::row_major(shape));
}

Extents extents_of(PyObject* object) {
    Extents shape = shape_of(object);
    for (const Extent extent : shape) {
        if (extent >= 0) continue;
        PyErr_SetString(PyExc_ValueError, "negative dimensions are not allowed");
        throw PythonError();
    }
    return shape;
}
Extent size_of(const Extents& shape) {
    Extent size = 1;
    for (const Extent extent : shape)
        if (__builtin_mul_overflow(size, extent, &size))
            refuse(PyExc_ValueError,
                   "array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum "
                   "possible size.");
    return size;
}

double real_parameter(PyObject* object) {
    const double value = PyFloat_AsDouble(object);
    if (PyErr_Occurred() != nullptr) throw PythonError();
    return value;
}

/// stream(bit_generator): what stands for its state.
PyObject* random_stream(PyObject*, PyObject* bit_generator) {
    return guarded([&]() -> PyObject* {
        static_cast<void>(generator_of(bit_generator));
        auto* second = new double[2]{0, 0};
        auto* held = new Py_buffer{};
        held->obj = Py_NewRef(bit_generator);  // lives until no draw is pending
        Array stream = machine_here().adopt(second, {2}, DType::float64, true, [second, held] {
            delete[] second;
            const std::lock_guard lock(core.queue_lock);
            core.foreign.push_back(held);
            core.attention.store(true, std::memory_order_release);
        });
        machine().end_export(stream);  // nobody else sees these two numbers
        return new_ndarray(std::move(stream));
    });
}

/// The parameters of a draw: numbers, and arrays with one for each number drawn.
struct Parameters {
    Draw draw;
    const Array* arrays[3] = {};
    int varying[3] = {};
    std::size_t array_count = 0;

    void take(std::string_view name, Values values, Py_ssize_t count, Extent size) {
        for (int i = 0; i < count; ++i) {
            const bool whole = takes_whole(name, i);
            if (is_ndarray(values[i])) {
                const Array& array = array_of(values[i]);
                if (array.dtype() != (whole ? DType::int64 : DType::float64) ||
                    array.size() != size || !array.layout().is_row_major())
                    refuse(PyExc_TypeError, "draw: another array of parameters");
                varying[array_count] = i;
                arrays[array_count++] = &array;
            } else if (whole) {
                draw.integers[i] = integer_of(values[i]);
            } else {
                draw.parameters[i] = real_parameter(values[i]);
            }
        }
    }
};

template <class T, class Function>
void issue_each(PyObject* stream, const Array& line, Function function,
                const Parameters& parameters) {
    Each<Function> each{parameters.draw, function, {}};
    std::copy_n(parameters.varying, 3, each.varying);
    issue("random.distribution", &draw_each<Function, T>, stream, line, distribution_cost, each,
          Privilege::write, {parameters.arrays, parameters.array_count});
}

void issue_float32(PyObject* stream, const Array& line, const Draw& draw, std::string_view name) {
    if (name.starts_with("random"))
        issue("random", &draw_all<float, random_standard_uniform_fill_f>, stream, line,
              uniform_cost, draw);
    else if (name == "standard_normal")
        issue("random.standard_normal", &draw_all<float, random_standard_normal_fill_f>, stream,
              line, distribution_cost, draw);
    else if (name == "standard_exponential")
        issue("random.standard_exponential", &draw_all<float, random_standard_exponential_fill_f>,
              stream, line, distribution_cost, draw);
    else
        refuse(PyExc_TypeError, "draw: no such distribution of float32");
}

void issue_draw(PyObject* stream, const Array& line, const Parameters& parameters,
                std::string_view name) {
    if (line.dtype() == DType::float32)
        issue_float32(stream, line, parameters.draw, name);
    else if (name == "standard_normal")
        issue("random.standard_normal", &draw_all<double, random_standard_normal_fill>, stream,
              line, distribution_cost, parameters.draw);
    else if (name == "standard_exponential")
        issue("random.standard_exponential", &draw_all<double, random_standard_exponential_fill>,
              stream, line, distribution_cost, parameters.draw);
    else if (name.starts_with("random"))
        issue_uniform(stream, line, parameters.draw, name);
    else if (const Floating floating = floating_named(name);
             floating != nullptr && line.dtype() == DType::float64)
        issue_each<double>(stream, line, floating, parameters);
    else if (const Whole whole = whole_named(name);
             whole != nullptr && line.dtype() == DType::int64)
        issue_each<std::int64_t>(stream, line, whole, parameters);
    else
        refuse(PyExc_TypeError, "draw: no such distribution");
}

std::string_view text_of(PyObject* object) {
    const char* text = PyUnicode_AsUTF8(object);
    if (text == nullptr) throw PythonError();
    return text;
}

/// draw(stream, bit_generator, name, shape, dtype, parameters...): numbers of a distribution.
PyObject* random_draw(PyObject*, Values arguments, Py_ssize_t count) {
    return guarded([&]() -> PyObject* {
        if (count < 5 || count > 8 || !is_ndarray(arguments[0]))
            refuse(PyExc_TypeError,
                   "draw(stream, bit_generator, name, shape, dtype, parameters...)");
        const std::string_view name = text_of(arguments[2]);
        const Extents shape = extents_of(arguments[3]);
        const std::optional<DType> type = dtype_named(arguments[4]);
        if (!type) refuse(PyExc_TypeError, "draw: another dtype");
        const Array line = machine_here().empty({size_of(shape)}, *type);
        Parameters parameters;
        parameters.draw.generator = generator_of(arguments[1]);
        if (name.starts_with("random"))
            parameters.draw.parameters[1] = 1.0;  // low + range * random
        parameters.take(name, arguments + 5, count - 5, line.size());
        if (line.size() > 0) issue_draw(arguments[0], line, parameters, name);
        return new_ndarray(reshaped(line, shape));
    });
}

/// draw_rows(stream, bit_generator, name, shape, columns, number): rows of the shape's last extent.
PyObject* random_rows(PyObject*, Values arguments, Py_ssize_t count) {
    return guarded([&]() -> PyObject* {
        if (count != 6 || !is_ndarray(arguments[0]) || !is_ndarray(arguments[4]))
            refuse(PyExc_TypeError,
                   "draw_rows(stream, bit_generator, name, shape, columns, number)");
        const bool counts = text_of(arguments[2]) == "multinomial";
        const Extents shape = extents_of(arguments[3]);
        const Array& columns = array_of(arguments[4]);
        if (columns.dtype() != DType::float64 || columns.rank() != 1 || shape.empty() ||
            shape[shape.size() - 1] != columns.size() || !columns.layout().is_row_major())
            refuse(PyExc_TypeError, "draw_rows: other columns");
        Draw draw;
        draw.generator = generator_of(arguments[1]);
        draw.integers[0] = integer_of(arguments[5]);
        const Array rows =
            machine_here().empty({size_of(shape)}, counts ? DType::int64 : DType::float64);
        const Array* read[] = {&columns};
        if (rows.size() > 0)
            issue(counts ? "random.multinomial" : "random.dirichlet",
                  counts ? &draw_multinomial : &draw_dirichlet, arguments[0], rows,
                  distribution_cost, draw, Privilege::write, read);
        return new_ndarray(reshaped(rows, shape));
    });
}

/// draw_integers(stream, bit_generator, shape, dtype, low, range, masked): low + [0, range].
PyObject* random_integers(PyObject*, Values arguments, Py_ssize_t count) {
    return guarded([&]() -> PyObject* {
        if (count != 7 || !is_ndarray(arguments[0]))
            refuse(PyExc_TypeError,
                   "draw_integers(stream, bit_generator, shape, dtype, low, range, masked)");
        const Extents shape = extents_of(arguments[2]);
        const std::optional<DType> type = dtype_named(arguments[3]);
        if (!type || array::is_floating(*type) || array::is_complex(*type))
            refuse(PyExc_TypeError, "draw_integers: another dtype");
        Draw draw;
        draw.generator = generator_of(arguments[1]);
        for (int i = 0; i < 3; ++i) {
            const std::uint64_t bits = PyLong_AsUnsignedLongLongMask(arguments[4 + i]);
            if (PyErr_Occurred() != nullptr) throw PythonError();
            draw.integers[i] = static_cast<std::int64_t>(bits);
        }
        const Array line = machine_here().empty({size_of(shape)}, *type);
        if (line.size() > 0)
            issue("random.integers", &draw_integers, arguments[0], line, uniform_cost, draw);
        return new_ndarray(reshaped(line, shape));
    });
}

/// sample(stream, bit_generator, population, shape, shuffles): integers below the population, each at most once.
PyObject* random_sample(PyObject*, Values arguments, Py_ssize_t count) {
    return guarded([&]() -> PyObject* {
        if (count != 5 || !is_ndarray(arguments[0]))
            refuse(PyExc_TypeError, "sample(stream, bit_generator, population, shape, shuffles)");
        Draw draw;
        draw.generator = generator_of(arguments[1]);
        const Extent population = integer_of(arguments[2]);
        const Extents shape = extents_of(arguments[3]);
        const Extent wanted = size_of(shape);
        if (wanted > population) refuse(PyExc_ValueError, "sample: more than there are");
        const bool shuffles = truth_of(arguments[4]);
        // NumPy's limits: the numbers depend on which way is taken.
        const bool is_large = population > 10000 && wanted > population / (shuffles ? 50 : 20);
        const auto entries = static_cast<std::uint64_t>(1.2 * static_cast<double>(wanted));
        draw.integers[0] = population;
        draw.integers[1] = shuffles ? 1 : 0;
        draw.integers[2] = is_large ? 1 : 0;
        Machine& entered = machine_here();
        const Array line = entered.empty({wanted}, DType::int64);
        const Array room =
            entered.empty({is_large ? population : static_cast<Extent>(std::bit_ceil(entries + 1))},
                          DType::int64);
        if (wanted > 0) {
            const array::WorkUse uses[] = {{&array_of(arguments[0]), Privilege::read_write},
                                           {&line, Privilege::write},
                                           {&room, Privilege::write}};
            array::Work work;
            work.name = "random.choice";
            work.function = &draw_sample;
            work.uses = uses;
            work.cost = room.size() * uniform_cost;
            work.hashes_bytes = false;
            entered.issue(std::move(work).with(draw));
        }
        return new_ndarray(reshaped(line, shape));
    });
}

/// shuffle(stream, bit_generator, array): along the first axis, in place.
PyObject* random_shuffle(PyObject*, Values arguments, Py_ssize_t count) {
    return guarded([&]() -> PyObject* {
        if (count != 3 || !is_ndarray(arguments[0]) || !is_ndarray(arguments[2]))
            refuse(PyExc_TypeError, "shuffle(stream, bit_generator, array)");
        NdArray* rows = as_ndarray(arguments[2]);
        if (!rows->writable) {
            PyErr_SetString(PyExc_ValueError, "array is read-only");
            return nullptr;
        }
        if (rows->array.rank() == 0) refuse(PyExc_TypeError, "shuffle: rank");
        Draw draw;
        draw.generator = generator_of(arguments[1]);
        if (rows->array.shape()[0] > 1 && rows->array.size() > 0)
            issue("random.shuffle", &shuffle_rows, arguments[0], rows->array, uniform_cost, draw,
                  Privilege::read_write);
        Py_RETURN_NONE;
    });
}

/// settle(stream): waits until no draw is pending.
PyObject* random_settle(PyObject*, PyObject* stream) {
    return guarded([&]() -> PyObject* {
        if (!is_ndarray(stream)) refuse(PyExc_TypeError, "settle(stream)");
        const Array& array = array_of(stream);
        Machine& entered = machine();
        if (entered.is_ready(array))
            static_cast<void>(entered.begin_export(array, true));
        else
            without_lock([&] { static_cast<void>(entered.begin_export(array, true)); });
        entered.end_export(array);
        Py_RETURN_NONE;
    });
}

PyMethodDef random_table[] = {
    {"stream", random_stream, METH_O, "stream(bit_generator): what stands for its state"},
    {"settle", random_settle, METH_O, "settle(stream): waits until no draw is pending"},
    {"draw", as_method(random_draw), METH_FASTCALL,
     "draw(stream, bit_generator, name, shape, dtype, parameters...)"},
    {"draw_rows", as_method(random_rows), METH_FASTCALL,
     "draw_rows(stream, bit_generator, name, shape, columns, number)"},
    {"draw_integers", as_method(random_integers), METH_FASTCALL,
     "draw_integers(stream, bit_generator, shape, dtype, low, range, masked)"},
    {"sample", as_method(random_sample), METH_FASTCALL,
     "sample(stream, bit_generator, population, shape, shuffles)"},
    {"shuffle", as_method(random_shuffle), METH_FASTCALL, "shuffle(stream, bit_generator, array)"},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

PyMethodDef* random_functions() noexcept {
    return random_table;
}

}  // namespace refrain::ndarray
