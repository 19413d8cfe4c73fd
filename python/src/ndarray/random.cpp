// Random numbers: the generators of NumPy draw, through the interface that they show to C, and NumPy's library of
// distributions turns what they draw into numbers. So states are shared with NumPy's own methods.
//
// A *stream* is an ndarray of two numbers that stands for a generator's state: each draw uses it, reading and writing,
// so draws follow one another as the program has them. Its elements are the second normal of a pair, which NumPy's
// legacy generator keeps for the next call: whether there is one, and what it is.
//
// The one file that includes a header of NumPy's.
#include "refrain/array/work.hpp"

#include <cmath>
#include <cstring>
#include <numpy/random/distributions.h>
#include <string_view>

#include "ndarray/convert.hpp"
#include "ndarray/methods.hpp"

namespace refrain::ndarray {

namespace {

using array::WorkFrame;
using Values = PyObject* const*;

/// What one draw is called with: of NumPy's generator, and up to three parameters.
struct Draw {
    bitgen_t* generator = nullptr;
    double parameters[3] = {0, 0, 0};
    std::int64_t integers[3] = {0, 0, 0};
    double* second = nullptr;  // the stream's elements
};

// -- Distributions of one element each.

using Floating = double (*)(const Draw&);
using Whole = std::int64_t (*)(const Draw&);

template <double (*function)(bitgen_t*)>
double plain(const Draw& draw) {
    return function(draw.generator);
}
template <double (*function)(bitgen_t*, double)>
double one(const Draw& draw) {
    return function(draw.generator, draw.parameters[0]);
}
template <double (*function)(bitgen_t*, double, double)>
double two(const Draw& draw) {
    return function(draw.generator, draw.parameters[0], draw.parameters[1]);
}
template <double (*function)(bitgen_t*, double, double, double)>
double three(const Draw& draw) {
    return function(draw.generator, draw.parameters[0], draw.parameters[1], draw.parameters[2]);
}
template <std::int64_t (*function)(bitgen_t*, double)>
std::int64_t whole(const Draw& draw) {
    return function(draw.generator, draw.parameters[0]);
}

double next_double(const Draw& draw) {
    return draw.generator->next_double(draw.generator->state);
}

/// Marsaglia's polar method, which makes two normals.
double legacy_normal(const Draw& draw) {
    if (draw.second[0] != 0.0) {
        draw.second[0] = 0.0;
        return std::exchange(draw.second[1], 0.0);
    }
    double x = 0;
    double y = 0;
    double square = 0;
    do {
        x = 2.0 * next_double(draw) - 1.0;
        y = 2.0 * next_double(draw) - 1.0;
        square = x * x + y * y;
    } while (square >= 1.0 || square == 0.0);
    const double factor = std::sqrt(-2.0 * std::log(square) / square);
    draw.second[0] = 1.0;
    draw.second[1] = factor * x;
    return factor * y;
}
double legacy_exponential(const Draw& draw) {
    return -std::log(1.0 - next_double(draw));
}

struct FloatingName {
    std::string_view name;
    Floating function;
};
constexpr FloatingName floating_names[] = {
    {"standard_normal", [](const Draw& d) { return random_standard_normal(d.generator); }},
    {"standard_exponential",
     [](const Draw& d) { return random_standard_exponential(d.generator); }},
    {"standard_cauchy", plain<random_standard_cauchy>},
    {"standard_gamma", one<random_standard_gamma>},
    {"standard_t", one<random_standard_t>},
    {"chisquare", one<random_chisquare>},
    {"pareto", one<random_pareto>},
    {"weibull", one<random_weibull>},
    {"power", one<random_power>},
    {"rayleigh", one<random_rayleigh>},
    {"exponential", one<random_exponential>},
    {"normal", two<random_normal>},
    {"gamma", two<random_gamma>},
    {"beta", two<random_beta>},
    {"f", two<random_f>},
    {"laplace", two<random_laplace>},
    {"gumbel", two<random_gumbel>},
    {"logistic", two<random_logistic>},
    {"lognormal", two<random_lognormal>},
    {"noncentral_chisquare", two<random_noncentral_chisquare>},
    {"wald", two<random_wald>},
    {"vonmises", two<random_vonmises>},
    {"noncentral_f", three<random_noncentral_f>},
    {"triangular", three<random_triangular>},
    {"legacy_standard_normal", legacy_normal},
    {"legacy_normal",
     [](const Draw& d) { return d.parameters[0] + d.parameters[1] * legacy_normal(d); }},
    {"legacy_lognormal",
     [](const Draw& d) { return std::exp(d.parameters[0] + d.parameters[1] * legacy_normal(d)); }},
    {"legacy_standard_exponential", legacy_exponential},
    {"legacy_exponential", [](const Draw& d) { return d.parameters[0] * legacy_exponential(d); }},
    {"legacy_pareto",
     [](const Draw& d) { return std::exp(legacy_exponential(d) / d.parameters[0]) - 1; }},
    {"legacy_weibull",
     [](const Draw& d) {
         return d.parameters[0] == 0.0 ? 0.0
                                       : std::pow(legacy_exponential(d), 1. / d.parameters[0]);
     }},
    {"legacy_power",
     [](const Draw& d) {
         return std::pow(1 - std::exp(-legacy_exponential(d)), 1. / d.parameters[0]);
     }},
    {"legacy_rayleigh",
     [](const Draw& d) {
         return d.parameters[0] * std::sqrt(-2.0 * std::log(1.0 - next_double(d)));
     }},
    {"legacy_standard_cauchy",
     [](const Draw& d) {
         const double above = legacy_normal(d);
         return above / legacy_normal(d);
     }},
};

struct WholeName {
    std::string_view name;
    Whole function;
};
constexpr WholeName whole_names[] = {
    {"poisson", whole<random_poisson>},
    {"geometric", whole<random_geometric>},
    {"legacy_geometric",
     [](const Draw& d) {
         const double p = d.parameters[0];
         if (p >= 1.0 / 3) return random_geometric_search(d.generator, p);
         return static_cast<std::int64_t>(std::ceil(std::log1p(-next_double(d)) / std::log1p(-p)));
     }},
    {"zipf", whole<random_zipf>},
    {"logseries", whole<random_logseries>},
    {"negative_binomial",
     [](const Draw& d) {
         return random_negative_binomial(d.generator, d.parameters[0], d.parameters[1]);
     }},
    {"hypergeometric",
     [](const Draw& d) {
         return random_hypergeometric(d.generator, d.integers[0], d.integers[1], d.integers[2]);
     }},
};

template <class T, class Table>
T function_named(const Table& table, std::string_view name) {
    for (const auto& entry : table)
        if (entry.name == name) return entry.function;
    return nullptr;
}

// -- Work. views: the stream, then the numbers, one after the other.

template <class Function, class T>
struct Each {
    Draw draw;
    Function function;
};

template <class Function, class T>
void draw_each(const WorkFrame& frame) {
    auto call = frame.parameters<Each<Function, T>>();
    call.draw.second = frame.views[0].first<double>();
    T* to = frame.views[1].first<T>();
    const Extent count = frame.views[1].layout.size();
    for (Extent i = 0; i < count; ++i) to[i] = static_cast<T>(call.function(call.draw));
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

void draw_binomial(const WorkFrame& frame) {
    const Draw draw = frame.parameters<Draw>();
    binomial_t kept{};
    std::int64_t* to = frame.views[1].first<std::int64_t>();
    const Extent count = frame.views[1].layout.size();
    for (Extent i = 0; i < count; ++i)
        to[i] = random_binomial(draw.generator, draw.parameters[0], draw.integers[0], &kept);
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

// -- PCG64 jumps ahead, and Philox counts, so that tiles draw their own part.

__extension__ using Wide = unsigned __int128;
struct Pcg {
    Wide state;
    Wide increment;
};
struct PcgState {  // NumPy's
    Pcg* pcg;
    int has_half;
    std::uint32_t half;
};
constexpr Wide pcg_multiplier = (Wide{2549297995355413924ULL} << 64) + Wide{4865540595714422341ULL};

/// The state after `count` draws: squares of the step, multiplied as count's bits say.
Wide advanced(const Pcg& pcg, std::uint64_t count) {
    Wide factor = 1;
    Wide sum = 0;
    Wide step_factor = pcg_multiplier;
    Wide step_sum = pcg.increment;
    for (; count != 0; count >>= 1) {
        if ((count & 1) != 0) {
            factor *= step_factor;
            sum = sum * step_factor + step_sum;
        }
        step_sum *= step_factor + 1;
        step_factor *= step_factor;
    }
    return factor * pcg.state + sum;
}

/// A copy of a generator, advanced by `ahead` draws.
class PcgCopy {
  public:
    PcgCopy(const bitgen_t& of, std::uint64_t ahead)
        : pcg_(*static_cast<PcgState*>(of.state)->pcg) {
        pcg_.state = advanced(pcg_, ahead);
    }
    std::uint64_t next() {
        pcg_.state = pcg_.state * pcg_multiplier + pcg_.increment;
        const auto high = static_cast<std::uint64_t>(pcg_.state >> 64);
        const std::uint64_t mixed = high ^ static_cast<std::uint64_t>(pcg_.state);
        const auto turn = static_cast<unsigned>(high >> 58);
        return mixed >> turn | mixed << (-turn & 63U);
    }
    static void advance(const bitgen_t& generator, std::uint64_t count) {
        Pcg& pcg = *static_cast<PcgState*>(generator.state)->pcg;
        pcg.state = advanced(pcg, count);
    }

  private:
    Pcg pcg_;
};

struct PhiloxState {  // NumPy's
    std::uint64_t* counter;
    std::uint64_t* key;
    int used;  // of the drawn block
    std::uint64_t drawn[4];
    int has_half;
    std::uint32_t half;
};

/// Philox 4x64 of ten rounds: a block of four numbers per count.
class PhiloxCopy {
  public:
    PhiloxCopy(const bitgen_t& of, std::uint64_t ahead) {
        const PhiloxState& state = *static_cast<PhiloxState*>(of.state);
        std::copy_n(state.counter, 4, counter_);
        std::copy_n(state.key, 2, key_);
        std::copy_n(state.drawn, 4, drawn_);
        const auto left = static_cast<std::uint64_t>(4 - state.used);
        used_ = state.used;
        if (ahead < left) {
            used_ += static_cast<int>(ahead);
            return;
        }
        ahead -= left;
        used_ = 4;
        if (ahead == 0) return;
        const std::uint64_t whole = (ahead - 1) / 4;  // blocks before the last one
        count(whole);
        for (ahead -= 4 * whole; ahead > 0; --ahead) static_cast<void>(next());
    }
    std::uint64_t next() {
        if (used_ == 4) {
            count(1);
            draw();
            used_ = 0;
        }
        return drawn_[used_++];
    }
    static void advance(const bitgen_t& generator, std::uint64_t count) {
        const PhiloxCopy ahead(generator, count);
        PhiloxState& state = *static_cast<PhiloxState*>(generator.state);
        std::copy_n(ahead.counter_, 4, state.counter);
        std::copy_n(ahead.drawn_, 4, state.drawn);
        state.used = ahead.used_;
    }

  private:
    void count(std::uint64_t blocks) {
        for (std::uint64_t& word : counter_) {
            word += blocks;
            if (word >= blocks) break;  // nothing to carry
            blocks = 1;
        }
    }
    void draw() {
        constexpr std::uint64_t multipliers[] = {0xD2E7470EE14C6C93ULL, 0xCA5A826395121157ULL};
        constexpr std::uint64_t steps[] = {0x9E3779B97F4A7C15ULL, 0xBB67AE8584CAA73BULL};
        std::uint64_t keys[2] = {key_[0], key_[1]};
        std::copy_n(counter_, 4, drawn_);
        for (int round = 0; round < 10; ++round) {
            const Wide first = Wide{multipliers[0]} * drawn_[0];
            const Wide second = Wide{multipliers[1]} * drawn_[2];
            const std::uint64_t made[4] = {
                static_cast<std::uint64_t>(second >> 64) ^ drawn_[1] ^ keys[0],
                static_cast<std::uint64_t>(second),
                static_cast<std::uint64_t>(first >> 64) ^ drawn_[3] ^ keys[1],
                static_cast<std::uint64_t>(first)};
            std::copy_n(made, 4, drawn_);
            for (int i = 0; i < 2; ++i) keys[i] += steps[i];
        }
    }

    std::uint64_t counter_[4];
    std::uint64_t key_[2];
    std::uint64_t drawn_[4];
    int used_;
};

/// views: the stream, which is read, and a tile.
template <class Copy>
void draw_tile(const WorkFrame& frame) {
    const Draw draw = frame.parameters<Draw>();
    Copy copy(*draw.generator, static_cast<std::uint64_t>(frame.tile_first));
    double* to = frame.views[1].first<double>();
    const Extent count = frame.views[1].layout.size();
    for (Extent i = 0; i < count; ++i) {
        const auto drawn = static_cast<double>(copy.next() >> 11) * (1.0 / 9007199254740992.0);
        to[i] = draw.parameters[0] + draw.parameters[1] * drawn;
    }
}
template <class Copy>
void advance(const WorkFrame& frame) {
    const Draw draw = frame.parameters<Draw>();
    Copy::advance(*draw.generator, static_cast<std::uint64_t>(draw.integers[0]));
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
           std::int64_t cost, const auto& parameters, Privilege use = Privilege::write) {
    const array::WorkUse uses[] = {{&array_of(stream), Privilege::read_write}, {&numbers, use}};
    array::Work work;
    work.name = name;
    work.function = function;
    work.uses = uses;
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
    work.function = is_pcg ? &draw_tile<PcgCopy> : &draw_tile<PhiloxCopy>;
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
    after.function = is_pcg ? &advance<PcgCopy> : &advance<PhiloxCopy>;
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
    for (const Extent extent : shape) size *= extent;
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

/// draw(stream, bit_generator, name, shape, dtype, parameters..., jumps): numbers of a distribution.
PyObject* random_draw(PyObject*, Values arguments, Py_ssize_t count) {
    return guarded([&]() -> PyObject* {
        if (count < 5 || count > 8 || !is_ndarray(arguments[0]) || !PyUnicode_Check(arguments[2]))
            refuse(PyExc_TypeError,
                   "draw(stream, bit_generator, name, shape, dtype, parameters...)");
        const char* text = PyUnicode_AsUTF8(arguments[2]);
        if (text == nullptr) throw PythonError();
        const std::string_view name = text;
        const Extents shape = extents_of(arguments[3]);
        const std::optional<DType> type = dtype_named(arguments[4]);
        if (!type) refuse(PyExc_TypeError, "draw: another dtype");
        Draw draw;
        draw.generator = generator_of(arguments[1]);
        draw.parameters[1] = name.starts_with("random") ? 1.0 : 0.0;  // low + range * random
        const bool counts = name == "hypergeometric";
        for (Py_ssize_t i = 5; i < count; ++i) {
            if (counts)
                draw.integers[i - 5] = integer_of(arguments[i]);
            else
                draw.parameters[i - 5] = real_parameter(arguments[i]);
        }
        const Array line = machine_here().empty({size_of(shape)}, *type);
        PyObject* stream = arguments[0];
        const Floating floating = function_named<Floating>(floating_names, name);
        if (line.size() == 0) return new_ndarray(reshaped(line, shape));
        if (name.starts_with("random")) {
            if (*type == DType::float32) {
                issue("random", &draw_all<float, random_standard_uniform_fill_f>, stream, line,
                      uniform_cost, draw);
            } else {
                issue_uniform(stream, line, draw, name);
            }
        } else if (*type == DType::float32) {
            if (name == "standard_normal")
                issue("random.standard_normal", &draw_all<float, random_standard_normal_fill_f>,
                      stream, line, distribution_cost, draw);
            else if (name == "standard_exponential")
                issue("random.standard_exponential",
                      &draw_all<float, random_standard_exponential_fill_f>, stream, line,
                      distribution_cost, draw);
            else
                refuse(PyExc_TypeError, "draw: no such distribution of float32");
        } else if (floating != nullptr) {
            issue("random.distribution", &draw_each<Floating, double>, stream, line,
                  distribution_cost, Each<Floating, double>{draw, floating});
        } else if (name == "binomial") {
            draw.integers[0] = integer_of(arguments[5]);
            draw.parameters[0] = real_parameter(arguments[6]);
            issue("random.binomial", &draw_binomial, stream, line, distribution_cost, draw);
        } else if (const Whole wholes = function_named<Whole>(whole_names, name);
                   wholes != nullptr && *type == DType::int64) {
            issue("random.distribution", &draw_each<Whole, std::int64_t>, stream, line,
                  distribution_cost, Each<Whole, std::int64_t>{draw, wholes});
        } else {
            refuse(PyExc_TypeError, "draw: no such distribution");
        }
        return new_ndarray(reshaped(line, shape));
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
    {"draw_integers", as_method(random_integers), METH_FASTCALL,
     "draw_integers(stream, bit_generator, shape, dtype, low, range, masked)"},
    {"shuffle", as_method(random_shuffle), METH_FASTCALL, "shuffle(stream, bit_generator, array)"},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

PyMethodDef* random_functions() noexcept {
    return random_table;
}

}  // namespace refrain::ndarray
